/** The description of a generated class (schema, check, keys, names), and how records are read and written by it. */

import type { Finding } from "../validation/finding.js";
import { validate } from "../validation/findings.js";
import { applicableSchemas, membersOf } from "./applicable-schemas.js";
import { keptMembers, type MemberRule } from "./known-members.js";
import { collidingMembers, type NameMapping, toCodeNames, toSerializedNames } from "./name-mapping.js";
import { type AdaptedInput, adaptInput, type ReadOptions } from "./read-options.js";
import { isInexact, isKeyValue, recordKey } from "./record-key.js";

/** The description of a generated class or payload. */
export interface RecordType extends MemberRule {
  /** Name of the class. */
  readonly name: string;
  /** Whether a value in serialized form fits the schema. */
  readonly check: (value: unknown) => boolean;
  /** Where names in code differ from serialized ones; absent if none does. */
  readonly names?: NameMapping;
  /** The keys of a data object, primary one first (§2.6). */
  readonly keys?: readonly RecordKeyType[];
}

/** What generated code states of a class. Its schema is made if a value fails or is displayed: starting needs none. */
export interface RecordSource extends Omit<RecordType, "schema"> {
  /** Makes the JSON Schema of the serialized form; called once at most. */
  readonly schema: () => unknown;
}

/** One key of a data object. */
export interface RecordKeyType {
  /** Name of the key, with which its values begin. */
  readonly name: string;
  /** Whether it is the primary key, of which a data object has one. */
  readonly isPrimary: boolean;
  /** Names in code, in the order in which values are joined. */
  readonly properties: readonly string[];
}

/**
 * A value that does not fit its schema, where one that fits was asked for. The message names every finding; sensitive
 * values in it are hidden.
 */
export class RecordError extends Error {
  /** `RecordError`, also where the class itself can't be compared. */
  override readonly name = "RecordError";
  /** The same value fails in the same way whenever it is tried. */
  readonly retry = "never";

  constructor(
    /** Name of the class whose schema the value does not fit. */
    readonly type: string,
    /** Everything in which the value does not fit. */
    readonly findings: readonly Finding[],
  ) {
    const count = findings.length === 1 ? "1 finding" : `${findings.length} findings`;
    super(`${type}: ${count}\n${findings.map(({ message }) => `  ${message}`).join("\n")}`);
  }
}

/** The record type that `source` states; a record type is returned as it is. */
export function toRecordType(source: RecordSource | RecordType): RecordType {
  const { schema: makeSchema, ...stated } = source;
  if (!isFunction(makeSchema)) return source;
  let schema: unknown;
  return {
    ...stated,
    get schema() {
      schema ??= makeSchema();
      return schema;
    },
  };
}

/** The record type of an instance of a generated class; undefined for any other value. */
export function recordTypeOf(value: object): RecordType | undefined {
  // By its prototype: an author's property may be called "constructor".
  const prototype: unknown = Object.getPrototypeOf(value);
  if (typeof prototype !== "object" || prototype === null) return undefined;
  const generated: unknown = Reflect.get(prototype, "constructor");
  const type: unknown = typeof generated === "function" ? Reflect.get(generated, "type") : undefined;
  const isType = typeof type === "object" && type !== null && "schema" in type && "check" in type;
  return isType ? (type as RecordType) : undefined;
}

/** Everything in which `json`, in serialized form, does not fit; sensitive values are hidden. */
export function recordFindings(type: RecordType, json: unknown, options?: ReadOptions): readonly Finding[] {
  return adaptAndValidate(type, json, options).findings;
}

/**
 * The input in the form that code knows.
 * @throws RecordError with every finding if the input does not fit.
 */
export function readRecord(type: RecordType, json: unknown, options?: ReadOptions): unknown {
  const input = adaptAndValidate(type, json, options);
  if (input.findings.length > 0) throw new RecordError(type.name, input.findings);
  return toCodeNames(input.json, type.names);
}

/** The record in serialized form, with only what is set. */
export function serializeRecord(type: RecordType, record: object): unknown {
  if (type.names !== undefined) return toSerializedNames(record, type.names);
  if (Array.isArray(record)) return record;
  const members = Object.entries(record).filter(([, member]) => member !== undefined);
  return Object.fromEntries([...members, ...collidingMembers(record)]);
}

/** Whether the schema of `type` has a property that is called `name` in code. */
export function declaresProperty({ schema, names }: RecordType, name: string): boolean {
  const jsonName = names?.properties?.find(([inCode]) => inCode === name)?.[1] ?? name;
  return applicableSchemas(schema, schema).some((part) =>
    Object.hasOwn(membersOf(part["properties"]), jsonName),
  );
}

/**
 * The value of the key `keyName`, or of the primary key if no name is given: name and values joined by `/` (§2.6).
 * @throws RecordError if a property of the key is not set or is a number past 2^53, or there is no such key.
 */
export function keyOf(type: RecordType, record: object, keyName?: string): string {
  const key = type.keys?.find(({ name, isPrimary }) =>
    keyName === undefined ? isPrimary : name === keyName,
  );
  if (key === undefined) throw keyError(type, `no key is named "${keyName ?? "primary"}"`);
  const values = key.properties.map((property) => {
    const part: unknown = Object.hasOwn(record, property) ? Reflect.get(record, property) : undefined;
    if (isKeyValue(part)) return part;
    const problem = isInexact(part)
      ? `is past ${Number.MAX_SAFE_INTEGER}, where integers lose digits`
      : "is not set";
    throw keyError(type, `"${property}" ${problem}, and key "${key.name}" needs it`);
  });
  return recordKey(key.name, values);
}

/** The properties of a key, the primary one if none is given, by their serialized names. */
export function serializedKeyNames({ keys, names }: RecordType, key?: RecordKeyType): readonly string[] {
  const { properties = [] } = key ?? keys?.find(({ isPrimary }) => isPrimary) ?? {};
  return properties.map((name) => names?.properties?.find(([inCode]) => inCode === name)?.[1] ?? name);
}

function adaptAndValidate(type: RecordType, given: unknown, options: ReadOptions | undefined): AdaptedInput {
  const input =
    options === undefined ? { json: given, findings: [] } : adaptInput(type.schema, given, options);
  const json = keptMembers(type, input.json);
  return { json, findings: [...input.findings, ...validate(type, json)] };
}

function keyError(type: RecordType, message: string): RecordError {
  const finding = { instancePath: "", keyword: "key", expected: "a key", actual: "none", message };
  return new RecordError(type.name, [finding]);
}

function isFunction(value: unknown): value is () => unknown {
  return typeof value === "function";
}
