/** Option values of an author's schema as JSON trees. */
import type { JsonMember, JsonTree } from "../../formats/json-tree.js";
import { inside, isRecord, nameOf, report, type Scope } from "./scope.js";

const DEEPEST = 200;

/** The tree of the option `keyword`, or undefined with a finding where JSON can't carry it. */
export function jsonValue(value: unknown, keyword: string, scope: Scope): JsonTree | undefined {
  const problem = firstProblem(value, new Set());
  if (problem === undefined) return plainTree(value);
  report(inside(scope, { path: [keyword] }), "schema-keyword-not-json", {
    keyword,
    what: scope.what,
    actual: problem,
  });
  return undefined;
}

/** What in `value` is not JSON, in words. */
function firstProblem(value: unknown, ancestors: ReadonlySet<unknown>): string | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined;
  if (typeof value === "number") return Number.isFinite(value) ? undefined : `the number ${value}`;
  if (typeof value !== "object") return nameOf(value);
  if (ancestors.has(value)) return "a value that contains itself";
  if (ancestors.size >= DEEPEST) return `a value nested more than ${DEEPEST} levels deep`;
  const within = new Set([...ancestors, value]);
  if (Array.isArray(value)) return firstOf(value, within);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return nameOf(value);
  return isRecord(value) ? firstOf(Object.values(value), within) : nameOf(value);
}

function firstOf(values: readonly unknown[], ancestors: ReadonlySet<unknown>): string | undefined {
  for (const value of values) {
    const problem = firstProblem(value, ancestors);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function plainTree(value: unknown): JsonTree {
  if (Array.isArray(value)) return value.map(plainTree);
  if (!isRecord(value)) return Object.is(value, -0) ? 0 : (value as JsonTree);
  return { members: Object.entries(value).map(([name, member]): JsonMember => [name, plainTree(member)]) };
}
