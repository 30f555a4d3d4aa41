/** Random schemas of every keyword that validators carry, and values that fit them, nearly fit them or do not. */

export type Random = () => number;
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type Schema = boolean | { readonly [keyword: string]: unknown };

/** mulberry32: small, fast, and the same on every machine. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}

const NAMES = [
  "a",
  "b",
  "c",
  "toString",
  "constructor",
  "a/b",
  "~",
  "",
  "é",
  "x-y",
  "1",
  "hasOwnProperty",
  "__proto__",
];
const PATTERNS = ["^a", "b$", "^.$", "^[^a]*$", "\\d", "^\\p{L}+$", "😀"];
const FORMATS = [
  "date",
  "time",
  "date-time",
  "uuid",
  "email",
  "ipv4",
  "uri",
  "int32",
  "int64",
  "byte",
  "nobody's",
];
const TEXTS = [
  "",
  "a",
  "b",
  "ab",
  "abc",
  "😀",
  "a😀",
  "\ud800",
  "\udc00a",
  "1",
  "2024-02-29",
  "2023-02-29",
  "2024-02-30",
  "12:00:00Z",
  "23:59:60Z",
  "23:59:60+01:00",
  "2024-02-29T12:00:00Z",
  "2024-02-29 12:00:00+02:00",
  "a@b.co",
  "c0ffee00-0000-4000-8000-00000000c0de",
  "1.2.3.4",
  "http://a.b/c",
  "YQ==",
  "__proto__",
  "toString",
  "null",
];
const NUMBERS = [
  0, -0, 1, 1.5, -1, 2, 3, 0.07, 0.01, 1e21, 1e300, 2147483648, -2147483648, 9007199254740992, 1e-7,
];
const TYPES = ["string", "number", "integer", "boolean", "null", "array", "object"];

function maybe(random: Random, chance: number, make: () => Record<string, unknown>): Record<string, unknown> {
  return random() < chance ? make() : {};
}

/** A schema. Below `depth` 0 it holds no others. */
export function randomSchema(random: Random, depth: number, defined: readonly string[] = []): Schema {
  if (random() < 0.05) return random() < 0.7;
  if (random() < 0.1 && defined.length > 0) return { $ref: `#/$defs/${pick(random, defined)}` };
  const type = random() < 0.75 ? pick(random, TYPES) : undefined;
  const types = random() < 0.25 && type !== undefined ? [...new Set([type, pick(random, TYPES)])] : type;
  return {
    ...(types === undefined ? {} : { type: types }),
    ...maybe(random, 0.05, () => ({ writeOnly: true })),
    ...maybe(random, types === undefined ? 0 : 0.05, () => ({ nullable: true, ...nullFits(types) })),
    ...maybe(random, 0.12, () => ({
      enum: unique([randomValue(random, 1), randomValue(random, 1), pick(random, TEXTS)]),
    })),
    ...maybe(random, 0.04, () => ({ const: randomValue(random, 1) })),
    ...textKeywords(random),
    ...numberKeywords(random),
    ...(depth > 0 ? schemaKeywords(random, depth - 1, defined) : {}),
    ...maybe(random, 0.1, () => ({ minItems: 1 })),
    ...maybe(random, 0.1, () => ({ maxItems: 2 })),
    ...maybe(random, 0.15, () => ({ uniqueItems: true })),
    ...maybe(random, 0.1, () => ({ minProperties: 1 })),
    ...maybe(random, 0.1, () => ({ maxProperties: 2 })),
    ...maybe(random, 0.2, () => ({ required: unique([pick(random, NAMES), pick(random, NAMES)]) })),
  };
}

/** ajv refuses `nullable: false` beside null, and nothing else. */
function nullFits(types: unknown): Record<string, unknown> {
  return types === undefined ? {} : { description: "may be null" };
}

function textKeywords(random: Random): Record<string, unknown> {
  return {
    ...maybe(random, 0.15, () => ({ minLength: Math.floor(random() * 4) })),
    ...maybe(random, 0.15, () => ({ maxLength: Math.floor(random() * 4) })),
    ...maybe(random, 0.1, () => ({ pattern: pick(random, PATTERNS) })),
    ...maybe(random, 0.2, () => ({ format: pick(random, FORMATS) })),
    ...maybe(random, 0.04, () => ({
      format: "date",
      formatMinimum: "2024-01-01",
      formatExclusiveMaximum: "2024-02-29",
    })),
  };
}

function numberKeywords(random: Random): Record<string, unknown> {
  return {
    ...maybe(random, 0.15, () => ({ minimum: pick(random, NUMBERS) })),
    ...maybe(random, 0.1, () => ({ exclusiveMaximum: pick(random, NUMBERS) })),
    ...maybe(random, 0.05, () => ({ maximum: pick(random, NUMBERS), exclusiveMinimum: -1 })),
    ...maybe(random, 0.1, () => ({ multipleOf: pick(random, [0.01, 1, 2, 0.5, 1e-8]) })),
  };
}

function schemaKeywords(random: Random, depth: number, defined: readonly string[]): Record<string, unknown> {
  const inner = () => randomSchema(random, depth, defined);
  const map = (names: readonly string[]) =>
    Object.fromEntries([0, 1, 2].map(() => [pick(random, names), inner()]));
  return {
    ...maybe(random, 0.5, () => ({ properties: map(NAMES) })),
    ...maybe(random, 0.03, () => ({
      properties: Object.fromEntries([...NAMES, "d"].map((name) => [name, true])),
    })),
    ...maybe(random, 0.1, () => ({ patternProperties: map(PATTERNS) })),
    ...maybe(random, 0.2, () => ({ additionalProperties: random() < 0.5 ? false : inner() })),
    ...maybe(random, 0.07, () => ({ propertyNames: inner() })),
    ...maybe(random, 0.07, () => ({ dependencies: { a: inner(), b: ["a", "c"] } })),
    ...maybe(random, 0.4, () => ({ items: random() < 0.7 ? inner() : [inner(), inner()] })),
    ...maybe(random, 0.15, () => ({ additionalItems: inner() })),
    ...maybe(random, 0.08, () => ({ allOf: [inner(), inner()] })),
    ...maybe(random, 0.08, () => ({ anyOf: [inner(), inner()] })),
    ...maybe(random, 0.08, () => ({ oneOf: [inner(), inner(), inner()] })),
    ...maybe(random, 0.08, () => ({ not: failFast(inner()) })),
    ...maybe(random, 0.08, () => ({
      if: failFast(inner()),
      // biome-ignore lint/suspicious/noThenProperty: the keyword
      then: inner(),
      ...maybe(random, 0.6, () => ({ else: inner() })),
    })),
  };
}

/**
 * Without what ajv gets wrong in `not` and `if`, where it stops at the first error: it takes a missing member with the
 * empty name for present, and skips what follows `propertyNames` for an object without members.
 */
function failFast(schema: Schema): Schema {
  const text = JSON.stringify(schema, (key, value) => {
    if (key === "propertyNames") return undefined;
    return key === "required" ? value.filter((name: string) => name !== "") : value;
  });
  return JSON.parse(text);
}

/** A whole document: definitions that may refer to themselves below a property or an item, and a root. */
export function randomDocument(random: Random): Schema {
  const defined = random() < 0.3 ? ["one", "two/2"] : [];
  const pointers = defined.map((name) => name.replace("/", "~1"));
  const root = randomSchema(random, 2, pointers);
  if (typeof root === "boolean" || defined.length === 0) return withContains(random, root);
  const definitions = defined.map((name) => [
    name,
    { properties: { a: { $ref: "#/$defs/one" }, b: randomSchema(random, 1) }, ...textKeywords(random) },
  ]);
  return { ...root, $defs: Object.fromEntries(definitions) };
}

/** Only at the root: deeper, ajv forgets that an empty list contains nothing. */
function withContains(random: Random, root: Schema): Schema {
  if (typeof root === "boolean" || random() > 0.15) return root;
  return { ...root, contains: randomSchema(random, 1) };
}

/** Any JSON value. */
export function randomValue(random: Random, depth: number): Json {
  const kind = random() * (depth > 0 ? 7 : 4);
  if (kind < 1.7) return pick(random, TEXTS);
  if (kind < 3.2) return pick(random, NUMBERS);
  if (kind < 4) return pick(random, [true, false, null]);
  const count = Math.floor(random() * 4);
  if (kind < 5.2) return Array.from({ length: count }, () => randomValue(random, depth - 1));
  return Object.fromEntries(
    Array.from({ length: count }, () => [pick(random, NAMES), randomValue(random, depth - 1)]),
  );
}

/** A value that follows what the schema says at each place, with a chance of going astray there. */
export function valueFor(random: Random, schema: unknown, root: unknown, depth = 4): Json {
  if (depth === 0 || random() < 0.12 || typeof schema !== "object" || schema === null)
    return randomValue(random, 2);
  const said = schema as Readonly<Record<string, unknown>>;
  const listed = said["enum"];
  if (Array.isArray(listed) && listed.length > 0 && random() < 0.8) return pick(random, listed) as Json;
  if (said["const"] !== undefined && random() < 0.8) return said["const"] as Json;
  const reference = said["$ref"];
  if (typeof reference === "string") return valueFor(random, definitionOf(root, reference), root, depth - 1);
  const type = said["type"];
  const types = Array.isArray(type) ? type : [type ?? pick(random, TYPES)];
  switch (pick(random, types)) {
    case "string":
      return textFor(random, said["format"]);
    case "integer":
      return Math.round(pick(random, NUMBERS));
    case "number":
      return pick(random, NUMBERS);
    case "boolean":
      return random() < 0.5;
    case "array":
      return listFor(random, said, root, depth);
    case "object":
      return objectFor(random, said, root, depth);
    default:
      return null;
  }
}

function textFor(random: Random, format: unknown): string {
  if (format === "date-time" && random() < 0.7) return "2024-02-29T23:59:59.123Z";
  if (format === "uuid" && random() < 0.7) return "c0ffee00-0000-4000-8000-00000000c0de";
  return pick(random, TEXTS);
}

function listFor(
  random: Random,
  said: Readonly<Record<string, unknown>>,
  root: unknown,
  depth: number,
): Json {
  const { items, contains } = said;
  return Array.from({ length: Math.floor(random() * 4) }, (_, index) => {
    const schema = random() < 0.2 ? contains : Array.isArray(items) ? items[index] : items;
    return valueFor(random, schema, root, depth - 1);
  });
}

function objectFor(
  random: Random,
  said: Readonly<Record<string, unknown>>,
  root: unknown,
  depth: number,
): Json {
  const properties = Object.entries((said["properties"] ?? {}) as Record<string, unknown>);
  const kept = properties.filter(() => random() < 0.85);
  const members = kept.map(([name, schema]) => [name, valueFor(random, schema, root, depth - 1)]);
  const required = ((said["required"] ?? []) as readonly string[]).filter(
    (name) => !(name in said) && random() < 0.5,
  );
  const more = required.map((name) => [name, randomValue(random, 1)]);
  if (random() < 0.1) more.push([pick(random, NAMES), randomValue(random, 1)]);
  return Object.fromEntries([...more, ...members]);
}

function definitionOf(root: unknown, reference: string): unknown {
  const name = reference.replace("#/$defs/", "").replace("~1", "/");
  return (root as { readonly $defs?: Readonly<Record<string, unknown>> }).$defs?.[name];
}

function unique(values: readonly Json[]): readonly Json[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
