/** The ports of a store, and the embedded one. */
export type { Change, ChangeFeed, ChangesOptions } from "./changes.js";
export type {
  ActionQueue,
  ActionState,
  NewAction,
  ObjectWrites,
  QueuedAction,
  Settlement,
  TakeAction,
  TakenAction,
} from "./queue.js";
export type {
  AlternateKeys,
  ListOptions,
  RecordStore,
  RecordWrite,
  SharedKey,
  StoredRecord,
} from "./records.js";
export type { RejectedRecord, RejectedStore, RejectedWrite } from "./rejected.js";
export type {
  PageWrite,
  Run,
  RunCounts,
  RunKind,
  RunState,
  RunStore,
  RunSummary,
  StartRun,
  Unseen,
} from "./runs.js";
export { type OpenStore, openSqliteStore } from "./sqlite/open-store.js";
export type { Store } from "./store.js";
export { StoreError, type StoreProblem } from "./store-error.js";
