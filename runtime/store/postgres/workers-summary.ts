/** What workers do and what waits for them, as the tables on PostgreSQL have it. */
import type { Lease, WaitingCounts, WorkersSummary } from "../../workspaces/workspaces.js";
import { toIso } from "../rows.js";
import type { Queries, Row } from "./database.js";

/** Turns of a worker, and leases, that are told: people look at them. */
const MAX_TOLD = 500;

const WORKERS = `SELECT id::text, connectorcli.is_alive(id), beat_at,
    (SELECT json_agg(json_build_object('workspace', name, 'kind', kind) ORDER BY name, kind)::text
      FROM (SELECT w.name, t.kind FROM connectorcli.turns t JOIN connectorcli.workspaces w ON w.id = t.workspace
        WHERE t.worker = workers.id LIMIT ${MAX_TOLD}) turn)
  FROM connectorcli.workers ORDER BY beat_at DESC`;

const LEASES = `SELECT w.name, object, action, lease.id, attempts, until, t.worker::text FROM (
    (SELECT workspace, object, action, id, attempts, leased_until AS until, 'act' AS kind FROM connectorcli.actions
      WHERE state = 'taken')
    UNION ALL
    (SELECT workspace, path, NULL, NULL, NULL, leased_until, 'sync' FROM connectorcli.objects
      WHERE run_token IS NOT NULL)) lease
  JOIN connectorcli.workspaces w ON w.id = lease.workspace
  LEFT JOIN connectorcli.turns t ON t.workspace = lease.workspace AND t.kind = lease.kind
  ORDER BY until LIMIT ${MAX_TOLD}`;

/** What workers do right now. */
export async function workersSummary(queries: Queries): Promise<WorkersSummary> {
  const workers = await queries.rows(WORKERS);
  return {
    workers: workers.map(([id, isAlive, beatAt, turns]) => ({
      id: String(id),
      isAlive: isAlive === true,
      beatAt: toIso(beatAt),
      turns: typeof turns === "string" ? JSON.parse(turns) : [],
    })),
    leases: (await queries.rows(LEASES)).map(toLease),
    waiting: await waitingCounts(queries),
  };
}

/** What waits in all workspaces. */
export async function waitingCounts(queries: Queries): Promise<WaitingCounts> {
  const sql = `SELECT count(*)::int, coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8,
      (SELECT count(*)::int FROM connectorcli.schedules WHERE asked_at IS NOT NULL),
      (SELECT count(*)::int FROM connectorcli.workers WHERE connectorcli.is_alive(id)),
      (SELECT count(*)::int FROM connectorcli.turns)
    FROM connectorcli.actions WHERE state = 'queued' AND due_at <= now()`;
  const row = (await queries.row(sql)) ?? [];
  const [dueActions = 0, oldestDueSeconds = 0, waitingReads = 0, workers = 0, turns = 0] = row.map(Number);
  return { dueActions, oldestDueSeconds, waitingReads, workers, turns };
}

function toLease([workspace, object, action, id, attempts, until, worker]: Row): Lease {
  return {
    workspace: String(workspace),
    object: String(object),
    action: action === null ? null : { name: String(action), id: Number(id), attempts: Number(attempts) },
    worker: worker === null ? null : String(worker),
    until: toIso(until),
  };
}
