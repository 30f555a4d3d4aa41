/** Rejected records in the embedded store. */
import type { RejectedRecord, RejectedStore, RejectedWrite } from "../rejected.js";
import type { Connection, Row } from "./connection.js";
import { objectRow } from "./objects.js";

export interface KeepRejected {
  /** Row of the object. */
  readonly object: number;
  readonly run: number;
  readonly at: string;
  readonly rejected: readonly RejectedWrite[];
  readonly recovered?: readonly string[] | undefined;
  /** Keys of valid records: what was rejected under them before is forgotten. */
  readonly keys: readonly string[];
}

const KEEP = `INSERT INTO rejected (object, identity, operation, key, run, at, findings, record)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (object, identity) DO UPDATE SET operation = excluded.operation, key = excluded.key,
    run = excluded.run, at = excluded.at, findings = excluded.findings, record = excluded.record`;
const COLUMNS = "identity, operation, key, at, findings, record, id";

/** Keeps and forgets, as a part of the transaction; gives the rows of cached records that were rejected now. */
export function keepRejected(
  connection: Connection,
  { object, run, at, rejected, recovered = [], keys }: KeepRejected,
): readonly (readonly [row: number, sequence: number])[] {
  for (const { identity, operation, key, findings, record } of rejected) {
    const text = JSON.stringify(findings);
    connection.run(KEEP, object, identity, operation, key ?? null, run, at, text, record);
  }
  forget(connection, object, { identity: recovered, key: keys });
  return rejected.flatMap(({ key }) => {
    if (key === undefined) return [];
    const sql = "SELECT id, sequence FROM records WHERE object = ? AND key = ?";
    const row = connection.row(sql, object, key);
    return row === undefined ? [] : [[Number(row[0]), Number(row[1])] as const];
  });
}

/** Forgets what an earlier run rejected and this one did not. */
export function clearRejected(connection: Connection, object: number, run: number): void {
  connection.run("DELETE FROM rejected WHERE object = ? AND run <> ?", object, run);
}

/** What earlier runs rejected. */
export function* rejectedBefore(
  connection: Connection,
  object: number,
  run: number,
): Iterable<RejectedWrite> {
  const sql = `SELECT ${COLUMNS} FROM rejected WHERE object = ? AND id > ? AND run <> ? ORDER BY id LIMIT 100`;
  for (let last = 0; ; ) {
    const rows = connection.rows(sql, object, last, run);
    if (rows.length === 0) return;
    for (const row of rows) yield written(row);
    last = Number(rows.at(-1)?.[6]);
  }
}

export class SqliteRejected implements RejectedStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async *list(object: string): AsyncIterable<RejectedRecord> {
    const id = objectRow(this.#connection, object);
    const sql = `SELECT ${COLUMNS} FROM rejected WHERE object = ? AND id > ? ORDER BY id LIMIT 100`;
    for (let last = 0; id !== undefined; ) {
      const rows = this.#connection.rows(sql, id, last);
      if (rows.length === 0) return;
      for (const row of rows) yield { ...written(row), object, at: String(row[3]) };
      last = Number(rows.at(-1)?.[6]);
    }
  }

  async count(object: string): Promise<number> {
    const id = objectRow(this.#connection, object);
    if (id === undefined) return 0;
    return Number(this.#connection.row("SELECT COUNT(*) FROM rejected WHERE object = ?", id)?.[0]);
  }
}

function forget(
  connection: Connection,
  object: number,
  names: Readonly<Record<"identity" | "key", readonly string[]>>,
): void {
  if (connection.row("SELECT 1 FROM rejected WHERE object = ? LIMIT 1", object) === undefined) return;
  for (const [column, values] of Object.entries(names)) {
    if (values.length === 0) continue;
    const sql = `DELETE FROM rejected WHERE object = ? AND ${column} IN (SELECT value FROM json_each(?))`;
    connection.run(sql, object, JSON.stringify(values));
  }
}

function written([identity, operation, key, , findings, record]: Row): RejectedWrite {
  return {
    operation: operation === "delete" ? "delete" : "upsert",
    ...(key === null ? {} : { key: String(key) }),
    identity: String(identity),
    findings: JSON.parse(String(findings)),
    record: record === null ? null : String(record),
  };
}
