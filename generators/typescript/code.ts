/** Expressions of generated TypeScript as a tree, laid out so that a line stays within the width where it can. */

/** An expression: ready text, a call, an object literal or a list. */
export type Code = string | CallCode | ObjectCode | ListCode;

interface CallCode {
  readonly kind: "call";
  readonly callee: string;
  readonly arguments: readonly Code[];
}

interface ObjectCode {
  readonly kind: "object";
  readonly entries: readonly Entry[];
}

interface ListCode {
  readonly kind: "list";
  readonly items: readonly (Code | Commented)[];
}

/** An entry of an object literal; without a key it is spread or shorthand text. */
export interface Entry {
  readonly key?: string;
  readonly value: Code;
  /** A line of comment above it. */
  readonly comment?: string;
  /** Never broken into lines, for the sake of a comment that speaks of its line. */
  readonly flat?: boolean;
}

/** An item of a list with a line of comment above it; never broken into lines. */
export interface Commented {
  readonly kind: "commented";
  readonly comment: string;
  readonly value: Code;
}

const WIDTH = 100;

export function call(callee: string, ...args: readonly (Code | undefined)[]): Code {
  return {
    kind: "call",
    callee,
    arguments: args.filter((argument): argument is Code => argument !== undefined),
  };
}

export function object(entries: readonly Entry[]): Code {
  return { kind: "object", entries };
}

export function list(items: readonly (Code | Commented)[]): Code {
  return { kind: "list", items };
}

/** The text of `code` where its first line starts at column `start` and its block is indented by `indent`. */
export function layOut(code: Code, indent = "", start = indent.length): string {
  if (typeof code === "string") return code;
  const line = flat(code);
  if (line !== undefined && start + line.length <= WIDTH) return line;
  const inner = `${indent}  `;
  switch (code.kind) {
    case "call":
      return layOutCall(code, indent, start);
    case "object":
      if (code.entries.length === 0) return "{}";
      return `{\n${code.entries.map((entry) => layOutEntry(entry, inner)).join("")}${indent}}`;
    case "list":
      return `[\n${code.items.map((item) => layOutItem(item, inner)).join("")}${indent}]`;
    default:
      return code satisfies never;
  }
}

function layOutCall(code: CallCode, indent: string, start: number): string {
  let text = `${code.callee}(`;
  for (const [index, argument] of code.arguments.entries()) {
    if (index > 0) text += ", ";
    const lineStart = text.lastIndexOf("\n");
    const column = lineStart === -1 ? start + text.length : text.length - lineStart - 1;
    // One column is kept for what closes the call.
    text += layOut(argument, indent, column + 1);
  }
  return `${text})`;
}

function layOutEntry(entry: Entry, indent: string): string {
  const comment = entry.comment === undefined ? "" : `${indent}// ${entry.comment}\n`;
  const head = entry.key === undefined ? "" : `${entry.key}: `;
  const start = indent.length + head.length + 1;
  const value = entry.flat === true ? (flat(entry.value) ?? "") : layOut(entry.value, indent, start);
  return `${comment}${indent}${head}${value},\n`;
}

function layOutItem(item: Code | Commented, indent: string): string {
  if (typeof item === "object" && item.kind === "commented") {
    return `${indent}// ${item.comment}\n${indent}${flat(item.value) ?? ""},\n`;
  }
  return `${indent}${layOut(item, indent, indent.length + 1)},\n`;
}

/** The expression on one line, or undefined where a comment stands in it. */
function flat(code: Code | Commented): string | undefined {
  if (typeof code === "string") return code;
  switch (code.kind) {
    case "commented":
      return undefined;
    case "call":
      return joined(code.arguments.map(flat), `${code.callee}(`, ")");
    case "list":
      return joined(code.items.map(flat), "[", "]");
    case "object":
      if (code.entries.length === 0) return "{}";
      return joined(code.entries.map(flatEntry), "{ ", " }");
    default:
      return code satisfies never;
  }
}

function flatEntry(entry: Entry): string | undefined {
  if (entry.comment !== undefined) return undefined;
  const value = flat(entry.value);
  return value === undefined || entry.key === undefined ? value : `${entry.key}: ${value}`;
}

function joined(parts: readonly (string | undefined)[], open: string, close: string): string | undefined {
  return parts.includes(undefined) ? undefined : `${open}${parts.join(", ")}${close}`;
}
