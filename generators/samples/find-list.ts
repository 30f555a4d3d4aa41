/** Where in an answer the list of records stands. */
import { isJsonArray, isJsonObject, type JsonMembers, type JsonTree } from "../../schemas/json.js";
import { lettersOf } from "../../schemas/naming/secret-names.js";

/** The records of an answer. */
export interface FoundList {
  /** Names of the members that lead to the list; empty if the answer is the list, or one record. */
  readonly steps: readonly string[];
  readonly records: readonly JsonMembers[];
  /** How it was chosen: a sentence. */
  readonly reason: string;
}

/** Members that usually hold the list, the likelier one first. */
const USUAL =
  "data items results records value values rows entries list elements objects content members".split(" ");
/** Members that hold lists of something else. */
const OTHER = new Set(
  "errors warnings messages links included facets columns fields headers meta filters".split(" "),
);
/** Members by which an object is a record itself. */
const OWN_KEY = /^(?:id|uuid|guid|uid)$/;
/** How deep a list is looked for, and how many objects for it. */
const DEEPEST = 5;

/**
 * The list in `answer`, or why there is none: the end of a sentence.
 * @param nouns What the records are called, in singular and plural.
 */
export function findList(answer: JsonTree, nouns: readonly string[]): FoundList | string {
  if (isJsonArray(answer)) return recordsIn(answer, [], "The sample itself is the list of records.");
  if (!isJsonObject(answer)) return "it is neither an object nor a list";
  const isRecord = answer.members.some(
    ([name, value]) => OWN_KEY.test(lettersOf(name)) && typeof value !== "object",
  );
  const lists = isRecord ? [] : listsIn(answer, []);
  const filled = lists.filter(({ items }) => items.some(isJsonObject));
  const [best, another] = [...filled].sort((a, b) => rankOf(a, nouns) - rankOf(b, nouns));
  if (best !== undefined) {
    const reason =
      another === undefined
        ? "Where the sample has its records."
        : "Where the sample has its records, as far as names tell: it has other lists of objects, too.";
    return recordsIn(best.items, best.steps, reason);
  }
  const hasValues = answer.members.some(([, value]) => typeof value !== "object");
  const list = lists.find((one) => !hasValues || rankOf(one, nouns) < rankOf(NAMELESS, nouns));
  if (list !== undefined)
    return list.items.length === 0
      ? "its list is empty"
      : "its list holds no objects, and every record is one";
  if (!hasValues) return "it holds no list";
  const reason = 'The sample is one record: write where the list stands in its answer, such as "data".';
  return { steps: [], records: [answer], reason };
}

interface List {
  readonly steps: readonly string[];
  readonly items: readonly JsonTree[];
}

/** Whatever is likelier is called as lists of records are. */
const NAMELESS: List = { steps: [], items: [] };

function recordsIn(items: readonly JsonTree[], steps: readonly string[], reason: string): FoundList | string {
  if (items.length === 0) return "its list is empty";
  const records = items.filter((item): item is JsonMembers => isJsonObject(item));
  if (records.length < items.length)
    return "its list holds something else than objects, and every record is one";
  return { steps, records, reason };
}

/** The lists in `value` that a way leads to, those that are higher up first. */
function listsIn(value: JsonMembers, steps: readonly string[]): readonly List[] {
  if (steps.length >= DEEPEST) return [];
  // A way is text: no member can be named in it that is called `$` or nothing.
  const named = value.members.filter(([name]) => name !== "" && name !== "$");
  const here = named.flatMap(([name, items]) =>
    isJsonArray(items) ? [{ steps: [...steps, name], items }] : [],
  );
  const below = named.flatMap(([name, inner]) =>
    isJsonObject(inner) ? listsIn(inner, [...steps, name]) : [],
  );
  return [...here, ...below];
}

/** Smaller for the likelier list: by its name, by how deep it is, by how many records it has. */
function rankOf({ steps, items }: List, nouns: readonly string[]): number {
  const name = lettersOf(steps.at(-1) ?? "");
  const usual = USUAL.indexOf(name);
  const isNamed = nouns.some((noun) => lettersOf(noun) === name);
  const byName = OTHER.has(name) ? 100 : isNamed ? 0 : usual === -1 ? 50 : 1 + usual;
  return byName * 1e6 + steps.length * 1e5 - Math.min(items.length, 9e4);
}
