/** Ordinary JSON values: what schemas are compared as, and what witnesses are. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

/** A schema of a document: an object of keywords, `true` or `false`. */
export type Node = JsonObject | boolean;

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

export function isNode(value: Json | undefined): value is Node {
  return typeof value === "boolean" || isObject(value);
}

/** The own member `name`; what every object inherits is none. */
export function member(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function isText(value: Json | undefined): value is string {
  return typeof value === "string";
}

/** The texts of a list; none where it is no list. */
export function textsOf(value: Json | undefined): readonly string[] {
  return isList(value) ? value.filter(isText) : [];
}
