/** What readers of a workspace see: records, the change feed, rejected records. All are read in pages. */

import { refuseExpired } from "../retention.js";
import { REJECTED_COLUMNS, toIso, toRejected } from "../rows.js";
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
import type { Database, Queries, Row } from "./database.js";
import { advance, consumersOf, feedEnds, forget, prune } from "./retention.js";
import { feedChannel, findObject, lastPosition } from "./write-page.js";

const ROWS_PER_PAGE = 500;
const KEYS_PER_SHARED_KEY = 10;
/** How often the feed is looked at where no hint comes. */
const PAUSE_MS = 5_000;

/** Row of an object by the first two parameters, its workspace and its path: no call of its own asks for it. */
const OBJECT = "(SELECT id FROM connectorcli.objects WHERE workspace = $1 AND path = $2)";
const RECORD = "r.key, r.record, r.hash, r.position";

/** Where a workspace is read. */
export interface WorkspaceQueries {
  readonly queries: Database;
  readonly workspace: number;
}

export class PostgresRecords implements RecordStore {
  readonly #place: WorkspaceQueries;

  constructor(place: WorkspaceQueries) {
    this.#place = place;
  }

  async get(object: string, key: string): Promise<StoredRecord | undefined> {
    const sql = `SELECT ${RECORD} FROM connectorcli.records r WHERE object = ${OBJECT} AND key = $3`;
    const [row] = await this.#rows(object, sql, key);
    return row === undefined ? undefined : toRecord(object, row);
  }

  async find(object: string, alternateKey: string): Promise<readonly StoredRecord[]> {
    const sql = `SELECT ${RECORD} FROM connectorcli.alternate_keys a
      JOIN connectorcli.records r ON r.object = a.object AND r.key = a.record_key
      WHERE a.object = ${OBJECT} AND a.key = $3 ORDER BY r.key`;
    return (await this.#rows(object, sql, alternateKey)).map((row) => toRecord(object, row));
  }

  async *list(
    object: string,
    { after = "", offset = 0, limit = Number.POSITIVE_INFINITY }: ListOptions = {},
  ): AsyncIterable<StoredRecord> {
    const sql = `SELECT ${RECORD} FROM connectorcli.records r
      WHERE object = ${OBJECT} AND key > $3 ORDER BY key LIMIT $4 OFFSET $5`;
    let [last, skipped] = [after, offset];
    for (let left = limit; left > 0; ) {
      const rows = await this.#rows(object, sql, last, Math.min(left, ROWS_PER_PAGE), skipped);
      skipped = 0;
      for (const row of rows) yield toRecord(object, row);
      if (rows.length < ROWS_PER_PAGE) return;
      last = String(rows.at(-1)?.[0]);
      left -= rows.length;
    }
  }

  async count(object: string): Promise<number> {
    const rows = await this.#rows(
      object,
      `SELECT count(*) FROM connectorcli.records WHERE object = ${OBJECT}`,
    );
    return Number(rows[0]?.[0]);
  }

  async sharedKeys(object: string, limit: number): Promise<readonly SharedKey[]> {
    const sql = `SELECT key, (array_agg(record_key ORDER BY record_key))[1:${KEYS_PER_SHARED_KEY}]
      FROM connectorcli.alternate_keys WHERE object = ${OBJECT} GROUP BY key HAVING count(*) > 1 ORDER BY key LIMIT $3`;
    const rows = await this.#rows(object, sql, limit);
    return rows.map(([alternateKey, keys]) => ({
      alternateKey: String(alternateKey),
      keys: keys as unknown as readonly string[],
    }));
  }

  /** Rows of a query of an object; its other parameters begin with `$3`. */
  #rows(object: string, sql: string, ...values: readonly (string | number)[]): Promise<readonly Row[]> {
    const { queries, workspace } = this.#place;
    return queries.rows(sql, workspace, object, ...values);
  }
}

function toRecord(object: string, [key, record, hash, position]: Row): StoredRecord {
  return {
    object,
    key: String(key),
    record: JSON.parse(String(record)),
    hash: String(hash),
    sequence: Number(position),
  };
}

/** How much was removed comes with the pages, so that both are of one moment: one row without a page if there is none. */
const PAGES = `SELECT w.removed_to, p.first, p.path, p.object, p.operations, p.keys, p.at
  FROM connectorcli.workspaces w LEFT JOIN LATERAL
    (SELECT c.first, c.last, o.path, c.object, c.operations, c.keys, c.at
      FROM connectorcli.changes c JOIN connectorcli.objects o ON o.id = c.object
      WHERE c.workspace = $1 AND c.last > $2 AND ($3::text IS NULL OR o.path = $3) ORDER BY c.last LIMIT 20) p ON true
  WHERE w.id = $1 ORDER BY p.last`;
const RECORDS = `SELECT (SELECT r.record FROM connectorcli.records r WHERE r.object = $1 AND r.key = k),
    (SELECT b.record FROM connectorcli.befores b WHERE b.workspace = $3 AND b.position = $4 + n - 1)
  FROM unnest($2::text[]) WITH ORDINALITY AS u (k, n)`;
const OPERATIONS: Readonly<Record<string, Change["operation"]>> = { i: "insert", u: "update", d: "delete" };

/**
 * A workspace counts its changes in a row of its own, which a transaction holds until its end: numbers become visible in
 * their order, and without holes.
 */
export class PostgresChanges implements ChangeFeed {
  readonly #place: WorkspaceQueries;

  constructor(place: WorkspaceQueries) {
    this.#place = place;
  }

  async *since(
    sequence: number,
    { object, limit = Number.POSITIVE_INFINITY }: ChangesOptions = {},
  ): AsyncIterable<Change> {
    const { queries, workspace } = this.#place;
    let [last, left] = [sequence, limit];
    for (;;) {
      const pages = await queries.rows(PAGES, workspace, last, object ?? null);
      refuseExpired(queries.name, last, Number(pages[0]?.[0] ?? 0));
      for (const [, ...page] of pages) {
        if (page[0] === null) return;
        for await (const change of this.#changesOf(page, last)) {
          if (left-- <= 0) return;
          yield change;
          last = change.sequence;
        }
      }
    }
  }

  last(): Promise<number> {
    return lastPosition(this.#place.queries, this.#place.workspace);
  }

  waitFor(sequence: number, options?: WaitOptions): Promise<boolean> {
    const { queries, workspace } = this.#place;
    const pause = (ms: number, signal: AbortSignal | undefined) =>
      queries.hints.pause(feedChannel(workspace), { ms, signal });
    return waitForChange({ last: () => this.last(), pause, pauseMs: PAUSE_MS }, sequence, options);
  }

  async removedTo(): Promise<number> {
    return (await feedEnds(this.#place.queries, this.#place.workspace)).removedTo;
  }

  advance(consumer: string, sequence: number): Promise<void> {
    return advance(this.#place.queries, this.#place.workspace, { consumer, sequence });
  }

  consumers(): Promise<readonly Consumer[]> {
    return consumersOf(this.#place.queries, this.#place.workspace);
  }

  forget(consumer: string): Promise<boolean> {
    return forget(this.#place.queries, this.#place.workspace, consumer);
  }

  prune(options: PruneOptions = {}): Promise<PrunedChanges> {
    return prune(this.#place.queries, this.#place.workspace, options);
  }

  /** The changes of a page with a number above `after`. */
  async *#changesOf(page: Row, after: number): AsyncGenerator<Change> {
    const [first, path, object, operations, allKeys, at] = page;
    const start = Math.max(0, after + 1 - Number(first));
    const keys = allKeys as unknown as readonly string[];
    const { queries, workspace } = this.#place;
    for (let from = start; from < keys.length; from += ROWS_PER_PAGE) {
      const some = keys.slice(from, from + ROWS_PER_PAGE);
      const records = await queries.rows(RECORDS, Number(object), some, workspace, Number(first) + from);
      for (const [index, key] of some.entries()) {
        const operation = OPERATIONS[String(operations)[from + index] ?? ""] ?? "update";
        const [now, before] = records[index] ?? [];
        const record = operation === "delete" ? null : now;
        yield {
          sequence: Number(first) + from + index,
          object: String(path),
          key,
          operation,
          at: toIso(at),
          record: typeof record === "string" ? JSON.parse(record) : null,
          ...(typeof before === "string" && { before: JSON.parse(before) }),
        };
      }
    }
  }
}

export class PostgresRejected implements RejectedStore {
  readonly #place: WorkspaceQueries;

  constructor(place: WorkspaceQueries) {
    this.#place = place;
  }

  async *list(object: string): AsyncIterable<RejectedRecord> {
    const { queries, workspace } = this.#place;
    const id = await findObject(queries, workspace, object);
    if (id === undefined) return;
    for await (const { at, rejected } of rejectedRows(queries, id, null)) yield { ...rejected, object, at };
  }

  async count(object: string): Promise<number> {
    const { queries, workspace } = this.#place;
    const sql = `SELECT count(*) FROM connectorcli.rejected WHERE object = ${OBJECT}`;
    return Number((await queries.row(sql, workspace, object))?.[0]);
  }
}

const REJECTED = `SELECT ${REJECTED_COLUMNS}, id FROM connectorcli.rejected
  WHERE object = $1 AND id > $2 AND ($3::bigint IS NULL OR run <> $3) ORDER BY id LIMIT ${ROWS_PER_PAGE}`;

/** Rejected records of an object, but not those of the run `exceptRun`. Rows may be deleted while they are read. */
export async function* rejectedRows(
  queries: Queries,
  object: number,
  exceptRun: number | null,
): AsyncGenerator<{ readonly at: string; readonly rejected: RejectedWrite }> {
  for (let last = 0; ; ) {
    const rows = await queries.rows(REJECTED, object, last, exceptRun);
    for (const row of rows) yield { at: toIso(row[3]), rejected: toRejected(row) };
    if (rows.length < ROWS_PER_PAGE) return;
    last = Number(rows.at(-1)?.[6]);
  }
}
