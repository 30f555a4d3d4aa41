/** Reads all of an embedded store, as it is at one moment, for another driver. */
import { existsSync } from "node:fs";
import type { DumpedChange, DumpedObject, DumpedRecord, StoreDump } from "../dump.js";
import {
  ACTION_COLUMNS,
  REJECTED_COLUMNS,
  RUN_COLUMNS,
  toEntry,
  toRejected,
  toSummary,
  toText,
} from "../rows.js";
import type { KeyWrapper } from "../sealing/key-wrapper.js";
import { keylessSeal, openSeal } from "../sealing/seal.js";
import { openedDump } from "../sealing/sealed-store.js";
import { DEFAULT_TENANT, type RejectedRecord } from "../store.js";
import { Connection, type Row } from "./connection.js";
import { sqliteDataKeys } from "./data-keys.js";
import { createStoreError } from "./errors.js";
import { toChange } from "./reads.js";
import { consumersOf, removedTo } from "./retention.js";
import { prepareFile, tenantOfFile } from "./schema.js";
import { lastSequence } from "./write-batch.js";

const BUSY_TIMEOUT_MS = 10_000;
const ROWS_PER_PAGE = 1_000;

/**
 * Opens the file to read all of it. Others may write meanwhile; the dump does not see it. What is sealed is open in it.
 * @param key What the file was sealed with.
 * @throws StoreError if the file can't be used, is not there, or is sealed by another key.
 */
export async function dumpSqliteStore(file: string, key?: KeyWrapper): Promise<StoreDump> {
  if (!existsSync(file)) throw createStoreError("unavailable", file);
  const connection = new Connection(file, BUSY_TIMEOUT_MS);
  try {
    const tenant = tenantOfFile(connection) ?? DEFAULT_TENANT;
    prepareFile(connection, tenant);
    // One transaction sees one moment.
    connection.execute("BEGIN");
    const keys = sqliteDataKeys(connection, tenant);
    const isSealed = (await keys.list()).length > 0;
    const seal = isSealed && key !== undefined ? await openSeal(keys, key) : await keylessSeal(keys);
    return openedDump(dumpOf(connection, tenant), seal);
  } catch (error) {
    connection.close();
    throw error;
  }
}

function dumpOf(connection: Connection, tenant: string): StoreDump {
  const ids = new Map<string, number>();
  const objects = connection.rows(OBJECTS).map((row): DumpedObject => {
    const [id, path, checkpoint, alternateKeysVersion, schemaVersion, fullyReadAt] = row;
    ids.set(String(path), Number(id));
    return {
      path: String(path),
      checkpoint: toText(checkpoint),
      alternateKeysVersion: textOrNull(alternateKeysVersion),
      schemaVersion: textOrNull(schemaVersion),
      fullyReadAt: textOrNull(fullyReadAt),
    };
  });
  const idOf = (object: string) => ids.get(object) ?? 0;
  const [owner] = connection.row("SELECT connection FROM tenant") ?? [];
  const [lastRun] = connection.row("SELECT seq FROM sqlite_sequence WHERE name = 'runs'") ?? [];
  return {
    tenant,
    connection: typeof owner === "string" ? JSON.parse(owner) : null,
    lastChange: lastSequence(connection),
    removedTo: removedTo(connection),
    consumers: consumersOf(connection),
    lastRun: Number(lastRun ?? 0),
    objects,
    records: (object) => mapped(pages(connection, RECORDS, idOf(object)), toDumpedRecord),
    changes: () => mapped(pages(connection, CHANGES), toDumpedChange),
    rejected: (object) =>
      mapped(pages(connection, REJECTED, idOf(object)), (row) => toDumpedRejected(object, row)),
    runs: (object) => mapped(pages(connection, RUNS, idOf(object)), (row) => toSummary(object, row.slice(1))),
    actions: () => mapped(pages(connection, ACTIONS), (row) => toEntry(row.slice(1))),
    close: () => {
      connection.execute("COMMIT");
      connection.close();
    },
  };
}

const OBJECTS =
  "SELECT id, path, checkpoint, alternate_keys_version, schema_version, fully_read_at FROM objects ORDER BY id";
const RECORDS = `SELECT id, key, hash, sequence, record,
    (SELECT json_group_array(a.key) FROM alternate_keys AS a WHERE a.record = records.id)
  FROM records WHERE id > ?1 AND object = ?3 ORDER BY id LIMIT ?2`;
const CHANGES = `SELECT c.sequence, c.sequence, o.path, c.key, c.operation, c.at, NULL, c.run
  FROM changes AS c JOIN objects AS o ON o.id = c.object WHERE c.sequence > ?1 ORDER BY c.sequence LIMIT ?2`;
const REJECTED = `SELECT id, ${REJECTED_COLUMNS}, run
  FROM rejected WHERE id > ?1 AND object = ?3 ORDER BY id LIMIT ?2`;
const RUNS = `SELECT id, ${RUN_COLUMNS} FROM runs WHERE id > ?1 AND object = ?3 ORDER BY id LIMIT ?2`;
const ACTIONS = `SELECT id, ${ACTION_COLUMNS}
  FROM actions WHERE id > ?1 ORDER BY id LIMIT ?2`;

/** The rows of a query that goes by its first column, page by page. */
function* pages(connection: Connection, sql: string, ...values: readonly number[]): Iterable<Row> {
  for (let last = 0; ; ) {
    const rows = connection.rows(sql, last, ROWS_PER_PAGE, ...values);
    yield* rows;
    if (rows.length < ROWS_PER_PAGE) return;
    last = Number(rows.at(-1)?.[0]);
  }
}

function* mapped<Item>(rows: Iterable<Row>, toItem: (row: Row) => Item): Iterable<Item> {
  for (const row of rows) yield toItem(row);
}

function toDumpedRecord([, key, hash, sequence, record, alternateKeys]: Row): DumpedRecord {
  return {
    key: String(key),
    hash: String(hash),
    sequence: Number(sequence),
    recordJson: String(record),
    alternateKeys: JSON.parse(String(alternateKeys)),
  };
}

function toDumpedChange(row: Row): DumpedChange {
  const { record: _, ...change } = toChange(row.slice(1));
  const run = row[7];
  return { ...change, run: typeof run === "number" ? run : null };
}

function toDumpedRejected(object: string, row: Row): RejectedRecord & { readonly run: number } {
  return { ...toRejected(row.slice(1)), object, at: String(row[4]), run: Number(row[7]) };
}

function textOrNull(cell: unknown): string | null {
  return typeof cell === "string" ? cell : null;
}
