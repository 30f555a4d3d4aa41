/** Links between records: by the keys that data objects declare, and by the names of members, as a person would guess. */
import { isKeyValue, type KeyValue } from "../../../runtime/records/record-key.js";
import { HIDDEN } from "../../../runtime/validation/finding.js";
import { splitWords } from "../../../schemas/naming/words.js";
import type { KeyShape, ObjectShape } from "./shapes.js";

/** Records that a record leads to. */
export interface Relation {
  readonly object: ObjectShape;
  readonly key: KeyShape;
  /** The values of the key's properties, in its order. */
  readonly values: readonly string[];
  /** The members that refer: of the record itself, or of those that it leads to. */
  readonly members: readonly string[];
}

type Members = Readonly<Record<string, unknown>>;

/**
 * The records that `members` name: `projectId` names a project, `companyId` and `employeeId` an employee whose key is
 * `companyId` and `id`.
 *
 * @param own The data object that has these members; undefined for those of an object inside a record.
 */
export function referredRecords(
  members: Members,
  own: ObjectShape | undefined,
  objects: readonly ObjectShape[],
): readonly Relation[] {
  return objects.flatMap((object) =>
    object.keys.flatMap((key) => {
      const names = referringNames(Object.keys(members), own, { object, key });
      const isItself = object === own && names?.join() === key.propertyNames.join();
      const values = names && !isItself ? valuesOf(members, names) : undefined;
      return names === undefined || values === undefined ? [] : [{ object, key, values, members: names }];
    }),
  );
}

/** The records that have a key which names the record, such as the time sheets of a project. */
export function referringRecords(
  record: Members,
  own: ObjectShape | undefined,
  objects: readonly ObjectShape[],
): readonly Relation[] {
  if (own === undefined) return [];
  const others = objects.filter((object) => object !== own);
  return others.flatMap((object) =>
    object.keys.flatMap((key) => {
      for (const ownKey of own.keys) {
        const names = referringNames(key.propertyNames, object, { object: own, key: ownKey });
        if (names === undefined || names.length !== key.propertyNames.length) continue;
        const ownNames = key.propertyNames.map((name) => ownKey.propertyNames[names.indexOf(name)] ?? "");
        const values = valuesOf(record, ownNames);
        if (values !== undefined) return [{ object, key, values, members: key.propertyNames }];
      }
      return [];
    }),
  );
}

/**
 * Those of `names` that name the properties of a key, in its order; undefined if one is not named, or if they may mean
 * something else. A property is named by its own name, or by that of the object before it; one of them has to tell the
 * object. Several that are named as in a primary key do without, unless they hold what identifies the record that has
 * them.
 *
 * @param own The data object that has members of these names.
 */
function referringNames(
  names: readonly string[],
  own: ObjectShape | undefined,
  { object, key }: { readonly object: ObjectShape; readonly key: KeyShape },
): readonly string[] | undefined {
  const known = new Map(names.map((name) => [plainName(name), name]));
  const prefix = plainName(object.name);
  let isTold = false;
  const found: string[] = [];
  for (const property of key.propertyNames) {
    const told = known.get(prefix + plainName(property));
    const name = told ?? known.get(plainName(property));
    if (name === undefined || found.includes(name)) return undefined;
    isTold ||= told !== undefined || beginsWith(property, prefix);
    found.push(name);
  }
  if (isTold) return found;
  const identity = own?.keys.find(({ isPrimary }) => isPrimary)?.propertyNames ?? [];
  const isIdentity = identity.length > 0 && identity.every((name) => found.includes(name));
  return key.isPrimary && found.length > 1 && !isIdentity ? found : undefined;
}

/** Whether the first words of a name are those of a data object, and more follow. */
function beginsWith(name: string, prefix: string): boolean {
  const words = splitWords(name);
  return words.some((_, index) => index > 0 && plain(words.slice(0, index)) === prefix);
}

function plainName(name: string): string {
  return plain(splitWords(name));
}

function plain(words: readonly string[]): string {
  return words.join("").toLowerCase();
}

/** Undefined unless a key can have all of them, and an address can say them. */
function valuesOf(members: Members, names: readonly string[]): readonly string[] | undefined {
  const values = names.map((name) => (Object.hasOwn(members, name) ? members[name] : undefined));
  return values.every(canBeSaid) ? values.map(String) : undefined;
}

function canBeSaid(value: unknown): value is KeyValue {
  return isKeyValue(value) && value !== HIDDEN && (typeof value !== "string" || value.isWellFormed());
}
