/** Writes the typed classes, validators, configurations and wiring of a project. */
import path from "node:path";
import { emitFiles, GEN_EMITTERS } from "../../generators/emitters/emitters.js";
import type { GeneratedFile } from "../../generators/generated-file.js";
import { GENERATED_FOLDER } from "../../generators/layout.js";
import { isChange, type Plan, planFiles, type Step } from "../../generators/writer/plan.js";
import { recoverWrites, unfinishedWrites, writePlan } from "../../generators/writer/transaction.js";
import { type Diagnostic, diagnostic, hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import { countUpToDate, noteGenerated } from "../author-project/cache.js";
import { type LoadOptions, ProjectLoader, type ProjectOptions } from "../author-project/load-project.js";
import type { LoadedProject } from "../author-project/loaded-project.js";
import { WRITE_OPTIONS } from "../system/process-identity.js";

/** Which project to generate for. */
export interface GenerateOptions extends ProjectOptions {
  /** `check` writes nothing, and has a finding for every file that is not up to date. @default "write" */
  readonly mode?: "write" | "check";
}

/** What was generated. */
export interface GenerateResult {
  /** Whether the files are now what the schema modules want; false in mode `check`. */
  readonly isWritten: boolean;
  /** How many files the project has under `generated/`. */
  readonly fileCount: number;
  /** Those that were written, or in mode `check` those that would be; paths from the project's folder, with `/`. */
  readonly changes: readonly { readonly step: Step; readonly path: string }[];
  /** Errors of the project, files that were edited by hand, and in mode `check` files that are not up to date. */
  readonly diagnostics: readonly Diagnostic[];
}

/** As for `generate`, and when to end. */
export interface WatchOptions extends GenerateOptions {
  /** Ends the watch. */
  readonly signal: AbortSignal;
  /** Called after every run. */
  readonly onGenerated: (result: GenerateResult) => void;
}

/** Errors that stop a submission, but leave what is generated as right as it can be. */
const PLATFORM_ONLY = /^(?:connection|registration)-/;

/** Generates what is not up to date. */
export async function generate(options: GenerateOptions): Promise<GenerateResult> {
  const loader = new ProjectLoader(options);
  try {
    return (await generateOnce(options, loader)).result;
  } finally {
    loader.close();
  }
}

/** Generates now and after every save of a module, until `signal` is aborted. */
export async function watchAndGenerate({ signal, onGenerated, ...options }: WatchOptions): Promise<void> {
  const { watchProject } = await import("../author-project/watch-project.js");
  const loader = new ProjectLoader(options);
  try {
    await watchProject(options.folder, {
      signal,
      run: async () => {
        onGenerated((await generateOnce(options, loader)).result);
        loader.prepare();
      },
    });
  } finally {
    loader.close();
  }
}

/** One run of many, and the project that it was of, if it had to be loaded. */
export interface GenerationRun {
  readonly result: GenerateResult;
  readonly project?: LoadedProject;
}

/** One run: load, plan, and write what is not as it should be. */
export async function generateOnce(
  { folder, mode = "write", located = "errors" }: GenerateOptions & Pick<LoadOptions, "located">,
  loader: ProjectLoader,
): Promise<GenerationRun> {
  const root = path.resolve(folder);
  const isCheck = mode === "check";
  const stoppedResult = (diagnostics: readonly Diagnostic[]) =>
    ({ isWritten: false, fileCount: 0, changes: [], diagnostics }) as const;
  const unrecovered = isCheck ? unfinishedWrites(root) : recoverWrites(root, WRITE_OPTIONS);
  if (hasErrors(unrecovered)) return { result: stoppedResult(unrecovered) };
  const count = countUpToDate(root, GENERATED_FOLDER);
  if (count !== undefined)
    return { result: { isWritten: !isCheck, fileCount: count, changes: [], diagnostics: [] } };
  let early: readonly GeneratedFile[] | undefined;
  const project = await loader.load({
    located,
    onBuilt: (built) => {
      try {
        early = emitFiles(built, GEN_EMITTERS);
      } catch {
        // What can't be generated has an error, which the checks are about to tell.
      }
    },
  });
  const { model, inputs, diagnostics } = project;
  const errors = diagnostics.filter(
    ({ severity, code }) => severity === "error" && !PLATFORM_ONLY.test(code),
  );
  if (model === undefined || errors.length > 0) return { project, result: stoppedResult(errors) };
  const plan = planFiles(root, early ?? emitFiles(model, GEN_EMITTERS), {
    existingScaffold: "keep",
    generatedFolder: GENERATED_FOLDER,
  });
  const changes = plan.files.filter(isChange).map(({ step, file }) => ({ step, path: file.path }));
  const counted = { fileCount: plan.files.length, changes };
  if (isCheck) {
    const stale = [...plan.diagnostics, ...staleFindings(plan)];
    return { project, result: { ...counted, isWritten: false, diagnostics: stale } };
  }
  const found = [...plan.diagnostics, ...writePlan(root, plan, WRITE_OPTIONS)];
  const distinct = found.filter((finding, index) => found.indexOf(finding) === index);
  if (distinct.length === 0 && inputs !== undefined)
    noteGenerated(root, { folder: GENERATED_FOLDER, inputs, planned: plan.files });
  return { project, result: { ...counted, isWritten: !hasErrors(distinct), diagnostics: distinct } };
}

/** A finding for every file that is not what the schema modules give. */
function staleFindings(plan: Plan): readonly Diagnostic[] {
  const words = { create: "missing", update: "stale", remove: "left over: its source has gone" };
  return plan.files.flatMap(({ step, file, target }) =>
    step === "create" || step === "update" || step === "remove"
      ? [
          diagnostic(
            "file-stale",
            { file: target },
            { path: file.path, state: words[step], command: "npx connectorcli gen" },
          ),
        ]
      : [],
  );
}
