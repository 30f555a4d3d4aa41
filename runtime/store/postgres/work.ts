/** What a worker asks and tells the tables of workspaces on PostgreSQL. */
import type { SharedTurns } from "../../registration/connection-contracts.js";
import { isStillDue, nextDue, parseSchedule } from "../../workspaces/schedule.js";
import type {
  AskedRead,
  LoadedWorkspace,
  OpenWorkspace,
  WaitingCounts,
  WorkspaceSettings,
  WorkTables,
} from "../../workspaces/workspaces.js";
import type { Seal } from "../sealing/seal.js";
import { StoreError } from "../store.js";
import type { Database, Row, Transaction } from "./database.js";
import { postgresTurns } from "./turns.js";
import { waitingCounts } from "./workers-summary.js";
import {
  type KeptSettings,
  keptSettings,
  OTHER_SETTINGS,
  openSettings,
  ownTarget,
  SETTINGS_PLACE,
  scheduleSeed,
} from "./workspaces.js";

/** Schedules that are asked for in one transaction: for as long as that takes, they are locked. */
const DUE_PER_TICK = 250;
/** Workspaces that are woken in one call. */
const WOKEN_AT_ONCE = 1_000;
/** Tells the locks of connection properties from other ones: "prop" in ASCII. */
const PROPERTY_LOCK = 0x70726f70;

const VERSION = `concat_ws('/', w.id, w.settings_version,
  (SELECT count(*) FROM connectorcli.data_keys k WHERE k.workspace = w.id))`;
const SERVED = "w.settings IS NOT NULL AND NOT w.is_paused";

/** How workspaces are opened. */
interface Opening {
  seal(name: string): Promise<Seal>;
  /** With the keys as they are now. */
  opener(workspace: number, name: string): Promise<WorkspaceOpener>;
}

/** Opens one workspace as often as wanted. */
export interface WorkspaceOpener {
  readonly seal: Seal;
  /** @param bound Given by who looks before each turn whether it was changed. It is asked for anew if it is left out. */
  open(bound?: KnownBinding): OpenWorkspace;
}

/** The connection to which a workspace belongs, as text; null as long as it belongs to none. */
export interface KnownBinding {
  connection: string | null;
}

export class PostgresWork implements WorkTables {
  readonly #database: Database;
  readonly #opening: Opening;

  constructor(database: Database, opening: Opening) {
    this.#database = database;
    this.#opening = opening;
  }

  async version(
    name: string,
    { ifPaused = false }: { ifPaused?: boolean } = {},
  ): Promise<string | undefined> {
    const served = ifPaused ? "w.settings IS NOT NULL" : SERVED;
    const sql = `SELECT ${VERSION} FROM connectorcli.workspaces w WHERE name = $1 AND ${served}`;
    const row = await this.#database.row(sql, name);
    return row === undefined ? undefined : String(row[0]);
  }

  async load(name: string): Promise<LoadedWorkspace> {
    const kept = await this.#kept(this.#database, name);
    const { seal, open } = await this.#opening.opener(kept.workspace, name);
    const bound: KnownBinding = { connection: kept.connection };
    return { settings: await openSettings(kept, seal), open: () => open(bound) };
  }

  turns(name: string, { target }: WorkspaceSettings): SharedTurns {
    return postgresTurns(this.#database, target === undefined ? ownTarget(name) : `target/${target}`);
  }

  async nextRead(name: string): Promise<AskedRead | undefined> {
    const sql = `SELECT object, asked_at::text, approved_at = asked_at FROM connectorcli.schedules s
      JOIN connectorcli.workspaces w ON w.id = s.workspace
      WHERE w.name = $1 AND asked_at IS NOT NULL ORDER BY asked_at LIMIT 1`;
    const row = await this.#database.row(sql, name);
    if (row === undefined) return undefined;
    const [object, askedAt, isApproved] = row;
    return { object: String(object), askedAt: String(askedAt), approveDeletes: isApproved === true };
  }

  async endRead(name: string, { object, askedAt }: AskedRead, outcome: string): Promise<void> {
    const sql = `UPDATE connectorcli.schedules SET ended_at = now(), outcome = $4,
        asked_at = CASE WHEN asked_at = $3::timestamptz THEN NULL ELSE asked_at END
      WHERE workspace = (SELECT id FROM connectorcli.workspaces WHERE name = $1) AND object = $2`;
    await this.#database.run(sql, name, object, askedAt, outcome);
  }

  async nextActionMs(name: string): Promise<number | undefined> {
    const sql = `SELECT extract(epoch FROM min(CASE WHEN state = 'queued' THEN due_at ELSE leased_until END) - now()) * 1000
      FROM connectorcli.actions WHERE workspace = (SELECT id FROM connectorcli.workspaces WHERE name = $1)
        AND (state = 'queued' AND due_at > now() OR state = 'taken')`;
    const [ms] = (await this.#database.row(sql, name)) ?? [];
    return ms === null || ms === undefined ? undefined : Math.max(1, Math.ceil(Number(ms)));
  }

  /** One worker at a time does it: the others find nothing to do. */
  askDue(): Promise<number> {
    return this.#database.transaction(async (transaction) => {
      const sql = `SELECT workspace, object, schedule, next_due, now(), ${SERVED} FROM connectorcli.schedules s
        JOIN connectorcli.workspaces w ON w.id = s.workspace
        WHERE NOT s.is_paused AND next_due <= now() ORDER BY next_due LIMIT ${DUE_PER_TICK}
        FOR NO KEY UPDATE OF s SKIP LOCKED`;
      const asked = (await transaction.rows(sql)).map(toAsked);
      if (asked.length > 0) await writeAsked(transaction, asked);
      return asked.length;
    });
  }

  async wakeWaiting(): Promise<void> {
    // From workspace to workspace by the index, however many actions wait in one of them.
    const acts = `WITH RECURSIVE waiting AS (
        (SELECT workspace FROM connectorcli.actions WHERE state IN ('queued', 'taken') ORDER BY workspace LIMIT 1)
        UNION ALL SELECT (SELECT workspace FROM connectorcli.actions
          WHERE state IN ('queued', 'taken') AND workspace > waiting.workspace ORDER BY workspace LIMIT 1)
        FROM waiting WHERE waiting.workspace IS NOT NULL)
      SELECT id FROM waiting JOIN connectorcli.workspaces w ON w.id = waiting.workspace AND ${SERVED}
      WHERE EXISTS (SELECT 1 FROM connectorcli.actions a WHERE a.workspace = w.id AND state IN ('queued', 'taken')
        AND due_at <= now() AND (state = 'queued' OR leased_until <= now()))`;
    const syncs = `SELECT DISTINCT w.id FROM connectorcli.schedules s
      JOIN connectorcli.workspaces w ON w.id = s.workspace AND ${SERVED} WHERE asked_at IS NOT NULL`;
    await this.#wakeAll("act", await this.#database.rows(acts));
    await this.#wakeAll("sync", await this.#database.rows(syncs));
  }

  lockProperties<Result>(
    name: string,
    task: (properties: Readonly<Record<string, unknown>>) => Promise<Result>,
  ): Promise<Result> {
    return this.#database.transaction(async (transaction) => {
      // A token request takes longer than a transaction may stand still.
      await transaction.run("SET LOCAL idle_in_transaction_session_timeout = 60000");
      await transaction.run("SET LOCAL lock_timeout = 60000");
      const lock = "SELECT pg_advisory_xact_lock($1, id) FROM connectorcli.workspaces WHERE name = $2";
      await transaction.rows(lock, PROPERTY_LOCK, name);
      return task((await this.#settings(transaction, name)).connection.properties);
    });
  }

  async saveProperties(name: string, properties: Readonly<Record<string, string>>): Promise<void> {
    await this.#saveProperties(name, properties);
  }

  changeProperties(
    name: string,
    properties: Readonly<Record<string, string>>,
    version: string,
  ): Promise<boolean> {
    return this.lockProperties(name, () => this.#saveProperties(name, properties, version));
  }

  counts(): Promise<WaitingCounts> {
    return waitingCounts(this.#database);
  }

  /** @param since Nothing is changed if this is not the version any more; it is another one then. */
  async #saveProperties(
    name: string,
    properties: Readonly<Record<string, string>>,
    since?: string,
  ): Promise<boolean> {
    return this.#database.transaction(async (transaction) => {
      const lock = `SELECT ${VERSION} FROM connectorcli.workspaces w WHERE name = $1 FOR NO KEY UPDATE`;
      const [version] = (await transaction.row(lock, name)) ?? [];
      if (since !== undefined && version !== since) return false;
      const seal = await this.#opening.seal(name);
      const settings = await openSettings(await this.#kept(transaction, name), seal);
      const { connection } = settings;
      const changed = {
        ...settings,
        connection: { ...connection, properties: { ...connection.properties, ...properties } },
      };
      const sealed = await seal.seal(JSON.stringify(changed), SETTINGS_PLACE);
      await (since === undefined
        ? transaction.run("UPDATE connectorcli.workspaces SET settings = $2 WHERE name = $1", name, sealed)
        : transaction.rows(OTHER_SETTINGS, name, sealed));
      return true;
    });
  }

  async #settings(queries: Pick<Database, "row">, name: string): Promise<WorkspaceSettings> {
    return openSettings(await this.#kept(queries, name), await this.#opening.seal(name));
  }

  async #kept(queries: Pick<Database, "row">, name: string): Promise<KeptSettings> {
    const kept = await keptSettings(queries, name);
    if (kept !== undefined) return kept;
    throw new StoreError("unavailable", `${this.#database.name} has no settings of the workspace ${name}.`);
  }

  async #wakeAll(kind: string, rows: readonly Row[]): Promise<void> {
    const ids = rows.map(([id]) => Number(id));
    for (let at = 0; at < ids.length; at += WOKEN_AT_ONCE) {
      const some = ids.slice(at, at + WOKEN_AT_ONCE);
      await this.#database.rows("SELECT connectorcli.wake($1, $2::int[])", kind, some);
    }
  }
}

/** A schedule whose time has come. */
interface Asked {
  readonly workspace: number;
  readonly object: string;
  readonly next: string | null;
  readonly isAsked: boolean;
}

function toAsked([workspaceCell, objectCell, schedule, due, now, isServed]: Row): Asked {
  const [workspace, object] = [Number(workspaceCell), String(objectCell)];
  const parsed = parseSchedule(JSON.parse(String(schedule)));
  return {
    ...{ workspace, object },
    next: nextDue(parsed, now as Date, scheduleSeed(workspace, object))?.toISOString() ?? null,
    isAsked: isServed === true && isStillDue(parsed, due as Date, now as Date),
  };
}

async function writeAsked(transaction: Transaction, asked: readonly Asked[]): Promise<void> {
  const sql = `UPDATE connectorcli.schedules s SET next_due = due.next,
      asked_at = CASE WHEN due.is_asked THEN coalesce(asked_at, now()) ELSE asked_at END
    FROM unnest($1::int[], $2::text[], $3::timestamptz[], $4::text[]::boolean[]) AS due (workspace, object, next, is_asked)
    WHERE s.workspace = due.workspace AND s.object = due.object`;
  await transaction.run(
    sql,
    asked.map(({ workspace }) => workspace),
    asked.map(({ object }) => object),
    asked.map(({ next }) => next),
    asked.map(({ isAsked }) => String(isAsked)),
  );
  const woken = new Set(asked.filter(({ isAsked }) => isAsked).map(({ workspace }) => workspace));
  await transaction.rows("SELECT connectorcli.wake('sync', $1::int[])", [...woken]);
}
