/** The run that all commands share that change an author's project: recover, load, plan, write, confirm. */
import path from "node:path";
import type { GeneratedFile } from "../../generators/generated-file.js";
import type { Scaffold, ScaffoldSource } from "../../generators/scaffolds/index.js";
import { SourceFiles } from "../../generators/source-edits/index.js";
import { type PlannedFile, planFiles } from "../../generators/writer/plan.js";
import { createRollback, recoverWrites, writePlan } from "../../generators/writer/transaction.js";
import { type Diagnostic, diagnostic, hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { loadProject, type ProjectOptions } from "../author-project/load-project.js";
import type { LoadedProject } from "../author-project/loaded-project.js";
import { readPackageText } from "../system/files.js";
import { WRITE_OPTIONS } from "../system/process-identity.js";
import { readTextIfExists } from "../system/read-text.js";

/** A project as it was when its change began. */
export interface OpenProject extends ScaffoldSource {
  /** Absolute. */
  readonly root: string;
  /** The project as it was loaded. */
  readonly loaded: LoadedProject;
  /** Loads the project as it is now. */
  readonly reload: () => Promise<LoadedProject>;
}

/** An open project, or why there is none. */
export type Opened =
  | {
      /** The project; undefined if it can't be loaded. */
      readonly project: OpenProject;
    }
  | {
      readonly project?: undefined;
      /** The errors that say why it can't be loaded. */
      readonly diagnostics: readonly Diagnostic[];
    };

/** Which project to open. */
export interface OpenOptions extends ProjectOptions {
  /** Whether nothing will be written: what a killed run left is then not recovered. @default false */
  readonly dryRun?: boolean;
}

/** Opens a project to change it: recovers what a killed run left, and loads the project. */
export async function openProject({ dryRun = false, ...options }: OpenOptions): Promise<Opened> {
  const root = path.resolve(options.folder);
  const left = dryRun ? [] : recoverWrites(root, WRITE_OPTIONS);
  if (hasErrors(left)) return { diagnostics: left };
  const reload = () => loadProject(options);
  const loaded = await reload();
  const { model } = loaded;
  if (model === undefined) return { diagnostics: errorsOf(loaded.diagnostics) };
  return { project: { root, model, loaded, reload, files: projectSources(root) } };
}

/** The files below `root`, read when they are asked for. */
export function projectSources(root: string): SourceFiles {
  return new SourceFiles((name) =>
    // Parsers overflow where a package.json is nested too deep.
    name === "package.json"
      ? readPackageText(root).text || undefined
      : readTextIfExists(path.resolve(root, name)),
  );
}

/** Why the project is not what was asked for after the change: the end of a sentence. Undefined if it is. */
export type Confirm = (after: ConnectorModel | undefined) => string | undefined;

/** How to change a project. */
export interface ChangeOptions {
  /** Whether the project is then what was asked for. */
  readonly confirm: Confirm;
  /** Whether to plan only, and write nothing. @default false */
  readonly dryRun?: boolean;
  /** Undoes the change if it is aborted before the change is confirmed. */
  readonly signal?: AbortSignal | undefined;
}

/** What a change wrote. */
export interface ChangeResult {
  /** What happened to each file, or would happen in a dry run. Empty if nothing was written, or all of it was undone. */
  readonly files: readonly PlannedFile[];
  /** With an error among them the project is what it was. Files are absolute. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A placeholder is an error until the author replaces it; the scaffold of a connection can't do without. */
const EXPECTED_ERRORS = new Set(["connection-address-placeholder"]);

/** Writes a scaffold, loads the project again, and undoes all of it if there are new errors or `confirm` has a reason. */
export async function changeProject(
  project: OpenProject,
  scaffold: Scaffold,
  { confirm, dryRun = false, signal }: ChangeOptions,
): Promise<ChangeResult> {
  const { root, loaded, reload } = project;
  const { files, diagnostics } = absolutePaths(root, scaffold);
  if (hasErrors(diagnostics)) return { files: [], diagnostics };
  if (files.length === 0) return { files: [], diagnostics };
  if (dryRun) return { files: planFiles(root, files, { existingScaffold: "keep" }).files, diagnostics };
  const result = await writeConfirmed(
    root,
    files,
    async () => {
      const after = await reload();
      const problems = newProblems(root, loaded, after);
      if (problems.length > 0) return problems;
      const reason = confirm(after.model);
      return reason === undefined ? [] : [unconfirmedFinding(root, reason)];
    },
    signal,
  );
  return { files: result.files, diagnostics: [...diagnostics, ...result.diagnostics] };
}

/** Writes `files` under `root`. If `findProblems` finds any, or `signal` is aborted, all of it is undone. */
export async function writeConfirmed(
  root: string,
  files: readonly GeneratedFile[],
  findProblems: () => Promise<readonly Diagnostic[]>,
  signal?: AbortSignal,
): Promise<ChangeResult> {
  const plan = planFiles(root, files, { existingScaffold: "keep" });
  const rollBack = createRollback(root, plan, WRITE_OPTIONS);
  const errors = writePlan(root, plan, WRITE_OPTIONS);
  if (hasErrors(errors)) return { files: [], diagnostics: errors };
  try {
    const problems = await findProblems();
    const isInterrupted = signal?.aborted === true;
    if (problems.length === 0 && !isInterrupted) return { files: plan.files, diagnostics: [] };
    const interrupted = isInterrupted ? [unconfirmedFinding(root, "the command was interrupted")] : [];
    return { files: [], diagnostics: [...interrupted, ...problems, ...rollBack()] };
  } catch (error) {
    rollBack();
    throw error;
  }
}

/** The errors of `after` that were not among those of `before`, under a finding that the change was undone. */
export function newProblems(
  root: string,
  before: Pick<LoadedProject, "diagnostics">,
  after: LoadedProject,
): readonly Diagnostic[] {
  const idOf = ({ code, pointer, message }: Diagnostic) => JSON.stringify([code, pointer, message]);
  const known = new Set(before.diagnostics.map(idOf));
  const errors = errorsOf(after.diagnostics).filter(
    (found) => !known.has(idOf(found)) && !EXPECTED_ERRORS.has(found.code),
  );
  const [first] = errors;
  return first === undefined ? [] : [unconfirmedFinding(root, first.message), ...errors];
}

/** The finding that a change was undone. @param reason The end of its sentence. */
export function unconfirmedFinding(root: string, reason: string): Diagnostic {
  return diagnostic("scaffold-unconfirmed", { file: root }, { reason: reason.replace(/\.$/, "") });
}

/** Scaffolds are planned with relative paths; findings name absolute ones. */
export function absolutePaths(root: string, { files, diagnostics }: Scaffold): Scaffold {
  const withAbsolutePath = (found: Diagnostic) =>
    found.file === undefined ? found : { ...found, file: path.resolve(root, found.file) };
  return { files, diagnostics: diagnostics.map(withAbsolutePath) };
}

function errorsOf(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === "error");
}
