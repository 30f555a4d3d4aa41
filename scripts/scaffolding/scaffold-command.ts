/** What all scaffolding commands do: load, ask, plan, write, look whether the result is what was asked for. */
import path from "node:path";
import type { Scaffold, ScaffoldSource } from "../../generators/scaffolds/index.js";
import { recoverWrites } from "../../generators/writer/recover.js";
import { type Diagnostic, hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { loadProject } from "../author-project/load-project.js";
import type { Arguments } from "../command-spec.js";
import type { Output } from "../output.js";
import { projectOf } from "../project-arguments.js";
import { WRITING } from "../this-process.js";
import { type Answers, answersTo, missingStatus, type Question } from "./answers.js";
import { placed, projectSources } from "./project-sources.js";
import { reportScaffold } from "./report-scaffold.js";
import { newErrors, unconfirmed, writeConfirmed } from "./write-confirmed.js";

export interface ScaffoldCommand {
  /** `model` is that of the project, for what may be chosen. */
  readonly questions: (model: ConnectorModel | undefined) => readonly Question[];
  readonly plan: (answers: Answers, source: ScaffoldSource) => Scaffold;
  /** Whether the model holds what was asked for. */
  readonly isThere: (answers: Answers, model: ConnectorModel) => boolean;
  /** What to do next, a line each. */
  readonly next: (answers: Answers, model: ConnectorModel) => readonly string[];
}

/** Runs a command that adds to a project; 0 when done, 1 with findings, 2 for missing options, 130 after Ctrl-C. */
export async function runScaffold(
  command: ScaffoldCommand,
  args: Arguments,
  output: Output,
): Promise<number> {
  const missing = missingStatus(args, command.questions(undefined), output);
  if (missing !== undefined) return missing;
  const { folder, timeoutSeconds } = projectOf(args);
  const root = path.resolve(folder);
  const report = { args, output, root };
  const unsettled = recoverWrites(root, WRITING);
  if (hasErrors(unsettled)) return reportScaffold(report, { diagnostics: unsettled });
  const before = await loadProject(folder, { timeoutSeconds });
  const { model } = before;
  if (model === undefined) return reportScaffold(report, { diagnostics: errorsOf(before.diagnostics) });
  const answers = await answersTo(args, command.questions(model), output);
  if (typeof answers === "number") return answers;
  const files = projectSources(root);
  const scaffold = placed(root, command.plan(answers, { model, files }));
  if (hasErrors(scaffold.diagnostics)) return reportScaffold(report, scaffold);
  const confirm = async (): Promise<readonly Diagnostic[]> => {
    const after = await loadProject(folder, { timeoutSeconds });
    const errors = newErrors(before.diagnostics, after.diagnostics);
    if (errors.length > 0) return [unconfirmed(root, errors[0]?.message ?? ""), ...errors];
    const isThere = after.model !== undefined && command.isThere(answers, after.model);
    return isThere ? [] : [unconfirmed(root, "what was added is not part of the connector")];
  };
  const result = await writeConfirmed(root, scaffold.files, confirm);
  const diagnostics = [...scaffold.diagnostics, ...result.diagnostics];
  return reportScaffold(report, { ...result, diagnostics, next: command.next(answers, model) });
}

/** What comes next in a connector that can't reach its target system yet. */
export function connectionStep({ connections }: ConnectorModel): readonly string[] {
  return connections.length > 0 ? [] : ["npx connectorcli client new --auth-type <type>"];
}

function errorsOf(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === "error");
}
