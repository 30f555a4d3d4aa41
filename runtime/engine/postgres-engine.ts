/** The engine of many machines: graphile-worker brings wake-ups, and a row says who serves a workspace. */
import { randomUUID } from "node:crypto";
import type { Runner } from "graphile-worker";
import type { Log } from "../registration/contracts.js";
import type { Database, LoneConnection } from "../store/postgres/database.js";
import { StoreError } from "../store/store.js";
import {
  type Engine,
  type EngineWorker,
  RETRY_MS,
  WAKE_KINDS,
  type WakeKind,
  type WakeUp,
  type WorkOptions,
} from "./engine.js";

/** A worker that stands still is seen after 20 seconds (`is_alive`), one that was killed at the next beat of any other. */
const BEAT_MS = 5_000;
const DEAD_MS = 20_000;
/** Between two tries to reach a server that is gone. */
const RESTART_MS = 1_000;
/** A wake-up is heard of at once; this is for one whose word was lost. */
const POLL_MS = 2_000;
/** For looking for wake-ups and listening; what is done for them has connections of its own. */
const CONNECTIONS = 3;

/** Jobs that are done wait so long to be removed together. */
const REMOVED_AFTER_MS = 20;

/** A process that stands still keeps locks no longer than this. No result rests on a wake-up: nobody waits for the disk. */
const SESSION =
  "-c idle_in_transaction_session_timeout=15000 -c statement_timeout=60000 -c synchronous_commit=off";
/** For a transaction of which a server that crashes may lose the last ones. */
const NOT_ON_DISK = "set_config('synchronous_commit', 'off', true) IS NOT NULL";

/** Refused if a living worker serves the workspace: that hears of it and looks again. */
const TAKE_TURN = `INSERT INTO connectorcli.turns AS t (workspace, kind, worker, token)
  SELECT id, $2, $3, $4 FROM connectorcli.workspaces WHERE id = $1 AND ${NOT_ON_DISK}
  ON CONFLICT (workspace, kind) DO UPDATE SET
    worker = CASE WHEN connectorcli.is_alive(t.worker) THEN t.worker ELSE excluded.worker END,
    token = CASE WHEN connectorcli.is_alive(t.worker) THEN t.token ELSE excluded.token END,
    is_woken = connectorcli.is_alive(t.worker)
  RETURNING token = $4, (SELECT name FROM connectorcli.workspaces WHERE id = $1)`;
const END_TURN = `WITH ended AS (DELETE FROM connectorcli.turns WHERE token = $1 AND ${NOT_ON_DISK}
    RETURNING workspace, kind, is_woken)
  SELECT connectorcli.wake(kind, workspace) FROM ended WHERE is_woken`;
const END_TURNS_OF_THE_DEAD = `WITH ended AS (DELETE FROM connectorcli.turns t
    WHERE NOT connectorcli.is_alive(t.worker) RETURNING workspace, kind)
  SELECT connectorcli.wake(kind, workspace) FROM ended`;
const BEAT = `INSERT INTO connectorcli.workers (id, backend, backend_start, beat_at)
  SELECT $1, pid, backend_start, now() FROM pg_stat_activity WHERE pid = $2
  ON CONFLICT (id) DO UPDATE SET backend = excluded.backend, backend_start = excluded.backend_start, beat_at = now()`;

/** The engine on a database. Wake-ups that come from its tables, such as for an action that is queued, need no call. */
export function postgresEngine(database: Database, url: string): Engine {
  return {
    wake: async ({ kind, workspace }, delayMs = 0) => {
      const sql = `SELECT connectorcli.wake($1, id, CASE WHEN $3 > 0 THEN now() + $3 * interval '1 millisecond' END)
        FROM connectorcli.workspaces WHERE name = $2`;
      await database.rows(sql, kind, workspace, delayMs);
    },
    work: (options) => startWorker(database, url, options),
  };
}

async function startWorker(database: Database, url: string, options: WorkOptions): Promise<EngineWorker> {
  const graphile = await loadGraphile();
  const presence = await startPresence(database, options.log);
  /** Also those that take no more, and wait for what they have begun. */
  const runners = new Set<Runner>();
  let isStopping = false;

  async function serve(kind: WakeKind, workspace: number): Promise<void> {
    const turn = await presence.takeTurn(kind, workspace);
    if (turn === undefined) return;
    const wakeUp: WakeUp = { kind, workspace: turn.name };
    try {
      await options.serve(wakeUp, turn.lost);
    } catch (error) {
      options.log.error(`${wakeUp.workspace}: ${kind} was not done`, { error });
      const sql = "SELECT connectorcli.wake($1, $2, now() + $3 * interval '1 millisecond')";
      await database.rows(sql, kind, workspace, RETRY_MS);
    } finally {
      await turn.end();
    }
  }

  async function start(kind: WakeKind): Promise<void> {
    const runner = await graphile.run({
      connectionString: withSession(url),
      maxPoolSize: CONNECTIONS,
      concurrency: options.slots[kind],
      pollInterval: POLL_MS,
      noHandleSignals: true,
      // An end that the server can't be told of would be an error that nobody catches.
      preset: { worker: { completeJobBatchDelay: REMOVED_AFTER_MS, failJobBatchDelay: 0 } },
      logger: new graphile.Logger(() => () => {}),
      parsedCronItems: [],
      taskList: {
        [`connectorcli_${kind}`]: (payload) => serve(kind, (payload as { workspace: number }).workspace),
      },
    });
    if (isStopping) return stopRunner(runner);
    runners.add(runner);
    // It takes no more by itself if it can't reach the server, and waits for what it has begun, which may take long.
    runner.events.once("pool:gracefulShutdown", () => restart(kind));
    void runner.promise.catch(() => {}).then(() => runners.delete(runner));
  }

  function restart(kind: WakeKind): void {
    if (isStopping) return;
    setTimeout(() => {
      if (!isStopping) start(kind).catch(() => restart(kind));
    }, RESTART_MS).unref();
  }

  async function stop(): Promise<void> {
    isStopping = true;
    await Promise.all([...runners].map(stopRunner));
    await presence.end();
  }

  try {
    for (const kind of WAKE_KINDS) await start(kind);
  } catch (error) {
    await stop();
    throw new StoreError("unavailable", `${database.name} can't be used by graphile-worker.`, {
      cause: error,
    });
  }
  return {
    isAlive: presence.isAlive,
    stop,
  };
}

/** Waits for what a runner has begun, also if it takes no more already. */
async function stopRunner(runner: Runner): Promise<void> {
  await runner.stop().catch(() => {});
  await runner.promise.catch(() => {});
}

/** The right to serve a workspace. */
interface Turn {
  /** Name of the workspace. */
  readonly name: string;
  /** Aborted when the turn is another worker's. */
  readonly lost: AbortSignal;
  /** Ends the turn, now or as soon as the database can be told. */
  end(): Promise<void>;
}

/** What tells others that this process lives, and this one which turns it has lost. */
interface Presence {
  /** Undefined if another worker that lives has the turn. */
  takeTurn(kind: WakeKind, workspace: number): Promise<Turn | undefined>;
  isAlive(): boolean;
  end(): Promise<void>;
}

async function startPresence(database: Database, log: Log): Promise<Presence> {
  const held = new Map<string, AbortController>();
  /** Turns of which it is not known yet whether they were taken. */
  const asked = new Set<string>();
  const id = randomUUID();
  let beatAt = 0;
  let connection: LoneConnection | undefined;
  let isBeating = false;

  async function beat(): Promise<void> {
    connection ??= await database.connectAlone(() => {
      connection = undefined;
    });
    await database.run(BEAT, id, connection.backend);
    beatAt = performance.now();
    const before = [...held.keys()];
    const sql = "SELECT token::text FROM connectorcli.turns WHERE worker = $1";
    const kept = new Set((await database.rows(sql, id)).map(([token]) => String(token)));
    for (const token of before.filter((token) => !kept.has(token)))
      held.get(token)?.abort(new StoreError("superseded", "Another worker has taken the workspace over."));
    // The database was not told of their end, has forgotten it, or its answer that they were taken was lost.
    for (const token of kept) if (!held.has(token) && !asked.has(token)) await database.rows(END_TURN, token);
    await database.rows(END_TURNS_OF_THE_DEAD);
  }

  async function takeTurn(kind: WakeKind, workspace: number): Promise<Turn | undefined> {
    const token = randomUUID();
    asked.add(token);
    try {
      const [isTaken, name] = (await database.row(TAKE_TURN, workspace, kind, id, token)) ?? [];
      if (isTaken !== true) return undefined;
      const lost = new AbortController();
      held.set(token, lost);
      return { name: String(name), lost: lost.signal, end: () => endTurn(token) };
    } finally {
      asked.delete(token);
    }
  }

  async function endTurn(token: string): Promise<void> {
    held.delete(token);
    await database.rows(END_TURN, token).catch(() => {
      // The next beat tells it.
    });
  }

  async function beatSafely(): Promise<void> {
    if (isBeating) return;
    isBeating = true;
    try {
      await beat();
    } catch (error) {
      log.warn("The database can't be reached; others take over what is not finished", { error });
    } finally {
      isBeating = false;
    }
  }

  await beat();
  const timer = setInterval(() => void beatSafely(), BEAT_MS).unref();
  return {
    takeTurn,
    isAlive: () => performance.now() - beatAt < DEAD_MS,
    end: async () => {
      clearInterval(timer);
      await database.run("DELETE FROM connectorcli.workers WHERE id = $1", id).catch(() => 0);
      await connection?.end();
    },
  };
}

function withSession(url: string): string {
  const address = new URL(url);
  const given = address.searchParams.get("options");
  address.searchParams.set("options", given === null ? SESSION : `${given} ${SESSION}`);
  return address.href;
}

async function loadGraphile(): Promise<typeof import("graphile-worker")> {
  try {
    return await import("graphile-worker");
  } catch (error) {
    const advice = "Workers on PostgreSQL need one more package. Run: npm install graphile-worker";
    throw new StoreError("unavailable", advice, { cause: error });
  }
}
