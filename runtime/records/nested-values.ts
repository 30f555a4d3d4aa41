/** Values inside a record: inspected on their own, they hide what is sensitive as the record does (§2.9). */
import { isJsonObject } from "../../schemas/json.js";
import type { Values } from "../validation/helpers.js";
import { applicableSchemas, itemSchemas, memberSchemas, membersOf } from "./applicable-schemas.js";
import { maskPart } from "./masking.js";
import { type NameMapping, type NestedNameMapping, toSerializedNames } from "./name-mapping.js";
import { type RecordType, recordTypeOf } from "./record-type.js";

/** The method of a value that `util.inspect` calls in place of showing it. */
export const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/** The part of a record that a value is. */
interface Place {
  /** All that describes the value. */
  readonly schemas: readonly Values[];
  readonly root: unknown;
  readonly names: NameMapping | undefined;
}

/** The places of properties, by their names in code, under which something is write-only; worked out once a type. */
const sensitivePlaces = new WeakMap<RecordType, readonly (readonly [name: string, place: Place])[]>();

/** Lets lists and objects in `record` hide, when they are inspected, what `type` calls write-only. Frozen ones can't. */
export function concealNested(type: RecordType, record: object): void {
  // Most records are flat, and those that fit do without their schema.
  if (!Object.values(record).some((value) => typeof value === "object" && value !== null)) return;
  for (const [name, place] of sensitivePlacesOf(type)) {
    if (Object.hasOwn(record, name)) conceal(Reflect.get(record, name), place);
  }
}

function sensitivePlacesOf(type: RecordType): readonly (readonly [string, Place])[] {
  const known = sensitivePlaces.get(type);
  if (known !== undefined) return known;
  const root = type.schema;
  const whole = placeOf([root], root, type.names);
  const jsonNames = new Set(whole.schemas.flatMap((schema) => Object.keys(membersOf(schema["properties"]))));
  const places = [...jsonNames].flatMap((jsonName) => {
    const [name, place] = memberPlace(whole, jsonName);
    return place.schemas.some((schema) => holdsSensitive(schema, root, new Set()))
      ? [[name, place] as const]
      : [];
  });
  sensitivePlaces.set(type, places);
  return places;
}

/** Whether something is write-only at or below the value that `schema` describes. */
function holdsSensitive(schema: unknown, root: unknown, seen: Set<unknown>): boolean {
  if (typeof schema !== "object" || schema === null || seen.has(schema)) return false;
  seen.add(schema);
  if (isJsonObject(schema) && schema["writeOnly"] === true) return true;
  const parts = isJsonObject(schema) ? applicableSchemas(schema, root) : [];
  return [...parts, ...Object.values(schema)].some((inner) => holdsSensitive(inner, root, seen));
}

function conceal(value: unknown, place: Place): void {
  if (typeof value !== "object" || value === null || Object.hasOwn(value, INSPECT)) return;
  if (!Object.isExtensible(value) || recordTypeOf(value) !== undefined) return;
  const inspected = (_depth: number, options: object, inspect: (shown: unknown, options: object) => string) =>
    inspect(shownAt(value, place), options);
  Object.defineProperty(value, INSPECT, { value: inspected, configurable: true });
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) conceal(item, itemPlace(place, index));
    return;
  }
  const names = new Map(place.names?.properties?.map(([name, jsonName]) => [name, jsonName]));
  for (const [name, member] of Object.entries(value)) {
    conceal(member, memberPlace(place, names.get(name) ?? name)[1]);
  }
}

function shownAt(value: object, { schemas, root, names }: Place): unknown {
  // A plain copy: the value itself would be inspected without end.
  const plain = Array.isArray(value) ? [...value] : { ...value };
  return maskPart(toSerializedNames(plain, names), schemas, root);
}

function placeOf(given: readonly unknown[], root: unknown, names: NestedNameMapping | undefined): Place {
  const schemas = given.flatMap((schema) => applicableSchemas(schema, root));
  return { schemas, root, names: typeof names === "function" ? names() : names };
}

/** The name in code and the place of the member with this serialized name. */
function memberPlace({ schemas, root, names }: Place, jsonName: string): readonly [string, Place] {
  const property = names?.properties?.find(([, serialized]) => serialized === jsonName);
  const given = schemas.flatMap((schema) => memberSchemas(schema, jsonName));
  return [property?.[0] ?? jsonName, placeOf(given, root, property?.[2] ?? names?.each)];
}

function itemPlace({ schemas, root, names }: Place, index: number): Place {
  return placeOf(
    schemas.flatMap((schema) => itemSchemas(schema, index)),
    root,
    names?.each,
  );
}
