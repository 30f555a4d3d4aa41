/** Where in a file something stands, by its offset: lines as TypeScript and JSON count them. */
import type { Place } from "./diagnostic.js";

const LINE_END = /\r\n|[\n\r\u2028\u2029]/;

/** The place of `offset` in the `text` of `file`; line and column from 1. */
export function placeInText(
  { file, text }: { readonly file: string; readonly text: string },
  offset: number,
): Place & { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split(LINE_END);
  return { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
