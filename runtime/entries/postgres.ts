/** `connectorcli/postgres`: stores on PostgreSQL, for hosts of many processes and tenants. */

export type { DumpedChange, DumpedObject, DumpedRecord, MovedCounts, StoreDump } from "../store/dump.js";
export {
  openPostgres,
  openPostgresStore,
  type PostgresOptions,
  type PostgresStoreOptions,
  type PostgresStores,
} from "../store/postgres/open-store.js";
export { type Store, StoreError, type StoreProblem } from "../store/store.js";
