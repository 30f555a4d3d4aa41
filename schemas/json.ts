/** JSON, as ordinary values and as trees that keep the order of members: types, guards, access and pointers (RFC 6901). */

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: JsonValue;
}

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

/** Whether `value` is an object as JSON has it: neither null nor an array. What its members hold is not looked at. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject;
export function isJsonObject(value: JsonTree | undefined): value is JsonMembers;
export function isJsonObject(value: unknown): value is Readonly<Record<PropertyKey, unknown>>;
export function isJsonObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** As `Array.isArray`, by which TypeScript narrows no readonly array. */
export function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[];
export function isJsonArray(value: JsonTree | undefined): value is readonly JsonTree[];
export function isJsonArray(value: unknown): value is readonly unknown[];
export function isJsonArray(value: unknown): boolean {
  return Array.isArray(value);
}

/** The own property `name` of `object`, or undefined. Inherited ones, such as `constructor`, are ignored. */
export function ownMember<V>(object: Readonly<Record<string, V>>, name: string): V | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** One text for equal values, in whatever order their members stand. */
export function sortedText(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isJsonObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** `value` and everything in it, frozen. Functions, and what is frozen already, stay as they are. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFreeze(member);
  return value;
}

/** The object with these members; `undefined` ones are left out. */
export function membersOf(...members: readonly (readonly [string, JsonTree | undefined])[]): JsonMembers {
  return { members: members.filter((member): member is JsonMember => member[1] !== undefined) };
}

/** The value of the member `name`, or undefined. */
export function memberOf(tree: JsonTree | undefined, name: string): JsonTree | undefined {
  if (!isJsonObject(tree)) return undefined;
  // The most called function of all: plain loops are quicker until they are compiled.
  for (const member of tree.members) if (member[0] === name) return member[1];
  return undefined;
}

/** The part of `root` that a `$ref` in it names, or undefined. */
export function targetOf(root: JsonTree, reference: string): JsonTree | undefined {
  return fragmentSteps(reference)?.reduce<JsonTree | undefined>(
    (part, step) => (isJsonArray(part) ? part[Number(step)] : memberOf(part, step)),
    root,
  );
}

/** Whether both are the same text: order of members counts. */
export function sameTree(a: JsonTree, b: JsonTree): boolean {
  if (isJsonArray(a) && isJsonArray(b)) {
    return a.length === b.length && a.every((item, index) => sameTree(item, b[index] as JsonTree));
  }
  if (isJsonObject(a) && isJsonObject(b)) {
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
  if (isJsonArray(tree)) return tree.map(toPlain);
  if (!isJsonObject(tree)) return tree;
  return Object.fromEntries(tree.members.map(([name, value]) => [name, toPlain(value)]));
}

/** Whether a JavaScript object literal keeps the order of all members: it moves names such as `1` to the front. */
export function keepsOrder(tree: JsonTree): boolean {
  if (isJsonArray(tree)) return tree.every(keepsOrder);
  if (!isJsonObject(tree)) return true;
  const names = Object.keys(Object.fromEntries(tree.members));
  return tree.members.every(([name, value], index) => names[index] === name && keepsOrder(value));
}

/** Whether objects and arrays in `tree` are nested more than `levels` deep. */
export function isDeeperThan(tree: JsonTree, levels: number): boolean {
  const inner = isJsonArray(tree)
    ? tree
    : isJsonObject(tree)
      ? tree.members.map(([, value]) => value)
      : undefined;
  if (inner === undefined) return false;
  return levels === 0 || inner.some((value) => isDeeperThan(value, levels - 1));
}

/** Ordinary JSON values as a tree. The caller knows that nothing else is in them. */
export function fromPlain(value: unknown): JsonTree {
  if (Array.isArray(value)) return value.map(fromPlain);
  if (typeof value !== "object" || value === null) return value as JsonTree;
  return { members: Object.entries(value).map(([name, member]): JsonMember => [name, fromPlain(member)]) };
}

/** The pointer to the value that `steps` lead to, from the document's root: `/items/0`, and `""` without steps. */
export function jsonPointer(steps: readonly (string | number)[]): string {
  return steps.map((step) => `/${escapePointerStep(String(step))}`).join("");
}

/** The steps of a pointer. Indexes of arrays are strings too. */
export function pointerSteps(pointer: string): readonly string[] {
  return pointer.split("/").slice(1).map(unescapePointerStep);
}

/** The `$ref` to the part of the same document that `steps` lead to: `#/$defs/name`. */
export function fragmentOf(steps: readonly string[]): string {
  // `$` may stand in a fragment, and readers look for `#/$defs`.
  const encode = (step: string) =>
    encodeURIComponent(escapePointerStep(step.toWellFormed())).replaceAll("%24", "$");
  return `#${steps.map((step) => `/${encode(step)}`).join("")}`;
}

/** The steps of a `$ref` such as `#/$defs/name`; undefined if it leads out of the document or can't be decoded. */
export function fragmentSteps(reference: string): readonly string[] | undefined {
  if (reference === "#" || reference === "#/") return [];
  if (!reference.startsWith("#/")) return undefined;
  try {
    return reference
      .slice(2)
      .split("/")
      .map((step) => unescapePointerStep(decodeURIComponent(step)));
  } catch {
    return undefined;
  }
}

/** `~` and `/` in a name, as a pointer writes them. */
export function escapePointerStep(step: string): string {
  return step.replace(/~/g, "~0").replace(/\//g, "~1");
}

function unescapePointerStep(step: string): string {
  return step.replace(/~1/g, "/").replace(/~0/g, "~");
}
