/** The ports of a durable store: what cache writers, action processors and readers of the cache share. */
import type { Retry } from "../retry.js";
import type { Finding } from "../validation/finding.js";

/** The tenant for which a store is opened if the host names none. */
export const DEFAULT_TENANT = "default";

/**
 * The store of one tenant. A driver behind these ports passes the contract suite (`test/runtime/store/contract.ts`).
 *
 * Every call is one transaction: it is kept as a whole or not at all. Nothing that crosses a port is a function: what a
 * driver is given can be sent to another process. Objects are named by their data path (§2.6).
 * @throws StoreError from every call, if the call fails.
 */
export interface Store {
  /** The tenant for which the store was opened. Records, changes, runs and actions of other tenants are not visible. */
  readonly tenant: string;
  /**
   * Says that the store is used for this connection. The first connection becomes the one to which records, checkpoints
   * and actions of the store belong. A store that was written before anybody said so belongs to the first who does.
   * @throws OtherConnectionError if it belongs to another one.
   */
  bind(connection: ConnectionIdentity, options?: BindOptions): Promise<void>;
  /** Reads cached records. */
  readonly records: RecordStore;
  /** Reads the change feed. */
  readonly changes: ChangeFeed;
  /** Reads rejected records. */
  readonly rejected: RejectedStore;
  /** Starts runs of the cache writer, which write records. */
  readonly runs: RunStore;
  /** Keeps actions and what became of them. */
  readonly ledger: ActionLedger;
  /** The source of actions on this store. A host may use another one, such as a job engine's, with the same ledger. */
  readonly source: ActionSource;
  /** Ends the use of the store. Runs that are open end as if their process had been killed. */
  close(): Promise<void>;
}

/** What tells one connection from another: where it leads. No secret is in it; a host that shows it shows none. */
export interface ConnectionIdentity {
  /** The definition key (§2.2). */
  readonly definition: string;
  /** The environment that the user chose, such as `Test`; null if there is no choice. */
  readonly environment: string | null;
  /** The base address without credentials and query, or a hash of it if it is secret; null if the host knows none. */
  readonly address: string | null;
}

/** How a store is bound to a connection. */
export interface BindOptions {
  /**
   * Whether a store of another connection is taken over: both lead to the same target system.
   * @default false
   */
  readonly adopt?: boolean | undefined;
}

/**
 * - `locked`: another program holds the store, and did not let go in time
 * - `full`: there is no space left
 * - `read-only`: the store or its folder can't be written
 * - `corrupt`: the file is damaged, or something else than a store
 * - `newer`: a newer version of this package wrote the store
 * - `older`: the tables of a database are of an older version of this package, and have to be brought up to date first
 * - `other-tenant`: the store belongs to another tenant
 * - `other-connection`: the store belongs to another connection
 * - `unavailable`: the store can't be opened or reached
 * - `superseded`: the run or the action does not belong to the caller any more; nothing was written
 * - `expired`: changes of the feed that were asked for were removed
 * - `sealed`: the store is sealed, and its key was not given, or what is sealed was changed
 * - `queue-full`: as many actions wait as may wait
 */
export type StoreProblem =
  | "locked"
  | "full"
  | "read-only"
  | "corrupt"
  | "newer"
  | "older"
  | "other-tenant"
  | "other-connection"
  | "unavailable"
  | "superseded"
  | "expired"
  | "sealed"
  | "queue-full";

/** A call of the store has failed. What was committed before is kept. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  /** `later` if the problem can go away by itself, `never` otherwise. */
  readonly retry: Retry;

  constructor(
    /** What kind of problem it is. */
    readonly problem: StoreProblem,
    /** Names the store and says what to do. */
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.retry = RETRYABLE_PROBLEMS.has(problem) ? "later" : "never";
  }
}

/**
 * The problem of a StoreError; undefined if `error` is none. A built connector has a copy of this package of its own, so
 * that the class tells nothing.
 */
export function storeProblemOf(error: unknown): StoreProblem | undefined {
  return error instanceof Error && error.name === "StoreError" ? (error as StoreError).problem : undefined;
}

/** A store belongs to another connection than the one that would use it. Nothing was written. */
export class OtherConnectionError extends StoreError {
  constructor(
    /** Names the store: its file, if it is one. */
    readonly store: string,
    /** The connection to which the store belongs. */
    readonly owner: ConnectionIdentity,
    /** The connection that would use it. */
    readonly connection: ConnectionIdentity,
  ) {
    const belongs = `belongs to the connection ${connectionWords(owner)}, not to ${connectionWords(connection)}.`;
    super("other-connection", `${store} ${belongs} ${OTHER_CONNECTION_ADVICE}`);
  }
}

const OTHER_CONNECTION_ADVICE =
  "What is queued and cached there is of that target system. Give this connection a store of its own (--store names a file), or, if both lead to the same target system, take this one over: --adopt-store, or bind with adopt.";

/** Such as `customAuth (Test, https://test.example.com/v2)`. */
export function connectionWords({ definition, environment, address }: ConnectionIdentity): string {
  const details = [environment, address].filter((detail) => detail !== null);
  return details.length === 0 ? definition : `${definition} (${details.join(", ")})`;
}

const RETRYABLE_PROBLEMS: ReadonlySet<StoreProblem> = new Set([
  "locked",
  "full",
  "unavailable",
  "queue-full",
]);

/** A record in the cache. */
export interface StoredRecord {
  /** Data path of the object. */
  readonly object: string;
  /** Value of the primary key, such as `id/7`. */
  readonly key: string;
  /** The serialized form. Sensitive values are in it as they are. */
  readonly record: unknown;
  /** Hash of the content by which the writer tells whether a record has changed. */
  readonly hash: string;
  /** Sequence number of the last change of the record. */
  readonly sequence: number;
}

/**
 * One write of a record. Keys are well-formed texts without NUL, as `recordKey` makes them; a hash consists of
 * characters of base64url.
 */
export type RecordWrite = UpsertWrite | DeleteWrite;

/** Inserts the record, updates it if its hash is another one, and leaves it alone if not. */
export interface UpsertWrite {
  /** Says that the record is inserted or updated. */
  readonly operation: "upsert";
  /** Value of the primary key. */
  readonly key: string;
  /** Hash of the content, in which records that are the same agree. */
  readonly hash: string;
  /** The serialized form, valid by its schema. */
  readonly record: object;
  /** Values of its alternate keys, such as `number/7/a`. */
  readonly alternateKeys: readonly string[];
}

/** Deletes the record with this key; does nothing if there is none. */
export interface DeleteWrite {
  /** Says that the record is deleted. */
  readonly operation: "delete";
  /** Value of the primary key. */
  readonly key: string;
}

/** An alternate key that more than one record has. */
export interface SharedKey {
  /** Value of the alternate key. */
  readonly alternateKey: string;
  /** Primary keys of the records, the first ten in their order. */
  readonly keys: readonly string[];
}

/** Which records are listed. */
export interface ListOptions {
  /** Only records whose key comes after this one. */
  readonly after?: string | undefined;
  /**
   * How many of the first ones are left out, for whoever looks at the middle of a long list.
   * @default none
   */
  readonly offset?: number | undefined;
  /**
   * The most records to list.
   * @default Infinity
   */
  readonly limit?: number | undefined;
}

/** Reads the cached records. */
export interface RecordStore {
  /** The record with this primary key; undefined if there is none. */
  get(object: string, key: string): Promise<StoredRecord | undefined>;
  /** The records with this alternate key, in the order of their primary keys: one, unless several share the key. */
  find(object: string, alternateKey: string): Promise<readonly StoredRecord[]>;
  /** Records in the order of their keys (by code point), in constant memory. */
  list(object: string, options?: ListOptions): AsyncIterable<StoredRecord>;
  /** Number of the cached records of an object. */
  count(object: string): Promise<number>;
  /** Alternate keys that more than one record has, the first `limit` in their order. */
  sharedKeys(object: string, limit: number): Promise<readonly SharedKey[]>;
}

/** One insert, update or delete of a record. */
export interface Change {
  /** Counts up by one from 1, over all objects of the tenant. */
  readonly sequence: number;
  /** Data path of the object. */
  readonly object: string;
  /** Value of the primary key. */
  readonly key: string;
  /** What happened to the record. */
  readonly operation: "insert" | "update" | "delete";
  /** When it was committed: ISO 8601, UTC. */
  readonly at: string;
  /** The record as it is now, serialized; null if it has been deleted since. */
  readonly record: unknown;
  /** The record as it was before the change, serialized; absent if it was not kept, as after an insert. */
  readonly before?: unknown;
}

/** Which changes are read. */
export interface ChangesOptions {
  /**
   * Data path of the only object to follow.
   * @default all objects
   */
  readonly object?: string | undefined;
  /**
   * The most changes to read.
   * @default Infinity
   */
  readonly limit?: number | undefined;
}

/** A program that follows the change feed, by a name of its own. */
export interface Consumer {
  /** Its name. */
  readonly name: string;
  /** Number of the last change that it has dealt with. */
  readonly position: number;
  /** When it said so last: ISO 8601, UTC. */
  readonly seenAt: string;
}

/** How long a change is waited for. */
export interface WaitOptions {
  /**
   * The longest time to wait, in milliseconds.
   * @default 30_000
   */
  readonly timeoutMs?: number | undefined;
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined;
}

/** Which changes are removed. */
export interface PruneOptions {
  /**
   * How long every change is kept, in milliseconds.
   * @default 14 days
   */
  readonly keepMs?: number | undefined;
  /**
   * How long a consumer that does not say anything keeps what it has not dealt with, in milliseconds.
   * @default 30 days
   */
  readonly consumerMs?: number | undefined;
}

/** What was removed of the change feed. */
export interface PrunedChanges {
  /** How many changes. */
  readonly removed: number;
  /** Number of the last change that was ever removed; 0 if none was. */
  readonly removedTo: number;
}

/**
 * Every insert, update and delete of the cache, in order. A change becomes visible only when every change with a lower
 * number is visible, also under concurrent writers: a reader that goes on from the last number it saw misses nothing.
 */
export interface ChangeFeed {
  /**
   * Changes with a number above `sequence`, in order and in constant memory. 0 starts with the first.
   * @throws StoreError `expired` if a change above `sequence` was removed: none is ever left out silently.
   */
  since(sequence: number, options?: ChangesOptions): AsyncIterable<Change>;
  /** Number of the last change; 0 if there is none. */
  last(): Promise<number>;
  /**
   * Waits for a change above `sequence`, and returns false if there was none in time. Whoever follows the feed reads it with
   * `since` again in either case.
   */
  waitFor(sequence: number, options?: WaitOptions): Promise<boolean>;
  /** Number of the last change that was removed; 0 if none was. `since` starts there at the earliest. */
  removedTo(): Promise<number>;
  /**
   * Notes that a consumer has dealt with all changes up to `sequence`, and that it is alive. A consumer is made by the
   * first call, and never goes back: a late call with a lower number changes nothing.
   * @throws StoreError `expired` if a change above `sequence` was removed.
   * @throws RangeError if there is no change with this number yet.
   */
  advance(consumer: string, sequence: number): Promise<void>;
  /** The consumers, by their names. */
  consumers(): Promise<readonly Consumer[]>;
  /** Forgets a consumer, so that it holds nothing any more; returns false if there is none of this name. */
  forget(consumer: string): Promise<boolean>;
  /** Removes changes that are older than `keepMs` and that every living consumer has dealt with. */
  prune(options?: PruneOptions): Promise<PrunedChanges>;
}

/** A record that does not fit its schema, to be kept aside with the reasons. */
export interface RejectedWrite {
  /** What the reader wanted with the record. */
  readonly operation: "upsert" | "delete";
  /** Value of the primary key; absent if the record does not have one that fits its schema. */
  readonly key?: string | undefined;
  /** Tells it from other rejected records of the object: its key, also where that does not fit, or a hash of its content. */
  readonly identity: string;
  /** Sensitive values are hidden in them. */
  readonly findings: readonly Finding[];
  /** JSON text of the record, sensitive values as they are; null if it can't be written as JSON. */
  readonly record: string | null;
}

/** A record that is kept aside. */
export interface RejectedRecord extends RejectedWrite {
  /** Data path of the object. */
  readonly object: string;
  /** When it was rejected last: ISO 8601, UTC. */
  readonly at: string;
}

/** Reads the rejected records. */
export interface RejectedStore {
  /** In the order in which they were rejected for the first time. */
  list(object: string): AsyncIterable<RejectedRecord>;
  /** Number of the rejected records of an object. */
  count(object: string): Promise<number>;
}

/** `full` reads every record; `incremental` reads what has changed since a checkpoint. */
export type RunKind = "full" | "incremental";

/**
 * - `running`: under way, or its process was killed and the object has not had another run yet
 * - `succeeded`, `failed`: ended
 * - `needs-approval`: all was read and kept, and nothing was deleted
 * - `abandoned`: interrupted, and not resumed by the next run
 */
export type RunState = "running" | "succeeded" | "failed" | "needs-approval" | "abandoned";

/** How many records of a run ended how, over all its parts if it was resumed. */
export interface RunCounts {
  /** Found in the cache with the same content. */
  readonly unchanged: number;
  /** New in the cache. */
  readonly inserted: number;
  /** Found in the cache with another content. */
  readonly updated: number;
  /** Yielded as deleted, or not met by a full read. */
  readonly deleted: number;
  /** Kept aside because they do not fit their schema. */
  readonly rejected: number;
}

/** What is committed in one transaction. */
export interface PageWrite {
  /** In the order in which they were read; a later one of the same key wins. */
  readonly records: readonly RecordWrite[];
  /** None of them has as its identity the key of a record that came before it in this page. */
  readonly rejected: readonly RejectedWrite[];
  /** Identities of rejected records of earlier runs that are valid now. */
  readonly recovered?: readonly string[] | undefined;
  /** Where to resume if the run is interrupted after this page; undefined leaves it as it was. */
  readonly resumePoint?: string | undefined;
  /** The checkpoint that takes effect when the run succeeds; undefined leaves it as it was. */
  readonly checkpoint?: string | undefined;
}

/** Records that a full read did not meet. */
export interface NotReadCount {
  /** Records that the read did not meet. */
  readonly notRead: number;
  /** All cached records of the object. */
  readonly cached: number;
  /** Records that the run has rejected and whose key nobody knows: each may be one of those that were not read. */
  readonly unidentified: number;
}

/** New alternate keys of a cached record. */
export interface AlternateKeyWrite {
  /** Value of the primary key. */
  readonly key: string;
  /** Sequence number of the record when it was read. The write is ignored if the record has changed since. */
  readonly sequence: number;
  /** Values of the alternate keys, such as `number/7/a`. */
  readonly alternateKeys: readonly string[];
}

/** A cached record that does not fit its schema any more. */
export interface UnfitRecord {
  /** Value of the primary key. */
  readonly key: string;
  /** Sequence number of the record when it was read. It is left alone if it has changed since. */
  readonly sequence: number;
  /** What is kept aside in its place; its identity is the key. */
  readonly rejected: RejectedWrite;
}

/** A run that is under way. It holds its object until it ends, or until its process does. */
export interface Run {
  /** Number of the run, counted up from 1 over all objects. */
  readonly id: number;
  /** Checkpoint of the last successful run; null before the first. */
  readonly checkpoint: string | null;
  /** Where the interrupted run that this one resumes had come to; null if this one starts at the beginning. */
  readonly resumePoint: string | null;
  /** What has become of the records of the run so far, those of its earlier parts included. */
  readonly counts: RunCounts;
  /**
   * True if the cached records were indexed by another `alternateKeysVersion`. Until `indexAlternateKeys` has written
   * all of them, `find` and `sharedKeys` know the alternate keys of the version before.
   */
  readonly needsIndexing: boolean;
  /**
   * Replaces the alternate keys of cached records. `isLast` says that all records of the object were written: the index
   * is of the run's version then.
   * @throws StoreError `superseded`, see {@link Run.commit}.
   */
  indexAlternateKeys(records: readonly AlternateKeyWrite[], isLast: boolean): Promise<void>;
  /**
   * True if the cached records were held to another `schemaVersion` when they were written, until `takeOut` has said that
   * all were looked at.
   */
  readonly needsValidation: boolean;
  /**
   * Deletes cached records that do not fit the schema any more and keeps them as rejected, unless a record with the same
   * identity is kept already, which came later. `isLast` says that all records of the object were looked at: they are of
   * the run's `schemaVersion` then.
   * @throws StoreError `superseded`, see {@link Run.commit}.
   */
  takeOut(records: readonly UnfitRecord[], isLast: boolean): Promise<RunCounts>;
  /** Rejected records of earlier runs, to be tried again before anything is read. */
  previouslyRejected(): AsyncIterable<RejectedWrite>;
  /**
   * Keys that a full read has written with more than one content since the run was started or resumed: the first twenty
   * in the order in which they were met. Several records share the key, or one has changed while it was read.
   */
  readonly repeatedKeys: readonly string[];
  /**
   * Writes a page and returns the counts of the run so far. A page that changes nothing may be noted together with the
   * next ones, a second later at the most: if the process is killed before, it is read again.
   * @throws StoreError `superseded` if the run does not hold its object any more; nothing is written then.
   */
  commit(page: PageWrite): Promise<RunCounts>;
  /** Those of `identities` (keys, or identities of rejected records) that this run has neither written, found nor rejected. */
  notMet(identities: readonly string[]): Promise<ReadonlySet<string>>;
  /** Counts the records that this run has neither written nor found, that are not rejected, and that are older than it. */
  countNotRead(): Promise<NotReadCount>;
  /** Deletes those records. What others have written since the run began is left. */
  deleteNotRead(): Promise<RunCounts>;
  /**
   * Ends the run and releases the object. `succeeded` and `needs-approval` save the checkpoint, for all was read;
   * `succeeded` drops, for a full read, rejected records that were not rejected again. After `failed` the next run resumes from the last resume point.
   */
  end(state: "succeeded" | "failed" | "needs-approval", message?: string): Promise<RunCounts>;
}

/** How a run ended, or how far it has come. */
export interface RunSummary extends RunCounts {
  /** Number of the run. */
  readonly id: number;
  /** Data path of the object. */
  readonly object: string;
  /** Whether the run has read all records or changes. */
  readonly kind: RunKind;
  /** How the run ended, or that it is under way. */
  readonly state: RunState;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** ISO 8601, UTC; null while the run is under way. */
  readonly endedAt: string | null;
  /** Why it did not succeed; null if it did. */
  readonly message: string | null;
}

/** How a run is started. */
export interface StartRunOptions {
  /** Data path of the object. */
  readonly object: string;
  /** Whether the run reads all records or changes. */
  readonly kind: RunKind;
  /** Identifies the alternate keys that the schema declares. */
  readonly alternateKeysVersion: string;
  /** Identifies the schema that the records have to fit. */
  readonly schemaVersion: string;
  /** Whether to resume an interrupted run. */
  readonly resume: boolean;
  /** How long after its last page an interrupted run can be resumed, in milliseconds. */
  readonly resumeWithinMs: number;
}

/** Starts runs, one at a time for an object, and lists them. */
export interface RunStore {
  /** Starts a run or resumes an interrupted one; returns undefined if another run holds the object. */
  start(options: StartRunOptions): Promise<Run | undefined>;
  /** The latest `limit` runs of an object, the newest first. */
  list(object: string, limit: number): Promise<readonly RunSummary[]>;
  /** Checkpoint of the last successful run of the object; null if there is none. */
  checkpoint(object: string): Promise<string | null>;
  /** When the last full read of the object that succeeded began: ISO 8601, UTC; null if there was none. */
  fullyReadAt(object: string): Promise<string | null>;
}

/**
 * - `queued`: waits for its time
 * - `taken`: an attempt is under way, or its worker was killed
 * - `succeeded`, `failed`: closed with an output or a failure (§2.7)
 * - `dead`: given up after the last attempt; can be queued again
 * - `cancelled`: waited too long, or was cancelled by somebody; can be queued again
 */
export type ActionState = "queued" | "taken" | "succeeded" | "failed" | "dead" | "cancelled";

/** An action by the data path of its object and its own part of the address. */
export interface ActionAddress {
  /** Data path of the object. */
  readonly object: string;
  /** The action's part of the address below it. */
  readonly action: string;
}

/** An action to be queued. */
export interface NewAction extends ActionAddress {
  /** The serialized input as JSON text, valid by its schema. It is kept as it is. */
  readonly inputJson: string;
}

/** What the ledger knows of an action. */
export interface ActionEntry extends NewAction {
  /** Number of the action, counted up from 1. */
  readonly id: number;
  /** How far the action has come. */
  readonly state: ActionState;
  /** Attempts since it was queued, the one that is under way included. */
  readonly attempts: number;
  /** ISO 8601, UTC. */
  readonly queuedAt: string;
  /** When the next attempt may begin: ISO 8601, UTC. */
  readonly dueAt: string;
  /** JSON text of the output or the failure, or of why the last attempt failed; null if there is none. */
  readonly resultJson: string | null;
  /** JSON text of the last note of a handler; null if there is none. */
  readonly noteJson: string | null;
}

/** One attempt of an action. The token tells it from an attempt that another worker began after it. */
export interface Attempt {
  /** Number of the action. */
  readonly id: number;
  /** Given to the worker that has taken the action. */
  readonly token: string;
}

/** An action that a worker holds, and its attempt. */
export interface TakenAction extends ActionEntry, Attempt {
  /** Whether no other action waited or was under way when it was taken; absent if the store does not tell. */
  readonly isOnly?: boolean;
}

/** Changes of the cached records of one object. */
export interface ObjectWrites {
  /** Data path of the object. */
  readonly object: string;
  /** In the order in which they are applied. */
  readonly records: readonly RecordWrite[];
}

/** The end of an action. */
export interface ActionClosing {
  /** How the action ended. */
  readonly state: "succeeded" | "failed" | "dead";
  /** JSON text of the output or the failure. It is kept as it is. */
  readonly resultJson: string;
  /**
   * What the action has changed in the cache.
   * @default []
   */
  readonly changes?: readonly ObjectWrites[] | undefined;
}

/** What became of actions: their input, their notes, their outcome with the changes of the cache that it brings. */
export interface ActionLedger {
  /** Adds an action that is due at once. */
  add(action: NewAction): Promise<ActionEntry>;
  /** The action with this number; undefined if there is none. */
  get(id: number): Promise<ActionEntry | undefined>;
  /** Actions in the order of their numbers, those of one state or all. */
  list(state?: ActionState): AsyncIterable<ActionEntry>;
  /**
   * Keeps the JSON text of a note before the promise is fulfilled; it replaces the note before it.
   * @throws StoreError `superseded` if another attempt has begun.
   */
  note(attempt: Attempt, noteJson: string): Promise<void>;
  /**
   * Closes the action: its state, its result and its changes of the cache are one transaction.
   * @throws StoreError `superseded` if another attempt has begun; nothing is written then.
   */
  close(attempt: Attempt, closing: ActionClosing): Promise<void>;
}

/** Which action is taken, and for how long. */
export interface TakeOptions {
  /** How long the action is held, in milliseconds. Another worker may take it after that, unless the lease is extended. */
  readonly leaseMs: number;
  /** The actions that may be taken. Drivers prepare the list once as long as the same list is given. */
  readonly actions: readonly ActionAddress[];
  /**
   * Number of the only action that may be taken, also if others have waited longer.
   * @default any
   */
  readonly id?: number | undefined;
}

/** Why an attempt failed, and when the next one may begin. */
export interface FailedAttempt {
  /** ISO 8601, UTC. */
  readonly dueAt: string;
  /** JSON text of why the attempt failed. */
  readonly failureJson: string;
  /**
   * Whether the attempt counts in `attempts`.
   * @default true
   */
  readonly isCounted?: boolean | undefined;
}

/** Who performs which action when: one worker holds an action at a time, by a lease. */
export interface ActionSource {
  /** Takes the action that is due longest, or whose lease has run out; returns undefined if there is none. */
  take(options: TakeOptions): Promise<TakenAction | undefined>;
  /**
   * Holds the action for `leaseMs` milliseconds from now.
   * @throws StoreError `superseded` if another attempt has begun.
   */
  extendLease(attempt: Attempt, leaseMs: number): Promise<void>;
  /**
   * Queues the action again after an attempt that failed.
   * @throws StoreError `superseded` if another attempt has begun.
   */
  retry(attempt: Attempt, failed: FailedAttempt): Promise<void>;
  /**
   * Queues the action again, due at once, as if the attempt had not begun: it does not count.
   * @throws StoreError `superseded` if another attempt has begun.
   */
  giveBack(attempt: Attempt): Promise<void>;
  /**
   * Queues a `failed`, `dead` or `cancelled` action again, due at once and with its attempts at 0, and lets one that is
   * `queued` for later be due at once; returns false if it is in another state or unknown.
   */
  requeue(id: number): Promise<boolean>;
  /** Cancels a `queued` action; returns false if it is in another state or unknown. */
  cancel(id: number): Promise<boolean>;
  /**
   * Cancels actions that have been due since before `time` (ISO 8601, UTC) and still wait; returns how many. Of a time in
   * which nobody looked at the queue at most a day counts: nothing is cancelled because a clock has jumped.
   */
  cancelDueBefore(time: string): Promise<number>;
}
