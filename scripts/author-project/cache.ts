/** Keeps what loading a project gave, for as long as none of its files changes. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { packageVersion } from "../package-files.js";
import type { LoadedProject } from "./evaluate.js";

interface Entry {
  readonly tool: string;
  readonly entry: string;
  /** Path and content hash of each file that was loaded. */
  readonly inputs: readonly (readonly [file: string, hash: string])[];
  readonly project: LoadedProject;
}

/** What `entry` gave when its files were what they are now; undefined where that is not known. */
export function readCached(folder: string, entry: string): LoadedProject | undefined {
  try {
    const cached = JSON.parse(readFileSync(cacheFile(folder), "utf8")) as Entry;
    if (cached.tool !== packageVersion() || cached.entry !== entry) return undefined;
    return cached.inputs.every(([file, hash]) => hashOf(file) === hash) ? cached.project : undefined;
  } catch {
    return undefined;
  }
}

/** Notes what `inputs` gave when they were read after `startedAt`. A cache that can't be written is none. */
export function writeCached(
  folder: string,
  entry: string,
  inputs: readonly string[],
  startedAt: number,
  project: LoadedProject,
): void {
  if (!existsSync(path.join(folder, "node_modules"))) return;
  const file = cacheFile(folder);
  try {
    // A file that was saved meanwhile may not be the one that was loaded.
    if (inputs.some((input) => statSync(input).mtimeMs >= startedAt)) return;
    const hashes = inputs.map((input) => [input, hashOf(input)] as const);
    const content: Entry = { tool: packageVersion(), entry, inputs: hashes, project };
    mkdirSync(path.dirname(file), { recursive: true });
    const temporary = `${file}.${process.pid}`;
    writeFileSync(temporary, JSON.stringify(content), { mode: 0o600 });
    renameSync(temporary, file);
  } catch {
    // The next command loads the modules again.
  }
}

function cacheFile(folder: string): string {
  return path.join(folder, "node_modules", ".cache", "connectorcli", "model.json");
}

function hashOf(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("base64");
}
