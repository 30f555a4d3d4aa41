/** JSON pointers: where a finding stands, and what a `$ref` names. */
import { fragmentSteps, jsonPointer } from "../../schemas/naming/json-pointer.js";
import { isObject } from "./values.js";

/** The pointer of a member of what `path` points to. */
export function below(path: string, step: string | number): string {
  return path + jsonPointer([step]);
}

/** Whether `path` is one of `paths` or lies below one. */
export function isWithin(path: string, paths: ReadonlySet<string>): boolean {
  if (paths.size === 0) return false;
  for (let end = path.length; end >= 0; end = end === 0 ? -1 : path.lastIndexOf("/", end - 1)) {
    if (paths.has(path.slice(0, end))) return true;
  }
  return false;
}

/** The part of `root` that a `$ref` such as `#/$defs/name` names, or undefined. */
export function target(root: unknown, reference: string): unknown {
  const steps = fragmentSteps(reference);
  if (steps === undefined) return undefined;
  let place = root;
  for (const name of steps) {
    if (Array.isArray(place)) place = place[Number(name)];
    else place = isObject(place) && Object.hasOwn(place, name) ? place[name] : undefined;
  }
  return place;
}
