/** JSON Schema as a schema of the model. What the model can't say exactly is carried verbatim, so nothing is ever lost. */
import { formBetween } from "../formats/schema-form.js";
import { isJsonArray, isJsonObject, type JsonMembers, type JsonTree, memberOf, sameTree } from "../json.js";
import { isAnnotation } from "../keywords.js";
import { propertyIdentifier, unique } from "../naming/identifiers.js";
import { definitionPointer, renderDocument, renderSchema } from "./render-schema.js";
import {
  type Keywords,
  type PropertyModel,
  putFormatFirst,
  type SchemaDocument,
  type SchemaModel,
} from "./schema-model.js";
import { areWritable, describesItems, isWritable } from "./writable.js";

/** The document whose rendering is exactly `tree`. Code names of root properties avoid `avoided`. */
export function readDocument(tree: JsonTree, avoided: Iterable<string> = []): SchemaDocument {
  const definitions = memberOf(tree, "$defs");
  if (isJsonObject(tree) && isJsonObject(definitions)) {
    const names = definitions.members.map(([name]) => name);
    const rest = { members: tree.members.filter(([name]) => name !== "$defs") };
    const root = readSchema(rest, { avoided, definitions: names });
    const document: SchemaDocument = {
      root: tree.members.at(-1)?.[0] === "$defs" ? root : withForm(root, tree),
      definitions: definitions.members.map(([name, schema]) => ({
        name,
        schema: readSchema(schema, { definitions: names }),
      })),
    };
    const isFaithful = document.root.kind !== "verbatim" && sameTree(renderDocument(document), tree);
    if (isFaithful && areWritable(document)) return document;
  }
  return { root: readSchema(tree, { avoided }), definitions: [] };
}

/** `schema`, with the keywords of `tree` named by its form. */
function withForm(schema: SchemaModel, tree: JsonMembers): SchemaModel {
  if (schema.kind === "verbatim") return schema;
  return { ...schema, form: { ...schema.form, keywords: tree.members.map(([name]) => name) } };
}

/** Schemas nested deeper are carried verbatim: TypeScript's compiler overflows on types of some hundred levels. */
export const DEEPEST_WRITTEN = 50;

/** Where a schema is read. */
export interface SchemaPlace {
  /** Names that code names of its properties avoid. @default none */
  readonly avoided?: Iterable<string>;
  /** Definitions that references may name. @default none */
  readonly definitions?: readonly string[];
  /** How many schemas of the document it stands in. @default 0 */
  readonly depth?: number;
}

/** The schema whose rendering is exactly `tree`. */
export function readSchema(tree: JsonTree, place: SchemaPlace = {}): SchemaModel {
  const isTooDeep = (place.depth ?? 0) >= DEEPEST_WRITTEN && isJsonObject(tree);
  const candidate = isTooDeep ? undefined : structuredSchema(tree, place);
  const schema = candidate && isWritable(candidate) ? inFormOf(tree, candidate) : undefined;
  return schema ?? { kind: "verbatim", json: tree };
}

/** `schema` in the form of `tree`; undefined if no form makes them the same. */
function inFormOf(tree: JsonTree, schema: StructuredSchema): SchemaModel | undefined {
  const rendered = renderSchema(schema);
  if (sameTree(rendered, tree)) return schema;
  if (!isJsonObject(rendered) || !isJsonObject(tree)) return undefined;
  const form = formBetween(rendered.members, tree.members);
  const formed = form && { ...schema, form };
  return formed && sameTree(renderSchema(formed), tree) ? formed : undefined;
}

type StructuredSchema = Exclude<SchemaModel, { kind: "verbatim" }>;

function structuredSchema(
  tree: JsonTree,
  { avoided = [], definitions = [], depth = 0 }: SchemaPlace,
): StructuredSchema | undefined {
  if (tree === true) return { kind: "any", keywords: [] };
  if (!isJsonObject(tree)) return undefined;
  const { type, nullable } = typeOf(tree);
  // It is a literal, for which TypeBox has a type of its own.
  if (typeof memberOf(tree, "const") === type) return undefined;
  const inner = (value: JsonTree) => readSchema(value, { definitions, depth: depth + 1 });
  switch (type) {
    case undefined:
      return untypedSchema(tree, definitions);
    case "string": {
      const members = memberOf(tree, "enum");
      if (members === undefined) return { kind: type, nullable, keywords: keywordsOf(tree, ["type"]) };
      const texts = textsOf(members);
      return (
        texts && { kind: "enum", nullable, members: texts, keywords: keywordsOf(tree, ["type", "enum"]) }
      );
    }
    case "integer":
    case "number":
    case "boolean":
      return { kind: type, nullable, keywords: keywordsOf(tree, ["type"]) };
    case "array": {
      const items = memberOf(tree, "items");
      if (items === undefined || isJsonArray(items)) return undefined;
      const keywords = keywordsOf(tree, ["type", "items"]);
      return { kind: "array", nullable, items: asWritten(inner(items), items, keywords), keywords };
    }
    case "object":
      return objectSchema(tree, nullable, avoided, inner);
    default:
      return undefined;
  }
}

/** Items whose array has a description and that have none: their form says so. */
function asWritten(items: SchemaModel, tree: JsonTree, keywords: Keywords): SchemaModel {
  if (!describesItems(keywords, items)) return items;
  return withForm(items, isJsonObject(tree) ? tree : { members: [] });
}

function objectSchema(
  tree: JsonMembers,
  nullable: boolean,
  avoided: Iterable<string>,
  inner: (value: JsonTree) => SchemaModel,
): StructuredSchema | undefined {
  const values = memberOf(tree, "additionalProperties");
  const properties = memberOf(tree, "properties");
  if (properties === undefined && values !== undefined && values !== false) {
    const keywords = keywordsOf(tree, ["type", "additionalProperties"]);
    return { kind: "dictionary", nullable, values: inner(values), keywords };
  }
  if (properties !== undefined && !isJsonObject(properties)) return undefined;
  const required = new Set(textsOf(memberOf(tree, "required") ?? []) ?? []);
  const taken = new Set(avoided);
  const models = (properties?.members ?? []).map(
    ([jsonName, schema]): PropertyModel => ({
      name: unique(propertyIdentifier(jsonName), taken),
      jsonName,
      required: required.has(jsonName),
      schema: inner(schema),
    }),
  );
  return {
    kind: "object",
    nullable,
    properties: models,
    keywords: keywordsOf(tree, ["type", "properties", "required"]),
  };
}

function untypedSchema(tree: JsonMembers, definitions: readonly string[]): StructuredSchema | undefined {
  const reference = memberOf(tree, "$ref");
  const definition = definitions.find((name) => definitionPointer(name) === reference);
  if (definition !== undefined)
    return { kind: "reference", definition, keywords: keywordsOf(tree, ["$ref"]) };
  const keywords = keywordsOf(tree, []);
  const open = keywords.every(({ name }) => isAnnotation(name) || name.startsWith("x-"));
  return open && keywords.length > 0 ? { kind: "any", keywords } : undefined;
}

function typeOf(tree: JsonMembers): { type: string | undefined; nullable: boolean } {
  const type = memberOf(tree, "type");
  if (typeof type === "string") return { type, nullable: false };
  if (!isJsonArray(type)) return { type: undefined, nullable: false };
  const [first, second] = type;
  const named = first === "null" ? second : first;
  const nullable = type.length === 2 && type.includes("null") && typeof named === "string";
  return { type: nullable ? named : "", nullable };
}

function keywordsOf(tree: JsonMembers, shape: readonly string[]): Keywords {
  const others = tree.members.filter(([name]) => !shape.includes(name));
  const keywords = others.map(([name, value]) => ({ name, value }));
  return putFormatFirst(keywords);
}

/** The texts of a list; null at its end, as a nullable enum has it, is left out. */
function textsOf(list: JsonTree): readonly string[] | undefined {
  if (!isJsonArray(list)) return undefined;
  const members = list.at(-1) === null ? list.slice(0, -1) : list;
  return members.every((member) => typeof member === "string") ? (members as readonly string[]) : undefined;
}
