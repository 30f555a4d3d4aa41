/** `connectorcli/host`: what runs connectors: the connection test, the start, the log, the store, cache writer, actions. */

export type { VolatileMembers } from "../action-processor/cache-changes.js";
export {
  type EnqueueOptions,
  type EnqueueResult,
  enqueueAction,
  type QueueableAction,
  queueableActions,
} from "../action-processor/enqueue-action.js";
export type {
  ActionPolicy,
  AttemptKind,
  AttemptReport,
  ProcessorOptions,
  ProcessorResult,
  ProcessorSettings,
} from "../action-processor/processor-options.js";
export type { ActionRetryOptions } from "../action-processor/retry-rules.js";
export { runActionProcessor } from "../action-processor/run-action-processor.js";
export {
  type TriedAction,
  type TriedChange,
  type TryActionOptions,
  tryAction,
} from "../action-processor/try-action.js";
export {
  type PreviewedRecord,
  type PreviewOptions,
  type PreviewResult,
  previewObject,
} from "../cache-writer/preview-object.js";
export {
  RejectedLimitError,
  runCacheWriter,
  StoppedError,
  syncObject,
} from "../cache-writer/sync-object.js";
export type {
  CacheWriterOptions,
  CacheWriterSettings,
  DeleteGuard,
  RejectedLimit,
  SyncOptions,
  SyncOutcome,
  SyncProgress,
  SyncResult,
  SyncSettings,
} from "../cache-writer/sync-options.js";
export {
  createLog,
  type LogDestination,
  type LogLevel,
  type LogOptions,
  type RedactingLog,
} from "../log/log.js";
export type { TestConnectionResult } from "../registration/connection-contracts.js";
export type {
  ServiceSettings,
  StartedAction,
  StartedActionProcessor,
  StartedCacheWriter,
  StartedConnector,
  StartedModule,
  StartedObject,
} from "../registration/started.js";
export { KeyError, type KeyWrapper, localKeys } from "../store/sealing/key-wrapper.js";
export type { RotatedKeys, RotateOptions } from "../store/sealing/seal.js";
export type { SealedObject } from "../store/sealing/sealed-records.js";
export type { SealingOptions } from "../store/sealing/sealed-store.js";
export {
  type ActionAddress,
  type ActionClosing,
  type ActionEntry,
  type ActionLedger,
  type ActionSource,
  type ActionState,
  type AlternateKeyWrite,
  type Attempt,
  type BindOptions,
  type Change,
  type ChangeFeed,
  type ChangesOptions,
  type ConnectionIdentity,
  type Consumer,
  DEFAULT_TENANT,
  type DeleteWrite,
  type FailedAttempt,
  type ListOptions,
  type NewAction,
  type NotReadCount,
  type ObjectWrites,
  OtherConnectionError,
  type PageWrite,
  type PrunedChanges,
  type PruneOptions,
  type RecordStore,
  type RecordWrite,
  type RejectedRecord,
  type RejectedStore,
  type RejectedWrite,
  type Run,
  type RunCounts,
  type RunKind,
  type RunState,
  type RunStore,
  type RunSummary,
  type SharedKey,
  type StartRunOptions,
  type Store,
  type StoredRecord,
  StoreError,
  type StoreProblem,
  type TakenAction,
  type TakeOptions,
  type UnfitRecord,
  type UpsertWrite,
  type WaitOptions,
} from "../store/store.js";
export { type ConnectedServices, ConnectionError, connect } from "./connection.js";
export { type TestConnectionOptions, testConnection } from "./connection-test.js";
export {
  dumpSqliteStore,
  openSqliteStore,
  type RotateSqliteOptions,
  rotateSqliteKeys,
  type SqliteStoreOptions,
} from "./open-store.js";
export type { RunSettings } from "./run-settings.js";
export {
  type ServiceConfigurations,
  StartError,
  type StartFinding,
  type StartOptions,
  sensitiveTypes,
  startConnector,
} from "./start.js";
