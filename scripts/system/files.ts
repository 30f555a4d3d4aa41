/** Reads files of a project. What is no ordinary file, or too large, is refused before it is opened: it could never end. */
import { readFileSync, readSync, statSync } from "node:fs";
import path from "node:path";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { readJson } from "../../schemas/formats/read-json.js";

const BYTES_PER_MB = 1024 * 1024;
const MAX_CONNECTOR_JSON_MB = 64;
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

/** The finding that a file can't be read. */
export function unreadableFinding(file: string, error: unknown): Diagnostic {
  const reason = error instanceof Error ? error.message : String(error);
  return diagnostic("file-missing", { file }, { path: path.basename(file), reason });
}

/** A project's package.json: its text, which is empty if there is none or none that can be read. */
export interface PackageText {
  readonly file: string;
  readonly text: string;
  /** Why it can't be read; none if there is no such file. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the package.json of the project in `root`. What is nested too deep is refused: parsers overflow there. */
export function readPackageText(root: string): PackageText {
  const file = path.join(root, "package.json");
  try {
    const text = textAt(file) ?? "";
    const { diagnostics } = readJson(text, file, { allowComments: true });
    const tooDeep = diagnostics.filter(({ code }) => code === "json-too-deep");
    return { file, text: tooDeep.length > 0 ? "" : text, diagnostics: tooDeep };
  } catch (error) {
    return { file, text: "", diagnostics: [unreadableFinding(file, error)] };
  }
}

/** The text of a file that should be a connector.json, or a finding that says why it can't be read. */
export function readConnectorJsonText(file: string): string | Diagnostic {
  try {
    const size = statSync(file).size / BYTES_PER_MB;
    if (size > MAX_CONNECTOR_JSON_MB)
      return diagnostic("file-too-large", { file }, { size: Math.ceil(size), limit: MAX_CONNECTOR_JSON_MB });
    return readText(file, MAX_CONNECTOR_JSON_MB);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return diagnostic("file-missing", { file }, { path: file, reason });
  }
}
