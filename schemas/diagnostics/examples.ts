/** Every example of a rule, by code: shown by `explain`, and each tried by a test. */
import type { DiagnosticCode } from "./catalogue.js";
import { codeExamples } from "./examples/code.js";
import { connectionExamples } from "./examples/connections.js";
import { constraintExamples } from "./examples/constraints.js";
import { definitionExamples } from "./examples/definitions.js";
import type { Examples, RuleExample } from "./examples/example.js";
import { keyExamples } from "./examples/keys.js";
import { nameExamples } from "./examples/names.js";
import { schemaExamples } from "./examples/schemas.js";

const EXAMPLES: Examples = {
  ...definitionExamples,
  ...keyExamples,
  ...nameExamples,
  ...schemaExamples,
  ...constraintExamples,
  ...connectionExamples,
  ...codeExamples,
};

/** The example of a rule; undefined where no author's code can show it. */
export function exampleOf(code: DiagnosticCode): RuleExample | undefined {
  return EXAMPLES[code];
}
