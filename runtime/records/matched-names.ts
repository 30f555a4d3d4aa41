/** Which property a member is, where names may differ in case. */
import { caseless } from "./letters.js";
import { matches, membersOf, type Schema } from "./schema-places.js";

/** The names that schemas have for the members of one object. */
export interface NamesInSchema {
  /** Whether a member has the very name of a property, or one that a pattern takes. */
  readonly isExact: (name: string) => boolean;
  readonly properties: ReadonlySet<string>;
}

/** Members that may be several properties, or several members that may be one. */
export interface Ambiguous {
  readonly properties: readonly string[];
  readonly names: readonly string[];
}

export interface MatchedNames {
  /** From the name of a member to that of the property that it is. */
  readonly renamed: ReadonlyMap<string, string>;
  readonly ambiguous: readonly Ambiguous[];
}

const NONE: MatchedNames = { renamed: new Map(), ambiguous: [] };

export function namesInSchemas(schemas: readonly Schema[]): NamesInSchema {
  const properties = new Set(schemas.flatMap((one) => Object.keys(membersOf(one["properties"]))));
  const patterns = schemas.flatMap((one) => Object.keys(membersOf(one["patternProperties"])));
  const isExact = (name: string) => properties.has(name) || patterns.some((source) => matches(source, name));
  return { isExact, properties };
}

/** The exact name wins: another spelling of a property that is there already stays an unknown member. */
export function matchNames(names: readonly string[], { isExact, properties }: NamesInSchema): MatchedNames {
  const others = names.filter((name) => !isExact(name));
  if (others.length === 0) return NONE;
  const present = new Set(names);
  const missing = grouped([...properties].filter((name) => !present.has(name)));
  const renamed = new Map<string, string>();
  const ambiguous: Ambiguous[] = [];
  for (const [key, group] of grouped(others)) {
    const candidates = missing.get(key) ?? [];
    const [property, another] = candidates;
    if (property === undefined) continue;
    if (another === undefined && group.length === 1) renamed.set(group[0] ?? property, property);
    else ambiguous.push({ properties: candidates, names: group });
  }
  return { renamed, ambiguous };
}

function grouped(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const key = caseless(name);
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  return groups;
}
