/** Limits of numbers, lengths and counts, as one conjunction of schemas sets them. */
import type { Json, JsonObject } from "../json.js";

/** A lower or an upper limit of numbers. */
export interface Bound {
  readonly value: number;
  readonly exclusive: boolean;
}

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
  const lower = (value: Json | undefined, exclusive: boolean) => {
    if (typeof value === "number") limits.lower = stricter(limits.lower, { value, exclusive }, 1);
  };
  const upper = (value: Json | undefined, exclusive: boolean) => {
    if (typeof value === "number") limits.upper = stricter(limits.upper, { value, exclusive }, -1);
  };
  lower(node["minimum"], false);
  lower(node["exclusiveMinimum"], true);
  upper(node["maximum"], false);
  upper(node["exclusiveMaximum"], true);
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

/** Whether `have` keeps everything out that `wanted` keeps out; `sign` is 1 for lower limits, -1 for upper ones. */
export function isAsStrict(have: Bound | undefined, wanted: Bound, sign: 1 | -1): boolean {
  if (have === undefined) return false;
  if (have.value === wanted.value) return have.exclusive || !wanted.exclusive;
  return sign * have.value > sign * wanted.value;
}

/** The limit as whole numbers have it: the nearest whole number that is let through. */
export function forIntegers(bound: Bound | undefined, sign: 1 | -1): Bound | undefined {
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

/** Whether every multiple of `have` is one of `wanted`, also as floating-point division sees it: whole numbers only. */
export function isMultiple(have: number, wanted: number): boolean {
  if (have === wanted) return true;
  const whole = Number.isSafeInteger(have) && Number.isSafeInteger(wanted) && wanted > 0;
  return whole && have % wanted === 0;
}

function stricter(one: Bound | undefined, other: Bound, sign: 1 | -1): Bound {
  return one === undefined || isAsStrict(other, one, sign) ? other : one;
}
