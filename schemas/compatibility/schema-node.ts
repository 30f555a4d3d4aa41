/** Schemas as ordinary JSON values: their members, and the types of the values that they accept. */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, ownMember } from "../json.js";
import { KEYWORDS } from "../keywords.js";

/** A schema of a document: an object of keywords, `true` or `false`. */
export type SchemaNode = JsonObject | boolean;

export function isSchemaNode(value: JsonValue | undefined): value is SchemaNode {
  return typeof value === "boolean" || isJsonObject(value);
}

export function isString(value: JsonValue | undefined): value is string {
  return typeof value === "string";
}

/** The strings in an array; empty if `value` is no array. */
export function stringsIn(value: JsonValue | undefined): readonly string[] {
  return isJsonArray(value) ? value.filter(isString) : [];
}

/** The schemas of an array; empty if `value` is anything but an array of schemas. */
export function schemasIn(value: JsonValue | undefined): readonly SchemaNode[] {
  return isJsonArray(value) && value.every(isSchemaNode) ? value : [];
}

/** `value` if it is an object, else an object without members. */
export function objectOrEmpty(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** What `properties` says of the property `name`; undefined if it says nothing. */
export function propertySchema(node: SchemaNode, name: string): JsonValue | undefined {
  return isJsonObject(node) ? ownMember(objectOrEmpty(node["properties"]), name) : undefined;
}

/**
 * The schemas of `node` for a member `name` that `properties` does not list: by `patternProperties`, or else by
 * `additionalProperties`. Empty if nothing is said; undefined if a pattern can't be read.
 */
export function schemasOfOther(node: JsonObject, name: string): readonly SchemaNode[] | undefined {
  const matching: JsonValue[] = [];
  for (const [pattern, schema] of Object.entries(objectOrEmpty(node["patternProperties"]))) {
    const isMatch = isMatching(pattern, name);
    if (isMatch === undefined) return undefined;
    if (isMatch) matching.push(schema);
  }
  if (matching.length > 0) return matching.every(isSchemaNode) ? matching : undefined;
  const additional = node["additionalProperties"];
  return isSchemaNode(additional) ? [additional] : [];
}

/** Whether `name` matches `pattern`, as validators read it; undefined if it is no regular expression. */
export function isMatching(pattern: string, name: string): boolean | undefined {
  try {
    return new RegExp(pattern, "u").test(name);
  } catch {
    return undefined;
  }
}

/** The values of `enum`, or the one of `const`; undefined if the schema lists none. */
export function listedValues(node: JsonObject): readonly JsonValue[] | undefined {
  const listed = Object.hasOwn(node, "const") ? [node["const"] ?? null] : node["enum"];
  return isJsonArray(listed) ? listed : undefined;
}

/** The type of a JSON value. Numbers are split in two, so that no type is a part of another. */
export type ValueType = "string" | "integer" | "fraction" | "boolean" | "null" | "array" | "object";

export const VALUE_TYPES: readonly ValueType[] = [
  "string",
  "integer",
  "fraction",
  "boolean",
  "null",
  "array",
  "object",
];

const TYPES_BY_NAME: Readonly<Record<string, readonly ValueType[]>> = {
  string: ["string"],
  integer: ["integer"],
  number: ["integer", "fraction"],
  boolean: ["boolean"],
  null: ["null"],
  array: ["array"],
  object: ["object"],
};

/** The types that the keyword `type` accepts; undefined if it names a type that JSON Schema does not have. */
export function acceptedTypes(node: JsonObject): readonly ValueType[] | undefined {
  const type = node["type"];
  if (type === undefined) return node["nullable"] === undefined ? VALUE_TYPES : undefined;
  const names = isJsonArray(type) ? type : [type];
  if (!names.every((name) => isString(name) && Object.hasOwn(TYPES_BY_NAME, name))) return undefined;
  const types = new Set(names.filter(isString).flatMap((name) => TYPES_BY_NAME[name] ?? []));
  if (node["nullable"] === true) types.add("null");
  return VALUE_TYPES.filter((type) => types.has(type));
}

/** The types of the values that the keyword `name` constrains; undefined for all. */
export function constrainedTypes(name: string): readonly ValueType[] | undefined {
  return KEYWORDS.get(name)?.types?.flatMap((type) => TYPES_BY_NAME[type] ?? []);
}

export function typeOfValue(value: JsonValue): ValueType {
  if (value === null) return "null";
  if (isJsonArray(value)) return "array";
  if (isJsonObject(value)) return "object";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "fraction";
  return typeof value === "string" ? "string" : "boolean";
}
