/** What all generated classes share. The names of an instance belong to the author; the class speaks through statics. */
import type { Finding } from "../validation/finding.js";
import { carryStray } from "./names.js";
import type { ReadOptions } from "./read-options.js";
import {
  findingsOf,
  keyOf,
  type RecordSource,
  type RecordType,
  read,
  recordType,
  shownValue,
  write,
} from "./record-type.js";

/** What an instance can do, unless a property of the author's has the name. */
export interface RecordMethods<Json> {
  /** Everything in which the record does not fit its schema; empty where it fits. */
  validate(): readonly Finding[];
  /** The serialized form, with only what is set. */
  toJSON(): Json;
}

/** What an instance of a data object can do beside that. */
export interface KeyedMethods {
  /** The primary key, or the one named: name and values joined by `/` (§2.6). @throws RecordError without them. */
  key(keyName?: string): string;
}

/** A record that may not be complete yet (§2.9 rule 3): everything may be unset until it is validated. */
export type Draft<Properties, Methods> = {
  -readonly [Name in keyof Properties]?: Properties[Name];
} & Methods;

/** The statics of a generated class. */
export interface TypedRecordClass<Properties, Json, Instance, Methods> {
  readonly type: RecordType;
  new (properties: Properties): Instance;
  /**
   * An instance of what the target system sent; `options` for names in any case and properties to leave out.
   * @throws RecordError with every finding where it does not fit.
   */
  from(json: unknown, options?: ReadOptions): Instance;
  /** An instance that is filled piece by piece, and held to the schema only when it is validated. */
  draft(properties?: Partial<Properties>): Draft<Properties, Methods>;
  /** Everything in which `json`, in serialized form, does not fit the schema. */
  findings(json: unknown, options?: ReadOptions): readonly Finding[];
  /** Everything in which an instance does not fit. */
  validate(record: object): readonly Finding[];
  /** The serialized form of an instance. */
  toJSON(record: object): Json;
  /** The primary key of an instance, or the one named. */
  key(record: object, keyName?: string): string;
}

const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/** The class of what `source` states: generated code extends it and adds nothing that runs. */
export function typedRecord<Properties extends object, Json, Methods>(
  source: RecordSource | RecordType,
): TypedRecordClass<Properties, Json, Properties & Methods, Methods> {
  const type = recordType(source);
  class TypedRecord {
    static readonly type = type;

    constructor(properties: object = {}) {
      for (const [name, value] of Object.entries(properties)) setOwn(this, name, value);
      carryStray(properties, this);
    }

    static from(json: unknown, options?: ReadOptions) {
      return new this(read(type, json, options) as object);
    }

    static draft(properties: object = {}) {
      return new this(properties);
    }

    static findings(json: unknown, options?: ReadOptions) {
      return findingsOf(type, json, options);
    }

    static validate(record: object) {
      return findingsOf(type, write(type, record));
    }

    static toJSON(record: object) {
      return write(type, record);
    }

    static key(record: object, keyName?: string) {
      return keyOf(type, record, keyName);
    }

    validate() {
      return TypedRecord.validate(this);
    }

    toJSON() {
      return write(type, this);
    }

    key(keyName?: string) {
      return keyOf(type, this, keyName);
    }

    toString() {
      return `${type.name} ${JSON.stringify(shownValue(type, this))}`;
    }

    [INSPECT](_depth: number, options: object, inspect: (value: unknown, options: object) => string) {
      return `${type.name} ${inspect(shownValue(type, this), options)}`;
    }
  }
  return TypedRecord as unknown as TypedRecordClass<Properties, Json, Properties & Methods, Methods>;
}

/** Sets an own member, also one called `__proto__`. */
function setOwn(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}
