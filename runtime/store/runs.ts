/** The port to runs of the cache writer: one at a time for an object, pages, checkpoints, deletes. */
import type { AlternateKeys, RecordWrite } from "./records.js";
import type { RejectedWrite } from "./rejected.js";

export type RunKind = "full" | "incremental";

/** `running` is also the state of a run that was killed, until the next one of its object starts. */
export type RunState = "running" | "succeeded" | "failed" | "needs-approval" | "abandoned";

/** What became of the records of a run, over all its parts where it was resumed. */
export interface RunCounts {
  readonly unchanged: number;
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
  readonly rejected: number;
}

/** What is committed in one transaction. */
export interface PageWrite {
  /** In the order in which they came; a later one of the same key wins. */
  readonly records: readonly RecordWrite[];
  /** None of them has the key of a record that came before it in this page. */
  readonly rejected: readonly RejectedWrite[];
  /** Identities of rejected records of earlier runs that are valid now. */
  readonly recovered?: readonly string[] | undefined;
  /** Where to go on when the run is interrupted after this page; undefined leaves it as it was. */
  readonly resumePoint?: string | undefined;
  /** The checkpoint that takes effect when the run succeeds; undefined leaves it as it was. */
  readonly checkpoint?: string | undefined;
}

/** Rows that a full read did not come across, of all the rows that there are. */
export interface Unseen {
  readonly unseen: number;
  readonly rows: number;
}

/** A run that is under way. It holds its object until it ends, or the process does. */
export interface Run {
  readonly id: number;
  /** What the last successful run saved; null before the first. */
  readonly checkpoint: string | null;
  /** Where an interrupted run is gone on with; null where this one starts at the beginning. */
  readonly resumePoint: string | null;
  /** Rejected records of earlier runs, to be tried again before anything is read. */
  retries(): AsyncIterable<RejectedWrite>;
  /** @throws StoreError `superseded` where the run does not hold its object any more; nothing is written then. */
  commit(page: PageWrite): Promise<RunCounts>;
  /** Rows that this run has neither written nor found unchanged, that are not rejected, and that were there before. */
  unseen(): Promise<Unseen>;
  /** Deletes those rows. What others have written since the run began is left. */
  deleteUnseen(): Promise<RunCounts>;
  /**
   * Ends the run and lets go of the object. `succeeded` saves the checkpoint, and of a full read forgets rejected
   * records that did not come again. After `failed`, the next run goes on from the last resume point.
   */
  end(state: "succeeded" | "failed" | "needs-approval", message?: string): Promise<RunCounts>;
}

/** How a run ended, or how far it has come. */
export interface RunSummary extends RunCounts {
  readonly id: number;
  readonly object: string;
  readonly kind: RunKind;
  readonly state: RunState;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly message: string | null;
}

export interface StartRun {
  /** Data path. */
  readonly object: string;
  readonly kind: RunKind;
  readonly alternateKeys: AlternateKeys;
  /** Tells these alternate keys from those of another version of the schema: the index is made anew where it differs. */
  readonly alternateKeysVersion: string;
  /** Whether an interrupted run may be gone on with. */
  readonly resume: boolean;
  /** An interrupted run is gone on with for so many milliseconds after its last page. */
  readonly resumeWithinMs: number;
}

export interface RunStore {
  /** undefined where another run holds the object. */
  start(run: StartRun): Promise<Run | undefined>;
  /** Runs of an object, the latest first. */
  list(object: string, limit: number): Promise<readonly RunSummary[]>;
  /** What the last successful run of the object saved; null where there is none. */
  checkpoint(object: string): Promise<string | null>;
}
