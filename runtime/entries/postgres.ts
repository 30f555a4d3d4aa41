/** `connectorcli/postgres`: stores on PostgreSQL, for hosts of many processes and tenants. */

export {
  openPostgres,
  openPostgresStore,
  type PostgresOptions,
  type PostgresStoreOptions,
  type PostgresStores,
} from "../store/postgres/open-store.js";
export { type Store, StoreError, type StoreProblem } from "../store/store.js";
