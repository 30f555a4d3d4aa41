/** Asks git for a file as it was. */
import { spawnSync } from "node:child_process";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";

const LARGEST_BYTES = 64 * 1024 * 1024;

/** The text of `file` (relative to `folder`) at `reference`; null where the file is not in it. */
export function showAt(reference: string, folder: string, file: string): string | null | Diagnostic {
  const place = { file: folder };
  const inside = git(folder, ["rev-parse", "--is-inside-work-tree"]);
  if (inside.error !== undefined) {
    return diagnostic("against-no-git", place, { reference, reason: inside.error.message });
  }
  if (inside.status !== 0) return diagnostic("against-no-repository", place, { reference });
  const known = git(folder, [
    "rev-parse",
    "--verify",
    "--quiet",
    "--end-of-options",
    `${reference}^{commit}`,
  ]);
  if (known.status !== 0) return diagnostic("against-unknown", place, { reference });
  const commit = known.stdout.trim();
  const path = `${commit}:./${file}`;
  if (git(folder, ["cat-file", "-e", path]).status !== 0) return null;
  const shown = git(folder, ["show", path]);
  if (shown.status === 0) return shown.stdout;
  const reason = shown.error?.message ?? shown.stderr.trim();
  return diagnostic("file-missing", place, { path: `${reference}:${file}`, reason });
}

function git(folder: string, args: readonly string[]) {
  return spawnSync("git", args, {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: LARGEST_BYTES,
    windowsHide: true,
  });
}
