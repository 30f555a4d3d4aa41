/** Stores on PostgreSQL: tenants of one database, for any number of processes on any machines. */

import type { RunHistory } from "../../history/history.js";
import { StoredHistory } from "../../history/stored-history.js";
import type { SharedTurns } from "../../registration/connection-contracts.js";
import type { Workspaces, WorkTables } from "../../workspaces/workspaces.js";
import type { MovedCounts, StoreDump } from "../dump.js";
import { QueueLimit } from "../queue-limit.js";
import {
  noKeyError,
  openSeal,
  type RotatedKeys,
  type RotateOptions,
  rotateKeys,
  type Seal,
} from "../sealing/seal.js";
import {
  historySealedBy,
  type SealingOptions,
  sealedAdding,
  sealedDump,
  sealFor,
  storeSealedBy,
} from "../sealing/sealed-store.js";
import {
  type ActionLedger,
  type BindOptions,
  type ConnectionIdentity,
  DEFAULT_TENANT,
  OtherConnectionError,
  type Store,
  StoreError,
} from "../store.js";
import { type LedgerPlace, PostgresLedger, PostgresSource } from "./actions.js";
import { callerLedger, type PostgresClient } from "./caller-ledger.js";
import { postgresDataKeys } from "./data-keys.js";
import { Database } from "./database.js";
import { PostgresHistory } from "./history.js";
import { loadDump } from "./load-dump.js";
import { PostgresChanges, PostgresRecords, PostgresRejected } from "./reads.js";
import { PostgresRuns } from "./runs.js";
import {
  findOrInsertWorkspace,
  findWorkspace,
  type MigrationResult,
  migrate,
  prepareDatabase,
} from "./schema.js";
import { postgresTurns } from "./turns.js";
import { type KnownBinding, PostgresWork, type WorkspaceOpener } from "./work.js";
import { PostgresWorkspaces } from "./workspaces.js";
import type { WriteContext } from "./write-page.js";

/** Where the database is, and how it is used. */
export interface PostgresOptions {
  /** Such as `postgres://user@host:5432/database`. Variables such as `PGPASSWORD` fill in what it leaves out. */
  readonly url: string;
  /**
   * The most connections at a time, of this process; one more stays open while a run is under way.
   * @default 10
   */
  readonly maxConnections?: number | undefined;
  /**
   * Seals what is sensitive in the tables: a dump of the database is of no use without the key.
   * @default sensitive values are in the tables as they are
   */
  readonly sealing?: SealingOptions | undefined;
  /**
   * How many actions of one tenant may wait or be under way. No more are queued then: StoreError `queue-full`. It holds for
   * what this process queues, and it is counted now and then: where several queue at the same moment, a few more can wait.
   * @default 100_000
   */
  readonly maxQueuedActions?: number | undefined;
  /**
   * Of how many of the latest changes of each tenant the record as it was before is kept, for `before` of a change. It
   * holds for what this process writes. What was deleted or overwritten stays in the database that long.
   * @default 0
   */
  readonly keepBefore?: number | undefined;
}

/** A database with the stores of any number of tenants. */
export interface PostgresStores {
  /** What messages call the database. No password is in it. */
  readonly name: string;
  /**
   * The store of a tenant, which is made at first use.
   * @param tenant Default: `default`.
   */
  open(tenant?: string): Promise<Store>;
  /**
   * A ledger for `enqueueAction` that adds to the queue of a tenant within a transaction of the caller's own: the action is
   * there, and a worker is woken, when that is committed; nothing is left if it is rolled back. What is added is sealed as
   * the tenant's store seals it.
   * @param client A connection to the same database with an open transaction, as a role that may write the tables.
   * @param tenant Default: `default`.
   * @throws StoreError `unavailable` if the tenant has no store, or the client no open transaction; `sealed` if the key was
   * not given.
   * @example
   * async function queueBridge(stores: PostgresStores, transaction: PostgresClient) {
   *   const address = "projects-api/app/1/project/create";
   *   const action = queueableActions(registration).find((candidate) => candidate.address === address);
   *   if (action === undefined) throw new Error(`the connector has no action ${address}`);
   *   return enqueueAction(action, { title: "A bridge" }, { ledger: await stores.ledgerIn(transaction, "acme") });
   * }
   */
  ledgerIn(client: PostgresClient, tenant?: string): Promise<Pick<ActionLedger, "add">>;
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
  /**
   * The turns that clients in all processes on this database take at a target system: `turns` of what `connect` is given.
   * `target` names the target system and the account there whose limit it is.
   */
  turns(target: string): SharedTurns;
  /** What the runs and actions of a tenant have asked, as far as workers have noted it and it is kept. */
  history(tenant?: string): Promise<RunHistory>;
  /** Names of the tenants that have a store, in their order. */
  tenants(): Promise<readonly string[]>;
  /**
   * Seals and opens a host's own secrets of a tenant, such as its connection, with the keys of its store.
   * @throws StoreError `sealed` if `sealing` was not given.
   */
  seal(tenant?: string): Promise<Seal>;
  /**
   * Wraps the data keys of a tenant with the key that `sealing` wraps with now, and adds a new one if `options` say so.
   * @throws StoreError `sealed` if `sealing` was not given, or lacks the key by which they were wrapped.
   */
  rotateKeys(tenant: string, options?: RotateOptions): Promise<RotatedKeys>;
  /** The workspaces that workers serve, and their schedules. */
  readonly workspaces: Workspaces;
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
const MAX_QUEUED_ACTIONS = 100_000;

/**
 * Connects to a database. Its tables are in the schema `connectorcli`; they are made if there are none, and else have to be
 * of a version with which this package can work: {@link migratePostgres}. It needs the packages `pg` and `pg-copy-streams`.
 * @throws StoreError if the database can't be reached or is of another version, or if a package is missing.
 * @throws RangeError if `maxQueuedActions` is no whole number.
 */
export async function openPostgres(options: PostgresOptions): Promise<PostgresStores> {
  return openForWork(options);
}

/** As {@link openPostgres}, with what workers need. */
export async function openForWork({
  url,
  maxConnections = MAX_CONNECTIONS,
  sealing,
  maxQueuedActions = MAX_QUEUED_ACTIONS,
  keepBefore = 0,
}: PostgresOptions): Promise<PostgresStores & { readonly database: Database; readonly work: WorkTables }> {
  const limit = new QueueLimit(maxQueuedActions);
  const database = await Database.open({ url, maxConnections });
  const opened = new Set<Store>();
  const histories = new PostgresHistory(database);
  try {
    await prepareDatabase(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  const placeAt = (workspace: number, tenant: string) => ({
    ...{ workspace, tenant, limit, keptBefores: keepBefore },
    keys: postgresDataKeys(database, { workspace, tenant }),
  });
  const placeOf = async (tenant: string) => placeAt(await findOrInsertWorkspace(database, tenant), tenant);
  const wrapperFor = (tenant: string) => {
    if (sealing === undefined) throw noKeyError({ name: database.nameOf(tenant) });
    return sealing.key;
  };
  const opener = async (workspace: number, tenant: string): Promise<WorkspaceOpener> => {
    const place = placeAt(workspace, tenant);
    const found = await sealFor(place.keys, sealing);
    const history = historySealedBy(found, histories.of(workspace));
    return {
      seal: found,
      open: (bound) => {
        const plain = storeOn(database, place, { bound, forget: () => opened.delete(plain) });
        opened.add(plain);
        return { store: storeSealedBy(found, plain, sealing), history };
      },
    };
  };
  const seal = async (tenant = DEFAULT_TENANT) => {
    // Without a key no store is made.
    const wrapper = wrapperFor(tenant);
    return openSeal((await placeOf(tenant)).keys, wrapper);
  };
  return {
    database,
    name: database.name,
    workspaces: new PostgresWorkspaces(database, seal),
    work: new PostgresWork(database, { seal, opener }),
    open: async (tenant = DEFAULT_TENANT) => {
      const { workspace } = await placeOf(tenant);
      return (await opener(workspace, tenant)).open().store;
    },
    seal,
    ledgerIn: async (client, tenant = DEFAULT_TENANT) => {
      const workspace = await findWorkspace(database, tenant);
      if (workspace === undefined)
        throw new StoreError("unavailable", `${database.name} has no workspace "${tenant}".`);
      const place = placeAt(workspace, tenant);
      const ledger = await callerLedger(client, { database, ...place });
      return sealedAdding(ledger, await sealFor(place.keys, sealing));
    },
    load: async (dump, tenant = DEFAULT_TENANT) => {
      const { workspace, keys } = await placeOf(tenant);
      return loadDump(database, workspace, sealedDump(dump, await sealFor(keys, sealing), sealing?.objects));
    },
    turns: (target) => postgresTurns(database, target),
    history: async (tenant = DEFAULT_TENANT) => {
      const { workspace, keys } = await placeOf(tenant);
      const found = await sealFor(keys, sealing);
      return new StoredHistory(historySealedBy(found, histories.of(workspace)));
    },
    tenants: async () => {
      const rows = await database.rows("SELECT name FROM connectorcli.workspaces ORDER BY name");
      return rows.map(([name]) => String(name));
    },
    rotateKeys: async (tenant, rotation) => {
      const wrapper = wrapperFor(tenant);
      return rotateKeys((await placeOf(tenant)).keys, wrapper, rotation);
    },
    close: async () => {
      for (const store of opened) await store.close();
      await histories.close();
      await database.close();
    },
  };
}

/**
 * Brings the tables of a database to the version of this package, while workers of the version before go on. Run it before
 * the first worker of a new version is started.
 * @throws StoreError as {@link openPostgres}.
 */
export async function migratePostgres({ url }: Pick<PostgresOptions, "url">): Promise<MigrationResult> {
  const database = await Database.open({ url, maxConnections: 1 });
  try {
    return await migrate(database);
  } finally {
    await database.close();
  }
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

interface Opened {
  readonly bound: KnownBinding | undefined;
  readonly forget: () => void;
}

function storeOn(
  database: Database,
  { workspace, tenant, limit, keptBefores }: LedgerPlace & Pick<WriteContext, "keptBefores">,
  { bound, forget }: Opened,
): Store {
  const place = { queries: database, workspace };
  const runs = new PostgresRuns(database, { workspace, keptBefores });
  return {
    tenant,
    bind: (identity, options = {}) => bind(database, workspace, { tenant, identity, options, bound }),
    records: new PostgresRecords(place),
    changes: new PostgresChanges(place),
    rejected: new PostgresRejected(place),
    runs,
    ledger: new PostgresLedger(database, { workspace, tenant, limit, keptBefores }),
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
  readonly bound: KnownBinding | undefined;
}

/** Who has kept what it loaded for the connection before loads it anew. */
const BIND = `UPDATE connectorcli.workspaces SET connection = $2,
    settings_version = settings_version + CASE WHEN connection <> $2 THEN 1 ELSE 0 END
  WHERE id = $1 AND ($3 OR connection IS NULL OR connection = $2)`;

/** @throws OtherConnectionError if the workspace belongs to another connection. */
async function bind(
  database: Database,
  workspace: number,
  { tenant, identity: { definition, environment, address }, options: { adopt = false }, bound }: Binding,
): Promise<void> {
  const identity = { definition, environment, address };
  const text = JSON.stringify(identity);
  const owner = async () =>
    (await database.row("SELECT connection FROM connectorcli.workspaces WHERE id = $1", workspace))?.[0];
  // Most often it is bound already, and nothing is written.
  if ((bound === undefined ? await owner() : bound.connection) === text) return;
  if ((await database.run(BIND, workspace, text, adopt)) === 1) {
    if (bound !== undefined) bound.connection = text;
    return;
  }
  throw new OtherConnectionError(database.nameOf(tenant), JSON.parse(String(await owner())), identity);
}
