/** The durable store of one workspace: what cache writers, action processors and readers of the cache share. */
import type { ChangeFeed } from "./changes.js";
import type { ActionQueue } from "./queue.js";
import type { RecordStore } from "./records.js";
import type { RejectedStore } from "./rejected.js";
import type { RunStore } from "./runs.js";

/**
 * A driver behind these ports passes the contract suite (`test/runtime/store/contract.ts`). Each call is one
 * transaction: it is kept as a whole or not at all. Objects are named by their data path (spec §2.6).
 * @throws StoreError from every call, where the store can't do what was asked.
 */
export interface Store {
  readonly records: RecordStore;
  readonly changes: ChangeFeed;
  readonly rejected: RejectedStore;
  readonly runs: RunStore;
  readonly queue: ActionQueue;
  /** Ends the use of the store; open runs end as if they were killed. */
  close(): Promise<void>;
}
