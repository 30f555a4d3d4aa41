/** The queue of actions in the embedded store: a row an action, taken for a time by a worker with a token. */
import { randomUUID } from "node:crypto";
import type {
  ActionQueue,
  ActionState,
  NewAction,
  ObjectWrites,
  QueuedAction,
  Settlement,
  TakeAction,
  TakenAction,
} from "../queue.js";
import type { Cell, Connection, Row } from "./connection.js";
import { problem } from "./errors.js";
import { madeObjectRow } from "./objects.js";
import { applyWrites } from "./writes.js";

const COLUMNS = "id, object, action, state, attempts, queued_at, due_at, note, input, result";
const ROWS_A_PAGE = 100;

const NEXT = `SELECT ${COLUMNS} FROM actions
  WHERE (state = 'queued' AND due_at <= ?1 OR state = 'taken' AND leased_until <= ?1)
    AND json_array(object, action) IN (SELECT value FROM json_each(?2)) AND (?3 IS NULL OR id = ?3)
  ORDER BY due_at, id LIMIT 1`;

export class SqliteQueue implements ActionQueue {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async add({ object, action, input }: NewAction): Promise<QueuedAction> {
    const now = time();
    const sql = `INSERT INTO actions (object, action, state, queued_at, due_at, input)
      VALUES (?, ?, 'queued', ?, ?, ?) RETURNING ${COLUMNS}`;
    return queued(this.#one(this.#connection.rows(sql, object, action, now, now, JSON.stringify(input))));
  }

  async take({ leaseMs, actions, id }: TakeAction): Promise<TakenAction | undefined> {
    const names = JSON.stringify(actions.map(({ object, action }) => JSON.stringify([object, action])));
    return this.#connection.transaction(() => {
      const next = this.#connection.row(NEXT, time(), names, id ?? null);
      if (next === undefined) return undefined;
      const token = randomUUID();
      const sql = `UPDATE actions SET state = 'taken', attempts = attempts + 1, leased_until = ?, token = ?
        WHERE id = ? RETURNING ${COLUMNS}`;
      const row = this.#one(this.#connection.rows(sql, time(leaseMs), token, Number(next[0])));
      return { ...queued(row), token };
    });
  }

  async renew(action: TakenAction, leaseMs: number): Promise<void> {
    this.#update(action, "leased_until = ?", time(leaseMs));
  }

  async note(action: TakenAction, note: string): Promise<void> {
    this.#update(action, "note = ?", JSON.stringify(note));
  }

  async settle(action: TakenAction, settlement: Settlement): Promise<void> {
    const { state, dueAt = time(), result = null, changes = [], isUntried = false } = settlement;
    this.#connection.transaction(() => {
      const columns = `state = ?, due_at = ?, result = ?, attempts = attempts - ?, token = NULL,
        leased_until = NULL`;
      const text = result === null ? null : JSON.stringify(result);
      this.#update(action, columns, state, dueAt, text, isUntried ? 1 : 0);
      for (const change of changes) this.#apply(change);
    });
  }

  async get(id: number): Promise<QueuedAction | undefined> {
    const row = this.#connection.row(`SELECT ${COLUMNS} FROM actions WHERE id = ?`, id);
    return row === undefined ? undefined : queued(row);
  }

  async *list(state?: ActionState): AsyncIterable<QueuedAction> {
    const sql = `SELECT ${COLUMNS} FROM actions WHERE id > ?1 AND (?2 IS NULL OR state = ?2)
      ORDER BY id LIMIT ${ROWS_A_PAGE}`;
    for (let last = 0; ; ) {
      const rows = this.#connection.rows(sql, last, state ?? null);
      for (const row of rows) yield queued(row);
      if (rows.length < ROWS_A_PAGE) return;
      last = Number(rows.at(-1)?.[0]);
    }
  }

  async requeue(id: number): Promise<boolean> {
    const sql = `UPDATE actions SET state = 'queued', attempts = 0, due_at = ?
      WHERE id = ? AND state IN ('dead', 'failed')`;
    return this.#connection.run(sql, time(), id) === 1;
  }

  async cancelDueBefore(limit: string): Promise<number> {
    const sql = "UPDATE actions SET state = 'cancelled' WHERE state = 'queued' AND due_at < ?";
    return this.#connection.run(sql, limit);
  }

  #update({ id, token }: TakenAction, columns: string, ...values: readonly Cell[]): void {
    const sql = `UPDATE actions SET ${columns} WHERE id = ? AND token = ? AND state = 'taken'`;
    if (this.#connection.run(sql, ...values, id, token) !== 1) throw problem("superseded", `Action ${id}`);
  }

  #apply({ object, records, alternateKeys }: ObjectWrites): void {
    const row = madeObjectRow(this.#connection, object);
    applyWrites(this.#connection, records, { object: row, alternateKeys, at: time(), run: null });
  }

  #one(rows: readonly Row[]): Row {
    const [row] = rows;
    if (row === undefined) throw problem("corrupt", this.#connection.file);
    return row;
  }
}

function time(fromNow = 0): string {
  return new Date(Date.now() + fromNow).toISOString();
}

function queued(row: Row): QueuedAction {
  const [id, object, action, state, attempts, queuedAt, dueAt, note, input, result] = row;
  return {
    id: Number(id),
    object: String(object),
    action: String(action),
    state: state as ActionState,
    attempts: Number(attempts),
    queuedAt: String(queuedAt),
    dueAt: String(dueAt),
    note: typeof note === "string" ? JSON.parse(note) : null,
    input: JSON.parse(String(input)),
    result: typeof result === "string" ? JSON.parse(result) : null,
  };
}
