/** What the page can ask for where it shows a database: workspaces, schedules and workers, as the commands have them. */
import { serve } from "../workbench/serve.js";
import {
  pauseSchedule,
  queueAction,
  readSoon,
  setWorkspace,
  type WorkspaceResult,
} from "../workbench/workspaces.js";
import { allowed, type Context, flagIn, type Handler, json, MAX_ROWS, textsIn } from "./call.js";
import { type DatabaseSession, isKnownProduction } from "./database-session.js";
import { type ApiAnswer, ApiError } from "./server.js";

/** What is read. */
export const DATABASE_READS: Readonly<Record<string, Handler>> = {
  /** Workspaces whose names have a text. */
  workspaces: json(async ({ session, query }) => {
    const { workspaces } = await databaseOf(session).stores();
    const text = query.get("text")?.toLowerCase() ?? "";
    const found = (await workspaces.list()).filter(({ name }) => name.toLowerCase().includes(text));
    return { rows: found.slice(0, MAX_ROWS), count: found.length };
  }),
  schedules: json(async ({ session }) => {
    const { workspaces } = await databaseOf(session).stores();
    const name = await session.workspace();
    return { rows: name === undefined ? [] : await workspaces.schedules(name) };
  }),
  workers: json(async ({ session }) => {
    const database = databaseOf(session);
    const { workspaces } = await database.stores();
    return { ...(await workspaces.workers()), target: await anyTarget(database) };
  }),
};

/** What is changed. */
export const DATABASE_WRITES: Readonly<Record<string, Handler>> = {
  "workspace/pause": json(async (context) => {
    const { name } = textsIn(context.body, ["name"]);
    // Another workspace than the one that is shown may be paused.
    await allowed(context, async () => {
      const model = await context.session.model();
      return (await databaseOf(context.session).look(name, model)).connection.target;
    });
    const isPaused = flagIn(context.body, "isPaused");
    return done(await setWorkspace({ ...databaseOptions(context), name, mode: "change", isPaused }));
  }),
  "schedule/pause": json(async (context) => {
    await allowed(context);
    const { object } = textsIn(context.body, ["object"]);
    const isPaused = flagIn(context.body, "isPaused");
    return done(await pauseSchedule({ ...(await workspaceOptions(context)), object, isPaused }));
  }),
  "schedule/run": json(async (context) => {
    await allowed(context);
    const { object } = textsIn(context.body, ["object"]);
    const approveDeletes = flagIn(context.body, "approveDeletes");
    return done(await readSoon({ ...(await workspaceOptions(context)), object, approveDeletes }));
  }),
  /** A worker, for as long as the page waits. */
  serve: async (context) => {
    await allowed(context, () => anyTarget(databaseOf(context.session)));
    const { folder, timeoutSeconds, environment } = context.options;
    return {
      run: async (say) => {
        const line = (text: string) => say({ kind: "line", text });
        const { diagnostics } = await serve({
          ...{ folder, timeoutSeconds, environment, ...databaseOptions(context) },
          // Whoever watches workers watches those that stay.
          port: 0,
          log: { write: (text) => line(text.trimEnd()) },
          signal: context.signal,
          onEvent: ({ kind }) => line(kind === "serving" ? "Serving." : "Stopping: handlers may end."),
        });
        say({ kind: "ended", diagnostics });
      },
    };
  },
};

/** Queues an action for a workspace; a worker performs it. */
export function queueForWorkers(
  context: Context,
  { object, action, input }: { readonly object: string; readonly action: string; readonly input: unknown },
): ApiAnswer {
  const { folder, timeoutSeconds } = context.options;
  return {
    run: async (say) => {
      const given = { folder, timeoutSeconds, ...(await workspaceOptions(context)) };
      const { result, diagnostics } = await queueAction({ ...given, action: `${object}/${action}`, input });
      if (result?.outcome === "queued") say({ kind: "line", text: `Queued as action ${result.action.id}.` });
      if (result?.outcome === "refused")
        say({ kind: "refused", message: result.findings.map(({ message }) => message).join(" ") });
      say({ kind: "ended", diagnostics });
    },
  };
}

/** A worker serves all workspaces: production, if one of them is. */
async function anyTarget(database: DatabaseSession) {
  const { name, workspaces } = await database.stores();
  const isProduction = (await workspaces.list()).some(isKnownProduction);
  return { isProduction, title: name };
}

/** @throws ApiError if the page shows an embedded store */
function databaseOf({ database }: Context["session"]): DatabaseSession {
  if (database !== undefined) return database;
  throw new ApiError(409, "This console shows the store of this machine: start it with --database.");
}

function databaseOptions({ options: { database, storeKey }, session }: Context) {
  databaseOf(session);
  return { database: database ?? "", storeKey };
}

async function workspaceOptions(context: Context) {
  const name = await context.session.workspace();
  if (name === undefined) throw new ApiError(404, "The database has no workspaces.");
  return { ...databaseOptions(context), name };
}

/** @throws ApiError with what was refused */
function done({ diagnostics }: WorkspaceResult<unknown>): object {
  const [first] = diagnostics;
  if (first !== undefined) throw new ApiError(409, first.message);
  return {};
}
