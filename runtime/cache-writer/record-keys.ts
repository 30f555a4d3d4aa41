/** The keys of records in serialized form, by the description that generated code gives of their class (§2.6). */
import { isJsonObject } from "../../schemas/json.js";
import { mask } from "../records/masking.js";
import { isInexact, isKeyValue, type KeyValue, recordKey } from "../records/record-key.js";
import { type RecordKeyType, type RecordType, serializedKeyNames } from "../records/record-type.js";
import { HIDDEN } from "../validation/finding.js";
import type { Values } from "../validation/helpers.js";

export interface RecordKeys {
  /** Value of the primary key; undefined if the record does not have all of its properties, or one is inexact. */
  primaryKey(record: unknown): string | undefined;
  /** The properties of the primary key by their serialized names. */
  readonly primaryKeyMembers: readonly string[];
  /** Values of those alternate keys whose properties the record has; the keys are undefined if one is inexact. */
  alternateKeys(record: unknown): readonly string[] | undefined;
  /** A member of a key that is a number past 2^53, by its serialized name; undefined if there is none. */
  inexactMember(record: unknown): string | undefined;
  /** Identifies the alternate keys that the schema declares. */
  readonly alternateKeysVersion: string;
  /** The value of a key as people may see it: hidden if one of its properties is sensitive. */
  maskKey(key: string): string;
}

/** @throws Error if the type has no primary key. */
export function recordKeys(type: RecordType): RecordKeys {
  const primary = type.keys?.find(({ isPrimary }) => isPrimary);
  if (primary === undefined)
    throw new Error(`${type.name} has no primary key: give it one, and run npx connectorcli gen.`);
  const alternates = (type.keys ?? []).filter(({ isPrimary }) => !isPrimary);
  const alternateMakers = alternates.map((key) => keyMaker(type, key));
  const members = [primary, ...alternates].flatMap((key) => serializedKeyNames(type, key));
  const inexactMember = (record: unknown) =>
    isJsonObject(record) ? members.find((name) => isInexact(record[name])) : undefined;
  const hidden = [primary, ...alternates].filter((key) => isSensitive(type, key)).map(({ name }) => name);
  return {
    primaryKey: keyMaker(type, primary),
    primaryKeyMembers: serializedKeyNames(type, primary),
    alternateKeys: (record) => {
      const values = alternateMakers.map((makeKey) => makeKey(record)).filter((key) => key !== undefined);
      return values.length < alternates.length && inexactMember(record) !== undefined ? undefined : values;
    },
    inexactMember,
    alternateKeysVersion: JSON.stringify(
      alternates.map((key) => [key.name, ...serializedKeyNames(type, key)]),
    ),
    maskKey: (key) => {
      const name = hidden.find((keyName) => key.startsWith(`${recordKey(keyName, [])}/`));
      return name === undefined ? key : `${recordKey(name, [])}/${HIDDEN}`;
    },
  };
}

function keyMaker(type: RecordType, key: RecordKeyType): (record: unknown) => string | undefined {
  const names = serializedKeyNames(type, key);
  return (record) => {
    if (!isJsonObject(record)) return undefined;
    const values: KeyValue[] = [];
    for (const name of names) {
      const value = Object.hasOwn(record, name) ? record[name] : undefined;
      if (!isKeyValue(value)) return undefined;
      values.push(value);
    }
    return recordKey(key.name, values);
  };
}

function isSensitive(type: RecordType, key: RecordKeyType): boolean {
  const names = serializedKeyNames(type, key);
  const probe = mask(Object.fromEntries(names.map((name) => [name, ""])), type.schema) as Values;
  return names.some((name) => probe[name] === HIDDEN);
}
