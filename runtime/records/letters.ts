/** Names that differ in case only. */

/** What all names that differ in case only have in common, in every language of the machine. */
export function caseless(name: string): string {
  return name.toUpperCase();
}

/** Whether two names are the same but for their case. */
export function isLike(name: string, other: string): boolean {
  return caseless(name) === caseless(other);
}
