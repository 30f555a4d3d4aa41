/** Notices that the machine's clock has jumped, and keeps what waits by it from being cancelled or stuck. */
import type { Connection } from "./connection.js";

/**
 * How much of the time between two looks at the queue counts as waiting. More than that is not told from a clock that was
 * set ahead: nothing is cancelled for it.
 */
const MAX_COUNTED_MS = 24 * 60 * 60 * 1_000;
/** A clock that is set by a time server goes back by less. */
const MAX_BACK_MS = 60_000;
/** How often the time is noted. */
const NOTED_EVERY_MS = 60_000;

/**
 * Notes the time, as a part of the transaction. If the clock has jumped since it was noted last, actions keep the time
 * that they have waited, leases the time that is left, and what was planned while the clock was ahead is planned anew.
 */
export function noteTime(connection: Connection): void {
  const now = Date.now();
  const [seenAt] = connection.row("SELECT seen_at FROM tenant") ?? [];
  const elapsed = typeof seenAt === "string" ? now - Date.parse(seenAt) : Number.POSITIVE_INFINITY;
  if (Math.abs(elapsed) <= NOTED_EVERY_MS) return;
  const at = new Date(now).toISOString();
  if (elapsed < -MAX_BACK_MS) moveBack(connection, at, seconds(-elapsed));
  else if (elapsed > MAX_COUNTED_MS && typeof seenAt === "string")
    moveAhead(connection, at, { seenAt, waiting: seconds(elapsed - MAX_COUNTED_MS), held: seconds(elapsed) });
  connection.run("UPDATE tenant SET seen_at = ?", at);
}

function moveBack(connection: Connection, at: string, by: string): void {
  for (const [state, column] of [
    ["queued", "due_at"],
    ["taken", "leased_until"],
  ]) {
    const sql = `UPDATE actions SET ${column} = max(${moved(`${column}`)}, ?2)
      WHERE state = '${state}' AND ${column} > ?2`;
    connection.run(sql, `-${by}`, at);
  }
}

function moveAhead(
  connection: Connection,
  at: string,
  { seenAt, waiting, held }: { readonly seenAt: string; readonly waiting: string; readonly held: string },
): void {
  // The order in which actions wait stays as it is.
  const due = `UPDATE actions SET due_at = min(${moved("due_at")}, ?2) WHERE state = 'queued' AND due_at < ?2`;
  connection.run(due, `+${waiting}`, at);
  const leases = `UPDATE actions SET leased_until = ${moved("leased_until")}
    WHERE state = 'taken' AND leased_until > ?2`;
  connection.run(leases, `+${held}`, seenAt);
}

/** The time of a column, moved by the first parameter; as it is if it is no time that SQLite reads. */
function moved(column: string): string {
  return `coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', ${column}, ?1), ${column})`;
}

/** A modifier of SQLite's, without its sign. */
function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(3)} seconds`;
}
