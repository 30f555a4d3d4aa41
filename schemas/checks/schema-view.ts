/** One level of a schema, seen alike whether the model structures it or carries it verbatim: no check has two forms. */
import { isList, isMembers, type JsonTree, memberOf } from "../formats/json-tree.js";
import { SCHEMA_KEYWORDS, SCHEMA_LIST_KEYWORDS, SCHEMA_MAP_KEYWORDS, SHAPE_KEYWORDS } from "../keywords.js";
import { definitionPointer } from "../model/render-schema.js";
import type { Keyword, PropertyModel, SchemaModel } from "../model/schema-model.js";

/** A schema inside a schema, other than a property. */
export interface InnerSchema {
  readonly keyword: string;
  /** Steps from the schema that holds it. */
  readonly pointer: readonly (string | number)[];
  readonly schema: SchemaModel;
}

export interface SchemaView {
  /** The JSON types that `type` lets through; undefined where it does not say. */
  readonly types: readonly string[] | undefined;
  readonly properties: readonly PropertyModel[];
  readonly inner: readonly InnerSchema[];
  /** The members of `enum`, null among them where it is accepted; undefined where there is no list. */
  readonly members: readonly JsonTree[] | undefined;
  /** What `$ref` says. */
  readonly reference: string | undefined;
  /** Everything else, by name. */
  readonly keywords: ReadonlyMap<string, JsonTree>;
}

/** The view of one schema. Schemas inside it are not looked into. */
export function viewOf(schema: SchemaModel): SchemaView {
  switch (schema.kind) {
    case "verbatim":
      return viewOfTree(schema.json);
    case "any":
      return view(schema.keywords, {});
    case "reference":
      return view(schema.keywords, { reference: definitionPointer(schema.definition) });
    case "string":
    case "integer":
    case "number":
    case "boolean":
      return view(schema.keywords, { types: typesOf(schema.kind, schema.nullable) });
    case "enum":
      return view(schema.keywords, {
        types: typesOf("string", schema.nullable),
        members: schema.nullable ? [...schema.members, null] : schema.members,
      });
    case "array":
      return view(schema.keywords, {
        types: typesOf("array", schema.nullable),
        inner: [{ keyword: "items", pointer: ["items"], schema: schema.items }],
      });
    case "dictionary":
      return view(schema.keywords, {
        types: typesOf("object", schema.nullable),
        inner: [
          { keyword: "additionalProperties", pointer: ["additionalProperties"], schema: schema.values },
        ],
      });
    case "object":
      return view(schema.keywords, {
        types: typesOf("object", schema.nullable),
        properties: schema.properties,
      });
    default:
      return schema satisfies never;
  }
}

/** The text of the keyword `name`, or undefined where it is absent or no text. */
export function textIn({ keywords }: SchemaView, name: string): string | undefined {
  const value = keywords.get(name);
  return typeof value === "string" ? value : undefined;
}

function view(keywords: readonly Keyword[], shape: Partial<SchemaView>): SchemaView {
  const members = keywords.find(({ name }) => name === "enum")?.value;
  return {
    types: shape.types,
    properties: shape.properties ?? [],
    inner: [...(shape.inner ?? []), ...keywords.flatMap(innerOf)],
    members: shape.members ?? (isList(members) ? members : undefined),
    reference: shape.reference,
    keywords: new Map(keywords.map(({ name, value }) => [name, value])),
  };
}

function viewOfTree(tree: JsonTree): SchemaView {
  if (!isMembers(tree)) return view([], {});
  const { members } = tree;
  const type = memberOf(tree, "type");
  const types = typeof type === "string" ? [type] : isList(type) ? type.filter(isText) : undefined;
  const reference = memberOf(tree, "$ref");
  const properties = memberOf(tree, "properties");
  const list = memberOf(tree, "required");
  const required = new Set(isList(list) ? list : []);
  const shape = {
    properties: (isMembers(properties) ? properties.members : []).map(
      ([name, json]): PropertyModel => ({
        name,
        jsonName: name,
        required: required.has(name),
        schema: { kind: "verbatim", json },
      }),
    ),
    inner: innerOf({ name: "items", value: memberOf(tree, "items") ?? null }),
    ...(types !== undefined && { types }),
    ...(typeof reference === "string" && { reference }),
  };
  // A shape keyword of the wrong JSON type stays, for the checks to see.
  const others = members.filter(
    ([name, value]) =>
      !SHAPE_KEYWORDS.includes(name) ||
      name === "enum" ||
      (name === "required" && !isList(value)) ||
      (name === "properties" && !isMembers(value)),
  );
  return view(
    others.map(([name, value]): Keyword => ({ name, value })),
    shape,
  );
}

function typesOf(type: string, nullable: boolean): readonly string[] {
  return nullable ? [type, "null"] : [type];
}

function innerOf({ name, value }: Keyword): readonly InnerSchema[] {
  const inside = (json: JsonTree, ...pointer: (string | number)[]): InnerSchema => ({
    keyword: name,
    pointer: [name, ...pointer],
    schema: { kind: "verbatim", json },
  });
  if ((SCHEMA_LIST_KEYWORDS.includes(name) || name === "items") && isList(value)) {
    return value.map((json, index) => inside(json, index));
  }
  if (SCHEMA_MAP_KEYWORDS.includes(name) && isMembers(value)) {
    return value.members.map(([key, json]) => inside(json, key));
  }
  // `false` closes a value and describes none; `true` says something only of what has no other description.
  if (value === true) return ["items", "additionalProperties"].includes(name) ? [inside(value)] : [];
  return (SCHEMA_KEYWORDS.includes(name) || name === "items") && isMembers(value) ? [inside(value)] : [];
}

function isText(value: JsonTree): value is string {
  return typeof value === "string";
}
