/** Names of keys that authors leave out (spec §2.6). */

/**
 * The name of a key that has none of its own: the property of a key of one; else `id` for a primary key, and for
 * another the names joined by hyphens.
 *
 * @param propertyNames Serialized names, at least one.
 */
export function defaultKeyName(propertyNames: readonly string[], isPrimary: boolean): string {
  return isPrimary && propertyNames.length > 1 ? "id" : propertyNames.join("-");
}
