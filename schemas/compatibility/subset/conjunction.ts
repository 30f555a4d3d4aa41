/**
 * Schemas that hold at once, as one set of facts. Facts are never stronger than the schemas: what can't be read is
 * left out, so that what follows from the facts is true of every value that the schemas accept.
 */
import type { Identity } from "../identity.js";
import { isList, isNode, isObject, isText, type Json, type JsonObject, type Node, textsOf } from "../json.js";
import { KEYWORD_GROUPS } from "../keywords.js";
import type { SchemaSide } from "../schema-side.js";
import { addLimits, excludesAll, forIntegers, type Limits, noLimits } from "./bounds.js";
import { typesOf, VALUE_TYPES, type ValueType } from "./value-types.js";

/** A schema of one side. */
export interface Entry {
  readonly node: Node;
  readonly side: SchemaSide;
}

export interface Facts {
  readonly types: Set<ValueType>;
  /** All values that can be, where they are listed. */
  finite: readonly Json[] | undefined;
  readonly limits: Limits;
  readonly patterns: Set<string>;
  readonly formats: Set<string>;
  unique: boolean;
  readonly required: Set<string>;
  /** The plain objects of keywords, for what needs more than a fact of its own. */
  readonly plain: { readonly node: JsonObject; readonly side: SchemaSide }[];
  /** Groups of keywords by their numbers. */
  readonly groups: Set<string>;
  /** Lists of which one schema holds at least. */
  readonly choices: (readonly Entry[])[];
}

/** The facts of `entries`, all of which hold. */
export function factsOf(entries: readonly Entry[], identity: Identity): Facts {
  const facts: Facts = {
    types: new Set(VALUE_TYPES),
    finite: undefined,
    limits: noLimits(),
    patterns: new Set(),
    formats: new Set(),
    unique: false,
    required: new Set(),
    plain: [],
    groups: new Set(),
    choices: [],
  };
  const waiting = [...entries];
  const seen = new Set<Node>();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, side } = next;
    if (node === false) facts.types.clear();
    if (typeof node === "boolean" || seen.has(node)) continue;
    seen.add(node);
    const target = side.target(node["$ref"]);
    if (target !== undefined) waiting.push({ node: target, side });
    for (const inner of nodesIn(node["allOf"])) waiting.push({ node: inner, side });
    for (const name of ["anyOf", "oneOf"]) {
      const branches = nodesIn(node[name]);
      if (branches.length > 0) facts.choices.push(branches.map((branch) => ({ node: branch, side })));
    }
    addPlain(facts, node, side, identity);
  }
  removeImpossible(facts);
  return facts;
}

const BESIDE: Readonly<Record<string, readonly string[]>> = {
  additionalItems: ["items"],
  formatMinimum: ["format"],
};

/** The groups of keywords of `node`, each with the number of what it says. */
export function groupsOf(node: JsonObject, identity: Identity): readonly string[] {
  return KEYWORD_GROUPS.flatMap((names) => {
    const said = names.filter((name) => Object.hasOwn(node, name));
    if (said.length === 0) return [];
    // Some only mean something beside another: what is additional depends on what is listed.
    const beside = BESIDE[names[0] ?? ""] ?? [];
    const members = [...said, ...beside].flatMap((name) => {
      const value = node[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    return [`${names[0]}:${identity.ofSchema(Object.fromEntries(members))}`];
  });
}

export function nodesIn(value: Json | undefined): readonly Node[] {
  return isList(value) && value.every(isNode) ? value : [];
}

function addPlain(facts: Facts, node: JsonObject, side: SchemaSide, identity: Identity): void {
  facts.plain.push({ node, side });
  const types = new Set(typesOf(node) ?? VALUE_TYPES);
  for (const type of VALUE_TYPES) if (!types.has(type)) facts.types.delete(type);
  const listed = Object.hasOwn(node, "const") ? [node["const"] ?? null] : node["enum"];
  if (isList(listed)) {
    const numbers = new Set(listed.map((value) => identity.ofValue(value)));
    facts.finite = (facts.finite ?? listed).filter((value) => numbers.has(identity.ofValue(value)));
  }
  addLimits(facts.limits, node);
  if (isText(node["pattern"])) facts.patterns.add(node["pattern"]);
  if (isText(node["format"])) facts.formats.add(node["format"]);
  if (node["uniqueItems"] === true) facts.unique = true;
  for (const name of textsOf(node["required"])) facts.required.add(name);
  for (const group of groupsOf(node, identity)) facts.groups.add(group);
}

/** Takes out the types that contradictions leave nothing of. */
function removeImpossible({ types, limits }: Facts): void {
  const { lower, upper, counts } = limits;
  if (excludesAll(lower, upper)) types.delete("fraction");
  if (excludesAll(forIntegers(lower, 1), forIntegers(upper, -1))) types.delete("integer");
  for (const [type, most, least] of [
    ["string", "maxLength", "minLength"],
    ["array", "maxItems", "minItems"],
    ["object", "maxProperties", "minProperties"],
  ] as const) {
    if ((counts.get(most) ?? Infinity) < (counts.get(least) ?? 0)) types.delete(type);
  }
}

/** The JSON type of a value. */
export function typeOf(value: Json): ValueType {
  if (value === null) return "null";
  if (isList(value)) return "array";
  if (isObject(value)) return "object";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "fraction";
  return typeof value === "string" ? "string" : "boolean";
}
