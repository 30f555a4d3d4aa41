/** What the value of a key property may be. References are followed for one step, so that recursion ends. */
import { isList, isMembers, type JsonTree, memberOf } from "../formats/json-tree.js";
import { definitionPointer } from "../model/render-schema.js";
import type { PropertyModel, SchemaDocument, SchemaModel } from "../model/schema-model.js";
import { viewOf } from "./schema-view.js";

/** The definitions of a document, by what a reference says. */
export type Definitions = ReadonlyMap<string, SchemaModel>;

export function definitionsOf({ root, definitions }: SchemaDocument): Definitions {
  const own = definitions.map(({ name, schema }) => [definitionPointer(name), schema] as const);
  const verbatim = root.kind === "verbatim" ? memberOf(root.json, "$defs") : undefined;
  const carried = (isMembers(verbatim) ? verbatim.members : []).map(([name, json]): [string, SchemaModel] => [
    definitionPointer(name),
    { kind: "verbatim", json },
  ]);
  return new Map([...carried, ...own]);
}

/** The properties that a key may name, or undefined where the schema is not an object. */
export function keyedProperties(
  root: SchemaModel,
  definitions: Definitions,
): readonly PropertyModel[] | undefined {
  const { reference } = viewOf(root);
  const view = viewOf((reference === undefined ? undefined : definitions.get(reference)) ?? root);
  return view.types?.includes("object") === true || view.properties.length > 0 ? view.properties : undefined;
}

/** Whether null is a value of `schema`. */
export function acceptsNull(schema: SchemaModel, definitions: Definitions): boolean {
  const { reference } = viewOf(schema);
  const target = reference === undefined ? schema : definitions.get(reference);
  // What a second reference names is not looked at: nothing says that it may be null.
  return target !== undefined && nullIn(target);
}

/** Whether every value of `schema`, but for null, is an object or a list: nothing that a key can join. */
export function isStructured(schema: SchemaModel, definitions: Definitions): boolean {
  const { reference } = viewOf(schema);
  const target = reference === undefined ? undefined : definitions.get(reference);
  const types = (viewOf(target ?? schema).types ?? []).filter((type) => type !== "null");
  return types.length > 0 && types.every((type) => type === "object" || type === "array");
}

function nullIn(schema: SchemaModel): boolean {
  switch (schema.kind) {
    case "any":
      return true;
    case "reference":
      return false;
    case "verbatim":
      return nullInTree(schema.json, MOST_COMBINED);
    default:
      return schema.nullable;
  }
}

/** Combinations nested deeper than this are taken not to accept null. */
const MOST_COMBINED = 20;

function nullInTree(tree: JsonTree, levels: number): boolean {
  if (!isMembers(tree)) return tree === true;
  if (levels === 0 || memberOf(tree, "$ref") !== undefined) return false;
  const type = memberOf(tree, "type");
  if (type !== undefined && type !== "null" && !(isList(type) && type.includes("null"))) return false;
  const members = memberOf(tree, "enum");
  if (isList(members) && !members.includes(null)) return false;
  const constant = memberOf(tree, "const");
  if (constant !== undefined && constant !== null) return false;
  const accepts = (value: JsonTree) => nullInTree(value, levels - 1);
  const listed = (name: string) => {
    const list = memberOf(tree, name);
    return isList(list) ? list : undefined;
  };
  const not = memberOf(tree, "not");
  return (
    listed("allOf")?.every(accepts) !== false &&
    listed("anyOf")?.some(accepts) !== false &&
    listed("oneOf")?.some(accepts) !== false &&
    (not === undefined || !accepts(not))
  );
}
