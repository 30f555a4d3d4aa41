/** `connectorcli workspace …`, `schedule …`, `worker list` and `action enqueue`: the workspaces of a database. */
import path from "node:path";
import { scheduleWords } from "../../runtime/workspaces/schedule-words.js";
import type { ScheduleEntry, WorkerEntry } from "../../runtime/workspaces/workspaces.js";
import { escapeControls } from "../../schemas/diagnostics/diagnostic.js";
import { numberOf, projectOf, stringOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import { findingsText } from "../findings/findings-text.js";
import {
  listSchedules,
  listWorkers,
  listWorkspaces,
  pauseSchedule,
  queueAction,
  readSoon,
  removeWorkspace,
  setWorkspace,
  type WorkspaceResult,
  type WorkspaceView,
} from "../workbench/workspaces.js";
import { readInput } from "./action-input.js";
import { UsageError, withUsageErrors } from "./services.js";
import { storeKeyOf } from "./store-key.js";
import { printList, type TableRow } from "./table.js";

/** `workspace add <name>`. */
export function workspaceAdd(args: Arguments, shell: Shell): Promise<number> {
  return withUsageErrors(shell, async () => {
    const settings = settingsOf(args, shell);
    const done = await setWorkspace({ ...workspaceOf(args, shell), mode: "add", settings });
    return report(done, shell, () => shell.say(`${nameOf(args)} was added.`));
  });
}

/** `workspace set <name>`. */
export function workspaceSet(args: Arguments, shell: Shell): Promise<number> {
  return withUsageErrors(shell, async () => {
    const [pause, resume] = [args["pause"] === true, args["resume"] === true];
    if (pause && resume) throw new UsageError("Give --pause or --resume, not both.");
    const settings = settingsOf(args, shell);
    if (settings === undefined && !pause && !resume)
      throw new UsageError("Say what is changed: --settings, --pause or --resume.");
    const isPaused = pause || resume ? pause : undefined;
    const done = await setWorkspace({ ...workspaceOf(args, shell), mode: "change", settings, isPaused });
    return report(done, shell, () => shell.say(`${nameOf(args)} was changed.`));
  });
}

/** `workspace list`. */
export async function workspaceList(args: Arguments, shell: Shell): Promise<number> {
  const { result = [], diagnostics } = await listWorkspaces(databaseOf(args, shell));
  return report({ result, diagnostics }, shell, async () => {
    const count = await printList(result, { args, shell, json: (workspace) => workspace, row: rowOf });
    if (count === 0) shell.say("The database has no workspaces. Run: npx connectorcli workspace add");
  });
}

/** `workspace remove <name>`. */
export async function workspaceRemove(args: Arguments, shell: Shell): Promise<number> {
  const done = await removeWorkspace(workspaceOf(args, shell));
  return report(done, shell, () =>
    shell.say(`${nameOf(args)} was removed with its records, runs and actions.`),
  );
}

/** `schedule list`. */
export async function scheduleList(args: Arguments, shell: Shell): Promise<number> {
  const { result = [], diagnostics } = await listSchedules(scheduledOf(args, shell));
  return report({ result, diagnostics }, shell, async () => {
    const count = await printList(result, { args, shell, json: (entry) => entry, row: scheduleRow });
    if (count === 0) shell.say("No data object has a schedule. workspace set --settings gives it one.");
  });
}

/** `schedule pause <object>`. */
export async function schedulePause(args: Arguments, shell: Shell): Promise<number> {
  const done = await pauseSchedule({ ...scheduleOf(args, shell), isPaused: true });
  return report(done, shell, () => shell.say("Workers leave it alone."));
}

/** `schedule resume <object>`. */
export async function scheduleResume(args: Arguments, shell: Shell): Promise<number> {
  const done = await pauseSchedule({ ...scheduleOf(args, shell), isPaused: false });
  return report(done, shell, () => shell.say("Workers read it by its schedule again."));
}

/** `schedule run <object>`. */
export async function scheduleRun(args: Arguments, shell: Shell): Promise<number> {
  const approveDeletes = args["approve-deletes"] === true;
  const done = await readSoon({ ...scheduleOf(args, shell), approveDeletes });
  return report(done, shell, () => shell.say("It is read as soon as a worker is free."));
}

/** `worker list`. */
export async function workerList(args: Arguments, shell: Shell): Promise<number> {
  const { result, diagnostics } = await listWorkers(databaseOf(args, shell));
  return report({ diagnostics }, shell, async () => {
    if (result === undefined) return;
    const { workers, leases, waiting } = result;
    if (args["json"] === true) return shell.result(`${escapeControls(JSON.stringify(result))}\n`);
    const row = (worker: WorkerEntry): TableRow => [
      ["worker", worker.id],
      ["state", worker.isAlive ? "alive" : "gone"],
      ["heard of", worker.beatAt],
      ["serves", worker.turns.map(({ workspace, kind }) => `${workspace} (${kind})`).join(", ")],
      ["leases", leases.filter((lease) => lease.worker === worker.id).length],
    ];
    await printList(workers, { args, shell, json: (worker) => worker, row });
    if (workers.length === 0) shell.say("No worker is there. Run: npx connectorcli serve");
    shell.say(
      `Waiting: ${waiting.dueActions} actions that are due, ${waiting.waitingReads} data objects to be read.`,
    );
  });
}

/** `action enqueue <action>`. */
export function actionEnqueue(args: Arguments, shell: Shell): Promise<number> {
  return withUsageErrors(shell, async () => {
    const connector = stringOf(args["connector"]);
    const { result, diagnostics } = await queueAction({
      ...projectOf(args, shell),
      ...databaseOf(args, shell),
      ...(connector !== undefined && { connectorFile: path.resolve(shell.cwd, connector) }),
      name: stringOf(args["workspace"]) ?? "",
      action: stringOf(args["action"]) ?? "",
      input: readInput(stringOf(args["input"]) ?? "", shell).json,
      maxQueuedActions: numberOf(args["max-queued"]),
    });
    if (result?.outcome === "refused") {
      for (const { message } of result.findings) shell.say(escapeControls(message));
      shell.say("Nothing was queued.");
      return 1;
    }
    return report({ ...(result && { result }), diagnostics }, shell, () => {
      if (result?.outcome === "queued") shell.result(`${result.action.id}\n`);
    });
  });
}

async function report(
  { diagnostics }: WorkspaceResult<unknown>,
  shell: Shell,
  say: () => void | Promise<void>,
): Promise<number> {
  if (diagnostics.length === 0) {
    await say();
    return 0;
  }
  shell.say(findingsText(diagnostics, { cwd: shell.cwd }).trimEnd());
  return 1;
}

function databaseOf(args: Arguments, shell: Shell) {
  return { database: stringOf(args["database"]) ?? "", storeKey: storeKeyOf(args, shell) };
}

function workspaceOf(args: Arguments, shell: Shell) {
  return { ...databaseOf(args, shell), name: nameOf(args) };
}

function scheduledOf(args: Arguments, shell: Shell) {
  return { ...databaseOf(args, shell), name: stringOf(args["workspace"]) ?? "" };
}

function scheduleOf(args: Arguments, shell: Shell) {
  return { ...scheduledOf(args, shell), object: stringOf(args["object"]) ?? "" };
}

function nameOf(args: Arguments): string {
  return stringOf(args["name"]) ?? "";
}

function settingsOf(args: Arguments, shell: Shell): unknown {
  const file = stringOf(args["settings"]);
  return file === undefined ? undefined : readInput(file, shell).json;
}

function rowOf({ name, connection, isServed, isPaused, schedules, openActions }: WorkspaceView): TableRow {
  const state = isPaused ? "paused" : isServed ? "served" : "not served";
  return [
    ["name", name],
    ["state", state],
    ["connection", connection],
    ["schedules", schedules],
    ["open actions", openActions],
  ];
}

function scheduleRow({
  object,
  schedule,
  isPaused,
  nextDue,
  waitingSince,
  endedAt,
  outcome,
}: ScheduleEntry): TableRow {
  return [
    ["object", object],
    ["schedule", scheduleWords(schedule)],
    ["state", isPaused ? "paused" : waitingSince === null ? "" : "waiting"],
    ["next", nextDue ?? ""],
    ["last", endedAt ?? ""],
    ["outcome", outcome ?? ""],
  ];
}
