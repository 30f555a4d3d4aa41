/** The names of properties that schemas call write-only: their values are hidden where there is no schema too. */
import { isJsonObject } from "../../schemas/json.js";
import { holdsSchema, keywordNames } from "../../schemas/keywords.js";
import { nearestName } from "../../schemas/naming/nearest.js";
import { lettersOf } from "../../schemas/naming/secret-names.js";
import { applicableSchemas, membersOf } from "../records/applicable-schemas.js";
import type { NameMapping, NestedNameMapping } from "../records/name-mapping.js";
import type { RecordType } from "../records/record-type.js";

/** What the schemas of some types say of names, serialized ones and those in code. */
export interface WriteOnlyNames {
  /** Whether a property with this name is write-only, in whatever convention the name is written. */
  has(name: string): boolean;
  /** Whether no property has this name, and it is a misspelt one of a write-only property. */
  hasLike(name: string): boolean;
}

/** Keywords that describe the items of an array, or those values of an object that have no property of their own. */
const CONTENT_KEYWORDS = keywordNames(
  ({ name, subject }) => name !== "properties" && (subject === "items" || subject === "properties"),
);

/** Shorter names have too many neighbours: `wage` and `page`. */
const MIN_MISSPELT_LENGTH = 5;
const LETTERS_PER_EDIT = 4;
/** No more answers are remembered: names in foreign data have no end. */
const MAX_REMEMBERED = 10_000;

/** The names of the properties of `types`. */
export function writeOnlyNames(types: readonly RecordType[]): WriteOnlyNames {
  const letters: Collected = {
    writeOnly: new Set(types.flatMap((type) => [...lettersIn(type).writeOnly])),
    others: new Set(types.flatMap((type) => [...lettersIn(type).others])),
  };
  const misspelt = new Map<string, boolean>();
  return {
    has: (name) => letters.writeOnly.has(lettersOf(name)),
    hasLike: (name) => {
      const known = misspelt.get(name);
      if (known !== undefined) return known;
      const isLike = isMisspelt(lettersOf(name), letters);
      if (misspelt.size < MAX_REMEMBERED) misspelt.set(name, isLike);
      return isLike;
    },
  };
}

interface Collected {
  readonly writeOnly: Set<string>;
  readonly others: Set<string>;
}

/** A type is read once: messages about its values are many. */
const lettersOfTypes = new WeakMap<RecordType, Collected>();

function lettersIn(type: RecordType): Collected {
  const known = lettersOfTypes.get(type);
  if (known !== undefined) return known;
  const { schema, names } = type;
  const jsonNames: Collected = { writeOnly: new Set(), others: new Set() };
  collectNames(schema, schema, jsonNames);
  const inAllForms = (of: ReadonlySet<string>) =>
    new Set([...of, ...codeNames(names, of, new Set())].map(lettersOf));
  const letters = { writeOnly: inAllForms(jsonNames.writeOnly), others: inAllForms(jsonNames.others) };
  lettersOfTypes.set(type, letters);
  return letters;
}

function isMisspelt(letters: string, { writeOnly, others }: Collected): boolean {
  if (letters.length < MIN_MISSPELT_LENGTH || writeOnly.has(letters) || others.has(letters)) return false;
  if (nearestName(letters, writeOnly, Math.floor(letters.length / LETTERS_PER_EDIT)) !== undefined)
    return true;
  // Two letters in each other's place.
  const sorted = sortedLetters(letters);
  return [...writeOnly].some((name) => name.length === letters.length && sortedLetters(name) === sorted);
}

function sortedLetters(letters: string): string {
  return [...letters].sort().join("");
}

/** Adds the name of every property, wherever in the schema: are its values write-only, or made of such values? */
function collectNames(node: unknown, root: unknown, names: Collected, seen = new Set<unknown>()): void {
  if (typeof node !== "object" || node === null || seen.has(node)) return;
  seen.add(node);
  for (const [keyword, inner] of Object.entries(node)) {
    if (keyword === "properties") {
      for (const [name, property] of Object.entries(membersOf(inner))) {
        names[isWriteOnly(property, root, new Set()) ? "writeOnly" : "others"].add(name);
      }
    }
    collectNames(inner, root, names, seen);
  }
}

/** Whether a value is write-only itself, or an array or dictionary of such values. */
function isWriteOnly(schema: unknown, root: unknown, seen: Set<unknown>): boolean {
  return applicableSchemas(schema, root).some((applicable) => {
    if (applicable["writeOnly"] === true) return true;
    if (seen.has(applicable)) return false;
    seen.add(applicable);
    return CONTENT_KEYWORDS.flatMap((keyword) => contentSchemas(keyword, applicable[keyword])).some((inner) =>
      isWriteOnly(inner, root, seen),
    );
  });
}

function contentSchemas(keyword: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (holdsSchema(keyword)) return [value];
  return isJsonObject(value) ? Object.values(value) : [];
}

/** What the code calls members of these serialized names. */
function codeNames(
  nested: NestedNameMapping | undefined,
  jsonNames: ReadonlySet<string>,
  seen: Set<NameMapping>,
): readonly string[] {
  const mapping = typeof nested === "function" ? nested() : nested;
  if (mapping === undefined || seen.has(mapping)) return [];
  seen.add(mapping);
  const own = (mapping.properties ?? []).flatMap(([name, jsonName, inner]) => [
    ...(jsonNames.has(jsonName) ? [name] : []),
    ...codeNames(inner, jsonNames, seen),
  ]);
  return [...own, ...codeNames(mapping.each, jsonNames, seen)];
}
