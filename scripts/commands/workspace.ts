/** `connectorcli workspace …` and `action enqueue`: the workspaces of a database, and what they are to do. */
import path from "node:path";
import { escapeControls } from "../../schemas/diagnostics/diagnostic.js";
import { projectOf, stringOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import { findingsText } from "../findings/findings-text.js";
import {
  listWorkspaces,
  queueAction,
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
