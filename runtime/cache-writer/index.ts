/** What runs the cache writer. It knows the ports of a store only. */
export { type HashOptions, recordHasher } from "./canonical-hash.js";
export { type DeleteGuard, needsApproval } from "./guard.js";
export {
  type GivenRecord,
  type PreparedRecord,
  type RecordPreparer,
  recordPreparer,
} from "./prepare-record.js";
export { type RecordKeys, recordKeys } from "./record-keys.js";
export { type CacheWriterOptions, runCacheWriter, type SwitchedObject } from "./run-cache-writer.js";
export { RejectedLimitError, StoppedError } from "./sync-errors.js";
export { syncObject } from "./sync-object.js";
export type {
  RejectedLimit,
  SyncedObject,
  SyncOptions,
  SyncOutcome,
  SyncProgress,
  SyncResult,
  SyncSettings,
} from "./sync-options.js";
