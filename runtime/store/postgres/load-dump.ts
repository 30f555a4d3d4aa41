/** Fills an empty workspace with all that another store held: the next run changes nothing. */
import type { DumpedChange, DumpedObject, DumpedRecord, MovedCounts, StoreDump } from "../dump.js";
import { StoreError } from "../store.js";
import type { Database, Transaction } from "./database.js";
import { findOrInsertObject, OPERATION_LETTERS, RECORD_COLUMNS } from "./write-page.js";

const ROWS_PER_COPY = 1_000;

/**
 * Loads a dump into a workspace, in one transaction: all of it or nothing.
 * @throws StoreError if the workspace holds something already.
 */
export function loadDump(database: Database, workspace: number, dump: StoreDump): Promise<MovedCounts> {
  return database.transaction(async (transaction) => {
    // Whoever comes meanwhile waits for the end of this.
    const sql = "SELECT 1 FROM connectorcli.workspaces WHERE id = $1 FOR UPDATE";
    await transaction.rows(sql, workspace);
    if ((await transaction.row(ANYTHING, workspace)) !== undefined)
      throw new StoreError(
        "other-tenant",
        `${database.name} has data of this tenant already. Load into a new one.`,
      );
    await transaction.run(
      `UPDATE connectorcli.workspaces SET connection = $2, position = $3, removed_to = $4, last_run = $5
        WHERE id = $1`,
      workspace,
      dump.connection === null ? null : JSON.stringify(dump.connection),
      dump.lastChange,
      dump.removedTo,
      dump.lastRun,
    );
    await transaction.copy(
      "connectorcli.consumers (workspace, name, position, seen_at)",
      dump.consumers.map(({ name, position, seenAt }) => [workspace, name, position, seenAt]),
    );
    const ids = new Map<string, number>();
    const moved = { records: 0, changes: 0, rejected: 0, runs: 0, actions: 0 };
    for (const object of dump.objects) {
      const id = await findOrInsertObject(transaction, workspace, object.path);
      ids.set(object.path, id);
      const records = await loadRecords(transaction, id, dump.records(object.path));
      await finishObject(transaction, id, object, records);
      moved.records += records;
      moved.rejected += await loadRejected(transaction, id, dump.rejected(object.path));
      moved.runs += await loadRuns(transaction, { workspace, object: id }, dump.runs(object.path));
    }
    moved.changes = await loadChanges(transaction, { workspace, ids }, dump.changes());
    moved.actions = await loadActions(transaction, workspace, dump.actions());
    return moved;
  });
}

const ANYTHING = `SELECT 1 FROM connectorcli.objects WHERE workspace = $1
  UNION ALL SELECT 1 FROM connectorcli.actions WHERE workspace = $1 LIMIT 1`;

type Cells = readonly (string | number | null)[];

/** Copies rows in pieces, and returns how many there were. */
async function copyAll(transaction: Transaction, target: string, rows: Iterable<Cells>): Promise<number> {
  let count = 0;
  for (const piece of pieces(rows, ROWS_PER_COPY)) {
    await transaction.copy(target, piece);
    count += piece.length;
  }
  return count;
}

function* pieces<Item>(items: Iterable<Item>, size: number): Iterable<readonly Item[]> {
  let piece: Item[] = [];
  for (const item of items) {
    piece.push(item);
    if (piece.length < size) continue;
    yield piece;
    piece = [];
  }
  if (piece.length > 0) yield piece;
}

async function loadRecords(
  transaction: Transaction,
  object: number,
  records: Iterable<DumpedRecord>,
): Promise<number> {
  let count = 0;
  for (const piece of pieces(records, ROWS_PER_COPY)) {
    const first = count;
    await transaction.copyTyped(
      RECORD_COLUMNS,
      piece.map(({ key, hash, sequence, recordJson }, index) => [
        ...[object, key, hash, first + index, BigInt(sequence), recordJson],
      ]),
    );
    await transaction.copy(
      "connectorcli.alternate_keys (object, key, record_key)",
      piece.flatMap(({ key, alternateKeys }) => alternateKeys.map((alternate) => [object, alternate, key])),
    );
    count += piece.length;
  }
  return count;
}

async function finishObject(
  transaction: Transaction,
  id: number,
  { checkpoint, alternateKeysVersion, schemaVersion, fullyReadAt }: DumpedObject,
  nextRow: number,
): Promise<void> {
  const sql = `UPDATE connectorcli.objects SET checkpoint = $2, alternate_keys_version = $3, schema_version = $4,
    fully_read_at = $5, next_row = $6 WHERE id = $1`;
  const text = checkpoint === null ? null : JSON.stringify(checkpoint);
  await transaction.run(sql, id, text, alternateKeysVersion, schemaVersion, fullyReadAt, nextRow);
}

function loadRejected(
  transaction: Transaction,
  object: number,
  rejected: ReturnType<StoreDump["rejected"]>,
): Promise<number> {
  return copyAll(
    transaction,
    "connectorcli.rejected (object, identity, operation, key, run, at, findings, record)",
    mapped(rejected, ({ identity, operation, key, run, at, findings, record }) => [
      ...[object, identity, operation, key ?? null, run, at, JSON.stringify(findings), record],
    ]),
  );
}

function loadRuns(
  transaction: Transaction,
  { workspace, object }: { readonly workspace: number; readonly object: number },
  runs: ReturnType<StoreDump["runs"]>,
): Promise<number> {
  return copyAll(
    transaction,
    `connectorcli.runs (workspace, object, before, paged_at, id, kind, state, started_at, ended_at, message, unchanged,
      inserted, updated, deleted, rejected)`,
    mapped(runs, (run) => {
      const state = run.state === "running" ? "abandoned" : run.state;
      const message = run.message === null ? null : JSON.stringify(run.message);
      const { unchanged, inserted, updated, deleted, rejected } = run;
      return [
        ...[
          workspace,
          object,
          0,
          run.startedAt,
          run.id,
          run.kind,
          state,
          run.startedAt,
          run.endedAt,
          message,
        ],
        ...[unchanged, inserted, updated, deleted, rejected],
      ];
    }),
  );
}

/** Changes of one transaction become a row. */
async function loadChanges(
  transaction: Transaction,
  { workspace, ids }: { readonly workspace: number; readonly ids: ReadonlyMap<string, number> },
  changes: Iterable<DumpedChange>,
): Promise<number> {
  let count = 0;
  const rows = mapped(pages(changes), (page) => {
    count += page.length;
    const [{ object, run, at, sequence } = NO_CHANGE] = page;
    const operations = page.map(({ operation }) => OPERATION_LETTERS[operation]).join("");
    const keys = arrayText(page.map(({ key }) => key));
    return [workspace, sequence + page.length - 1, sequence, ids.get(object) ?? 0, run, at, operations, keys];
  });
  const target = "connectorcli.changes (workspace, last, first, object, run, at, operations, keys)";
  await copyAll(transaction, target, rows);
  return count;
}

const NO_CHANGE: DumpedChange = { sequence: 0, object: "", key: "", operation: "update", at: "", run: null };

/** Changes that follow each other without a hole and were made together, at most a thousand. */
function* pages(changes: Iterable<DumpedChange>): Iterable<readonly DumpedChange[]> {
  let page: DumpedChange[] = [];
  for (const change of changes) {
    const last = page.at(-1);
    const isNext =
      last !== undefined &&
      page.length < ROWS_PER_COPY &&
      change.sequence === last.sequence + 1 &&
      change.object === last.object &&
      change.run === last.run &&
      change.at === last.at;
    if (!isNext && page.length > 0) {
      yield page;
      page = [];
    }
    page.push(change);
  }
  if (page.length > 0) yield page;
}

/** An array as PostgreSQL writes it. */
function arrayText(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replace(/["\\]/g, "\\$&")}"`).join(",")}}`;
}

function loadActions(
  transaction: Transaction,
  workspace: number,
  actions: ReturnType<StoreDump["actions"]>,
): Promise<number> {
  return copyAll(
    transaction,
    `connectorcli.actions (workspace, object, action, state, attempts, queued_at, due_at, leased_until, note, input,
      result)`,
    mapped(actions, (action) => {
      const {
        object,
        action: name,
        state,
        attempts,
        queuedAt,
        dueAt,
        noteJson,
        inputJson,
        resultJson,
      } = action;
      const leasedUntil = state === "taken" ? queuedAt : null;
      return [
        ...[workspace, object, name, state, attempts, queuedAt, dueAt, leasedUntil],
        ...[noteJson, inputJson, resultJson],
      ];
    }),
  );
}

function* mapped<Item>(items: Iterable<Item>, toCells: (item: Item) => Cells): Iterable<Cells> {
  for (const item of items) yield toCells(item);
}
