/** Every code that the project can report, with its severity, its section of the specification, its words and its fix. */
import { codeMessages } from "./catalogue/code.js";
import { comparisonMessages } from "./catalogue/comparison.js";
import { connectionMessages } from "./catalogue/connections.js";
import { definitionMessages } from "./catalogue/definitions.js";
import { fileMessages } from "./catalogue/files.js";
import { keyMessages } from "./catalogue/keys.js";
import { migrationMessages } from "./catalogue/migration.js";
import { nameMessages } from "./catalogue/names.js";
import { scaffoldMessages } from "./catalogue/scaffolds.js";
import { schemaMessages } from "./catalogue/schemas.js";
import { settingsMessages } from "./catalogue/settings.js";
import { silenceMessages } from "./catalogue/silences.js";

/** What the platform or a reviewer refuses; what should be mended; what was done. */
export type Severity = "error" | "warning" | "info";

/** One entry: `message` and `fix` may hold `{parameters}`. */
export interface CatalogueEntry {
  readonly severity: Severity;
  readonly section: string;
  readonly message: string;
  readonly fix: string;
}

/** The catalogue, by family. Codes are stable for ever. */
export const CATALOGUE = {
  ...definitionMessages,
  ...keyMessages,
  ...nameMessages,
  ...schemaMessages,
  ...connectionMessages,
  ...fileMessages,
  ...comparisonMessages,
  ...scaffoldMessages,
  ...codeMessages,
  ...silenceMessages,
  ...settingsMessages,
  ...migrationMessages,
} as const satisfies Record<string, CatalogueEntry>;

export type DiagnosticCode = keyof typeof CATALOGUE;

type Parameters<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Parameters<Rest>
  : never;

type ParameterNames<Code extends DiagnosticCode> = Parameters<
  (typeof CATALOGUE)[Code]["message"] | (typeof CATALOGUE)[Code]["fix"]
>;

/** What a report of `Code` must be given: a report with a missing or misspelt parameter does not compile. */
export type DiagnosticParameters<Code extends DiagnosticCode> = Readonly<
  Record<ParameterNames<Code>, string | number>
>;
