/** From serialized names to the names in code and back. Only where they differ: most values are passed on as they are. */

/** Where names differ in a value and below it. Absent if the value is the same in both forms. */
export interface NameMapping {
  /** Properties whose names differ, or that hold such properties: name in code, serialized name, names below. */
  readonly properties?: readonly (readonly [name: string, jsonName: string, below?: NestedNameMapping])[];
  /** Names in the items of an array, or in the values of a dictionary. */
  readonly each?: NestedNameMapping;
}

/** The names of an inner value; a function if they are those of a recursive type. */
export type NestedNameMapping = NameMapping | (() => NameMapping);

type Members = Readonly<Record<string, unknown>>;

/** Unknown JSON members whose name means something else in code; kept so that they survive a round trip. */
const COLLIDING = Symbol("members whose name is that of a property or a method in code");

/** The value with the names that code knows. Returns `value` itself without a mapping. */
export function toCodeNames(value: unknown, mapping: NestedNameMapping | undefined): unknown {
  return mapping === undefined ? value : convert(value, mapping, toCodeMembers, toCodeNames);
}

/** The value with serialized names, without undefined members. Returns `value` itself without a mapping. */
export function toSerializedNames(value: unknown, mapping: NestedNameMapping | undefined): unknown {
  return mapping === undefined ? value : convert(value, mapping, toSerializedMembers, toSerializedNames);
}

/** The members that were kept beside the properties of `value`, by their serialized names, because these collide. */
export function collidingMembers(value: object): readonly (readonly [string, unknown])[] {
  const members: unknown = Reflect.get(value, COLLIDING);
  return Array.isArray(members) ? members : [];
}

/** Keeps `members`, by their serialized names, beside the properties of `value`. */
export function keepColliding(value: object, members: readonly (readonly [string, unknown])[]): void {
  if (members.length > 0) Object.defineProperty(value, COLLIDING, { value: members });
}

function convert(
  value: unknown,
  nested: NestedNameMapping,
  convertMembers: (value: Members, mapping: NameMapping) => unknown,
  convertEach: (value: unknown, mapping: NestedNameMapping | undefined) => unknown,
): unknown {
  const mapping = typeof nested === "function" ? nested() : nested;
  if (typeof value !== "object" || value === null) return value;
  if (mapping.properties !== undefined) {
    return Array.isArray(value) ? value : convertMembers(value as Members, mapping);
  }
  if (Array.isArray(value)) return value.map((item) => convertEach(item, mapping.each));
  // Object.fromEntries, here and below: a member may be called `__proto__`.
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, convertEach(member, mapping.each)] as const),
  );
}

function toCodeMembers(value: Members, { properties = [] }: NameMapping): unknown {
  const byJsonName = new Map(properties.map((property) => [property[1], property]));
  const codeNames = new Set(properties.map(([name]) => name));
  const colliding: (readonly [string, unknown])[] = [];
  const entries: (readonly [string, unknown])[] = [];
  for (const [jsonName, member] of Object.entries(value)) {
    const property = byJsonName.get(jsonName);
    if (property !== undefined) entries.push([property[0], toCodeNames(member, property[2])]);
    else if (codeNames.has(jsonName)) colliding.push([jsonName, member]);
    else entries.push([jsonName, member]);
  }
  const result = Object.fromEntries(entries);
  keepColliding(result, colliding);
  return result;
}

function toSerializedMembers(value: Members, { properties = [] }: NameMapping): unknown {
  const byName = new Map(properties.map((property) => [property[0], property]));
  const entries = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]): readonly [string, unknown] => {
      const property = byName.get(name);
      return property === undefined ? [name, member] : [property[1], toSerializedNames(member, property[2])];
    });
  return Object.fromEntries([...entries, ...collidingMembers(value)]);
}
