/** Visits every schema of a document with its place, without recursion and without following references. */

import { definitionPointer } from "../model/render-schema.js";
import type { SchemaModel } from "../model/schema-model.js";
import type { DocumentRole, PlacedDocument } from "./model-parts.js";
import { below, type ModelPlace, type Steps } from "./place.js";
import { type InnerSchema, type SchemaView, viewOf } from "./schema-view.js";

/** How a schema stands in the one that holds it: `part` is one side of a combination. */
export type Position = "root" | "property" | "item" | "value" | "definition" | "part";

export interface VisitedSchema {
  readonly role: DocumentRole;
  readonly position: Position;
  readonly place: ModelPlace;
  readonly view: SchemaView;
  /** The definition that a reference names; itself it is visited where it stands. */
  readonly definition?: SchemaView | undefined;
  /** Serialized name and name in code of a property; empty elsewhere. */
  readonly jsonName: string;
  readonly name: string;
  /** Whether an enclosing value is write-only, so that all of it is hidden. */
  readonly hidden: boolean;
  /** Whether it only says when something else holds (`if`, `not` …): no value is described by it. */
  readonly condition: boolean;
}

/** Every schema of the document, one at a time: outer before inner, in the order in which they are written. */
export function* schemasOf({ role, document, place }: PlacedDocument): Generator<VisitedSchema, void, void> {
  const definitions = new Map(
    document.definitions.map(({ name, schema }) => [definitionPointer(name), schema]),
  );
  const firstUse = new Map<string, Steps>();
  const outermost = { jsonName: "", name: "", hidden: false, condition: false };
  const starts = [
    (): Waiting => ({ ...outermost, position: "root", place, schema: document.root }),
    // The code of a definition is known once the schema that uses it has been visited.
    ...document.definitions.map(({ name, schema }) => (): Waiting => {
      const what = `"${name}" of ${place.what}`;
      const path = firstUse.get(definitionPointer(name)) ?? place.path;
      const inside = { ...below(place, { what, pointer: ["$defs", name] }), path };
      return { ...outermost, position: "definition", place: inside, schema };
    }),
  ];
  for (const start of starts) {
    const waiting: Waiting[] = [start()];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const view = viewOf(next.schema);
      const { reference } = view;
      if (reference !== undefined && !firstUse.has(reference)) firstUse.set(reference, next.place.path);
      const target = reference === undefined ? undefined : definitions.get(reference);
      yield { ...next, role, view, definition: target && viewOf(target) };
      for (const inner of waitingIn(next, view).reverse()) waiting.push(inner);
    }
  }
}

type Waiting = Omit<VisitedSchema, "role" | "view" | "definition"> & { readonly schema: SchemaModel };

const CONDITIONS: readonly string[] = ["contains", "if", "not", "propertyNames"];

function waitingIn(holder: Waiting, view: SchemaView): Waiting[] {
  const hidden = holder.hidden || view.keywords.get("writeOnly") === true;
  const { condition, place } = holder;
  const properties = view.properties.map(
    ({ name, jsonName, schema }): Waiting => ({
      position: "property",
      place: below(place, {
        what: `"${name}" of ${place.what}`,
        pointer: ["properties", jsonName],
        path: [name],
      }),
      ...{ name, jsonName, schema, hidden, condition },
    }),
  );
  // An object that names its properties and is open to others describes no other value.
  const open = (entry: InnerSchema) =>
    properties.length > 0 && entry.schema.kind === "verbatim" && entry.schema.json === true;
  const described = view.inner.filter((entry) => !open(entry));
  const inner = described.map(
    (entry): Waiting => ({
      ...{ name: "", jsonName: "", schema: entry.schema, hidden },
      ...positionOf(entry, place),
      condition: condition || CONDITIONS.includes(entry.keyword),
    }),
  );
  return [...properties, ...inner];
}

function positionOf(
  { keyword, pointer }: InnerSchema,
  place: ModelPlace,
): Pick<Waiting, "position" | "place"> {
  switch (keyword) {
    case "items":
    case "prefixItems":
    case "additionalItems":
    case "unevaluatedItems":
      return { position: "item", place: below(place, { what: `an item of ${place.what}`, pointer }) };
    case "additionalProperties":
    case "unevaluatedProperties":
    case "patternProperties":
      return { position: "value", place: below(place, { what: `a value of ${place.what}`, pointer }) };
    case "$defs":
    case "definitions": {
      const what = `"${String(pointer.at(-1))}" of ${place.what}`;
      return { position: "definition", place: below(place, { what, pointer }) };
    }
    default:
      return { position: "part", place: below(place, { what: `"${keyword}" of ${place.what}`, pointer }) };
  }
}

/** Whether the value is, or lists, texts or numbers that its name speaks of; not a yes or no, nor an object of others. */
export function isLeaf({ view, definition }: VisitedSchema): boolean {
  const { types, properties, inner } = definition ?? view;
  if (properties.length > 0 || types?.every((type) => type === "boolean" || type === "null")) return false;
  return inner.every(({ keyword, schema }) => {
    if (keyword !== "items") return true;
    const item = viewOf(schema);
    return item.properties.length === 0 && item.reference === undefined;
  });
}
