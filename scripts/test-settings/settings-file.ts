/** `test-settings.json` on the disk: read as it is, written whole, readable by its owner only. */
import { chmodSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { GeneratedFile } from "../../generators/generated-file.js";
import { SETTINGS_FILE } from "../../generators/test-settings/merge-settings.js";
import { planFiles } from "../../generators/writer/plan.js";
import { writePlan } from "../../generators/writer/write-files.js";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { WRITING } from "../this-process.js";
import { isIgnored, isTracked } from "./git-state.js";

const OWNER_ONLY = 0o600;

/** The settings of the project in `root`. */
export function settingsPath(root: string): string {
  return path.join(root, SETTINGS_FILE);
}

/** The text of a file; undefined where there is none. @throws Error where it can't be read. */
export function textAt(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** What reading a file that is there ended with. */
export function unreadable(file: string, error: unknown): Diagnostic {
  const reason = error instanceof Error ? error.message : String(error);
  return diagnostic("file-missing", { file }, { path: path.basename(file), reason });
}

/** The finding that git would make the secrets of `root` public, or none. */
export function trackedFinding(root: string): readonly Diagnostic[] {
  if (!isTracked(root, SETTINGS_FILE)) return [];
  return [diagnostic("settings-tracked", { file: settingsPath(root) }, { file: SETTINGS_FILE })];
}

/** Writes `content`, which was made from the text `read`, and has git ignore it. Findings say why not. */
export function writeSettings(
  root: string,
  content: string,
  read: string | undefined,
): readonly Diagnostic[] {
  const tracked = trackedFinding(root);
  if (tracked.length > 0) return tracked;
  const settings = { path: SETTINGS_FILE, content, ownership: "filled" } as const;
  const files = [...ignoreFile(root), read === undefined ? settings : { ...settings, read }];
  const plan = planFiles(root, files, { existingScaffold: "keep" });
  const problems = writePlan(root, plan, WRITING);
  if (problems.length === 0) tighten(settingsPath(root));
  return problems;
}

/** A file that was there already may be open to others. */
function tighten(file: string): void {
  if (process.platform !== "win32" && (statSync(file).mode & 0o777) !== OWNER_ONLY)
    chmodSync(file, OWNER_ONLY);
}

/** `.gitignore` with the line that it lacks; nothing where the settings are ignored already. */
function ignoreFile(root: string): readonly GeneratedFile[] {
  const read = textAt(path.join(root, ".gitignore"));
  const isListed = (read ?? "")
    .split(/\r?\n/)
    .some((line) => /^(?:\*\*)?\/?test-settings\.json$/.test(line.trim()));
  if (isIgnored(root, SETTINGS_FILE) ?? isListed) return [];
  const line = { path: ".gitignore", ownership: "scaffold" } as const;
  if (read === undefined) return [{ ...line, content: `${SETTINGS_FILE}\n` }];
  const eol = read.includes("\r\n") ? "\r\n" : "\n";
  const separator = read === "" || read.endsWith("\n") ? "" : eol;
  return [
    { path: ".gitignore", ownership: "edited", read, content: `${read}${separator}${SETTINGS_FILE}${eol}` },
  ];
}
