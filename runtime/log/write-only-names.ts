/** The names of properties that schemas call write-only: a log hides them in values without a schema too. */
import { isJsonObject } from "../../schemas/json.js";
import { holdsSchema, keywordNames } from "../../schemas/keywords.js";
import { lettersOf } from "../../schemas/naming/secret-names.js";
import { applicableSchemas, membersOf } from "../records/applicable-schemas.js";
import type { NameMapping, NestedNameMapping } from "../records/name-mapping.js";
import type { RecordType } from "../records/record-type.js";

/** Keywords that describe the items of an array, or those values of an object that have no property of their own. */
const CONTENT_KEYWORDS = keywordNames(
  ({ name, subject }) => name !== "properties" && (subject === "items" || subject === "properties"),
);

/** The letters of these names, serialized ones and those in code. */
export function writeOnlyNames(types: readonly RecordType[]): ReadonlySet<string> {
  const letters = new Set<string>();
  for (const { schema, names } of types) {
    const jsonNames = new Set<string>();
    collectNames(schema, schema, jsonNames);
    for (const name of [...jsonNames, ...codeNames(names, jsonNames, new Set())])
      letters.add(lettersOf(name));
  }
  return letters;
}

/** Adds the name of every property, wherever in the schema, whose values are write-only or made of such values. */
function collectNames(node: unknown, root: unknown, names: Set<string>, seen = new Set<unknown>()): void {
  if (typeof node !== "object" || node === null || seen.has(node)) return;
  seen.add(node);
  for (const [keyword, inner] of Object.entries(node)) {
    if (keyword === "properties") {
      for (const [name, property] of Object.entries(membersOf(inner))) {
        if (isWriteOnly(property, root, new Set())) names.add(name);
      }
    }
    collectNames(inner, root, names, seen);
  }
}

/** Whether a value is write-only itself, or an array or dictionary of such values. */
function isWriteOnly(schema: unknown, root: unknown, seen: Set<unknown>): boolean {
  return applicableSchemas(schema, root).some((applicable) => {
    if (applicable["writeOnly"] === true) return true;
    if (seen.has(applicable)) return false;
    seen.add(applicable);
    return CONTENT_KEYWORDS.flatMap((keyword) => contentSchemas(keyword, applicable[keyword])).some((inner) =>
      isWriteOnly(inner, root, seen),
    );
  });
}

function contentSchemas(keyword: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (holdsSchema(keyword)) return [value];
  return isJsonObject(value) ? Object.values(value) : [];
}

/** What the code calls members of these serialized names. */
function codeNames(
  nested: NestedNameMapping | undefined,
  jsonNames: ReadonlySet<string>,
  seen: Set<NameMapping>,
): readonly string[] {
  const mapping = typeof nested === "function" ? nested() : nested;
  if (mapping === undefined || seen.has(mapping)) return [];
  seen.add(mapping);
  const own = (mapping.properties ?? []).flatMap(([name, jsonName, inner]) => [
    ...(jsonNames.has(jsonName) ? [name] : []),
    ...codeNames(inner, jsonNames, seen),
  ]);
  return [...own, ...codeNames(mapping.each, jsonNames, seen)];
}
