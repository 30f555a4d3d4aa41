/** The value of a record's key (§2.6): the key's name, then the value of each property, joined by `/`. */

/** What a key property may hold. */
export type KeyValue = string | number | boolean;

/**
 * Whether a key can have this value. A number past 2^53 can't be told from its neighbours: JSON that is read has lost its
 * last digits already, so that two records would become one.
 */
export function isKeyValue(value: unknown): value is KeyValue {
  if (typeof value === "number") return !isInexact(value);
  return typeof value === "string" || typeof value === "boolean";
}

/** Whether a number may have lost digits when it was read: from 2^53 on doubles leave out integers. */
export function isInexact(value: unknown): boolean {
  return typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

/** Characters that would end a part early or stand for something else, and those that databases don't keep. */
const SPECIAL = /[%/\0\ud800-\udfff]/;
const SPECIAL_PARTS = /[%/\0]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * The value of the key `name`: `recordKey("id", [7, "a"])` gives `id/7/a`. A `/` or `%` inside a value is
 * percent-encoded, so that no two records share a key: `["a/b", "c"]` gives `id/a%2Fb/c`, `["a", "b/c"]` gives
 * `id/a/b%2Fc`. NUL and half of a surrogate pair, which databases don't keep, become `%00` and `%uD83D`.
 */
export function recordKey(name: string, values: readonly KeyValue[]): string {
  let key = encodePart(name);
  for (const value of values) key += `/${typeof value === "string" ? encodePart(value) : value}`;
  return key;
}

function encodePart(part: string): string {
  return SPECIAL.test(part) ? part.replace(SPECIAL_PARTS, encodeCharacter) : part;
}

function encodeCharacter(character: string): string {
  const code = character.charCodeAt(0);
  const digits = code.toString(16).toUpperCase();
  return code < 0x80 ? `%${digits.padStart(2, "0")}` : `%u${digits}`;
}
