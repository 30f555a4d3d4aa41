/** Who follows the feed of the embedded store, and what of it is removed. */
import { checkPosition, RESUMABLE_MS, retentionOf } from "../retention.js";
import type { Consumer, PrunedChanges, PruneOptions } from "../store.js";
import type { Connection } from "./connection.js";
import { lastSequence } from "./write-batch.js";

/** Changes that are removed in one transaction: others can write between two of them. */
const CHANGES_PER_BATCH = 10_000;

/** Number of the last change that was removed; 0 if none was. */
export function removedTo(connection: Connection): number {
  return Number(connection.row("SELECT removed_to FROM tenant")?.[0] ?? 0);
}

/** Notes that a consumer has dealt with all changes up to `sequence`. */
export function advance(connection: Connection, consumer: string, sequence: number): void {
  connection.transaction(() => {
    checkPosition(connection.file, sequence, {
      removedTo: removedTo(connection),
      last: lastSequence(connection),
    });
    const sql = `INSERT INTO consumers (name, position, seen_at) VALUES (?, ?, ?)
      ON CONFLICT (name) DO UPDATE SET position = max(position, excluded.position), seen_at = excluded.seen_at`;
    connection.run(sql, consumer, sequence, timeBefore(0));
  });
}

/** The consumers, by their names. */
export function consumersOf(connection: Connection): readonly Consumer[] {
  const rows = connection.rows("SELECT name, position, seen_at FROM consumers ORDER BY name");
  return rows.map(([name, position, seenAt]) => ({
    name: String(name),
    position: Number(position),
    seenAt: String(seenAt),
  }));
}

/** Forgets a consumer; returns false if there is none of this name. */
export function forget(connection: Connection, consumer: string): boolean {
  return connection.run("DELETE FROM consumers WHERE name = ?", consumer) === 1;
}

/** Removes changes that are old enough and that nobody waits for. */
export function prune(connection: Connection, options: PruneOptions): PrunedChanges {
  const { keepMs, consumerMs } = retentionOf(options);
  const before = removedTo(connection);
  const [young, position, run] =
    connection.row(
      `SELECT (SELECT sequence FROM changes WHERE at > ?1 ORDER BY sequence LIMIT 1),
        (SELECT min(position) FROM consumers WHERE seen_at >= ?2),
        (SELECT min(before) FROM runs WHERE state IN ('running', 'failed') AND paged_at >= ?3)`,
      timeBefore(keepMs),
      timeBefore(consumerMs),
      timeBefore(RESUMABLE_MS),
    ) ?? [];
  const ends = [position, run, typeof young === "number" ? young - 1 : null, lastSequence(connection)];
  const end = Math.min(...ends.filter((number) => typeof number === "number"));
  let last = before;
  while (last < end) {
    last = Math.min(last + CHANGES_PER_BATCH, end);
    connection.transaction(() => {
      connection.run("DELETE FROM changes WHERE sequence <= ?", last);
      connection.run("DELETE FROM befores WHERE sequence <= ?", last);
      connection.run("UPDATE tenant SET removed_to = max(removed_to, ?)", last);
    });
  }
  return { removed: last - before, removedTo: last };
}

function timeBefore(milliseconds: number): string {
  return new Date(Date.now() - milliseconds).toISOString();
}
