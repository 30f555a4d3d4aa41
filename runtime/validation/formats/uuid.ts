/** UUIDs: the most common format of keys. */

// Both cases spelled out: the flag `i` makes the test slower.
const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;

/** Eight, four, four, four and twelve hexadecimal digits, with or without `urn:uuid:` before them. */
export function isUuid(text: string): boolean {
  if (text.length === 36) return UUID.test(text);
  return text.length === 45 && text.slice(0, 9).toLowerCase() === "urn:uuid:" && UUID.test(text.slice(9));
}
