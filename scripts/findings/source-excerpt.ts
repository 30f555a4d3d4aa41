/** The lines of a file around a finding, with a caret below its column. */
import { readFileSync, statSync } from "node:fs";
import stringWidth from "string-width";
import { HIDDEN, speaksOfSecret, withoutSecrets, withoutTexts } from "./masked-source.js";
import type { Reported } from "./reported.js";

/** Files larger than this are not read for an excerpt. */
const LARGEST = 4_000_000;
/** Columns of a line that are shown. */
const WIDEST = 100;
/** Columns that are shown before the caret of a line that is cut. */
const BEFORE = 60;
const TAB = "    ";

/** Gives the excerpt of each finding, or nothing where there is no line; every file is read once. */
export function sourceExcerpts(): (found: Reported) => string {
  const files = new Map<string, SourceLines>();
  return ({ file, line, column = 1, code }) => {
    if (file === undefined || line === undefined) return "";
    const lines = files.get(file) ?? new SourceLines(textOf(file));
    files.set(file, lines);
    return excerpt(lines.for(code), line, column);
  };
}

/** The lines of a text as they may be shown: worked out where they are needed, once. */
export class SourceLines {
  readonly #text: string;
  #all: readonly string[] | undefined;
  #code: readonly string[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** The lines for a finding with this code; none where they can't be shown safely. */
  for(code: string): readonly string[] {
    if (speaksOfSecret(code)) {
      this.#code ??= linesOf(withoutTexts(this.#text) ?? "");
      return this.#code;
    }
    this.#all ??= linesOf(withoutSecrets(this.#text));
    return this.#all;
  }
}

/** The line before, the line itself, and the caret (from 1, in UTF-16 units); nothing where there is no such line. */
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
  const target = Math.min(Math.max(column - 1, 0), text.length);
  const start = target > WIDEST - 20 ? safeCut(text, target - BEFORE) : 0;
  const head = start > 0 ? "…" : "";
  const prefix = head + printed(text.slice(start, target));
  const rest = cutTo(printed(text.slice(target, target + WIDEST)), WIDEST - stringWidth(prefix));
  const isWhole = target + WIDEST >= text.length && rest.length === printed(text.slice(target)).length;
  return { shown: `${prefix}${rest}${isWhole ? "" : "…"}`.trimEnd(), caret: stringWidth(prefix) };
}

/** Not between the halves of a character. */
function safeCut(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text[at] ?? "") ? at - 1 : at;
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
function printed(text: string): string {
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
    return statSync(file).size > LARGEST ? "" : readFileSync(file, "utf8").replace(/^\ufeff/, "");
  } catch {
    return "";
  }
}
