/** What a fake target system holds: records that refer to each other, and what has changed of them since. */
import { splitWords } from "../../schemas/naming/words.js";
import { isParentSource } from "../declared/calls.js";
import type {
  AnyReaderDeclaration,
  DeletedWhen,
  ParentReader,
  ParentSource,
} from "../declared/declaration.js";
import { TIME_FORMATS, type TimeFormat, timeText } from "../declared/times.js";
import { isScalar, valueAt, withValueAt } from "../declared/ways.js";
import type { RecordKeyType, RecordType } from "../records/record-type.js";
import {
  createRecordMaker,
  createTakenKeys,
  FAKE_START_MS,
  type FakeRecord,
  type FakeValues,
  type GenerateValue,
  keysOf,
  schemasOf,
  type TakenKeys,
} from "./fake-records.js";

/** A record of the target system, as it is after its last change. */
export interface HeldRecord {
  /** What is answered, in serialized form. */
  readonly record: FakeRecord;
  /** Its place among all records of the object; it keeps it. */
  readonly ordinal: number;
  /** Grows with each change of any record. */
  readonly version: number;
  /** When it was changed, in milliseconds since 1970. */
  readonly changedMs: number;
  /** Whether it is there only for who asks what was deleted. */
  readonly isDeleted: boolean;
  /** Ordinals of those that it stands below, and of those that they stand below. */
  readonly parents: ReadonlyMap<RecordType, number>;
}

/** The records of one data object. */
export interface HeldObject {
  /** Schema, keys and names. */
  readonly type: RecordType;
  /** How it is listed; undefined if nothing says so. */
  readonly declaration: AnyReaderDeclaration | undefined;
  /** All records in the order of their ordinals, those that were deleted too. They are made when they are first asked for. */
  all(): readonly HeldRecord[];
  /**
   * Adds a record: what is not given and required is made.
   * @throws TakenKeyError if another record has one of its keys.
   */
  insert(given: FakeRecord, parents?: HeldRecord["parents"]): HeldRecord;
  /** Changes members of a record. @throws TakenKeyError if another record has one of its keys then. */
  change(ordinal: number, members: FakeRecord): HeldRecord;
  /** Deletes a record. */
  remove(ordinal: number): HeldRecord;
  /** Optional members that no value could be made for. */
  leftOut(): readonly string[];
}

/** A key that another record has. */
export class TakenKeyError extends Error {
  override readonly name = "TakenKeyError";
}

/** A data object, and how it is listed. */
export interface ListedObject {
  readonly type: RecordType;
  readonly declaration: AnyReaderDeclaration | undefined;
}

export interface HeldOptions {
  /** Of every object that stands in the connector. */
  readonly objects: readonly ListedObject[];
  /** The type of the records that a reader reads; undefined if nobody knows. */
  readonly typeOfReader: (reader: ParentReader) => RecordType | undefined;
  readonly generate: GenerateValue;
  /** How many records an object has. */
  readonly countOf: (type: RecordType) => number;
  readonly valuesOf: (type: RecordType) => FakeValues | undefined;
  readonly seed: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The objects of a target system, by the type of their records. */
export function createHeldObjects(options: HeldOptions): ReadonlyMap<RecordType, HeldObject> {
  const held = new Map<RecordType, HeldObject>();
  const changes = { version: 0 };
  for (const object of options.objects)
    held.set(object.type, createHeldObject(object, { ...options, held, changes }));
  return held;
}

interface World extends HeldOptions {
  readonly held: ReadonlyMap<RecordType, HeldObject>;
  /** Counts the changes of all objects. */
  readonly changes: { version: number };
}

function createHeldObject({ type, declaration }: ListedObject, world: World): HeldObject {
  const { generate, seed, now, changes } = world;
  const asked = listKeys({ type, declaration }, world);
  const needed = new Set(asked.map(({ name }) => name));
  const maker = createRecordMaker(
    generate,
    { ...type, keys: [...(type.keys ?? []), ...asked] },
    { seed, values: world.valuesOf(type), needed },
  );
  const taken = createTakenKeys(keysOf(type));
  const stamps = stampsOf(type, declaration);
  let records: HeldRecord[] | undefined;
  let isMaking = false;

  function all(): HeldRecord[] {
    // Two objects that refer to each other: the one that was asked for first has no references yet.
    if (records === undefined && isMaking) return [];
    isMaking = true;
    records ??= firstRecords();
    return records;
  }

  function firstRecords(): HeldRecord[] {
    const lines = parentLines(declaration, world);
    const references = referencesOf({ type, declaration }, world);
    const made: HeldRecord[] = [];
    const count = lines === undefined || lines.length > 0 ? world.countOf(type) : 0;
    for (let turn = 0; turn < count; turn++) {
      const plain = maker.next();
      if (plain === undefined) break;
      const ordinal = made.length;
      const changedMs = FAKE_START_MS + ordinal * MINUTE_MS;
      const stamped = stamps.existing(plain, changedMs);
      const linked = firstLinked(stamped, { ordinal, lines, references, taken, type });
      if (linked === undefined) continue;
      taken.add(linked.record);
      made.push({ ...linked, ordinal, version: ++changes.version, changedMs, isDeleted: false });
    }
    return made;
  }

  function at(ordinal: number): HeldRecord {
    const found = all()[ordinal];
    if (found === undefined) throw new RangeError(`${type.name} has no record ${ordinal}.`);
    return found;
  }

  function put(held: HeldRecord, before?: HeldRecord): HeldRecord {
    if (before !== undefined) taken.remove(before.record);
    if (!held.isDeleted && !taken.isFree(held.record)) {
      if (before !== undefined && !before.isDeleted) taken.add(before.record);
      throw new TakenKeyError(`Another ${type.name} has this key.`);
    }
    if (!held.isDeleted) taken.add(held.record);
    all()[held.ordinal] = held;
    return held;
  }

  const changed = () => ({ version: ++changes.version, changedMs: now() });

  return {
    type,
    declaration,
    all,
    insert(given, parents = new Map()) {
      const ordinal = all().length;
      const { version, changedMs } = changed();
      const references = referencesOf({ type, declaration }, world).filter(
        ({ property, to }) => !(property in given) && parents.has(to.type),
      );
      const linked = withReferences(maker.next() ?? {}, { references, parents, turn: ordinal, type });
      const named = Object.fromEntries(references.map(({ property }) => [property, linked[property]]));
      const whole = completed({ type, needed }, { ...named, ...given }, linked);
      const record = stamps.existing(whole, changedMs);
      return put({ record, ordinal, version, changedMs, isDeleted: false, parents });
    },
    change(ordinal, members) {
      const before = at(ordinal);
      const { version, changedMs } = changed();
      const record = stamps.existing({ ...before.record, ...members }, changedMs);
      return put({ ...before, record, version, changedMs }, before);
    },
    remove(ordinal) {
      const before = at(ordinal);
      const { version, changedMs } = changed();
      const record = stamps.deleted(before.record, changedMs);
      return put({ ...before, record, version, changedMs, isDeleted: true }, before);
    },
    leftOut: maker.leftOut,
  };
}

const MINUTE_MS = 60_000;

/**
 * What else tells the records of a type apart, and none of them lacks: the member of the last record by which a list asks
 * for its next page, and those by which the lists below a record are asked for.
 */
function listKeys({ type, declaration }: ListedObject, world: World): readonly RecordKeyType[] {
  const pages = declaration?.pages;
  const ways = world.objects
    .flatMap((object) => parentSources(object.declaration))
    .filter(({ source }) => world.typeOfReader(source.reader) === type)
    .map(({ source }) => source.way);
  if (pages?.kind === "cursor" && typeof pages.next !== "string" && "lastItem" in pages.next)
    ways.push(pages.next.lastItem);
  const known = keysOf(type).filter(({ properties }) => properties.length === 1);
  const added = [...new Set(ways)].filter((way) => !known.some(({ properties }) => properties[0] === way));
  return added.map((way) => ({ name: way, isPrimary: false, properties: [way] }));
}

/** What is given, and of `made` what a record needs beside that. */
function completed(
  { type, needed }: { readonly type: RecordType; readonly needed: ReadonlySet<string> },
  given: FakeRecord,
  made: FakeRecord,
): FakeRecord {
  let record: FakeRecord = { ...made, ...given };
  for (const name of Object.keys(made)) {
    if (name in given || needed.has(name)) continue;
    const { [name]: _, ...without } = record;
    if (type.check(without)) record = without;
  }
  return record;
}

/** One line of parents for each list: every combination of their records. Undefined for an object without parents. */
function parentLines(
  declaration: AnyReaderDeclaration | undefined,
  world: World,
): readonly HeldRecord["parents"][] | undefined {
  const types = parentTypes(declaration, world);
  if (types.length === 0) return undefined;
  let lines: readonly HeldRecord["parents"][] = [new Map()];
  for (const type of types) {
    const parents = (world.held.get(type)?.all() ?? []).filter(({ isDeleted }) => !isDeleted);
    lines = lines.flatMap((line) =>
      parents.map((parent) => new Map([...line, ...parent.parents, [type, parent.ordinal] as const])),
    );
  }
  return lines;
}

/** The nearest parents; those that others of them stand below come with them. */
function parentTypes(declaration: AnyReaderDeclaration | undefined, world: World): readonly RecordType[] {
  const types = [
    ...new Set(parentSources(declaration).map(({ source }) => world.typeOfReader(source.reader))),
  ];
  const known = types.filter((type) => type !== undefined && world.held.has(type)) as RecordType[];
  const above = new Set(known.flatMap((type) => [...ancestorsOf(type, world)]));
  return known.filter((type) => !above.has(type));
}

function ancestorsOf(type: RecordType, world: World): ReadonlySet<RecordType> {
  const parents = parentTypes(world.held.get(type)?.declaration, world);
  return new Set(parents.flatMap((parent) => [parent, ...ancestorsOf(parent, world)]));
}

/** A parent that a declaration takes a value of, and the name that it has where it is sent. */
export interface NamedParentSource {
  readonly name: string;
  readonly source: ParentSource;
}

/** Every parent that a declaration takes a value of, at any depth. */
export function parentSources(declaration: AnyReaderDeclaration | undefined): readonly NamedParentSource[] {
  const found: NamedParentSource[] = [];
  const look = (value: unknown, name: string): void => {
    if (typeof value !== "object" || value === null) return;
    if (isParentSource(value)) found.push({ name, source: value });
    else for (const [member, inner] of Object.entries(value)) look(inner, member);
  };
  const { path, query, headers, body } = declaration ?? {};
  for (const place of [path, query, headers, body]) look(place, "");
  return found;
}

/** A property that holds a value of another record. */
interface Reference {
  readonly property: string;
  readonly to: HeldObject;
  readonly way: string;
}

/**
 * The properties of an object that refer to others, by their names: `projectId` and `project_id` hold the `id` of a
 * project, and so does what is called as the variable that a list is asked by.
 */
function referencesOf({ type, declaration }: ListedObject, world: World): readonly Reference[] {
  const names = [...propertiesOf(type)];
  const found = new Map<string, Reference>();
  const ownKeys = new Set(
    keysOf(type).flatMap(({ properties }) => (properties.length === 1 ? properties.map(plainName) : [])),
  );
  const refer = (wanted: string, to: HeldObject, way: string) => {
    const property = names.find((name) => plainName(name) === wanted);
    if (property !== undefined && to.type !== type && !found.has(property))
      found.set(property, { property, to, way });
  };
  for (const { name, source } of parentSources(declaration)) {
    const parent = world.typeOfReader(source.reader);
    const to = parent === undefined ? undefined : world.held.get(parent);
    if (to === undefined) continue;
    for (const wanted of parentNames({ name, source }, to.type)) {
      // What both call `id` is the own one of each; what both call `projectId` is that of the project.
      const isOwn = wanted === plainName(name) && wanted === plainName(source.way) && ownKeys.has(wanted);
      if (!isOwn) refer(wanted, to, source.way);
    }
  }
  for (const to of world.held.values()) {
    const primary = keysOf(to.type).find(({ isPrimary }) => isPrimary);
    const [way, ...others] = primary?.properties ?? [];
    if (way !== undefined && others.length === 0) refer(plainName(to.type.name + way), to, way);
  }
  return [...found.values()];
}

/** What a property is called that holds the value of a parent by which a list is asked for, without case and marks. */
export function parentNames(
  { name, source: { way } }: NamedParentSource,
  parent: Pick<RecordType, "name">,
): readonly string[] {
  const own = plainName(way);
  const whole = plainName(parent.name + way);
  // `project_id` of a project is called so below it, too; its `id` is not.
  const isNamed = own.startsWith(plainName(parent.name));
  return [plainName(name), whole, ...(isNamed ? [own] : [])];
}

/** Serialized names of the properties of an object. */
export function propertiesOf({ schema }: RecordType): ReadonlySet<string> {
  const properties = valueAt(schema, "properties");
  return new Set(typeof properties === "object" && properties !== null ? Object.keys(properties) : []);
}

/** A name without its case and marks: `project_id` and `ProjectID` are one. */
export function plainName(name: string): string {
  return splitWords(name).join("").toLowerCase();
}

interface Linking {
  readonly ordinal: number;
  readonly lines: readonly HeldRecord["parents"][] | undefined;
  readonly references: readonly Reference[];
  readonly taken: TakenKeys;
  readonly type: RecordType;
}

const LINK_ATTEMPTS = 20;

/** The record with its references, below the first parents whose keys it does not take twice. */
function firstLinked(
  record: FakeRecord,
  { ordinal, lines, references, taken, type }: Linking,
): Pick<HeldRecord, "record" | "parents"> | undefined {
  for (let attempt = 0; attempt < LINK_ATTEMPTS; attempt++) {
    const turn = ordinal + attempt;
    const parents = lines?.[turn % lines.length] ?? new Map<RecordType, number>();
    const linked = withReferences(record, { references, parents, turn, type });
    if (taken.isFree(linked)) return { record: linked, parents };
  }
  return undefined;
}

/** The record with values of those that it refers to, where they fit. */
function withReferences(
  record: FakeRecord,
  {
    references,
    parents,
    turn,
    type,
  }: Pick<Linking, "references" | "type"> & {
    readonly parents: HeldRecord["parents"];
    /** Chooses among those that are no parents. */
    readonly turn: number;
  },
): FakeRecord {
  const linked = { ...record };
  for (const { property, to, way } of references) {
    const existing = to.all();
    const target = parents.get(to.type) ?? turn % Math.max(existing.length, 1);
    const value = valueAt(existing[target]?.record, way);
    if (isScalar(value) && type.check({ ...linked, [property]: value })) linked[property] = value;
  }
  return linked;
}

/** What a declaration says of times and deletes, written into records. */
interface Stamps {
  existing(record: FakeRecord, changedMs: number): FakeRecord;
  deleted(record: FakeRecord, changedMs: number): FakeRecord;
}

function stampsOf(type: RecordType, declaration: AnyReaderDeclaration | undefined): Stamps {
  const { since, deletedWhen } = declaration ?? {};
  const changedAt = (record: FakeRecord, ms: number) => {
    if (since === undefined || "mark" in since || since.property === undefined) return record;
    const values = timeValues(ms, since);
    return (
      firstFitting(
        type,
        values.map((value) => withValueAt(record, since.property ?? "", value)),
      ) ?? record
    );
  };
  return {
    existing: (record, ms) => changedAt(notDeleted(type, record, deletedWhen), ms),
    deleted: (record, ms) => {
      const stamped = changedAt(record, ms);
      if (deletedWhen === undefined) return stamped;
      const values = deletedWhen.is === undefined ? [true, ...timeValues(ms), "deleted"] : [deletedWhen.is];
      const candidates = values.map((value) => withValueAt(stamped, deletedWhen.property, value));
      return firstFitting(type, candidates) ?? (candidates[0] as FakeRecord);
    },
  };
}

function notDeleted(type: RecordType, record: FakeRecord, deletedWhen: DeletedWhen | undefined): FakeRecord {
  if (deletedWhen === undefined) return record;
  const { property, is } = deletedWhen;
  const value = valueAt(record, property);
  if (value === undefined || (is !== undefined && value !== is)) return record;
  const members = schemasOf(type, property).flatMap(({ enum: list }) => (Array.isArray(list) ? list : []));
  const others = is === undefined ? [] : members;
  const [name = ""] = property.split(".");
  const { [name]: _, ...without } = record;
  const values = [false, null, "", ...others].filter((value) => value !== is);
  const candidates = [without, ...values.map((value) => withValueAt(record, property, value))];
  return firstFitting(type, candidates) ?? without;
}

/** A time as the declaration says, then as the schema may want it. */
export function timeValues(
  ms: number,
  { format = "iso" }: { readonly format?: TimeFormat } = {},
): readonly unknown[] {
  return [format, ...TIME_FORMATS].flatMap((name) => {
    const text = timeText(ms, name);
    return /^\d+$/.test(text) ? [Number(text), text] : [text];
  });
}

function firstFitting(type: RecordType, candidates: readonly unknown[]): FakeRecord | undefined {
  return candidates.find((candidate) => type.check(candidate)) as FakeRecord | undefined;
}
