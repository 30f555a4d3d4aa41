/** Where files of a project may lie, and what lies there. */
import { createHash } from "node:crypto";
import { lstatSync, readFileSync, realpathSync, type Stats } from "node:fs";
import path from "node:path";
import { errorCode } from "./file-system.js";

/** What is at a path. A file has the hash of its bytes, so that a later change shows. */
export type PathContent =
  | { readonly kind: "absent" }
  | { readonly kind: "file"; readonly text: string; readonly hash: string; readonly mode: number }
  | { readonly kind: "other"; readonly reason: string };

/** What is at `target`. Throws if the system does not let us look. */
export function contentAt(target: string): PathContent {
  const stats = statIfExists(target);
  if (stats === undefined) return { kind: "absent" };
  if (stats.isDirectory()) return { kind: "other", reason: "a folder has this name" };
  if (stats.isSymbolicLink()) return { kind: "other", reason: "a link that leads nowhere has this name" };
  // Reading a pipe would wait for ever.
  if (!stats.isFile()) return { kind: "other", reason: "a pipe, socket or device has this name" };
  const bytes = readFileSync(target);
  return { kind: "file", text: bytes.toString("utf8"), hash: hashOf(bytes), mode: stats.mode & 0o777 };
}

/** The hash of the file at `target`; null if nothing is there; a text that is no file's hash if it is not a file. */
export function hashAt(target: string): string | null {
  return hashIn(contentAt(target));
}

/** The hash of what is at a path, as {@link hashAt} gives it. */
export function hashIn(content: PathContent): string | null {
  if (content.kind === "absent") return null;
  return content.kind === "file" ? content.hash : content.reason;
}

/** Whether this may be what a loss of power left of a file: its name, and of its bytes none, or zeros. */
export function isBlank(content: PathContent): boolean {
  return content.kind === "file" && content.text.replaceAll("\0", "") === "";
}

export function hashOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("base64url");
}

/** Returns the real path of a folder, as far as it exists. */
export type RealFolder = (folder: string) => string;

/** A `RealFolder` for one look at a tree: it asks the system once for each folder. */
export function realFolderCache(): RealFolder {
  const known = new Map<string, string>();
  return (folder) => {
    const real = known.get(folder) ?? realPath(folder);
    known.set(folder, real);
    return real;
  };
}

/** The nearest existing path above `target` if it is not a folder. */
export function blockedParent(target: string, realFolder = realFolderCache()): string | undefined {
  for (let parent = path.dirname(target); ; parent = path.dirname(parent)) {
    const stats = statIfExists(realFolder(parent));
    if (stats !== undefined) return stats.isDirectory() ? undefined : parent;
    if (parent === path.dirname(parent)) return undefined;
  }
}

/** Whether `target` is outside of `root`, by its name or through a link. */
export function isOutside(root: string, target: string, realFolder = realFolderCache()): boolean {
  const base = path.resolve(root);
  return !isInside(base, target) || !isInside(realFolder(base), realFile(target, realFolder));
}

/** Whether `file` is below `folder` by its name. */
export function isInside(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== "" && relative.split(path.sep)[0] !== ".." && !path.isAbsolute(relative);
}

/** The file that is written for `target`: if it is a link, what it leads to, so that the link stays. */
export function linkTarget(root: string, target: string): string {
  if (statIfExists(target)?.isSymbolicLink() !== true) return target;
  return path.join(root, path.relative(realPath(root), realPath(target)));
}

/** The path of `file` from `root`, with `/` on every system. */
export function relativePath(root: string, file: string): string {
  return path.relative(root, file).split(path.sep).join("/");
}

/** The folders between `root` and `file` that do not exist, the outermost first. */
export function missingFolders(root: string, file: string): readonly string[] {
  const missing: string[] = [];
  for (let folder = path.dirname(file); isInside(root, folder); folder = path.dirname(folder)) {
    if (statIfExists(folder) !== undefined) break;
    missing.unshift(folder);
  }
  return missing;
}

/** What has this name, without following links; undefined if nothing has. */
export function statIfExists(file: string): Stats | undefined {
  try {
    return lstatSync(file);
  } catch (error) {
    // ENOTDIR: a file stands where a folder of the path should be. The caller meets it one step higher.
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error) ?? "")) return undefined;
    throw error;
  }
}

function realFile(file: string, realFolder: RealFolder): string {
  return isLink(file) ? realPath(file) : path.join(realFolder(path.dirname(file)), path.basename(file));
}

/** False if the system does not let us look; reading it reports the error. */
function isLink(file: string): boolean {
  try {
    return statIfExists(file)?.isSymbolicLink() === true;
  } catch {
    return false;
  }
}

/** The real path of the part of `file` that exists, with the rest behind it. */
function realPath(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    const parent = path.dirname(file);
    return parent === file ? file : path.join(realPath(parent), path.basename(file));
  }
}
