/** Writes to the tables of records, changes and rejected records, as a part of the transaction that is open. */
import { diffPage, type PageDiff, type RowInsert, type RowUpdate, type StoredVersion } from "../diff-page.js";
import type { AlternateKeyWrite, RecordWrite, RejectedWrite, UnfitRecord } from "../store.js";
import type { Cell, Connection } from "./connection.js";

/** On whose behalf something is written. */
export interface WriteContext {
  /** Row of the object. */
  readonly object: number;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** The run that writes; null if an action does. */
  readonly run: number | null;
}

// One answer with three lists is read faster than a row a record.
const LOOK_UP = `SELECT json_group_array(r.id), json_group_array(r.hash), json_group_array(r.sequence)
  FROM json_each(?2) AS k LEFT JOIN records AS r ON r.object = ?1 AND r.key = k.value`;
const ROWS_PER_INSERT = 10;
const INSERT = "INSERT INTO records (id, object, key, hash, sequence, record) VALUES ";
const UPDATE = "UPDATE records SET hash = ?, sequence = ?, record = ? WHERE id = ?";
const INSERT_ALTERNATE_KEY = "INSERT INTO alternate_keys (object, key, record) VALUES (?, ?, ?)";
const INSERT_CHANGES = "INSERT INTO changes (sequence, object, key, operation, at, run)";
/** The changes of a page, each as a pair of its key and its operation. */
const MIXED_CHANGES = `${INSERT_CHANGES}
  SELECT ?1 + e.key, ?2, e.value ->> 0, e.value ->> 1, ?3, ?4 FROM json_each(?5) AS e`;
/** The same for a page whose changes are all of one operation, which is passed once. Most are; it takes half the time. */
const ALIKE_CHANGES = `${INSERT_CHANGES}
  SELECT ?1 + e.key, ?2, e.value, ?6, ?3, ?4 FROM json_each(?5) AS e`;

/** Row of the object; undefined if nothing was ever written of it. */
export function findObject(connection: Connection, path: string): number | undefined {
  const row = connection.row("SELECT id FROM objects WHERE path = ?", path);
  return row === undefined ? undefined : Number(row[0]);
}

/** Row of the object, which is inserted if there is none. */
export function findOrInsertObject(connection: Connection, path: string): number {
  const known = findObject(connection, path);
  if (known !== undefined) return known;
  connection.run("INSERT INTO objects (path) VALUES (?)", path);
  return findOrInsertObject(connection, path);
}

/** Number of the last change; 0 if there is none. */
export function lastSequence(connection: Connection): number {
  return Number(connection.row("SELECT seq FROM sqlite_sequence WHERE name = 'changes'")?.[0] ?? 0);
}

/** Writes records in their order, with the feed and the index of alternate keys, and returns what that changed. */
export function writeRecords(
  connection: Connection,
  writes: readonly RecordWrite[],
  context: WriteContext,
): PageDiff {
  const keys = writes.map(({ key }) => key);
  const diff = diffPage(writes, writes.length === 0 ? [] : lookUp(connection, context.object, keys));
  const first = lastSequence(connection) + 1;
  const changed = [
    ...diff.updates.map(({ stored, change }) => [stored.row, first + change] as const),
    ...diff.deletes.map(({ row, change }) => [row, first + change] as const),
  ];
  keepBefores(connection, changed, { first, count: diff.changes.length });
  deleteRows(
    connection,
    diff.deletes.map(({ row }) => row),
  );
  for (const update of diff.updates) updateRow(connection, update, { ...context, first });
  insertRows(connection, diff.inserts, { ...context, first });
  insertChanges(connection, diff.changes, { ...context, first });
  return diff;
}

/** Deletes rows and adds that to the feed. */
export function deleteRecords(
  connection: Connection,
  rows: readonly (readonly [row: number, key: string])[],
  context: WriteContext,
): void {
  const first = lastSequence(connection) + 1;
  keepBefores(
    connection,
    rows.map(([row], index) => [row, first + index] as const),
    { first, count: rows.length },
  );
  deleteRows(
    connection,
    rows.map(([row]) => row),
  );
  const changes = rows.map(([, key]) => ({ key, operation: "delete" as const }));
  insertChanges(connection, changes, { ...context, first });
}

/**
 * Deletes records that have not changed since they were read, and keeps each as rejected unless there is one of its
 * identity; returns the rows that were deleted, and how many are kept.
 */
export function takeOutRecords(
  connection: Connection,
  records: readonly UnfitRecord[],
  context: WriteContext,
): { readonly deletes: readonly StoredVersion[]; readonly rejected: number } {
  const versions = lookUp(
    connection,
    context.object,
    records.map(({ key }) => key),
  );
  const deletes: StoredVersion[] = [];
  const rows: (readonly [row: number, key: string])[] = [];
  let rejected = 0;
  for (const [index, { key, sequence, rejected: write }] of records.entries()) {
    const version = versions[index];
    if (version?.sequence !== sequence) continue;
    deletes.push(version);
    rows.push([version.row, key]);
    rejected += keepRejected(connection, write, context, "DO NOTHING");
  }
  deleteRecords(connection, rows, context);
  return { deletes, rejected };
}

/** Replaces the alternate keys of records that have not changed since they were read. */
export function replaceAlternateKeys(
  connection: Connection,
  object: number,
  writes: readonly AlternateKeyWrite[],
): void {
  const sql = "SELECT id FROM records WHERE object = ? AND key = ? AND sequence = ?";
  for (const { key, sequence, alternateKeys } of writes) {
    const [row] = connection.row(sql, object, key, sequence) ?? [];
    if (row === undefined) continue;
    connection.run("DELETE FROM alternate_keys WHERE record = ?", row);
    for (const alternateKey of alternateKeys) connection.run(INSERT_ALTERNATE_KEY, object, alternateKey, row);
  }
}

export interface RejectedPage {
  readonly rejected: readonly RejectedWrite[];
  /** Identities of rejected records that are valid now. */
  readonly recovered: readonly string[];
  /** Keys of valid records: what was rejected under them before is dropped. */
  readonly keys: readonly string[];
}

const KEEP = `INSERT INTO rejected (object, identity, operation, key, run, at, findings, record)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (object, identity)`;
/** A record of which this run does not know the key stays one of which nobody knows it, whatever else has its identity. */
const REPLACE = `DO UPDATE SET operation = excluded.operation,
  key = CASE WHEN rejected.run = excluded.run AND rejected.key IS NULL THEN NULL ELSE excluded.key END,
  run = excluded.run, at = excluded.at, findings = excluded.findings, record = excluded.record`;

/** Keeps a rejected record, or does what `onConflict` says if one of its identity is kept; returns how many rows changed. */
function keepRejected(
  connection: Connection,
  { identity, operation, key, findings, record }: RejectedWrite,
  { object, at, run }: WriteContext,
  onConflict: string,
): number {
  const cells = [object, identity, operation, key ?? null, run, at, JSON.stringify(findings), record];
  return connection.run(`${KEEP} ${onConflict}`, ...cells);
}

/** Keeps and drops rejected records; returns the cached records that have the key of one that was rejected now. */
export function writeRejected(
  connection: Connection,
  { rejected, recovered, keys }: RejectedPage,
  context: WriteContext,
): readonly StoredVersion[] {
  const { object, run } = context;
  for (const write of rejected) keepRejected(connection, write, context, REPLACE);
  if (connection.row("SELECT 1 FROM rejected WHERE object = ? LIMIT 1", object) === undefined) return [];
  dropRejected(connection, object, { recovered, keys, run });
  const identities = rejected.map(({ identity }) => identity);
  return lookUp(connection, object, identities).filter((version) => version !== undefined);
}

function dropRejected(
  connection: Connection,
  object: number,
  { recovered, keys, run }: Pick<RejectedPage, "recovered" | "keys"> & Pick<WriteContext, "run">,
): void {
  if (recovered.length > 0) connection.run(DROP_RECOVERED, object, JSON.stringify(recovered));
  if (keys.length > 0) connection.run(DROP_VALID, object, JSON.stringify(keys), run);
}

const DROP_RECOVERED =
  "DELETE FROM rejected WHERE object = ? AND identity IN (SELECT value FROM json_each(?))";
/** What this run has rejected with a key that does not fit may be another record than the valid one of that key. */
const DROP_VALID = `DELETE FROM rejected WHERE object = ?1 AND identity IN (SELECT value FROM json_each(?2))
  AND (key IS NOT NULL OR run <> ?3)`;

/** What is stored under each of `keys`. */
export function lookUp(
  connection: Connection,
  object: number,
  keys: readonly string[],
): readonly (StoredVersion | undefined)[] {
  const [rows, hashes, sequences] = connection.row(LOOK_UP, object, JSON.stringify(keys)) ?? [];
  const hashList: string[] = JSON.parse(String(hashes));
  const sequenceList: number[] = JSON.parse(String(sequences));
  const rowList: (number | null)[] = JSON.parse(String(rows));
  return rowList.map((row, index) =>
    row === null ? undefined : { row, hash: hashList[index] ?? "", sequence: sequenceList[index] ?? 0 },
  );
}

/** A context with the number of the first change of the page. */
interface NumberedContext extends WriteContext {
  readonly first: number;
}

function insertRows(
  connection: Connection,
  inserts: readonly RowInsert[],
  { object, first }: NumberedContext,
): void {
  if (inserts.length === 0) return;
  let row = Number(connection.row("SELECT coalesce(max(id), 0) FROM records")?.[0]);
  for (let from = 0; from < inserts.length; from += ROWS_PER_INSERT) {
    const cells: Cell[] = [];
    for (const { write, change } of inserts.slice(from, from + ROWS_PER_INSERT)) {
      row++;
      cells.push(row, object, write.key, write.hash, first + change, JSON.stringify(write.record));
      for (const key of write.alternateKeys) connection.run(INSERT_ALTERNATE_KEY, object, key, row);
    }
    const rows = Array<string>(cells.length / 6).fill("(?, ?, ?, ?, ?, ?)");
    connection.run(INSERT + rows.join(), ...cells);
  }
}

function updateRow(
  connection: Connection,
  { write, change, stored }: RowUpdate,
  { object, first }: NumberedContext,
): void {
  connection.run(UPDATE, write.hash, first + change, JSON.stringify(write.record), stored.row);
  connection.run("DELETE FROM alternate_keys WHERE record = ?", stored.row);
  for (const key of write.alternateKeys) connection.run(INSERT_ALTERNATE_KEY, object, key, stored.row);
}

function deleteRows(connection: Connection, rows: readonly number[]): void {
  if (rows.length === 0) return;
  const list = JSON.stringify(rows);
  connection.run("DELETE FROM records WHERE id IN (SELECT value FROM json_each(?))", list);
  connection.run("DELETE FROM alternate_keys WHERE record IN (SELECT value FROM json_each(?))", list);
}

/**
 * Keeps rows as they are before they are changed, and drops what is older than the latest changes.
 * @param rows Of each, with the number of its change.
 * @param changes The number of the first one, and how many there are.
 */
function keepBefores(
  connection: Connection,
  rows: readonly (readonly [row: number, change: number])[],
  { first, count }: { readonly first: number; readonly count: number },
): void {
  if (connection.keptBefores === 0 || count === 0) return;
  const end = first - 1 + count - connection.keptBefores;
  connection.run(KEEP_BEFORES, JSON.stringify(rows.filter(([, change]) => change > end)));
  connection.run("DELETE FROM befores WHERE sequence <= ?", end);
}

const KEEP_BEFORES = `INSERT INTO befores (sequence, record)
  SELECT e.value ->> 1, r.record FROM json_each(?) AS e JOIN records AS r ON r.id = e.value ->> 0`;

function insertChanges(
  connection: Connection,
  changes: PageDiff["changes"],
  { object, at, run, first }: NumberedContext,
): void {
  const operation = changes[0]?.operation;
  if (operation === undefined) return;
  if (changes.every((change) => change.operation === operation)) {
    const keys = JSON.stringify(changes.map(({ key }) => key));
    connection.run(ALIKE_CHANGES, first, object, at, run, keys, operation);
  } else {
    const pairs = JSON.stringify(changes.map((change) => [change.key, change.operation]));
    connection.run(MIXED_CHANGES, first, object, at, run, pairs);
  }
}
