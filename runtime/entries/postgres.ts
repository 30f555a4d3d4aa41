/** `connectorcli/postgres`: stores on PostgreSQL, for hosts of many processes and tenants. */

export type {
  AttemptEntry,
  CommittedPage,
  HistoryOfAction,
  HistoryOfRun,
  MadeCall,
  RunHistory,
} from "../history/history.js";
export type { DumpedChange, DumpedObject, DumpedRecord, MovedCounts, StoreDump } from "../store/dump.js";
export type { PostgresClient } from "../store/postgres/caller-ledger.js";
export {
  migratePostgres,
  openPostgres,
  openPostgresStore,
  type PostgresOptions,
  type PostgresStoreOptions,
  type PostgresStores,
} from "../store/postgres/open-store.js";
export type { MigrationResult } from "../store/postgres/schema.js";
export { KeyError, type KeyWrapper, localKeys } from "../store/sealing/key-wrapper.js";
export type { RotatedKeys, RotateOptions, Seal } from "../store/sealing/seal.js";
export type { SealedObject } from "../store/sealing/sealed-records.js";
export type { SealingOptions } from "../store/sealing/sealed-store.js";
export { type Store, StoreError, type StoreProblem } from "../store/store.js";
export { type PostgresWorkerOptions, startPostgresWorker } from "../worker/postgres-worker.js";
export type { Worker, WorkerHost, WorkerSettings } from "../worker/worker.js";
export {
  type CronSchedule,
  type IntervalSchedule,
  type MissedRule,
  parseSchedule,
  type Schedule,
  ScheduleError,
} from "../workspaces/schedule.js";
export type {
  Lease,
  ReadSoonOptions,
  ScheduleEntry,
  WaitingCounts,
  WorkerEntry,
  WorkersSummary,
  WorkerTurn,
  WorkspaceSettings,
  WorkspaceSummary,
  Workspaces,
} from "../workspaces/workspaces.js";
