/** Properties of one object that would be one property of the record (spec §2.9). */
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { below, found } from "./place.js";
import type { VisitedSchema } from "./visit-schemas.js";

/** Serialized names that two properties of the object share, or that are empty. */
export function checkPropertyNames({ view, place }: VisitedSchema): readonly Diagnostic[] {
  const firsts = new Map<string, string>();
  return view.properties.flatMap(({ name, jsonName }) => {
    const at = () => below(place, { pointer: ["properties", jsonName], path: [name] });
    if (jsonName === "") {
      return [found("name-empty", at(), { field: "serialized name", what: `"${name}" of ${place.what}` })];
    }
    const first = firsts.get(jsonName);
    if (first === undefined) firsts.set(jsonName, name);
    if (first === undefined) return [];
    return [
      found("name-duplicate-property", at(), { first, second: name, what: place.what, name: jsonName }),
    ];
  });
}
