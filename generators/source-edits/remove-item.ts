/** Takes an item out of what stands between brackets: its comma, its lines and its own comments go, the rest stays. */
import type { Brackets } from "./append-item.js";
import type { Splice } from "./splices.js";
import type { SyntaxNode } from "./syntax.js";

/** The comments that belong to an item: those right above it, within it, and behind it on its line. */
export function commentsOf(text: string, list: Brackets, item: SyntaxNode): readonly SyntaxNode[] {
  const { start, end } = extentOf(text, list, item);
  return list.comments.filter((one) => one.start >= start && one.end <= end);
}

/** The splices that take `item`, one of the list's, out of it. */
export function withoutItem(text: string, list: Brackets, item: SyntaxNode): readonly Splice[] {
  const index = list.items.indexOf(item);
  const { start, end, hasComma } = extentOf(text, list, item);
  const others = list.items.length - 1;
  const rest = list.comments.filter((one) => isInside(one, list) && (one.end <= start || one.start >= end));
  if (others === 0 && rest.length === 0) return [{ start: list.open, end: list.close, text: "" }];
  const previous = list.items[index - 1];
  const isLast = index === list.items.length - 1;
  const comma = isLast && !hasComma && previous !== undefined ? commaBehind(text, list, previous) : undefined;
  const orphan = comma === undefined ? [] : [{ start: comma, end: comma + 1, text: "" }];
  return [...orphan, { ...gapClosed(text, list, { start, end }), text: "" }];
}

/** The offset of the comma behind `item`; undefined where there is none. */
function commaBehind(text: string, { close, comments }: Brackets, item: SyntaxNode): number | undefined {
  for (let at = item.end; at < close; at++) {
    const comment = comments.find((one) => one.start === at);
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

/** From the item's first comment to its comma, or to the remark behind it. */
function extentOf(text: string, list: Brackets, item: SyntaxNode): Extent {
  const comma = commaBehind(text, list, item);
  let end = comma === undefined ? item.end : comma + 1;
  for (const one of list.comments) {
    const isBehind = one.start >= end && isInside(one, list);
    if (isBehind && /^[^\S\n]*$/.test(text.slice(end, one.start)) && isLineEnd(text, one.end)) end = one.end;
  }
  let { start } = item;
  for (const one of [...list.comments].reverse()) {
    if (one.end > start || !isInside(one, list)) continue;
    const isNear = /^[^\S\n]*(?:\n[^\S\n]*)?$/.test(text.slice(one.end, start));
    if (!isNear || !(isLineStart(text, one.start) || isSameLine(text, one.end, start))) break;
    start = one.start;
  }
  return { start, end, hasComma: comma !== undefined };
}

/** The whole lines where the item has them for itself; else what parts it from its neighbours. */
function gapClosed(text: string, list: Brackets, { start, end }: Omit<Extent, "hasComma">) {
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
