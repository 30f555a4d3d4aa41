/** What the kinds of JSON values are, for emitted validators and for the interpreter alike. */

/** An object's members by name. */
export type Values = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a member is a text or left out. */
export function isTextOrNone(value: unknown): boolean {
  return typeof value === "string" || value === undefined;
}

/** Whether `value` is of the JSON Schema type `type`. NaN and Infinity are no numbers; 1.0 is an integer. */
export function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case "string":
    case "boolean":
      return typeof value === type;
    case "number":
      return Number.isFinite(value);
    case "integer":
      return Number.isInteger(value);
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    default:
      return false;
  }
}

/** Whether the object has no member but those in `names`. */
export function hasOnly(value: Values, names: ReadonlySet<string>): boolean {
  for (const name in value) if (!names.has(name)) return false;
  return true;
}
