/** The TypeScript type of a schema that is carried verbatim, as far as its `type` says one. */
import { isJsonArray, isJsonObject, type JsonTree, memberOf } from "../../schemas/json.js";
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
  const members = memberOf(json, "enum");
  if (
    isJsonArray(members) &&
    members.length > 0 &&
    members.every((member) => typeof member === "string" || member === null)
  ) {
    return [
      ...new Set(members.map((member) => (member === null ? "null" : stringLiteral(String(member))))),
    ].join(" | ");
  }
  const type = isJsonObject(json) ? memberOf(json, "type") : undefined;
  const types = isJsonArray(type) ? type : [type];
  const named = types.map((name) =>
    typeof name === "string" && Object.hasOwn(TYPES, name) ? TYPES[name] : undefined,
  );
  return named.length > 0 && !named.includes(undefined) ? [...new Set(named)].join(" | ") : "unknown";
}

/** Whether `null` belongs to {@link verbatimType}: such a value can't be part of a key. */
export function mayBeNull(json: JsonTree): boolean {
  const type = verbatimType(json);
  return type === "unknown" || type.split(" | ").includes("null");
}
