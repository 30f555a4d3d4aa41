/** Payloads that are no objects, such as an action's list of results: the same statics, without a class. */
import type { Finding } from "../validation/finding.js";
import { toSerialized } from "./names.js";
import type { ReadOptions } from "./read-options.js";
import { findingsOf, type RecordSource, type RecordType, read, recordType } from "./record-type.js";

export interface TypedValue<Value, Json> {
  readonly type: RecordType;
  /** The value that the target system sent. @throws RecordError with every finding where it does not fit. */
  from(json: unknown, options?: ReadOptions): Value;
  /** Everything in which `json`, in serialized form, does not fit the schema. */
  findings(json: unknown, options?: ReadOptions): readonly Finding[];
  /** Everything in which a value does not fit. */
  validate(value: unknown): readonly Finding[];
  /** The serialized form of a value. */
  toJSON(value: Value): Json;
}

/** The statics of what `source` states. */
export function typedValue<Value, Json>(source: RecordSource | RecordType): TypedValue<Value, Json> {
  const type = recordType(source);
  return {
    type,
    from: (json, options) => read(type, json, options) as Value,
    findings: (json, options) => findingsOf(type, json, options),
    validate: (value) => findingsOf(type, toSerialized(value, type.names)),
    toJSON: (value) => toSerialized(value, type.names) as Json,
  };
}
