/** Stores on PostgreSQL: tenants of one database, for any number of processes on any machines. */

import type { MovedCounts, StoreDump } from "../dump.js";
import {
  type BindOptions,
  type ConnectionIdentity,
  DEFAULT_TENANT,
  OtherConnectionError,
  type Store,
} from "../store.js";
import { PostgresLedger, PostgresSource } from "./actions.js";
import { Database } from "./database.js";
import { loadDump } from "./load-dump.js";
import { PostgresChanges, PostgresRecords, PostgresRejected } from "./reads.js";
import { PostgresRuns } from "./runs.js";
import { findOrInsertWorkspace, migrate } from "./schema.js";

/** Where the database is, and how it is used. */
export interface PostgresOptions {
  /** Such as `postgres://user@host:5432/database`. Variables such as `PGPASSWORD` fill in what it leaves out. */
  readonly url: string;
  /**
   * The most connections at a time, of this process; one more stays open while a run is under way.
   * @default 10
   */
  readonly maxConnections?: number | undefined;
}

/** A database with the stores of any number of tenants. */
export interface PostgresStores {
  /**
   * The store of a tenant, which is made at first use.
   * @param tenant Default: `default`.
   */
  open(tenant?: string): Promise<Store>;
  /**
   * Makes the store of a tenant of all that another store held: records, feed, rejected records, runs and actions. The next
   * run changes nothing. Actions get other numbers. All of it is loaded, or nothing.
   * @throws StoreError if the tenant has data already.
   * @example
   * const stores = await openPostgres({ url: "postgres://localhost/connectors" });
   * const dump = await dumpSqliteStore("acme.db");
   * const { records } = await stores.load(dump, "acme");
   * dump.close();
   */
  load(dump: StoreDump, tenant?: string): Promise<MovedCounts>;
  /** Closes the connections. Runs that are open end as if their process had been killed. */
  close(): Promise<void>;
}

/** As for all tenants, for one. */
export interface PostgresStoreOptions extends PostgresOptions {
  /**
   * The tenant for which the store is opened.
   * @default "default"
   */
  readonly tenant?: string | undefined;
}

const MAX_CONNECTIONS = 10;

/**
 * Connects to a database, and brings its tables, in the schema `connectorcli`, to the version of this package. It needs
 * the packages `pg` and `pg-copy-streams`.
 * @throws StoreError if the database can't be reached or was made by a newer version, or if a package is missing.
 */
export async function openPostgres({
  url,
  maxConnections = MAX_CONNECTIONS,
}: PostgresOptions): Promise<PostgresStores> {
  const database = await Database.open({ url, maxConnections });
  const opened = new Set<Store>();
  try {
    await migrate(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return {
    open: async (tenant = DEFAULT_TENANT) => {
      const store = await openWorkspace(database, tenant, () => opened.delete(store));
      opened.add(store);
      return store;
    },
    load: async (dump, tenant = DEFAULT_TENANT) =>
      loadDump(database, await findOrInsertWorkspace(database, tenant), dump),
    close: async () => {
      for (const store of opened) await store.close();
      await database.close();
    },
  };
}

/**
 * Opens the store of one tenant.
 * @throws StoreError as {@link openPostgres}.
 * @example
 * const store = await openPostgresStore({ url: "postgres://localhost/connectors", tenant: "acme" });
 * for await (const { sequence, object, operation, key } of store.changes.since(0)) {
 *   console.log(sequence, object, operation, key);
 * }
 * await store.close();
 */
export async function openPostgresStore({ tenant, ...options }: PostgresStoreOptions): Promise<Store> {
  const stores = await openPostgres(options);
  const store = await stores.open(tenant);
  return { ...store, close: () => stores.close() };
}

async function openWorkspace(database: Database, tenant: string, forget: () => void): Promise<Store> {
  const workspace = await findOrInsertWorkspace(database, tenant);
  const place = { queries: database, workspace };
  const runs = new PostgresRuns(database, workspace);
  return {
    tenant,
    bind: (identity, options = {}) => bind(database, workspace, { tenant, identity, options }),
    records: new PostgresRecords(place),
    changes: new PostgresChanges(place),
    rejected: new PostgresRejected(place),
    runs,
    ledger: new PostgresLedger(database, workspace),
    source: new PostgresSource(database, workspace),
    close: async () => {
      forget();
      await runs.abandon();
    },
  };
}

interface Binding {
  readonly tenant: string;
  readonly identity: ConnectionIdentity;
  readonly options: BindOptions;
}

/** @throws OtherConnectionError if the workspace belongs to another connection. */
async function bind(
  database: Database,
  workspace: number,
  { tenant, identity: { definition, environment, address }, options: { adopt = false } }: Binding,
): Promise<void> {
  const identity = { definition, environment, address };
  const text = JSON.stringify(identity);
  const sql = `UPDATE connectorcli.workspaces SET connection = $2
    WHERE id = $1 AND ($3 OR connection IS NULL OR connection = $2)`;
  if ((await database.run(sql, workspace, text, adopt)) === 1) return;
  const [owner] =
    (await database.row("SELECT connection FROM connectorcli.workspaces WHERE id = $1", workspace)) ?? [];
  throw new OtherConnectionError(`${database.name} (${tenant})`, JSON.parse(String(owner)), identity);
}
