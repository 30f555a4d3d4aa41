/** From serialized names to names in code and back, only where they differ. */

/** Where names differ at one place of a value, and below it. Absent: the value is the same in both forms. */
export interface Names {
  /** Properties whose names differ, or that hold such properties: name in code, serialized name, names below. */
  readonly properties?: readonly (readonly [name: string, jsonName: string, below?: NamesBelow])[];
  /** Names in the items of a list, or in the values of a dictionary. */
  readonly each?: NamesBelow;
}

/** Names of an inner value; a function where they are those of a recursive type. */
export type NamesBelow = Names | (() => Names);

type Members = Readonly<Record<string, unknown>>;

/** Unknown members of a record that are called in JSON as another one is in the code. */
const STRAY = Symbol("members without a name of their own in the code");

/** `value` as code knows it. Without `names` it is `value` itself. */
export function toCode(value: unknown, names: NamesBelow | undefined): unknown {
  return names === undefined ? value : convert(value, names, codeMembers, toCode);
}

/** `value` as JSON has it; what is undefined is left out. Without `names` it is `value` itself. */
export function toSerialized(value: unknown, names: NamesBelow | undefined): unknown {
  return names === undefined ? value : convert(value, names, serializedMembers, toSerialized);
}

function convert(
  value: unknown,
  below: NamesBelow,
  members: (value: Members, names: Names) => unknown,
  each: (value: unknown, names: NamesBelow | undefined) => unknown,
): unknown {
  const names = typeof below === "function" ? below() : below;
  if (typeof value !== "object" || value === null) return value;
  if (names.properties !== undefined) return Array.isArray(value) ? value : members(value as Members, names);
  if (Array.isArray(value)) return value.map((item) => each(item, names.each));
  return built(Object.entries(value).map(([name, member]) => [name, each(member, names.each)] as const));
}

function codeMembers(value: Members, { properties = [] }: Names): unknown {
  const byJson = new Map(properties.map((property) => [property[1], property]));
  const taken = new Set(properties.map(([name]) => name));
  const stray: (readonly [string, unknown])[] = [];
  const entries: (readonly [string, unknown])[] = [];
  for (const [jsonName, member] of Object.entries(value)) {
    const property = byJson.get(jsonName);
    if (property !== undefined) entries.push([property[0], toCode(member, property[2])]);
    else if (taken.has(jsonName)) stray.push([jsonName, member]);
    else entries.push([jsonName, member]);
  }
  const result = built(entries);
  if (stray.length > 0) Object.defineProperty(result, STRAY, { value: stray });
  return result;
}

function serializedMembers(value: Members, { properties = [] }: Names): unknown {
  const byName = new Map(properties.map((property) => [property[0], property]));
  const entries = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]): readonly [string, unknown] => {
      const property = byName.get(name);
      return property === undefined ? [name, member] : [property[1], toSerialized(member, property[2])];
    });
  return built([...entries, ...strayOf(value)]);
}

/** What {@link toCode} could not give a name in the code. */
export function strayOf(value: object): readonly (readonly [string, unknown])[] {
  const stray: unknown = Reflect.get(value, STRAY);
  return Array.isArray(stray) ? stray : [];
}

/** Puts what `from` has without a name in the code onto `to`. */
export function carryStray(from: object, to: object): void {
  const stray = strayOf(from);
  if (stray.length > 0) Object.defineProperty(to, STRAY, { value: stray });
}

/** An object of these members, of which one may be called `__proto__`. */
function built(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(entries);
}
