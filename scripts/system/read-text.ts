/** Reads texts. What is no ordinary file, or too large, is refused before it is opened: it could never end. */
import { readFileSync, readSync, statSync } from "node:fs";

export const BYTES_PER_MB = 1024 * 1024;
/** Settings, modules and inputs are far smaller. */
const MAX_TEXT_MB = 16;

/**
 * The text of a file.
 * @throws Error that says why it can't be read: the system's, or that it is no ordinary file, or too large.
 */
export function readText(file: string, limitMb: number = MAX_TEXT_MB): string {
  const stats = statSync(file);
  if (stats.isDirectory()) throw new Error("it is a folder");
  if (!stats.isFile()) throw new Error("it is a pipe, a socket or a device, and no file");
  if (stats.size > limitMb * BYTES_PER_MB) throw tooLarge(limitMb);
  return readFileSync(file, "utf8");
}

/** The text of an open stream, such as standard input, to its end. @throws Error if it is too large. */
export function readStreamText(descriptor: number, limitMb: number = MAX_TEXT_MB): string {
  const chunks: Buffer[] = [];
  for (let total = 0; ; ) {
    const chunk = Buffer.alloc(64 * 1024);
    const length = readSync(descriptor, chunk);
    if (length === 0) return Buffer.concat(chunks).toString("utf8");
    chunks.push(chunk.subarray(0, length));
    total += length;
    if (total > limitMb * BYTES_PER_MB) throw tooLarge(limitMb);
  }
}

function tooLarge(limitMb: number): Error {
  return new Error(`it has more than ${limitMb} MB, which is the most that is read`);
}

/** The text of the file, or undefined if there is none that can be read. */
export function readTextIfExists(file: string): string | undefined {
  try {
    return readText(file);
  } catch {
    return undefined;
  }
}

/** The text of a file; undefined if there is none. @throws Error that says why it can't be read. */
export function textAt(file: string): string | undefined {
  try {
    return readText(file);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
