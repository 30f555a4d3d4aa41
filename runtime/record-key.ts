/** The value of a record's key (spec §2.6): the key's name, then the value of each property, joined by `/`. */

/** What a key property may hold. */
export type KeyValue = string | number | boolean;

/**
 * `recordKey("id", [7, "a"])` gives `id/7/a`. A `/` or `%` inside a value is percent-encoded, so that no two
 * records share a key: `["a/b", "c"]` gives `id/a%2Fb/c`, `["a", "b/c"]` gives `id/a/b%2Fc`.
 */
export function recordKey(name: string, values: readonly KeyValue[]): string {
  return [name, ...values].map((part) => String(part).replace(/[%/]/g, encodeURIComponent)).join("/");
}
