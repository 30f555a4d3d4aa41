/** All that a store holds, for another driver: what is moved from one machine to many. */
import type {
  ActionEntry,
  Change,
  ConnectionIdentity,
  Consumer,
  RejectedRecord,
  RunSummary,
} from "./store.js";

/** The content of one tenant's store, as it was at one moment. */
export interface StoreDump {
  /** Tenant to which the store belonged. */
  readonly tenant: string;
  /** The connection to which it belonged; null if it was bound to none. */
  readonly connection: ConnectionIdentity | null;
  /** Number of the last change of the feed. */
  readonly lastChange: number;
  /** Number of the last change that was removed from the feed; 0 if none was. */
  readonly removedTo: number;
  /** Who follows the feed. */
  readonly consumers: readonly Consumer[];
  /** Number of the last run. */
  readonly lastRun: number;
  /** Every data object of which something was written. */
  readonly objects: readonly DumpedObject[];
  /** The records of an object. */
  records(object: string): Iterable<DumpedRecord>;
  /** The feed, in order. */
  changes(): Iterable<DumpedChange>;
  /** The rejected records of an object, in their order, each with the run that rejected it. */
  rejected(object: string): Iterable<RejectedRecord & { readonly run: number }>;
  /** The runs of an object, the oldest first. None of them can be resumed elsewhere: what they have met is not moved. */
  runs(object: string): Iterable<RunSummary>;
  /** All actions, in their order. Leases are not moved: what is taken is taken again. */
  actions(): Iterable<ActionEntry>;
  /** Ends the use of the store. */
  close(): void;
}

/** A data object of a dump. */
export interface DumpedObject {
  /** Data path (§2.6). */
  readonly path: string;
  /** Checkpoint of the last successful run; null if there is none. */
  readonly checkpoint: string | null;
  /** Identifies the alternate keys by which the records are indexed; null if there were none yet. */
  readonly alternateKeysVersion: string | null;
  /** Identifies the schema that the records fit; null if it is not known. */
  readonly schemaVersion: string | null;
  /** When the last full read that succeeded began: ISO 8601, UTC; null if there was none. */
  readonly fullyReadAt: string | null;
}

/** A record of a dump. */
export interface DumpedRecord {
  /** Value of the primary key. */
  readonly key: string;
  /** Hash of the content. */
  readonly hash: string;
  /** Number of its last change. */
  readonly sequence: number;
  /** JSON text of the record. */
  readonly recordJson: string;
  /** The same without what was sealed; absent if nothing was. It is sealed again in a store that has a key. */
  readonly shownJson?: string | undefined;
  /** Values of its alternate keys. */
  readonly alternateKeys: readonly string[];
}

/** An entry of the feed in a dump. */
export interface DumpedChange extends Omit<Change, "record"> {
  /** The run that made it; null if an action did. */
  readonly run: number | null;
}

/** What was moved. */
export interface MovedCounts {
  /** Records of all objects. */
  readonly records: number;
  /** Entries of the feed. */
  readonly changes: number;
  /** Rejected records. */
  readonly rejected: number;
  /** Runs. */
  readonly runs: number;
  /** Actions, in any state. */
  readonly actions: number;
}
