/** Limits of numbers, lengths and counts, as one conjunction of schemas sets them. */
import type { JsonObject, JsonValue } from "../json.js";

/** A lower or an upper limit of numbers. */
export interface Bound {
  readonly value: number;
  readonly exclusive: boolean;
}

/** 1 for lower limits, of which a higher one is stricter; -1 for upper ones. */
export type LimitSign = 1 | -1;

/** The strictest limits that were met. */
export interface Limits {
  lower: Bound | undefined;
  upper: Bound | undefined;
  /** By keyword: `minLength`, `maxItems` … */
  readonly counts: Map<string, number>;
  readonly multiples: number[];
}

export const LOWER_COUNTS: readonly string[] = ["minLength", "minItems", "minProperties"];
export const UPPER_COUNTS: readonly string[] = ["maxLength", "maxItems", "maxProperties"];

export function noLimits(): Limits {
  return { lower: undefined, upper: undefined, counts: new Map(), multiples: [] };
}

/** Adds what the keywords of `node` say. */
export function addLimits(limits: Limits, node: JsonObject): void {
  const addLower = (value: JsonValue | undefined, exclusive: boolean) => {
    if (typeof value === "number") limits.lower = stricter(limits.lower, { value, exclusive }, 1);
  };
  const addUpper = (value: JsonValue | undefined, exclusive: boolean) => {
    if (typeof value === "number") limits.upper = stricter(limits.upper, { value, exclusive }, -1);
  };
  addLower(node["minimum"], false);
  addLower(node["exclusiveMinimum"], true);
  addUpper(node["maximum"], false);
  addUpper(node["exclusiveMaximum"], true);
  for (const [names, choose] of [
    [LOWER_COUNTS, Math.max],
    [UPPER_COUNTS, Math.min],
  ] as const) {
    for (const name of names) {
      const value = node[name];
      if (typeof value === "number") limits.counts.set(name, choose(limits.counts.get(name) ?? value, value));
    }
  }
  const multiple = node["multipleOf"];
  if (typeof multiple === "number") limits.multiples.push(multiple);
}

/** Whether `bound` refuses every number that `wanted` refuses. */
export function isAsStrict(bound: Bound | undefined, wanted: Bound, sign: LimitSign): boolean {
  if (bound === undefined) return false;
  if (bound.value === wanted.value) return bound.exclusive || !wanted.exclusive;
  return sign * bound.value > sign * wanted.value;
}

/** The same limit for integers: the nearest one that it accepts, inclusive. */
export function integerBound(bound: Bound | undefined, sign: LimitSign): Bound | undefined {
  if (bound === undefined || Math.abs(bound.value) > Number.MAX_SAFE_INTEGER - 1) return bound;
  const rounded = sign === 1 ? Math.ceil(bound.value) : Math.floor(bound.value);
  const value = bound.exclusive && rounded === bound.value ? rounded + sign : rounded;
  return { value, exclusive: false };
}

/** Whether no number lies between the two. */
export function excludesAll(lower: Bound | undefined, upper: Bound | undefined): boolean {
  if (lower === undefined || upper === undefined) return false;
  return lower.value > upper.value || (lower.value === upper.value && (lower.exclusive || upper.exclusive));
}

/**
 * Whether every multiple of `divisor` is one of `wanted`, also by floating-point division: integers only. Numbers of
 * 1e21 and more are left aside: validators can't divide them, and say that they are multiples of nothing.
 */
export function isMultiple(divisor: number, wanted: number): boolean {
  if (divisor === wanted) return true;
  const areIntegers = Number.isSafeInteger(divisor) && Number.isSafeInteger(wanted) && wanted > 0;
  return areIntegers && divisor % wanted === 0;
}

function stricter(known: Bound | undefined, other: Bound, sign: LimitSign): Bound {
  return known === undefined || isAsStrict(other, known, sign) ? other : known;
}
