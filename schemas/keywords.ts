/** The annotation keywords of the authoring vocabulary, and where JSON Schema keeps schemas inside schemas. */

/** Options that tell the model builder something and never reach `connector.json`. */
export const AUTHORING_KEYWORDS: readonly string[] = [
  "jsonPropertyName",
  "isSensitive",
  "options",
  "silence",
];

/** TypeBox's own way to name schemas; nothing in `connector.json` is referred to by it. */
export const TYPEBOX_NAMES: readonly string[] = ["$id", "$schema"];

/** Keywords whose value is one schema. */
export const SCHEMA_KEYWORDS: readonly string[] = [
  "additionalItems",
  "additionalProperties",
  "contains",
  "else",
  "if",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
];

/** Keywords whose value is a list of schemas. */
export const SCHEMA_LIST_KEYWORDS: readonly string[] = ["allOf", "anyOf", "oneOf", "prefixItems"];

/** Keywords whose value is an object of schemas by name. */
export const SCHEMA_MAP_KEYWORDS: readonly string[] = [
  "$defs",
  "definitions",
  "dependentSchemas",
  "patternProperties",
];

/** What shapes a value and is therefore never an annotation of the model. */
export const SHAPE_KEYWORDS: readonly string[] = ["type", "properties", "required", "items", "enum", "$ref"];

/** Formats that say something of a text; every other name says nothing, or speaks of numbers. */
export const TEXT_FORMATS: readonly string[] = [
  "byte",
  "date",
  "date-time",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "iso-date-time",
  "iso-time",
  "json-pointer",
  "json-pointer-uri-fragment",
  "regex",
  "relative-json-pointer",
  "time",
  "uri",
  "uri-reference",
  "uri-template",
  "url",
  "uuid",
];

/** Keywords that limit a text by the order of its format. */
export const FORMAT_LIMIT_KEYWORDS: readonly string[] = [
  "formatExclusiveMaximum",
  "formatExclusiveMinimum",
  "formatMaximum",
  "formatMinimum",
];

/** Formats whose texts have an order. */
export const ORDERED_FORMATS: readonly string[] = ["date", "date-time", "iso-date-time", "iso-time", "time"];
