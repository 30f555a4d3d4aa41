/** The TypeScript type of a schema that is carried verbatim, as far as its keywords say one. */
import { isJsonArray, type JsonTree, memberOf } from "../../schemas/json.js";
import { stringLiteral } from "./literals.js";

const TYPES: Readonly<Record<string, string>> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
  array: "unknown[]",
  object: "Record<string, unknown>",
};

/** A type that holds every value which `json` accepts. */
export function verbatimType(json: JsonTree): string {
  return alternatives(json)?.join(" | ") ?? "unknown";
}

/** Whether `null` belongs to {@link verbatimType}: such a value can't be part of a key. */
export function mayBeNull(json: JsonTree): boolean {
  return alternatives(json)?.includes("null") ?? true;
}

/** The types that a value can have, each once; undefined if it can have any. */
function alternatives(json: JsonTree): readonly string[] | undefined {
  const members = memberOf(json, "enum");
  const constant = memberOf(json, "const");
  const type = memberOf(json, "type");
  const variants = listOf(json, "anyOf") ?? listOf(json, "oneOf") ?? [];
  // A union is as wide as its variants, and is written so, whatever else is said of it.
  if (variants.length > 0 && members === undefined && constant === undefined) {
    return allOf(variants, alternatives);
  }
  return (
    allOf(isJsonArray(members) ? members : [], literalType) ??
    allOf(constant === undefined ? [] : [constant], literalType) ??
    allOf(isJsonArray(type) ? type : [type ?? null], namedType)
  );
}

function listOf(json: JsonTree, keyword: string): readonly JsonTree[] | undefined {
  const list = memberOf(json, keyword);
  return isJsonArray(list) ? list : undefined;
}

/** The types of all `values`; undefined if there is none, or one of unknown type among them. */
function allOf(
  values: readonly JsonTree[],
  typesOf: (value: JsonTree) => readonly string[] | undefined,
): readonly string[] | undefined {
  const types = values.map(typesOf);
  if (types.length === 0 || types.includes(undefined)) return undefined;
  return [...new Set(types.flatMap((list) => list ?? []))];
}

function literalType(value: JsonTree): readonly string[] | undefined {
  if (typeof value === "string") return [stringLiteral(value)];
  return value === null || typeof value !== "object" ? [String(value)] : undefined;
}

function namedType(name: JsonTree): readonly string[] | undefined {
  const type = typeof name === "string" && Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
  return type === undefined ? undefined : [type];
}
