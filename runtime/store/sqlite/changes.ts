/** The change feed of the embedded store. One writer at a time: numbers become visible in their order. */
import type { Change, ChangeFeed, ChangesOptions } from "../changes.js";
import type { Connection, Row } from "./connection.js";
import { lastSequence } from "./writes.js";

const ROWS_A_PAGE = 500;

const CHANGES = `SELECT c.sequence, o.path, c.key, c.operation, c.at, r.record
  FROM changes AS c JOIN objects AS o ON o.id = c.object
  LEFT JOIN records AS r ON r.object = c.object AND r.key = c.key AND c.operation <> 'delete'
  WHERE c.sequence > ?1 AND (?2 IS NULL OR o.path = ?2) ORDER BY c.sequence LIMIT ?3`;

export class SqliteChanges implements ChangeFeed {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async *since(since: number, { object, limit = Infinity }: ChangesOptions = {}): AsyncIterable<Change> {
    let last = since;
    for (let left = limit; left > 0; ) {
      const rows = this.#connection.rows(CHANGES, last, object ?? null, Math.min(left, ROWS_A_PAGE));
      for (const row of rows) yield change(row);
      if (rows.length < ROWS_A_PAGE) return;
      last = Number(rows.at(-1)?.[0]);
      left -= rows.length;
    }
  }

  async last(): Promise<number> {
    return lastSequence(this.#connection);
  }
}

function change([sequence, object, key, operation, at, record]: Row): Change {
  return {
    sequence: Number(sequence),
    object: String(object),
    key: String(key),
    operation: operation as Change["operation"],
    at: String(at),
    record: typeof record === "string" ? JSON.parse(record) : null,
  };
}
