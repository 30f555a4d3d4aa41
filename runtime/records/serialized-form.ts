/** What authors return or queue, as JSON: instances of generated classes and what target systems sent. */
import { type RecordType, recordTypeOf, serializeRecord } from "./record-type.js";

/** The serialized form of an instance of the generated class; any other value is taken as what the target system sent. */
export function serializedForm(type: RecordType, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return value;
  if (recordTypeOf(value) === type) return serializeRecord(type, value);
  return "toJSON" in value && typeof value.toJSON === "function" ? value.toJSON() : value;
}

/** An instance of any generated class in serialized form; any other value as it is. */
export function serializedMembers(value: unknown): unknown {
  const type = typeof value === "object" && value !== null ? recordTypeOf(value) : undefined;
  return type === undefined ? value : serializeRecord(type, value as object);
}

/** `value` as JSON text; undefined if it can't be written as such. */
export function toJsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
