/** From what a reader or a handler gives to what a store takes: serialized, valid, keyed and hashed, or rejected. */
import { carriedType } from "../records/carried-type.js";
import { type RecordType, write } from "../records/record-type.js";
import type { RecordWrite } from "../store/records.js";
import type { RejectedWrite } from "../store/rejected.js";
import type { Finding } from "../validation/finding.js";
import { validate } from "../validation/findings.js";
import { type HashOptions, recordHasher } from "./canonical-hash.js";
import { type RecordKeys, recordKeys } from "./record-keys.js";

/** A change that a reader or a handler gave. */
export interface GivenRecord {
  readonly operation: "upsert" | "delete";
  /** An instance of the generated class, or what the target system sent. Of a delete only the key is looked at. */
  readonly record: unknown;
}

/** Exactly one of the two. */
export type PreparedRecord = { readonly write: RecordWrite } | { readonly rejected: RejectedWrite };

export interface RecordPreparer {
  readonly keys: RecordKeys;
  prepare(given: GivenRecord): PreparedRecord;
}

/** Prepares records of `type`, for the cache writer and for the cache changes of actions alike. */
export function recordPreparer(type: RecordType, options: HashOptions = {}): RecordPreparer {
  const keys = recordKeys(type);
  const hashOf = recordHasher(options);
  const rejected = (given: GivenRecord, json: unknown, findings: readonly Finding[]): PreparedRecord => ({
    rejected: rejection(given.operation, { json, findings, key: keys.primary(json) }),
  });
  return {
    keys,
    prepare: (given) => {
      const json = serialized(type, given.record);
      if (given.operation === "delete") {
        const key = keys.primary(json);
        return key === undefined
          ? rejected(given, json, [noKey(type)])
          : { write: { operation: "delete", key } };
      }
      if (!type.check(json)) return rejected(given, json, validate(type, json));
      const key = keys.primary(json);
      if (key === undefined || typeof json !== "object" || json === null) {
        return rejected(given, json, [noKey(type)]);
      }
      try {
        return { write: { operation: "upsert", key, hash: hashOf(json), record: json } };
      } catch {
        return rejected(given, json, [notJson()]);
      }
    },
  };
}

/** An instance of the generated class is written; everything else is taken as what the target system sent. */
export function serialized(type: RecordType, record: unknown): unknown {
  if (typeof record !== "object" || record === null) return record;
  const prototype: unknown = Object.getPrototypeOf(record);
  if (prototype === Object.prototype || prototype === null) return record;
  if (carriedType(record) === type) return write(type, record);
  return "toJSON" in record && typeof record.toJSON === "function" ? record.toJSON() : record;
}

function rejection(
  operation: "upsert" | "delete",
  facts: { readonly json: unknown; readonly findings: readonly Finding[]; readonly key: string | undefined },
): RejectedWrite {
  const { json, findings, key } = facts;
  const record = jsonText(json);
  const named = key === undefined ? {} : { key };
  return { operation, ...named, identity: key ?? `#${recordHasher()({ record })}`, findings, record };
}

function jsonText(json: unknown): string | null {
  try {
    return JSON.stringify(json) ?? null;
  } catch {
    return null;
  }
}

function noKey({ keys }: RecordType): Finding {
  const { name, properties } = keys?.find(({ isPrimary }) => isPrimary) ?? { name: "", properties: [] };
  const expected = `a value for each of ${properties.join(", ")}, which make key "${name}"`;
  return finding("key", expected, "none");
}

function notJson(): Finding {
  return finding("json", "a value that can be written as JSON", "one that can't");
}

function finding(keyword: string, expected: string, actual: string): Finding {
  const message = `the value: expected ${expected}, found ${actual}`;
  return { instancePath: "", keyword, expected, actual, message };
}
