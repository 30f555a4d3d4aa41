/** Primary and alternate keys of data objects (spec §2.6). */
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { ConnectorModel, KeyModel } from "../model/connector-model.js";
import type { PropertyModel, SchemaDocument } from "../model/schema-model.js";
import { didYouMean } from "../naming/nearest.js";
import { acceptsNull, type Definitions, definitionsOf, isStructured, keyedProperties } from "./key-values.js";
import { modulesOf, type PlacedObject } from "./model-parts.js";
import { below, found, type ModelPlace } from "./place.js";

/** What is wrong with the keys of every data object. */
export function checkKeys(model: ConnectorModel): readonly Diagnostic[] {
  return modulesOf(model).flatMap(({ objects }) => objects.flatMap(checkObjectKeys));
}

interface PlacedKey {
  readonly key: KeyModel;
  readonly place: ModelPlace;
  /** The name of the object, as messages say it. */
  readonly object: string;
}

function checkObjectKeys(placed: PlacedObject): readonly Diagnostic[] {
  const keys = keysOf(placed);
  const check = propertyCheck(placed.object.schema);
  return [
    ...checkPrimary(placed, keys),
    ...keys.flatMap((key) => [...checkName(key), ...checkList(key), ...check(key)]),
    ...checkDuplicates(keys),
  ];
}

/** Files list keys in any order; authors write one primary key and a list of others. */
function keysOf({ object, place }: PlacedObject): readonly PlacedKey[] {
  const first = object.keys[0]?.isPrimary === true ? 1 : 0;
  const asWritten = object.keys.every(({ isPrimary }, index) => isPrimary === index < first);
  const path = (index: number) => {
    if (!asWritten) return ["keys", index];
    return index < first ? ["primaryKey"] : ["alternateKeys", index - first];
  };
  return object.keys.map((key, index) => ({
    key,
    place: below(place, { pointer: ["keys", index], path: path(index) }),
    object: object.className,
  }));
}

function checkPrimary({ object, place }: PlacedObject, keys: readonly PlacedKey[]): readonly Diagnostic[] {
  const [first, second] = keys.filter(({ key }) => key.isPrimary);
  if (first === undefined) {
    return [found("key-missing", below(place, { pointer: ["keys"] }), { object: object.className })];
  }
  if (second === undefined) return [];
  const count = keys.filter(({ key }) => key.isPrimary).length;
  return [found("key-several-primary", second.place, { object: object.className, count })];
}

function checkName({ key, place, object }: PlacedKey): readonly Diagnostic[] {
  if (/^[\w-]+$/.test(key.name)) return [];
  return [found("key-name-unsafe", place, { key: key.name, object })];
}

function checkList({ key, place, object }: PlacedKey): readonly Diagnostic[] {
  const names = key.propertyNames;
  if (names.length === 0) return [found("key-empty", place, { key: key.name, object })];
  const repeated = new Set(repeatedIn(names));
  return [...repeated].map((property) =>
    found("key-property-repeated", place, { key: key.name, object, property }),
  );
}

/** The check of a key's properties, prepared once for all keys of an object. */
function propertyCheck(schema: SchemaDocument): (key: PlacedKey) => readonly Diagnostic[] {
  const definitions = definitionsOf(schema);
  const properties = keyedProperties(schema.root, definitions);
  // That the root is no object is a finding of its own; nothing more can be said of its properties.
  if (properties === undefined) return () => [];
  const byName = new Map(properties.map((property) => [property.jsonName, property]));
  return (key) =>
    [...new Set(key.key.propertyNames)].flatMap((name) => {
      const property = byName.get(name);
      return property === undefined
        ? unknownProperty(key, name, properties)
        : checkProperty(key, property, definitions);
    });
}

/** Names longer than this are not compared with others. */
const LONGEST_COMPARED = 100;

function unknownProperty(
  { key, place, object }: PlacedKey,
  property: string,
  properties: readonly PropertyModel[],
): readonly Diagnostic[] {
  if (/[./[\]]/.test(property)) {
    return [found("key-property-nested", place, { key: key.name, object, property })];
  }
  const names = properties.flatMap(({ name, jsonName }) => [name, jsonName]);
  const hint = property.length > LONGEST_COMPARED ? "" : didYouMean(property, names);
  return [found("key-property-unknown", place, { key: key.name, object, property, hint })];
}

function checkProperty(
  { key, place, object }: PlacedKey,
  { name, required, schema }: PropertyModel,
  definitions: Definitions,
): readonly Diagnostic[] {
  const parameters = { key: key.name, object, property: name };
  return [
    ...(required ? [] : [found("key-property-optional", place, parameters)]),
    ...(acceptsNull(schema, definitions) ? [found("key-property-nullable", place, parameters)] : []),
    ...(isStructured(schema, definitions) ? [found("key-property-not-scalar", place, parameters)] : []),
  ];
}

function checkDuplicates(keys: readonly PlacedKey[]): readonly Diagnostic[] {
  const names = new Set<string>();
  const lists = new Map<string, string>();
  return keys.flatMap(({ key, place, object }) => {
    const findings: Diagnostic[] = [];
    if (names.has(key.name)) findings.push(found("key-duplicate-name", place, { key: key.name, object }));
    names.add(key.name);
    if (key.propertyNames.length === 0) return findings;
    const list = JSON.stringify([...new Set(key.propertyNames)].sort());
    const other = lists.get(list);
    if (other === undefined) lists.set(list, key.name);
    else findings.push(found("key-duplicate-properties", place, { key: key.name, other, object }));
    return findings;
  });
}

function repeatedIn(names: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return names.filter((name) => seen.size === seen.add(name).size);
}
