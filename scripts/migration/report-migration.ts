/** What `migrate` says: what it did or would do, what moved where, and what is left, each with its place. */
import type { Moved } from "../../generators/migration/index.js";
import type { PlannedFile } from "../../generators/writer/plan.js";
import { isChange } from "../../generators/writer/plan.js";
import { type Diagnostic, hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import { findingsJson, findingsText, summaryOf, summaryText } from "../findings-text.js";
import type { ReportPlace } from "../scaffolding/report-scaffold.js";

export interface MigrationOutcome {
  readonly files: readonly PlannedFile[];
  readonly moved: readonly Moved[];
  /** Name of the connection's class. */
  readonly connection: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** Whether it was only planned. */
  readonly isDry: boolean;
}

/** Says it and gives the exit status. */
export function reportMigration({ args, output, root }: ReportPlace, outcome: MigrationOutcome): number {
  const isDone = !hasErrors(outcome.diagnostics);
  const files = isDone ? outcome.files.filter(isChange) : [];
  const shown = { ...outcome, files, moved: isDone ? outcome.moved : [] };
  const next = isDone && files.length + outcome.diagnostics.length > 0 ? NEXT : [];
  if (args["json"] === true) output.result(`${JSON.stringify(jsonOf(shown, next, root), undefined, 2)}\n`);
  else for (const line of linesOf(shown, next)) output.say(line);
  return isDone ? 0 : 1;
}

function jsonOf(
  { diagnostics, connection, isDry, files, moved }: MigrationOutcome,
  next: readonly string[],
  root: string,
): object {
  return {
    written: !hasErrors(diagnostics) && !isDry,
    connection,
    files: files.map(({ step, file }) => ({ step, path: file.path })),
    moved: moved.map(({ member, property: to, isDeclared, isBaseUrl }) => {
      return { from: member.names.join("."), to, isDeclared, isBaseUrl };
    }),
    next,
    diagnostics: findingsJson(diagnostics, root),
    summary: summaryOf(diagnostics),
  };
}

function linesOf(outcome: MigrationOutcome, next: readonly string[]): readonly string[] {
  const { diagnostics, connection = "", isDry, files, moved } = outcome;
  const failed = hasErrors(diagnostics) ? [`nothing written (${summaryText(summaryOf(diagnostics))})`] : [];
  return [
    ...(diagnostics.length > 0 ? [findingsText(diagnostics, false).trimEnd()] : []),
    ...moved.map((one) => movedText(one, connection, isDry)),
    ...files.map(({ step, file }) => `${isDry ? "would " : ""}${step} ${file.path}`),
    ...failed,
    ...(files.length + diagnostics.length === 0 ? ["nothing to do"] : []),
    ...(next.length > 0 ? [["Next:", ...next.map((line) => `  ${line}`)].join("\n")] : []),
  ];
}

const NEXT = [
  "Do what is listed, if anything is; the compiler names modules that read what has moved.",
  "Then: npx connectorcli gen, npx connectorcli test init, npx connectorcli test connection (rule 8)",
];

function movedText(
  { member, property, isDeclared, isBaseUrl }: Moved,
  connection: string,
  isDry: boolean,
): string {
  const from = member.names.join(".");
  const how = isDeclared ? "" : ", which is there already";
  const base = isBaseUrl ? ", as its base address" : "";
  return `${isDry ? "would move" : "move"} ${from} to ${property} of ${connection}${how}${base}`;
}
