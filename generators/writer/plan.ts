/** What writing files would do, decided before anything is touched. */
import { lstatSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { GeneratedFile } from "../generated-file.js";

/** `create` and `update` write; `unchanged` and `keep` do not. */
export type Step = "create" | "update" | "unchanged" | "keep";

export interface PlannedFile {
  readonly step: Step;
  readonly file: GeneratedFile;
  /** Absolute. */
  readonly target: string;
}

export interface Plan {
  readonly files: readonly PlannedFile[];
  /** Conflicts: with one of them nothing is written. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface PlanOptions {
  /** Whether a scaffold that is there already is the author's (`keep`), or a conflict, as for a new project. */
  readonly existingScaffold: "keep" | "conflict";
}

/** Plans `files` under the folder `root`, which need not exist yet. */
export function planFiles(root: string, files: readonly GeneratedFile[], options: PlanOptions): Plan {
  const planned: PlannedFile[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const file of files) {
    const target = path.resolve(root, file.path);
    const conflict = leadsOutside(root, target)
      ? diagnostic("file-outside", { file: target }, { path: file.path })
      : conflictAt(target, file, options);
    if (conflict !== undefined) diagnostics.push(conflict);
    else planned.push({ step: stepFor(target, file), file, target });
  }
  return { files: planned, diagnostics };
}

function stepFor(target: string, file: GeneratedFile): Step {
  const present = contentOf(target);
  if (present === undefined) return "create";
  if (present === file.content) return "unchanged";
  return file.ownership === "scaffold" ? "keep" : "update";
}

function conflictAt(
  target: string,
  file: GeneratedFile,
  { existingScaffold }: PlanOptions,
): Diagnostic | undefined {
  const parent = blockedParent(target);
  if (parent !== undefined) {
    return diagnostic(
      "file-not-writable",
      { file: target },
      { path: file.path, reason: `"${parent}" is not a folder` },
    );
  }
  const stats = lstatSync(target, { throwIfNoEntry: false });
  if (stats?.isDirectory()) {
    return diagnostic(
      "file-not-writable",
      { file: target },
      { path: file.path, reason: "a folder has this name" },
    );
  }
  const differs = stats !== undefined && contentOf(target) !== file.content;
  if (differs && file.ownership === "scaffold" && existingScaffold === "conflict") {
    return diagnostic("file-exists", { file: target }, { path: file.path });
  }
  return undefined;
}

/** The nearest existing path above `target`, where it is no folder. */
function blockedParent(target: string): string | undefined {
  for (let parent = path.dirname(target); ; parent = path.dirname(parent)) {
    const stats = statThrough(parent);
    if (stats !== undefined) return stats.isDirectory() ? undefined : parent;
    if (parent === path.dirname(parent)) return undefined;
  }
}

function statThrough(file: string) {
  try {
    return lstatSync(realpathSync(file));
  } catch {
    // A file in the middle of a path is as good as an absent one here; it is met one step higher.
    return undefined;
  }
}

/** Whether `target` is not in `root`, by its name or through a link. */
function leadsOutside(root: string, target: string): boolean {
  const base = path.resolve(root);
  return !isInside(base, target) || !isInside(realPath(base), realPath(target));
}

function isInside(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== "" && !relative.startsWith("..") && !path.isAbsolute(relative);
}

/** The real path of what exists of `file`, with the rest behind it. */
function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    const parent = path.dirname(file);
    return parent === file ? file : path.join(realPath(parent), path.basename(file));
  }
}

function contentOf(target: string): string | undefined {
  try {
    return readFileSync(target, "utf8");
  } catch {
    return undefined;
  }
}
