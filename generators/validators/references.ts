/** What the references of a document name, and which of them lead back to themselves. */
import { isList, isMembers, type JsonTree, memberOf, targetOf } from "../../schemas/formats/json-tree.js";
import { SCHEMA_KEYWORDS, SCHEMA_LIST_KEYWORDS, SCHEMA_MAP_KEYWORDS } from "../../schemas/keywords.js";

export interface References {
  readonly target: (reference: string) => JsonTree | undefined;
  /** Whether a check of this part can come back to it, deeper in the value. */
  readonly isRecursive: (part: JsonTree) => boolean;
  /** Whether a check of this part comes back to it for the same value, and so never ends. */
  readonly isEndless: (from: JsonTree, to: JsonTree) => boolean;
}

export function referencesOf(root: JsonTree): References {
  const target = (reference: string) => targetOf(root, reference);
  const next = memoized((part) => partsBelow(part, DEEPER).flatMap(targetsIn));
  const nextOfSame = memoized((part) => partsBelow(part, SAME_VALUE).flatMap(targetsIn));
  const targetsIn = (part: JsonTree): readonly JsonTree[] => {
    const reference = memberOf(part, "$ref");
    const found = typeof reference === "string" ? target(reference) : undefined;
    return found === undefined ? [] : [found];
  };
  return {
    target,
    isRecursive: (part) => reaches(part, part, next),
    isEndless: (from, to) => from === to || reaches(to, from, nextOfSame),
  };
}

/** Keywords whose schemas look at the very value that their owner looks at. */
const SAME_VALUE: ReadonlySet<string> = new Set([
  "allOf",
  "anyOf",
  "dependencies",
  "else",
  "if",
  "not",
  "oneOf",
  "then",
]);

/** Every keyword that holds schemas, but for definitions: those count where a reference names them. */
const DEEPER: ReadonlySet<string> = new Set(
  [
    ...SCHEMA_KEYWORDS,
    ...SCHEMA_LIST_KEYWORDS,
    ...SCHEMA_MAP_KEYWORDS,
    "properties",
    "items",
    "dependencies",
  ].filter((keyword) => keyword !== "$defs" && keyword !== "definitions"),
);

const MAPS: ReadonlySet<string> = new Set([...SCHEMA_MAP_KEYWORDS, "properties", "dependencies"]);

/** `part` and all schemas in it that its check uses. */
function partsBelow(part: JsonTree, keywords: ReadonlySet<string>): readonly JsonTree[] {
  const found: JsonTree[] = [];
  const pending = [part];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (!isMembers(next)) continue;
    found.push(next);
    for (const [keyword, value] of next.members.filter(([name]) => keywords.has(name))) {
      if (isList(value)) pending.push(...value);
      else if (isMembers(value) && MAPS.has(keyword))
        pending.push(...value.members.map(([, schema]) => schema));
      else pending.push(value);
    }
  }
  return found;
}

function reaches(start: JsonTree, goal: JsonTree, next: (part: JsonTree) => readonly JsonTree[]): boolean {
  const seen = new Set<JsonTree>();
  const pending = [...next(start)];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (part === goal) return true;
    if (seen.has(part)) continue;
    seen.add(part);
    pending.push(...next(part));
  }
  return false;
}

function memoized(compute: (part: JsonTree) => readonly JsonTree[]): (part: JsonTree) => readonly JsonTree[] {
  const known = new Map<JsonTree, readonly JsonTree[]>();
  return (part) => {
    const found = known.get(part) ?? compute(part);
    known.set(part, found);
    return found;
  };
}
