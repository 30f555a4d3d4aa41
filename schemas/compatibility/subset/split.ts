/** Takes a conjunction apart: what holds beside its first choice, and what holds of one type only. */
import type { JsonObject, Node } from "../json.js";
import type { Entry, Facts } from "./conjunction.js";

const STRUCTURE = ["$ref", "allOf", "anyOf", "oneOf"];

/** What the facts stand on without their first choice. The other choices stay, as plain ones. */
export function withoutChoice({ plain, choices }: Facts): readonly Entry[] {
  const rest = plain.map(({ node, side }): Entry => {
    const members = Object.entries(node).filter(([name]) => !STRUCTURE.includes(name));
    return { node: Object.fromEntries(members), side };
  });
  const others = choices.slice(1).flatMap((branches): Entry[] => {
    const [first] = branches;
    return first === undefined
      ? []
      : [{ node: { anyOf: branches.map(({ node }) => node) } as JsonObject, side: first.side }];
  });
  return [...rest.filter(({ node }) => Object.keys(node).length > 0), ...others];
}

const BY_TYPE: readonly (readonly [readonly string[], Node])[] = [
  [["string"], { type: "string" }],
  [["integer", "fraction"], { type: "number" }],
  [["boolean"], { type: "boolean" }],
  [["null"], { type: "null" }],
  [["array"], { type: "array" }],
  [["object"], { type: "object" }],
];

/** The entries once for each type of value that they let through. */
export function byType(entries: readonly Entry[], { types }: Facts): readonly (readonly Entry[])[] {
  const [first] = entries;
  const parts = BY_TYPE.filter(([names]) => names.some((name) => (types as Set<string>).has(name)));
  if (parts.length < 2 || first === undefined) return [entries];
  return parts.map(([, node]) => [...entries, { node, side: first.side }]);
}
