/** Reads one schema of an OpenAPI document, whatever version wrote it. */
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonPointer,
  ownMember,
} from "../../../schemas/json.js";
import {
  API_TYPES,
  type ApiProperty,
  type ApiSchema,
  type ApiType,
  type At,
  type PagePart,
} from "./api-description.js";

/** The name of the schema that a reference leads to; undefined if it leads nowhere. */
type NameOf = (reference: string, at: At) => string | undefined;

type Scalar = string | number | boolean;

const NOTHING: readonly never[] = Object.freeze([]);

/** Reads `value`, which stands at `at`. What is no schema reads as one that says nothing. */
export function readSchema(value: JsonValue, at: At, nameOf: NameOf): ApiSchema {
  const json: JsonObject = isJsonObject(value) ? value : {};
  const inner = (name: string): ApiSchema | undefined => {
    const schema = ownMember(json, name);
    return isJsonObject(schema) ? readSchema(schema, at + jsonPointer([name]), nameOf) : undefined;
  };
  const several = (name: string): readonly ApiSchema[] => {
    const schemas = ownMember(json, name);
    if (!isJsonArray(schemas) || schemas.length === 0) return NOTHING;
    return schemas.flatMap((schema, index) =>
      isNull(schema) ? [] : [readSchema(schema, at + jsonPointer([name, index]), nameOf)],
    );
  };
  const reference = ownMember(json, "$ref");
  const anyOf = [...several("anyOf"), ...several("oneOf")];
  const stated = statedTypes(ownMember(json, "type"));
  return Object.freeze({
    ref: typeof reference === "string" ? nameOf(reference, at) : undefined,
    types: stated.length > 0 ? stated : inferredTypes(json),
    nullable: mayBeNull(json),
    description: textOf(ownMember(json, "description")),
    format: textOf(ownMember(json, "format")),
    values: enumValues(json),
    defaultValue: scalarOf(ownMember(json, "default")),
    example: exampleOf(json),
    readOnly: ownMember(json, "readOnly") === true,
    writeOnly: ownMember(json, "writeOnly") === true,
    pagePart: pagePartOf(json),
    properties: readProperties(json, at, nameOf),
    items: inner("items"),
    members: inner("additionalProperties"),
    allOf: several("allOf"),
    anyOf: anyOf.length === 0 ? NOTHING : anyOf,
    limits: limitsOf(json),
    at,
  });
}

/** What `x-stainless-pagination-property` of a schema or a parameter says. */
export function pagePartOf(json: JsonObject): PagePart | undefined {
  const marked = ownMember(json, "x-stainless-pagination-property");
  if (!isJsonObject(marked)) return undefined;
  return Object.freeze({
    purpose: textOf(ownMember(marked, "purpose")),
    header: textOf(ownMember(marked, "from_header")),
  });
}

function readProperties(json: JsonObject, at: At, nameOf: NameOf): readonly ApiProperty[] {
  const properties = ownMember(json, "properties");
  if (!isJsonObject(properties)) return NOTHING;
  const required = ownMember(json, "required");
  const names = new Set(isJsonArray(required) ? required : []);
  const base = `${at}/properties`;
  return Object.entries(properties).map(([name, schema]) =>
    Object.freeze({
      name,
      required: names.has(name),
      schema: readSchema(schema, base + jsonPointer([name]), nameOf),
    }),
  );
}

function statedTypes(type: JsonValue | undefined): readonly ApiType[] {
  const stated = isJsonArray(type) ? type : [type];
  return API_TYPES.filter((name) => stated.includes(name));
}

/** Documents often leave the type out; a file is a text of bytes. */
function inferredTypes(json: JsonObject): readonly ApiType[] {
  if (isJsonObject(ownMember(json, "properties")) || isJsonObject(ownMember(json, "additionalProperties")))
    return ["object"];
  if (isJsonObject(ownMember(json, "items"))) return ["array"];
  if (ownMember(json, "type") === "file") return ["string"];
  const values = enumValues(json);
  if (values.length === 0) return NOTHING;
  if (values.every((value) => typeof value === "string")) return ["string"];
  return values.every((value) => typeof value === "number") ? ["number"] : NOTHING;
}

function mayBeNull(json: JsonObject): boolean {
  if (ownMember(json, "nullable") === true || ownMember(json, "x-nullable") === true) return true;
  const type = ownMember(json, "type");
  if (isJsonArray(type) && type.includes("null")) return true;
  return ["enum", "anyOf", "oneOf"].some((name) => {
    const list = ownMember(json, name);
    return isJsonArray(list) && list.some((item) => item === null || (name !== "enum" && isNull(item)));
  });
}

/** A schema of null alone, as one of several. */
function isNull(schema: JsonValue): boolean {
  return isJsonObject(schema) && ownMember(schema, "type") === "null";
}

function enumValues(json: JsonObject): readonly Scalar[] {
  const values = ownMember(json, "enum");
  const constant = scalarOf(ownMember(json, "const"));
  if (constant !== undefined) return [constant];
  return isJsonArray(values) ? values.filter(isScalar) : NOTHING;
}

function exampleOf(json: JsonObject): Scalar | undefined {
  const examples = ownMember(json, "examples");
  return scalarOf(ownMember(json, "example")) ?? (isJsonArray(examples) ? scalarOf(examples[0]) : undefined);
}

const LIMITS = [
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "minItems",
  "maxItems",
  "uniqueItems",
];

/** `exclusiveMinimum: true` beside a minimum is how versions before 3.1 say what is now one number. */
function limitsOf(json: JsonObject): ApiSchema["limits"] {
  const limits = LIMITS.flatMap((keyword): [string, Scalar][] => {
    const value = scalarOf(ownMember(json, keyword));
    if (value === undefined) return [];
    const exclusive = `exclusive${keyword.slice(0, 1).toUpperCase()}${keyword.slice(1)}`;
    if (ownMember(json, exclusive) === true) return [[exclusive, value]];
    return keyword.startsWith("exclusive") && typeof value === "boolean" ? [] : [[keyword, value]];
  });
  return limits.length === 0 ? NOTHING : limits;
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function scalarOf(value: JsonValue | undefined): Scalar | undefined {
  return isScalar(value) ? value : undefined;
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
