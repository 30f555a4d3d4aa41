/** What a validation finds, and how the value at fault is shown: briefly, and never where it is sensitive. */
import { isObject } from "./values.js";

export interface Finding {
  /** JSON pointer of the value at fault. */
  readonly instancePath: string;
  /** The keyword that it does not fit; `false schema` where nothing fits. */
  readonly keyword: string;
  readonly expected: string;
  /** The value in short, or `--hidden value--`. */
  readonly actual: string;
  /** Path, expectation and value in one sentence. */
  readonly message: string;
}

export const HIDDEN = "--hidden value--";

const LONGEST = 100;

/** A value in one short line. Objects and lists show their size only: what is in them may be sensitive. */
export function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return cut(JSON.stringify(value.slice(0, LONGEST + 1)));
  if (Array.isArray(value)) return `a list of ${counted(value.length, "item")}`;
  if (isObject(value)) return `an object of ${counted(Object.keys(value).length, "member")}`;
  return Object.is(value, -0) ? "-0" : cut(String(value));
}

/** A value of the schema in one short line of JSON. */
export function shownOfSchema(value: unknown): string {
  return cut(JSON.stringify(value) ?? String(value));
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST).toWellFormed()}…`;
}
