/** Reads the input of an action: exactly what the file says, or a message. */
import path from "node:path";
import { createScanner } from "jsonc-parser";
import { readJson } from "../../schemas/formats/read-json.js";
import type { Shell } from "../command-line/shell.js";
import { readText } from "../system/read-text.js";
import { UsageError } from "./services.js";

/**
 * The JSON of a file, `-` for standard input.
 * @throws UsageError, which never shows what is in it.
 */
export function readInput(file: string, shell: Shell): { readonly json: unknown } {
  let text: string;
  try {
    text = file === "-" ? shell.input() : readText(path.resolve(shell.cwd, file));
  } catch (error) {
    throw new UsageError(`${file} can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  // The process that performs it takes no deeper values.
  const tooDeep = readJson(text, file).diagnostics.find(({ code }) => code === "json-too-deep");
  if (tooDeep !== undefined) throw new UsageError(`${file}:${tooDeep.line}: ${tooDeep.message}`);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new UsageError(`${file} is not JSON.`);
  }
  const inexact = inexactNumber(text);
  if (inexact === undefined) return { json };
  throw new UsageError(
    `${file}:${inexact.line}:${inexact.column}: this number can't be kept with all its digits. Write it as text if the action takes text.`,
  );
}

/** Where the first number of a JSON text stands that would be another one once it is read; undefined if there is none. */
function inexactNumber(text: string): { readonly line: number; readonly column: number } | undefined {
  const scanner = createScanner(text, true);
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const isNumber = /[-\d]/.test(text.charAt(scanner.getTokenOffset()));
    if (!isNumber || isExact(scanner.getTokenValue())) continue;
    return { line: scanner.getTokenStartLine() + 1, column: scanner.getTokenStartCharacter() + 1 };
  }
  return undefined;
}

/** Whether a number is the one that its text says. Fractions are rounded everywhere; only what is past all numbers is not. */
function isExact(text: string): boolean {
  const value = Number(text);
  return /^-?\d+$/.test(text) ? BigInt(text) === BigInt(value) : Number.isFinite(value);
}
