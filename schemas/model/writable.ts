/** What an author's module can say in TypeBox's own words; anything else is carried verbatim. */
import { isDeeperThan, isJsonArray, isJsonObject, type JsonTree, keepsOrder } from "../json.js";
import {
  AUTHORING_KEYWORDS,
  SCHEMA_KEYWORDS,
  SCHEMA_LIST_KEYWORDS,
  SCHEMA_MAP_KEYWORDS,
  TYPEBOX_NAMES,
} from "../keywords.js";
import type { Keyword, Keywords, SchemaDocument, SchemaModel } from "./schema-model.js";

/** JSON nested deeper is written as text and not as a literal: compilers overflow on it. */
export const DEEPEST_LITERAL = 60;

const WITH_SCHEMAS = new Set([...SCHEMA_KEYWORDS, ...SCHEMA_LIST_KEYWORDS, ...SCHEMA_MAP_KEYWORDS, "items"]);

/** Keywords that TypeBox sets itself for a kind, whatever the options say. */
const OVERRIDDEN: Readonly<Record<string, readonly string[]>> = {
  enum: ["anyOf"],
  dictionary: ["patternProperties"],
  reference: ["$defs"],
};

/** Whether TypeBox options give exactly the keywords of `schema` again. Schemas inside it are not looked at. */
export function isWritable(schema: SchemaModel): boolean {
  if (schema.kind === "verbatim") return true;
  const { kind, keywords } = schema;
  if (kind === "enum" && schema.members.length === 0) return false;
  // Beside a spread import the compiler would infer, and not only check, what an object holds.
  if (kind === "reference" && keywords.some(({ value }) => typeof value === "object")) return false;
  const overridden = OVERRIDDEN[kind] ?? [];
  return areOptions(keywords) && !keywords.some(({ name }) => overridden.includes(name));
}

/** Whether the builder would describe the items as their array, though they have no description. */
export function describesItems(keywords: Keywords, items: SchemaModel): boolean {
  if (items.kind === "verbatim" || items.kind === "reference" || items.form?.keywords !== undefined) {
    return false;
  }
  const isDescribed = (list: Keywords) => list.some(({ name }) => name === "description");
  return isDescribed(keywords) && !isDescribed(items.keywords);
}

/** Whether the options of a TypeBox type give exactly these keywords again. */
export function areOptions(keywords: Keywords): boolean {
  return (
    keepsOrder({ members: keywords.map(({ name, value }) => [name, value]) }) &&
    keywords.findIndex(({ name }) => name === "format") <= 0 &&
    keywords.every(isOption)
  );
}

function isOption({ name, value }: Keyword): boolean {
  if (AUTHORING_KEYWORDS.includes(name) || TYPEBOX_NAMES.includes(name)) return false;
  if (isDeeperThan(value, DEEPEST_LITERAL)) return false;
  if (!WITH_SCHEMAS.has(name)) return true;
  return innerSchemas(name, value).every(isSchemaTree) && !mentionsVocabulary(value);
}

function innerSchemas(name: string, value: JsonTree): readonly JsonTree[] {
  if (isJsonArray(value)) return value;
  return isJsonObject(value) && SCHEMA_MAP_KEYWORDS.includes(name)
    ? value.members.map(([, inner]) => inner)
    : [];
}

/** Whether `tree` can be a schema. */
export function isSchemaTree(tree: JsonTree): boolean {
  return typeof tree === "boolean" || isJsonObject(tree);
}

/** Whether an annotation of the vocabulary stands in the schemas of a keyword: the builder would take it as such. */
function mentionsVocabulary(tree: JsonTree): boolean {
  if (isJsonArray(tree)) return tree.some(mentionsVocabulary);
  if (!isJsonObject(tree)) return false;
  return tree.members.some(([name, value]) => AUTHORING_KEYWORDS.includes(name) || mentionsVocabulary(value));
}

/**
 * Whether a TypeBox module gives the definitions again: in the order in which references meet them, which is how
 * the builder lists them, and none only another name for one.
 */
export function areWritable({ root, definitions }: SchemaDocument): boolean {
  if (definitions.some(({ schema }) => schema.kind === "reference")) return false;
  const met = new Set<string>();
  const visit = (schema: SchemaModel): void => {
    if (schema.kind === "reference" && !met.has(schema.definition)) {
      met.add(schema.definition);
      const target = definitions.find(({ name }) => name === schema.definition);
      if (target !== undefined) visit(target.schema);
    }
    for (const inner of schemasIn(schema)) visit(inner);
  };
  visit(root);
  const order = [...met];
  return order.length === definitions.length && definitions.every(({ name }, index) => name === order[index]);
}

function schemasIn(schema: SchemaModel): readonly SchemaModel[] {
  switch (schema.kind) {
    case "object":
      return schema.properties.map((property) => property.schema);
    case "array":
      return [schema.items];
    case "dictionary":
      return [schema.values];
    default:
      return [];
  }
}
