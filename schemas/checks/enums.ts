/** Lists of members (spec §2.9): not empty, each once, null among them where the value may be null. */
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { JsonTree } from "../formats/json-tree.js";
import { found } from "./place.js";
import type { VisitedSchema } from "./visit-schemas.js";

/** What is wrong with the members of one schema. */
export function checkEnum({ view, place }: VisitedSchema): readonly Diagnostic[] {
  const { members, types } = view;
  if (members === undefined) return [];
  const { what } = place;
  const isNullable = types?.includes("null") === true;
  // A list of nothing but null has no member either.
  if (members.every((member) => member === null)) {
    return [found("enum-invalid", place, { what, problem: "are an empty list" })];
  }
  return [
    ...repeated(members).map((member) =>
      found("enum-invalid", place, { what, problem: `hold ${member} more than once` }),
    ),
    ...(isNullable && !members.includes(null) ? [found("enum-null-missing", place, { what })] : []),
  ];
}

/** Each member that stands more than once, as JSON; lists and objects are not compared. */
function repeated(members: readonly JsonTree[]): readonly string[] {
  const seen = new Set<JsonTree>();
  const again = members.filter((member) => {
    if (typeof member === "object" && member !== null) return false;
    return seen.size === seen.add(member).size;
  });
  return [...new Set(again)].map((member) => JSON.stringify(member));
}
