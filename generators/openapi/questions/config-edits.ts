/** Writes answers into `openapi.config.ts`: into the options of a new one, or into the author's, which keeps every other byte. */
import type { OpenApiImportOptions } from "../../../schemas/authoring/openapi-import.js";
import type { Diagnostic } from "../../../schemas/diagnostics/diagnostic.js";
import { fromPlain, isJsonObject } from "../../../schemas/json.js";
import { addProperty, appendElement, type Edit, locate, type SourceFiles } from "../../source-edits/index.js";
import { layOut } from "../../typescript/code.js";
import { jsonLiteral } from "../../typescript/literals.js";
import { CONFIG_FILE } from "../modules/import-files.js";
import type { ConfigChange } from "./open-questions.js";

/** The options with the answers in them. */
export function withAnswers(
  options: OpenApiImportOptions,
  changes: readonly ConfigChange[],
): OpenApiImportOptions {
  let changed = options;
  for (const { steps, value } of changes) {
    const [first, ...rest] = steps;
    const present = changed[first as keyof OpenApiImportOptions];
    const next =
      first === "settings" ? [...(changed.settings ?? []), value] : withValue(present, rest, value);
    changed = { ...changed, [first]: next };
  }
  return changed;
}

function withValue(present: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  const members: Readonly<Record<string, unknown>> = isJsonObject(present) ? present : {};
  // What is left out has no other answers.
  if (step === "skip") return { skip: value };
  const own = Object.hasOwn(members, step) ? members[step] : undefined;
  return Object.fromEntries([...Object.entries(members), [step, withValue(own, rest, value)]]);
}

/** Writes the answers into the author's file. Findings say what is to be written by hand. */
export function writeAnswers(files: SourceFiles, changes: readonly ConfigChange[]): readonly Diagnostic[] {
  return changes.flatMap((change) => writeAnswer(files, change).problem ?? []);
}

function writeAnswer(files: SourceFiles, { steps, value }: ConfigChange): Edit {
  const start = { file: CONFIG_FILE, call: "defineOpenApiImport" };
  const code = (written: unknown) => ({ imports: [], code: () => layOut(jsonLiteral(fromPlain(written))) });
  if (steps[0] === "settings") return appendElement(files, { start, steps: [0, "settings"] }, code(value));
  // The innermost object that is there takes the rest.
  let depth = 0;
  while (
    depth < steps.length - 1 &&
    locate(files, start, [0, ...steps.slice(0, depth + 1)]).spot !== undefined
  )
    depth++;
  const rest = steps.slice(depth + 1).reduceRight<unknown>((inner, step) => ({ [step]: inner }), value);
  return addProperty(files, { start, steps: [0, ...steps.slice(0, depth)] }, steps[depth] ?? "", code(rest));
}
