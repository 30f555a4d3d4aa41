/** Changes of a text by offsets: what no splice names stays byte for byte. */

/** Replaces the characters from `start` to `end` (exclusive) by `text`. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** `text` with all `splices`, which must not overlap. Two at one offset keep their order. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let result = "";
  let at = 0;
  for (const splice of [...splices].sort((a, b) => a.start - b.start)) {
    result += text.slice(at, splice.start) + splice.text;
    at = splice.end;
  }
  return result + text.slice(at);
}

/** An insertion at `at`. */
export function insertion(at: number, text: string): Splice {
  return { start: at, end: at, text };
}

/** The line ending of the text around `at`; `\n` if the text has only one line. */
export function lineEndingAt(text: string, at: number): "\n" | "\r\n" {
  const before = text.lastIndexOf("\n", Math.max(0, at - 1));
  const end = before === -1 ? text.indexOf("\n", at) : before;
  return end > 0 && text[end - 1] === "\r" ? "\r\n" : "\n";
}

/** The white space that the line of `at` begins with. */
export function indentAt(text: string, at: number): string {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  return /^[^\S\r\n]*/.exec(text.slice(start, at))?.[0] ?? "";
}

/** One level of indentation in this file. */
export function indentUnit(text: string): string {
  const [, found] = /\n(\t| {2,8})(?=[^\s*])/.exec(text) ?? [];
  return found ?? "  ";
}
