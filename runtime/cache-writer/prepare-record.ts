/** From what a reader or a handler returns to what a store takes: serialized, valid, keyed and hashed, or rejected. */
import { escapePointerStep } from "../../schemas/json.js";
import { type Redaction, redactedFindings } from "../log/redaction.js";
import { keptMembers } from "../records/known-members.js";
import type { RecordType } from "../records/record-type.js";
import { serializedForm, toJsonText } from "../records/serialized-form.js";
import type { RecordChange } from "../registration/contracts.js";
import type { RecordWrite, RejectedWrite } from "../store/store.js";
import { createFinding, type Finding } from "../validation/finding.js";
import { type HashOptions, recordHasher } from "./canonical-hash.js";
import { type RecordKeys, recordKeys } from "./record-keys.js";

/** Exactly one of the two: what the store is to write, or what it is to keep aside. */
export type PreparedRecord =
  | {
      readonly write: RecordWrite;
      /** Whether the record holds a number past 2^53, which may have lost digits. */
      readonly isInexact?: boolean;
    }
  | { readonly rejected: RejectedWrite };

export interface RecordPreparer {
  readonly keys: RecordKeys;
  /** Never throws, whatever the record is. Of a delete only the key is looked at. Findings come without secrets. */
  prepare(change: RecordChange<unknown>, redaction: Redaction): PreparedRecord;
}

/**
 * Prepares records of `type`, for the cache writer and for the cache changes of actions alike. Make one for a run.
 * @throws Error if the type has no primary key.
 */
export function recordPreparer(type: RecordType, options: HashOptions = {}): RecordPreparer {
  const keys = recordKeys(type);
  let isInexact = false;
  const hashOf = recordHasher({
    ...options,
    onInexact: () => {
      isInexact = true;
    },
  });
  const keyFinding = (json: unknown) => {
    const member = keys.inexactMember(json);
    return member === undefined ? missingKeyFinding(type) : inexactKeyFinding(member);
  };
  const keyPaths = keys.primaryKeyMembers.map((name) => `/${escapePointerStep(name)}`);
  /** A key that does not fit the schema names no record: it may stand for any of those that were cached before. */
  const keyOfRejected = (json: unknown, findings: readonly Finding[]) => {
    const found = keys.primaryKey(json);
    const isDoubtful = findings.some(({ instancePath }) => keyPaths.includes(instancePath));
    const isLong = found !== undefined && isTooLong(found);
    const identity = isLong ? `#${recordHasher()({ key: found })}` : found;
    return { key: isDoubtful ? undefined : found, identity };
  };
  const reject = (
    operation: RecordChange<unknown>["operation"],
    json: unknown,
    findings: readonly Finding[],
  ) => ({
    rejected: toRejected({ operation, json, findings, ...keyOfRejected(json, findings) }),
  });
  const prepareDelete = (json: unknown): PreparedRecord => {
    const key = keys.primaryKey(json);
    if (key === undefined) return reject("delete", json, [keyFinding(json)]);
    return isTooLong(key)
      ? reject("delete", json, [longKeyFinding(key)])
      : { write: { operation: "delete", key } };
  };
  const prepareUpsert = (json: unknown, redaction: Redaction): PreparedRecord => {
    if (!type.check(json)) return reject("upsert", json, redactedFindings(type, json, redaction));
    const key = keys.primaryKey(json);
    if (key === undefined || typeof json !== "object" || json === null)
      return reject("upsert", json, [keyFinding(json)]);
    try {
      const alternateKeys = keys.alternateKeys(json);
      if (alternateKeys === undefined) return reject("upsert", json, [keyFinding(json)]);
      const long = [key, ...alternateKeys].find(isTooLong);
      if (long !== undefined) return reject("upsert", json, [longKeyFinding(long)]);
      isInexact = false;
      const hash = hashOf(json);
      const write = { operation: "upsert", key, hash, record: json, alternateKeys } as const;
      return isInexact ? { write, isInexact } : { write };
    } catch {
      return reject("upsert", json, [notJsonFinding()]);
    }
  };
  return {
    keys,
    prepare: ({ operation, record }, redaction) => {
      try {
        const json = keptMembers(type, serializedForm(type, record));
        return operation === "delete" ? prepareDelete(json) : prepareUpsert(json, redaction);
      } catch {
        // A getter or a toJSON method of the value throws.
        return reject(operation, undefined, [notJsonFinding()]);
      }
    },
  };
}

/** Identifies the schema of a type: records that were held to another one may not fit it. */
export function schemaVersionOf({ schema }: RecordType): string {
  return recordHasher()({ schema });
}

interface Rejection {
  readonly operation: "upsert" | "delete";
  readonly json: unknown;
  readonly findings: readonly Finding[];
  readonly key: string | undefined;
  /** The key, also where it does not fit the schema. */
  readonly identity: string | undefined;
}

function toRejected({ operation, json, findings, key, identity }: Rejection): RejectedWrite {
  const record = toJsonText(json) ?? null;
  const named = key === undefined ? {} : { key };
  return { operation, ...named, identity: identity ?? `#${recordHasher()({ record })}`, findings, record };
}

function missingKeyFinding({ keys }: RecordType): Finding {
  const { name, properties } = keys?.find(({ isPrimary }) => isPrimary) ?? { name: "", properties: [] };
  const expected = `a value for each of ${properties.join(", ")}, which make key "${name}"`;
  return recordFinding("key", expected, "none");
}

function inexactKeyFinding(member: string): Finding {
  return createFinding({
    instancePath: `/${escapePointerStep(member)}`,
    keyword: "key",
    expected: `an integer up to ${Number.MAX_SAFE_INTEGER} or a text, because larger numbers lose digits when JSON is read`,
    actual: "a larger one",
  });
}

/** The longest value of a key, in bytes. The entry of an alternate key in an index of PostgreSQL holds two, in 2,700 bytes. */
const MAX_KEY_BYTES = 1_200;

function isTooLong(key: string): boolean {
  // A character has three bytes at most for each unit of a string.
  return key.length * 3 > MAX_KEY_BYTES && Buffer.byteLength(key) > MAX_KEY_BYTES;
}

/** The value itself may be sensitive. */
function longKeyFinding(key: string): Finding {
  const name = key.slice(0, key.indexOf("/"));
  const expected = `a value of key "${name}" of at most ${MAX_KEY_BYTES} bytes, because indexes hold no longer ones`;
  return recordFinding("key", expected, `one of ${Buffer.byteLength(key)} bytes`);
}

function notJsonFinding(): Finding {
  return recordFinding("json", "a value that can be written as JSON", "one that can't");
}

function recordFinding(keyword: string, expected: string, actual: string): Finding {
  return createFinding({ instancePath: "", keyword, expected, actual });
}
