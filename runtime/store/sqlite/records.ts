/** The cached records in the embedded store, as readers see them. */
import type { ListOptions, RecordStore, SharedKey, StoredRecord } from "../records.js";
import type { Connection, Row } from "./connection.js";
import { objectRow } from "./objects.js";

const ROWS_A_PAGE = 500;
const KEYS_SHOWN = 10;
const COLUMNS = "records.key, records.record, records.hash, records.sequence";

export class SqliteRecords implements RecordStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async get(object: string, key: string): Promise<StoredRecord | undefined> {
    const sql = `SELECT ${COLUMNS} FROM records WHERE object = ? AND key = ?`;
    const row = this.#ofObject(object, sql, key)[0];
    return row === undefined ? undefined : stored(object, row);
  }

  async find(object: string, alternateKey: string): Promise<readonly StoredRecord[]> {
    const sql = `SELECT ${COLUMNS} FROM alternate_keys AS a JOIN records ON records.id = a.record
      WHERE a.object = ? AND a.key = ? ORDER BY records.key`;
    return this.#ofObject(object, sql, alternateKey).map((row) => stored(object, row));
  }

  async *list(
    object: string,
    { after = "", limit = Infinity }: ListOptions = {},
  ): AsyncIterable<StoredRecord> {
    const sql = `SELECT ${COLUMNS} FROM records WHERE object = ? AND key > ? ORDER BY key LIMIT ?`;
    let last = after;
    for (let left = limit; left > 0; ) {
      const rows = this.#ofObject(object, sql, last, Math.min(left, ROWS_A_PAGE));
      for (const row of rows) yield stored(object, row);
      if (rows.length < ROWS_A_PAGE) return;
      last = String(rows.at(-1)?.[0]);
      left -= rows.length;
    }
  }

  async count(object: string): Promise<number> {
    return Number(this.#ofObject(object, "SELECT COUNT(*) FROM records WHERE object = ?")[0]?.[0] ?? 0);
  }

  async sharedKeys(object: string, limit: number): Promise<readonly SharedKey[]> {
    const sql = `SELECT key FROM alternate_keys WHERE object = ? GROUP BY key HAVING COUNT(*) > 1
      ORDER BY key LIMIT ?`;
    const holders = `SELECT records.key FROM alternate_keys AS a JOIN records ON records.id = a.record
      WHERE a.object = ? AND a.key = ? ORDER BY records.key LIMIT ${KEYS_SHOWN}`;
    return this.#ofObject(object, sql, limit).map(([alternateKey]) => ({
      alternateKey: String(alternateKey),
      keys: this.#ofObject(object, holders, String(alternateKey)).map(([key]) => String(key)),
    }));
  }

  /** Rows of a query whose first parameter is the row of the object. */
  #ofObject(object: string, sql: string, ...values: readonly (string | number)[]): readonly Row[] {
    const id = objectRow(this.#connection, object);
    return id === undefined ? [] : this.#connection.rows(sql, id, ...values);
  }
}

function stored(object: string, [key, record, hash, sequence]: Row): StoredRecord {
  return {
    object,
    key: String(key),
    record: JSON.parse(String(record)),
    hash: String(hash),
    sequence: Number(sequence),
  };
}
