/** The names of members that schemas call write-only, so that a log hides them in values without a schema too. */
import type { Names, NamesBelow } from "../../records/names.js";
import type { RecordType } from "../../records/record-type.js";
import { lettersOf } from "./sensitive-names.js";

/** The letters of these names, serialized ones and those in code. */
export function sensitiveNamesOf(types: readonly RecordType[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { schema, names } of types) {
    const jsonNames = new Set<string>();
    collect(schema, jsonNames, new Set());
    for (const name of [...jsonNames, ...codeNames(names, jsonNames, new Set())]) found.add(lettersOf(name));
  }
  return found;
}

/** Every name under `properties` whose schema says, anywhere in it but below other names, that it is write-only. */
function collect(schema: unknown, found: Set<string>, seen: Set<unknown>): void {
  if (typeof schema !== "object" || schema === null || seen.has(schema)) return;
  seen.add(schema);
  for (const [keyword, inner] of Object.entries(schema)) {
    if (keyword === "properties" && typeof inner === "object" && inner !== null) {
      for (const [name, member] of Object.entries(inner)) if (isWriteOnly(member)) found.add(name);
    }
    collect(inner, found, seen);
  }
}

function isWriteOnly(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  if (Reflect.get(schema, "writeOnly") === true) return true;
  return ["allOf", "anyOf", "oneOf"].some((keyword) => {
    const list: unknown = Reflect.get(schema, keyword);
    return Array.isArray(list) && list.some(isWriteOnly);
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
