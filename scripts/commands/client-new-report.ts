/** What `client new` says of what it did, and of what is to be done next. */
import path from "node:path";
import type { ClientNames } from "../../generators/client-files/client-files.js";
import type { PlannedFile } from "../../generators/writer/plan.js";
import { type Diagnostic, hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import type { Arguments } from "../command-table.js";
import { findingsJson, findingsText, summaryOf, summaryText } from "../findings-text.js";
import type { Output } from "../output.js";
import { projectOf } from "../project-arguments.js";

export interface ClientReport {
  readonly files: readonly PlannedFile[];
  readonly diagnostics: readonly Diagnostic[];
  readonly names?: ClientNames;
}

const WORDS = {
  create: "created",
  update: "changed",
  keep: "kept",
  unchanged: "kept",
  remove: "removed",
} as const;

/** Prints it; the exit status is 1 where something stopped the command. */
export function reportClient(args: Arguments, output: Output, report: ClientReport): number {
  const { files, diagnostics, names } = report;
  const summary = summaryOf(diagnostics);
  const stopped = hasErrors(diagnostics);
  if (args["json"] === true) {
    const result = {
      connection: names?.key ?? null,
      files: files.map(({ step, file }) => ({ step: WORDS[step], path: file.path })),
      diagnostics: findingsJson(diagnostics, path.resolve(projectOf(args).folder)),
      summary,
    };
    output.result(`${JSON.stringify(result, undefined, 2)}\n`);
    return stopped ? 1 : 0;
  }
  if (diagnostics.length > 0) output.say(findingsText(diagnostics, false).trimEnd());
  if (stopped) output.say(`nothing written (${summaryText(summary)})`);
  else {
    for (const { step, file } of files) output.say(`${WORDS[step]} ${file.path}`);
    for (const word of nextSteps(names)) output.say(word);
  }
  return stopped ? 1 : 0;
}

function nextSteps(names: ClientNames | undefined): readonly string[] {
  if (names === undefined) return [];
  const addresses =
    names.definition === undefined ? [`put the real addresses into ${names.definitionFile}`] : [];
  const steps = [
    ...addresses,
    "put a path that every user may read into connections/connection-test-handler.ts",
    "connectorcli gen, connectorcli test init, connectorcli test connection",
  ];
  return [`Next: ${steps.join("; then ")}.`];
}
