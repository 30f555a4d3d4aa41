/** Workspaces of a database: adds, changes, lists and removes them, and queues actions for them. */
import { type EnqueueResult, queueableActions } from "../../runtime/action-processor/enqueue-action.js";
import type { PostgresStores } from "../../runtime/entries/postgres.js";
import type { ServiceConfigurations } from "../../runtime/host/index.js";
import { parseSchedule, type Schedule, ScheduleError } from "../../runtime/workspaces/schedule.js";
import type {
  ReadSoonOptions,
  ScheduleEntry,
  WorkersSummary,
  WorkspaceSettings,
  WorkspaceSummary,
  Workspaces,
} from "../../runtime/workspaces/workspaces.js";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { isJsonObject } from "../../schemas/json.js";
import { didYouMean } from "../../schemas/naming/nearest.js";
import { type ConnectorSource, loadConnector } from "../worker/load-connector.js";
import { type DatabaseOptions, withPostgresStores } from "./database.js";
import { storeFindingOf } from "./store-file.js";

/** Which workspace of it. */
export interface WorkspaceOptions extends DatabaseOptions {
  /** Name of the workspace. */
  readonly name: string;
}

/** What a workspace is given. */
export interface SetWorkspaceOptions extends WorkspaceOptions {
  /**
   * `connection` with `definitionKey` and `properties`, `registrationConfiguration`, `services`, `target`, and `schedules` by
   * data path. @default the settings stay as they are
   */
  readonly settings?: unknown;
  /** Whether it is refused if there is such a workspace, or if there is none. */
  readonly mode: "add" | "change";
  /** Whether workers leave it alone. @default it stays as it is */
  readonly isPaused?: boolean | undefined;
}

/** A workspace with its schedules. */
export interface WorkspaceView extends WorkspaceSummary {
  /** When its data objects are read. */
  readonly objects: readonly ScheduleEntry[];
}

/** What was found, or why nothing was done. */
export interface WorkspaceResult<Result> {
  /** Absent if nothing was done. */
  readonly result?: Result;
  /** Why nothing was done. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Adds a workspace, or changes one. Schedules that the settings leave out are removed if they name any. */
export function setWorkspace(options: SetWorkspaceOptions): Promise<WorkspaceResult<object>> {
  const { name, mode, settings, isPaused } = options;
  return withStores(options, async ({ workspaces }) => {
    const [known] = await workspaces.list(name);
    const isServed = known?.isServed === true;
    if (mode === "add" && isServed) return refused(`There is a workspace ${name}. workspace set changes it`);
    if (mode === "change" && !isServed)
      return refused(`There is no workspace ${name}. workspace add makes it`);
    if (settings !== undefined) {
      const read = readSettings(settings);
      if (typeof read === "string") return refused(read);
      const { schedules, ...kept } = read;
      await workspaces.set(name, kept);
      if (schedules !== undefined) await setSchedules({ workspaces }, name, schedules);
    }
    if (isPaused !== undefined) await workspaces.pause(name, isPaused);
    return { result: {}, diagnostics: [] };
  });
}

/** All workspaces with their schedules. Nothing of their settings is in it. */
export function listWorkspaces(options: DatabaseOptions): Promise<WorkspaceResult<readonly WorkspaceView[]>> {
  return withStores(options, async ({ workspaces }) => {
    const result: WorkspaceView[] = [];
    for (const workspace of await workspaces.list())
      result.push({ ...workspace, objects: await workspaces.schedules(workspace.name) });
    return { result, diagnostics: [] };
  });
}

/** When the data objects of a workspace are read. */
export function listSchedules(options: WorkspaceOptions): Promise<WorkspaceResult<readonly ScheduleEntry[]>> {
  return withStores(options, async ({ workspaces }) => {
    const [known] = await workspaces.list(options.name);
    if (known === undefined) return refused(`There is no workspace ${options.name}`);
    return { result: await workspaces.schedules(options.name), diagnostics: [] };
  });
}

/** Whose schedule is changed. */
export interface ScheduleOptions extends WorkspaceOptions {
  /** Data path of the object, such as `projects-api/app/1/project`. */
  readonly object: string;
}

/** Leaves a data object alone, or reads it by its schedule again. */
export function pauseSchedule({
  isPaused,
  ...options
}: ScheduleOptions & {
  /** Whether it is left alone. */
  readonly isPaused: boolean;
}): Promise<WorkspaceResult<object>> {
  return changeSchedule(options, (workspaces, name, object) =>
    workspaces.pauseSchedule(name, object, isPaused),
  );
}

/** Lets workers read a data object as soon as one is free, also if its schedule is paused. */
export function readSoon({
  approveDeletes,
  ...options
}: ScheduleOptions & ReadSoonOptions): Promise<WorkspaceResult<object>> {
  return changeSchedule(options, (workspaces, name, object) =>
    workspaces.readSoon(name, object, { approveDeletes }),
  );
}

function changeSchedule(
  options: ScheduleOptions,
  change: (workspaces: Workspaces, name: string, object: string) => Promise<boolean>,
): Promise<WorkspaceResult<object>> {
  const { name, object } = options;
  return withStores(options, async ({ workspaces }) => {
    if (await change(workspaces, name, object)) return { result: {}, diagnostics: [] };
    const known = (await workspaces.schedules(name)).map((schedule) => schedule.object);
    const there = known.length === 0 ? "it has none" : `there is ${known.join(", ")}`;
    return refused(
      (await workspaces.list(name)).length === 0
        ? `There is no workspace ${name}`
        : `The workspace ${name} has no schedule of ${object}: ${there}.${didYouMean(object, known)}`,
    );
  });
}

/** The workers of a database, what they do, and what waits for them. */
export function listWorkers(options: DatabaseOptions): Promise<WorkspaceResult<WorkersSummary>> {
  return withStores(options, async ({ workspaces }) => ({
    result: await workspaces.workers(),
    diagnostics: [],
  }));
}

/** Removes a workspace with its store. */
export function removeWorkspace(options: WorkspaceOptions): Promise<WorkspaceResult<object>> {
  return withStores(options, async ({ workspaces }) =>
    (await workspaces.remove(options.name))
      ? { result: {}, diagnostics: [] }
      : refused(`There is no workspace ${options.name}`),
  );
}

/** Which action is queued, and with what input. */
export interface QueueActionOptions extends WorkspaceOptions, ConnectorSource {
  /** Address of the action: the data path of its object, `/`, and its own part. */
  readonly action: string;
  /** The input as JSON values. */
  readonly input: unknown;
  /** How many actions of the workspace may wait. @default that of `openPostgres`: 100,000 */
  readonly maxQueuedActions?: number | undefined;
}

/** Queues an action for a workspace, if its input fits. */
export async function queueAction(options: QueueActionOptions): Promise<WorkspaceResult<EnqueueResult>> {
  const { loaded, diagnostics } = await loadConnector(options);
  if (loaded === undefined) return { diagnostics };
  const { registration, host, settings } = loaded;
  const actions = queueableActions(registration);
  const action = actions.find(({ address }) => address === options.action);
  if (action === undefined) {
    const addresses = actions.map(({ address }) => address);
    return refused(`The connector has no action ${options.action}.${didYouMean(options.action, addresses)}`);
  }
  return withStores(options, async (stores) => {
    const { name, input } = options;
    if (!(await stores.tenants()).includes(name)) return refused(`There is no workspace ${name}`);
    const store = await stores.open(name);
    try {
      const { ledger } = store;
      const { maxInputBytes } = settings;
      const result = await host.enqueueAction(action, input, { ledger, maxInputBytes });
      return { result, diagnostics: [] };
    } finally {
      await store.close();
    }
  });
}

async function withStores<Result>(
  options: DatabaseOptions,
  use: (stores: PostgresStores) => Promise<WorkspaceResult<Result>>,
): Promise<WorkspaceResult<Result>> {
  try {
    return await withPostgresStores(options, use);
  } catch (error) {
    return { diagnostics: [storeFindingOf(error)] };
  }
}

function refused(reason: string): WorkspaceResult<never> {
  return { diagnostics: [diagnostic("workspace-refused", {}, { reason: reason.replace(/\.$/, "") })] };
}

/** A schedule, and whether it is left alone. */
interface GivenSchedule {
  readonly schedule: Schedule;
  readonly isPaused: boolean;
}

type GivenSettings = WorkspaceSettings & {
  readonly schedules?: ReadonlyMap<string, GivenSchedule> | undefined;
};

const MEMBERS = ["connection", "registrationConfiguration", "services", "target", "schedules"];

/** The settings, or what is wrong with them, in words without a value. */
function readSettings(value: unknown): GivenSettings | string {
  if (!isJsonObject(value)) return "The settings are an object with connection";
  const unknown = Object.keys(value).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined)
    return `The settings have no ${JSON.stringify(unknown)}.${didYouMean(unknown, MEMBERS)}`;
  const { connection, registrationConfiguration, services, target, schedules } = value;
  if (
    !isJsonObject(connection) ||
    typeof connection["definitionKey"] !== "string" ||
    !isJsonObject(connection["properties"])
  )
    return "connection has the text definitionKey and the object properties";
  if (services !== undefined && !isJsonObject(services)) return "services is an object by module id";
  if (target !== undefined && (typeof target !== "string" || target.trim() === ""))
    return "target is a text, such as the account that the target system counts by";
  const { definitionKey, properties } = connection as WorkspaceSettings["connection"];
  const read = readSchedules(schedules);
  if (typeof read === "string") return read;
  return {
    connection: { definitionKey, properties },
    ...(registrationConfiguration !== undefined && { registrationConfiguration }),
    ...(services !== undefined && { services: services as Record<string, ServiceConfigurations> }),
    ...(target !== undefined && { target }),
    schedules: read,
  };
}

function readSchedules(value: unknown): ReadonlyMap<string, GivenSchedule> | undefined | string {
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) return "schedules is an object by data path";
  const read = new Map<string, GivenSchedule>();
  for (const [object, given] of Object.entries(value)) {
    const { isPaused = false, ...schedule } = isJsonObject(given) ? given : {};
    if (typeof isPaused !== "boolean") return `schedules/${object}: isPaused is true or false`;
    try {
      read.set(object, { schedule: parseSchedule(isJsonObject(given) ? schedule : given), isPaused });
    } catch (error) {
      if (!(error instanceof ScheduleError)) throw error;
      return `schedules/${object}: ${error.message}`;
    }
  }
  return read;
}

/** What stays as it was is not asked for again. */
async function setSchedules(
  { workspaces }: Pick<PostgresStores, "workspaces">,
  name: string,
  schedules: ReadonlyMap<string, GivenSchedule>,
): Promise<void> {
  const before = new Map((await workspaces.schedules(name)).map((entry) => [entry.object, entry]));
  for (const [object, { schedule, isPaused }] of schedules) {
    const known = before.get(object);
    if (known === undefined || JSON.stringify(known.schedule) !== JSON.stringify(schedule))
      await workspaces.schedule(name, object, schedule);
    if ((known?.isPaused ?? false) !== isPaused) await workspaces.pauseSchedule(name, object, isPaused);
  }
  for (const object of before.keys())
    if (!schedules.has(object)) await workspaces.schedule(name, object, null);
}
