/** Any value as plain JSON for a log: bounded in depth and size, and whatever it is, reading it does not throw. */

import { displayRecord } from "../records/masking.js";
import { recordTypeOf } from "../records/record-type.js";
import { HIDDEN } from "../validation/finding.js";

/** How texts and names are shown. */
export interface PlainValueOptions {
  /** A text as it is shown. */
  readonly text: (text: string) => string;
  /** Whether the value of a member with this name is hidden. */
  readonly isSecret: (name: string) => boolean;
}

const MAX_DEPTH = 8;
const MAX_MEMBERS = 100;
const MAX_VALUES = 2_000;
/** As many characters of text count as one more value. */
const CHARACTERS_PER_VALUE = 100;
const NOT_READABLE = "[not readable]";

/** `value` as plain JSON: texts as `text` shows them, members with secret names hidden. */
export function plainValue(value: unknown, options: PlainValueOptions): unknown {
  return plain(value, { ...options, above: [], budget: { left: MAX_VALUES } });
}

interface Walk extends PlainValueOptions {
  /** The lists and objects that the value is in. */
  readonly above: readonly object[];
  /** The values that may still be shown. */
  readonly budget: { left: number };
}

function plain(value: unknown, walk: Walk): unknown {
  if (value === null || typeof value === "boolean" || value === undefined) return value ?? null;
  if (walk.budget.left-- <= 0) return "[too much to show]";
  if (typeof value === "string") return countText(walk.text(value), walk);
  if (typeof value === "number") return plainNumber(value, walk);
  if (typeof value !== "object") return walk.text(readSafely(() => shortForm(value)) ?? "");
  if (walk.above.includes(value)) return "[the value that it is in]";
  if (walk.above.length >= MAX_DEPTH) return "[too deep to show]";
  return readSafely<unknown>(() => plainObject(value, { ...walk, above: [...walk.above, value] }));
}

function countText(text: string, walk: Walk): string {
  walk.budget.left -= text.length / CHARACTERS_PER_VALUE;
  return text;
}

/** A number as it is, unless as a text it would be hidden. */
function plainNumber(value: number, walk: Walk): unknown {
  const text = String(value);
  return Number.isFinite(value) && walk.text(text) === text ? value : walk.text(text);
}

function plainObject(value: object, walk: Walk): unknown {
  const type = recordTypeOf(value);
  if (type !== undefined) return plainMembers(Object.entries(displayRecord(type, value) as object), walk);
  if (Array.isArray(value)) return plainList(value, walk);
  if (value instanceof Set) return plainList([...value], walk);
  if (value instanceof Error) return plainMembers(entriesOfError(value), walk);
  const short = shortForm(value);
  return short === undefined ? plainMembers(entriesOf(value), walk) : walk.text(short);
}

/** Headers come as lists too, a name and then its value. */
function plainList(items: readonly unknown[], walk: Walk): unknown {
  const shown = items.slice(0, MAX_MEMBERS).map((item, index) => {
    const before = items[index - 1];
    const named = typeof before === "string" && typeof item === "string" && walk.isSecret(before);
    return named ? HIDDEN : plain(item, walk);
  });
  return items.length > MAX_MEMBERS ? [...shown, `… (${items.length - MAX_MEMBERS} more)`] : shown;
}

function plainMembers(entries: readonly (readonly [string, unknown])[], walk: Walk): unknown {
  const shown = entries.slice(0, MAX_MEMBERS).flatMap(([name, member]): [string, unknown][] => {
    if (member === undefined) return [];
    const isHidden = walk.isSecret(name) && member !== null && typeof member !== "boolean";
    return [[walk.text(name), isHidden ? HIDDEN : plain(member, walk)]];
  });
  if (entries.length > MAX_MEMBERS) shown.push(["…", `${entries.length - MAX_MEMBERS} more`]);
  return Object.fromEntries(shown);
}

/** The result of `read`, or a note if it throws. */
function readSafely<Value>(read: () => Value): Value | string {
  try {
    return read();
  } catch {
    return NOT_READABLE;
  }
}

/** The one text that shows `value`. Returns undefined if its members say more. */
function shortForm(value: unknown): string | undefined {
  if (typeof value === "bigint" || typeof value === "symbol") return String(value);
  if (typeof value === "function") return `[function ${value.name}]`;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "[no date]" : value.toISOString();
  if (value instanceof URL) return value.href;
  if (value instanceof URLSearchParams || value instanceof RegExp) return String(value);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet) return "[not shown]";
  return undefined;
}

/** Names and values of members; a note stands for a value whose getter throws. */
function entriesOf(value: object): readonly (readonly [string, unknown])[] {
  if (value instanceof Map || value instanceof Headers) {
    return [...value].map(([name, member]) => [typeof name === "string" ? name : "[a key]", member]);
  }
  return Object.keys(value).map((name) => [name, readSafely(() => Reflect.get(value, name))]);
}

const ERROR_MEMBERS = ["name", "message", "code", "statusCode", "stack", "findings", "cause", "errors"];

/** The usual members of an error, also if they are inherited or throw; of its others those that are no objects. */
function entriesOfError(error: Error): readonly (readonly [string, unknown])[] {
  const own = entriesOf(error).filter(
    ([name, member]) =>
      !ERROR_MEMBERS.includes(name) && typeof member !== "object" && typeof member !== "function",
  );
  return [
    ...ERROR_MEMBERS.map((name) => [name, readSafely(() => Reflect.get(error, name))] as const),
    ...own,
  ];
}
