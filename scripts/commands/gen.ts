/** `connectorcli gen`: typed classes, validators, configuration and wiring under `generated/`. */
import path from "node:path";
import { generatedModules } from "../../generators/classes/generated-modules.js";
import { isChange, type Plan, planFiles } from "../../generators/writer/plan.js";
import { recoverWrites, unfinishedWrites } from "../../generators/writer/recover.js";
import { writePlan } from "../../generators/writer/write-files.js";
import { type Diagnostic, diagnostic, hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import { loadProject } from "../author-project/load-project.js";
import type { Arguments } from "../command-table.js";
import { findingsJson, findingsText, summaryOf, summaryText } from "../findings-text.js";
import type { Output } from "../output.js";
import { projectOf } from "../project-arguments.js";
import { WRITING } from "../this-process.js";

/** Errors that stop a submission, but leave what is generated as right as it can be. */
const PLATFORM_ONLY = /^(?:connection|registration)-/;

export async function gen(args: Arguments, output: Output): Promise<number> {
  if (args["watch"] === true) {
    const { watchProject } = await import("../author-project/watch-project.js");
    return watchProject(projectOf(args).folder, async () => void (await generate(args, output)));
  }
  return generate(args, output);
}

/** One run: load, plan, and write what is not as it should be. */
async function generate(args: Arguments, output: Output): Promise<number> {
  const { folder, timeoutSeconds } = projectOf(args);
  const root = path.resolve(folder);
  const unsettled = args["check"] === true ? unfinishedWrites(root) : recoverWrites(root, WRITING);
  if (hasErrors(unsettled)) return report(args, output, { files: [], diagnostics: unsettled }, false);
  const { model, diagnostics } = await loadProject(folder, timeoutSeconds);
  const errors = diagnostics.filter(
    ({ severity, code }) => severity === "error" && !PLATFORM_ONLY.test(code),
  );
  if (model === undefined || errors.length > 0)
    return report(args, output, { files: [], diagnostics: errors }, false);
  const plan = planFiles(root, generatedModules(model), {
    existingScaffold: "keep",
    generatedFolder: "generated",
  });
  if (args["check"] === true)
    return report(args, output, { ...plan, diagnostics: [...plan.diagnostics, ...stale(plan)] }, false);
  const diagnosed = [...plan.diagnostics, ...writePlan(root, plan, WRITING)];
  const distinct = diagnosed.filter((found, index) => diagnosed.indexOf(found) === index);
  return report(args, output, { ...plan, diagnostics: distinct }, !hasErrors(distinct));
}

/** What `--check` says of every file that is not what the schema modules give. */
function stale(plan: Plan): readonly Diagnostic[] {
  const words = { create: "missing", update: "stale", remove: "left over: its source has gone" };
  return plan.files.flatMap(({ step, file, target }) =>
    step === "create" || step === "update" || step === "remove"
      ? [
          diagnostic(
            "file-stale",
            { file: target },
            { path: file.path, state: words[step], command: "connectorcli gen" },
          ),
        ]
      : [],
  );
}

function report(args: Arguments, output: Output, plan: Plan, written: boolean): number {
  const { diagnostics } = plan;
  const summary = summaryOf(diagnostics);
  const changed = plan.files.filter(isChange);
  const folder = path.resolve(projectOf(args).folder);
  if (args["json"] === true) {
    const files = changed.map(({ step, file }) => ({ step, path: file.path }));
    const result = { written, files, diagnostics: findingsJson(diagnostics, folder), summary };
    output.result(`${JSON.stringify(result, undefined, 2)}\n`);
  } else {
    if (diagnostics.length > 0) output.say(findingsText(diagnostics, false).trimEnd());
    if (written) for (const { step, file } of changed) output.say(`${step} ${file.path}`);
    output.say(`${outcome(plan, changed.length, written)} (${summaryText(summary)})`);
  }
  return hasErrors(diagnostics) ? 1 : 0;
}

function outcome(plan: Plan, changes: number, written: boolean): string {
  if (hasErrors(plan.diagnostics)) return "nothing written";
  return changes === 0
    ? `${plan.files.length} files up to date`
    : `${changes} of ${plan.files.length} files ${written ? "written" : "stale"}`;
}
