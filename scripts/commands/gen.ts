/** `connectorcli gen`: typed classes, validators, configuration and wiring under `generated/`. */
import path from "node:path";
import { generatedModules } from "../../generators/classes/generated-modules.js";
import type { GeneratedFile } from "../../generators/generated-file.js";
import { isChange, type Plan, type PlannedFile, planFiles } from "../../generators/writer/plan.js";
import { recoverWrites, unfinishedWrites } from "../../generators/writer/recover.js";
import { writePlan } from "../../generators/writer/write-files.js";
import { type Diagnostic, diagnostic, hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import { noteGenerated, upToDate } from "../author-project/generated-cache.js";
import { ProjectLoader } from "../author-project/load-project.js";
import type { Arguments } from "../command-spec.js";
import { findingsJson, findingsText, summaryOf, summaryText } from "../findings-text.js";
import type { Output } from "../output.js";
import { projectOf } from "../project-arguments.js";
import { WRITING } from "../this-process.js";

/** Errors that stop a submission, but leave what is generated as right as it can be. */
const PLATFORM_ONLY = /^(?:connection|registration)-/;

const FOLDER = "generated";

export async function gen(args: Arguments, output: Output): Promise<number> {
  const { folder } = projectOf(args);
  const loader = new ProjectLoader(folder);
  try {
    if (args["watch"] !== true) return await generate(args, output, loader);
    const { watchProject } = await import("../author-project/watch-project.js");
    return await watchProject(folder, async () => {
      await generate(args, output, loader);
      loader.prepare();
    });
  } finally {
    loader.close();
  }
}

/** One run: load, plan, and write what is not as it should be. */
async function generate(args: Arguments, output: Output, loader: ProjectLoader): Promise<number> {
  const { folder, timeoutSeconds } = projectOf(args);
  const root = path.resolve(folder);
  const isCheck = args["check"] === true;
  const unsettled = isCheck ? unfinishedWrites(root) : recoverWrites(root, WRITING);
  if (hasErrors(unsettled))
    return report(args, output, { count: 0, changed: [], diagnostics: unsettled }, false);
  const count = upToDate(root, FOLDER);
  if (count !== undefined) return report(args, output, { count, changed: [], diagnostics: [] }, !isCheck);
  let early: readonly GeneratedFile[] | undefined;
  const { model, inputs, diagnostics } = await loader.load({
    timeoutSeconds,
    located: "errors",
    onBuilt: (built) => {
      try {
        early = generatedModules(built);
      } catch {
        // What can't be generated has an error, which the checks are about to tell.
      }
    },
  });
  const errors = diagnostics.filter(
    ({ severity, code }) => severity === "error" && !PLATFORM_ONLY.test(code),
  );
  if (model === undefined || errors.length > 0)
    return report(args, output, { count: 0, changed: [], diagnostics: errors }, false);
  const plan = planFiles(root, early ?? generatedModules(model), {
    existingScaffold: "keep",
    generatedFolder: FOLDER,
  });
  const outcome = { count: plan.files.length, changed: plan.files.filter(isChange) };
  if (isCheck) {
    const found = [...plan.diagnostics, ...stale(plan)];
    return report(args, output, { ...outcome, diagnostics: found }, false);
  }
  const diagnosed = [...plan.diagnostics, ...writePlan(root, plan, WRITING)];
  const distinct = diagnosed.filter((found, index) => diagnosed.indexOf(found) === index);
  if (distinct.length === 0 && inputs !== undefined)
    noteGenerated(root, { folder: FOLDER, inputs, planned: plan.files });
  return report(args, output, { ...outcome, diagnostics: distinct }, !hasErrors(distinct));
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

interface Outcome {
  /** Of all planned files. */
  readonly count: number;
  readonly changed: readonly PlannedFile[];
  readonly diagnostics: readonly Diagnostic[];
}

function report(args: Arguments, output: Output, found: Outcome, written: boolean): number {
  const { changed, diagnostics } = found;
  const summary = summaryOf(diagnostics);
  const folder = path.resolve(projectOf(args).folder);
  if (args["json"] === true) {
    const files = changed.map(({ step, file }) => ({ step, path: file.path }));
    const result = { written, files, diagnostics: findingsJson(diagnostics, folder), summary };
    output.result(`${JSON.stringify(result, undefined, 2)}\n`);
  } else {
    if (diagnostics.length > 0) output.say(findingsText(diagnostics, false).trimEnd());
    if (written) for (const { step, file } of changed) output.say(`${step} ${file.path}`);
    output.say(`${outcomeText(found, written)} (${summaryText(summary)})`);
  }
  return hasErrors(diagnostics) ? 1 : 0;
}

function outcomeText({ count, changed, diagnostics }: Outcome, written: boolean): string {
  if (hasErrors(diagnostics)) return "nothing written";
  return changed.length === 0
    ? `${count} files up to date`
    : `${changed.length} of ${count} files ${written ? "written" : "stale"}`;
}
