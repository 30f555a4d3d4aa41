/** Brings records to their new state inside a transaction: look up all, write what differs, number every change. */
import type { AlternateKeys, RecordWrite } from "../records.js";
import type { Cell, Connection } from "./connection.js";

/** What is written, and on whose behalf. */
export interface WriteOptions {
  /** Row of the object. */
  readonly object: number;
  readonly alternateKeys: AlternateKeys;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** The run that writes; null where it is an action. */
  readonly run: number | null;
  /** Called with the row of a record that is as it was. */
  readonly onUnchanged?: (row: number, sequence: number) => void;
  /** Called with the row and its sequence number before a record is updated or deleted. */
  readonly onReplaced?: (row: number, sequence: number) => void;
}

export interface WriteCounts {
  unchanged: number;
  inserted: number;
  updated: number;
  deleted: number;
}

/** A row as it is at this moment of the transaction; undefined where there is none. */
interface Known {
  readonly row: number;
  readonly sequence: number;
  readonly hash: string;
}

/** Changes of this transaction that are not written yet, and what it has touched. */
interface Batch {
  readonly connection: Connection;
  readonly options: WriteOptions;
  readonly counts: WriteCounts;
  readonly touched: Map<string, Known | undefined>;
  readonly inserts: Cell[];
  readonly changes: string[];
  readonly firstSequence: number;
  nextRow: number;
}

const LOOK_UP = `SELECT group_concat(coalesce(r.id || ' ' || r.sequence || ' ' || r.hash, ''), char(10))
  FROM json_each(?2) AS k LEFT JOIN records AS r ON r.object = ?1 AND r.key = k.value`;
const COLUMNS_OF_INSERT = 6;
const ROWS_A_STATEMENT = 10;
const INSERT = "INSERT INTO records (id, object, key, hash, sequence, record) VALUES ";
const UPDATE = "UPDATE records SET hash = ?, sequence = ?, record = ? WHERE id = ?";
const CHANGES = `INSERT INTO changes (sequence, object, key, operation, at, run)
  SELECT ?1 + e.key, ?2, substr(e.value, 2),
    CASE substr(e.value, 1, 1) WHEN '+' THEN 'insert' WHEN '-' THEN 'delete' ELSE 'update' END, ?3, ?4
  FROM json_each(?5) AS e`;

/** Applies `writes` in their order, as a part of the transaction that is open. */
export function applyWrites(
  connection: Connection,
  writes: readonly RecordWrite[],
  options: WriteOptions,
): WriteCounts {
  const counts = { unchanged: 0, inserted: 0, updated: 0, deleted: 0 };
  if (writes.length === 0) return counts;
  const batch: Batch = {
    connection,
    options,
    counts,
    touched: new Map(),
    inserts: [],
    changes: [],
    firstSequence: lastSequence(connection) + 1,
    nextRow: Number(connection.row("SELECT coalesce(max(id), 0) + 1 FROM records")?.[0]),
  };
  const keys = JSON.stringify(writes.map(({ key }) => key));
  const found = String(connection.row(LOOK_UP, options.object, keys)?.[0]).split("\n");
  for (const [index, write] of writes.entries()) {
    const known = batch.touched.has(write.key) ? batch.touched.get(write.key) : parsed(found[index] ?? "");
    apply(batch, write, known);
  }
  flushInserts(batch);
  flushChanges(batch);
  return counts;
}

/** Deletes rows, given with their keys, as a part of the transaction that is open. */
export function deleteRows(
  connection: Connection,
  rows: readonly (readonly [row: number, key: string])[],
  { object, at, run }: Pick<WriteOptions, "object" | "at" | "run">,
): void {
  if (rows.length === 0) return;
  const ids = JSON.stringify(rows.map(([row]) => row));
  connection.run("DELETE FROM records WHERE id IN (SELECT value FROM json_each(?))", ids);
  connection.run("DELETE FROM alternate_keys WHERE record IN (SELECT value FROM json_each(?))", ids);
  const changes = JSON.stringify(rows.map(([, key]) => `-${key}`));
  connection.run(CHANGES, lastSequence(connection) + 1, object, at, run, changes);
}

/** Number of the last change; 0 where there is none. */
export function lastSequence(connection: Connection): number {
  return Number(connection.row("SELECT seq FROM sqlite_sequence WHERE name = 'changes'")?.[0] ?? 0);
}

function parsed(text: string): Known | undefined {
  if (text === "") return undefined;
  const first = text.indexOf(" ");
  const second = text.indexOf(" ", first + 1);
  return {
    row: Number(text.slice(0, first)),
    sequence: Number(text.slice(first + 1, second)),
    hash: text.slice(second + 1),
  };
}

function apply(batch: Batch, write: RecordWrite, known: Known | undefined): void {
  const { counts, options, touched } = batch;
  if (write.operation === "delete") {
    if (known === undefined) return;
    remove(batch, write.key, known);
    counts.deleted++;
  } else if (known === undefined) {
    touched.set(write.key, insert(batch, write));
    counts.inserted++;
  } else if (known.hash === write.hash) {
    options.onUnchanged?.(known.row, known.sequence);
    counts.unchanged++;
  } else {
    touched.set(write.key, update(batch, write, known));
    counts.updated++;
  }
}

type Upsert = Extract<RecordWrite, { readonly operation: "upsert" }>;

function insert(batch: Batch, { key, hash, record }: Upsert): Known {
  const { options, inserts } = batch;
  const sequence = nextSequence(batch, `+${key}`);
  const row = batch.nextRow++;
  inserts.push(row, options.object, key, hash, sequence, JSON.stringify(record));
  if (inserts.length === COLUMNS_OF_INSERT * ROWS_A_STATEMENT) flushInserts(batch);
  addAlternateKeys(batch, row, record);
  return { row, sequence, hash };
}

function update(batch: Batch, { key, hash, record }: Upsert, known: Known): Known {
  const { connection, options } = batch;
  flushInserts(batch);
  options.onReplaced?.(known.row, known.sequence);
  const sequence = nextSequence(batch, `=${key}`);
  connection.run(UPDATE, hash, sequence, JSON.stringify(record), known.row);
  connection.run("DELETE FROM alternate_keys WHERE record = ?", known.row);
  addAlternateKeys(batch, known.row, record);
  return { row: known.row, sequence, hash };
}

function remove(batch: Batch, key: string, known: Known): void {
  const { connection, options } = batch;
  flushInserts(batch);
  options.onReplaced?.(known.row, known.sequence);
  nextSequence(batch, `-${key}`);
  connection.run("DELETE FROM records WHERE id = ?", known.row);
  connection.run("DELETE FROM alternate_keys WHERE record = ?", known.row);
  batch.touched.set(key, undefined);
}

function addAlternateKeys({ connection, options }: Batch, row: number, record: object): void {
  for (const key of options.alternateKeys(record)) {
    connection.run(
      "INSERT INTO alternate_keys (object, key, record) VALUES (?, ?, ?)",
      options.object,
      key,
      row,
    );
  }
}

function nextSequence({ changes, firstSequence }: Batch, change: string): number {
  return firstSequence + changes.push(change) - 1;
}

function flushInserts({ connection, inserts }: Batch): void {
  if (inserts.length === 0) return;
  const rows = Array<string>(inserts.length / COLUMNS_OF_INSERT).fill("(?, ?, ?, ?, ?, ?)");
  connection.run(INSERT + rows.join(), ...inserts);
  inserts.length = 0;
}

function flushChanges({ connection, options, changes, firstSequence }: Batch): void {
  if (changes.length === 0) return;
  const { object, at, run } = options;
  connection.run(CHANGES, firstSequence, object, at, run, JSON.stringify(changes));
}
