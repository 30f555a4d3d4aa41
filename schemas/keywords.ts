/**
 * The keywords and formats of JSON Schema in one table: everything that walks, checks, compares or compiles schemas
 * reads it. Beside them, the keywords of the authoring vocabulary.
 */
import { isJsonArray, isJsonObject, type JsonTree } from "./json.js";

/** Options of authors' schemas that tell the model builder something and never reach `connector.json`. */
export const AUTHORING_KEYWORDS: readonly string[] = [
  "jsonPropertyName",
  "jsonForm",
  "isSensitive",
  "options",
  "silence",
];

/** TypeBox's own way to name schemas; nothing in `connector.json` is referred to by it. */
export const TYPEBOX_NAMES: readonly string[] = ["$id", "$schema"];

/** A type as the keyword `type` names it. `number` includes `integer`. */
export type JsonType = "string" | "number" | "integer" | "boolean" | "array" | "object" | "null";

export const JSON_TYPES: readonly JsonType[] = [
  "string",
  "number",
  "integer",
  "boolean",
  "array",
  "object",
  "null",
];

export type Dialect = "draft-07" | "2019-09" | "2020-12";

/**
 * What a keyword does. `decide`: a value can be refused by it. `refer`: it names a schema or finds one by its name,
 * and so decides what other schemas mean. `define`: it holds schemas for others to refer to. `annotate`: it says
 * something of the value, which no validator looks at.
 */
export type KeywordRole = "decide" | "refer" | "define" | "annotate";

/** How the value of a keyword holds schemas. In `dependencies`, arrays of property names stand among the schemas. */
export type SchemaHolding = "schema" | "array" | "schema or array" | "map" | "dependencies";

/** What the schemas inside a keyword describe, of the value that the keyword stands for. */
export type InnerSubject = "the value itself" | "items" | "properties" | "property names";

/** The form that the value of a keyword must have, for keywords that hold no schemas but for `properties`. */
export type KeywordForm =
  | "array"
  | "boolean"
  | "count"
  | "number"
  | "positive number"
  | "schemas by name"
  | "string"
  | "strings";

export interface SchemaKeyword {
  readonly name: string;
  readonly role: KeywordRole;
  /** The types that it constrains; values of other types pass. Absent: values of every type. */
  readonly types?: readonly JsonType[];
  readonly holds?: SchemaHolding;
  readonly subject?: InnerSubject;
  /** Absent if any value will do, or if the schemas that it holds say enough. */
  readonly form?: KeywordForm;
  /** The keyword without which it means nothing, or another thing. */
  readonly dependsOn?: string;
  readonly dialects: readonly Dialect[];
}

const STRING: readonly JsonType[] = ["string"];
const NUMBER: readonly JsonType[] = ["number", "integer"];
const ARRAY: readonly JsonType[] = ["array"];
const OBJECT: readonly JsonType[] = ["object"];

const EACH: readonly Dialect[] = ["draft-07", "2019-09", "2020-12"];
const UNTIL_2019: readonly Dialect[] = ["draft-07", "2019-09"];
const SINCE_2019: readonly Dialect[] = ["2019-09", "2020-12"];

type Row = readonly [
  name: string,
  facts: Omit<SchemaKeyword, "name" | "role" | "dialects">,
  dialects?: readonly Dialect[],
];

const DECIDING_ROWS: readonly Row[] = [
  ["type", {}],
  // OpenAPI 3.0 has it; ajv reads it in every dialect.
  ["nullable", {}],
  ["enum", { form: "array" }],
  ["const", {}],

  ["minLength", { types: STRING, form: "count" }],
  ["maxLength", { types: STRING, form: "count" }],
  ["pattern", { types: STRING, form: "string" }],
  ["format", { types: [...STRING, ...NUMBER], form: "string" }],
  // Limits by the order of a format's strings: ajv-formats has them, JSON Schema does not.
  ["formatMinimum", { types: STRING, dependsOn: "format" }],
  ["formatMaximum", { types: STRING, dependsOn: "format" }],
  ["formatExclusiveMinimum", { types: STRING, dependsOn: "format" }],
  ["formatExclusiveMaximum", { types: STRING, dependsOn: "format" }],

  ["minimum", { types: NUMBER, form: "number" }],
  ["maximum", { types: NUMBER, form: "number" }],
  ["exclusiveMinimum", { types: NUMBER, form: "number" }],
  ["exclusiveMaximum", { types: NUMBER, form: "number" }],
  ["multipleOf", { types: NUMBER, form: "positive number" }],

  ["items", { types: ARRAY, holds: "schema or array", subject: "items" }],
  ["prefixItems", { types: ARRAY, holds: "array", subject: "items" }, ["2020-12"]],
  ["additionalItems", { types: ARRAY, holds: "schema", subject: "items", dependsOn: "items" }, UNTIL_2019],
  ["unevaluatedItems", { types: ARRAY, holds: "schema", subject: "items" }, SINCE_2019],
  ["contains", { types: ARRAY, holds: "schema", subject: "items" }],
  ["minContains", { types: ARRAY, form: "count", dependsOn: "contains" }, SINCE_2019],
  ["maxContains", { types: ARRAY, form: "count", dependsOn: "contains" }, SINCE_2019],
  ["minItems", { types: ARRAY, form: "count" }],
  ["maxItems", { types: ARRAY, form: "count" }],
  ["uniqueItems", { types: ARRAY, form: "boolean" }],

  ["properties", { types: OBJECT, holds: "map", subject: "properties", form: "schemas by name" }],
  ["required", { types: OBJECT, form: "strings" }],
  ["patternProperties", { types: OBJECT, holds: "map", subject: "properties" }],
  ["additionalProperties", { types: OBJECT, holds: "schema", subject: "properties" }],
  ["unevaluatedProperties", { types: OBJECT, holds: "schema", subject: "properties" }, SINCE_2019],
  ["propertyNames", { types: OBJECT, holds: "schema", subject: "property names" }],
  ["minProperties", { types: OBJECT, form: "count" }],
  ["maxProperties", { types: OBJECT, form: "count" }],
  ["dependencies", { types: OBJECT, holds: "dependencies", subject: "the value itself" }, ["draft-07"]],
  ["dependentRequired", { types: OBJECT }, SINCE_2019],
  ["dependentSchemas", { types: OBJECT, holds: "map", subject: "the value itself" }, SINCE_2019],

  ["allOf", { holds: "array", subject: "the value itself" }],
  ["anyOf", { holds: "array", subject: "the value itself" }],
  ["oneOf", { holds: "array", subject: "the value itself" }],
  ["not", { holds: "schema", subject: "the value itself" }],
  ["if", { holds: "schema", subject: "the value itself" }],
  ["then", { holds: "schema", subject: "the value itself", dependsOn: "if" }],
  ["else", { holds: "schema", subject: "the value itself", dependsOn: "if" }],
];

const OTHER_ROWS: Readonly<Record<Exclude<KeywordRole, "decide">, readonly Row[]>> = {
  refer: [
    ["$ref", {}],
    ["$dynamicRef", {}, ["2020-12"]],
    ["$recursiveRef", {}, ["2019-09"]],
    ["$id", {}],
    ["$recursiveAnchor", {}, ["2019-09"]],
    ["$anchor", {}, SINCE_2019],
    ["$dynamicAnchor", {}, ["2020-12"]],
    // Draft 4 wrote `$id` so.
    ["id", {}, []],
  ],
  define: [
    ["$defs", { holds: "map" }],
    ["definitions", { holds: "map" }],
  ],
  annotate: [
    ["title", { form: "string" }],
    ["description", { form: "string" }],
    ["readOnly", { form: "boolean" }],
    ["writeOnly", { form: "boolean" }],
    ["deprecated", { form: "boolean" }, SINCE_2019],
    ["default", {}],
    ["examples", {}],
    ["$comment", {}],
  ],
};

/** Every keyword that the tools know, by name. Any other is carried along and means nothing to them. */
export const KEYWORDS: ReadonlyMap<string, SchemaKeyword> = new Map([
  ...entriesOf("decide", DECIDING_ROWS),
  ...entriesOf("refer", OTHER_ROWS.refer),
  ...entriesOf("define", OTHER_ROWS.define),
  ...entriesOf("annotate", OTHER_ROWS.annotate),
]);

function entriesOf(role: KeywordRole, rows: readonly Row[]): readonly (readonly [string, SchemaKeyword])[] {
  return rows.map(([name, facts, dialects = EACH]) => [name, { name, role, ...facts, dialects }]);
}

/** The names of the keywords that `isWanted` accepts, in the order of the table. */
export function keywordNames(isWanted: (keyword: SchemaKeyword) => boolean): readonly string[] {
  return [...KEYWORDS.values()].filter(isWanted).map(({ name }) => name);
}

/** Whether the keyword `name` has a say in which values a schema accepts. */
export function isDeciding(name: string): boolean {
  const role = KEYWORDS.get(name)?.role;
  return role === "decide" || role === "refer";
}

/** Whether the keyword `name` is one of JSON Schema's that only describe. */
export function isAnnotation(name: string): boolean {
  return KEYWORDS.get(name)?.role === "annotate";
}

/** Whether the value of the keyword `name` can be a schema. */
export function holdsSchema(name: string): boolean {
  return ["schema", "schema or array"].includes(KEYWORDS.get(name)?.holds ?? "");
}

/** Whether the value of the keyword `name` can be an array of schemas. */
export function holdsSchemaArray(name: string): boolean {
  return ["array", "schema or array"].includes(KEYWORDS.get(name)?.holds ?? "");
}

/** Whether the value of the keyword `name` can be an object of schemas by name. */
export function holdsSchemaMap(name: string): boolean {
  return ["map", "dependencies"].includes(KEYWORDS.get(name)?.holds ?? "");
}

/** A schema inside the value of a keyword. */
export interface InnerSchema {
  /** From the schema with the keyword. */
  readonly steps: readonly (string | number)[];
  readonly schema: JsonTree;
}

/** The schemas that the keyword `name` with the value `value` holds; none if `value` has another form. */
export function innerSchemas(name: string, value: JsonTree): readonly InnerSchema[] {
  if (isJsonArray(value)) {
    return holdsSchemaArray(name) ? value.map((schema, index) => ({ steps: [name, index], schema })) : [];
  }
  if (holdsSchema(name)) return isSchema(value) ? [{ steps: [name], schema: value }] : [];
  if (!holdsSchemaMap(name) || !isJsonObject(value)) return [];
  return value.members
    .filter(([, schema]) => name !== "dependencies" || isSchema(schema))
    .map(([key, schema]) => ({ steps: [name, key], schema }));
}

function isSchema(value: JsonTree): boolean {
  return typeof value === "boolean" || isJsonObject(value);
}

/** Keywords that hold schemas and that the model carries as they are: `properties` and `items` it has members for. */
const CARRIED: readonly SchemaKeyword[] = [...KEYWORDS.values()].filter(
  ({ name, holds }) => holds !== undefined && name !== "properties" && name !== "items",
);

/** Keywords whose value is one schema. */
export const SCHEMA_KEYWORDS: readonly string[] = carriedNames("schema");

/** Keywords whose value is an array of schemas. */
export const SCHEMA_LIST_KEYWORDS: readonly string[] = carriedNames("array");

/** Keywords whose value is an object of schemas by name. */
export const SCHEMA_MAP_KEYWORDS: readonly string[] = carriedNames("map");

function carriedNames(holding: SchemaHolding): readonly string[] {
  return CARRIED.filter(({ holds }) => holds === holding).map(({ name }) => name);
}

/** Pairs of limits that leave no value between them if the lower one is above the upper one. */
export const LIMIT_PAIRS: readonly { readonly lower: string; readonly upper: string }[] = [
  { lower: "minLength", upper: "maxLength" },
  { lower: "minItems", upper: "maxItems" },
  { lower: "minContains", upper: "maxContains" },
  { lower: "minProperties", upper: "maxProperties" },
  { lower: "minimum", upper: "maximum" },
  { lower: "minimum", upper: "exclusiveMaximum" },
  { lower: "exclusiveMinimum", upper: "maximum" },
  { lower: "exclusiveMinimum", upper: "exclusiveMaximum" },
];

/** Keywords that limit a string by the order of its format. */
export const FORMAT_LIMIT_KEYWORDS: readonly string[] = keywordNames(
  ({ dependsOn }) => dependsOn === "format",
);

export interface Format {
  readonly name: string;
  readonly type: "string" | "number";
  /** Whether validators refuse values by it. Others only tell people how a value is used. */
  readonly isChecked: boolean;
  /** Whether its strings have an order, so that the `formatMinimum` family can limit them. */
  readonly isOrdered: boolean;
}

const CHECKED_STRINGS = [
  "byte",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "json-pointer",
  "json-pointer-uri-fragment",
  "regex",
  "relative-json-pointer",
  "uri",
  "uri-reference",
  "uri-template",
  "url",
  "uuid",
];
const ORDERED_STRINGS = ["date", "date-time", "iso-date-time", "iso-time", "time"];
const CHECKED_NUMBERS = ["int32", "int64"];
const UNCHECKED_STRINGS = ["binary", "password"];
const UNCHECKED_NUMBERS = ["double", "float"];

/** The formats that validators know: those of ajv-formats, which a test holds the table to. */
export const FORMATS: ReadonlyMap<string, Format> = new Map([
  ...formatEntries(CHECKED_STRINGS, { type: "string", isChecked: true, isOrdered: false }),
  ...formatEntries(ORDERED_STRINGS, { type: "string", isChecked: true, isOrdered: true }),
  ...formatEntries(CHECKED_NUMBERS, { type: "number", isChecked: true, isOrdered: false }),
  ...formatEntries(UNCHECKED_STRINGS, { type: "string", isChecked: false, isOrdered: false }),
  ...formatEntries(UNCHECKED_NUMBERS, { type: "number", isChecked: false, isOrdered: false }),
]);

function formatEntries(
  names: readonly string[],
  facts: Omit<Format, "name">,
): readonly (readonly [string, Format])[] {
  return names.map((name) => [name, { name, ...facts }]);
}

/** Whether validators refuse strings by the format `name`. */
export function isCheckedStringFormat(name: string): boolean {
  const format = FORMATS.get(name);
  return format?.type === "string" && format.isChecked;
}
