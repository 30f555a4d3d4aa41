/** What a schema says beside the values that it accepts: sensitivity, defaults, words for people. */
import type { Identity } from "../identity.js";
import type { Json, JsonObject } from "../json.js";
import { DECIDING_KEYWORDS } from "../keywords.js";
import { type Facet, facet, KEEPS } from "./facet.js";

/** Definitions are looked at where they are used. */
const HOLDERS = ["$defs", "definitions"];

/** What changed in the annotations of two schemas. */
export function annotationFacets(old: JsonObject, next: JsonObject, identity: Identity): readonly Facet[] {
  const names = [...new Set([...Object.keys(old), ...Object.keys(next)])].sort();
  return names
    .filter((name) => !DECIDING_KEYWORDS.has(name) && !HOLDERS.includes(name))
    .flatMap((name) => {
      const [before, after] = [memberOf(old, name), memberOf(next, name)];
      const same =
        before !== undefined && after !== undefined && identity.ofValue(before) === identity.ofValue(after);
      return same || before === after ? [] : annotationFacet(name, before, after);
    });
}

function annotationFacet(
  keyword: string,
  before: Json | undefined,
  after: Json | undefined,
): readonly Facet[] {
  const rest = { ...KEEPS, keywords: [], isSilent: true };
  switch (keyword) {
    case "writeOnly":
      if ((before === true) === (after === true)) return [facet("annotation-changed", { keyword }, rest)];
      return after === true
        ? [facet("sensitivity-raised", {}, rest)]
        : [facet("sensitivity-lowered", {}, rest)];
    case "readOnly":
      return [facet("read-only-changed", {}, rest)];
    case "default":
      if (before === undefined) return [facet("default-added", {}, rest)];
      return after === undefined
        ? [facet("default-removed", {}, rest)]
        : [facet("default-changed", {}, rest)];
    default:
      return [facet("annotation-changed", { keyword }, rest)];
  }
}

function memberOf(node: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(node, name) ? node[name] : undefined;
}
