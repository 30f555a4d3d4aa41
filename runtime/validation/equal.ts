/** Deep equality of JSON values, for `enum`, `const` and `uniqueItems`. Depth costs no stack. */
import { isObject } from "./values.js";

/** Whether both are the same JSON value; the order of members does not matter. */
export function isSame(left: unknown, right: unknown): boolean {
  const pending: [unknown, unknown][] = [[left, right]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [a, b] = pair;
    if (a === b || (Number.isNaN(a) && Number.isNaN(b))) continue;
    const same = Array.isArray(a) ? pushItems(a, b, pending) : pushMembers(a, b, pending);
    if (!same) return false;
  }
  return true;
}

/** Whether no two items are the same value. */
export function isUnique(list: readonly unknown[]): boolean {
  return duplicateOf(list) === undefined;
}

/**
 * As `isUnique` for a list whose items are texts by their schema, where ajv does not see a repeated `__proto__`.
 */
export function isUniqueTexts(list: readonly unknown[]): boolean {
  return duplicateOf(list.filter((item) => item !== "__proto__")) === undefined;
}

/** The places of two items that are the same, or undefined. */
export function duplicateOf(list: readonly unknown[]): readonly [number, number] | undefined {
  const scalars = new Map<unknown, number>();
  const others: number[] = [];
  for (const [index, item] of list.entries()) {
    if (typeof item === "object" && item !== null) {
      const earlier = others.find((other) => isSame(list[other], item));
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
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  for (const name of names) {
    if (!Object.hasOwn(b, name)) return false;
    pending.push([a[name], b[name]]);
  }
  return true;
}
