/** JSON Schema as a schema of the model. What the model can't say exactly is carried verbatim, so nothing is ever lost. */
import { isJsonArray, isJsonObject, type JsonMembers, type JsonTree, memberOf, sameTree } from "../json.js";
import { isAnnotation } from "../keywords.js";
import { propertyIdentifier, unique } from "../naming/identifiers.js";
import { definitionPointer, renderDocument, renderSchema } from "./render-schema.js";
import type { Keywords, PropertyModel, SchemaDocument, SchemaModel } from "./schema-model.js";
import { areWritable, isWritable } from "./writable.js";

/** The document whose rendering is exactly `tree`. Code names of root properties avoid `avoided`. */
export function readDocument(tree: JsonTree, avoided: Iterable<string> = []): SchemaDocument {
  const definitions = memberOf(tree, "$defs");
  if (isJsonObject(tree) && isJsonObject(definitions)) {
    const names = definitions.members.map(([name]) => name);
    const document: SchemaDocument = {
      root: readSchema({ members: tree.members.filter(([name]) => name !== "$defs") }, avoided, names),
      definitions: definitions.members.map(([name, schema]) => ({
        name,
        schema: readSchema(schema, [], names),
      })),
    };
    const isFaithful = document.root.kind !== "verbatim" && sameTree(renderDocument(document), tree);
    if (isFaithful && areWritable(document)) return document;
  }
  return { root: readSchema(tree, avoided), definitions: [] };
}

/** The schema whose rendering is exactly `tree`; references may name `definitions`. */
export function readSchema(
  tree: JsonTree,
  avoided: Iterable<string> = [],
  definitions: readonly string[] = [],
): SchemaModel {
  const candidate = structuredSchema(tree, avoided, definitions);
  return candidate !== undefined && isWritable(candidate) && sameTree(renderSchema(candidate), tree)
    ? candidate
    : { kind: "verbatim", json: tree };
}

function structuredSchema(
  tree: JsonTree,
  avoided: Iterable<string>,
  definitions: readonly string[],
): SchemaModel | undefined {
  if (tree === true) return { kind: "any", keywords: [] };
  if (!isJsonObject(tree)) return undefined;
  const { type, nullable } = typeOf(tree);
  const inner = (value: JsonTree) => readSchema(value, [], definitions);
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
      return { kind: "array", nullable, items: inner(items), keywords: keywordsOf(tree, ["type", "items"]) };
    }
    case "object":
      return objectSchema(tree, nullable, avoided, inner);
    default:
      return undefined;
  }
}

function objectSchema(
  tree: JsonMembers,
  nullable: boolean,
  avoided: Iterable<string>,
  inner: (value: JsonTree) => SchemaModel,
): SchemaModel | undefined {
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

function untypedSchema(tree: JsonMembers, definitions: readonly string[]): SchemaModel | undefined {
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
  const nullable = type.length === 2 && typeof first === "string" && second === "null";
  return { type: nullable ? first : "", nullable };
}

function keywordsOf(tree: JsonMembers, shape: readonly string[]): Keywords {
  return tree.members.filter(([name]) => !shape.includes(name)).map(([name, value]) => ({ name, value }));
}

/** The texts of a list; null at its end, as a nullable enum has it, is left out. */
function textsOf(list: JsonTree): readonly string[] | undefined {
  if (!isJsonArray(list)) return undefined;
  const members = list.at(-1) === null ? list.slice(0, -1) : list;
  return members.every((member) => typeof member === "string") ? (members as readonly string[]) : undefined;
}
