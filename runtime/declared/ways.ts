/** Ways through the answer of a target system: names of members joined by dots, and the types that hold them. */

/** What a path, a query or a header can say. */
export type Scalar = string | number | boolean;

/** How deep a way can lead. */
type Deepest = [1, 1, 1, 1, 1];

/**
 * A way from `From` to a value of the type `Value`, such as `paging.next.after`. Members on the way and the value itself
 * may be absent or null. Any text for an answer without a type, or with members of any name.
 */
export type Way<From, Value, Depth extends readonly 1[] = []> = unknown extends From
  ? string
  : Depth extends Deepest
    ? never
    : From extends readonly unknown[]
      ? never
      : From extends object
        ? string extends keyof From
          ? string
          : {
              [Name in keyof From & string]: WayOver<Name, NonNullable<From[Name]>, Value, Depth>;
            }[keyof From & string]
        : never;

/** The ways over the member `Name`. One conditional a member: records have many, and compilers count them. */
type WayOver<Name extends string, Member, Value, Depth extends readonly 1[]> =
  | ([Member] extends [Value] ? Name : never)
  | ([Member] extends [object] ? `${Name}.${Way<Member, Value, [...Depth, 1]>}` : never);

/** The value at `way`; undefined if nothing is there. Only own members count. */
export function valueAt(value: unknown, way: string): unknown {
  let inner = value;
  for (const name of namesOn(value, way)) inner = ownMember(inner, name);
  return inner;
}

/**
 * The names of the members on `way`, from the outermost. A member of `value` whose name has dots in it, such as
 * `@odata.nextLink`, goes before a way through its parts; what is not there counts as one name.
 */
export function namesOn(value: unknown, way: string): readonly string[] {
  if (typeof value !== "object" || value === null || Object.hasOwn(value, way)) return [way];
  for (let dot = way.lastIndexOf("."); dot > 0; dot = way.lastIndexOf(".", dot - 1)) {
    const name = way.slice(0, dot);
    if (Object.hasOwn(value, name)) return [name, ...namesOn(Reflect.get(value, name), way.slice(dot + 1))];
  }
  return [way];
}

function ownMember(value: unknown, name: string): unknown {
  const isThere = typeof value === "object" && value !== null && Object.hasOwn(value, name);
  return isThere ? Reflect.get(value, name) : undefined;
}

/** A copy of `body` with `value` at `way`; objects on the way that are not there are made. */
export function withValueAt(body: unknown, way: string, value: unknown): unknown {
  const [name = "", ...rest] = way.split(".");
  const members: object = typeof body === "object" && body !== null ? body : {};
  const inner = Object.hasOwn(members, name) ? Reflect.get(members, name) : undefined;
  const set = rest.length === 0 ? value : withValueAt(inner, rest.join("."), value);
  return Object.fromEntries([...Object.entries(members).filter(([other]) => other !== name), [name, set]]);
}

/** A copy of `value` without what stands at `way`; the very value if nothing is there. */
export function withoutValueAt(value: unknown, way: string): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value);
  if (Object.hasOwn(value, way)) return Object.fromEntries(members.filter(([name]) => name !== way));
  for (let dot = way.lastIndexOf("."); dot > 0; dot = way.lastIndexOf(".", dot - 1)) {
    const owner = way.slice(0, dot);
    if (!Object.hasOwn(value, owner)) continue;
    return Object.fromEntries(
      members.map(([name, member]) => [
        name,
        name === owner ? withoutValueAt(member, way.slice(dot + 1)) : member,
      ]),
    );
  }
  return value;
}

export function isScalar(value: unknown): value is Scalar {
  return ["string", "number", "boolean"].includes(typeof value);
}
