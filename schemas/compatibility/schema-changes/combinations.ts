/** Combinations of schemas: what is said alike is set aside, and what is left is compared or reported as a whole. */
import type { Identity } from "../identity.js";
import { isList, isObject, type Json, type JsonObject, type Node } from "../json.js";
import { KEYWORD_GROUPS } from "../keywords.js";
import { groupsOf, nodesIn } from "../subset/conjunction.js";
import { CAN_NOT_TELL, type Facet, facet, KEEPS } from "./facet.js";

/** Schemas that take the same place in two combinations. */
export interface Partners {
  readonly keyword: string;
  readonly oldIndex: number;
  readonly newIndex: number;
  readonly old: Node;
  readonly new: Node;
}

export interface Combinations {
  readonly facets: readonly Facet[];
  readonly partners: readonly Partners[];
}

/** What changed in the combinations of two schemas. */
export function combinationsOf(old: JsonObject, next: JsonObject, identity: Identity): Combinations {
  const facets: Facet[] = [];
  const partners: Partners[] = [];
  const before = new Set(groupsOf(old, identity));
  const after = new Set(groupsOf(next, identity));
  const nameOf = (group: string) => group.slice(0, group.indexOf(":"));
  const changed = new Set([
    ...[...before].filter((group) => !after.has(group)).map(nameOf),
    ...[...after].filter((group) => !before.has(group)).map(nameOf),
  ]);
  for (const names of KEYWORD_GROUPS) {
    const [keyword = ""] = names;
    const matched = ["allOf", "anyOf", "oneOf"].includes(keyword)
      ? partnersIn(keyword, nodesIn(old[keyword]), nodesIn(next[keyword]), identity)
      : { partners: [], isWhole: false };
    partners.push(...matched.partners);
    const shown = names.filter((name) => Object.hasOwn(old, name) || Object.hasOwn(next, name)).join(", ");
    const isChanged = names.some((name) => changed.has(name));
    if (isChanged && !matched.isWhole) {
      facets.push(facet("combination-changed", { keyword: shown }, { ...CAN_NOT_TELL, keywords: [] }));
    }
    facets.push(...hiddenFacets(names, old, next, identity, matched.partners.length > 0));
  }
  return { facets, partners };
}

/** Branches that accept the same; and the last one on each side, where its change is the change of the whole. */
function partnersIn(keyword: string, before: readonly Node[], after: readonly Node[], identity: Identity) {
  const partners: Partners[] = [];
  const left = new Map(after.entries());
  const unmatched: [number, Node][] = [];
  for (const [oldIndex, old] of before.entries()) {
    const number = identity.ofSchema(old);
    const found = [...left].find(([, node]) => identity.ofSchema(node) === number);
    if (found === undefined) unmatched.push([oldIndex, old]);
    else {
      left.delete(found[0]);
      partners.push({ keyword, oldIndex, newIndex: found[0], old, new: found[1] });
    }
  }
  const [one] = unmatched;
  const [other] = left;
  const isWhole = keyword !== "oneOf" && unmatched.length === 1 && left.size === 1;
  if (isWhole && one !== undefined && other !== undefined) {
    partners.push({ keyword, oldIndex: one[0], newIndex: other[0], old: one[1], new: other[1] });
  }
  return { partners, isWhole };
}

/** What is hidden inside a combination that is not looked into part by part. */
function hiddenFacets(
  names: readonly string[],
  old: JsonObject,
  next: JsonObject,
  identity: Identity,
  isMatched: boolean,
): readonly Facet[] {
  const said = (node: JsonObject): Json => names.map((name) => node[name] ?? null);
  const [before, after] = [said(old), said(next)];
  if (isMatched || identity.ofValue(before) === identity.ofValue(after)) return [];
  const [had, has] = [hiddenIn(before), hiddenIn(after)];
  const rest = { ...KEEPS, keywords: [], isSilent: true };
  if (has < had) return [facet("sensitivity-lowered", {}, rest)];
  if (has > had) return [facet("sensitivity-raised", {}, rest)];
  return [];
}

function hiddenIn(value: Json): number {
  let count = 0;
  const waiting = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (isObject(next) && next["writeOnly"] === true) count++;
    if (isList(next) || isObject(next)) waiting.push(...Object.values(next));
  }
  return count;
}
