/** Kinds of change of one value: what its schema was, what it is, and what that does to the accepted values. */
import type { ChangeCode } from "../../../schemas/compatibility/change-catalogue.js";

type Schema = boolean | { readonly [keyword: string]: unknown };

/** What the change does to the accepted values. What can't be decided counts as breaking. */
export type Effect =
  | "accepts fewer values"
  | "accepts more values"
  | "accepts other values"
  | "accepts the same values"
  | "can not be decided";

export interface ValueMutation {
  readonly name: string;
  readonly before: Schema;
  readonly after: Schema;
  readonly effect: Effect;
  readonly code: ChangeCode;
  readonly reverse: ChangeCode;
  /** Severity in both directions, where the values do not decide. */
  readonly severities?: readonly ["major" | "minor" | "patch", "major" | "minor" | "patch"];
}

const text = { type: "string" };
const integer = { type: "integer" };
const list = { type: "array", items: text };
const colours = { type: "string", enum: ["Red", "Green", "Blue"] };
const person = { type: "object", properties: { name: text, age: integer }, required: ["name"] };
const other = { type: "object", additionalProperties: integer };
const limit = (keyword: string, value: number, type = "string") => ({
  ...(type === "array" ? list : { type }),
  [keyword]: value,
});
const LIMIT_TIGHTENED = {
  effect: "accepts fewer values",
  code: "limit-tightened",
  reverse: "limit-loosened",
} as const;
const COMBINATION_CHANGED = { code: "combination-changed", reverse: "combination-changed" } as const;
const ANNOTATION_CHANGED = {
  effect: "accepts the same values",
  code: "annotation-changed",
  reverse: "annotation-changed",
} as const;

/** Each row is tried forwards and backwards, for every role. */
export const VALUE_MUTATIONS: readonly ValueMutation[] = [
  row(
    "null is accepted",
    text,
    { type: ["string", "null"] },
    "accepts more values",
    "null-accepted",
    "null-refused",
  ),
  row(
    "null is listed",
    colours,
    { type: ["string", "null"], enum: [...colours.enum, null] },
    "accepts more values",
    "null-accepted",
    "null-refused",
  ),
  row("a text becomes a number", text, integer, "accepts other values", "type-changed", "type-changed"),
  row(
    "a number becomes whole",
    { type: "number" },
    integer,
    "accepts fewer values",
    "type-changed",
    "type-changed",
  ),
  row(
    "a second type",
    text,
    { type: ["string", "integer"] },
    "accepts more values",
    "type-changed",
    "type-changed",
  ),
  row("any value becomes a text", true, text, "accepts fewer values", "type-changed", "type-changed"),
  row(
    "a described value gets a type",
    { description: "x" },
    { ...text, description: "x" },
    "accepts fewer values",
    "type-changed",
    "type-changed",
  ),
  row("a list becomes an object", list, person, "accepts other values", "type-changed", "type-changed"),
  row("values are listed", text, colours, "accepts fewer values", "enum-introduced", "enum-dropped"),
  row(
    "one value is given",
    text,
    { ...text, const: "Red" },
    "accepts fewer values",
    "enum-introduced",
    "enum-dropped",
  ),
  row(
    "one more listed value",
    colours,
    { ...colours, enum: [...colours.enum, "Black"] },
    "accepts more values",
    "enum-member-added",
    "enum-member-removed",
  ),
  row(
    "a listed number is removed",
    { enum: [1, 2, 3] },
    { enum: [3, 1] },
    "accepts fewer values",
    "enum-member-removed",
    "enum-member-added",
  ),
  row(
    "a listed value is no text",
    { enum: ["1"] },
    { enum: ["1", true] },
    "accepts more values",
    "enum-member-added",
    "enum-member-removed",
  ),

  { name: "minLength", before: text, after: limit("minLength", 2), ...LIMIT_TIGHTENED },
  {
    name: "minLength raised",
    before: limit("minLength", 2),
    after: limit("minLength", 5),
    ...LIMIT_TIGHTENED,
  },
  { name: "maxLength", before: text, after: limit("maxLength", 20), ...LIMIT_TIGHTENED },
  {
    name: "maxLength lowered",
    before: limit("maxLength", 20),
    after: limit("maxLength", 10),
    ...LIMIT_TIGHTENED,
  },
  {
    name: "maxLength of a format",
    before: { ...text, format: "uuid" },
    after: { ...text, format: "uuid", maxLength: 10 },
    ...LIMIT_TIGHTENED,
  },
  {
    name: "maxLength of a pattern",
    before: { ...text, pattern: "^[A-Z]+$", maxLength: 9 },
    after: { ...text, pattern: "^[A-Z]+$", maxLength: 5 },
    ...LIMIT_TIGHTENED,
  },
  { name: "minimum", before: integer, after: limit("minimum", 1, "integer"), ...LIMIT_TIGHTENED },
  {
    name: "minimum raised",
    before: limit("minimum", -5, "number"),
    after: limit("minimum", -4.5, "number"),
    ...LIMIT_TIGHTENED,
  },
  {
    name: "exclusiveMinimum",
    before: { type: "number" },
    after: limit("exclusiveMinimum", 0, "number"),
    ...LIMIT_TIGHTENED,
  },
  { name: "maximum", before: integer, after: limit("maximum", 100, "integer"), ...LIMIT_TIGHTENED },
  {
    name: "maximum lowered",
    before: limit("maximum", 100, "integer"),
    after: limit("maximum", 99, "integer"),
    ...LIMIT_TIGHTENED,
  },
  {
    name: "exclusiveMaximum lowered",
    before: limit("exclusiveMaximum", 10, "number"),
    after: limit("exclusiveMaximum", 9, "number"),
    ...LIMIT_TIGHTENED,
  },
  {
    name: "maximum of multiples",
    before: { ...limit("maximum", 90, "integer"), multipleOf: 15 },
    after: { ...limit("maximum", 80, "integer"), multipleOf: 15 },
    ...LIMIT_TIGHTENED,
  },
  { name: "multipleOf", before: integer, after: limit("multipleOf", 2, "integer"), ...LIMIT_TIGHTENED },
  {
    name: "multipleOf doubled",
    before: limit("multipleOf", 2, "integer"),
    after: limit("multipleOf", 4, "integer"),
    ...LIMIT_TIGHTENED,
  },
  row(
    "another multipleOf",
    limit("multipleOf", 2, "integer"),
    limit("multipleOf", 3, "integer"),
    "accepts other values",
    "constraint-changed",
    "constraint-changed",
  ),
  { name: "minItems", before: list, after: limit("minItems", 1, "array"), ...LIMIT_TIGHTENED },
  {
    name: "maxItems lowered",
    before: limit("maxItems", 5, "array"),
    after: limit("maxItems", 4, "array"),
    ...LIMIT_TIGHTENED,
  },
  { name: "uniqueItems", before: list, after: { ...list, uniqueItems: true }, ...LIMIT_TIGHTENED },
  { name: "minProperties", before: other, after: { ...other, minProperties: 1 }, ...LIMIT_TIGHTENED },
  { name: "maxProperties", before: other, after: { ...other, maxProperties: 2 }, ...LIMIT_TIGHTENED },
  row(
    "a pattern",
    text,
    { ...text, pattern: "^[a-z]{2}$" },
    "accepts fewer values",
    "constraint-added",
    "constraint-removed",
  ),
  row(
    "another pattern",
    { ...text, pattern: "^[a-z]{2}$" },
    { ...text, pattern: "^[A-Z]{2}$" },
    "accepts other values",
    "constraint-changed",
    "constraint-changed",
  ),
  row(
    "a pattern that can't be told from the other",
    { ...text, pattern: "^(?:a|b)+$" },
    { ...text, pattern: "^(?:b|a)+$" },
    "can not be decided",
    "constraint-changed",
    "constraint-changed",
  ),
  row(
    "a format",
    text,
    { ...text, format: "date-time" },
    "accepts fewer values",
    "constraint-added",
    "constraint-removed",
  ),
  row(
    "another format",
    { ...text, format: "date" },
    { ...text, format: "uuid" },
    "accepts other values",
    "constraint-changed",
    "constraint-changed",
  ),

  row(
    "items are described",
    { type: "array" },
    list,
    "accepts fewer values",
    "values-described",
    "values-undescribed",
  ),
  row(
    "an item may be null",
    list,
    { ...list, items: { type: ["string", "null"] } },
    "accepts more values",
    "null-accepted",
    "null-refused",
  ),
  row(
    "a dictionary is described",
    { type: "object" },
    other,
    "accepts fewer values",
    "values-described",
    "values-undescribed",
  ),
  row(
    "a value of a dictionary may be null",
    other,
    { ...other, additionalProperties: { type: ["integer", "null"] } },
    "accepts more values",
    "null-accepted",
    "null-refused",
  ),
  row(
    "an object is closed",
    person,
    { ...person, additionalProperties: false },
    "accepts fewer values",
    "object-closed",
    "object-opened",
  ),
  row(
    "a dictionary is closed",
    other,
    { ...other, additionalProperties: false },
    "accepts fewer values",
    "object-closed",
    "object-opened",
  ),
  row(
    "an inner property is required",
    person,
    { ...person, required: ["age", "name"] },
    "accepts fewer values",
    "property-required",
    "property-optional",
  ),
  row(
    "an inner property may be null",
    person,
    { ...person, properties: { ...person.properties, age: { type: ["integer", "null"] } } },
    "accepts more values",
    "null-accepted",
    "null-refused",
  ),

  {
    name: "allOf",
    before: text,
    after: { ...text, allOf: [{ minLength: 3 }] },
    effect: "accepts fewer values",
    ...COMBINATION_CHANGED,
  },
  {
    name: "anyOf",
    before: true,
    after: { anyOf: [text, integer] },
    effect: "accepts fewer values",
    ...COMBINATION_CHANGED,
  },
  {
    name: "a branch of anyOf more",
    before: { anyOf: [text, integer] },
    after: { anyOf: [integer, text, list] },
    effect: "accepts more values",
    ...COMBINATION_CHANGED,
  },
  row(
    "null in a branch of anyOf",
    { anyOf: [text, list] },
    { anyOf: [list, { type: ["string", "null"] }] },
    "accepts more values",
    "null-accepted",
    "null-refused",
  ),
  {
    name: "oneOf",
    before: { oneOf: [text, integer] },
    after: { oneOf: [text, { type: "boolean" }] },
    effect: "accepts other values",
    ...COMBINATION_CHANGED,
  },
  {
    name: "not",
    before: text,
    after: { ...text, not: { const: "none" } },
    effect: "accepts fewer values",
    ...COMBINATION_CHANGED,
  },
  {
    name: "if",
    before: person,
    // biome-ignore lint/suspicious/noThenProperty: the keyword
    after: { ...person, if: { required: ["age"] }, then: { maxProperties: 1 } },
    effect: "accepts fewer values",
    ...COMBINATION_CHANGED,
  },
  {
    name: "patternProperties",
    before: { type: "object" },
    after: { type: "object", patternProperties: { "^o": integer } },
    effect: "accepts fewer values",
    ...COMBINATION_CHANGED,
  },
  {
    name: "propertyNames",
    before: { type: "object" },
    after: { type: "object", propertyNames: { maxLength: 3 } },
    effect: "accepts fewer values",
    ...COMBINATION_CHANGED,
  },
  {
    name: "contains",
    before: list,
    after: { ...list, contains: { const: "x" } },
    effect: "accepts fewer values",
    ...COMBINATION_CHANGED,
  },
  {
    name: "dependencies",
    before: person,
    after: { ...person, dependencies: { name: ["age"] } },
    effect: "accepts fewer values",
    ...COMBINATION_CHANGED,
  },

  row(
    "anyOf of types as a list of types",
    { anyOf: [text, { type: "null" }] },
    { type: ["string", "null"] },
    "accepts the same values",
    "written-otherwise",
    "written-otherwise",
  ),
  row(
    "whole numbers above four from five on",
    { ...integer, exclusiveMinimum: 4 },
    { ...integer, minimum: 5 },
    "accepts the same values",
    "written-otherwise",
    "written-otherwise",
  ),
  row(
    "a length that a number never has",
    integer,
    { ...integer, minLength: 3 },
    "accepts the same values",
    "written-otherwise",
    "written-otherwise",
  ),
  row(
    "allOf of what stands beside it",
    { ...text, minLength: 1 },
    { allOf: [text, { minLength: 1 }] },
    "accepts the same values",
    "written-otherwise",
    "written-otherwise",
  ),

  { name: "a description", before: text, after: { ...text, description: "New." }, ...ANNOTATION_CHANGED },
  {
    name: "a title",
    before: { ...text, title: "Old" },
    after: { ...text, title: "New" },
    ...ANNOTATION_CHANGED,
  },
  { name: "deprecated", before: text, after: { ...text, deprecated: true }, ...ANNOTATION_CHANGED },
  { name: "an unknown keyword", before: text, after: { ...text, "x-unit": "kg" }, ...ANNOTATION_CHANGED },
  {
    name: "a hidden value is shown",
    before: { ...text, writeOnly: true },
    after: text,
    effect: "accepts the same values",
    code: "sensitivity-lowered",
    reverse: "sensitivity-raised",
    severities: ["major", "minor"],
  },
  {
    name: "a value hidden in a combination is shown",
    before: { not: { type: "object", properties: { a: { ...text, writeOnly: true } } } },
    after: { not: { type: "object", properties: { a: text } } },
    effect: "accepts the same values",
    code: "sensitivity-lowered",
    reverse: "sensitivity-raised",
    severities: ["major", "minor"],
  },
  {
    name: "readOnly",
    before: text,
    after: { ...text, readOnly: true },
    effect: "accepts the same values",
    code: "read-only-changed",
    reverse: "read-only-changed",
    severities: ["minor", "minor"],
  },
  {
    name: "a default",
    before: text,
    after: { ...text, default: "a" },
    effect: "accepts the same values",
    code: "default-added",
    reverse: "default-removed",
    severities: ["minor", "major"],
  },
  {
    name: "another default",
    before: { ...text, default: "a" },
    after: { ...text, default: "b" },
    effect: "accepts the same values",
    code: "default-changed",
    reverse: "default-changed",
    severities: ["major", "major"],
  },
];

function row(
  name: string,
  before: Schema,
  after: Schema,
  ...[effect, code, reverse]: readonly [Effect, ChangeCode, ChangeCode]
): ValueMutation {
  return { name, before, after, effect, code, reverse };
}
