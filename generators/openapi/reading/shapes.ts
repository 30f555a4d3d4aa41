/** What a schema comes to: references followed, `allOf` merged, unions opened. One level at a time, so recursion ends. */
import type { ApiDescription, ApiSchema, ApiType } from "./api-description.js";

/** A schema as a value has it. */
export interface Shape {
  /** Names of the schemas that stand for it, the nearest first. */
  readonly names: readonly string[];
  readonly types: readonly ApiType[];
  readonly nullable: boolean;
  readonly description: string;
  readonly format: string;
  readonly values: readonly (string | number | boolean)[];
  readonly properties: ReadonlyMap<string, ShapeProperty>;
  readonly items: ApiSchema | undefined;
  /** Schema of members that have any name. */
  readonly members: ApiSchema | undefined;
  /** The schemas that were put together; limits, examples and defaults stand in them. */
  readonly parts: readonly ApiSchema[];
}

/** A property of a shape. */
export interface ShapeProperty {
  readonly name: string;
  readonly required: boolean;
  readonly schema: ApiSchema;
}

/** Schemas that are put together for one. Nobody writes so many; what a machine wrote must end. */
const MOST_PARTS = 500;

/** Shapes of a document's schemas. Each is made once. */
export class Shapes {
  readonly #schemas: ApiDescription["schemas"];
  readonly #known = new WeakMap<ApiSchema, Shape>();

  constructor({ schemas }: Pick<ApiDescription, "schemas">) {
    this.#schemas = schemas;
  }

  /** The shape of `schema`. */
  of(schema: ApiSchema): Shape {
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    const shape = this.#make(schema);
    this.#known.set(schema, shape);
    return shape;
  }

  #make(root: ApiSchema): Shape {
    const found: Found = { names: new Set(), parts: [], properties: new Map(), isNullable: false };
    this.#collect(root, found, { isCertain: true, isOutside: true });
    const { names, parts, properties, isNullable } = found;
    const first = <Value>(of: (part: ApiSchema) => Value, isThere: (value: Value) => boolean) =>
      parts.map(of).find(isThere);
    return {
      names: [...names],
      types: typesOf(parts),
      nullable: isNullable,
      description: first(({ description }) => description, isFilled) ?? "",
      format: first(({ format }) => format, isFilled) ?? "",
      values:
        first(
          ({ values }) => values,
          (values) => values.length > 0,
        ) ?? [],
      properties,
      items: first(({ items }) => items, isThere),
      members: first(({ members }) => members, isThere),
      parts,
    };
  }

  #collect(schema: ApiSchema, found: Found, place: PartPlace): void {
    if (found.parts.length >= MOST_PARTS) return;
    found.parts.push(schema);
    if (place.isOutside) found.isNullable ||= schema.nullable;
    if (schema.ref !== undefined && !found.names.has(schema.ref)) {
      const target = this.#schemas.get(schema.ref);
      found.names.add(schema.ref);
      if (target !== undefined) this.#collect(target, found, place);
    }
    for (const property of schema.properties)
      addProperty(found.properties, property, place.isCertain && property.required);
    for (const part of schema.allOf) this.#collect(part, found, { ...place, isOutside: false });
    // What one of several schemas says need not hold.
    const isOpen = schema.anyOf.length > 1;
    const inner = { isCertain: place.isCertain && !isOpen, isOutside: place.isOutside && !isOpen };
    for (const part of schema.anyOf) this.#collect(part, found, inner);
  }
}

/** What was put together so far. */
interface Found {
  readonly names: Set<string>;
  readonly parts: ApiSchema[];
  readonly properties: Map<string, ShapeProperty>;
  isNullable: boolean;
}

/** Where in a schema a part stands. */
interface PartPlace {
  /** Whether it holds for every value. */
  readonly isCertain: boolean;
  /** Whether it speaks of the whole value: one of `allOf` that allows null allows nothing by itself. */
  readonly isOutside: boolean;
}

/**
 * The types of a union are those of all its members; else the first part that states one decides. What a reference leads to
 * goes before what stands beside it: versions before 3.1 ignore that, and so do those who write it.
 */
function typesOf(all: readonly ApiSchema[]): readonly ApiType[] {
  const parts = [
    ...all.filter(({ ref }) => ref === undefined),
    ...all.filter(({ ref }) => ref !== undefined),
  ];
  const union = parts.findIndex(({ anyOf }) => anyOf.length > 1);
  const outside = union === -1 ? parts : parts.slice(0, union + 1);
  const stated = outside.find(({ types }) => types.length > 0);
  if (stated !== undefined) return stated.types;
  return union === -1 ? [] : [...new Set(parts.slice(union).flatMap(({ types }) => types))];
}

/** What two parts say of one property holds together; the first one's schema is kept. */
function addProperty(
  properties: Map<string, ShapeProperty>,
  { name, schema }: { readonly name: string; readonly schema: ApiSchema },
  required: boolean,
): void {
  const known = properties.get(name);
  if (known === undefined) properties.set(name, { name, required, schema });
  else if (required && !known.required) properties.set(name, { ...known, required });
}

function isFilled(text: string): boolean {
  return text !== "";
}

function isThere(schema: ApiSchema | undefined): boolean {
  return schema !== undefined;
}

/** Whether a value of the shape is an object, or nothing says that it is something else. */
export function mayBeObject({ types, properties, items }: Shape): boolean {
  if (types.length > 0) return types.includes("object");
  return properties.size > 0 || items === undefined;
}

export function isArray({ types, items }: Shape): boolean {
  return types.includes("array") || (types.length === 0 && items !== undefined);
}

/** Whether a value of the shape is a text or a number: what can be a key, a cursor or a time. */
export function isTextOrNumber({ types }: Shape): boolean {
  return types.length > 0 && types.every((type) => ["string", "integer", "number"].includes(type));
}
