/** Writes to the tables of records, changes and rejected records, as a part of the transaction that is open. */
import { diffPage, type PageDiff, type StoredVersion } from "../diff-page.js";
import type { AlternateKeyWrite, RecordWrite, RejectedWrite, UnfitRecord } from "../store.js";
import { HINTS, type Queries, type Transaction } from "./database.js";

/** On whose behalf something is written. */
export interface WriteContext {
  /** Row of the workspace. */
  readonly workspace: number;
  /** Row of the object. The transaction holds it: nobody else writes records of the object meanwhile. */
  readonly object: number;
  /** The run that writes; null if an action does. */
  readonly run: number | null;
}

// A join would be planned by the size that the table is believed to have; a subquery always goes by the index.
const LOOK_UP = `SELECT (SELECT r.position || ' ' || r.row || ' ' || r.hash FROM connectorcli.records r
    WHERE r.object = $1 AND r.key = k) FROM unnest($2::text[]) k`;
/** From so many rows on, copying is faster. */
const ROWS_TO_COPY = 50;
const RECORD_COLUMNS = "connectorcli.records (object, key, hash, row, position, record)";
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

/** Writes records in their order, with the feed and the index of alternate keys, and returns what that changed. */
export async function writeRecords(
  transaction: Transaction,
  writes: readonly RecordWrite[],
  context: WriteContext,
): Promise<PageDiff> {
  const keys = writes.map(({ key }) => key);
  const diff = diffPage(writes, await lookUp(transaction, context.object, keys));
  // Before anything is written: what can't be a text ends the transaction here.
  const texts = new Map(
    [...diff.inserts, ...diff.updates].map(({ write }) => [write, JSON.stringify(write.record)]),
  );
  const first = await takePositions(transaction, context.workspace, diff.changes.length);
  const gone = diff.changes.filter(({ operation }) => operation === "delete").map(({ key }) => key);
  const written = new Set([...diff.inserts, ...diff.updates].map(({ write }) => write.key));
  await deleteRows(
    transaction,
    context.object,
    gone.filter((key) => !written.has(key)),
  );
  await updateRows(transaction, diff, { ...context, first, texts });
  await insertRows(transaction, diff, { ...context, first, texts });
  await insertChanges(transaction, diff.changes, { ...context, first });
  return diff;
}

/** Deletes records by their keys and adds that to the feed. */
export async function deleteRecords(
  transaction: Transaction,
  keys: readonly string[],
  context: WriteContext,
): Promise<void> {
  if (keys.length === 0) return;
  const first = await takePositions(transaction, context.workspace, keys.length);
  await deleteRows(transaction, context.object, keys);
  const changes = keys.map((key) => ({ key, operation: "delete" as const }));
  await insertChanges(transaction, changes, { ...context, first });
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
  await transaction.run(
    DELETE_ALTERNATE_KEYS,
    object,
    current.map(({ key }) => key),
  );
  await insertAlternateKeys(transaction, object, current);
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

/** Keeps and drops rejected records; returns the cached records that have the key of one that was rejected now. */
export async function writeRejected(
  transaction: Transaction,
  { rejected, recovered, keys }: RejectedPage,
  context: WriteContext & { readonly run: number },
): Promise<readonly StoredVersion[]> {
  const { object, run } = context;
  await keepRejected(transaction, rejected, context, REPLACE);
  const any = "SELECT 1 FROM connectorcli.rejected WHERE object = $1 LIMIT 1";
  if ((await transaction.row(any, object)) === undefined) return [];
  if (recovered.length > 0) await transaction.run(DROP_RECOVERED, object, recovered);
  if (keys.length > 0) await transaction.run(DROP_VALID, object, keys, run);
  const identities = rejected.map(({ identity }) => identity);
  return (await lookUp(transaction, object, identities)).filter((version) => version !== undefined);
}

/** What is stored under each of `keys`. */
export async function lookUp(
  queries: Queries,
  object: number,
  keys: readonly string[],
): Promise<readonly (StoredVersion | undefined)[]> {
  if (keys.length === 0) return [];
  const rows = await queries.rows(LOOK_UP, object, keys);
  return rows.map(([found]) => {
    if (typeof found !== "string") return undefined;
    const [, sequence, row, hash = ""] = /^(\d+) (\d+) (.*)$/s.exec(found) ?? [];
    return { row: Number(row), hash, sequence: Number(sequence) };
  });
}

/** Takes the next numbers of the feed, and returns the first. Until the transaction ends, nobody else gets later ones. */
async function takePositions(transaction: Transaction, workspace: number, count: number): Promise<number> {
  if (count === 0) return 0;
  const sql = "UPDATE connectorcli.workspaces SET position = position + $2 WHERE id = $1 RETURNING position";
  const [last] = (await transaction.row(sql, workspace, count)) ?? [];
  return Number(last) - count + 1;
}

/** A context with the number of the first change of the page. */
interface NumberedContext extends WriteContext {
  readonly first: number;
}

/** With the JSON texts of the records. */
interface TextContext extends NumberedContext {
  readonly texts: ReadonlyMap<RecordWrite, string>;
}

async function insertRows(
  transaction: Transaction,
  { inserts }: PageDiff,
  { object, first, texts }: TextContext,
): Promise<void> {
  if (inserts.length === 0) return;
  const take = "UPDATE connectorcli.objects SET next_row = next_row + $2 WHERE id = $1 RETURNING next_row";
  const [next] = (await transaction.row(take, object, inserts.length)) ?? [];
  const firstRow = Number(next) - inserts.length;
  const rows = inserts.map(({ write, change }, index) => ({
    ...{ key: write.key, hash: write.hash, row: firstRow + index, position: first + change },
    record: texts.get(write) ?? "null",
  }));
  if (rows.length >= ROWS_TO_COPY) {
    await transaction.copy(
      RECORD_COLUMNS,
      rows.map(({ key, hash, row, position, record }) => [object, key, hash, row, position, record]),
    );
  } else {
    await transaction.run(
      INSERT,
      object,
      rows.map(({ key }) => key),
      rows.map(({ hash }) => hash),
      rows.map(({ row }) => row),
      rows.map(({ position }) => position),
      rows.map(({ record }) => record),
    );
  }
  await insertAlternateKeys(
    transaction,
    object,
    inserts.map(({ write }) => write),
  );
}

async function updateRows(
  transaction: Transaction,
  { updates }: PageDiff,
  { object, first, texts }: TextContext,
): Promise<void> {
  if (updates.length === 0) return;
  const keys = updates.map(({ write }) => write.key);
  await transaction.run(
    UPDATE,
    object,
    keys,
    updates.map(({ write }) => write.hash),
    updates.map(({ change }) => first + change),
    updates.map(({ write }) => texts.get(write) ?? "null"),
  );
  await transaction.run(DELETE_ALTERNATE_KEYS, object, keys);
  await insertAlternateKeys(
    transaction,
    object,
    updates.map(({ write }) => write),
  );
}

async function insertAlternateKeys(
  transaction: Transaction,
  object: number,
  writes: readonly Pick<AlternateKeyWrite, "key" | "alternateKeys">[],
): Promise<void> {
  const pairs = writes.flatMap(({ key, alternateKeys }) =>
    alternateKeys.map((alternate) => [alternate, key] as const),
  );
  if (pairs.length === 0) return;
  await transaction.run(
    INSERT_ALTERNATE_KEYS,
    object,
    pairs.map(([alternate]) => alternate),
    pairs.map(([, key]) => key),
  );
}

async function deleteRows(transaction: Transaction, object: number, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await transaction.run(DELETE, object, keys);
  await transaction.run(DELETE_ALTERNATE_KEYS, object, keys);
}

/** A page is one row of the feed: a letter and a key for each change. */
export const OPERATION_LETTERS = { insert: "i", update: "u", delete: "d" } as const;

async function insertChanges(
  transaction: Transaction,
  changes: PageDiff["changes"],
  { workspace, object, run, first }: NumberedContext,
): Promise<void> {
  if (changes.length === 0) return;
  const operations = changes.map(({ operation }) => OPERATION_LETTERS[operation]).join("");
  const keys = changes.map(({ key }) => key);
  await transaction.run(
    INSERT_CHANGES,
    workspace,
    first + changes.length - 1,
    first,
    object,
    run,
    operations,
    keys,
  );
}
