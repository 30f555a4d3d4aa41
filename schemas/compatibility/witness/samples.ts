/**
 * Small values for a schema: the first ones most likely fit, others lie just beyond its limits. Nothing is claimed of
 * them; what is shown to anyone has been verified.
 */
import { isList, isObject, type Json, type JsonObject, type Node, textsOf } from "../json.js";
import type { SchemaSide } from "../schema-side.js";
import { nodesIn } from "../subset/conjunction.js";
import { typesOf, VALUE_TYPES, type ValueType } from "../subset/value-types.js";
import { numbersFor } from "./numbers.js";
import { textsFor } from "./texts.js";

/** One value of each type. */
export const GENERIC: readonly Json[] = [null, true, 0, 1.5, "", "a", [], {}, false, 1, -1];

const DEEPEST = 12;
const MOST_LISTED = 20;
const MOST_ITEMS = 60;

/** Values for `node`, the most likely ones first. */
export function samplesOf(side: SchemaSide, node: Node, depth = 0): readonly Json[] {
  if (typeof node === "boolean") return node ? ["a"] : [];
  if (depth > DEEPEST) return [];
  const target = side.target(node["$ref"]);
  const referred = target === undefined ? [] : samplesOf(side, target, depth + 1);
  const branches = ["anyOf", "oneOf", "allOf"].flatMap((name) =>
    nodesIn(node[name]).flatMap((branch) => samplesOf(side, branch, depth + 1).slice(0, 8)),
  );
  const conditions = ["not", "if", "then", "else", "contains"].flatMap((name) => {
    const condition = node[name];
    return isObject(condition) ? samplesOf(side, condition, depth + 1).slice(0, 8) : [];
  });
  const own = [...ownSamples(side, node, depth), ...conditions];
  if (typesOf(node) !== undefined && node["type"] !== undefined)
    return merged([...own, ...referred, ...branches], branches);
  return merged([...referred, ...branches, ...own], branches);
}

/** The value that most likely fits. */
export function sampleOf(side: SchemaSide, node: Node, depth = 0): Json {
  if (typeof node === "boolean") return samplesOf(side, node)[0] ?? null;
  const known = likely.get(node);
  if (known !== undefined) return known;
  const sample = samplesOf(side, node, depth)[0] ?? null;
  // Near the greatest depth a recursive schema gives less than it could.
  if (depth < DEEPEST / 2) likely.set(node, sample);
  return sample;
}

const likely = new WeakMap<JsonObject, Json>();

/** An object that most likely fits: what is required, and nothing else. */
export function objectFor(side: SchemaSide, node: JsonObject, depth = 0): JsonObject {
  const properties = isObject(node["properties"]) ? node["properties"] : {};
  const members = textsOf(node["required"]).map((name): [string, Json] => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : node["additionalProperties"];
    return [name, isObject(schema) ? sampleOf(side, schema, depth + 1) : "a"];
  });
  const least = node["minProperties"];
  for (let index = 0; typeof least === "number" && members.length < Math.min(least, MOST_ITEMS); index++) {
    members.push([
      `name${index}`,
      sampleOf(side, isObject(node["additionalProperties"]) ? node["additionalProperties"] : true),
    ]);
  }
  return Object.fromEntries(members);
}

function ownSamples(side: SchemaSide, node: JsonObject, depth: number): readonly Json[] {
  const listed = Object.hasOwn(node, "const") ? [node["const"] ?? null] : node["enum"];
  if (isList(listed)) return listed.slice(0, MOST_LISTED);
  const types = typesOf(node) ?? VALUE_TYPES;
  return types.flatMap((type) => samplesOfType(type, side, node, depth));
}

function samplesOfType(type: ValueType, side: SchemaSide, node: JsonObject, depth: number): readonly Json[] {
  switch (type) {
    case "null":
      return [null];
    case "boolean":
      return [true, false];
    case "string":
      return textsFor(node);
    case "integer":
      return numbersFor(node).filter(Number.isInteger);
    case "fraction":
      return numbersFor(node);
    case "array":
      return listsFor(side, node, depth);
    case "object": {
      const least = objectFor(side, node, depth);
      if (depth > 2) return [least];
      return [least, ...withOneMore(side, node, least, depth), ...withMany(side, node, least)];
    }
    default:
      return type satisfies never;
  }
}

function listsFor(side: SchemaSide, node: JsonObject, depth: number): readonly Json[] {
  const items = isObject(node["items"]) ? samplesOf(side, node["items"], depth + 1) : ["a"];
  const counts = [node["minItems"], node["maxItems"]].filter((value) => typeof value === "number");
  const sizes = [counts[0] ?? 0, ...counts.flatMap((count) => [count, count + 1, count - 1]), 0, 1];
  const [item = null] = items;
  const lists = sizes
    .filter((size) => size >= 0 && size <= MOST_ITEMS)
    .map((size) =>
      Array.from({ length: size }, (_, index) =>
        node["uniqueItems"] === true ? (items[index] ?? index) : item,
      ),
    );
  return [...lists, [item, item], ...GENERIC.map((value) => [value])];
}

/** The object with each of its first properties that it need not have. */
function withOneMore(
  side: SchemaSide,
  node: JsonObject,
  least: JsonObject,
  depth: number,
): readonly JsonObject[] {
  const properties = isObject(node["properties"]) ? node["properties"] : {};
  return Object.entries(properties)
    .slice(0, 8)
    .map(([name, schema]) => ({
      ...least,
      [name]: isObject(schema) ? sampleOf(side, schema, depth + 1) : "a",
    }));
}

/** Objects of as many members as limits speak of, and one more or less. */
function withMany(side: SchemaSide, node: JsonObject, least: JsonObject): readonly JsonObject[] {
  const others = node["additionalProperties"];
  const value = isObject(others) ? sampleOf(side, others, 1) : "a";
  return [node["minProperties"], node["maxProperties"]]
    .filter((count) => typeof count === "number")
    .flatMap((count) => [count, count + 1, count - 1])
    .filter((count) => count <= MOST_ITEMS)
    .map((count) => {
      const more = Math.max(0, count - Object.keys(least).length);
      const names = Array.from({ length: more }, (_, index): [string, Json] => [`name${index}`, value]);
      return { ...Object.fromEntries(names), ...least };
    });
}

/** With objects that are made of two branches or more. */
function merged(samples: readonly Json[], branches: readonly Json[]): readonly Json[] {
  const objects = branches.filter(isObject);
  if (objects.length < 2) return samples;
  return [...samples, Object.assign({}, ...samples.filter(isObject)) as JsonObject];
}
