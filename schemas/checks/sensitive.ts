/** Personal and secret values that everyone would be shown (spec §2.9, WriteOnly). */
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { matchedWords } from "./matched-words.js";
import { found } from "./place.js";
import type { SchemaView } from "./schema-view.js";
import { PERSONAL } from "./telling-words.js";
import { isLeaf, type VisitedSchema } from "./visit-schemas.js";

/** A property of a record, an input or an output whose name looks personal or secret, without `writeOnly`. */
export function checkSensitive(visited: VisitedSchema): readonly Diagnostic[] {
  const { role, position, condition, hidden, view, place, jsonName } = visited;
  if (role !== "dataObject" && role !== "input" && role !== "output") return [];
  if (position !== "property" || condition || hidden || isHidden(view) || !isLeaf(visited)) return [];
  const words = matchedWords(jsonName, PERSONAL);
  return words === undefined ? [] : [found("sensitive-not-write-only", place, { what: place.what, words })];
}

/** Hidden as a whole, or item by item. */
function isHidden({ keywords, inner }: SchemaView): boolean {
  return keywords.get("writeOnly") === true || (inner.length > 0 && inner.every(isHiddenItem));
}

function isHiddenItem({ schema }: SchemaView["inner"][number]): boolean {
  if (schema.kind === "verbatim") return false;
  return schema.keywords.some(({ name, value }) => name === "writeOnly" && value === true);
}
