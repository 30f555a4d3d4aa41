/** Where files of a project may lie, and what lies there. */
import { createHash } from "node:crypto";
import { lstatSync, readFileSync, realpathSync, type Stats } from "node:fs";
import path from "node:path";
import { codeOf } from "./failure.js";

/** What is at a path; a file with its bytes' hash, so that a later change of it can be seen. */
export type Present =
  | { readonly kind: "absent" }
  | { readonly kind: "file"; readonly text: string; readonly hash: string; readonly mode: number }
  | { readonly kind: "other"; readonly reason: string };

/** Throws where the system does not let us look. */
export function presentAt(target: string): Present {
  const stats = lookAt(target);
  if (stats === undefined) return { kind: "absent" };
  if (stats.isDirectory()) return { kind: "other", reason: "a folder has this name" };
  if (stats.isSymbolicLink()) return { kind: "other", reason: "a link that leads nowhere has this name" };
  // Reading a pipe would wait for ever.
  if (!stats.isFile()) return { kind: "other", reason: "a pipe, socket or device has this name" };
  const bytes = readFileSync(target);
  return { kind: "file", text: bytes.toString("utf8"), hash: hashOf(bytes), mode: stats.mode & 0o777 };
}

/** The hash of what is at a path; null where nothing is, and what no file has where it is no file. */
export function hashAt(target: string): string | null {
  const present = presentAt(target);
  if (present.kind === "absent") return null;
  return present.kind === "file" ? present.hash : present.reason;
}

export function hashOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("base64url");
}

/** The real path of a folder, as far as it exists. */
export type FolderFinder = (folder: string) => string;

/** Finds folders for one look at a tree: what it has found it does not ask for again. */
export function folderFinder(): FolderFinder {
  const found = new Map<string, string>();
  return (folder) => {
    const real = found.get(folder) ?? realPath(folder);
    found.set(folder, real);
    return real;
  };
}

/** The nearest existing path above `target`, where it is no folder. */
export function blockedParent(target: string, realFolder = folderFinder()): string | undefined {
  for (let parent = path.dirname(target); ; parent = path.dirname(parent)) {
    const stats = lookAt(realFolder(parent));
    if (stats !== undefined) return stats.isDirectory() ? undefined : parent;
    if (parent === path.dirname(parent)) return undefined;
  }
}

/** Whether `target` is not in `root`, by its name or through a link. */
export function leadsOutside(root: string, target: string, realFolder = folderFinder()): boolean {
  const base = path.resolve(root);
  return !isInside(base, target) || !isInside(realFolder(base), realFile(target, realFolder));
}

export function isInside(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== "" && relative.split(path.sep)[0] !== ".." && !path.isAbsolute(relative);
}

/** The file that is meant where `target` is a link: the link stays. */
export function throughLink(root: string, target: string): string {
  if (lookAt(target)?.isSymbolicLink() !== true) return target;
  return path.join(root, path.relative(realPath(root), realPath(target)));
}

/** `file` seen from `root`, with `/` on every system. */
export function nameIn(root: string, file: string): string {
  return path.relative(root, file).split(path.sep).join("/");
}

/** The folders that are absent on the way from `root` to `file`, the outermost first. */
export function absentFolders(root: string, file: string): readonly string[] {
  const absent: string[] = [];
  for (let folder = path.dirname(file); isInside(root, folder); folder = path.dirname(folder)) {
    if (lookAt(folder) !== undefined) break;
    absent.unshift(folder);
  }
  return absent;
}

/** What has this name, be it a link; undefined where nothing has. */
export function lookAt(file: string): Stats | undefined {
  return unlessAbsent(() => lstatSync(file));
}

function realFile(file: string, realFolder: FolderFinder): string {
  return isLink(file) ? realPath(file) : path.join(realFolder(path.dirname(file)), path.basename(file));
}

/** What can't be looked at is met where it is read. */
function isLink(file: string): boolean {
  try {
    return lookAt(file)?.isSymbolicLink() === true;
  } catch {
    return false;
  }
}

/** The real path of what exists of `file`, with the rest behind it. */
function realPath(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    const parent = path.dirname(file);
    return parent === file ? file : path.join(realPath(parent), path.basename(file));
  }
}

/** A file in the middle of a path is as good as an absent one here; it is met one step higher. */
function unlessAbsent<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "")) return undefined;
    throw error;
  }
}
