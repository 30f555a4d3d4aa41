/** What writing files would do, decided before anything is touched. */
import { lstatSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { GeneratedFile } from "../generated-file.js";
import { headerState, sameText } from "./header.js";

/** `create`, `update` and `remove` change something; `unchanged` and `keep` do not. */
export type Step = "create" | "update" | "remove" | "unchanged" | "keep";

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
  /** The folder whose generated files are removed when nothing generates them any more. */
  readonly generatedFolder?: string;
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
  const { generatedFolder } = options;
  if (generatedFolder === undefined) return { files: planned, diagnostics };
  const left = leftIn(
    path.resolve(root, generatedFolder),
    new Set(files.map((file) => path.resolve(root, file.path))),
  );
  return { files: [...planned, ...left.map((target) => removal(root, target))], diagnostics };
}

/** Generated files below `folder` that are not among `wanted`; what is not ours, or was edited, is none of them. */
function leftIn(folder: string, wanted: ReadonlySet<string>): readonly string[] {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !wanted.has(file) && headerState(contentOf(file) ?? "") === "ours")
    .sort();
}

function removal(root: string, target: string): PlannedFile {
  const file = {
    path: path.relative(root, target).split(path.sep).join("/"),
    content: "",
    ownership: "generated",
  } as const;
  return { step: "remove", file, target };
}

function stepFor(target: string, file: GeneratedFile): Step {
  const present = contentOf(target);
  if (present === undefined) return "create";
  if (sameText(present, file.content)) return "unchanged";
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
  const present = stats === undefined ? undefined : contentOf(target);
  const differs = stats !== undefined && !sameText(present ?? "", file.content);
  // A file that has no header, such as connector.json, has nothing to tell an edit by.
  if (differs && headerState(file.content) === "ours" && headerState(present ?? "") !== "ours") {
    return diagnostic("file-edited", { file: target }, { path: file.path });
  }
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
export function leadsOutside(root: string, target: string): boolean {
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
