/** The port to the records that did not fit their schema, kept aside with the reasons. */
import type { Finding } from "../validation/finding.js";

/** A record to keep aside. */
export interface RejectedWrite {
  readonly operation: "upsert" | "delete";
  /** Value of the primary key; absent where none can be made of the record. */
  readonly key?: string | undefined;
  /** What tells it from other rejected records of the object: its key, or a hash of it. */
  readonly identity: string;
  /** Sensitive values are hidden in them. */
  readonly findings: readonly Finding[];
  /** JSON text of the record, sensitive values as they are; null where it can't be written as JSON. */
  readonly record: string | null;
}

export interface RejectedRecord extends RejectedWrite {
  /** Data path of the object. */
  readonly object: string;
  /** When it was rejected last: ISO 8601, UTC. */
  readonly at: string;
}

export interface RejectedStore {
  /** In the order in which they were first rejected. */
  list(object: string): AsyncIterable<RejectedRecord>;
  count(object: string): Promise<number>;
}
