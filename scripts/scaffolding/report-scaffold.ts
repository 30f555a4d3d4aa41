/** What a scaffolding command says it did, for people and for programs. */
import type { PlannedFile, Step } from "../../generators/writer/plan.js";
import { type Diagnostic, hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import type { Arguments } from "../command-spec.js";
import { findingsJson, findingsText, summaryOf, summaryText } from "../findings-text.js";
import type { Output } from "../output.js";

export interface ReportPlace {
  readonly args: Arguments;
  readonly output: Output;
  /** The project's folder, absolute. */
  readonly root: string;
}

interface Outcome {
  /** What was done to each; a scaffold that is only planned has none. */
  readonly written?: readonly PlannedFile[];
  readonly diagnostics: readonly Diagnostic[];
  readonly next?: readonly string[];
}

const WORDS: Readonly<Record<Step, string>> = {
  create: "create",
  update: "update",
  remove: "remove",
  keep: "kept",
  unchanged: "kept",
};

/** Says it and gives the exit status. */
export function reportScaffold({ args, output, root }: ReportPlace, outcome: Outcome): number {
  const { diagnostics } = outcome;
  const isDone = !hasErrors(diagnostics);
  const files = isDone
    ? (outcome.written ?? []).map(({ step, file }) => ({ step: WORDS[step], path: file.path }))
    : [];
  const next = isDone ? (outcome.next ?? []) : [];
  const summary = summaryOf(diagnostics);
  if (args["json"] === true) {
    const result = { written: isDone, files, next, diagnostics: findingsJson(diagnostics, root), summary };
    output.result(`${JSON.stringify(result, undefined, 2)}\n`);
  } else {
    if (diagnostics.length > 0) output.say(findingsText(diagnostics, false).trimEnd());
    for (const { step, path } of files) output.say(`${step} ${path}`);
    if (!isDone) output.say(`nothing written (${summaryText(summary)})`);
    if (next.length > 0) output.say(["Next:", ...next.map((line) => `  ${line}`)].join("\n"));
  }
  return isDone ? 0 : 1;
}
