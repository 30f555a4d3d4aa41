/** The keys of records in serialized form, by the description that generated code gives of their class (spec §2.6). */
import { type KeyValue, recordKey } from "../record-key.js";
import { masked } from "../records/masked.js";
import type { RecordKeyType, RecordType } from "../records/record-type.js";
import { HIDDEN } from "../validation/finding.js";
import { isObject, type Values } from "../validation/values.js";

export interface RecordKeys {
  /** Value of the primary key; undefined where the record does not have all of its properties. */
  primary(record: unknown): string | undefined;
  /** Values of those alternate keys whose properties the record has. */
  alternates(record: object): readonly string[];
  /** Tells the alternate keys from those of another version of the schema. */
  readonly alternatesVersion: string;
  /** The value of a key as people may see it: hidden where one of its properties is sensitive. */
  shown(key: string): string;
}

/** @throws Error where the type has no primary key. */
export function recordKeys(type: RecordType): RecordKeys {
  const primary = type.keys?.find(({ isPrimary }) => isPrimary);
  if (primary === undefined)
    throw new Error(`${type.name} has no primary key: give it one, and run yarn gen.`);
  const alternates = (type.keys ?? []).filter(({ isPrimary }) => !isPrimary);
  const makers = alternates.map((key) => keyMaker(type, key));
  const hidden = [primary, ...alternates].filter((key) => isSensitive(type, key)).map(({ name }) => name);
  return {
    primary: keyMaker(type, primary),
    alternates: (record) => makers.map((make) => make(record)).filter((key) => key !== undefined),
    alternatesVersion: JSON.stringify(alternates.map((key) => [key.name, ...jsonNames(type, key)])),
    shown: (key) => {
      const name = hidden.find((one) => key.startsWith(`${recordKey(one, [])}/`));
      return name === undefined ? key : `${recordKey(name, [])}/${HIDDEN}`;
    },
  };
}

function keyMaker(type: RecordType, key: RecordKeyType): (record: unknown) => string | undefined {
  const names = jsonNames(type, key);
  return (record) => {
    if (!isObject(record)) return undefined;
    const values: KeyValue[] = [];
    for (const name of names) {
      const value = Object.hasOwn(record, name) ? record[name] : undefined;
      if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean")
        return undefined;
      values.push(value);
    }
    return recordKey(key.name, values);
  };
}

function jsonNames({ names }: RecordType, { properties }: RecordKeyType): readonly string[] {
  return properties.map((name) => names?.properties?.find(([inCode]) => inCode === name)?.[1] ?? name);
}

function isSensitive(type: RecordType, key: RecordKeyType): boolean {
  const names = jsonNames(type, key);
  const probe = masked(Object.fromEntries(names.map((name) => [name, ""])), type.schema) as Values;
  return names.some((name) => probe[name] === HIDDEN);
}
