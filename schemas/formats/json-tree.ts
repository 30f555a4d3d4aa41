/** JSON as it was written, and how to walk it. */
import { fragmentSteps } from "../naming/json-pointer.js";

/**
 * JSON whose members keep their order and any name. A JavaScript object moves names such as `1` to the front
 * and treats `__proto__` in its own way; files and models need both as they were written.
 */
export type JsonTree = string | number | boolean | null | readonly JsonTree[] | JsonMembers;

/** An object, member by member. */
export interface JsonMembers {
  readonly members: readonly JsonMember[];
}

export type JsonMember = readonly [name: string, value: JsonTree];

/** The object with these members; `undefined` ones are left out. */
export function membersOf(...members: readonly (readonly [string, JsonTree | undefined])[]): JsonMembers {
  return { members: members.filter((member): member is JsonMember => member[1] !== undefined) };
}

export function isMembers(tree: JsonTree | undefined): tree is JsonMembers {
  return typeof tree === "object" && tree !== null && !Array.isArray(tree);
}

export function isList(tree: JsonTree | undefined): tree is readonly JsonTree[] {
  return Array.isArray(tree);
}

/** The value of the member `name`, or undefined. */
export function memberOf(tree: JsonTree | undefined, name: string): JsonTree | undefined {
  if (!isMembers(tree)) return undefined;
  // The most called function of all: plain loops are quicker until they are compiled.
  for (const member of tree.members) if (member[0] === name) return member[1];
  return undefined;
}

/** The part of `root` that a `$ref` in it names, or undefined. */
export function targetOf(root: JsonTree, reference: string): JsonTree | undefined {
  return fragmentSteps(reference)?.reduce<JsonTree | undefined>(
    (part, step) => (isList(part) ? part[Number(step)] : memberOf(part, step)),
    root,
  );
}

/** Whether both are the same text: order of members counts. */
export function sameTree(a: JsonTree, b: JsonTree): boolean {
  if (isList(a) && isList(b)) {
    return a.length === b.length && a.every((item, index) => sameTree(item, b[index] as JsonTree));
  }
  if (isMembers(a) && isMembers(b)) {
    return (
      a.members.length === b.members.length &&
      a.members.every(([name, value], index) => {
        const other = b.members[index];
        return other !== undefined && other[0] === name && sameTree(value, other[1]);
      })
    );
  }
  return Object.is(a, b);
}

/** The tree as ordinary values, for libraries that read those. `__proto__` becomes a member like any other. */
export function toPlain(tree: JsonTree): unknown {
  if (isList(tree)) return tree.map(toPlain);
  if (!isMembers(tree)) return tree;
  return Object.fromEntries(tree.members.map(([name, value]) => [name, toPlain(value)]));
}

/** Whether a JavaScript object literal keeps the order of all members: it moves names such as `1` to the front. */
export function keepsOrder(tree: JsonTree): boolean {
  if (isList(tree)) return tree.every(keepsOrder);
  if (!isMembers(tree)) return true;
  const names = Object.keys(Object.fromEntries(tree.members));
  return tree.members.every(([name, value], index) => names[index] === name && keepsOrder(value));
}

/** Ordinary JSON values as a tree. The caller knows that nothing else is in them. */
export function fromPlain(value: unknown): JsonTree {
  if (Array.isArray(value)) return value.map(fromPlain);
  if (typeof value !== "object" || value === null) return value as JsonTree;
  return { members: Object.entries(value).map(([name, member]): JsonMember => [name, fromPlain(member)]) };
}
