/** What a run of the cache writer is given, and what it tells. */
import type { RecordType } from "../records/record-type.js";
import type { FullReader, IncrementalReader, Log, StopSignal } from "../registration/contracts.js";
import type { SharedKey } from "../store/records.js";
import type { RunCounts } from "../store/runs.js";
import type { Store } from "../store/store.js";
import type { DeleteGuard } from "./guard.js";

/** A data object with its reader; an object of a started connector is one. */
export type SyncedObject<Client = unknown> = {
  /** Name of its class. */
  readonly name: string;
  readonly dataPath: string;
  readonly record: RecordType;
} & (
  | { readonly readerType: "full"; readonly reader: FullReader<unknown, Client> }
  | { readonly readerType: "incremental"; readonly reader: IncrementalReader<unknown, Client> }
);

/** How many rejected records fail a run. */
export interface RejectedLimit {
  /** Fails the run as soon as there are more. By default without limit. */
  readonly maxCount?: number | undefined;
  /** Of all records read, 0 to 1: fails the run at its end, before anything is deleted. By default without limit. */
  readonly maxShare?: number | undefined;
}

/** How an object is synced; everything has a default. */
export interface SyncSettings {
  /** Records that are committed together. By default 1,000. */
  readonly pageSize?: number | undefined;
  readonly guard?: DeleteGuard | undefined;
  /** Deletes whatever the guard says. */
  readonly approveDeletes?: boolean | undefined;
  readonly rejectedLimit?: RejectedLimit | undefined;
  /** Members, by serialized name, that change without meaning anything: alone they make no update. */
  readonly volatile?: readonly string[] | undefined;
  /** Goes on with a run that was interrupted. By default true. */
  readonly resume?: boolean | undefined;
  /** An interrupted run is gone on with for so long after its last page. By default 24 hours. */
  readonly resumeWithinMs?: number | undefined;
}

export interface SyncOptions<Client = unknown> extends SyncSettings {
  readonly store: Store;
  /** What the client helper made of the connection. */
  readonly client: Client;
  readonly connection: object;
  readonly log: Log;
  /** Stops the run: what was committed stays, and the next run goes on where the reader can. */
  readonly signal: StopSignal;
  /** Called after every page. */
  readonly onProgress?: ((progress: SyncProgress) => void) | undefined;
}

/** The counts are those of the whole run, also of the part before an interruption; `read` is of this part. */
export interface SyncProgress extends RunCounts {
  /** Name of the object's class. */
  readonly object: string;
  /** Records that the reader yielded. */
  readonly read: number;
  readonly pages: number;
}

/**
 * - `succeeded`: all was read and kept
 * - `failed`: `error` says why; what was committed stays, nothing was deleted for not being read
 * - `needs-approval`: all was read and kept, and nothing deleted: the guard held so many deletes back
 * - `busy`: another run has the object
 */
export type SyncOutcome = "succeeded" | "failed" | "needs-approval" | "busy";

export interface SyncResult extends SyncProgress {
  readonly dataPath: string;
  readonly outcome: SyncOutcome;
  /** Whether the run went on from the resume point of an interrupted one. */
  readonly resumed: boolean;
  /** Why it did not succeed, in a sentence; null where it did. */
  readonly message: string | null;
  readonly error?: unknown;
  /** Records that were not read again and not deleted. */
  readonly held: number;
  /** Alternate keys that more than one record has, the first twenty; both records are kept. Sensitive values are hidden. */
  readonly sharedKeys: readonly SharedKey[];
}
