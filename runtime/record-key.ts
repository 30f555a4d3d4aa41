/** The value of a record's key (spec §2.6): the key's name, then the value of each property, joined by `/`. */

/** What a key property may hold. */
export type KeyValue = string | number | boolean;

/** What would end a part early, stand for something else, or is no text in a database. */
const SPECIAL = /[%/\0\ud800-\udfff]/;
const SPECIAL_PARTS = /[%/\0]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * `recordKey("id", [7, "a"])` gives `id/7/a`. A `/` or `%` inside a value is percent-encoded, so that no two
 * records share a key: `["a/b", "c"]` gives `id/a%2Fb/c`, `["a", "b/c"]` gives `id/a/b%2Fc`. NUL and half of a
 * surrogate pair, which databases don't keep, become `%00` and `%uD83D`.
 */
export function recordKey(name: string, values: readonly KeyValue[]): string {
  let key = encoded(name);
  for (const value of values) key += `/${typeof value === "string" ? encoded(value) : value}`;
  return key;
}

function encoded(part: string): string {
  return SPECIAL.test(part) ? part.replace(SPECIAL_PARTS, encodedCharacter) : part;
}

function encodedCharacter(character: string): string {
  const code = character.charCodeAt(0);
  const digits = code.toString(16).toUpperCase();
  return code < 0x80 ? `%${digits.padStart(2, "0")}` : `%u${digits}`;
}
