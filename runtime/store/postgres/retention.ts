/** Who follows the feed of a workspace, and what of it is removed. */
import { checkPosition, type FeedEnds, RESUMABLE_MS, retentionOf } from "../retention.js";
import { toIso } from "../rows.js";
import type { Consumer, PrunedChanges, PruneOptions } from "../store.js";
import type { Database, Queries } from "./database.js";
import { DROP_BEFORES } from "./write-page.js";

/** Rows of the feed, each a page of changes, that are removed in one transaction. */
const PAGES_PER_BATCH = 1_000;

/** How far the feed of a workspace goes. */
export async function feedEnds(queries: Queries, workspace: number): Promise<FeedEnds> {
  const sql = "SELECT removed_to, position FROM connectorcli.workspaces WHERE id = $1";
  const [removedTo, last] = (await queries.row(sql, workspace)) ?? [];
  return { removedTo: Number(removedTo ?? 0), last: Number(last ?? 0) };
}

/** Notes that a consumer has dealt with all changes up to `sequence`. */
export async function advance(
  database: Database,
  workspace: number,
  { consumer, sequence }: { readonly consumer: string; readonly sequence: number },
): Promise<void> {
  checkPosition(database.name, sequence, await feedEnds(database, workspace));
  const sql = "SELECT connectorcli.advance_consumer(name, $2, $3) FROM connectorcli.workspaces WHERE id = $1";
  await database.rows(sql, workspace, consumer, sequence);
}

/** The consumers, by their names. */
export async function consumersOf(queries: Queries, workspace: number): Promise<readonly Consumer[]> {
  const sql = "SELECT name, position, seen_at FROM connectorcli.consumers WHERE workspace = $1 ORDER BY name";
  const rows = await queries.rows(sql, workspace);
  return rows.map(([name, position, seenAt]) => ({
    name: String(name),
    position: Number(position),
    seenAt: toIso(seenAt),
  }));
}

/** Forgets a consumer; returns false if there is none of this name. */
export async function forget(queries: Queries, workspace: number, consumer: string): Promise<boolean> {
  const sql = "DELETE FROM connectorcli.consumers WHERE workspace = $1 AND name = $2";
  return (await queries.run(sql, workspace, consumer)) === 1;
}

const ENDS = `SELECT w.removed_to, least(w.position,
    (SELECT c.first - 1 FROM connectorcli.changes c
      WHERE c.workspace = $1 AND c.at > now() - $2 * interval '1 millisecond' ORDER BY c.last LIMIT 1),
    (SELECT min(c.position) FROM connectorcli.consumers c
      WHERE c.workspace = $1 AND c.seen_at >= now() - $3 * interval '1 millisecond'),
    (SELECT min(r.before) FROM connectorcli.runs r
      WHERE r.workspace = $1 AND r.state IN ('running', 'failed')
        AND r.paged_at >= now() - $4 * interval '1 millisecond'))
  FROM connectorcli.workspaces w WHERE w.id = $1`;
const REMOVE = `WITH removed AS (DELETE FROM connectorcli.changes WHERE workspace = $1 AND last IN
    (SELECT last FROM connectorcli.changes WHERE workspace = $1 AND last <= $2 ORDER BY last LIMIT ${PAGES_PER_BATCH})
    RETURNING last)
  SELECT count(*), max(last) FROM removed`;
const REMOVE_HISTORY = `DELETE FROM connectorcli.history
  WHERE workspace = $1 AND at < now() - $2 * interval '1 millisecond'`;
const NOTE = "UPDATE connectorcli.workspaces SET removed_to = greatest(removed_to, $2) WHERE id = $1";

/** Removes changes that are old enough and that nobody waits for. A page of changes goes as a whole. */
export async function prune(
  database: Database,
  workspace: number,
  options: PruneOptions,
): Promise<PrunedChanges> {
  const { keepMs, consumerMs } = retentionOf(options);
  const [before, end] = (await database.row(ENDS, workspace, keepMs, consumerMs, RESUMABLE_MS)) ?? [];
  let removedTo = Number(before);
  for (let isDone = false; !isDone; ) {
    await database.transaction(async (transaction) => {
      const [pages, last] = (await transaction.row(REMOVE, workspace, Number(end))) ?? [];
      isDone = Number(pages) < PAGES_PER_BATCH;
      if (Number(pages) === 0) return;
      // Last: writers of the workspace wait for this row until the transaction ends.
      await transaction.run(NOTE, workspace, Number(last));
      removedTo = Math.max(removedTo, Number(last));
    });
  }
  await database.run(DROP_BEFORES, workspace, removedTo);
  await database.run(REMOVE_HISTORY, workspace, keepMs);
  return { removed: removedTo - Number(before), removedTo };
}
