/** Values in an order that does not depend on who wrote them. */
import { isJsonObject } from "../../../schemas/json.js";

/** A copy with the members of all objects sorted. @param isKept Names of members whose value stays as it is. */
export function withSortedMembers(value: unknown, isKept = (_: string) => false): unknown {
  if (Array.isArray(value)) return value.map((item) => withSortedMembers(item, isKept));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    entries.map(([name, member]) => [name, isKept(name) ? member : withSortedMembers(member, isKept)]),
  );
}
