/** What readers of the embedded store see: records, the change feed, rejected records. All are read in pages. */

import { setTimeout as sleep } from "node:timers/promises";
import { refuseExpired } from "../retention.js";
import { REJECTED_COLUMNS, toRejected } from "../rows.js";
import type {
  Change,
  ChangeFeed,
  ChangesOptions,
  Consumer,
  ListOptions,
  PrunedChanges,
  PruneOptions,
  RecordStore,
  RejectedRecord,
  RejectedStore,
  RejectedWrite,
  SharedKey,
  StoredRecord,
  WaitOptions,
} from "../store.js";
import { waitForChange } from "../wait-for.js";
import type { Connection, Row } from "./connection.js";
import { advance, consumersOf, forget, prune, removedTo } from "./retention.js";
import { findObject, lastSequence } from "./write-batch.js";

const ROWS_PER_PAGE = 500;
const KEYS_PER_SHARED_KEY = 10;
/** How often a file is looked at by who waits for a change. */
const PAUSE_MS = 250;

const RECORD = "records.key, records.record, records.hash, records.sequence";

export class SqliteRecords implements RecordStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async get(object: string, key: string): Promise<StoredRecord | undefined> {
    const sql = `SELECT ${RECORD} FROM records WHERE object = ? AND key = ?`;
    const [row] = this.#rows(object, sql, key);
    return row === undefined ? undefined : toRecord(object, row);
  }

  async find(object: string, alternateKey: string): Promise<readonly StoredRecord[]> {
    const sql = `SELECT ${RECORD} FROM alternate_keys AS a JOIN records ON records.id = a.record
      WHERE a.object = ? AND a.key = ? ORDER BY records.key`;
    return this.#rows(object, sql, alternateKey).map((row) => toRecord(object, row));
  }

  async *list(
    object: string,
    { after = "", offset = 0, limit = Infinity }: ListOptions = {},
  ): AsyncIterable<StoredRecord> {
    const sql = `SELECT ${RECORD} FROM records WHERE object = ? AND key > ? ORDER BY key LIMIT ? OFFSET ?`;
    let [last, skipped] = [after, offset];
    for (let left = limit; left > 0; ) {
      const rows = this.#rows(object, sql, last, Math.min(left, ROWS_PER_PAGE), skipped);
      skipped = 0;
      for (const row of rows) yield toRecord(object, row);
      if (rows.length < ROWS_PER_PAGE) return;
      last = String(rows.at(-1)?.[0]);
      left -= rows.length;
    }
  }

  async count(object: string): Promise<number> {
    return Number(this.#rows(object, "SELECT COUNT(*) FROM records WHERE object = ?")[0]?.[0] ?? 0);
  }

  async sharedKeys(object: string, limit: number): Promise<readonly SharedKey[]> {
    const sql = `SELECT key FROM alternate_keys WHERE object = ? GROUP BY key HAVING COUNT(*) > 1
      ORDER BY key LIMIT ?`;
    const holders = `SELECT records.key FROM alternate_keys AS a JOIN records ON records.id = a.record
      WHERE a.object = ? AND a.key = ? ORDER BY records.key LIMIT ${KEYS_PER_SHARED_KEY}`;
    return this.#rows(object, sql, limit).map(([alternateKey]) => ({
      alternateKey: String(alternateKey),
      keys: this.#rows(object, holders, String(alternateKey)).map(([key]) => String(key)),
    }));
  }

  /** Rows of a query whose first parameter is the row of the object. */
  #rows(object: string, sql: string, ...values: readonly (string | number)[]): readonly Row[] {
    const id = findObject(this.#connection, object);
    return id === undefined ? [] : this.#connection.rows(sql, id, ...values);
  }
}

function toRecord(object: string, [key, record, hash, sequence]: Row): StoredRecord {
  return {
    object,
    key: String(key),
    record: JSON.parse(String(record)),
    hash: String(hash),
    sequence: Number(sequence),
  };
}

const CHANGES = `SELECT c.sequence, o.path, c.key, c.operation, c.at, r.record, b.record
  FROM changes AS c JOIN objects AS o ON o.id = c.object
  LEFT JOIN befores AS b ON b.sequence = c.sequence
  LEFT JOIN records AS r ON r.object = c.object AND r.key = c.key AND c.operation <> 'delete'
  WHERE c.sequence > ?1 AND (?2 IS NULL OR o.path = ?2) ORDER BY c.sequence LIMIT ?3`;

/** There is one writer at a time: changes become visible in the order of their numbers. */
export class SqliteChanges implements ChangeFeed {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async *since(sequence: number, { object, limit = Infinity }: ChangesOptions = {}): AsyncIterable<Change> {
    let last = sequence;
    for (let left = limit; left > 0; ) {
      const rows = this.#connection.rows(CHANGES, last, object ?? null, Math.min(left, ROWS_PER_PAGE));
      // Behind the read: what was removed before it is missing in the rows.
      refuseExpired(this.#connection.file, last, removedTo(this.#connection));
      for (const row of rows) yield toChange(row);
      if (rows.length < ROWS_PER_PAGE) return;
      last = Number(rows.at(-1)?.[0]);
      left -= rows.length;
    }
  }

  async last(): Promise<number> {
    return lastSequence(this.#connection);
  }

  waitFor(sequence: number, options?: WaitOptions): Promise<boolean> {
    const pause = (ms: number, signal: AbortSignal | undefined) =>
      // The end of the signal ends the pause.
      sleep(ms, undefined, { signal }).catch(() => {});
    return waitForChange({ last: () => this.last(), pause, pauseMs: PAUSE_MS }, sequence, options);
  }

  async removedTo(): Promise<number> {
    return removedTo(this.#connection);
  }

  async advance(consumer: string, sequence: number): Promise<void> {
    advance(this.#connection, consumer, sequence);
  }

  async consumers(): Promise<readonly Consumer[]> {
    return consumersOf(this.#connection);
  }

  async forget(consumer: string): Promise<boolean> {
    return forget(this.#connection, consumer);
  }

  async prune(options: PruneOptions = {}): Promise<PrunedChanges> {
    return prune(this.#connection, options);
  }
}

export function toChange([sequence, object, key, operation, at, record, before]: Row): Change {
  return {
    sequence: Number(sequence),
    object: String(object),
    key: String(key),
    operation: operation as Change["operation"],
    at: String(at),
    record: typeof record === "string" ? JSON.parse(record) : null,
    ...(typeof before === "string" && { before: JSON.parse(before) }),
  };
}

export class SqliteRejected implements RejectedStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async *list(object: string): AsyncIterable<RejectedRecord> {
    const id = findObject(this.#connection, object);
    if (id === undefined) return;
    for (const { at, rejected } of rejectedRows(this.#connection, id, null))
      yield { ...rejected, object, at };
  }

  async count(object: string): Promise<number> {
    const id = findObject(this.#connection, object);
    if (id === undefined) return 0;
    return Number(this.#connection.row("SELECT COUNT(*) FROM rejected WHERE object = ?", id)?.[0]);
  }
}

const REJECTED = `SELECT ${REJECTED_COLUMNS}, id FROM rejected
  WHERE object = ?1 AND id > ?2 AND (?3 IS NULL OR run <> ?3) ORDER BY id LIMIT ${ROWS_PER_PAGE}`;

/** Rejected records of an object, but not those of the run `exceptRun`. Rows may be deleted while they are read. */
export function* rejectedRows(
  connection: Connection,
  object: number,
  exceptRun: number | null,
): Iterable<{ readonly at: string; readonly rejected: RejectedWrite }> {
  for (let last = 0; ; ) {
    const rows = connection.rows(REJECTED, object, last, exceptRun);
    for (const row of rows) yield { at: String(row[3]), rejected: toRejected(row) };
    if (rows.length < ROWS_PER_PAGE) return;
    last = Number(rows.at(-1)?.[6]);
  }
}
