/** The annotation keywords of the authoring vocabulary, and where JSON Schema keeps schemas inside schemas. */

/** Options that tell the model builder something and never reach `connector.json`. */
export const AUTHORING_KEYWORDS: readonly string[] = ["jsonPropertyName", "isSensitive", "options"];

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
