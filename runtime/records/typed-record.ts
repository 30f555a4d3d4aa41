/** What all generated classes share. The names of an instance belong to the author; the class speaks through statics. */
import type { Finding } from "../validation/finding.js";
import { displayRecord } from "./masking.js";
import { collidingMembers, keepColliding, toSerializedNames } from "./name-mapping.js";
import { concealNested, INSPECT } from "./nested-values.js";
import type { ReadOptions } from "./read-options.js";
import {
  declaresProperty,
  keyOf,
  type RecordSource,
  type RecordType,
  readRecord,
  recordFindings,
  serializeRecord,
  toRecordType,
} from "./record-type.js";

/**
 * The methods of an instance, unless a property of the author's has the name. A member that the schema does not declare
 * takes no method's place: it is kept apart, and stands in the serialized form again.
 */
export interface RecordMethods<Json> {
  /** Everything in which the record does not fit its schema; empty if it fits. */
  validate(): readonly Finding[];
  /** The serialized form, without properties that are not set. */
  toJSON(): Json;
}

/** The further methods of an instance of a data object. */
export interface KeyedMethods {
  /**
   * The value of the primary key, or of the key `keyName`: name and values joined by `/` (§2.6).
   * @throws RecordError if a property of the key is not set or is a number past 2^53, or there is no such key.
   */
  key(keyName?: string): string;
}

/** A record that may not be complete yet (§2.9 rule 3): everything may be unset until it is validated. */
export type Draft<Properties, Methods> = {
  -readonly [Name in keyof Properties]?: Properties[Name];
} & Methods;

/** The statics of a generated class. */
export interface TypedRecordClass<Properties, Json, Instance, Methods> {
  /** Schema, check, keys and names of the class, for tools. */
  readonly type: RecordType;
  /** An instance with these properties. They are not validated. */
  new (properties: Properties): Instance;
  /**
   * An instance of what the target system sent, in serialized form.
   * @throws RecordError with every finding if the input does not fit.
   */
  from(json: unknown, options?: ReadOptions): Instance;
  /** An instance that is filled piece by piece, and held to the schema only when it is validated. */
  draft(properties?: Partial<Properties>): Draft<Properties, Methods>;
  /** Everything in which `json`, in serialized form, does not fit the schema; empty if it fits. */
  findings(json: unknown, options?: ReadOptions): readonly Finding[];
  /** Everything in which an instance does not fit; empty if it fits. */
  validate(record: object): readonly Finding[];
  /** The serialized form of an instance, without properties that are not set. */
  toJSON(record: object): Json;
  /**
   * The value of the primary key of an instance, or of the key `keyName` (§2.6).
   * @throws RecordError if a property of the key is not set or is a number past 2^53, or there is no such key.
   */
  key(record: object, keyName?: string): string;
}

/** The statics of a generated payload that is no object, such as an action's list of results. */
export interface TypedValue<Value, Json> {
  /** Schema, check and names of the payload, for tools. */
  readonly type: RecordType;
  /**
   * The value that the target system sent, in serialized form.
   * @throws RecordError with every finding if the input does not fit.
   */
  from(json: unknown, options?: ReadOptions): Value;
  /** Everything in which `json`, in serialized form, does not fit the schema; empty if it fits. */
  findings(json: unknown, options?: ReadOptions): readonly Finding[];
  /** Everything in which a value does not fit; empty if it fits. */
  validate(value: unknown): readonly Finding[];
  /** The serialized form of a value. */
  toJSON(value: Value): Json;
}

/** The class of what `source` states. A generated class extends it. */
export function typedRecord<Properties extends object, Json, Methods>(
  source: RecordSource | RecordType,
): TypedRecordClass<Properties, Json, Properties & Methods, Methods> {
  const type = toRecordType(source);
  class TypedRecord {
    static readonly type = type;

    constructor(properties: object = {}) {
      const apart = [...collidingMembers(properties)];
      for (const [name, value] of Object.entries(properties)) {
        // What nobody declared takes the place of no method, and of no address that a connection's definition says.
        if (name in this && !declaresProperty(type, name)) apart.push([name, value]);
        else setOwn(this, name, value);
      }
      keepColliding(this, apart);
      concealNested(type, this);
    }

    static from(json: unknown, options?: ReadOptions) {
      return new this(readRecord(type, json, options) as object);
    }

    static draft(properties: object = {}) {
      return new this(properties);
    }

    static findings(json: unknown, options?: ReadOptions) {
      return recordFindings(type, json, options);
    }

    static validate(record: object) {
      return recordFindings(type, serializeRecord(type, record));
    }

    static toJSON(record: object) {
      return serializeRecord(type, record);
    }

    static key(record: object, keyName?: string) {
      return keyOf(type, record, keyName);
    }

    validate() {
      return TypedRecord.validate(this);
    }

    toJSON() {
      return serializeRecord(type, this);
    }

    key(keyName?: string) {
      return keyOf(type, this, keyName);
    }

    toString() {
      return `${type.name} ${JSON.stringify(displayRecord(type, this))}`;
    }

    [INSPECT](_depth: number, options: object, inspect: (value: unknown, options: object) => string) {
      return `${type.name} ${inspect(displayRecord(type, this), options)}`;
    }
  }
  return TypedRecord as unknown as TypedRecordClass<Properties, Json, Properties & Methods, Methods>;
}

/** The statics of what `source` states, for payloads that are no objects. */
export function typedValue<Value, Json>(source: RecordSource | RecordType): TypedValue<Value, Json> {
  const type = toRecordType(source);
  return {
    type,
    from: (json, options) => readRecord(type, json, options) as Value,
    findings: (json, options) => recordFindings(type, json, options),
    validate: (value) => recordFindings(type, toSerializedNames(value, type.names)),
    toJSON: (value) => toSerializedNames(value, type.names) as Json,
  };
}

/** Sets an own member, also one called `__proto__`. */
function setOwn(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}
