/** `test-settings.json` on the disk: readable by its owner only, and ignored by git, as it holds secrets. */
import { spawnSync } from "node:child_process";
import { chmodSync, statSync } from "node:fs";
import path from "node:path";
import type { GeneratedFile } from "../../generators/generated-file.js";
import { TEST_SETTINGS_FILE } from "../../generators/layout.js";
import { planFiles } from "../../generators/writer/plan.js";
import { writePlan } from "../../generators/writer/transaction.js";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { WRITE_OPTIONS } from "../system/process-identity.js";
import { textAt } from "../system/read-text.js";

const OWNER_ONLY = 0o600;

/** The settings of the project in `root`. */
export function settingsPath(root: string): string {
  return path.join(root, TEST_SETTINGS_FILE);
}

/** The finding that git would make the secrets of `root` public, or none. */
export function trackedFinding(root: string): readonly Diagnostic[] {
  if (!isTracked(root, TEST_SETTINGS_FILE)) return [];
  return [diagnostic("settings-tracked", { file: settingsPath(root) }, { file: TEST_SETTINGS_FILE })];
}

/** Writes `content`, which was made from the text `read`, and has git ignore it. Findings say why not. */
export function writeSettings(
  root: string,
  content: string,
  read: string | undefined,
): readonly Diagnostic[] {
  const tracked = trackedFinding(root);
  if (tracked.length > 0) return tracked;
  const settings = { path: TEST_SETTINGS_FILE, content, ownership: "filled" } as const;
  const files = [...ignoreFile(root), read === undefined ? settings : { ...settings, read }];
  const plan = planFiles(root, files, { existingScaffold: "keep" });
  const problems = writePlan(root, plan, WRITE_OPTIONS);
  if (problems.length === 0) restrictToOwner(settingsPath(root));
  return problems;
}

/** A file that was there already may be open to others. */
function restrictToOwner(file: string): void {
  if (process.platform !== "win32" && (statSync(file).mode & 0o777) !== OWNER_ONLY)
    chmodSync(file, OWNER_ONLY);
}

/** `.gitignore` with the line that it lacks; empty if the settings are ignored already. */
function ignoreFile(root: string): readonly GeneratedFile[] {
  const read = textAt(path.join(root, ".gitignore"));
  const isListed = (read ?? "")
    .split(/\r?\n/)
    .some((line) => /^(?:\*\*)?\/?test-settings\.json$/.test(line.trim()));
  if (isIgnored(root, TEST_SETTINGS_FILE) ?? isListed) return [];
  const line = { path: ".gitignore", ownership: "scaffold" } as const;
  if (read === undefined) return [{ ...line, content: `${TEST_SETTINGS_FILE}\n` }];
  const eol = read.includes("\r\n") ? "\r\n" : "\n";
  const separator = read === "" || read.endsWith("\n") ? "" : eol;
  return [
    {
      path: ".gitignore",
      ownership: "edited",
      read,
      content: `${read}${separator}${TEST_SETTINGS_FILE}${eol}`,
    },
  ];
}

/** Whether git tracks `name` in `folder`. Without git, or outside a repository, nothing is tracked. */
export function isTracked(folder: string, name: string): boolean {
  return git(folder, "ls-files", "--error-unmatch", "--", name) === 0;
}

/** Whether git ignores `name`; undefined if git or a repository is missing. */
export function isIgnored(folder: string, name: string): boolean | undefined {
  const status = git(folder, "check-ignore", "--quiet", "--no-index", "--", name);
  return status === 0 || status === 1 ? status === 0 : undefined;
}

/** The exit status; null if git can't be run. */
function git(folder: string, ...args: readonly string[]): number | null {
  return spawnSync("git", args, { cwd: folder, stdio: "ignore", windowsHide: true }).status;
}
