/** TypeBox's types that exist only in JavaScript, with what to write in their place. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  Date: 'Type.String({ format: "date-time" })',
  Uint8Array: "a Type.String with the address of the file",
  BigInt: "Type.Integer() or Type.String()",
  RegExp: "Type.String({ pattern })",
  Undefined: "Type.Optional around the property",
  Void: "Type.Object({})",
  Symbol: "StringEnum",
  Function: "a value",
  Constructor: "Type.Object with the properties of the class",
  Promise: "the schema of the value that it gives",
  Iterator: "Type.Array",
  AsyncIterator: "Type.Array",
};

/** What to write in place of a TypeBox kind that JSON can't carry; undefined for the others. */
export function nonJsonReplacement(kind: unknown): string | undefined {
  return typeof kind === "string" && Object.hasOwn(REPLACEMENTS, kind) ? REPLACEMENTS[kind] : undefined;
}
