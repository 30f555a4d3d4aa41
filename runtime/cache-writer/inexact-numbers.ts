/** Where a record holds numbers that may have lost digits when they were read. */
import { escapePointerStep } from "../../schemas/json.js";
import { isInexact } from "../records/record-key.js";

/** Paths of the numbers past 2^53 in `value`, which is no deeper than a hasher takes; `*` stands for every item of a list. */
export function inexactPaths(value: unknown, path = ""): readonly string[] {
  if (isInexact(value)) return [path];
  if (typeof value !== "object" || value === null) return [];
  const isList = Array.isArray(value);
  const found = Object.entries(value).flatMap(([name, member]) =>
    inexactPaths(member, `${path}/${isList ? "*" : escapePointerStep(name)}`),
  );
  return [...new Set(found)];
}
