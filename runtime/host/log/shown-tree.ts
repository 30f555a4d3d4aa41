/** The walk over a value that is logged: bounded in depth and size, with every kind of value made plain. */
import { carriedType } from "../../records/carried-type.js";
import { shownValue } from "../../records/record-type.js";
import { HIDDEN } from "../../validation/finding.js";
import { attempt, entriesOf, errorMembers, shortForm } from "./odd-values.js";

export interface Shown {
  readonly text: (text: string) => string;
  readonly isSensitive: (name: string) => boolean;
}

const DEEPEST = 8;
const MOST_MEMBERS = 100;
const MOST_VALUES = 2_000;
/** So many characters count as one more value. */
const CHARACTERS = 100;

/** `value` as plain JSON: texts through `text`, members with sensitive names hidden. */
export function shownTree(value: unknown, shown: Shown): unknown {
  return tree(value, { ...shown, above: [], count: { left: MOST_VALUES } });
}

interface Walk extends Shown {
  readonly above: readonly object[];
  readonly count: { left: number };
}

function tree(value: unknown, walk: Walk): unknown {
  if (value === null || typeof value === "boolean" || value === undefined) return value ?? null;
  if (walk.count.left-- <= 0) return "[too much to show]";
  if (typeof value === "string") return counted(walk.text(value), walk);
  if (typeof value === "number") return numeric(value, walk);
  if (typeof value !== "object") return walk.text(attempt(() => shortForm(value)) ?? "");
  if (walk.above.includes(value)) return "[the value that it is in]";
  if (walk.above.length >= DEEPEST) return "[too deep to show]";
  return attempt<unknown>(() => inner(value, { ...walk, above: [...walk.above, value] }));
}

function counted(text: string, walk: Walk): string {
  walk.count.left -= text.length / CHARACTERS;
  return text;
}

/** A number as it is, unless as a text it would be hidden. */
function numeric(value: number, walk: Walk): unknown {
  const text = String(value);
  return Number.isFinite(value) && walk.text(text) === text ? value : walk.text(text);
}

function inner(value: object, walk: Walk): unknown {
  const type = carriedType(value);
  if (type !== undefined) return members(Object.entries(shownValue(type, value) as object), walk);
  if (Array.isArray(value)) return list(value, walk);
  if (value instanceof Set) return list([...value], walk);
  if (value instanceof Error) return members(errorMembers(value), walk);
  const short = shortForm(value);
  return short === undefined ? members(entriesOf(value), walk) : walk.text(short);
}

/** Headers come as lists too, a name and then its value. */
function list(items: readonly unknown[], walk: Walk): unknown {
  const shown = items.slice(0, MOST_MEMBERS).map((item, index) => {
    const before = items[index - 1];
    const named = typeof before === "string" && typeof item === "string" && walk.isSensitive(before);
    return named ? HIDDEN : tree(item, walk);
  });
  return items.length > MOST_MEMBERS ? [...shown, `… (${items.length - MOST_MEMBERS} more)`] : shown;
}

function members(entries: readonly (readonly [string, unknown])[], walk: Walk): unknown {
  const shown = entries.slice(0, MOST_MEMBERS).flatMap(([name, member]): [string, unknown][] => {
    if (member === undefined) return [];
    const isHidden = walk.isSensitive(name) && member !== null && typeof member !== "boolean";
    return [[walk.text(name), isHidden ? HIDDEN : tree(member, walk)]];
  });
  if (entries.length > MOST_MEMBERS) shown.push(["…", `${entries.length - MOST_MEMBERS} more`]);
  return Object.fromEntries(shown);
}
