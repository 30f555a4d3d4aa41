/** `connectorcli/host`: what runs connectors: the connection test, the start, the log, the store, cache writer, actions. */

export type { VolatileMembers } from "../action-processor/cache-changes.js";
export { type Enqueued, type EnqueueOptions, enqueueAction } from "../action-processor/enqueue-action.js";
export { idempotencyKey, noteOf } from "../action-processor/idempotency.js";
export {
  type ActionModule,
  type ChangedObject,
  type HandledAction,
  type ProcessedAction,
  processedActions,
} from "../action-processor/processed-actions.js";
export type {
  ActionAttempt,
  AttemptOutcome,
  ProcessorOptions,
  ProcessorResult,
  ProcessorSettings,
} from "../action-processor/processor-options.js";
export { type FailureKind, failureKind, type RetrySettings } from "../action-processor/retry-rules.js";
export { runActionProcessor } from "../action-processor/run-action-processor.js";
export { type HashOptions, recordHasher } from "../cache-writer/canonical-hash.js";
export { type DeleteGuard, needsApproval } from "../cache-writer/guard.js";
export {
  type GivenRecord,
  type PreparedRecord,
  type RecordPreparer,
  recordPreparer,
} from "../cache-writer/prepare-record.js";
export { type RecordKeys, recordKeys } from "../cache-writer/record-keys.js";
export {
  type CacheWriterOptions,
  runCacheWriter,
  type SwitchedObject,
} from "../cache-writer/run-cache-writer.js";
export { RejectedLimitError, StoppedError } from "../cache-writer/sync-errors.js";
export { syncObject } from "../cache-writer/sync-object.js";
export type {
  RejectedLimit,
  SyncedObject,
  SyncOptions,
  SyncOutcome,
  SyncProgress,
  SyncResult,
  SyncSettings,
} from "../cache-writer/sync-options.js";
export type { Change, ChangeFeed, ChangesOptions } from "../store/changes.js";
export { type OpenStore, openSqliteStore } from "../store/open-store.js";
export type {
  ActionQueue,
  ActionState,
  NewAction,
  ObjectWrites,
  QueuedAction,
  Settlement,
  TakeAction,
  TakenAction,
} from "../store/queue.js";
export type {
  AlternateKeys,
  ListOptions,
  RecordStore,
  RecordWrite,
  SharedKey,
  StoredRecord,
} from "../store/records.js";
export type { RejectedRecord, RejectedStore, RejectedWrite } from "../store/rejected.js";
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
} from "../store/runs.js";
export type { Store } from "../store/store.js";
export { StoreError, type StoreProblem } from "../store/store-error.js";
export { connect } from "./connect.js";
export { ConnectionError } from "./connection.js";
export type { ServiceConfigurations } from "./given-services.js";
export {
  createLog,
  type LogDestination,
  type LogLevel,
  type LogOptions,
  type RedactingLog,
} from "./log/create-log.js";
export { type StartOptions, sensitiveTypes, startConnector } from "./start-connector.js";
export { StartError, type StartFinding } from "./start-error.js";
export type {
  StartedAction,
  StartedActionProcessor,
  StartedCacheWriter,
  StartedConnector,
  StartedModule,
  StartedObject,
  StartedObjectFacts,
} from "./started-connector.js";
export { type TestConnectionOptions, testConnection } from "./test-connection.js";
export type { TestConnectionResult } from "./test-result.js";
