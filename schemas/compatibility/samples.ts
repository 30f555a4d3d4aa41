/**
 * Small values for a schema: the first ones most likely fit, others lie just beyond its limits. Nothing is claimed of
 * them; what is shown to anyone has been verified.
 */
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../json.js";
import { MAX_STRING_LENGTH, stringsMatching } from "./patterns.js";
import {
  acceptedTypes,
  listedValues,
  objectOrEmpty,
  type SchemaNode,
  schemasIn,
  stringsIn,
  VALUE_TYPES,
  type ValueType,
} from "./schema-node.js";
import type { SchemaSide } from "./schema-side.js";

/** Values of every type. */
export const GENERIC_VALUES: readonly JsonValue[] = [null, true, 0, 1.5, "", "a", [], {}, false, 1, -1];

/** Larger arrays and objects are not made. */
export const MAX_ITEMS = 60;
const MAX_DEPTH = 12;
const MAX_LISTED = 20;
const MAX_PROPERTIES_TRIED = 8;
const MAX_SAMPLES_PER_BRANCH = 8;
/** Deeper than this, objects are only made with what is required. */
const MAX_DEPTH_OF_VARIANTS = 2;

/** Values for `node`, the most likely ones first. */
export function samplesOf(side: SchemaSide, node: SchemaNode, depth = 0): readonly JsonValue[] {
  if (typeof node === "boolean") return node ? ["a"] : [];
  if (depth > MAX_DEPTH) return [];
  const target = side.target(node["$ref"]);
  const ofTarget = target === undefined ? [] : samplesOf(side, target, depth + 1);
  const ofBranch = (branch: SchemaNode) =>
    samplesOf(side, branch, depth + 1).slice(0, MAX_SAMPLES_PER_BRANCH);
  const ofBranches = ["anyOf", "oneOf", "allOf"].flatMap((name) => schemasIn(node[name]).flatMap(ofBranch));
  const ofConditions = ["not", "if", "then", "else", "contains"].flatMap((name) => {
    const condition = node[name];
    return isJsonObject(condition) ? ofBranch(condition) : [];
  });
  const own = [...ownSamples(side, node, depth), ...ofConditions];
  const isTyped = node["type"] !== undefined && acceptedTypes(node) !== undefined;
  const samples = isTyped ? [...own, ...ofTarget, ...ofBranches] : [...ofTarget, ...ofBranches, ...own];
  // Two branches or more may ask for an object with the properties of each.
  const isMerged = ofBranches.filter(isJsonObject).length > 1;
  return isMerged ? [...samples, Object.assign({}, ...samples.filter(isJsonObject))] : samples;
}

/** The value that most likely fits. */
function likelySample(side: SchemaSide, node: SchemaNode, depth = 0): JsonValue {
  if (typeof node === "boolean") return samplesOf(side, node)[0] ?? null;
  const known = likelySamples.get(node);
  if (known !== undefined) return known;
  const sample = samplesOf(side, node, depth)[0] ?? null;
  // Near the greatest depth a recursive schema gives less than it could.
  if (depth < MAX_DEPTH / 2) likelySamples.set(node, sample);
  return sample;
}

const likelySamples = new WeakMap<JsonObject, JsonValue>();

/** An object that most likely fits: what is required, and nothing else. */
export function minimalObject(side: SchemaSide, node: JsonObject, depth = 0): JsonObject {
  const properties = objectOrEmpty(node["properties"]);
  const members = stringsIn(node["required"]).map((name): [string, JsonValue] => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : node["additionalProperties"];
    return [name, isJsonObject(schema) ? likelySample(side, schema, depth + 1) : "a"];
  });
  const least = typeof node["minProperties"] === "number" ? Math.min(node["minProperties"], MAX_ITEMS) : 0;
  const additional = node["additionalProperties"];
  for (let index = 0; members.length < least; index++) {
    members.push([
      `name${index}`,
      likelySample(side, isJsonObject(additional) ? additional : true, depth + 1),
    ]);
  }
  return Object.fromEntries(members);
}

/** By the types and listed values, without references and branches. */
function ownSamples(side: SchemaSide, node: JsonObject, depth: number): readonly JsonValue[] {
  const listed = listedValues(node);
  if (listed !== undefined) return listed.slice(0, MAX_LISTED);
  const types = acceptedTypes(node) ?? VALUE_TYPES;
  return types.flatMap((type) => samplesOfType(type, side, node, depth));
}

function samplesOfType(
  type: ValueType,
  side: SchemaSide,
  node: JsonObject,
  depth: number,
): readonly JsonValue[] {
  switch (type) {
    case "null":
      return [null];
    case "boolean":
      return [true, false];
    case "string":
      return stringSamples(node);
    case "integer":
      return numberSamples(node).filter(Number.isInteger);
    case "fraction":
      return numberSamples(node);
    case "array":
      return arraySamples(side, node, depth);
    case "object":
      return objectSamples(side, node, depth);
    default:
      return type satisfies never;
  }
}

function arraySamples(side: SchemaSide, node: JsonObject, depth: number): readonly JsonValue[] {
  const items = isJsonObject(node["items"]) ? samplesOf(side, node["items"], depth + 1) : ["a"];
  const limits = numbersIn(node, ["minItems", "maxItems"]);
  const sizes = [limits[0] ?? 0, ...limits.flatMap((limit) => [limit, limit + 1, limit - 1]), 0, 1];
  const [item = null] = items;
  const itemAt = (index: number) => (node["uniqueItems"] === true ? (items[index] ?? index) : item);
  const arrays = sizes
    .filter((size) => size >= 0 && size <= MAX_ITEMS)
    .map((length) => Array.from({ length }, (_, index) => itemAt(index)));
  return [...arrays, [item, item], ...GENERIC_VALUES.map((value) => [value])];
}

function objectSamples(side: SchemaSide, node: JsonObject, depth: number): readonly JsonObject[] {
  const least = minimalObject(side, node, depth);
  if (depth > MAX_DEPTH_OF_VARIANTS) return [least];
  const withOneMore = Object.entries(objectOrEmpty(node["properties"]))
    .slice(0, MAX_PROPERTIES_TRIED)
    .map(([name, schema]) => {
      const value = isJsonObject(schema) ? likelySample(side, schema, depth + 1) : "a";
      return { ...least, [name]: value };
    });
  const matching = membersByPattern(side, node, depth).map((member) => ({ ...least, ...member }));
  return [least, ...withOneMore, ...matching, ...objectsNearLimits(side, node, { least, depth })];
}

/** An object of one member for each pattern of `patternProperties`. */
export function membersByPattern(side: SchemaSide, node: JsonObject, depth = 0): readonly JsonObject[] {
  return Object.entries(objectOrEmpty(node["patternProperties"]))
    .slice(0, MAX_PROPERTIES_TRIED)
    .flatMap(([pattern, schema]) => {
      const value = isJsonObject(schema) ? likelySample(side, schema, depth + 1) : "a";
      return patternSamples(pattern)
        .slice(0, 2)
        .map((name) => ({ [name]: value }));
    });
}

/** Objects of as many members as limits speak of, and one more or less. */
function objectsNearLimits(
  side: SchemaSide,
  node: JsonObject,
  { least, depth }: { readonly least: JsonObject; readonly depth: number },
): readonly JsonObject[] {
  const limits = numbersIn(node, ["minProperties", "maxProperties"]);
  if (limits.length === 0) return [];
  const additional = node["additionalProperties"];
  const value = isJsonObject(additional) ? likelySample(side, additional, depth + 1) : "a";
  return limits
    .flatMap((limit) => [limit, limit + 1, limit - 1])
    .filter((count) => count <= MAX_ITEMS)
    .map((count) => {
      const length = Math.max(0, count - Object.keys(least).length);
      const others = Array.from({ length }, (_, index) => [`name${index}`, value] as const);
      return { ...Object.fromEntries(others), ...least };
    });
}

const NUMBER_LIMITS = ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"];

/** Inside the limits first, then on and just beyond them. */
function numberSamples(node: JsonObject): readonly number[] {
  const limits = numbersIn(node, NUMBER_LIMITS);
  const step = node["multipleOf"];
  const near = limits.flatMap((limit) => [limit, limit + 1, limit - 1, limit + 0.5, limit - 0.5]);
  const multiples =
    typeof step === "number" && step > 0
      ? [...limits, 0, 1].flatMap((limit) => multiplesNear(limit, step))
      : [];
  const all = [...multiples, 0, ...near, 1, -1, 1.5, 2147483648, 2, 3];
  const inside = all.filter((value) => isInside(value, node));
  return [...new Set([...inside, ...all])].filter(Number.isFinite);
}

function multiplesNear(limit: number, step: number): readonly number[] {
  const below = Math.floor(limit / step) * step;
  return [below, below + step, below - step, below + 2 * step];
}

function isInside(value: number, node: JsonObject): boolean {
  const [least, above, most, under] = NUMBER_LIMITS.map((name) => node[name]);
  return (
    (typeof least !== "number" || value >= least) &&
    (typeof above !== "number" || value > above) &&
    (typeof most !== "number" || value <= most) &&
    (typeof under !== "number" || value < under)
  );
}

function numbersIn(node: JsonObject, names: readonly string[]): readonly number[] {
  return names.map((name) => node[name]).filter((value) => typeof value === "number");
}

const FORMAT_EXAMPLES: Readonly<Record<string, string>> = {
  date: "2024-02-29",
  time: "12:00:00Z",
  "date-time": "2024-02-29T12:00:00Z",
  "iso-time": "12:00:00",
  "iso-date-time": "2024-02-29T12:00:00",
  duration: "P1D",
  uri: "https://a.example/b",
  "uri-reference": "a/b",
  "uri-template": "/a/{b}",
  url: "https://a.example/b",
  email: "a@b.example",
  hostname: "a.example",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  regex: "^a$",
  uuid: "c0ffee00-0000-4000-8000-00000000c0de",
  "json-pointer": "/a",
  "json-pointer-uri-fragment": "#/a",
  "relative-json-pointer": "0/a",
  byte: "YQ==",
};

/** Strings that simple patterns often match. */
const COMMON_STRINGS = [
  "a",
  "A",
  "0",
  "ab",
  "AB",
  "a1",
  "A-1",
  "abc",
  "123",
  "abc-123",
  "a b",
  "ABC123",
  "",
  "-",
  "é",
  "+1",
];

/** Strings that most likely match `pattern`. */
export function patternSamples(pattern: string, minLength?: number): readonly string[] {
  const made = stringsMatching(pattern, minLength);
  if (made.length > 0) return made;
  try {
    const expression = new RegExp(pattern, "u");
    return COMMON_STRINGS.filter((text) => expression.test(text)).slice(0, 2);
  } catch {
    return [];
  }
}

/** The most fitting first; some are just beyond the limits. */
function stringSamples(node: JsonObject): readonly string[] {
  const { format, pattern, minLength } = node;
  const limits = numbersIn(node, ["minLength", "maxLength"]);
  const least = typeof minLength === "number" ? minLength : 1;
  const example = typeof format === "string" ? ownMember(FORMAT_EXAMPLES, format) : undefined;
  const bases = [
    ...(typeof pattern === "string" ? patternSamples(pattern, least) : []),
    ...(example === undefined ? [] : [example]),
  ];
  const sized = [least, ...limits.flatMap((limit) => [limit, limit - 1, limit + 1])]
    .filter((length) => Number.isInteger(length) && length >= 0 && length <= MAX_STRING_LENGTH)
    .map((length) => "a".repeat(length));
  const longer = bases.flatMap((base) =>
    limits
      .filter((limit) => base !== "" && limit + 1 <= MAX_STRING_LENGTH)
      .map((limit) => base.padEnd(limit + 1, base)),
  );
  return [...bases, ...sized, ...longer, ...COMMON_STRINGS];
}
