/** What git knows of the test settings: they hold secrets, and must not become part of a history. */
import { spawnSync } from "node:child_process";

/** Whether git tracks `name` in `folder`. Without git, or outside a repository, nothing is tracked. */
export function isTracked(folder: string, name: string): boolean {
  return git(folder, "ls-files", "--error-unmatch", "--", name) === 0;
}

/** Whether git ignores `name`; undefined where git or a repository is missing. */
export function isIgnored(folder: string, name: string): boolean | undefined {
  const status = git(folder, "check-ignore", "--quiet", "--no-index", "--", name);
  return status === 0 || status === 1 ? status === 0 : undefined;
}

/** The exit status; null where git can't be run. */
function git(folder: string, ...args: readonly string[]): number | null {
  return spawnSync("git", args, { cwd: folder, stdio: "ignore", windowsHide: true }).status;
}
