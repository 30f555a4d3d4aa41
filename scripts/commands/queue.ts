/** `connectorcli queue …`: the actions that wait, and what became of the others. */
import type { AttemptEntry } from "../../runtime/history/history.js";
import type { ActionState } from "../../runtime/store/store.js";
import { escapeControls } from "../../schemas/diagnostics/diagnostic.js";
import { stringOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import type { ActionView } from "../workbench/store.js";
import { callsText } from "./calls-text.js";
import { printList, sayTail, type TableRow, tailOf } from "./table.js";
import { withStore } from "./with-store.js";

/** `queue list`: the actions of the queue. */
export function queueList(args: Arguments, shell: Shell): Promise<number> {
  return withStore(args, shell, async (store) => {
    const state = STATES.find((name) => name === args["state"]);
    const tail = tailOf(args);
    const actions = store.listActions({ state, tail, object: stringOf(args["object"]) });
    const count = await printList(actions, { args, shell, json: (action) => action, row: rowOf });
    if (count === 0) shell.say(state === undefined ? "The queue is empty." : `No action is ${state}.`);
    sayTail(count, tail, shell);
    return 0;
  });
}

/** `queue show <id>`: an action with all that is known of it. */
export async function queueShow(args: Arguments, shell: Shell): Promise<number> {
  const text = stringOf(args["id"]);
  const id = actionId(text);
  if (id === undefined) return refuseId(text, shell);
  return withStore(args, shell, async (store) => {
    const action = await store.getAction(id);
    if (action === undefined) {
      shell.say(unknownWords(id));
      return 1;
    }
    const history = await store.historyOfAction(action);
    shell.result(
      args["json"] === true
        ? `${escapeControls(JSON.stringify({ ...action, ...history }))}\n`
        : `${[detailText(action), ...history.attempts.map(attemptText)].join("\n")}\n${callsText(history.calls)}`,
    );
    return 0;
  });
}

/** `queue cancel <id>`: takes an action out of the queue that is not to be performed any more. */
export async function queueCancel(args: Arguments, shell: Shell): Promise<number> {
  const text = stringOf(args["id"]);
  const id = actionId(text);
  if (id === undefined) return refuseId(text, shell);
  return withStore(args, shell, async (store) => {
    if (await store.cancelAction(id)) {
      shell.result(`Action ${id} is cancelled.\n`);
      return 0;
    }
    const action = await store.getAction(id);
    shell.say(
      action === undefined
        ? unknownWords(id)
        : `Action ${id} is ${action.state}: only one that is queued can be cancelled.`,
    );
    return 1;
  });
}

/** `queue retry <id>` or `--state dead`: queues actions again, or lets those that wait for their time be due now. */
export async function queueRetry(args: Arguments, shell: Shell): Promise<number> {
  const text = stringOf(args["id"]);
  const state = STATES.find((name) => name === args["state"]);
  if (text === undefined && state !== undefined) return retryAll(state, args, shell);
  if (text === undefined || state !== undefined) {
    shell.say("Say which actions: a number, or --state dead, failed, cancelled or queued.");
    return 2;
  }
  const id = actionId(text);
  if (id === undefined) return refuseId(text, shell);
  return withStore(args, shell, async (store) => {
    if (await store.retryAction(id)) {
      shell.result(`Action ${id} is queued again. Run: npx connectorcli run action-processor\n`);
      return 0;
    }
    const action = await store.getAction(id);
    shell.say(
      action === undefined
        ? unknownWords(id)
        : `Action ${id} is ${action.state}: only one that waits, failed, was given up or was cancelled is queued again.`,
    );
    return 1;
  });
}

/** Queues every action again that is in `state` now. */
async function retryAll(state: ActionState, args: Arguments, shell: Shell): Promise<number> {
  return withStore(args, shell, async (store) => {
    const count = await store.retryActions(state);
    if (count === 0) shell.say(`No action is ${state}.`);
    else {
      const what = count === 1 ? "1 action is" : `${count} actions are`;
      shell.result(`${what} queued again. Run: npx connectorcli run action-processor\n`);
    }
    return 0;
  });
}

const STATES: readonly ActionState[] = ["queued", "taken", "succeeded", "failed", "dead", "cancelled"];

/** The number of an action, or undefined. */
function actionId(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

function refuseId(text: string | undefined, shell: Shell): number {
  shell.say(`"${text}" is no number of an action.`);
  return 2;
}

function unknownWords(id: number): string {
  return `The queue has no action ${id}. npx connectorcli queue list shows what there is.`;
}

function rowOf({ id, state, object, action, attempts, queuedAt, dueAt, result }: ActionView): TableRow {
  return [
    ["number", id],
    ["state", state],
    ["action", `${object}/${action}`],
    ["attempts", attempts],
    ["queued", queuedAt],
    ["due", state === "queued" ? dueAt : undefined],
    ["result", result ?? undefined],
  ];
}

function lineOf({ id, object, action, state, attempts, queuedAt, dueAt }: ActionView): string {
  const attemptWords = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  const due = state === "queued" && dueAt !== queuedAt ? `  due ${dueAt}` : "";
  return `${id}  ${state}  ${object}/${action}  ${attemptWords}  queued ${queuedAt}${due}`;
}

function attemptText({ at, ms, attempts, outcome, dueAt, message }: AttemptEntry): string {
  const next = dueAt === null ? "" : `, next ${dueAt}`;
  const why = message === null ? "" : `: ${message}`;
  return escapeControls(`  attempt ${attempts}  ${at}  ${outcome} after ${ms} ms${next}${why}`);
}

function detailText(action: ActionView): string {
  const { input, result, note } = action;
  const lines = [lineOf(action), `  input   ${JSON.stringify(input)}`];
  if (result !== null) lines.push(`  result  ${JSON.stringify(result)}`);
  if (note !== null) lines.push(`  noted   ${note.stage}${note.detail === null ? "" : `: ${note.detail}`}`);
  return lines.join("\n");
}
