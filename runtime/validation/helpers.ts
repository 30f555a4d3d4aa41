/** Tests on JSON values that JavaScript has no operator for. Generated checks call them, and so do the findings. */

import { isJsonObject } from "../../schemas/json.js";

/** The members of an object, by name. */
export type Values = Readonly<Record<string, unknown>>;

/** Whether the value is a string or `undefined`: the check of most optional properties. */
export function isStringOrUndefined(value: unknown): boolean {
  return typeof value === "string" || value === undefined;
}

/** Whether the value is of the JSON Schema type `type`. NaN and Infinity are no numbers; 1.0 is an integer. */
export function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case "string":
    case "boolean":
      return typeof value === type;
    case "number":
      return Number.isFinite(value);
    case "integer":
      return Number.isInteger(value);
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isJsonObject(value);
    default:
      return false;
  }
}

/** Whether the object has no members but those in `names` (`additionalProperties: false`). */
export function hasOnlyNames(value: Values, names: ReadonlySet<string>): boolean {
  for (const name in value) if (!names.has(name)) return false;
  return true;
}

/** Whether the string has at least `limit` characters (`minLength`). A character is a Unicode code point. */
export function hasMinLength(text: string, limit: number): boolean {
  return text.length >= limit && (text.length >= limit * 2 || lengthOf(text) >= limit);
}

/** Whether the string has at most `limit` characters (`maxLength`). A character is a Unicode code point. */
export function hasMaxLength(text: string, limit: number): boolean {
  return text.length <= limit || (text.length <= limit * 2 && lengthOf(text) <= limit);
}

/**
 * Whether `value / step` is an integer in floating point, as ajv computes it (`multipleOf`): 0.07 is no multiple of
 * 0.01, and quotients of 1e21 or more are rejected.
 */
export function isMultipleOf(value: number, step: number): boolean {
  const quotient = value / step;
  return Number.isInteger(quotient) && Math.abs(quotient) < 1e21;
}

/** Whether both are the same JSON value. The order of members does not matter, and nesting of any depth is compared. */
export function isEqual(left: unknown, right: unknown): boolean {
  // A list of open pairs in place of recursion: deep values must not overflow the stack.
  const pending: [unknown, unknown][] = [[left, right]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [a, b] = pair;
    if (a === b || (Number.isNaN(a) && Number.isNaN(b))) continue;
    const isSameShape = Array.isArray(a) ? pushItems(a, b, pending) : pushMembers(a, b, pending);
    if (!isSameShape) return false;
  }
  return true;
}

/** Whether no two items are equal (`uniqueItems`). */
export function isUnique(list: readonly unknown[]): boolean {
  return findDuplicate(list) === undefined;
}

/**
 * As `isUnique`, for an array whose items are strings by their schema: ajv does not see a repeated `__proto__` there.
 */
export function isUniqueStrings(list: readonly unknown[]): boolean {
  return findDuplicate(list.filter((item) => item !== "__proto__")) === undefined;
}

/** The indexes of two items that are equal; undefined if all differ. */
export function findDuplicate(list: readonly unknown[]): readonly [number, number] | undefined {
  const scalars = new Map<unknown, number>();
  const others: number[] = [];
  for (const [index, item] of list.entries()) {
    if (typeof item === "object" && item !== null) {
      const earlier = others.find((other) => isEqual(list[other], item));
      if (earlier !== undefined) return [earlier, index];
      others.push(index);
    } else {
      const earlier = scalars.get(item);
      if (earlier !== undefined) return [earlier, index];
      scalars.set(item, index);
    }
  }
  return undefined;
}

function pushItems(a: readonly unknown[], b: unknown, pending: [unknown, unknown][]): boolean {
  if (!Array.isArray(b) || a.length !== b.length) return false;
  for (const [index, item] of a.entries()) pending.push([item, b[index]]);
  return true;
}

function pushMembers(a: unknown, b: unknown, pending: [unknown, unknown][]): boolean {
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  for (const name of names) {
    if (!Object.hasOwn(b, name)) return false;
    pending.push([a[name], b[name]]);
  }
  return true;
}

/** The number of code points; a surrogate without its other half counts as one. */
function lengthOf(text: string): number {
  let length = text.length;
  for (let index = 1; index < text.length; index++) {
    if (!isLowSurrogate(text.charCodeAt(index)) || !isHighSurrogate(text.charCodeAt(index - 1))) continue;
    length--;
    // A low half belongs to one high half only, and the next unit can't be a low half of this pair.
    index++;
  }
  return length;
}

function isHighSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

function isLowSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xdc00;
}
