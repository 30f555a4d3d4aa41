/** Workspaces on PostgreSQL: their sealed settings and their schedules, beside the stores of which they are the tenants. */
import { nextDue, parseSchedule, type Schedule } from "../../workspaces/schedule.js";
import type {
  ReadSoonOptions,
  ScheduleEntry,
  WorkersSummary,
  WorkspaceSettings,
  WorkspaceSummary,
  Workspaces,
} from "../../workspaces/workspaces.js";
import { toIso } from "../rows.js";
import type { Seal } from "../sealing/seal.js";
import { StoreError } from "../store.js";
import type { Cell, Database } from "./database.js";
import { findOrInsertWorkspace, findWorkspace } from "./schema.js";
import { workersSummary } from "./workers-summary.js";

/** What binds a sealed text to its place. */
export const SETTINGS_PLACE = ["workspace", "settings"];

const MAX_NAME_LENGTH = 200;
const ROWS_PER_DELETE = 10_000;

export class PostgresWorkspaces implements Workspaces {
  readonly #database: Database;
  readonly #seal: (name: string) => Promise<Seal>;

  constructor(database: Database, seal: (name: string) => Promise<Seal>) {
    this.#database = database;
    this.#seal = seal;
  }

  async set(name: string, settings: WorkspaceSettings): Promise<void> {
    checkName(name);
    const seal = await this.#seal(name);
    const sealed = await seal.seal(JSON.stringify(settings), SETTINGS_PLACE);
    await findOrInsertWorkspace(this.#database, name);
    await this.#database.rows(OTHER_SETTINGS, name, sealed);
  }

  async get(name: string): Promise<WorkspaceSettings | undefined> {
    const kept = await keptSettings(this.#database, name);
    return kept && openSettings(kept, await this.#seal(name));
  }

  async list(name?: string): Promise<readonly WorkspaceSummary[]> {
    const sql = `SELECT name, connection, settings IS NOT NULL, is_paused,
        (SELECT count(*)::int FROM connectorcli.schedules s WHERE s.workspace = w.id),
        (SELECT count(*)::int FROM connectorcli.actions a WHERE a.workspace = w.id AND a.state IN ('queued', 'taken'))
      FROM connectorcli.workspaces w ${name === undefined ? "" : "WHERE name = $1"} ORDER BY name`;
    const rows = await this.#database.rows(sql, ...(name === undefined ? [] : [name]));
    return rows.map(([name, identity, isServed, isPaused, schedules, openActions]) => {
      const connection = identity === null ? undefined : JSON.parse(String(identity));
      return {
        name: String(name),
        connection: connection?.definition ?? null,
        environment: connection?.environment ?? null,
        isServed: isServed === true,
        isPaused: isPaused === true,
        schedules: Number(schedules),
        openActions: Number(openActions),
      };
    });
  }

  async pause(name: string, isPaused: boolean): Promise<boolean> {
    const sql = changedAndWoken("is_paused = $2 WHERE name = $1");
    return (await this.#database.rows(sql, name, isPaused)).length > 0;
  }

  async remove(name: string): Promise<boolean> {
    const database = this.#database;
    const id = await findWorkspace(this.#database, name);
    if (id === undefined) return false;
    // Workers leave it alone from here on; if this is interrupted, the next call goes on.
    await database.run("UPDATE connectorcli.workspaces SET settings = NULL WHERE id = $1", id);
    const objects = (await database.rows("SELECT id FROM connectorcli.objects WHERE workspace = $1", id)).map(
      ([object]) => Number(object),
    );
    for (const object of objects)
      for (const table of ["records", "alternate_keys", "rejected"]) await this.#deleteAll(table, object);
    await database.transaction(async (transaction) => {
      const tables = [
        "changes",
        "befores",
        "history",
        "consumers",
        "marks",
        "runs",
        "actions",
        "schedules",
        "data_keys",
        "objects",
        "turns",
      ];
      for (const table of tables)
        await transaction.run(`DELETE FROM connectorcli.${table} WHERE workspace = $1`, id);
      await transaction.run("DELETE FROM connectorcli.rate_limits WHERE target = $1", ownTarget(name));
      await transaction.run("DELETE FROM connectorcli.workspaces WHERE id = $1", id);
    });
    return true;
  }

  async schedules(name: string): Promise<readonly ScheduleEntry[]> {
    const sql = `SELECT object, schedule, s.is_paused, next_due, asked_at, ended_at, outcome
      FROM connectorcli.schedules s JOIN connectorcli.workspaces w ON w.id = s.workspace
      WHERE w.name = $1 ORDER BY object`;
    return (await this.#database.rows(sql, name)).map(
      ([object, schedule, isPaused, due, askedAt, endedAt, outcome]) => ({
        object: String(object),
        schedule: parseSchedule(JSON.parse(String(schedule))),
        isPaused: isPaused === true,
        nextDue: isoOrNull(due),
        waitingSince: isoOrNull(askedAt),
        endedAt: isoOrNull(endedAt),
        outcome: outcome === null || outcome === undefined ? null : String(outcome),
      }),
    );
  }

  async schedule(name: string, object: string, schedule: Schedule | null): Promise<boolean> {
    const id = await findWorkspace(this.#database, name);
    if (id === undefined) return false;
    if (schedule === null) {
      const sql = "DELETE FROM connectorcli.schedules WHERE workspace = $1 AND object = $2";
      await this.#database.run(sql, id, object);
      return true;
    }
    const checked = parseSchedule(schedule);
    const [now] = (await this.#database.row("SELECT now()")) ?? [];
    const due = nextDue(checked, now as Date, scheduleSeed(id, object));
    const sql = `WITH changed AS (INSERT INTO connectorcli.schedules (workspace, object, schedule, next_due, asked_at)
        VALUES ($1, $2, $3, $4, now()) ON CONFLICT (workspace, object) DO UPDATE SET
        schedule = excluded.schedule, next_due = excluded.next_due, asked_at = excluded.asked_at RETURNING workspace)
      SELECT connectorcli.wake('sync', workspace) FROM changed`;
    await this.#database.rows(sql, id, object, JSON.stringify(checked), due?.toISOString() ?? null);
    return true;
  }

  async pauseSchedule(name: string, object: string, isPaused: boolean): Promise<boolean> {
    const id = await findWorkspace(this.#database, name);
    if (id === undefined) return false;
    const sql = "UPDATE connectorcli.schedules SET is_paused = $3 WHERE workspace = $1 AND object = $2";
    return (await this.#database.run(sql, id, object, isPaused)) === 1;
  }

  async readSoon(
    name: string,
    object: string,
    { approveDeletes = false }: ReadSoonOptions = {},
  ): Promise<boolean> {
    // What is approved is a read that has not begun.
    const asked = approveDeletes
      ? "asked_at = now(), approved_at = now()"
      : "asked_at = coalesce(asked_at, now())";
    const sql = `WITH changed AS (UPDATE connectorcli.schedules SET ${asked}
        WHERE workspace = (SELECT id FROM connectorcli.workspaces WHERE name = $1) AND object = $2 RETURNING workspace)
      SELECT connectorcli.wake('sync', workspace) FROM changed`;
    return (await this.#database.rows(sql, name, object)).length > 0;
  }

  workers(): Promise<WorkersSummary> {
    return workersSummary(this.#database);
  }

  async #deleteAll(table: string, object: number): Promise<void> {
    const sql = `DELETE FROM connectorcli.${table} WHERE object = $1 AND ctid = ANY (ARRAY(
      SELECT ctid FROM connectorcli.${table} WHERE object = $1 LIMIT ${ROWS_PER_DELETE}))`;
    while ((await this.#database.run(sql, object)) > 0);
  }
}

/** The settings of a workspace as they are kept. */
export interface KeptSettings {
  /** Row of the workspace. */
  readonly workspace: number;
  readonly sealed: string;
  /** The connection to which it belongs, as text; null as long as it belongs to none. */
  readonly connection: string | null;
}

/** The settings of a workspace; undefined if it has none. */
export async function keptSettings(
  queries: Pick<Database, "row">,
  name: string,
): Promise<KeptSettings | undefined> {
  const sql = "SELECT id, settings, connection FROM connectorcli.workspaces WHERE name = $1";
  const [id, sealed, connection] = (await queries.row(sql, name)) ?? [];
  if (typeof sealed !== "string") return undefined;
  return { workspace: Number(id), sealed, connection: typeof connection === "string" ? connection : null };
}

/** @throws StoreError `sealed` if the key was not given. */
export async function openSettings({ sealed }: KeptSettings, seal: Seal): Promise<WorkspaceSettings> {
  return JSON.parse(await seal.open(sealed, SETTINGS_PLACE)) as WorkspaceSettings;
}

/** SQL that changes a workspace, and serves what waited while nobody served it. A row for each kind of wake-up. */
function changedAndWoken(change: string): string {
  return `WITH changed AS (UPDATE connectorcli.workspaces SET ${change} RETURNING id)
    SELECT connectorcli.wake(kind, id) FROM changed, unnest(ARRAY['act', 'sync']) AS kind`;
}

/** SQL that gives a workspace, by its name, settings with which workers start the connector anew. */
export const OTHER_SETTINGS = changedAndWoken(
  "settings = $2, settings_version = settings_version + 1 WHERE name = $1",
);

/** Of whose turns a workspace takes its own, if its settings name no target. */
export function ownTarget(name: string): string {
  return `workspace/${name}`;
}

/** Tells the times of one object from those of others, for as long as the workspace is there. */
export function scheduleSeed(workspace: number, object: string): string {
  return `${workspace}/${object}`;
}

function isoOrNull(cell: Cell | undefined): string | null {
  return cell instanceof Date ? toIso(cell) : null;
}

/** @throws StoreError if it can't be a name. */
function checkName(name: string): void {
  const isName =
    name.trim() === name && name !== "" && name.length <= MAX_NAME_LENGTH && !/\p{Cc}/u.test(name);
  if (isName) return;
  const expected = `a text of 1 to ${MAX_NAME_LENGTH} characters without blanks around it`;
  throw new StoreError("unavailable", `The name of a workspace is ${expected}.`);
}
