/** Goes through two schemas side by side and hands over what differs at each place. */
import { jsonPointer } from "../../naming/json-pointer.js";
import type { Identity } from "../identity.js";
import { isList, isNode, isObject, type Json, type JsonObject, type Node } from "../json.js";
import { DECIDING_KEYWORDS } from "../keywords.js";
import type { SchemaSide } from "../schema-side.js";
import { KEYWORD_TYPES, typesOf, VALUE_TYPES } from "../subset/value-types.js";
import { annotationFacets } from "./annotations.js";
import { combinationsOf } from "./combinations.js";
import { constraintFacets } from "./constraints.js";
import { CAN_NOT_TELL, type Facet, facet, type InstanceStep, NARROWS, type Pair, WIDENS } from "./facet.js";
import { memberFacets } from "./members.js";
import { valueFacets } from "./values.js";

export interface Walk {
  readonly identity: Identity;
  /** Where the two documents stand in their files. */
  readonly oldBase: string;
  readonly newBase: string;
  /** Whether references with the same text lead to the same text. */
  readonly sameReferences: boolean;
  readonly onDifference: (pair: Pair, facets: readonly Facet[]) => void;
}

/** Hands every difference below `start` to `walk.onDifference`; outer places first. */
export function walkPair(start: Pair, walk: Walk): void {
  const seen = new Map<Node, Set<Node>>();
  const waiting = [start];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const pair = followed(next, walk);
    if (isSameText(pair, walk) || isKnown(pair, seen)) continue;
    const { facets, inner } = differencesOf(pair, walk);
    if (facets.length > 0) walk.onDifference(pair, facets);
    waiting.push(...inner.reverse());
  }
}

function isSameText({ old, new: next, oldSide }: Pair, { identity, sameReferences }: Walk): boolean {
  if (old === next) return true;
  return (sameReferences || oldSide.references.size === 0) && identity.ofText(old) === identity.ofText(next);
}

function isKnown({ old, new: next }: Pair, seen: Map<Node, Set<Node>>): boolean {
  if (typeof old === "boolean" || typeof next === "boolean") return false;
  const known = seen.get(old) ?? new Set<Node>();
  seen.set(old, known);
  const result = known.has(next);
  known.add(next);
  return result;
}

interface Differences {
  readonly facets: readonly Facet[];
  readonly inner: Pair[];
}

function differencesOf(pair: Pair, walk: Walk): Differences {
  if (pair.old === false || pair.new === false) {
    const direction = pair.new === false ? NARROWS : WIDENS;
    return { facets: [facet("schema-replaced", {}, { ...direction, keywords: [] })], inner: [] };
  }
  const [old, next] = [pair.old, pair.new].map((node) => (node === true ? {} : node)) as [
    JsonObject,
    JsonObject,
  ];
  const { facets, partners } = combinationsOf(old, next, walk.identity);
  const branches = partners.map(({ keyword, oldIndex, newIndex, ...nodes }) =>
    below(pair, nodes, [
      [keyword, String(oldIndex)],
      [keyword, String(newIndex)],
    ]),
  );
  return {
    facets: [
      ...valueFacets(old, next, walk.identity),
      ...constraintFacets(old, next).filter(({ parameters }) =>
        isShared(String(parameters["keyword"]), old, next),
      ),
      ...(isShared("properties", old, next) ? memberFacets(old, next) : []),
      ...(isShared("items", old, next) ? itemFacets(old["items"], next["items"], walk.identity) : []),
      ...referenceFacets(pair, old, next),
      ...facets,
      ...annotationFacets(old, next, walk.identity),
    ],
    inner: [...innerPairs(pair, old, next), ...branches],
  };
}

/** Whether the type that a keyword speaks of is one of both sides, or of none: where it came or went, that says it all. */
function isShared(keyword: string, old: JsonObject, next: JsonObject): boolean {
  const types = KEYWORD_TYPES[keyword] ?? [];
  const has = (node: JsonObject) => types.some((type) => (typesOf(node) ?? VALUE_TYPES).includes(type));
  return types.length === 0 || has(old) === has(next);
}

/** Both sides behind plain references. What is written beside a reference stays where it is. */
function followed(pair: Pair, { oldBase, newBase }: Walk): Pair {
  const old = behind(pair.old, pair.oldSide);
  const next = behind(pair.new, pair.newSide);
  if (old === pair.old && next === pair.new) return pair;
  const pointer = (side: SchemaSide, base: string, node: Node, given: string): string => {
    const inside = side.pointerOf(node);
    return inside === undefined ? given : base + inside;
  };
  return {
    ...pair,
    old,
    new: next,
    oldPointer: pointer(pair.oldSide, oldBase, old, pair.oldPointer),
    newPointer: pointer(pair.newSide, newBase, next, pair.newPointer),
  };
}

function behind(node: Node, side: SchemaSide): Node {
  let current = node;
  for (const seen = new Set<Node>(); typeof current === "object" && !seen.has(current); ) {
    seen.add(current);
    const isOnly = Object.keys(current).every((name) => name === "$ref" || !DECIDING_KEYWORDS.has(name));
    const target = isOnly ? side.target(current["$ref"]) : undefined;
    if (target === undefined) return current;
    current = target;
  }
  return current;
}

/** References that were not followed: they lead nowhere, or stand beside other keywords. */
function referenceFacets(pair: Pair, old: JsonObject, next: JsonObject): readonly Facet[] {
  const [before, after] = [old["$ref"], next["$ref"]];
  if (before === undefined && after === undefined) return [];
  const isFollowed = pair.oldSide.target(before) !== undefined && pair.newSide.target(after) !== undefined;
  if (isFollowed || (before === after && pair.oldSide.target(before) === pair.newSide.target(after)))
    return [];
  return [facet("combination-changed", { keyword: "$ref" }, { ...CAN_NOT_TELL, keywords: [] })];
}

function itemFacets(before: Json | undefined, after: Json | undefined, identity: Identity): readonly Facet[] {
  const part = { part: "items" };
  if (isList(before) || isList(after)) {
    const same = identity.ofSchema({ items: before ?? true }) === identity.ofSchema({ items: after ?? true });
    return same
      ? []
      : [facet("combination-changed", { keyword: "items" }, { ...CAN_NOT_TELL, keywords: [] })];
  }
  if (isObject(before) === isObject(after) || before === false || after === false) return [];
  return isObject(after)
    ? [facet("values-described", part, { ...NARROWS, keywords: [], steps: ["items"], on: "new" })]
    : [facet("values-undescribed", part, { ...WIDENS, keywords: [], steps: ["items"], on: "old" })];
}

function innerPairs(pair: Pair, old: JsonObject, next: JsonObject): readonly Pair[] {
  const pairs: Pair[] = [];
  const inner = (
    before: Json | undefined,
    after: Json | undefined,
    steps: readonly string[],
    step: InstanceStep,
  ) => {
    if (isNode(before) && isNode(after))
      pairs.push(below(pair, { old: before, new: after }, [steps, steps], step));
  };
  const [before, after] = [old["properties"], next["properties"]];
  if (isObject(before) && isObject(after)) {
    for (const [name, node] of Object.entries(before)) {
      if (Object.hasOwn(after, name))
        inner(node, after[name], ["properties", name], { kind: "member", name });
    }
  }
  if (isObject(old["additionalProperties"]) && isObject(next["additionalProperties"])) {
    inner(old["additionalProperties"], next["additionalProperties"], ["additionalProperties"], {
      kind: "value",
    });
  }
  const items = [old["items"] ?? true, next["items"] ?? true] as const;
  if (isObject(items[0]) === isObject(items[1]) || items.includes(false)) {
    inner(items[0], items[1], ["items"], { kind: "item" });
  }
  const targets = [pair.oldSide.target(old["$ref"]), pair.newSide.target(next["$ref"])] as const;
  if (targets[0] !== undefined && targets[1] !== undefined) {
    pairs.push({ ...pair, old: targets[0], new: targets[1] });
  }
  return pairs;
}

function below(
  pair: Pair,
  nodes: { readonly old: Node; readonly new: Node },
  [oldSteps, newSteps]: readonly [readonly string[], readonly string[]],
  step?: InstanceStep,
): Pair {
  return {
    ...pair,
    ...nodes,
    oldPointer: pair.oldPointer + jsonPointer(oldSteps),
    newPointer: pair.newPointer + jsonPointer(newSteps),
    path: step === undefined ? pair.path : [...pair.path, step],
  };
}
