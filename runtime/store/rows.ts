/** The rows that every driver has: the same columns in the same order, whatever a driver makes of numbers and times. */
import { addCounts, NO_COUNTS, type SavedRun } from "./run-progress.js";
import type { ActionEntry, ActionState, RejectedWrite, RunCounts, RunKind, RunSummary } from "./store.js";

/** A row of a query. A number may be a text, and a time a Date. */
type Cells = readonly unknown[];

/** The columns of a run. */
export const RUN_COLUMNS = `id, kind, state, started_at, ended_at, message, unchanged, inserted, updated, deleted, rejected,
  before, resume_point, resumed_from, stalls, paged_at, written`;

/** What is needed to resume a run. */
export interface ResumedRun extends SavedRun {
  readonly id: number;
  /** Number of the last change before the run. */
  readonly startedAfter: number;
  /** Rows that the run has written. */
  readonly written: number;
  readonly counts: RunCounts;
}

/** A run of an object, by {@link RUN_COLUMNS}. */
export function toSummary(object: string, row: Cells): RunSummary {
  const [id, kind, state, startedAt, endedAt, message] = row;
  return {
    id: Number(id),
    object,
    kind: kind as RunSummary["kind"],
    state: state as RunSummary["state"],
    startedAt: toIso(startedAt),
    endedAt: endedAt === null || endedAt === undefined ? null : toIso(endedAt),
    message: toText(message),
    ...toCounts(row),
  };
}

/** What is kept of a run so that it can be resumed, by {@link RUN_COLUMNS}. */
export function toResumedRun(row: Cells): ResumedRun {
  return {
    id: Number(row[0]),
    kind: row[1] as RunKind,
    state: row[2] as SavedRun["state"],
    startedAfter: Number(row[11]),
    resumePoint: toText(row[12]),
    resumedFrom: toText(row[13]),
    stalls: Number(row[14]),
    lastPageAt: toIso(row[15]),
    written: Number(row[16]),
    counts: toCounts(row),
  };
}

function toCounts(row: Cells): RunCounts {
  const [unchanged = 0, inserted = 0, updated = 0, deleted = 0, rejected = 0] = row.slice(6, 11).map(Number);
  return addCounts(NO_COUNTS, { unchanged, inserted, updated, deleted, rejected });
}

/** The columns of a rejected record. */
export const REJECTED_COLUMNS = "identity, operation, key, at, findings, record";

/** A rejected record, by {@link REJECTED_COLUMNS}. */
export function toRejected([identity, operation, key, , findings, record]: Cells): RejectedWrite {
  return {
    operation: operation === "delete" ? "delete" : "upsert",
    ...(key === null ? {} : { key: String(key) }),
    identity: String(identity),
    findings: JSON.parse(String(findings)),
    record: record === null ? null : String(record),
  };
}

/** The columns of an action. */
export const ACTION_COLUMNS = "id, object, action, state, attempts, queued_at, due_at, note, input, result";

/** An action, by {@link ACTION_COLUMNS}. */
export function toEntry(row: Cells): ActionEntry {
  const [id, object, action, state, attempts, queuedAt, dueAt, note, input, result] = row;
  return {
    id: Number(id),
    object: String(object),
    action: String(action),
    state: state as ActionState,
    attempts: Number(attempts),
    queuedAt: toIso(queuedAt),
    dueAt: toIso(dueAt),
    inputJson: String(input),
    resultJson: typeof result === "string" ? result : null,
    noteJson: typeof note === "string" ? note : null,
  };
}

/** Texts of authors are kept as JSON: a column of text would end at a NUL, or refuse it. */
export function toText(cell: unknown): string | null {
  return typeof cell === "string" ? JSON.parse(cell) : null;
}

/** ISO 8601, UTC. */
export function toIso(cell: unknown): string {
  return cell instanceof Date ? cell.toISOString() : String(cell);
}
