/** The types of JSON values, with numbers split in two: `integer` is a part of `number`. */
import { isList, isText, type JsonObject } from "../json.js";

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

const NAMED: Readonly<Record<string, readonly ValueType[]>> = {
  string: ["string"],
  integer: ["integer"],
  number: ["integer", "fraction"],
  boolean: ["boolean"],
  null: ["null"],
  array: ["array"],
  object: ["object"],
};

/** What the keyword `type` lets through; undefined where it can't be read. */
export function typesOf(node: JsonObject): readonly ValueType[] | undefined {
  const type = node["type"];
  if (type === undefined) return node["nullable"] === undefined ? VALUE_TYPES : undefined;
  const names = isList(type) ? type : [type];
  if (!names.every((name) => isText(name) && Object.hasOwn(NAMED, name))) return undefined;
  const types = new Set(names.filter(isText).flatMap((name) => NAMED[name] ?? []));
  if (node["nullable"] === true) types.add("null");
  return VALUE_TYPES.filter((one) => types.has(one));
}

/** The keywords that speak of some types only. */
export const KEYWORD_TYPES: Readonly<Record<string, readonly ValueType[]>> = {
  properties: ["object"],
  required: ["object"],
  additionalProperties: ["object"],
  patternProperties: ["object"],
  propertyNames: ["object"],
  dependencies: ["object"],
  minProperties: ["object"],
  maxProperties: ["object"],
  items: ["array"],
  additionalItems: ["array"],
  contains: ["array"],
  minItems: ["array"],
  maxItems: ["array"],
  uniqueItems: ["array"],
  minimum: ["integer", "fraction"],
  maximum: ["integer", "fraction"],
  exclusiveMinimum: ["integer", "fraction"],
  exclusiveMaximum: ["integer", "fraction"],
  multipleOf: ["integer", "fraction"],
  minLength: ["string"],
  maxLength: ["string"],
  pattern: ["string"],
  format: ["string", "integer", "fraction"],
};
