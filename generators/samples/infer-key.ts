/** Which properties tell the records of a sample apart. */
import { type JsonMembers, memberOf } from "../../schemas/json.js";
import { lettersOf } from "../../schemas/naming/secret-names.js";
import type { InferredProperty } from "./infer-schema.js";

/** The primary key that was chosen. */
export interface InferredKey {
  /** Serialized names. */
  readonly properties: readonly string[];
  /** Why these: a sentence. */
  readonly reason: string;
}

/** Longer ones are no keys any more. */
const MOST_PROPERTIES = 4;
/** How many properties are looked at whose names say nothing. */
const MOST_NAMELESS = 50;

/**
 * The key of `records`, or why there is none: the end of a sentence.
 * @param nouns What a record is called.
 */
export function inferKey(
  records: readonly JsonMembers[],
  properties: readonly InferredProperty[],
  nouns: readonly string[],
): InferredKey | string {
  const able = properties.filter(canBeKey);
  if (able.length === 0)
    return "none of its properties can be a key, which is a text or a whole number in every record";
  const ranked = able
    .map(({ name }) => ({ name, rank: rankOf(name, nouns) }))
    .sort((a, b) => a.rank - b.rank);
  const named = ranked.find(({ name, rank }) => rank < FOREIGN && isUnique(records, [name]));
  if (named !== undefined)
    return { properties: [named.name], reason: reasonOf(records, "It is called as keys are") };
  const key = smallestKey(records, ranked);
  if (key === undefined) return "no properties tell its records apart";
  return { properties: key, reason: reasonOf(records, "No property is called as keys are") };
}

function reasonOf({ length }: readonly JsonMembers[], called: string): string {
  return length === 1
    ? `${called}; one record does not show whether it is another in each.`
    : `${called}; it is another in each of the ${length} records.`;
}

/** The names of other records first, which make a key together; then what else there is, until no two records are alike. */
function smallestKey(
  records: readonly JsonMembers[],
  ranked: readonly { readonly name: string; readonly rank: number }[],
): readonly string[] | undefined {
  const foreign = ranked.filter(({ rank }) => rank === FOREIGN).map(({ name }) => name);
  const others = ranked
    .filter(({ rank }) => rank !== FOREIGN)
    .map(({ name }) => name)
    .slice(0, MOST_NAMELESS);
  const single = foreign.length === 0 ? others.find((name) => isUnique(records, [name])) : undefined;
  if (single !== undefined) return [single];
  const candidates = [...foreign, ...others].slice(0, Math.max(MOST_PROPERTIES, foreign.length));
  for (let count = Math.max(1, foreign.length); count <= candidates.length; count++) {
    const names = candidates.slice(0, count);
    if (isUnique(records, names)) return names;
  }
  return undefined;
}

/** Below it a name is that of the record's own key; at it, that of another record. */
const FOREIGN = 3;

function rankOf(name: string, nouns: readonly string[]): number {
  const letters = lettersOf(name);
  if (/^(?:id|uuid|guid|uid)$/.test(letters)) return 0;
  const own = nouns.map(lettersOf).find((noun) => letters.startsWith(noun));
  if (own !== undefined && /^(?:id|uuid|guid|uid)$/.test(letters.slice(own.length))) return 1;
  const rest = own === undefined ? letters : letters.slice(own.length);
  if (/^(?:key|code|number|no|nr|externalid)$/.test(rest)) return 2;
  return /(?:id|uuid|guid)$/.test(letters) ? FOREIGN : FOREIGN + 1;
}

/** Whether every record has a text or a whole number there. What is written with a fraction, or loses digits, is none. */
function canBeKey({ count, of, schema }: InferredProperty): boolean {
  const type = memberOf(schema.tree, "type");
  return count === of && (type === "string" || type === "integer");
}

/** Whether no two records have the same values, and none is empty. */
function isUnique(records: readonly JsonMembers[], names: readonly string[]): boolean {
  const keys = records.map((record) => names.map((name) => memberOf(record, name) ?? null));
  if (keys.some((values) => values.includes(""))) return false;
  return new Set(keys.map((values) => JSON.stringify(values))).size === records.length;
}
