/** Members in texts: of JSON, of JSON in a text of JSON and so on, and as `inspect` of Node prints them. */
import { HIDDEN } from "../validation/finding.js";

/** The name of a member with what stands between it and its value. In a text of JSON, its quotes are escaped. */
const NAME =
  /(?<escape>\\{0,15})(?<quote>["'])(?<quoted>[^"'\\\r\n]{1,64})\1\2\s{0,3}(?::|=>)\s{0,3}|(?<![\w$./-])(?<bare>[A-Za-z_$][\w$]{0,63}):\s{0,3}(?=["'`[{\d-])/g;

const SCALAR = /-?\d[\d.eE+_-]*n?/y;

/**
 * `text` with the values of those members hidden whose names `isSecret` names: texts, numbers, lists and objects. What is
 * cut off in the middle of a value is hidden to the end.
 */
export function redactMembers(text: string, isSecret: (name: string) => boolean): string {
  let result = "";
  let end = 0;
  for (const match of text.matchAll(NAME)) {
    const { escape: escapes = "", quote = "'", quoted, bare } = match.groups ?? {};
    const start = match.index + match[0].length;
    if (match.index < end || !isSecret(quoted ?? bare ?? "")) continue;
    const valueEnd = endOfValue(text, start, escapes.length);
    if (valueEnd === start) continue;
    const mark = `${escapes}${quote}`;
    result += `${text.slice(end, start)}${mark}${HIDDEN}${mark}`;
    end = valueEnd;
  }
  return result + text.slice(end);
}

/**
 * Where the value that begins at `start` ends; `start` if none begins there.
 * @param escapes How many backslashes stand before a quote of the text that the value is in.
 */
function endOfValue(text: string, start: number, escapes: number): number {
  if (text[start] === "{" || text[start] === "[") return endOfBrackets(text, start, escapes);
  const opening = start + backslashesAt(text, start);
  if (isQuote(text[opening])) {
    return opening === start + escapes ? endOfText(text, opening, escapes).end : start;
  }
  SCALAR.lastIndex = start;
  return start + (SCALAR.exec(text)?.[0].length ?? 0);
}

function backslashesAt(text: string, index: number): number {
  let at = index;
  while (text[at] === "\\") at++;
  return at - index;
}

function isQuote(character: string | undefined): boolean {
  return character === '"' || character === "'" || character === "`";
}

/**
 * Where the text ends that the quote at `index` opens. A quote in it has more backslashes than those around it; one with
 * fewer ends the text that all of this is in.
 */
function endOfText(
  text: string,
  index: number,
  escapes: number,
): { readonly end: number; readonly isCut: boolean } {
  const quote = text[index];
  let backslashes = 0;
  for (let at = index + 1; at < text.length; at++) {
    const character = text[at];
    if (character === "\\") {
      backslashes++;
      continue;
    }
    if (character === quote) {
      if (backslashes < escapes) return { end: at - backslashes, isCut: true };
      if ((backslashes - escapes) % (2 * (escapes + 1)) === 0) return { end: at + 1, isCut: false };
    }
    backslashes = 0;
  }
  return { end: text.length, isCut: true };
}

/** Where the list or object that begins at `start` ends. */
function endOfBrackets(text: string, start: number, escapes: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at] ?? "";
    if ("{[".includes(character)) depth++;
    if ("}]".includes(character) && --depth === 0) return at + 1;
    if (!isQuote(character) && character !== "\\") continue;
    const count = backslashesAt(text, at);
    at += count;
    if (!isQuote(text[at])) continue;
    if (count < escapes) return at - count;
    const { end, isCut } = endOfText(text, at, count);
    if (isCut) return end;
    at = end - 1;
  }
  return text.length;
}
