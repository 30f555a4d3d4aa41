/**
 * Visits every schema of a document with its location, without recursion and without following references. A schema is
 * seen as one view whether the model structures it or carries it verbatim, so that no check has two forms.
 */
import { type Location, PART_NAMES, type Steps, within } from "../../diagnostics/locations.js";
import { isJsonArray, isJsonObject, type JsonTree, memberOf } from "../../json.js";
import { innerSchemas } from "../../keywords.js";
import { definitionPointer } from "../../model/render-schema.js";
import type { Keyword, PropertyModel, SchemaModel } from "../../model/schema-model.js";
import type { DocumentRole, LocatedDocument } from "./model-parts.js";

/** How a schema stands in the one that holds it: `part` is one side of a combination. */
export type Position = "root" | "property" | "item" | "value" | "definition" | "part";

export interface VisitedSchema {
  readonly role: DocumentRole;
  readonly position: Position;
  readonly location: Location;
  readonly view: SchemaView;
  /** The definition that a reference names; itself it is visited where it stands. */
  readonly definition?: SchemaView | undefined;
  /** Serialized name and name in code of a property; empty elsewhere. */
  readonly jsonName: string;
  readonly name: string;
  /** Whether an enclosing value is write-only, so that all of it is hidden. */
  readonly isHidden: boolean;
  /** Whether it only says when something else holds (`if`, `not` …): no value is described by it. */
  readonly isCondition: boolean;
}

/** Every schema of the document, one at a time: outer before inner, in the order in which they are written. */
export function* visitSchemas({
  role,
  document,
  location,
}: LocatedDocument): Generator<VisitedSchema, void, void> {
  const definitions = new Map(
    document.definitions.map(({ name, schema }) => [definitionPointer(name), schema]),
  );
  const firstUse = new Map<string, Steps>();
  const outermost = { jsonName: "", name: "", isHidden: false, isCondition: false };
  const starts = [
    (): Waiting => ({ ...outermost, position: "root", location, schema: document.root }),
    // The code of a definition is known once the schema that uses it has been visited.
    ...document.definitions.map(({ name, schema }) => (): Waiting => {
      const what = PART_NAMES.property(name, location.what);
      const path = firstUse.get(definitionPointer(name)) ?? location.path;
      const inside = { ...within(location, { what, pointer: ["$defs", name] }), path };
      return { ...outermost, position: "definition", location: inside, schema };
    }),
  ];
  for (const start of starts) {
    const waiting: Waiting[] = [start()];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const view = viewOf(next.schema);
      const { reference } = view;
      if (reference !== undefined && !firstUse.has(reference)) firstUse.set(reference, next.location.path);
      const target = reference === undefined ? undefined : definitions.get(reference);
      yield { ...next, role, view, definition: target && viewOf(target) };
      for (const inner of waitingIn(next, view).reverse()) waiting.push(inner);
    }
  }
}

type Waiting = Omit<VisitedSchema, "role" | "view" | "definition"> & { readonly schema: SchemaModel };

const CONDITIONS: readonly string[] = ["contains", "if", "not", "propertyNames"];

function waitingIn(holder: Waiting, view: SchemaView): Waiting[] {
  const isHidden = holder.isHidden || view.keywords.get("writeOnly") === true;
  const { isCondition, location } = holder;
  const properties = view.properties.map(
    ({ name, jsonName, schema }): Waiting => ({
      position: "property",
      location: within(location, {
        what: PART_NAMES.property(name, location.what),
        pointer: ["properties", jsonName],
        path: [name],
      }),
      ...{ name, jsonName, schema, isHidden, isCondition },
    }),
  );
  // An object that names its properties and is open to others describes no other value.
  const open = (entry: InnerSchema) =>
    properties.length > 0 && entry.schema.kind === "verbatim" && entry.schema.json === true;
  const described = view.inner.filter((entry) => !open(entry) && !acceptsNothing(entry));
  const inner = described.map(
    (entry): Waiting => ({
      ...{ name: "", jsonName: "", schema: entry.schema, isHidden },
      ...positionOf(entry, location),
      isCondition: isCondition || CONDITIONS.includes(entry.keyword),
    }),
  );
  return [...properties.filter((each) => !acceptsNothing(each)), ...inner];
}

/** Whether it is `false`: there is no value to look at. */
function acceptsNothing({ schema }: Pick<InnerSchema, "schema">): boolean {
  return schema.kind === "verbatim" && schema.json === false;
}

function positionOf(
  { keyword, pointer }: InnerSchema,
  location: Location,
): Pick<Waiting, "position" | "location"> {
  switch (keyword) {
    case "items":
    case "prefixItems":
    case "additionalItems":
    case "unevaluatedItems":
      return {
        position: "item",
        location: within(location, { what: PART_NAMES.item(location.what), pointer }),
      };
    case "additionalProperties":
    case "unevaluatedProperties":
    case "patternProperties":
      return {
        position: "value",
        location: within(location, { what: PART_NAMES.value(location.what), pointer }),
      };
    case "$defs":
    case "definitions": {
      const what = PART_NAMES.property(String(pointer.at(-1)), location.what);
      return { position: "definition", location: within(location, { what, pointer }) };
    }
    default:
      return {
        position: "part",
        location: within(location, { what: PART_NAMES.property(keyword, location.what), pointer }),
      };
  }
}

/** Whether the name of the value speaks of the value itself: a string, a number, or an array of them. */
export function isLeaf({ view, definition }: VisitedSchema): boolean {
  const { types, properties, inner } = definition ?? view;
  if (properties.length > 0 || types?.every((type) => type === "boolean" || type === "null")) return false;
  return inner.every(({ keyword, schema }) => {
    if (keyword !== "items") return true;
    const item = viewOf(schema);
    return item.properties.length === 0 && item.reference === undefined;
  });
}

/** Keywords that the view has members of its own for. */
const SHAPE_KEYWORDS: readonly string[] = ["type", "properties", "required", "items", "enum", "$ref"];

/** A schema inside a schema, other than a property. */
export interface InnerSchema {
  readonly keyword: string;
  /** Steps from the schema that holds it. */
  readonly pointer: readonly (string | number)[];
  readonly schema: SchemaModel;
}

export interface SchemaView {
  /** The JSON types that `type` lets through; undefined if there is none. */
  readonly types: readonly string[] | undefined;
  readonly properties: readonly PropertyModel[];
  /** Names in `required` that are no property. */
  readonly requiredOthers: readonly string[];
  readonly inner: readonly InnerSchema[];
  /** The members of `enum`, null among them where it is accepted; undefined if there is no array. */
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

/** The string of the keyword `name`; undefined if it is absent or of another type. */
export function stringKeyword({ keywords }: SchemaView, name: string): string | undefined {
  const value = keywords.get(name);
  return typeof value === "string" ? value : undefined;
}

function view(keywords: readonly Keyword[], shape: Partial<SchemaView>): SchemaView {
  const members = keywords.find(({ name }) => name === "enum")?.value;
  return {
    types: shape.types,
    properties: shape.properties ?? [],
    requiredOthers: shape.requiredOthers ?? [],
    inner: [...(shape.inner ?? []), ...keywords.flatMap(innerOf)],
    members: shape.members ?? (isJsonArray(members) ? members : undefined),
    reference: shape.reference,
    keywords: new Map(keywords.map(({ name, value }) => [name, value])),
  };
}

function viewOfTree(tree: JsonTree): SchemaView {
  if (!isJsonObject(tree)) return view([], {});
  const { members } = tree;
  const type = memberOf(tree, "type");
  const types = typeof type === "string" ? [type] : isJsonArray(type) ? type.filter(isString) : undefined;
  const reference = memberOf(tree, "$ref");
  const properties = memberOf(tree, "properties");
  const list = memberOf(tree, "required");
  const required = new Set(isJsonArray(list) ? list : []);
  const names = new Set(isJsonObject(properties) ? properties.members.map(([name]) => name) : []);
  const shape = {
    requiredOthers: [...required].filter(isString).filter((name) => !names.has(name)),
    properties: (isJsonObject(properties) ? properties.members : []).map(
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
      (name === "required" && !isJsonArray(value)) ||
      (name === "properties" && !isJsonObject(value)),
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
  if (name === "properties" || name === "dependencies") return [];
  return innerSchemas(name, value)
    .filter(({ steps, schema }) => steps.length > 1 || describes(name, schema))
    .map(({ steps, schema }) => ({
      keyword: name,
      pointer: steps,
      schema: { kind: "verbatim", json: schema },
    }));
}

/** `false` closes a value and describes none, but for items; `true` says something only of what has no other description. */
function describes(keyword: string, schema: JsonTree): boolean {
  if (schema === true) return ["items", "additionalProperties"].includes(keyword);
  return schema !== false || keyword === "items";
}

function isString(value: JsonTree): value is string {
  return typeof value === "string";
}
