/** Records that a target system could hold: made from a schema, the same for the same seed, each held to its check. */
import { createHash } from "node:crypto";
import type { JsonSchema } from "json-schema-faker";
import { isJsonObject, pointerSteps } from "../../schemas/json.js";
import { propertyTitle, splitWords } from "../../schemas/naming/words.js";
import { applicableSchemas, memberSchemas, membersOf } from "../records/applicable-schemas.js";
import { isKeyValue, recordKey } from "../records/record-key.js";
import type { RecordKeyType, RecordType } from "../records/record-type.js";
import type { Finding } from "../validation/finding.js";
import { validate } from "../validation/findings.js";

/** A record in serialized form. */
export type FakeRecord = Readonly<Record<string, unknown>>;

/** What records are made with. */
export interface FakeRecordsOptions {
  /** How many. There are fewer if the keys have no more values, such as those of an enumeration. */
  readonly count: number;
  /**
   * The same seed makes the same records.
   * @default 1
   */
  readonly seed?: number | undefined;
  /**
   * Values of properties that can't be made, by serialized name: called with the number of the record, from 0 on.
   * @default none
   */
  readonly values?: FakeValues | undefined;
}

/** Makes the values of properties, by serialized name. */
export type FakeValues = Readonly<Record<string, (index: number) => unknown>>;

/** Records, and what they are without. */
export interface FakeRecords {
  /** All of them fit their schema, and no two share a key. */
  readonly records: readonly FakeRecord[];
  /** Optional members that no value could be made for, each with what it asks for. */
  readonly leftOut: readonly string[];
}

/** A record that can't be made. The message names the property, what it asks for, and how to give a value for it. */
export class FakeRecordError extends Error {
  override readonly name = "FakeRecordError";

  constructor(
    message: string,
    /** What the last attempt did not fit. */
    readonly findings: readonly Finding[] = [],
  ) {
    super(message);
  }
}

/** Makes a value of a schema; not every value fits. */
export type GenerateValue = (schema: unknown, seed: number) => unknown;

/** What makes values, loaded only where records are made. */
export async function loadGenerator(): Promise<GenerateValue> {
  const { generateSync } = await import("json-schema-faker");
  const options = { optionalsProbability: OPTIONAL_SHARE };
  return (schema, seed) => generateSync(schema as JsonSchema, { ...options, seed });
}

/** `generate`, which makes no value twice: for who makes the same records again and again, and changes none of them. */
export function rememberedValues(generate: GenerateValue): GenerateValue {
  const known = new WeakMap<object, Map<number, unknown>>();
  return (schema, seed) => {
    if (typeof schema !== "object" || schema === null) return generate(schema, seed);
    const values = known.get(schema) ?? new Map<number, unknown>();
    known.set(schema, values);
    if (!values.has(seed)) values.set(seed, generate(schema, seed));
    return values.get(seed);
  };
}

/** Most target systems fill in most of what is optional. */
const OPTIONAL_SHARE = 0.8;

/**
 * Makes records of a data object.
 * @param type The generated class, or its `type`.
 * @throws FakeRecordError if a property that is required can't be made.
 * @example
 * const { records } = await fakeRecords(Project, { count: 10_000, seed: 7 });
 */
export async function fakeRecords(
  type: RecordType | { readonly type: RecordType },
  { count, ...options }: FakeRecordsOptions,
): Promise<FakeRecords> {
  const maker = createRecordMaker(await loadGenerator(), "type" in type ? type.type : type, options);
  const records: FakeRecord[] = [];
  while (records.length < count) {
    const record = maker.next();
    if (record === undefined) break;
    records.push(record);
  }
  return { records, leftOut: maker.leftOut() };
}

/** Makes records one after the other. */
export interface RecordMaker {
  /** The next record, with keys that none before has; undefined if they have no more values. */
  next(): FakeRecord | undefined;
  /** Optional members that could not be made so far. */
  readonly leftOut: () => readonly string[];
}

export interface RecordMakerOptions extends Omit<FakeRecordsOptions, "count"> {
  /** Members of keys that every record has, also if its schema says optional or nullable: serialized names. */
  readonly needed?: ReadonlySet<string>;
}

/** As `fakeRecords`, with what `loadGenerator` has loaded. */
export function createRecordMaker(
  generate: GenerateValue,
  type: RecordType,
  { seed = 1, values = {}, needed = new Set() }: RecordMakerOptions = {},
): RecordMaker {
  const schemas = new Map<string, ReturnType<typeof schemasOf>>();
  const schemasOfMember = (name: string) => {
    const known = schemas.get(name) ?? schemasOf(type, name);
    schemas.set(name, known);
    return known;
  };
  const maker: Maker = { generate, type, values, needed, seed, schemasOfMember, leftOut: new Map() };
  const keys = keysOf(type);
  const taken = createTakenKeys(keys);
  let index = 0;
  return {
    next() {
      const made = firstOf(attemptsOf(maker, keys, index), (record) => taken.isFree(record));
      if (made !== undefined) taken.add(made);
      index++;
      return made;
    },
    leftOut: () => [...maker.leftOut.values()],
  };
}

interface Maker {
  readonly generate: GenerateValue;
  readonly type: RecordType;
  readonly values: FakeValues;
  readonly needed: ReadonlySet<string>;
  readonly seed: number;
  readonly schemasOfMember: (name: string) => ReturnType<typeof schemasOf>;
  /** What could not be made so far, by its pointer. */
  readonly leftOut: Map<string, string>;
}

/** Properties of a key by their serialized names. */
export interface SerializedKey {
  /** Name of the key. */
  readonly name: string;
  /** Whether it is the primary key. */
  readonly isPrimary: boolean;
  /** Serialized names, in the order of the key. */
  readonly properties: readonly string[];
}

/** The keys of a record type, with serialized names. */
export function keysOf({ keys = [], names }: RecordType): readonly SerializedKey[] {
  const serialized = (name: string) => names?.properties?.find(([inCode]) => inCode === name)?.[1] ?? name;
  return keys.map(({ name, isPrimary, properties }: RecordKeyType) => ({
    ...{ name, isPrimary },
    properties: properties.map(serialized),
  }));
}

/** The value of a key; undefined for a record that lacks a part of it. */
export function keyText({ name, properties }: SerializedKey, record: FakeRecord): string | undefined {
  const values = properties.map((property) => record[property]);
  return values.every(isKeyValue) ? recordKey(name, values) : undefined;
}

/** Which values of keys are taken. */
export interface TakenKeys {
  /** Whether no other record has a key of this one. */
  isFree(record: FakeRecord): boolean;
  /** Takes the keys of a record. */
  add(record: FakeRecord): void;
  /** Gives the keys of a record back. */
  remove(record: FakeRecord): void;
}

/** No value is taken yet. */
export function createTakenKeys(keys: readonly SerializedKey[]): TakenKeys {
  const taken = new Set<string>();
  const textsOf = (record: FakeRecord) =>
    keys.map((key) => keyText(key, record)).filter((text) => text !== undefined);
  return {
    isFree: (record) => textsOf(record).every((text) => !taken.has(text)),
    add: (record) => {
      for (const text of textsOf(record)) taken.add(text);
    },
    remove: (record) => {
      for (const text of textsOf(record)) taken.delete(text);
    },
  };
}

const KEY_ATTEMPTS = 30;

/** Records for one place in the list, each another one, for keys that were made before. */
function* attemptsOf(
  maker: Maker,
  keys: readonly SerializedKey[],
  index: number,
): Generator<FakeRecord, void, undefined> {
  for (let attempt = 0; attempt < KEY_ATTEMPTS; attempt++) {
    const made = fittingRecord(maker, index, attempt);
    const number = index + attempt * 1_000_003;
    let record = made;
    for (const key of keys) record = withKeyValues(maker, record, { key, index: number });
    yield record;
  }
}

const SCHEMA_ATTEMPTS = 4;

/** @throws FakeRecordError if nothing fits. */
function fittingRecord(maker: Maker, index: number, attempt: number): FakeRecord {
  const { type, leftOut, seed } = maker;
  let findings: readonly Finding[] = [];
  // What could not be made before can't be made now.
  const attempts = leftOut.size > 0 ? 1 : SCHEMA_ATTEMPTS;
  for (let step = 0; step < attempts; step++) {
    const value = generated(maker, index, seedOf(seed, type.name, index, attempt, step));
    findings = validate(type, value);
    if (findings.length === 0 && isJsonObject(value))
      return withReadableTexts(maker, withZeros(maker, value, index), index);
    if (step < attempts - 1) continue;
    const mended = withoutUnfit(type, value, findings);
    if (isJsonObject(mended.value)) {
      for (const { instancePath, expected } of mended.left)
        leftOut.set(instancePath, `${type.name}${instancePath}: ${expected}`);
      return mended.value;
    }
    findings = mended.unfit;
  }
  throw unfakeable(type, findings);
}

function generated({ generate, type, values }: Maker, index: number, seed: number): unknown {
  const value = generatedWhole(generate, type.schema, seed);
  if (!isJsonObject(value)) return value;
  return {
    ...value,
    ...Object.fromEntries(Object.entries(values).map(([name, make]) => [name, make(index)])),
  };
}

/** The generator gives up on some schemas as a whole; the members that it knows are made one by one then. */
function generatedWhole(generate: GenerateValue, schema: unknown, seed: number): unknown {
  try {
    return generate(schema, seed);
  } catch {
    if (!isJsonObject(schema)) return undefined;
    const { $defs, definitions } = schema;
    const made: [string, unknown][] = [];
    for (const [name, member] of Object.entries(membersOf(schema["properties"]))) {
      const withDefinitions = isJsonObject(member) ? { ...member, $defs, definitions } : member;
      try {
        made.push([name, generate(withDefinitions, seed)]);
      } catch {
        // The check names it.
        made.push([name, null]);
      }
    }
    return Object.fromEntries(made);
  }
}

/** Of so many texts one stays as odd as it was made: empty, long, or without a word in it. */
const ODD_TEXTS = 4;
const SHAPED = ["pattern", "format", "enum", "const"];
/** Of so many numbers one is zero, which is easily taken for no value. */
const ZEROS = 5;

/** The record with zero in some of its numbers, where it fits and the number is no part of a key or a reference. */
function withZeros({ type, seed, values }: Maker, record: FakeRecord, index: number): FakeRecord {
  const inKeys = new Set(keysOf(type).flatMap(({ properties }) => properties));
  let current = record;
  for (const [name, value] of Object.entries(record)) {
    const isOwn = name in values || inKeys.has(name) || /id$/i.test(name);
    if (typeof value !== "number" || isOwn || seedOf(seed, type.name, name, "zero", index) % ZEROS !== 0)
      continue;
    const changed = { ...current, [name]: 0 };
    if (type.check(changed)) current = changed;
  }
  return current;
}

/** The record with texts that people can read, such as `Title 7`, where any text fits. */
function withReadableTexts(
  { type, seed, values, schemasOfMember }: Maker,
  record: FakeRecord,
  index: number,
): FakeRecord {
  const texts = Object.entries(record).flatMap(([name, value]) => {
    const isFree = !schemasOfMember(name).some((schema) => SHAPED.some((keyword) => keyword in schema));
    if (typeof value !== "string" || name in values || !isFree) return [];
    const isOdd = seedOf(seed, type.name, name, index) % ODD_TEXTS === 0;
    return isOdd ? [] : [[name, `${propertyTitle(name)} ${index + 1}`] as const];
  });
  const readable = { ...record, ...Object.fromEntries(texts) };
  if (type.check(readable)) return readable;
  const fitting = texts.filter(([name, text]) => type.check({ ...record, [name]: text }));
  const some = { ...record, ...Object.fromEntries(fitting) };
  return type.check(some) ? some : record;
}

function unfakeable(type: RecordType, findings: readonly Finding[]): FakeRecordError {
  const [first] = findings;
  const property = pointerSteps(first?.instancePath ?? "")[0] ?? "";
  const place = `${type.name}${first?.instancePath ?? ""}`;
  return new FakeRecordError(
    `No value of ${place} can be made: expected ${first?.expected ?? "a record"}. Give one: values: { ${JSON.stringify(property)}: (index) => … }.`,
    findings,
  );
}

/** The value without the members that do not fit, or with plain values in their place, if it fits then. */
function withoutUnfit(
  type: RecordType,
  value: unknown,
  findings: readonly Finding[],
): { readonly value: unknown; readonly left: readonly Finding[]; readonly unfit: readonly Finding[] } {
  const left: Finding[] = [];
  let [current, unfit] = [value, findings];
  while (unfit.length > 0) {
    const known = new Set(unfit.map(placeOf));
    const better = firstOf(repairsOf(current, unfit), (repair) => {
      const found = validate(type, repair.value);
      // What mends one thing and breaks another, such as a member that is required, is no better.
      return found.length < unfit.length && found.every((finding) => known.has(placeOf(finding)));
    });
    if (better === undefined) return { value: undefined, left, unfit };
    left.push(better.finding);
    current = better.value;
    unfit = validate(type, current);
  }
  return { value: current, left, unfit };
}

function placeOf({ instancePath, keyword, expected }: Finding): string {
  return `${instancePath} ${keyword} ${expected}`;
}

interface Repair {
  readonly finding: Finding;
  readonly value: unknown;
}

/** What often fits where nothing that was made does. */
const PLAIN_VALUES = [null, "", "a", "1", 0, 1, -1, 1_000, 0.5, true, false, [], {}];

/** The smallest change first. */
function* repairsOf(value: unknown, findings: readonly Finding[]): Generator<Repair, void, undefined> {
  for (const finding of findings) {
    const steps = pointerSteps(finding.instancePath);
    for (let depth = steps.length; depth > 0; depth--) {
      const way = steps.slice(0, depth);
      yield { finding, value: changedAt(value, way, () => undefined) };
      for (const plain of PLAIN_VALUES) yield { finding, value: changedAt(value, way, () => plain) };
    }
  }
}

/** A copy with what `change` gives at `way`; undefined leaves the member or item out. */
function changedAt(value: unknown, way: readonly string[], change: () => unknown): unknown {
  const [step, ...rest] = way;
  if (step === undefined) return change();
  if (Array.isArray(value))
    return value.flatMap((item, index) => {
      const next = String(index) === step ? changedAt(item, rest, change) : item;
      return next === undefined ? [] : [next];
    });
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(
    ([name, member]) => [name, name === step ? changedAt(member, rest, change) : member] as const,
  );
  return Object.fromEntries(entries.filter(([, member]) => member !== undefined));
}

/** How many records have the same value of a key's first properties, where it has several. */
const GROUPS = 7;

/** The record with values of a key that no other record has, if its schema lets them be made one after the other. */
function withKeyValues(
  { type, values, needed, seed, schemasOfMember }: Maker,
  record: FakeRecord,
  { key, index }: { readonly key: SerializedKey; readonly index: number },
): FakeRecord {
  const last = key.properties.findLast((name) => !(name in values));
  const changed = { ...record };
  for (const name of key.properties.filter((property) => !(property in values))) {
    const place = { type: type.name, seed, name, index: name === last ? index : index % GROUPS };
    const samples = needed.has(name) ? [record[name], "", 0] : [record[name]];
    const candidates = samples.flatMap((sample) => countedValues(sample, schemasOfMember(name), place));
    const fitting = candidates.find((value) => type.check({ ...record, [name]: value }));
    if (fitting !== undefined) changed[name] = fitting;
  }
  return type.check(changed) ? changed : record;
}

interface ValuePlace {
  readonly type: string;
  readonly seed: number;
  readonly name: string;
  readonly index: number;
}

/** The day from which times are counted. */
export const FAKE_START_MS = Date.UTC(2025, 0, 1);

/** Values of the kind of `sample`, of which each index has another one. */
function countedValues(
  sample: unknown,
  schemas: readonly Readonly<Record<string, unknown>>[],
  { type, seed, name, index }: ValuePlace,
): readonly unknown[] {
  const limit = (keyword: string) => schemas.map((schema) => schema[keyword]).find(isNumber);
  const number = index + 1;
  if (typeof sample === "number") {
    const [least, most, step = 1] = [limit("minimum"), limit("maximum"), limit("multipleOf")];
    return [number, (least ?? 0) + number * step, (least ?? 0) + index * step, (most ?? 0) - index * step];
  }
  if (typeof sample !== "string") return [];
  const label = splitWords(name).join("-").toLowerCase() || "value";
  const shortest = limit("minLength") ?? 0;
  const day = new Date(FAKE_START_MS + index * 86_400_000).toISOString();
  return [
    ...(UUID.test(sample) ? [uuidOf(seed, type, name, index)] : []),
    ...(sample.includes("@") ? [`${label}-${number}@example.com`] : []),
    ...(/^[a-z]+:\/\//.test(sample) ? [`https://example.com/${label}/${number}`] : []),
    ...(/^\d{4}-\d{2}-\d{2}t/i.test(sample) ? [new Date(FAKE_START_MS + index * 60_000).toISOString()] : []),
    ...(/^\d{4}-\d{2}-\d{2}$/.test(sample) ? [day.slice(0, 10)] : []),
    `${label}-${number}`.padStart(shortest, "0"),
    String(number).padStart(shortest, "0"),
    number.toString(36).toUpperCase().padStart(shortest, "A"),
  ];
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

function uuidOf(...parts: readonly (string | number)[]): string {
  const hex = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5");
}

/** The schemas of a member, whatever keyword brings them in. */
export function schemasOf(
  { schema }: RecordType,
  name: string,
): readonly Readonly<Record<string, unknown>>[] {
  return applicableSchemas(schema, schema)
    .flatMap((part) => memberSchemas(part, name))
    .flatMap((part) => applicableSchemas(part, schema));
}

/** A seed of 32 bits; the same for the same parts. */
export function seedOf(...parts: readonly (string | number)[]): number {
  return createHash("sha256").update(JSON.stringify(parts)).digest().readUInt32LE(0);
}

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}

function firstOf<Value>(values: Iterable<Value>, fits: (value: Value) => boolean): Value | undefined {
  for (const value of values) if (fits(value)) return value;
  return undefined;
}
