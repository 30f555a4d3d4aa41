/** Paths as reports name them: from the repository's root where there is one, with `/` on every system. */
import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** The folder that reviewers see paths from: that of the git repository around `folder`, or the current one. */
export function reportRoot(folder: string): string {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    // In a worktree or submodule it is a file.
    if (existsSync(path.join(at, ".git"))) return at;
    if (path.dirname(at) === at) return process.cwd();
  }
}

/** `file` from `root`; absolute where it lies elsewhere. */
export function shownPath(file: string, root: string): string {
  const relative = path.relative(root, path.resolve(file));
  if (relative === "") return ".";
  const isOutside = relative === ".." || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative);
  return (isOutside ? path.resolve(file) : relative).split(path.sep).join("/");
}

/** The same as a reference that SARIF takes. */
export function pathUri(file: string, root: string): string {
  const shown = shownPath(file, root);
  if (path.isAbsolute(shown)) return pathToFileURL(shown).href;
  return shown.split("/").map(encodeURIComponent).join("/");
}
