/** The names of members that schemas call write-only, so that a log hides them in values without a schema too. */
import type { Names, NamesBelow } from "../../records/names.js";
import type { RecordType } from "../../records/record-type.js";
import { applicable, membersOf } from "../../records/schema-places.js";
import { lettersOf } from "./sensitive-names.js";

/** The letters of these names, serialized ones and those in code. */
export function sensitiveNamesOf(types: readonly RecordType[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { schema, names } of types) {
    const jsonNames = new Set<string>();
    collect(schema, schema, jsonNames);
    for (const name of [...jsonNames, ...codeNames(names, jsonNames, new Set())]) found.add(lettersOf(name));
  }
  return found;
}

/** Every name under `properties`, wherever in the schema, of a property that holds nothing but what is write-only. */
function collect(place: unknown, root: unknown, found: Set<string>, seen = new Set<unknown>()): void {
  if (typeof place !== "object" || place === null || seen.has(place)) return;
  seen.add(place);
  for (const [keyword, inner] of Object.entries(place)) {
    if (keyword === "properties") {
      for (const [name, member] of Object.entries(membersOf(inner))) {
        if (isSensitive(member, root, new Set())) found.add(name);
      }
    }
    collect(inner, root, found, seen);
  }
}

/** Write-only itself, or a list or dictionary of such values. */
function isSensitive(schema: unknown, root: unknown, seen: Set<unknown>): boolean {
  return applicable(schema, root).some((one) => {
    if (one["writeOnly"] === true) return true;
    if (seen.has(one)) return false;
    seen.add(one);
    const items = Array.isArray(one["items"]) ? one["items"] : [one["items"]];
    const values = [one["additionalProperties"], ...Object.values(membersOf(one["patternProperties"]))];
    return [...items, ...values].some((inner) => isSensitive(inner, root, seen));
  });
}

/** What the code calls members of these serialized names. */
function codeNames(
  below: NamesBelow | undefined,
  jsonNames: ReadonlySet<string>,
  seen: Set<Names>,
): readonly string[] {
  const names = typeof below === "function" ? below() : below;
  if (names === undefined || seen.has(names)) return [];
  seen.add(names);
  const own = (names.properties ?? []).flatMap(([name, jsonName, inner]) => [
    ...(jsonNames.has(jsonName) ? [name] : []),
    ...codeNames(inner, jsonNames, seen),
  ]);
  return [...own, ...codeNames(names.each, jsonNames, seen)];
}
