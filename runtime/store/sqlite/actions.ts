/** The ledger and the source of actions in the embedded store: both are one table, a row an action. */
import { randomUUID } from "node:crypto";
import type { QueueLimit } from "../queue-limit.js";
import { ACTION_COLUMNS, toEntry } from "../rows.js";
import type {
  ActionAddress,
  ActionClosing,
  ActionEntry,
  ActionLedger,
  ActionSource,
  ActionState,
  Attempt,
  FailedAttempt,
  NewAction,
  TakenAction,
  TakeOptions,
} from "../store.js";
import { noteTime } from "./clock.js";
import type { Cell, Connection } from "./connection.js";
import { createStoreError } from "./errors.js";
import { findOrInsertObject, writeRecords } from "./write-batch.js";

const ROWS_PER_PAGE = 100;
const COUNT_WAITING =
  "SELECT count(*) FROM (SELECT 1 FROM actions WHERE state IN ('queued', 'taken') LIMIT ?)";

export class SqliteLedger implements ActionLedger {
  readonly #connection: Connection;
  readonly #limit: QueueLimit;

  constructor(connection: Connection, limit: QueueLimit) {
    this.#connection = connection;
    this.#limit = limit;
  }

  async add({ object, action, inputJson }: NewAction): Promise<ActionEntry> {
    await this.#limit.takeRoom({
      name: this.#connection.file,
      countWaiting: async (most) => Number(this.#connection.row(COUNT_WAITING, most)?.[0]),
    });
    const queuedAt = isoTime();
    const sql = `INSERT INTO actions (object, action, state, queued_at, due_at, input)
      VALUES (?, ?, 'queued', ?, ?, ?) RETURNING id`;
    const row = write(this.#connection, () =>
      this.#connection.row(sql, object, action, queuedAt, queuedAt, inputJson),
    );
    const address = { id: Number(row?.[0]), object, action };
    const nothingYet = { attempts: 0, resultJson: null, noteJson: null };
    return { ...address, state: "queued", queuedAt, dueAt: queuedAt, inputJson, ...nothingYet };
  }

  async get(id: number): Promise<ActionEntry | undefined> {
    const row = this.#connection.row(`SELECT ${ACTION_COLUMNS} FROM actions WHERE id = ?`, id);
    return row === undefined ? undefined : toEntry(row);
  }

  async *list(state?: ActionState): AsyncIterable<ActionEntry> {
    const sql = `SELECT ${ACTION_COLUMNS} FROM actions WHERE id > ?1 AND (?2 IS NULL OR state = ?2)
      ORDER BY id LIMIT ${ROWS_PER_PAGE}`;
    for (let last = 0; ; ) {
      const rows = this.#connection.rows(sql, last, state ?? null);
      for (const row of rows) yield toEntry(row);
      if (rows.length < ROWS_PER_PAGE) return;
      last = Number(rows.at(-1)?.[0]);
    }
  }

  async note(attempt: Attempt, noteJson: string): Promise<void> {
    write(this.#connection, () => updateAttempt(this.#connection, attempt, "note = ?", noteJson));
  }

  async close(attempt: Attempt, { state, resultJson, changes = [] }: ActionClosing): Promise<void> {
    write(this.#connection, () => {
      const at = isoTime();
      const columns = "state = ?, due_at = ?, result = ?, token = NULL, leased_until = NULL";
      updateAttempt(this.#connection, attempt, columns, state, at, resultJson);
      for (const { object, records } of changes) {
        const row = findOrInsertObject(this.#connection, object);
        writeRecords(this.#connection, records, { object: row, at, run: null });
      }
    });
  }
}

const NEXT = `SELECT ${ACTION_COLUMNS} FROM actions
  WHERE (state = 'queued' AND due_at <= ?1 OR state = 'taken' AND leased_until <= ?1)
    AND (object, action) IN (SELECT value ->> 'object', value ->> 'action' FROM json_each(?2))
    AND (?3 IS NULL OR id = ?3)
  ORDER BY due_at, id LIMIT 1`;

export class SqliteSource implements ActionSource {
  readonly #connection: Connection;
  /** The actions that were asked for last, as JSON: a worker asks for the same ones at every poll. */
  #prepared: { readonly actions: readonly ActionAddress[]; readonly json: string } | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async take({ leaseMs, actions, id }: TakeOptions): Promise<TakenAction | undefined> {
    const list = this.#prepare(actions);
    return write(this.#connection, () => {
      const next = this.#connection.row(NEXT, isoTime(), list, id ?? null);
      if (next === undefined) return undefined;
      const token = randomUUID();
      const entry = toEntry(next);
      const attempts = entry.attempts + 1;
      const sql =
        "UPDATE actions SET state = 'taken', attempts = ?, leased_until = ?, token = ? WHERE id = ?";
      this.#connection.run(sql, attempts, isoTime(leaseMs), token, entry.id);
      return { ...entry, state: "taken", attempts, token };
    });
  }

  async extendLease(attempt: Attempt, leaseMs: number): Promise<void> {
    this.#settle(attempt, "leased_until = ?", isoTime(leaseMs));
  }

  async retry(attempt: Attempt, { dueAt, failureJson, isCounted = true }: FailedAttempt): Promise<void> {
    const columns = `state = 'queued', due_at = ?, result = ?, attempts = attempts - ?, token = NULL,
      leased_until = NULL`;
    this.#settle(attempt, columns, dueAt, failureJson, isCounted ? 0 : 1);
  }

  async giveBack(attempt: Attempt): Promise<void> {
    const columns = `state = 'queued', due_at = ?, attempts = attempts - 1, token = NULL, leased_until = NULL`;
    this.#settle(attempt, columns, isoTime());
  }

  async requeue(id: number): Promise<boolean> {
    const sql = `UPDATE actions SET state = 'queued', attempts = 0, due_at = ?
      WHERE id = ? AND state IN ('queued', 'failed', 'dead', 'cancelled')`;
    return this.#update(sql, isoTime(), id) === 1;
  }

  async cancel(id: number): Promise<boolean> {
    const sql = "UPDATE actions SET state = 'cancelled' WHERE id = ? AND state = 'queued'";
    return this.#update(sql, id) === 1;
  }

  async cancelDueBefore(time: string): Promise<number> {
    const sql = "UPDATE actions SET state = 'cancelled' WHERE state = 'queued' AND due_at < ?";
    return this.#update(sql, time);
  }

  #settle(attempt: Attempt, columns: string, ...values: readonly Cell[]): void {
    write(this.#connection, () => updateAttempt(this.#connection, attempt, columns, ...values));
  }

  #update(sql: string, ...values: readonly Cell[]): number {
    return write(this.#connection, () => this.#connection.run(sql, ...values));
  }

  #prepare(actions: readonly ActionAddress[]): string {
    if (this.#prepared?.actions !== actions) {
      const addresses = actions.map(({ object, action }) => ({ object, action }));
      this.#prepared = { actions, json: JSON.stringify(addresses) };
    }
    return this.#prepared.json;
  }
}

/** Does `work` in a transaction, by a clock that was looked at. */
function write<Result>(connection: Connection, work: () => Result): Result {
  return connection.transaction(() => {
    noteTime(connection);
    return work();
  });
}

/** Writes columns of the action's row. @throws StoreError `superseded` if another attempt has begun. */
function updateAttempt(
  connection: Connection,
  { id, token }: Attempt,
  columns: string,
  ...values: readonly Cell[]
): void {
  const sql = `UPDATE actions SET ${columns} WHERE id = ? AND token = ? AND state = 'taken'`;
  if (connection.run(sql, ...values, id, token) !== 1) throw createStoreError("superseded", `Action ${id}`);
}

function isoTime(fromNowMs = 0): string {
  return new Date(Date.now() + fromNowMs).toISOString();
}
