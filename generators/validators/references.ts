/** The targets of the references of a document, and which of them lead back to themselves. */
import { isJsonObject, type JsonTree, memberOf, targetOf } from "../../schemas/json.js";
import { innerSchemas, keywordNames } from "../../schemas/keywords.js";

export interface References {
  readonly target: (reference: string) => JsonTree | undefined;
  /** Whether a check of this part can come back to it, deeper in the value. */
  readonly isRecursive: (part: JsonTree) => boolean;
  /** Whether a check of this part comes back to it for the same value, and so never ends. */
  readonly isEndless: (from: JsonTree, to: JsonTree) => boolean;
}

export function referencesOf(root: JsonTree): References {
  const target = (reference: string) => targetOf(root, reference);
  const next = memoize((part) => partsBelow(part, DEEPER).flatMap(targetsIn));
  const nextOfSame = memoize((part) => partsBelow(part, SAME_VALUE).flatMap(targetsIn));
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

/** Keywords whose schemas look at the very value that their owner looks at. The checks are those of draft-07. */
const SAME_VALUE: ReadonlySet<string> = new Set(
  keywordNames(({ subject, dialects }) => subject === "the value itself" && dialects.includes("draft-07")),
);

/** Every keyword that holds schemas, but for definitions: those count if a reference names them. */
const DEEPER: ReadonlySet<string> = new Set(
  keywordNames(({ holds, role }) => holds !== undefined && role !== "define"),
);

/** `part` and all schemas in it that its check uses. */
function partsBelow(part: JsonTree, keywords: ReadonlySet<string>): readonly JsonTree[] {
  const found: JsonTree[] = [];
  const pending = [part];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (!isJsonObject(next)) continue;
    found.push(next);
    for (const [keyword, value] of next.members) {
      if (!keywords.has(keyword)) continue;
      for (const { schema } of innerSchemas(keyword, value)) pending.push(schema);
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

function memoize(compute: (part: JsonTree) => readonly JsonTree[]): (part: JsonTree) => readonly JsonTree[] {
  const known = new Map<JsonTree, readonly JsonTree[]>();
  return (part) => {
    const found = known.get(part) ?? compute(part);
    known.set(part, found);
    return found;
  };
}
