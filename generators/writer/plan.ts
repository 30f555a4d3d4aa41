/** What writing files would do, decided before anything is touched. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { type GeneratedFile, headerState } from "../generated-file.js";
import { changedMeanwhile, errorCode, errorReason, notWritable } from "./file-system.js";
import {
  blockedParent,
  contentAt,
  hashOf,
  isBlank,
  isOutside,
  linkTarget,
  type PathContent,
  type RealFolder,
  realFolderCache,
  relativePath,
  statIfExists,
} from "./paths.js";

/**
 * What happens to a file. `create`, `update` and `remove` change the tree. `unchanged`: the file has this text already.
 * `keep`: an author's file is there and stays as it is.
 */
export type Step = "create" | "update" | "remove" | "unchanged" | "keep";

/** A file of a plan. */
export interface PlannedFile {
  /** What happens to it. */
  readonly step: Step;
  /** The file as it is meant to be; of a removed file, as it was. */
  readonly file: GeneratedFile;
  /** Absolute path of the file that is written; if a link has the name, what it leads to. */
  readonly target: string;
  /** What was there when the plan was made. The writer stops if something else is there by then. */
  readonly present?: { readonly hash: string; readonly mode: number };
}

/** What writing would do to a folder. */
export interface Plan {
  readonly files: readonly PlannedFile[];
  /** An error is a conflict: nothing is written. A warning names a file that is left alone. */
  readonly diagnostics: readonly Diagnostic[];
  readonly options: PlanOptions;
}

/** How files of a folder are planned. */
export interface PlanOptions {
  /** What a scaffold is that exists already: the author's file (`keep`), or an error, as for a new project (`conflict`). */
  readonly existingScaffold: "keep" | "conflict";
  /** A folder of which the tool owns every file: generated files in it that are not in the list are removed. */
  readonly generatedFolder?: string;
}

type Decision = PlannedFile | Diagnostic;
type PresentFile = PathContent & { readonly kind: "file" };

interface DecisionContext {
  readonly options: PlanOptions;
  readonly realFolder: RealFolder;
}

/** Plans `files` for the folder `root`, which need not exist. Nothing is written. */
export function planFiles(root: string, files: readonly GeneratedFile[], options: PlanOptions): Plan {
  const base = path.resolve(root);
  const names = new Set<string>();
  const context = { options, realFolder: realFolderCache() };
  const decisions = files.map((file): Decision => {
    const target = path.resolve(base, file.path);
    // Names that differ in case only are one file on many systems.
    const name = file.path.toLowerCase();
    if (names.has(name)) return notWritable(target, file.path, "two files have this name");
    names.add(name);
    if (isOutside(base, target, context.realFolder))
      return diagnostic("file-outside", { file: target }, { path: file.path });
    try {
      return decide(file, linkTarget(base, target), context);
    } catch (error) {
      return notWritable(target, file.path, error);
    }
  });
  const { generatedFolder } = options;
  if (generatedFolder !== undefined) decisions.push(...orphanDecisions(base, generatedFolder, files));
  return {
    files: decisions.filter(isPlanned),
    diagnostics: decisions.filter((decision): decision is Diagnostic => !isPlanned(decision)),
    options,
  };
}

/** The plan for the same files, made from the tree as it is now. */
export function planAgain(root: string, { files, options }: Plan): Plan {
  const wanted = files.filter(({ step }) => step !== "remove").map(({ file }) => file);
  return planFiles(root, wanted, options);
}

/** Whether writing the plan changes this file. */
export function isChange({ step }: PlannedFile): boolean {
  return step === "create" || step === "update" || step === "remove";
}

function isPlanned(decision: Decision): decision is PlannedFile {
  return "step" in decision;
}

function decide(file: GeneratedFile, target: string, { options, realFolder }: DecisionContext): Decision {
  const blocked = blockedParent(target, realFolder);
  if (blocked !== undefined)
    return notWritable(target, file.path, `"${path.basename(blocked)}" is not a folder`);
  const present = contentFor(file, target, options);
  if (present.kind === "other") return notWritable(target, file.path, present.reason);
  const conflict = conflictWith(present, file, target, options);
  if (conflict !== undefined) return conflict;
  if (present.kind === "absent") return { step: "create", file, target };
  const { hash, mode } = present;
  return { step: stepFor(present, file), file, target, present: { hash, mode } };
}

/** What is at `target`. A scaffold that may not be read counts as an author's file. */
function contentFor(file: GeneratedFile, target: string, { existingScaffold }: PlanOptions): PathContent {
  try {
    return contentAt(target);
  } catch (error) {
    const isAuthors = file.ownership === "scaffold" && existingScaffold === "keep";
    if (!isAuthors || !["EACCES", "EPERM"].includes(errorCode(error) ?? "")) throw error;
    return { kind: "file", text: "", hash: "", mode: 0 };
  }
}

function stepFor(present: PresentFile, file: GeneratedFile): Step {
  if (isSame(present, file)) return "unchanged";
  return file.ownership === "scaffold" ? "keep" : "update";
}

/** Line endings count in what an author writes only; git may have changed those of the tool's files. */
function isSame({ text, hash }: PresentFile, { ownership, content }: GeneratedFile): boolean {
  if (ownership === "edited") return hash === hashOf(content);
  return text === content || text.replace(/\r\n/g, "\n") === content.replace(/\r\n/g, "\n");
}

function conflictWith(
  present: PresentFile | { readonly kind: "absent" },
  file: GeneratedFile,
  target: string,
  options: PlanOptions,
): Diagnostic | undefined {
  if (present.kind === "file" && isSame(present, file)) return undefined;
  const { path: name, ownership, content } = file;
  if (ownership === "edited" || ownership === "filled") {
    const hash = present.kind === "file" ? present.hash : undefined;
    if (file.read !== undefined && hash !== hashOf(file.read)) return changedMeanwhile(target, name);
  }
  if (present.kind === "absent") return undefined;
  if (ownership === "scaffold") {
    if (options.existingScaffold === "keep") return undefined;
    return diagnostic("file-exists", { file: target }, { path: name });
  }
  // A file without a header, such as connector.json, has nothing that shows an edit.
  const hasHeader = ownership === "generated" && headerState(content) === "ours";
  if (hasHeader && !isBlank(present) && headerState(present.text) !== "ours")
    return diagnostic("file-edited", { file: target }, { path: name });
  // A rename replaces a read-only file, but its owner does not want that.
  return (present.mode & 0o222) === 0 ? notWritable(target, name, "it is read-only") : undefined;
}

/** Generated files in `folder` that nothing generates any more are removed; a warning names every other file there. */
function orphanDecisions(
  base: string,
  folder: string,
  generated: readonly GeneratedFile[],
): readonly Decision[] {
  try {
    return orphanedFiles(base, folder, generated).map((target) =>
      decideOrphan(target, relativePath(base, target)),
    );
  } catch (error) {
    return [notWritable(path.resolve(base, folder), folder, error)];
  }
}

/** The files in `folder` that are not in `generated`. */
function orphanedFiles(base: string, folder: string, generated: readonly GeneratedFile[]): readonly string[] {
  const names = new Map(generated.map(({ path: name }) => [name.toLowerCase(), name]));
  return filesBelow(path.resolve(base, folder)).filter((target) => {
    const name = relativePath(base, target);
    const same = names.get(name.toLowerCase());
    return same !== name && (same === undefined || !isOneFile(target, path.resolve(base, same)));
  });
}

function decideOrphan(target: string, name: string): Decision {
  const leave = (problem: string) => diagnostic("file-foreign", { file: target }, { path: name, problem });
  try {
    if (statIfExists(target)?.isSymbolicLink() === true) return leave("it is a link");
    const present = contentAt(target);
    if (present.kind === "absent") return leave("it went while it was looked at");
    if (present.kind === "other") return leave(present.reason);
    const state = headerState(present.text);
    if (state === "foreign") return leave("it was not generated");
    if (state === "edited") return leave("its source has gone, but it was edited by hand");
    if ((present.mode & 0o222) === 0) return notWritable(target, name, "it is read-only");
    const { hash, mode } = present;
    const file = { path: name, content: "", ownership: "generated" } as const;
    return { step: "remove", file, target, present: { hash, mode } };
  } catch (error) {
    return leave(errorReason(error));
  }
}

/** Files below `folder`, in one order on every system, without those that systems and tools hide. */
function filesBelow(folder: string): readonly string[] {
  if (statIfExists(folder)?.isDirectory() !== true) return [];
  const entries = readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith("."))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const file = path.join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(file) : [file];
  });
}

/** On a system that ignores case, the old name and the new one are the same file. */
function isOneFile(first: string, second: string): boolean {
  const [a, b] = [statIfExists(first), statIfExists(second)];
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;
}
