/** Instances of generated classes carry their schema: what is done with any value can find it. */
import type { RecordType } from "./record-type.js";

/** The type of an instance of a generated class; undefined for anything else. */
export function carriedType(value: object): RecordType | undefined {
  // By its prototype: an author's property may be called "constructor".
  const prototype: unknown = Object.getPrototypeOf(value);
  if (typeof prototype !== "object" || prototype === null) return undefined;
  const made: unknown = Reflect.get(prototype, "constructor");
  const type: unknown = typeof made === "function" ? Reflect.get(made, "type") : undefined;
  const isType = typeof type === "object" && type !== null && "schema" in type && "check" in type;
  return isType ? (type as RecordType) : undefined;
}
