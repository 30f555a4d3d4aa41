/**
 * Generated TypeScript as a tree, laid out so that a line stays within the width if it can. Names of other modules stand
 * in it as symbols: what a module imports follows from what its code uses.
 */

/** A piece of TypeScript: ready text, a name that another module exports, a call, an object literal or an array. */
export type Code = string | ImportSymbol | TextCode | CallCode | ObjectCode | ListCode;

/** A name that another module exports. A module that prints it imports it. */
export interface ImportSymbol {
  readonly kind: "import";
  readonly name: string;
  /** A package's entry (`connectorcli/codegen`), or the path of a module of the project, which ends in `.ts`. */
  readonly from: string;
  readonly isType: boolean;
  /** The name that it is imported under. @default its own name */
  readonly alias?: string;
}

interface TextCode {
  readonly kind: "text";
  readonly parts: readonly Code[];
  /** Symbols whose own names stand in the text already. */
  readonly named?: readonly ImportSymbol[];
}

interface CallCode {
  readonly kind: "call";
  readonly callee: Code;
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
  /** Comment above it: a line, or several. */
  readonly comment?: string;
  /** Whether it is never broken into lines, because its comment speaks of its line. @default false */
  readonly flat?: boolean;
}

/** An item of an array with a line of comment above it; never broken into lines. */
export interface Commented {
  readonly kind: "commented";
  readonly comment: string;
  readonly value: Code;
}

const WIDTH = 100;

/** The value `name` that the module at `from` exports. */
export function valueSymbol(from: string, name: string, alias?: string): ImportSymbol {
  return { kind: "import", name, from, isType: false, ...(alias !== undefined && { alias }) };
}

/** The type `name` that the module at `from` exports. */
export function typeSymbol(from: string, name: string, alias?: string): ImportSymbol {
  return { kind: "import", name, from, isType: true, ...(alias !== undefined && { alias }) };
}

/** Text with code in it: `` ts`export const ${name} = ${value};` ``. Arrays are put in piece by piece. */
export function ts(text: TemplateStringsArray, ...values: readonly (Code | readonly Code[])[]): Code {
  const parts = text.flatMap((piece, index): readonly Code[] => {
    const value = values[index] ?? "";
    return [piece, ...(isPieces(value) ? value : [value])];
  });
  return { kind: "text", parts: parts.filter((part) => part !== "") };
}

/** Ready text in which the names of `symbols` stand already; they keep them. */
export function textWith(symbols: readonly ImportSymbol[], text: string): Code {
  return { kind: "text", parts: [text], named: symbols };
}

/** A call of `callee`; undefined arguments are left out. */
export function call(callee: Code, ...args: readonly (Code | undefined)[]): Code {
  return {
    kind: "call",
    callee,
    arguments: args.filter((argument): argument is Code => argument !== undefined),
  };
}

/** An object literal. */
export function object(entries: readonly Entry[]): Code {
  return { kind: "object", entries };
}

/** An array literal. */
export function list(items: readonly (Code | Commented)[]): Code {
  return { kind: "list", items };
}

/** The name by which a module uses a symbol. It is asked for every symbol that stands in the code, at least once. */
export type LocalName = (symbol: ImportSymbol) => string;

/**
 * The text of `code` if its first line starts at column `start` and its block is indented by `indent`.
 * @param localName Names the symbols. @default their alias or own name
 */
export function layOut(
  code: Code,
  indent = "",
  start = indent.length,
  localName: LocalName = ({ alias, name }) => alias ?? name,
): string {
  if (typeof code === "string") return code;
  const line = flat(code, localName, WIDTH - start);
  if (line !== undefined) return line;
  const inner = `${indent}  `;
  switch (code.kind) {
    case "import":
      return localName(code);
    case "text":
      code.named?.forEach(localName);
      return layOutPieces(code.parts, { indent, start, localName, reserve: 0 });
    case "call": {
      const separated = code.arguments.flatMap((argument, index) =>
        index === 0 ? [argument] : [", ", argument],
      );
      // One column is kept for what closes the call.
      return layOutPieces([code.callee, "(", ...separated, ")"], { indent, start, localName, reserve: 1 });
    }
    case "object":
      if (code.entries.length === 0) return "{}";
      return `{\n${code.entries.map((entry) => layOutEntry(entry, inner, localName)).join("")}${indent}}`;
    case "list":
      return `[\n${code.items.map((item) => layOutItem(item, inner, localName)).join("")}${indent}]`;
    default:
      return code satisfies never;
  }
}

/** Pieces behind each other. What breaks into lines is indented as the line that it starts on. */
function layOutPieces(
  pieces: readonly Code[],
  place: {
    readonly indent: string;
    readonly start: number;
    readonly localName: LocalName;
    /** Columns that are kept behind each piece. */
    readonly reserve: number;
  },
): string {
  const texts: string[] = [];
  // What stands on the line so far; looking back through the whole text would cost its length for each piece.
  let line = "";
  let isFirstLine = true;
  for (const piece of pieces) {
    const indent = isFirstLine ? place.indent : (/^ */.exec(line)?.[0] ?? "");
    const column = isFirstLine ? place.start + line.length : line.length;
    const text = layOut(piece, indent, column + place.reserve, place.localName);
    const lineStart = text.lastIndexOf("\n") + 1;
    line = lineStart === 0 ? line + text : text.slice(lineStart);
    isFirstLine &&= lineStart === 0;
    texts.push(text);
  }
  return texts.join("");
}

function layOutEntry(entry: Entry, indent: string, localName: LocalName): string {
  const lines = entry.comment?.split("\n") ?? [];
  const comment = lines.map((line) => `${indent}// ${line}\n`).join("");
  const head = entry.key === undefined ? "" : `${entry.key}: `;
  const start = indent.length + head.length + 1;
  const value =
    entry.flat === true
      ? (flat(entry.value, localName) ?? "")
      : layOut(entry.value, indent, start, localName);
  return `${comment}${indent}${head}${value},\n`;
}

function layOutItem(item: Code | Commented, indent: string, localName: LocalName): string {
  if (typeof item === "object" && item.kind === "commented") {
    return `${indent}// ${item.comment}\n${indent}${flat(item.value, localName) ?? ""},\n`;
  }
  return `${indent}${layOut(item, indent, indent.length + 1, localName)},\n`;
}

/**
 * The code on one line; undefined if a comment or a line break stands in it, or if it is longer than `room`. It is given
 * up as soon as that is known: most code that is asked for is much longer than a line.
 */
function flat(
  code: Code | Commented,
  localName: LocalName,
  room = Number.POSITIVE_INFINITY,
): string | undefined {
  if (typeof code === "string") return code.length <= room ? code : undefined;
  const flatten: Flatten = (part, left) => flat(part, localName, left);
  switch (code.kind) {
    case "import": {
      const name = localName(code);
      return name.length <= room ? name : undefined;
    }
    case "commented":
      return undefined;
    case "text": {
      code.named?.forEach(localName);
      const text = join(code.parts, flatten, { open: "", separator: "", close: "", room });
      return text?.includes("\n") ? undefined : text;
    }
    case "call": {
      const callee = flatten(code.callee, room);
      if (callee === undefined) return undefined;
      return join(code.arguments, flatten, { open: `${callee}(`, separator: ", ", close: ")", room });
    }
    case "list":
      return join(code.items, flatten, { open: "[", separator: ", ", close: "]", room });
    case "object": {
      if (code.entries.length === 0) return "{}";
      const flattenEntry = (entry: Entry, left: number) => flatEntry(entry, flatten, left);
      return join(code.entries, flattenEntry, { open: "{ ", separator: ", ", close: " }", room });
    }
    default:
      return code satisfies never;
  }
}

type Flatten = (code: Code | Commented, room: number) => string | undefined;

function flatEntry(entry: Entry, flatten: Flatten, room: number): string | undefined {
  if (entry.comment !== undefined) return undefined;
  const value = flatten(entry.value, room);
  return value === undefined || entry.key === undefined ? value : `${entry.key}: ${value}`;
}

function join<Item>(
  items: readonly Item[],
  flatten: (item: Item, room: number) => string | undefined,
  {
    open,
    separator,
    close,
    room,
  }: Record<"open" | "separator" | "close", string> & { readonly room: number },
): string | undefined {
  let text = open;
  for (const [index, item] of items.entries()) {
    const part = flatten(item, room - text.length);
    if (part === undefined) return undefined;
    text += index === 0 ? part : separator + part;
  }
  text += close;
  return text.length <= room ? text : undefined;
}

function isPieces(value: Code | readonly Code[]): value is readonly Code[] {
  return Array.isArray(value);
}
