/** The embedded store: one SQLite file for a workspace, readable with any SQLite tool. */
import type { Store } from "../store.js";
import { SqliteChanges } from "./changes.js";
import { Connection } from "./connection.js";
import { migrate } from "./migrations.js";
import { SqliteQueue } from "./queue.js";
import { SqliteRecords } from "./records.js";
import { SqliteRejected } from "./rejected.js";
import { SqliteRuns } from "./runs.js";

export interface OpenStore {
  /** Path of the file; it is made, with its folder, where it is not there. Its owner alone can read it. */
  readonly file: string;
  /** How long to wait for another program that writes, in milliseconds. By default 10,000. */
  readonly busyTimeoutMs?: number | undefined;
  /** The file does not grow above so many bytes. By default the disk is the limit. */
  readonly maxBytes?: number | undefined;
}

const BUSY_TIMEOUT_MS = 10_000;
const BYTES_A_PAGE = 4_096;

/** @throws StoreError where the file can't be used: locked, read-only, damaged, of a newer version. */
export async function openSqliteStore(options: OpenStore): Promise<Store> {
  const { file, busyTimeoutMs = BUSY_TIMEOUT_MS, maxBytes } = options;
  const connection = new Connection(file, busyTimeoutMs);
  try {
    migrate(connection);
    if (maxBytes !== undefined)
      connection.row(`PRAGMA max_page_count = ${Math.ceil(maxBytes / BYTES_A_PAGE)}`);
  } catch (error) {
    connection.close();
    throw error;
  }
  const runs = new SqliteRuns(connection);
  return {
    records: new SqliteRecords(connection),
    changes: new SqliteChanges(connection),
    rejected: new SqliteRejected(connection),
    runs,
    queue: new SqliteQueue(connection),
    close: async () => {
      runs.abandon();
      connection.close();
    },
  };
}
