/** Cells of a CSV file as the values that the schema of a record asks for: a file has texts only. */
import { isJsonObject } from "../../schemas/json.js";
import { applicableSchemas, memberSchemas } from "../records/applicable-schemas.js";
import type { RecordType } from "../records/record-type.js";

/** The value of a cell; undefined if the record has none. */
export type CellReader = (text: string) => unknown;

/**
 * What reads the cells of a column into the property `name`, by its serialized name. A text that is no value of the
 * property stays a text, so that the record is rejected with its reason.
 */
export function cellReader({ schema }: Pick<RecordType, "schema">, name: string): CellReader {
  const own = applicableSchemas(schema, schema);
  const described = own.flatMap((part) => memberSchemas(part, name));
  const types = new Set(described.flatMap((part) => applicableSchemas(part, schema)).flatMap(typesOf));
  const isRequired = own.some(({ required }) => Array.isArray(required) && required.includes(name));
  const isText = types.has("string") || types.size === 0;
  const empty = types.has("null") ? null : isText && isRequired ? "" : undefined;
  const read = isText ? (text: string) => text : valueReader(types);
  return (text) => (text === "" ? empty : read(text));
}

/** The types that a schema names, or those of the values that it lists. */
function typesOf({ type, enum: values, const: value }: Readonly<Record<string, unknown>>): readonly string[] {
  if (typeof type === "string") return [type];
  if (Array.isArray(type)) return type;
  const listed = Array.isArray(values) ? values : value === undefined ? [] : [value];
  return listed.map((one) => (one === null ? "null" : typeof one));
}

function valueReader(types: ReadonlySet<string>): (text: string) => unknown {
  const isNumber = types.has("number") || types.has("integer");
  const isBoolean = types.has("boolean");
  const isNested = types.has("object") || types.has("array");
  return (text) => {
    const trimmed = text.trim();
    if (isNumber && NUMBER.test(trimmed)) return Number(trimmed);
    if (isBoolean && Object.hasOwn(BOOLEANS, trimmed.toLowerCase())) return BOOLEANS[trimmed.toLowerCase()];
    return isNested ? nestedValue(text) : text;
  };
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, false: false, 1: true, 0: false };

/** A list or an object that is written as JSON. */
function nestedValue(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) || isJsonObject(value) ? value : text;
  } catch {
    return text;
  }
}
