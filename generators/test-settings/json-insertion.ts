/** Puts a member or an item into JSON with comments: nothing that stands there moves to another line. */
import { createScanner, findNodeAtLocation, type JSONPath, type Node, parseTree } from "jsonc-parser";

export interface Insertion {
  /** The object or list that it goes into. */
  readonly into: JSONPath;
  /** The member's name; absent for an item. */
  readonly name?: string;
  readonly value: unknown;
  /** Members that it stands behind, as far as they are there; an item stands last. */
  readonly behind?: readonly string[];
}

/** `text` with the value in it; `text` itself where there is nothing to put it into. */
export function insertJson(text: string, { into, name, value, behind = [] }: Insertion): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const container = root === undefined ? undefined : findNodeAtLocation(root, into);
  if (container === undefined) return text;
  const children = container.children ?? [];
  const before = name === undefined ? children.length - 1 : lastOf(children, behind);
  const lines = layoutOf(text, container.offset);
  const json = JSON.stringify(value, undefined, lines.unit).replace(/\n/g, lines.inner);
  const code = name === undefined ? json : `${JSON.stringify(name)}: ${json}`;
  const previous = children[before];
  if (previous === undefined) return asFirst(text, container, { code, lines });
  const end = previous.offset + previous.length;
  const comma = commaAfter(text, end);
  const at = afterComment(text, comma ?? end);
  const separator = comma === undefined ? "," : "";
  const following = comma === undefined ? "" : ",";
  return `${text.slice(0, end)}${separator}${text.slice(end, at)}${lines.inner}${code}${following}${text.slice(at)}`;
}

interface Lines {
  /** What one level is indented by. */
  readonly unit: string;
  /** A line break, with the indentation of what is inside the container, or of its bracket. */
  readonly inner: string;
  readonly outer: string;
}

interface Item {
  readonly code: string;
  readonly lines: Lines;
}

function layoutOf(text: string, offset: number): Lines {
  const unit = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  const outer = /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? "";
  return { unit, inner: `${eol}${outer}${unit}`, outer: `${eol}${outer}` };
}

/** The index of the last member among `names`; -1 where none is there. */
function lastOf(children: readonly Node[], names: readonly string[]): number {
  return children.findLastIndex((child) => names.includes(String(child.children?.[0]?.value)));
}

function asFirst(text: string, container: Node, { code, lines }: Item): string {
  const start = container.offset + 1;
  const end = container.offset + container.length - 1;
  const isEmpty = (container.children ?? []).length === 0;
  const within = text.slice(start, end);
  const rest = isEmpty && within.trim() === "" ? lines.outer : within;
  return `${text.slice(0, start)}${lines.inner}${code}${isEmpty ? "" : ","}${rest}${text.slice(end)}`;
}

/** The offset behind the comma that follows `end`, or undefined. */
function commaAfter(text: string, end: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(end);
  scanner.scan();
  const at = scanner.getTokenOffset();
  return text.charAt(at) === "," ? at + 1 : undefined;
}

/** The offset behind the comments that stand on the same line as `offset`. */
function afterComment(text: string, offset: number): number {
  const scanner = createScanner(text, false);
  scanner.setPosition(offset);
  for (let end = offset; ; ) {
    scanner.scan();
    const at = scanner.getTokenOffset();
    const token = text.slice(at, at + scanner.getTokenLength());
    if (/^\/[/*]/.test(token)) end = at + token.length;
    else if (!/^[ \t]+$/.test(token)) return end;
  }
}
