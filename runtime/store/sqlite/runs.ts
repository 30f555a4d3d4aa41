/** Starts runs in the embedded store, one at a time for an object, and goes on with interrupted ones. */
import type { Run, RunCounts, RunStore, RunSummary, StartRun } from "../runs.js";
import type { Connection, Row } from "./connection.js";
import { type Lock, lock } from "./lock.js";
import { indexAlternateKeys, madeObjectRow, objectRow } from "./objects.js";
import { type RunStart, SqliteRun } from "./run.js";
import { lastSequence } from "./writes.js";

/** A run that was resumed so often without coming further starts over: its resume point may be what fails. */
const MOST_STALLS = 3;
const RUNS_KEPT = 100;

const COLUMNS = `id, kind, state, started_at, ended_at, message, unchanged, inserted, updated, deleted, rejected,
  before, resume_point, resumed_from, stalls, paged_at, written`;

export class SqliteRuns implements RunStore {
  readonly #connection: Connection;
  readonly #open = new Set<SqliteRun>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async start(options: StartRun): Promise<Run | undefined> {
    const connection = this.#connection;
    const object = connection.transaction(() => madeObjectRow(connection, options.object));
    const held = lock(`${connection.file}-run-${object}`);
    if (held === undefined) return undefined;
    try {
      const start = connection.transaction(() => started(connection, object, options));
      const run: SqliteRun = new SqliteRun(
        connection,
        start,
        this.#forgotten(held, () => run),
      );
      this.#open.add(run);
      return run;
    } catch (error) {
      held.release();
      throw error;
    }
  }

  async list(object: string, limit: number): Promise<readonly RunSummary[]> {
    const id = objectRow(this.#connection, object);
    if (id === undefined) return [];
    const sql = `SELECT ${COLUMNS} FROM runs WHERE object = ? ORDER BY id DESC LIMIT ?`;
    return this.#connection.rows(sql, id, limit).map((row) => summary(object, row));
  }

  async checkpoint(object: string): Promise<string | null> {
    return text(this.#connection.row("SELECT checkpoint FROM objects WHERE path = ?", object)?.[0]);
  }

  /** Lets go of all objects, as if the process had ended. */
  abandon(): void {
    for (const run of this.#open) run.abandon();
  }

  #forgotten(held: Lock, run: () => SqliteRun): Lock {
    return {
      release: () => {
        this.#open.delete(run());
        held.release();
      },
    };
  }
}

/** The run to begin or to go on with, as a part of the transaction. */
function started(connection: Connection, object: number, options: StartRun): RunStart {
  const { kind, alternateKeys, alternateKeysVersion } = options;
  indexAlternateKeys(connection, object, { version: alternateKeysVersion, alternateKeys });
  const [saved] = connection.row("SELECT checkpoint FROM objects WHERE id = ?", object) ?? [];
  const facts = { object, kind, alternateKeys, checkpoint: text(saved) };
  const last = connection.row(
    `SELECT ${COLUMNS} FROM runs WHERE object = ? ORDER BY id DESC LIMIT 1`,
    object,
  );
  const resumed = last === undefined ? undefined : resumable(last, options);
  if (last !== undefined && resumed !== undefined) {
    const sql = `UPDATE runs SET state = 'running', ended_at = NULL, message = NULL, resumed_from = resume_point,
      stalls = ? WHERE id = ?`;
    connection.run(sql, resumed.stalls, Number(last[0]));
    return { ...facts, ...resumed };
  }
  return { ...facts, ...begun(connection, object, options) };
}

type Begun = Pick<RunStart, "id" | "before" | "resumePoint" | "written" | "counts">;

function begun(connection: Connection, object: number, { kind }: StartRun): Begun {
  connection.run("UPDATE runs SET state = 'abandoned' WHERE object = ? AND state = 'running'", object);
  connection.run("DELETE FROM marks WHERE run IN (SELECT id FROM runs WHERE object = ?)", object);
  const oldest = `SELECT id FROM runs WHERE object = ? ORDER BY id DESC LIMIT 1 OFFSET ${RUNS_KEPT}`;
  connection.run(`DELETE FROM runs WHERE object = ? AND id <= (${oldest})`, object, object);
  const before = lastSequence(connection);
  const now = new Date().toISOString();
  const sql =
    "INSERT INTO runs (object, kind, state, started_at, paged_at, before) VALUES (?, ?, 'running', ?, ?, ?)";
  connection.run(sql, object, kind, now, now, before);
  const id = Number(connection.row("SELECT max(id) FROM runs")?.[0]);
  const counts = { unchanged: 0, inserted: 0, updated: 0, deleted: 0, rejected: 0 };
  return { id, before, resumePoint: null, written: 0, counts };
}

function resumable(last: Row, options: StartRun): (Begun & { readonly stalls: number }) | undefined {
  const [id, kind, state] = last;
  const [before, resumePoint, resumedFrom, stalls, pagedAt, written] = last.slice(11);
  const isInterrupted = state === "running" || state === "failed";
  if (!(options.resume && isInterrupted && kind === options.kind) || resumePoint === null) return undefined;
  if (Date.now() - Date.parse(String(pagedAt)) > options.resumeWithinMs) return undefined;
  const stalled = resumePoint === resumedFrom ? Number(stalls) + 1 : 0;
  if (stalled >= MOST_STALLS) return undefined;
  return {
    id: Number(id),
    before: Number(before),
    resumePoint: text(resumePoint),
    written: Number(written),
    counts: countsOf(last),
    stalls: stalled,
  };
}

function countsOf(row: Row): RunCounts {
  const [unchanged, inserted, updated, deleted, rejected] = row.slice(6).map(Number);
  return {
    unchanged: unchanged ?? 0,
    inserted: inserted ?? 0,
    updated: updated ?? 0,
    deleted: deleted ?? 0,
    rejected: rejected ?? 0,
  };
}

function summary(object: string, row: Row): RunSummary {
  const [id, kind, state, startedAt, endedAt, message] = row;
  return {
    id: Number(id),
    object,
    kind: kind as RunSummary["kind"],
    state: state as RunSummary["state"],
    startedAt: String(startedAt),
    endedAt: endedAt === null || endedAt === undefined ? null : String(endedAt),
    message: text(message),
    ...countsOf(row),
  };
}

/** Texts of authors are kept as JSON: SQLite would end them at a NUL. */
function text(cell: unknown): string | null {
  return typeof cell === "string" ? JSON.parse(cell) : null;
}
