/** The ledger and the source of actions on PostgreSQL: both are one table, a row an action. */

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
import type { Database, Queries, Row, Value } from "./database.js";
import { createStoreError } from "./errors.js";
import { findOrInsertObject, type WriteContext, writeRecords } from "./write-page.js";

const ROWS_PER_PAGE = 100;
/** The server's clock, as precise as times are shown. */
const NOW = "date_trunc('milliseconds', clock_timestamp())";

/** All columns are texts: the driver of a caller may read others in a way of its own. */
const ADD = `INSERT INTO connectorcli.actions (workspace, object, action, state, queued_at, due_at, input)
  SELECT $1, $2, $3, 'queued', at, at, $4 FROM (SELECT ${NOW} AS at) AS clock
  RETURNING id::text, round(extract(epoch FROM queued_at) * 1000)::text`;

const COUNT_WAITING = `SELECT count(*) FROM (SELECT 1 FROM connectorcli.actions
  WHERE workspace = $1 AND state IN ('queued', 'taken') LIMIT $2) AS waiting`;

/**
 * Adds an action that is due at once, if there is room for it.
 * @param place.name What messages call the workspace.
 */
export async function addAction(
  queries: Pick<Queries, "row">,
  { workspace, limit, name }: Pick<LedgerPlace, "workspace" | "limit"> & { readonly name: string },
  { object, action, inputJson }: NewAction,
): Promise<ActionEntry> {
  await limit.takeRoom({
    name,
    countWaiting: async (most) => Number((await queries.row(COUNT_WAITING, workspace, most))?.[0]),
  });
  const [id, time] = (await queries.row(ADD, workspace, object, action, inputJson)) ?? [];
  const queuedAt = new Date(Number(time)).toISOString();
  return {
    ...{ id: Number(id), object, action, state: "queued", attempts: 0, queuedAt, dueAt: queuedAt },
    ...{ inputJson, resultJson: null, noteJson: null },
  };
}

/** Which actions, and how many of them may wait. */
export interface LedgerPlace {
  readonly workspace: number;
  readonly tenant: string;
  readonly limit: QueueLimit;
}

export class PostgresLedger implements ActionLedger {
  readonly #database: Database;
  readonly #place: LedgerPlace & Pick<WriteContext, "keptBefores">;
  readonly #workspace: number;

  constructor(database: Database, place: LedgerPlace & Pick<WriteContext, "keptBefores">) {
    this.#database = database;
    this.#place = place;
    this.#workspace = place.workspace;
  }

  async add(action: NewAction): Promise<ActionEntry> {
    const place = { ...this.#place, name: this.#database.nameOf(this.#place.tenant) };
    await rowsByNotedTime(this.#database, this.#workspace, "SELECT");
    return addAction(this.#database, place, action);
  }

  async get(id: number): Promise<ActionEntry | undefined> {
    const sql = `SELECT ${ACTION_COLUMNS} FROM connectorcli.actions WHERE workspace = $1 AND id = $2`;
    const row = await this.#database.row(sql, this.#workspace, id);
    return row === undefined ? undefined : toEntry(row);
  }

  async *list(state?: ActionState): AsyncIterable<ActionEntry> {
    const sql = `SELECT ${ACTION_COLUMNS} FROM connectorcli.actions
      WHERE workspace = $1 AND id > $2 AND ($3::text IS NULL OR state = $3) ORDER BY id LIMIT ${ROWS_PER_PAGE}`;
    for (let last = 0; ; ) {
      const rows = await this.#database.rows(sql, this.#workspace, last, state ?? null);
      for (const row of rows) yield toEntry(row);
      if (rows.length < ROWS_PER_PAGE) return;
      last = Number(rows.at(-1)?.[0]);
    }
  }

  async note(attempt: Attempt, noteJson: string): Promise<void> {
    await updateAttempt(this.#database, this.#workspace, attempt, "note = $4", noteJson);
  }

  async close(attempt: Attempt, { state, resultJson, changes = [] }: ActionClosing): Promise<void> {
    const workspace = this.#workspace;
    const columns = `state = $4, due_at = ${NOW}, result = $5, token = NULL, leased_until = NULL`;
    const closeWith = (queries: Queries) =>
      updateAttempt(queries, workspace, attempt, columns, state, resultJson);
    if (changes.length === 0) return closeWith(this.#database);
    // Each in a transaction of its own: two that insert the same ones in another order would wait for each other.
    const objects = new Map<string, number>();
    for (const { object } of changes)
      objects.set(object, await findOrInsertObject(this.#database, workspace, object));
    await this.#database.transaction(async (transaction) => {
      await closeWith(transaction);
      // In one order for all, and before the counter of the feed: else two transactions wait for each other.
      const lock =
        "SELECT 1 FROM connectorcli.objects WHERE id = ANY ($1::int[]) ORDER BY id FOR NO KEY UPDATE";
      await transaction.rows(lock, [...objects.values()]);
      for (const { object, records } of changes)
        await writeRecords(transaction, records, {
          ...{ workspace, object: objects.get(object) ?? 0, run: null },
          keptBefores: this.#place.keptBefores,
        });
    });
  }
}

const TAKE = `UPDATE connectorcli.actions SET state = 'taken', attempts = attempts + 1, token = gen_random_uuid(),
    leased_until = clock_timestamp() + $5 * interval '1 millisecond'
  WHERE id = (SELECT id FROM connectorcli.actions
    WHERE workspace = $1 AND (SELECT NOT has_jumped FROM clock) AND state IN ('queued', 'taken')
      AND (state = 'queued' AND due_at <= clock_timestamp() OR state = 'taken' AND leased_until <= clock_timestamp())
      AND (object, action) IN (SELECT * FROM unnest($2::text[], $3::text[]))
      AND ($4::bigint IS NULL OR id = $4)
    ORDER BY due_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING ${ACTION_COLUMNS}, token::text, NOT EXISTS (SELECT 1 FROM connectorcli.actions other
    WHERE other.workspace = $1 AND other.state IN ('queued', 'taken') AND other.id <> actions.id)`;

export class PostgresSource implements ActionSource {
  readonly #database: Database;
  readonly #workspace: number;

  constructor(database: Database, workspace: number) {
    this.#database = database;
    this.#workspace = workspace;
  }

  async take({ leaseMs, actions, id }: TakeOptions): Promise<TakenAction | undefined> {
    const objects = actions.map(({ object }: ActionAddress) => object);
    const names = actions.map(({ action }) => action);
    const values = [objects, names, id ?? null, leaseMs];
    const [row] = await rowsByNotedTime(this.#database, this.#workspace, TAKE, ...values);
    if (row === undefined) return undefined;
    return { ...toEntry(row), token: String(row[10]), isOnly: row[11] === true };
  }

  async extendLease(attempt: Attempt, leaseMs: number): Promise<void> {
    await this.#update(attempt, "leased_until = clock_timestamp() + $4 * interval '1 millisecond'", leaseMs);
  }

  async retry(attempt: Attempt, { dueAt, failureJson, isCounted = true }: FailedAttempt): Promise<void> {
    const columns = `state = 'queued', due_at = ${byServer("$4", "$7")}, result = $5, attempts = attempts - $6,
      token = NULL, leased_until = NULL`;
    await this.#update(attempt, columns, dueAt, failureJson, isCounted ? 0 : 1, here());
  }

  async giveBack(attempt: Attempt): Promise<void> {
    const columns = `state = 'queued', due_at = ${NOW}, attempts = attempts - 1, token = NULL, leased_until = NULL`;
    await this.#update(attempt, columns);
  }

  async requeue(id: number): Promise<boolean> {
    const sql = `UPDATE connectorcli.actions SET state = 'queued', attempts = 0, due_at = ${NOW}
      WHERE workspace = $1 AND id = $2 AND state IN ('queued', 'failed', 'dead', 'cancelled')`;
    return (await this.#database.run(sql, this.#workspace, id)) === 1;
  }

  async cancel(id: number): Promise<boolean> {
    const sql = `UPDATE connectorcli.actions SET state = 'cancelled'
      WHERE workspace = $1 AND id = $2 AND state = 'queued'`;
    return (await this.#database.run(sql, this.#workspace, id)) === 1;
  }

  async cancelDueBefore(time: string): Promise<number> {
    const sql = `UPDATE connectorcli.actions SET state = 'cancelled'
      WHERE workspace = $1 AND (SELECT NOT has_jumped FROM clock)
        AND state = 'queued' AND due_at < ${byServer("$2", "$3")} RETURNING id`;
    return (await rowsByNotedTime(this.#database, this.#workspace, sql, time, here())).length;
  }

  #update(attempt: Attempt, columns: string, ...values: readonly Value[]): Promise<void> {
    return updateAttempt(this.#database, this.#workspace, attempt, columns, ...values);
  }
}

/** Writes columns of the action's row; values from `$4` on. @throws StoreError `superseded` if another attempt has begun. */
async function updateAttempt(
  queries: Queries,
  workspace: number,
  { id, token }: Attempt,
  columns: string,
  ...values: readonly Value[]
): Promise<void> {
  const sql = `UPDATE connectorcli.actions SET ${columns}
    WHERE workspace = $1 AND id = $2 AND token = $3 AND state = 'taken'`;
  if ((await queries.run(sql, workspace, id, token, ...values)) !== 1)
    throw createStoreError("superseded", `Action ${id}`);
}

/** By how much the clock of this machine may differ from the server's before a time that it gives is put right. */
const MAX_DIFFERENCE = "interval '1 minute'";

/** SQL of a time that was meant by the clock of this machine, at which it is `now`, by that of the server. */
function byServer(time: string, now: string): string {
  return `(CASE WHEN clock_timestamp() - ${now}::timestamptz BETWEEN -${MAX_DIFFERENCE} AND ${MAX_DIFFERENCE}
    THEN ${time}::timestamptz ELSE ${NOW} + (${time}::timestamptz - ${now}::timestamptz) END)`;
}

/** The time by the clock of this machine. */
function here(): string {
  return new Date(Date.now()).toISOString();
}

/** How often the time is noted. */
const NOTED_EVERY = "interval '1 minute'";
/**
 * How much of the time between two looks at the queue counts as waiting. More than that is not told from a clock that was
 * set ahead: nothing is cancelled for it.
 */
const MAX_COUNTED = "interval '1 day'";

/** What is to be known of the server's clock: whether it is time to note it, and whether it has jumped. */
const CLOCK = `SELECT seen_at IS NULL OR now() - seen_at NOT BETWEEN -${NOTED_EVERY} AND ${NOTED_EVERY} AS is_due,
    coalesce(now() - seen_at < -${NOTED_EVERY} OR now() - seen_at > ${MAX_COUNTED}, false) AS has_jumped, now() < seen_at
  FROM connectorcli.workspaces WHERE id = $1`;

/**
 * Rows of a statement that is executed by a clock that was looked at. If the server's clock has jumped since it was noted
 * last, actions keep the time that they have waited, leases the time that is left, and what was planned while it was ahead
 * is planned anew, before the statement is executed.
 * @param sql With the workspace as `$1`. It changes nothing where `has_jumped` of `clock` is true.
 */
async function rowsByNotedTime(
  database: Database,
  workspace: number,
  sql: string,
  ...values: readonly Value[]
): Promise<readonly Row[]> {
  // In one statement, for whoever performs actions does this more often than anything else.
  const noting = `WITH clock AS MATERIALIZED (${CLOCK}),
      noted AS (UPDATE connectorcli.workspaces SET seen_at = now()
        WHERE id = $1 AND (SELECT is_due AND NOT has_jumped FROM clock)),
      done AS (${sql})
    SELECT has_jumped, done.* FROM clock LEFT JOIN done ON true`;
  for (;;) {
    const rows = await database.rows(noting, workspace, ...values);
    if (rows[0]?.[0] !== true) return rows.filter(([, id]) => id !== null).map((row) => row.slice(1));
    await putTimesRight(database, workspace);
  }
}

async function putTimesRight(database: Database, workspace: number): Promise<void> {
  await database.transaction(async (transaction) => {
    // Who has seen the same jump waits here, and finds it put right.
    const lock = "SELECT 1 FROM connectorcli.workspaces WHERE id = $1 FOR NO KEY UPDATE";
    await transaction.rows(lock, workspace);
    const [, hasJumped, isBack] = (await transaction.row(CLOCK, workspace)) ?? [];
    if (hasJumped !== true) return;
    for (const sql of isBack === true ? MOVE_BACK : MOVE_AHEAD) await transaction.run(sql, workspace);
    await transaction.run("UPDATE connectorcli.workspaces SET seen_at = now() WHERE id = $1", workspace);
  });
}

const SEEN = "(SELECT seen_at FROM connectorcli.workspaces WHERE id = $1)";
const MOVE_BACK = [
  `UPDATE connectorcli.actions SET due_at = greatest(due_at - (${SEEN} - now()), now())
    WHERE workspace = $1 AND state = 'queued' AND due_at > now()`,
  `UPDATE connectorcli.actions SET leased_until = greatest(leased_until - (${SEEN} - now()), now())
    WHERE workspace = $1 AND state = 'taken' AND leased_until > now()`,
];
/** The order in which actions wait stays as it is. */
const MOVE_AHEAD = [
  `UPDATE connectorcli.actions SET due_at = least(due_at + (now() - ${SEEN} - ${MAX_COUNTED}), now())
    WHERE workspace = $1 AND state = 'queued' AND due_at < now()`,
  `UPDATE connectorcli.actions SET leased_until = leased_until + (now() - ${SEEN})
    WHERE workspace = $1 AND state = 'taken' AND leased_until > ${SEEN}`,
];
