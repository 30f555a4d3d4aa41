/** Which keywords decide what a schema accepts, by how they are compared. Every other keyword is an annotation. */

/** Keywords that the comparison understands one by one. */
export const PLAIN_KEYWORDS: ReadonlySet<string> = new Set([
  "type",
  "nullable",
  "enum",
  "const",
  "properties",
  "required",
  "additionalProperties",
  "minProperties",
  "maxProperties",
  "items",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "format",
]);

/** Keywords that only mean something together: compared as one. */
export const KEYWORD_GROUPS: readonly (readonly string[])[] = [
  ["allOf"],
  ["anyOf"],
  ["oneOf"],
  ["not"],
  ["if", "then", "else"],
  ["patternProperties"],
  ["propertyNames"],
  ["dependencies"],
  ["dependentRequired"],
  ["dependentSchemas"],
  ["unevaluatedProperties"],
  ["prefixItems"],
  ["additionalItems"],
  ["unevaluatedItems"],
  ["contains", "minContains", "maxContains"],
  ["formatMinimum", "formatMaximum", "formatExclusiveMinimum", "formatExclusiveMaximum"],
  ["$dynamicRef"],
  ["$recursiveRef"],
  ["$id"],
  ["$anchor"],
  ["$dynamicAnchor"],
  ["id"],
];

/** Every keyword by which a value can be refused. */
export const DECIDING_KEYWORDS: ReadonlySet<string> = new Set([
  ...PLAIN_KEYWORDS,
  ...KEYWORD_GROUPS.flat(),
  "$ref",
]);

/** What a schema may be named by, beside `$ref`: of these the comparison knows nothing. */
export const OTHER_REFERENCES: readonly string[] = [
  "$dynamicRef",
  "$recursiveRef",
  "$id",
  "$anchor",
  "$dynamicAnchor",
];
