/** The embedded store: one SQLite file for a tenant, readable with any SQLite tool. */
import { QueueLimit } from "../queue-limit.js";
import type { KeyWrapper } from "../sealing/key-wrapper.js";
import { type RotatedKeys, type RotateOptions, rotateKeys } from "../sealing/seal.js";
import { openSealed, type SealingOptions } from "../sealing/sealed-store.js";
import { DEFAULT_TENANT, type Store } from "../store.js";
import { SqliteLedger, SqliteSource } from "./actions.js";
import { bindFile } from "./binding.js";
import { Connection } from "./connection.js";
import { sqliteDataKeys } from "./data-keys.js";
import { SqliteChanges, SqliteRecords, SqliteRejected } from "./reads.js";
import { SqliteRuns } from "./runs.js";
import { prepareFile, tenantOfFile } from "./schema.js";

/** Where the embedded store is, and how it is opened. */
export interface SqliteStoreOptions {
  /**
   * Path of the file. It is made, with its folder, if it is not there; only its owner can read it. `:memory:` for a store in
   * this process alone, which is gone when it is closed: for tests.
   */
  readonly file: string;
  /**
   * The tenant to which the file belongs. The first one who opens a file decides; every tenant has a file of its own.
   * @default "default"
   */
  readonly tenant?: string | undefined;
  /**
   * How long to wait for another program that writes, in milliseconds.
   * @default 10_000
   */
  readonly busyTimeoutMs?: number | undefined;
  /**
   * Size in bytes above which the file does not grow.
   * @default the room on the disk
   */
  readonly maxBytes?: number | undefined;
  /**
   * Of how many of the latest changes the record as it was before is kept, for `before` of a {@link Change}. What was
   * deleted or overwritten stays in the file that long.
   * @default 0
   */
  readonly keepBefore?: number | undefined;
  /**
   * Seals what is sensitive in the file: a copy of it is of no use without the key.
   * @default sensitive values are in the file as they are
   */
  readonly sealing?: SealingOptions | undefined;
  /**
   * How many actions may wait or be under way. No more are queued then: StoreError `queue-full`. It is counted now and then:
   * where several processes queue at the same moment, a few more can wait.
   * @default 100_000
   */
  readonly maxQueuedActions?: number | undefined;
}

const BUSY_TIMEOUT_MS = 10_000;
const BYTES_PER_PAGE = 4_096;
const MAX_QUEUED_ACTIONS = 100_000;

/**
 * @throws StoreError if the file can't be used: locked, read-only, damaged, of a newer version or another tenant, or sealed
 * by another key.
 * @throws RangeError if `maxQueuedActions` is no whole number.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const { file, tenant = DEFAULT_TENANT, busyTimeoutMs = BUSY_TIMEOUT_MS, maxBytes, sealing } = options;
  const { maxQueuedActions = MAX_QUEUED_ACTIONS } = options;
  const limit = new QueueLimit(maxQueuedActions);
  const connection = new Connection(file, busyTimeoutMs);
  connection.keptBefores = options.keepBefore ?? 0;
  try {
    prepareFile(connection, tenant);
    if (maxBytes !== undefined)
      connection.row(`PRAGMA max_page_count = ${Math.ceil(maxBytes / BYTES_PER_PAGE)}`);
    return await openSealed(storeOn(connection, tenant, limit), sqliteDataKeys(connection, tenant), sealing);
  } catch (error) {
    connection.close();
    throw error;
  }
}

function storeOn(connection: Connection, tenant: string, limit: QueueLimit): Store {
  const runs = new SqliteRuns(connection);
  return {
    tenant,
    bind: async (identity, bindOptions = {}) => bindFile(connection, identity, bindOptions),
    records: new SqliteRecords(connection),
    changes: new SqliteChanges(connection),
    rejected: new SqliteRejected(connection),
    runs,
    ledger: new SqliteLedger(connection, limit),
    source: new SqliteSource(connection),
    close: async () => {
      runs.abandon();
      connection.close();
    },
  };
}

/** Whose keys are rotated. */
export interface RotateSqliteOptions extends RotateOptions {
  /** Path of the file. */
  readonly file: string;
  /** The key that wraps from now on; it can still open what the older one has wrapped. */
  readonly key: KeyWrapper;
}

/** As `rotateKeys` of a database. @throws StoreError as {@link openSqliteStore}. */
export async function rotateSqliteKeys({ file, key, ...options }: RotateSqliteOptions): Promise<RotatedKeys> {
  const connection = new Connection(file, BUSY_TIMEOUT_MS);
  try {
    const tenant = tenantOfFile(connection) ?? DEFAULT_TENANT;
    prepareFile(connection, tenant);
    return await rotateKeys(sqliteDataKeys(connection, tenant), key, options);
  } finally {
    connection.close();
  }
}
