/** Appends an item to what stands between brackets, in the layout that is there: lines, commas and comments stay. */
import { indentAt, indentUnit, inserted, lineEndingAt, type Splice } from "./splices.js";
import type { SyntaxNode } from "./syntax.js";

/** A list in brackets: an array, an object literal, the names of an import. */
export interface Brackets {
  /** The offset behind the opening bracket. */
  readonly open: number;
  /** The offset of the closing bracket. */
  readonly close: number;
  readonly items: readonly SyntaxNode[];
  readonly comments: readonly SyntaxNode[];
  /** Whether one space stands inside the brackets of a list that was empty, as in `{ a }`. */
  readonly spaced: boolean;
}

/** The splices that append `item` to the list. Lines of `item` after its first are indented as the list is. */
export function appendedItem(text: string, list: Brackets, item: string): readonly Splice[] {
  const last = list.items.at(-1);
  const inside = list.comments.filter(({ start, end }) => start >= list.open && end <= list.close);
  return last === undefined
    ? firstItem(text, list, inside, item)
    : nextItem(text, list, { last, inside, item });
}

function firstItem(
  text: string,
  { open, close, spaced }: Brackets,
  inside: readonly SyntaxNode[],
  item: string,
): readonly Splice[] {
  const content = text.slice(open, close);
  const end = inside.at(-1)?.end ?? open;
  if (content.includes("\n")) {
    const indent = inside.map(({ start }) => ownIndent(text, start)).find((found) => found !== undefined);
    return [ownLine(text, end, indent ?? indentAt(text, close) + indentUnit(text), item, ",")];
  }
  if (inside.length > 0) return [inserted(end, ` ${item}`)];
  if (item.includes("\n")) {
    const indent = indentAt(text, open);
    const line = ownLine(text, open, indent + indentUnit(text), item, ",");
    return [{ start: open, end: close, text: `${line.text}${lineEndingAt(text, open)}${indent}` }];
  }
  if (content !== "") return [inserted(close, `${item}${content}`)];
  return [inserted(open, spaced ? ` ${item} ` : item)];
}

interface Next {
  readonly last: SyntaxNode;
  readonly inside: readonly SyntaxNode[];
  readonly item: string;
}

function nextItem(text: string, { close }: Brackets, { last, inside, item }: Next): readonly Splice[] {
  const behind = inside.filter(({ start }) => start >= last.end);
  const comma = commaIn(text, last.end, close, behind);
  const end = Math.max(last.end, (comma ?? -1) + 1, behind.at(-1)?.end ?? 0);
  const trailing = comma === undefined ? "" : ",";
  const indent = ownIndent(text, last.start);
  const final = behind.at(-1);
  if (indent === undefined && !(final?.type === "CommentLine" && final.end === end)) {
    return [inserted(end, comma === undefined ? `, ${item}` : ` ${item},`)];
  }
  const line = ownLine(text, end, indent ?? indentAt(text, last.start) + indentUnit(text), item, trailing);
  if (comma !== undefined) return [line];
  return [inserted(last.end, ","), line];
}

function ownLine(text: string, at: number, indent: string, item: string, comma: string): Splice {
  const eol = lineEndingAt(text, at);
  return inserted(at, `${eol}${indent}${item.replace(/\n/g, `${eol}${indent}`)}${comma}`);
}

/** The indentation of what stands at `at`, where it is the first on its line. */
function ownIndent(text: string, at: number): string | undefined {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  const before = text.slice(start, at);
  return start > 0 && before.trim() === "" ? before : undefined;
}

/** The offset of the comma behind the last item. */
function commaIn(
  text: string,
  start: number,
  close: number,
  comments: readonly SyntaxNode[],
): number | undefined {
  for (let at = start; at < close; at++) {
    const comment = comments.find((one) => one.start === at);
    if (comment !== undefined) at = comment.end - 1;
    else if (text[at] === ",") return at;
  }
  return undefined;
}
