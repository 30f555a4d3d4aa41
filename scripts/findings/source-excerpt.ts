/** Shows the lines of a file around a finding. Secrets are masked: reports are kept, and read by many. */
import { statSync } from "node:fs";
import { parse } from "@babel/parser";
import stringWidth from "string-width";
import { redactCredentials } from "../../schemas/naming/credential-texts.js";
import { readText } from "../system/read-text.js";
import type { ReportedFinding } from "./reported.js";

/** What stands in place of each character that is not shown. */
const HIDDEN = "\u2022";

/** Findings that speak of a secret in the code: nothing that its author wrote as text is shown. */
const SECRET_CODES: ReadonlySet<string> = new Set([
  "connection-address-credentials",
  "connection-address-placeholder",
  "connection-address-invalid",
  "code-credential",
]);

/** Whether only code may be shown of the lines around a finding with this code. */
function speaksOfSecret(code: string): boolean {
  return SECRET_CODES.has(code);
}

/** `text` with every literal and comment masked; undefined if its syntax can't be read. */
function maskTexts(text: string): string | undefined {
  const options = { sourceType: "module", plugins: ["typescript", "decorators"], tokens: true } as const;
  try {
    const { tokens, comments } = parse(text, { ...options, plugins: [...options.plugins] });
    const texts = (tokens ?? []).filter(({ type }) => ["string", "template", "regexp"].includes(type.label));
    return [...texts, ...(comments ?? [])].reduce(
      (masked, { start, end }) => masked.slice(0, start) + mask(masked.slice(start, end)) + masked.slice(end),
      text,
    );
  } catch {
    return undefined;
  }
}

function mask(text: string): string {
  return text.replace(/[^\r\n\u2028\u2029]/g, HIDDEN);
}

/** Files larger than this are not read for an excerpt. */
const MAX_FILE_BYTES = 4_000_000;
/** Columns of a line that are shown. */
const MAX_COLUMNS = 100;
/** Columns that are shown before the caret of a line that is cut. */
const COLUMNS_BEFORE_CARET = 60;
const TAB = "    ";

/** Returns a function for the excerpt of a finding, empty if it has no line; every file is read once. */
export function sourceExcerpts(): (found: ReportedFinding) => string {
  const files = new Map<string, SourceLines>();
  return ({ file, line, column = 1, code }) => {
    if (file === undefined || line === undefined) return "";
    const lines = files.get(file) ?? new SourceLines(textOf(file));
    files.set(file, lines);
    return excerpt(lines.for(code), line, column);
  };
}

/** The lines of a text as they may be shown: worked out when they are needed, once. */
export class SourceLines {
  readonly #text: string;
  #all: readonly string[] | undefined;
  #code: readonly string[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** The lines for a finding with this code; none if they can't be shown safely. */
  for(code: string): readonly string[] {
    if (speaksOfSecret(code)) {
      this.#code ??= linesOf(maskTexts(this.#text) ?? "");
      return this.#code;
    }
    this.#all ??= linesOf(redactCredentials(this.#text, mask));
    return this.#all;
  }
}

/** The line before, the line itself, and the caret (from 1, in UTF-16 units); empty if there is no such line. */
export function excerpt(lines: readonly string[], line: number, column: number): string {
  const text = lines[line - 1];
  if (text === undefined || text.trim() === "") return "";
  const width = String(line).length;
  const gutter = (label: string | number) => `    ${String(label).padStart(width)} | `;
  const { shown, caret } = window(text, column);
  const before = lines[line - 2] ?? "";
  const first = before.trim() === "" ? "" : `${gutter(line - 1)}${window(before, 1).shown}\n`;
  return `${first}${gutter(line)}${shown}\n${gutter("")}${" ".repeat(caret)}^\n`;
}

/** The part of a line that is shown, and the column (from 0) of the caret below it. */
function window(text: string, column: number): { readonly shown: string; readonly caret: number } {
  const target = safeCut(text, Math.min(Math.max(column - 1, 0), text.length));
  const start = target > MAX_COLUMNS - 20 ? safeCut(text, target - COLUMNS_BEFORE_CARET) : 0;
  const head = start > 0 ? "…" : "";
  const prefix = head + printable(text.slice(start, target));
  const end = safeCut(text, target + MAX_COLUMNS);
  const rest = cutTo(printable(text.slice(target, end)), MAX_COLUMNS - stringWidth(prefix));
  const isWhole = end >= text.length && rest.length === printable(text.slice(target)).length;
  return { shown: `${prefix}${rest}${isWhole ? "" : "…"}`.trimEnd(), caret: stringWidth(prefix) };
}

/** Not between the halves of a character. */
function safeCut(text: string, at: number): number {
  const isWithin = /[\udc00-\udfff]/.test(text[at] ?? "") && /[\ud800-\udbff]/.test(text[at - 1] ?? "");
  return isWithin ? at - 1 : at;
}

function cutTo(text: string, width: number): string {
  let result = "";
  let left = width;
  for (const character of text) {
    left -= stringWidth(character);
    if (left < 0) break;
    result += character;
  }
  return result;
}

/** Tabs as blanks, what is hidden in one length, and nothing that could move a cursor or turn text around. */
function printable(text: string): string {
  return text
    .replaceAll("\t", TAB)
    .replace(HIDDEN_RUN, HIDDEN.repeat(3))
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, "\ufffd");
}

const HIDDEN_RUN = new RegExp(`${HIDDEN}+`, "g");

function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|[\n\r\u2028\u2029]/);
}

function textOf(file: string): string {
  try {
    return statSync(file).size > MAX_FILE_BYTES ? "" : readText(file).replace(/^\ufeff/, "");
  } catch {
    return "";
  }
}
