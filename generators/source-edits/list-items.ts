/** Adds items to what stands between brackets, and takes them out: lines, commas and comments of the others stay. */
import { indentAt, indentUnit, insertion, lineEndingAt, type Splice } from "./splices.js";
import type { SyntaxNode } from "./syntax.js";

/** A list in brackets: an array, an object literal, the names of an import. */
export interface Brackets {
  /** The offset behind the opening bracket. */
  readonly open: number;
  /** The offset of the closing bracket. */
  readonly close: number;
  readonly items: readonly SyntaxNode[];
  readonly comments: readonly SyntaxNode[];
  /** Whether a list that was empty gets a space inside its brackets, as in `{ a }`. */
  readonly spaced: boolean;
}

/** The splices that append `item` to the list. Lines of `item` after its first are indented as the list is. */
export function appendItem(text: string, list: Brackets, item: string): readonly Splice[] {
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
  if (inside.length > 0) return [insertion(end, ` ${item}`)];
  if (item.includes("\n")) {
    const indent = indentAt(text, open);
    const line = ownLine(text, open, indent + indentUnit(text), item, ",");
    return [{ start: open, end: close, text: `${line.text}${lineEndingAt(text, open)}${indent}` }];
  }
  if (content !== "") return [insertion(close, `${item}${content}`)];
  return [insertion(open, spaced ? ` ${item} ` : item)];
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
    return [insertion(end, comma === undefined ? `, ${item}` : ` ${item},`)];
  }
  const line = ownLine(text, end, indent ?? indentAt(text, last.start) + indentUnit(text), item, trailing);
  if (comma !== undefined) return [line];
  return [insertion(last.end, ","), line];
}

function ownLine(text: string, at: number, indent: string, item: string, comma: string): Splice {
  const eol = lineEndingAt(text, at);
  return insertion(at, `${eol}${indent}${item.replace(/\n/g, `${eol}${indent}`)}${comma}`);
}

/** The indentation of the code at `at`, if it is the first on its line; otherwise undefined. */
function ownIndent(text: string, at: number): string | undefined {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  const before = text.slice(start, at);
  return start > 0 && before.trim() === "" ? before : undefined;
}

/** The offset of the comma after the last item. */
function commaIn(
  text: string,
  start: number,
  close: number,
  comments: readonly SyntaxNode[],
): number | undefined {
  for (let at = start; at < close; at++) {
    const comment = comments.find((comment) => comment.start === at);
    if (comment !== undefined) at = comment.end - 1;
    else if (text[at] === ",") return at;
  }
  return undefined;
}

/** The comments that belong to an item: right above it, in it, and after it on its line. */
export function commentsOf(text: string, list: Brackets, item: SyntaxNode): readonly SyntaxNode[] {
  const { start, end } = extentOf(text, list, item);
  return list.comments.filter((comment) => comment.start >= start && comment.end <= end);
}

/** The splices that remove `item` from the list. */
export function removeItem(text: string, list: Brackets, item: SyntaxNode): readonly Splice[] {
  const index = list.items.indexOf(item);
  const { start, end, hasComma } = extentOf(text, list, item);
  const others = list.items.length - 1;
  const rest = list.comments.filter(
    (comment) => isInside(comment, list) && (comment.end <= start || comment.start >= end),
  );
  if (others === 0 && rest.length === 0) return [{ start: list.open, end: list.close, text: "" }];
  const previous = list.items[index - 1];
  const isLast = index === list.items.length - 1;
  const comma = isLast && !hasComma && previous !== undefined ? commaBehind(text, list, previous) : undefined;
  const orphan = comma === undefined ? [] : [{ start: comma, end: comma + 1, text: "" }];
  return [...orphan, { ...closeGap(text, list, { start, end }), text: "" }];
}

/** The offset of the comma after `item`; undefined if there is none. */
function commaBehind(text: string, { close, comments }: Brackets, item: SyntaxNode): number | undefined {
  for (let at = item.end; at < close; at++) {
    const comment = comments.find((comment) => comment.start === at);
    if (comment !== undefined) at = comment.end - 1;
    else if (text[at] === ",") return at;
    else if (/\S/.test(text[at] ?? "")) return undefined;
  }
  return undefined;
}

interface Extent {
  readonly start: number;
  readonly end: number;
  readonly hasComma: boolean;
}

/** From the item's first comment to its comma, or to the comment after it on its line. */
function extentOf(text: string, list: Brackets, item: SyntaxNode): Extent {
  const comma = commaBehind(text, list, item);
  let end = comma === undefined ? item.end : comma + 1;
  for (const comment of list.comments) {
    const isBehind = comment.start >= end && isInside(comment, list);
    if (isBehind && /^[^\S\n]*$/.test(text.slice(end, comment.start)) && isLineEnd(text, comment.end))
      end = comment.end;
  }
  let { start } = item;
  for (const comment of [...list.comments].reverse()) {
    if (comment.end > start || !isInside(comment, list)) continue;
    const isNear = /^[^\S\n]*(?:\n[^\S\n]*)?$/.test(text.slice(comment.end, start));
    if (!isNear || !(isLineStart(text, comment.start) || isSameLine(text, comment.end, start))) break;
    start = comment.start;
  }
  return { start, end, hasComma: comma !== undefined };
}

/** The item's whole lines if nothing else is on them; otherwise the item and the space to its neighbour. */
function closeGap(text: string, list: Brackets, { start, end }: Omit<Extent, "hasComma">) {
  if (!isLineStart(text, start)) {
    const before = /[^\S\n]*$/.exec(text.slice(list.open, start))?.[0] ?? "";
    const after = /^[^\S\r\n]*/.exec(text.slice(end, list.close))?.[0] ?? "";
    const isLast = /^\s*$/.test(text.slice(end, list.close));
    const isFirst = start - before.length === list.open;
    // The space inside the brackets stays.
    if (isLast && !isFirst) return { start: start - before.length, end };
    return { start, end: isLast ? end : end + after.length };
  }
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const behind = text.slice(end).match(/^[^\S\n]*\n/);
  if (behind === null) {
    const isLast = text.slice(end, list.close).trim() === "";
    return { start: isLast ? lineStart : start, end: end + spacesAt(text, end) };
  }
  const lineEnd = end + behind[0].length;
  const isAfterGap =
    /(?:^|\n)[^\S\n]*\r?\n$/.test(text.slice(0, lineStart)) || /[[({]\s*$/.test(text.slice(0, lineStart));
  const blank = isAfterGap ? /^[^\S\n]*\n/.exec(text.slice(lineEnd))?.[0].length : undefined;
  if (blank !== undefined) return { start: lineStart, end: lineEnd + blank };
  const isAtEnd = text.slice(lineEnd, list.close).trim() === "";
  const gap = isAtEnd ? /(?<=\n)(?:[^\S\n]*\r?\n)+$/.exec(text.slice(0, lineStart))?.[0].length : undefined;
  return { start: lineStart - (gap ?? 0), end: lineEnd };
}

function spacesAt(text: string, at: number): number {
  return /^[^\S\n]*/.exec(text.slice(at))?.[0].length ?? 0;
}

function isInside({ start, end }: SyntaxNode, { open, close }: Brackets): boolean {
  return start >= open && end <= close;
}

function isLineStart(text: string, at: number): boolean {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  return start > 0 && text.slice(start, at).trim() === "";
}

function isLineEnd(text: string, at: number): boolean {
  return /^[^\S\n]*(?:\n|$)/.test(text.slice(at));
}

function isSameLine(text: string, from: number, to: number): boolean {
  return !text.slice(from, to).includes("\n");
}
