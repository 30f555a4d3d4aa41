/** Writes answers into `openapi.config.ts`: into the options of a new one, or into the author's, which keeps every other byte. */
import type { OpenApiImportOptions } from "../../../schemas/authoring/openapi-import.js";
import type { Diagnostic } from "../../../schemas/diagnostics/diagnostic.js";
import { fromPlain, isJsonObject } from "../../../schemas/json.js";
import { addProperty, appendElement, type Edit, locate, type SourceFiles } from "../../source-edits/index.js";
import { layOut } from "../../typescript/code.js";
import { jsonLiteral } from "../../typescript/literals.js";
import { CONFIG_FILE } from "../modules/import-files.js";
import type { ConfigChange } from "./open-questions.js";

/** All changes; what leaves operations out takes the place of what was answered to them before. */
export function withChanges(
  changes: readonly ConfigChange[],
  more: readonly ConfigChange[],
): readonly ConfigChange[] {
  const skipped = new Set(more.flatMap(skippedBy));
  const kept = changes.flatMap((change): readonly ConfigChange[] => {
    const { steps, value } = change;
    if (steps[0] === "answers") return skipped.has(steps[1] ?? "") ? [] : [change];
    if (steps[0] !== "sharedAnswers" || !isJsonObject(value)) return [change];
    const operations = operationsOf(value).filter((id) => !skipped.has(id));
    return operations.length === 0 ? [] : [{ steps, value: { ...value, operations } }];
  });
  return [...kept, ...more];
}

function skippedBy({ steps, value }: ConfigChange): readonly string[] {
  if (steps[0] === "answers" && steps[2] === "skip") return steps.slice(1, 2);
  return steps[0] === "sharedAnswers" && isJsonObject(value) && "skip" in value ? operationsOf(value) : [];
}

function operationsOf({ operations }: Readonly<Record<string, unknown>>): readonly string[] {
  return Array.isArray(operations) ? operations.map(String) : [];
}

/** The options with the answers in them. */
export function withAnswers(
  options: OpenApiImportOptions,
  changes: readonly ConfigChange[],
): OpenApiImportOptions {
  let changed = options;
  for (const { steps, value } of changes) {
    const [first, ...rest] = steps;
    const present = changed[first as keyof OpenApiImportOptions];
    const next = isListed(first)
      ? [...(Array.isArray(present) ? present : []), value]
      : withValue(present, rest, value);
    changed = { ...changed, [first]: next };
  }
  return changed;
}

/** Options whose values are one more each. */
function isListed(option: string): boolean {
  return option === "settings" || option === "sharedAnswers";
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
  if (isListed(steps[0])) return appendElement(files, { start, steps: [0, steps[0]] }, code(value));
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
