/** Files that save work and may go at any time: under `node_modules/.cache` of the author's project. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Path and content hash of each file. */
export type FileHashes = readonly (readonly [file: string, hash: string])[];

/** The text of the cache file `name`. @throws Error where there is none. */
export function readCacheFile(folder: string, name: string): string {
  return readFileSync(cacheFile(folder, name), "utf8");
}

/** Writes the cache file `name`, whole or not at all. One that can't be written is none. */
export function writeCacheFile(folder: string, name: string, content: string): void {
  if (!existsSync(path.join(folder, "node_modules"))) return;
  const file = cacheFile(folder, name);
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    const temporary = `${file}.${process.pid}`;
    writeFileSync(temporary, content, { mode: 0o600 });
    renameSync(temporary, file);
  } catch {
    // The next command does the work again.
  }
}

/** Whether every file is what it was. @throws Error where one has gone. */
export function areUnchanged(files: FileHashes): boolean {
  return files.every(([file, hash]) => hashOf(readFileSync(file)) === hash);
}

/** The hashes of `files`; undefined where one of them may have been saved since `time`. */
export function hashesBefore(time: number, files: readonly string[]): FileHashes | undefined {
  try {
    const hashes = files.map((file) => [file, hashOf(readFileSync(file))] as const);
    return files.some((file) => statSync(file).mtimeMs >= time) ? undefined : hashes;
  } catch {
    return undefined;
  }
}

export function hashOf(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("base64");
}

function cacheFile(folder: string, name: string): string {
  return path.join(folder, "node_modules", ".cache", "connectorcli", name);
}
