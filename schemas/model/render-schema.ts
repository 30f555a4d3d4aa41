/** A schema of the model as JSON Schema, keywords in the order of `connector.json`: type, shape, annotations. */
import { membersInForm } from "../formats/schema-form.js";
import { fragmentOf, isJsonObject, type JsonMember, type JsonMembers, type JsonTree } from "../json.js";
import type { ObjectSchema, SchemaDocument, SchemaModel } from "./schema-model.js";

/** Rendered documents: several parts of a command want the schema of the same document. */
const RENDERED = new WeakMap<SchemaDocument, JsonTree>();

/** The JSON Schema of a document, which is rendered once. Definitions stand under `$defs`, last. */
export function renderDocument(document: SchemaDocument): JsonTree {
  const rendered = RENDERED.get(document) ?? renderNew(document);
  RENDERED.set(document, rendered);
  return rendered;
}

function renderNew(document: SchemaDocument): JsonTree {
  const root = renderSchema(document.root);
  if (document.definitions.length === 0 || !isJsonObject(root)) return root;
  const definitions = document.definitions.map(
    ({ name, schema }): JsonMember => [name, renderSchema(schema)],
  );
  const members: readonly JsonMember[] = [...root.members, ["$defs", { members: definitions }]];
  const form = document.root.kind === "verbatim" ? undefined : document.root.form;
  return { members: form === undefined ? members : membersInForm(members, form) };
}

/** The JSON Schema of one schema. */
export function renderSchema(schema: SchemaModel): JsonTree {
  if (schema.kind === "verbatim") return schema.json;
  const keywords = schema.keywords.map(({ name, value }): JsonMember => [name, value]);
  if (schema.kind === "any" && keywords.length === 0) return true;
  const members = [...shapeOf(schema), ...keywords];
  return { members: schema.form === undefined ? members : membersInForm(members, schema.form) };
}

/** A reference to a definition of the same document. */
export function definitionPointer(name: string): string {
  return fragmentOf(["$defs", name]);
}

function shapeOf(schema: Exclude<SchemaModel, { kind: "verbatim" }>): readonly JsonMember[] {
  switch (schema.kind) {
    case "any":
      return [];
    case "reference":
      return [["$ref", definitionPointer(schema.definition)]];
    case "string":
    case "integer":
    case "number":
    case "boolean":
      return [typeMember(schema.kind, schema.nullable)];
    case "enum":
      return [
        typeMember("string", schema.nullable),
        ["enum", schema.nullable ? [...schema.members, null] : schema.members],
      ];
    case "array":
      return [typeMember("array", schema.nullable), ["items", renderSchema(schema.items)]];
    case "dictionary":
      return [typeMember("object", schema.nullable), ["additionalProperties", renderSchema(schema.values)]];
    case "object":
      return [typeMember("object", schema.nullable), ...propertyMembers(schema)];
    default:
      return schema satisfies never;
  }
}

function typeMember(type: string, nullable: boolean): JsonMember {
  return ["type", nullable ? [type, "null"] : type];
}

/** Empty lists are left out, unless the form of the schema names them. */
function propertyMembers({ properties, form }: ObjectSchema): readonly JsonMember[] {
  const isNamed = (keyword: string) => form?.keywords?.includes(keyword) === true;
  const values: JsonMembers = {
    members: properties.map(({ jsonName, schema }): JsonMember => [jsonName, renderSchema(schema)]),
  };
  const required = properties.filter((property) => property.required).map((property) => property.jsonName);
  const members: readonly JsonMember[] = [
    ["properties", values],
    ["required", required],
  ];
  const isEmpty = { properties: properties.length === 0, required: required.length === 0 };
  return members.filter(([name]) => !isEmpty[name as keyof typeof isEmpty] || isNamed(name));
}
