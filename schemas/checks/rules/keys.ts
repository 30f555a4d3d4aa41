/** Rules of primary and alternate keys (§2.6). */
import type { CheckRules } from "../../diagnostics/codes.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { findingsOf, type Location, within } from "../../diagnostics/locations.js";
import { keyPropertyExample, keysExample } from "../../diagnostics/rules/example-code.js";
import { isJsonArray, isJsonObject, type JsonTree, memberOf } from "../../json.js";
import type { ConnectorModel, KeyModel } from "../../model/connector-model.js";
import { definitionPointer } from "../../model/render-schema.js";
import type { PropertyModel, SchemaDocument, SchemaModel } from "../../model/schema-model.js";
import { didYouMean } from "../../naming/nearest.js";
import { type LocatedObject, modulesOf } from "../visit/model-parts.js";
import { viewOf } from "../visit/schema-visitor.js";

export const KEY_RULES = {
  "key-missing": {
    severity: "error",
    section: "§2.6",
    message: 'Data object "{object}" has no primary key.',
    fix: "Declare primaryKey with the properties that identify a record in the target system.",
    example: keysExample("", 'primaryKey: "id",'),
  },
  "key-several-primary": {
    severity: "error",
    section: "§2.6",
    message: 'Data object "{object}" has {count} primary keys; it must have one.',
    fix: "Keep one as primaryKey and list the others under alternateKeys.",
    example: keysExample(
      `keys: [
    { name: "id", properties: ["id"], isPrimary: true },
    { name: "number", properties: ["number"], isPrimary: true },
  ],`,
      `primaryKey: "id",
  alternateKeys: ["number"],`,
    ),
  },
  "key-empty": {
    severity: "error",
    section: "§2.6",
    message: 'Key "{key}" of "{object}" lists no property.',
    fix: "List the required properties that form the key.",
    example: keysExample("primaryKey: [],", 'primaryKey: "id",'),
  },
  "key-property-unknown": {
    severity: "error",
    section: "§2.6",
    message: 'Key "{key}" of "{object}" names "{property}", and no property has that name.{hint}',
    fix: "Name a property of this object, as it is called in the code.",
    example: keysExample('primaryKey: "siteId",', 'primaryKey: "id",'),
  },
  "key-property-nested": {
    severity: "error",
    section: "§2.6",
    message: 'Key "{key}" of "{object}" names "{property}", a path into a nested value.',
    fix: "Name top-level properties only; copy the nested value into a property of its own.",
    example: keysExample('primaryKey: "owner.id",', 'primaryKey: "id",'),
  },
  "key-property-optional": {
    severity: "error",
    section: "§2.6",
    message: 'Key "{key}" of "{object}" uses "{property}", which is optional.',
    fix: "Take Type.Optional off this property, or choose one that every record has.",
    example: keyPropertyExample(
      'id: Type.Optional(Type.String({ description: "Identifier." })),',
      'id: Type.String({ description: "Identifier." }),',
    ),
  },
  "key-property-nullable": {
    severity: "error",
    section: "§2.6",
    message: 'Key "{key}" of "{object}" uses "{property}", which may be null.',
    fix: "Take Nullable off this property, or choose one that is never null.",
    example: keyPropertyExample(
      'id: Nullable(Type.String({ description: "Identifier." })),',
      'id: Type.String({ description: "Identifier." }),',
    ),
  },
  "key-property-not-scalar": {
    severity: "error",
    section: "§2.6",
    message: 'Key "{key}" of "{object}" uses "{property}", whose value is an object or an array.',
    fix: "Use properties that hold a string, a number or a boolean: a key joins their values.",
    example: keyPropertyExample(
      'id: Type.Array(Type.String(), { description: "Parts of the identifier." }),',
      'id: Type.String({ description: "Identifier." }),',
    ),
  },
  "key-property-inexact": {
    severity: "warning",
    section: "§2.6",
    message:
      'Key "{key}" of "{object}" uses "{property}" with the format {format}: integers past 9007199254740991 lose digits when JSON is read, and records that have one are rejected.',
    fix: "Declare it as text, and let the target system or the reader send it as text; or set maximum to 9007199254740991 if none is larger.",
    example: keyPropertyExample(
      'id: Type.Integer({ description: "Identifier.", format: "int64" }),',
      'id: Type.String({ description: "Identifier." }),',
    ),
  },
  "key-property-repeated": {
    severity: "error",
    section: "§2.6",
    message: 'Key "{key}" of "{object}" lists "{property}" more than once.',
    fix: "List each property once.",
    example: keysExample('primaryKey: ["id", "id"],', 'primaryKey: ["id", "number"],'),
  },
  // A label, no part of an address: the platform takes it, and a connector that has one can't change it for free.
  "key-name-unsafe": {
    severity: "warning",
    section: "§2.6",
    message: 'The key name "{key}" of "{object}" contains characters that do not belong in a key name.',
    fix: 'Use letters, digits, hyphens and underscores; "id" is a fine name for every object.',
    example: keysExample(
      'primaryKey: { name: "id,number", properties: ["id", "number"] },',
      'primaryKey: { name: "id-number", properties: ["id", "number"] },',
    ),
  },
  "key-name-empty": {
    severity: "error",
    section: "§2.6",
    message: 'A key of "{object}" has an empty name.',
    fix: 'Name it; "id" is a fine name for the primary key of every object.',
    example: keysExample(
      'primaryKey: { name: "", properties: ["id"] },',
      'primaryKey: { name: "id", properties: ["id"] },',
    ),
  },
  "key-duplicate-name": {
    severity: "error",
    section: "§2.6",
    message: 'Two keys of "{object}" are named "{key}".',
    fix: "Give each key of an object a name of its own.",
    example: keysExample(
      `primaryKey: "id",
  alternateKeys: [{ name: "id", properties: ["number"] }],`,
      `primaryKey: "id",
  alternateKeys: ["number"],`,
    ),
  },
  "key-duplicate-properties": {
    severity: "warning",
    section: "§2.6",
    message: 'Keys "{key}" and "{other}" of "{object}" list the same properties.',
    fix: "Remove one of the two.",
    example: keysExample(
      `primaryKey: "id",
  alternateKeys: [{ name: "identifier", properties: ["id"] }],`,
      `primaryKey: "id",
  alternateKeys: ["number"],`,
    ),
  },
} as const satisfies CheckRules;

const findingAt = findingsOf(KEY_RULES);

/** Checks the keys of every data object. */
export function checkKeys(model: ConnectorModel): readonly Diagnostic[] {
  return modulesOf(model).flatMap(({ objects }) => objects.flatMap(checkObjectKeys));
}

interface LocatedKey {
  readonly key: KeyModel;
  readonly location: Location;
  /** The name of the object, as messages say it. */
  readonly object: string;
}

function checkObjectKeys(located: LocatedObject): readonly Diagnostic[] {
  const keys = keysOf(located);
  const check = propertyCheck(located.object.schema);
  return [
    ...checkPrimary(located, keys),
    ...keys.flatMap((key) => [...checkName(key), ...checkList(key), ...check(key)]),
    ...checkDuplicates(keys),
  ];
}

/** The keys with their places in code. Files list keys in any order; authors write a primary key and an array of others. */
function keysOf({ object, location }: LocatedObject): readonly LocatedKey[] {
  const first = object.keys[0]?.isPrimary === true ? 1 : 0;
  const isAuthorsOrder = object.keys.every(({ isPrimary }, index) => isPrimary === index < first);
  const path = (index: number) => {
    if (!isAuthorsOrder) return ["keys", index];
    return index < first ? ["primaryKey"] : ["alternateKeys", index - first];
  };
  return object.keys.map((key, index) => ({
    key,
    location: within(location, { pointer: ["keys", index], path: path(index) }),
    object: object.name,
  }));
}

function checkPrimary(
  { object, location }: LocatedObject,
  keys: readonly LocatedKey[],
): readonly Diagnostic[] {
  const [first, second] = keys.filter(({ key }) => key.isPrimary);
  if (first === undefined) {
    return [findingAt("key-missing", within(location, { pointer: ["keys"] }), { object: object.name })];
  }
  if (second === undefined) return [];
  const count = keys.filter(({ key }) => key.isPrimary).length;
  return [findingAt("key-several-primary", second.location, { object: object.name, count })];
}

function checkName({ key, location, object }: LocatedKey): readonly Diagnostic[] {
  if (/^[\w-]+$/.test(key.name)) return [];
  if (key.name === "") return [findingAt("key-name-empty", location, { object })];
  return [findingAt("key-name-unsafe", location, { key: key.name, object })];
}

function checkList({ key, location, object }: LocatedKey): readonly Diagnostic[] {
  const names = key.propertyNames;
  if (names.length === 0) return [findingAt("key-empty", location, { key: key.name, object })];
  const repeated = new Set(repeatedNames(names));
  return [...repeated].map((property) =>
    findingAt("key-property-repeated", location, { key: key.name, object, property }),
  );
}

/** Returns the check of a key's properties, prepared once for all keys of an object. */
function propertyCheck(schema: SchemaDocument): (key: LocatedKey) => readonly Diagnostic[] {
  const definitions = definitionsOf(schema);
  const properties = keyedProperties(schema.root, definitions);
  // A root that is not an object is a finding of its own.
  if (properties === undefined) return () => [];
  const byName = new Map(properties.map((property) => [property.jsonName, property]));
  return (key) =>
    [...new Set(key.key.propertyNames)].flatMap((name) => {
      const property = byName.get(name);
      return property === undefined
        ? checkUnknownProperty(key, name, properties)
        : checkProperty(key, property, definitions);
    });
}

/** Names longer than this are not compared with others. */
const MAX_COMPARED_LENGTH = 100;

function checkUnknownProperty(
  { key, location, object }: LocatedKey,
  property: string,
  properties: readonly PropertyModel[],
): readonly Diagnostic[] {
  if (/[./[\]]/.test(property)) {
    return [findingAt("key-property-nested", location, { key: key.name, object, property })];
  }
  const names = properties.flatMap(({ name, jsonName }) => [name, jsonName]);
  const hint = property.length > MAX_COMPARED_LENGTH ? "" : didYouMean(property, names);
  return [findingAt("key-property-unknown", location, { key: key.name, object, property, hint })];
}

function checkProperty(
  { key, location, object }: LocatedKey,
  { name, required, schema }: PropertyModel,
  definitions: Definitions,
): readonly Diagnostic[] {
  const parameters = { key: key.name, object, property: name };
  return [
    ...(required ? [] : [findingAt("key-property-optional", location, parameters)]),
    ...(acceptsNull(schema, definitions) ? [findingAt("key-property-nullable", location, parameters)] : []),
    ...(isStructured(schema, definitions)
      ? [findingAt("key-property-not-scalar", location, parameters)]
      : []),
    ...inexactFormats(schema, definitions).map((format) =>
      findingAt("key-property-inexact", location, { ...parameters, format }),
    ),
  ];
}

function checkDuplicates(keys: readonly LocatedKey[]): readonly Diagnostic[] {
  const names = new Set<string>();
  const lists = new Map<string, string>();
  return keys.flatMap(({ key, location, object }) => {
    const findings: Diagnostic[] = [];
    if (names.has(key.name))
      findings.push(findingAt("key-duplicate-name", location, { key: key.name, object }));
    names.add(key.name);
    if (key.propertyNames.length === 0) return findings;
    const list = JSON.stringify([...new Set(key.propertyNames)].sort());
    const other = lists.get(list);
    if (other === undefined) lists.set(list, key.name);
    else findings.push(findingAt("key-duplicate-properties", location, { key: key.name, other, object }));
    return findings;
  });
}

function repeatedNames(names: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return names.filter((name) => seen.size === seen.add(name).size);
}

/** The definitions of a document by the pointers that refer to them. */
type Definitions = ReadonlyMap<string, SchemaModel>;

function definitionsOf({ root, definitions }: SchemaDocument): Definitions {
  const own = definitions.map(({ name, schema }) => [definitionPointer(name), schema] as const);
  const verbatim = root.kind === "verbatim" ? memberOf(root.json, "$defs") : undefined;
  const carried = (isJsonObject(verbatim) ? verbatim.members : []).map(
    ([name, json]): [string, SchemaModel] => [definitionPointer(name), { kind: "verbatim", json }],
  );
  return new Map([...carried, ...own]);
}

/** The properties that a key can name; undefined if the schema is not an object. */
function keyedProperties(root: SchemaModel, definitions: Definitions): readonly PropertyModel[] | undefined {
  const { reference } = viewOf(root);
  const view = viewOf((reference === undefined ? undefined : definitions.get(reference)) ?? root);
  return view.types?.includes("object") === true || view.properties.length > 0 ? view.properties : undefined;
}

/** Whether null is a value of `schema`. */
function acceptsNull(schema: SchemaModel, definitions: Definitions): boolean {
  const { reference } = viewOf(schema);
  const target = reference === undefined ? schema : definitions.get(reference);
  // References are followed for one step, so that recursion ends: a second one is taken not to accept null.
  return target !== undefined && schemaAcceptsNull(target);
}

/** Whether every value of `schema`, but for null, is an object or an array, which a key can't join. */
function isStructured(schema: SchemaModel, definitions: Definitions): boolean {
  const { reference } = viewOf(schema);
  const target = reference === undefined ? undefined : definitions.get(reference);
  const types = (viewOf(target ?? schema).types ?? []).filter((type) => type !== "null");
  return types.length > 0 && types.every((type) => type === "object" || type === "array");
}

const INEXACT_FORMATS: readonly unknown[] = ["int64", "uint64"];

/** The format of `schema` if it has integers that JSON numbers can't tell apart. */
function inexactFormats(schema: SchemaModel, definitions: Definitions): readonly string[] {
  const { reference } = viewOf(schema);
  const target = reference === undefined ? undefined : definitions.get(reference);
  const { types, keywords } = viewOf(target ?? schema);
  const format = keywords.get("format");
  const most = keywords.get("maximum");
  const isBounded = typeof most === "number" && most <= Number.MAX_SAFE_INTEGER;
  const isText = types?.includes("string") === true;
  return typeof format === "string" && INEXACT_FORMATS.includes(format) && !isBounded && !isText
    ? [format]
    : [];
}

function schemaAcceptsNull(schema: SchemaModel): boolean {
  switch (schema.kind) {
    case "any":
      return true;
    case "reference":
      return false;
    case "verbatim":
      return treeAcceptsNull(schema.json, MAX_COMBINATIONS);
    default:
      return schema.nullable;
  }
}

/** Combinations nested deeper than this are taken not to accept null. */
const MAX_COMBINATIONS = 20;

function treeAcceptsNull(tree: JsonTree, levels: number): boolean {
  if (!isJsonObject(tree)) return tree === true;
  if (levels === 0 || memberOf(tree, "$ref") !== undefined) return false;
  const type = memberOf(tree, "type");
  if (type !== undefined && type !== "null" && !(isJsonArray(type) && type.includes("null"))) return false;
  const members = memberOf(tree, "enum");
  if (isJsonArray(members) && !members.includes(null)) return false;
  const constant = memberOf(tree, "const");
  if (constant !== undefined && constant !== null) return false;
  const accepts = (value: JsonTree) => treeAcceptsNull(value, levels - 1);
  const listed = (name: string) => {
    const list = memberOf(tree, name);
    return isJsonArray(list) ? list : undefined;
  };
  const not = memberOf(tree, "not");
  return (
    listed("allOf")?.every(accepts) !== false &&
    listed("anyOf")?.some(accepts) !== false &&
    listed("oneOf")?.some(accepts) !== false &&
    (not === undefined || !accepts(not))
  );
}
