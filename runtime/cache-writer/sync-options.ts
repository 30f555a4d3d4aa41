/** Options and results of a run of the cache writer. */
import type { Log, StopSignal } from "../registration/contracts.js";
import type { ConnectionIdentity, RunCounts, SharedKey, Store } from "../store/store.js";

/** How many records of an object one run may delete without being asked. */
export interface DeleteGuard {
  /**
   * The largest share of the cached records, 0 to 1.
   * @default 0.2
   */
  readonly maxShare?: number | undefined;
  /**
   * The largest number of records.
   * @default Infinity
   */
  readonly maxCount?: number | undefined;
  /**
   * This many are deleted whatever their share is, but not if the read gave no valid record, or a record was rejected
   * whose key is not known.
   * @default 10
   */
  readonly alwaysAllowed?: number | undefined;
}

/** How many rejected records fail a run. */
export interface RejectedLimit {
  /**
   * Fails the run as soon as more records than this are rejected.
   * @default Infinity
   */
  readonly maxCount?: number | undefined;
  /**
   * A share of all records read, 0 to 1. Fails the run at its end, before anything is deleted, if more are rejected.
   * Unless it is set, an incremental run that goes on from a checkpoint may reject 10 records whatever their share is.
   * @default 0.5
   */
  readonly maxShare?: number | undefined;
}

/** How an object is synced. */
export interface SyncSettings {
  /**
   * Records that are committed together.
   * @default 1_000
   */
  readonly pageSize?: number | undefined;
  /** Bounds of what a full read deletes. */
  readonly guard?: DeleteGuard | undefined;
  /**
   * Deletes what was not read, whatever the guard says.
   * @default false
   */
  readonly approveDeletes?: boolean | undefined;
  /** How many rejected records fail a run. */
  readonly rejectedLimit?: RejectedLimit | undefined;
  /**
   * Members of the record, by serialized name, that change without meaning anything: a change of them alone makes no
   * update.
   * @default []
   */
  readonly volatile?: readonly string[] | undefined;
  /**
   * Resumes a run that was interrupted.
   * @default true
   */
  readonly resume?: boolean | undefined;
  /**
   * How long after its last page an interrupted run can be resumed, in milliseconds.
   * @default 86_400_000
   */
  readonly resumeWithinMs?: number | undefined;
}

/** What a run of the cache writer for one object is given. */
export interface SyncOptions<Client = unknown> extends SyncSettings {
  /** Where records are kept. */
  readonly store: Store;
  /** The API client that the client helper made of the connection. */
  readonly client: Client;
  /** The connection, as an instance of its generated class. */
  readonly connection: object;
  /**
   * The connection to which the store has to belong, as `connect` tells it; a run fails on a store of another one.
   * @default none: the store is not bound
   */
  readonly identity?: ConnectionIdentity | undefined;
  /** Where readers write messages. */
  readonly log: Log;
  /** Stops the run: what was committed stays, and the next run resumes if the reader can. */
  readonly signal: StopSignal;
  /** Called after every page. */
  readonly onProgress?: ((progress: SyncProgress) => void) | undefined;
}

/** How several objects are synced. */
export interface CacheWriterSettings extends SyncSettings {
  /**
   * Settings of single objects by data path; each goes before the setting of all.
   * @default {}
   */
  readonly settings?: Readonly<Record<string, SyncSettings>> | undefined;
}

/** What a run of the cache writer over several objects is given. */
export interface CacheWriterOptions<Client = unknown> extends SyncOptions<Client>, CacheWriterSettings {}

/** The counts are those of the whole run, the part before an interruption included; `read` and `pages` are of this part. */
export interface SyncProgress extends RunCounts {
  /** Name of the object's class. */
  readonly object: string;
  /** Records that the reader yielded. */
  readonly read: number;
  /** Pages that were committed. */
  readonly pages: number;
}

/**
 * - `succeeded`: all was read and kept
 * - `failed`: `error` says why; what was committed stays, and nothing was deleted for not being read
 * - `needs-approval`: all was read and kept, but the guard withheld deletes
 * - `busy`: another run holds the object
 */
export type SyncOutcome = "succeeded" | "failed" | "needs-approval" | "busy";

/** How a run ended. */
export interface SyncResult extends SyncProgress {
  /** Data path of the object. */
  readonly dataPath: string;
  /** How the run ended. */
  readonly outcome: SyncOutcome;
  /** Whether the run resumed an interrupted one. */
  readonly resumed: boolean;
  /**
   * Whether the list was read again before anything was deleted, because it was read by position. Counts and `read` have
   * each record once.
   */
  readonly secondLook: boolean;
  /** Why it did not succeed, in a sentence without secrets; null if it did. */
  readonly message: string | null;
  /** What was thrown; absent if nothing was. */
  readonly error?: unknown;
  /** Records that were not read again or no longer fit the schema, and were not deleted. */
  readonly withheldDeletes: number;
  /**
   * Cached records that do not fit the schema, which has changed since they were written. They are taken out of the cache
   * and kept as rejected; they are still there if the run failed, or needs approval for them.
   */
  readonly noLongerFit: number;
  /** Alternate keys that more than one record has, the first twenty; both records are kept. Sensitive values are hidden. */
  readonly sharedKeys: readonly SharedKey[];
  /**
   * Primary keys that a full read yielded with more than one content, the first twenty: several records have the key, of
   * which the cache holds one, or a record has changed under way. Sensitive values are hidden.
   */
  readonly repeatedKeys: readonly string[];
  /** Primary keys with an empty or blank value in them, the first twenty. Sensitive values are hidden. */
  readonly blankKeys: readonly string[];
  /**
   * Where records hold numbers past 2^53, the first twenty JSON pointers, in which `*` is any item of a list. Such numbers
   * have lost digits when JSON was read, unless they had none to lose. Records with such a number in a key are rejected.
   */
  readonly inexactNumbers: readonly string[];
}
