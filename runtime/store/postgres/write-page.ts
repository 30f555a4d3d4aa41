/** Writes to the tables of records, changes and rejected records, as a part of the transaction that is open. */
import { diffPage, type PageDiff, type StoredVersion } from "../diff-page.js";
import type { AlternateKeyWrite, RecordWrite, RejectedWrite, UnfitRecord, UpsertWrite } from "../store.js";
import { arrayText, type Cell, HINTS, type Queries, type Transaction } from "./database.js";

/** On whose behalf something is written. */
export interface WriteContext {
  /** Row of the workspace. */
  readonly workspace: number;
  /** Row of the object. The transaction holds it: nobody else writes records of the object meanwhile. */
  readonly object: number;
  /** The run that writes; null if an action does. */
  readonly run: number | null;
  /** Of how many of the latest changes of the workspace the record before is kept. */
  readonly keptBefores: number;
}

/** No hash has it. */
const SEPARATOR = "chr(10)";
/**
 * An expression for what is stored of object `$1` under the keys in a parameter, see {@link toVersions}. A join would be
 * planned by the size that the table is believed to have; a subquery always goes by the index. One text for all keys is
 * read much faster than a row a key.
 */
export function versionsOf(keys: `$${number}`): string {
  return `array_to_string(ARRAY(SELECT (SELECT r.position || ' ' || r.row || ' ' || r.hash
    FROM connectorcli.records r WHERE r.object = $1 AND r.key = k) FROM unnest(${keys}::text[]) k), ${SEPARATOR}, '')`;
}
const LOOK_UP = `SELECT ${versionsOf("$2")}`;
/** From so many rows on, copying is faster. */
const ROWS_TO_COPY = 50;
export const RECORD_COLUMNS = "connectorcli.records (object, key, hash, row, position, record)";
const INSERT = `INSERT INTO ${RECORD_COLUMNS}
  SELECT $1, * FROM unnest($2::text[], $3::text[], $4::int[], $5::bigint[], $6::text[])`;
const UPDATE = `UPDATE connectorcli.records r SET hash = u.hash, position = u.position, record = u.record
  FROM unnest($2::text[], $3::text[], $4::bigint[], $5::text[]) u (key, hash, position, record)
  WHERE r.object = $1 AND r.key = u.key`;
const INSERT_ALTERNATE_KEYS = `INSERT INTO connectorcli.alternate_keys (object, key, record_key)
  SELECT $1, * FROM unnest($2::text[], $3::text[])`;
const DELETE = "DELETE FROM connectorcli.records WHERE object = $1 AND key = ANY ($2::text[])";
const DELETE_ALTERNATE_KEYS =
  "DELETE FROM connectorcli.alternate_keys WHERE object = $1 AND record_key = ANY ($2::text[])";
/** Who waits is told when the transaction is committed, once a page: each such commit waits for all others of the server. */
const INSERT_CHANGES = `INSERT INTO connectorcli.changes (workspace, last, first, object, run, at, operations, keys)
  VALUES ($1, $2, $3, $4, $5, now(), $6, $7) RETURNING pg_notify('${HINTS}', $1::text)`;

/** What is said on the channel of hints where the feed of a workspace has grown. */
export function feedChannel(workspace: number): string {
  return String(workspace);
}

/** Row of the object; undefined if nothing was ever written of it. */
export async function findObject(
  queries: Queries,
  workspace: number,
  path: string,
): Promise<number | undefined> {
  const sql = "SELECT id FROM connectorcli.objects WHERE workspace = $1 AND path = $2";
  const row = await queries.row(sql, workspace, path);
  return row === undefined ? undefined : Number(row[0]);
}

/** Row of the object, which is inserted if there is none. */
export async function findOrInsertObject(queries: Queries, workspace: number, path: string): Promise<number> {
  const known = await findObject(queries, workspace, path);
  if (known !== undefined) return known;
  const sql = "INSERT INTO connectorcli.objects (workspace, path) VALUES ($1, $2) ON CONFLICT DO NOTHING";
  await queries.run(sql, workspace, path);
  return findOrInsertObject(queries, workspace, path);
}

/** Number of the last change of a workspace; 0 if there is none. */
export async function lastPosition(queries: Queries, workspace: number): Promise<number> {
  const row = await queries.row("SELECT position FROM connectorcli.workspaces WHERE id = $1", workspace);
  return Number(row?.[0] ?? 0);
}

/** Looks up what is stored under the keys of records, and writes them. */
export async function writeRecords(
  transaction: Transaction,
  writes: readonly RecordWrite[],
  context: WriteContext,
): Promise<PageDiff> {
  const keys = writes.map(({ key }) => key);
  const diff = diffPage(writes, await lookUp(transaction, context.object, keys));
  await writePage(transaction, diff, { ...context, numbers: await takeNumbers(transaction, diff, context) });
  return diff;
}

/** Numbers that a page has taken, of its first change and of its first new row, and its row of the feed. */
export interface PageNumbers {
  readonly first: number;
  readonly firstRow: number;
  readonly feed: FeedRow;
}

/** Takes the numbers that a page needs. Until the transaction ends, nobody else gets later ones. */
export async function takeNumbers(
  transaction: Transaction,
  { changes, inserts }: PageDiff,
  { workspace, object }: WriteContext,
): Promise<PageNumbers> {
  const taking = Promise.all([
    takePositions(transaction, workspace, changes.length),
    takeRows(transaction, object, inserts.length),
  ]);
  const feed = feedRow(changes);
  const [first, firstRow] = await taking;
  return { first, firstRow, feed };
}

/** Writes what a page changes, with the feed and the index of alternate keys. */
export async function writePage(
  transaction: Transaction,
  diff: PageDiff,
  { numbers: { first, firstRow, feed }, ...context }: WriteContext & { readonly numbers: PageNumbers },
): Promise<void> {
  if (context.keptBefores > 0)
    keepBefores(transaction, changedRows(diff), { ...context, first, count: diff.changes.length });
  deleteRows(transaction, context.object, keysOfDeleted(diff));
  updateRows(transaction, diff.updates, { ...context, first });
  // The server does this while the first rows to copy are made.
  insertChanges(transaction, feed, { ...context, first });
  await insertRows(transaction, diff.inserts, { ...context, first, firstRow });
}

/** Keys of records that the page leaves deleted. */
function keysOfDeleted({ changes, counts, inserts, updates }: PageDiff): readonly string[] {
  if (counts.deleted === 0) return [];
  const written = new Set([...inserts, ...updates].map(({ write }) => write.key));
  const gone = changes.filter(({ operation, key }) => operation === "delete" && !written.has(key));
  return gone.map(({ key }) => key);
}

/** Deletes records by their keys and adds that to the feed. */
export async function deleteRecords(
  transaction: Transaction,
  keys: readonly string[],
  context: WriteContext,
): Promise<void> {
  if (keys.length === 0) return;
  const first = await takePositions(transaction, context.workspace, keys.length);
  if (context.keptBefores > 0) {
    const rows = keys.map((key, change) => ({ key, change }));
    keepBefores(transaction, rows, { ...context, first, count: keys.length });
  }
  deleteRows(transaction, context.object, keys);
  const feed = feedRow(keys.map((key) => ({ key, operation: "delete" as const })));
  insertChanges(transaction, feed, { ...context, first });
}

/**
 * Deletes records that have not changed since they were read, and keeps each as rejected unless there is one of its
 * identity; returns the rows that were deleted, and how many are kept.
 */
export async function takeOutRecords(
  transaction: Transaction,
  records: readonly UnfitRecord[],
  context: WriteContext & { readonly run: number },
): Promise<{ readonly deletes: readonly StoredVersion[]; readonly rejected: number }> {
  const versions = await lookUp(
    transaction,
    context.object,
    records.map(({ key }) => key),
  );
  const unfit = records.flatMap((record, index) => {
    const version = versions[index];
    return version?.sequence === record.sequence ? [{ ...record, version }] : [];
  });
  const rejected = await keepRejected(
    transaction,
    unfit.map((record) => record.rejected),
    context,
    "DO NOTHING",
  );
  await deleteRecords(
    transaction,
    unfit.map(({ key }) => key),
    context,
  );
  return { deletes: unfit.map(({ version }) => version), rejected };
}

/** Replaces the alternate keys of records that have not changed since they were read. */
export async function replaceAlternateKeys(
  transaction: Transaction,
  object: number,
  writes: readonly AlternateKeyWrite[],
): Promise<void> {
  const versions = await lookUp(
    transaction,
    object,
    writes.map(({ key }) => key),
  );
  const current = writes.filter(({ sequence }, index) => versions[index]?.sequence === sequence);
  transaction.later(
    DELETE_ALTERNATE_KEYS,
    object,
    current.map(({ key }) => key),
  );
  insertAlternateKeys(transaction, object, alternateKeyRows(current));
}

export interface RejectedPage {
  readonly rejected: readonly RejectedWrite[];
  /** Identities of rejected records that are valid now. */
  readonly recovered: readonly string[];
  /** Keys of valid records: what was rejected under them before is dropped. */
  readonly keys: readonly string[];
}

const KEEP = `INSERT INTO connectorcli.rejected (object, run, at, identity, operation, key, findings, record)
  SELECT $1, $2, now(), * FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
  ON CONFLICT (object, identity)`;
/** A record of which this run does not know the key stays one of which nobody knows it, whatever else has its identity. */
const REPLACE = `DO UPDATE SET operation = excluded.operation,
  key = CASE WHEN rejected.run = excluded.run AND rejected.key IS NULL THEN NULL ELSE excluded.key END,
  run = excluded.run, at = excluded.at, findings = excluded.findings, record = excluded.record`;

/** Keeps rejected records, or does what `onConflict` says where one of the identity is kept; returns how many rows changed. */
async function keepRejected(
  transaction: Transaction,
  writes: readonly RejectedWrite[],
  { object, run }: WriteContext & { readonly run: number },
  onConflict: string,
): Promise<number> {
  if (writes.length === 0) return 0;
  // A statement can't write the same row twice; the last one of an identity counts.
  const nameless = new Set(writes.filter(({ key }) => key === undefined).map(({ identity }) => identity));
  const distinct = [...new Map(writes.map((write) => [write.identity, write])).values()];
  return transaction.run(
    `${KEEP} ${onConflict}`,
    object,
    run,
    distinct.map(({ identity }) => identity),
    distinct.map(({ operation }) => operation),
    distinct.map(({ identity, key }) => (nameless.has(identity) ? null : (key ?? null))),
    distinct.map(({ findings }) => JSON.stringify(findings)),
    distinct.map(({ record }) => record),
  );
}

const DROP_RECOVERED = "DELETE FROM connectorcli.rejected WHERE object = $1 AND identity = ANY ($2::text[])";
/** What this run has rejected with a key that does not fit may be another record than the valid one of that key. */
const DROP_VALID = `${DROP_RECOVERED} AND (key IS NOT NULL OR run <> $3)`;

/** Whether a rejected record of the object is kept. */
export async function hasRejected(queries: Queries, object: number): Promise<boolean> {
  const sql = "SELECT 1 FROM connectorcli.rejected WHERE object = $1 LIMIT 1";
  return (await queries.row(sql, object)) !== undefined;
}

/** Keeps and drops rejected records. */
export async function writeRejected(
  transaction: Transaction,
  { rejected, recovered, keys }: RejectedPage,
  context: WriteContext & { readonly run: number },
): Promise<void> {
  const { object, run } = context;
  await keepRejected(transaction, rejected, context, REPLACE);
  if (recovered.length > 0) transaction.later(DROP_RECOVERED, object, recovered);
  if (keys.length > 0) transaction.later(DROP_VALID, object, keys, run);
}

/** What is stored under each of `keys`. */
export async function lookUp(
  queries: Queries,
  object: number,
  keys: readonly string[],
): Promise<readonly (StoredVersion | undefined)[]> {
  if (keys.length === 0) return [];
  const [found] = (await queries.row(LOOK_UP, object, keys)) ?? [];
  return toVersions(found);
}

/** What was looked up under each of the keys; something if there was one key at least. */
export function toVersions(found: Cell | undefined): readonly (StoredVersion | undefined)[] {
  return String(found).split("\n").map(toVersion);
}

function toVersion(text: string): StoredVersion | undefined {
  if (text === "") return undefined;
  const afterSequence = text.indexOf(" ");
  const afterRow = text.indexOf(" ", afterSequence + 1);
  return {
    row: Number(text.slice(afterSequence, afterRow)),
    hash: text.slice(afterRow + 1),
    sequence: Number(text.slice(0, afterSequence)),
  };
}

/** Takes the next numbers of the feed, and returns the first. Until the transaction ends, nobody else gets later ones. */
async function takePositions(transaction: Transaction, workspace: number, count: number): Promise<number> {
  if (count === 0) return 0;
  const sql = "UPDATE connectorcli.workspaces SET position = position + $2 WHERE id = $1 RETURNING position";
  const [last] = (await transaction.row(sql, workspace, count)) ?? [];
  return Number(last) - count + 1;
}

/** Takes the next numbers of rows of the object, and returns the first. */
async function takeRows(transaction: Transaction, object: number, count: number): Promise<number> {
  if (count === 0) return 0;
  const sql = "UPDATE connectorcli.objects SET next_row = next_row + $2 WHERE id = $1 RETURNING next_row";
  const [next] = (await transaction.row(sql, object, count)) ?? [];
  return Number(next) - count;
}

/** A context with the number of the first change of the page. */
interface NumberedContext extends WriteContext {
  readonly first: number;
}

async function insertRows(
  transaction: Transaction,
  inserts: PageDiff["inserts"],
  { object, first, firstRow }: NumberedContext & { readonly firstRow: number },
): Promise<void> {
  if (inserts.length === 0) return;
  const writes = inserts.map(({ write }) => write);
  const rows = function* () {
    for (const [index, { write, change }] of inserts.entries())
      yield [object, write.key, write.hash, firstRow + index, BigInt(first + change), textOf(write)];
  };
  const writing =
    inserts.length >= ROWS_TO_COPY
      ? transaction.copyTyped(RECORD_COLUMNS, rows())
      : transaction.run(
          INSERT,
          object,
          writes.map(({ key }) => key),
          writes.map(({ hash }) => hash),
          inserts.map((_, index) => firstRow + index),
          inserts.map(({ change }) => first + change),
          writes.map(textOf),
        );
  // The server works meanwhile.
  const alternates = alternateKeyRows(writes);
  // Whether a key is there is to be known before anything rests on it.
  await writing;
  insertAlternateKeys(transaction, object, alternates);
}

function updateRows(
  transaction: Transaction,
  updates: PageDiff["updates"],
  { object, first }: NumberedContext,
): void {
  if (updates.length === 0) return;
  const keys = updates.map(({ write }) => write.key);
  transaction.later(
    UPDATE,
    object,
    keys,
    updates.map(({ write }) => write.hash),
    updates.map(({ change }) => first + change),
    updates.map(({ write }) => textOf(write)),
  );
  transaction.later(DELETE_ALTERNATE_KEYS, object, keys);
  insertAlternateKeys(transaction, object, alternateKeyRows(updates.map(({ write }) => write)));
}

/** @throws TypeError if a record can't be a text, which ends the transaction. */
function textOf({ record }: UpsertWrite): string {
  return JSON.stringify(record) ?? "null";
}

/** Rows of alternate keys: those of the first list lead to the keys of records in the second one. */
type AlternateKeyRows = readonly [alternates: readonly string[], keys: readonly string[]];

function alternateKeyRows(
  writes: readonly Pick<AlternateKeyWrite, "key" | "alternateKeys">[],
): AlternateKeyRows {
  const pairs = writes.flatMap(({ key, alternateKeys }) =>
    alternateKeys.map((alternate) => [alternate, key] as const),
  );
  return [pairs.map(([alternate]) => alternate), pairs.map(([, key]) => key)];
}

function insertAlternateKeys(transaction: Transaction, object: number, rows: AlternateKeyRows): void {
  if (rows[0].length > 0) transaction.later(INSERT_ALTERNATE_KEYS, object, ...rows);
}

function deleteRows(transaction: Transaction, object: number, keys: readonly string[]): void {
  if (keys.length === 0) return;
  transaction.later(DELETE, object, keys);
  transaction.later(DELETE_ALTERNATE_KEYS, object, keys);
}

/** A row that is there and is changed, by the index of the change. */
interface ChangedRow {
  readonly key: string;
  readonly change: number;
}

function changedRows({ changes, updates, deletes }: PageDiff): readonly ChangedRow[] {
  return [...updates, ...deletes].map(({ change }) => ({ key: changes[change]?.key ?? "", change }));
}

const KEEP_BEFORES = `INSERT INTO connectorcli.befores (workspace, position, record)
  SELECT $1, u.position, r.record FROM unnest($3::text[], $4::bigint[]) u (key, position)
    JOIN connectorcli.records r ON r.object = $2 AND r.key = u.key`;
/** Drops the records before all changes up to a number. */
export const DROP_BEFORES = "DELETE FROM connectorcli.befores WHERE workspace = $1 AND position <= $2";

/** Keeps rows as they are before they are changed, and drops what is older than the latest changes. */
function keepBefores(
  transaction: Transaction,
  rows: readonly ChangedRow[],
  { workspace, object, keptBefores, first, count }: NumberedContext & { readonly count: number },
): void {
  if (count === 0) return;
  const end = first - 1 + count - keptBefores;
  const kept = rows.filter(({ change }) => first + change > end);
  if (kept.length > 0) {
    const keys = kept.map(({ key }) => key);
    const positions = kept.map(({ change }) => first + change);
    transaction.later(KEEP_BEFORES, workspace, object, keys, positions);
  }
  transaction.later(DROP_BEFORES, workspace, end);
}

/** A page is one row of the feed: a letter and a key for each change. */
export const OPERATION_LETTERS = { insert: "i", update: "u", delete: "d" } as const;

interface FeedRow {
  readonly operations: string;
  /** The keys as they are sent. */
  readonly keys: string;
}

function feedRow(changes: PageDiff["changes"]): FeedRow {
  return {
    operations: changes.map(({ operation }) => OPERATION_LETTERS[operation]).join(""),
    keys: arrayText(changes.map(({ key }) => key)),
  };
}

function insertChanges(
  transaction: Transaction,
  { operations, keys }: FeedRow,
  { workspace, object, run, first }: NumberedContext,
): void {
  const count = operations.length;
  if (count === 0) return;
  transaction.later(INSERT_CHANGES, workspace, first + count - 1, first, object, run, operations, keys);
}
