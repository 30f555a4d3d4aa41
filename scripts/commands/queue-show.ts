/** `connectorcli queue show`: the actions of the queue, or one of them with all that is known of it. */
import { noteOf } from "../../runtime/action-processor/idempotency.js";
import { masked } from "../../runtime/records/masked.js";
import type { ActionState, QueuedAction } from "../../runtime/store/queue.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { textOf } from "../argument-values.js";
import type { Arguments } from "../command-spec.js";
import type { Output } from "../output.js";
import { shownPayload } from "../running/stored-types.js";
import { withStore } from "../running/with-store.js";
import { actionId } from "./queue-retry.js";

export async function queueShow(args: Arguments, output: Output): Promise<number> {
  const given = textOf(args["id"]);
  const id = actionId(given);
  if (given !== undefined && id === undefined) {
    output.say(`"${given}" is no number of an action.`);
    return 2;
  }
  return withStore(args, output, async ({ model, store }) => {
    if (id !== undefined) {
      const action = await store.queue.get(id);
      if (action === undefined) return missing(id, output);
      output.result(`${detailText(action, model, args)}\n`);
      return 0;
    }
    let count = 0;
    const state = textOf(args["state"]) as ActionState | undefined;
    for await (const action of store.queue.list(state)) {
      const text = args["json"] === true ? JSON.stringify(shownAction(action, model, args)) : lineOf(action);
      output.result(`${text}\n`);
      count++;
    }
    if (count === 0) output.say(state === undefined ? "The queue is empty." : `No action is ${state}.`);
    return 0;
  });
}

/** Tells that there is no such action. */
export function missing(id: number, output: Output): number {
  output.say(`The queue has no action ${id}. connectorcli queue show lists them.`);
  return 1;
}

function lineOf({ id, object, action, state, attempts, queuedAt, dueAt }: QueuedAction): string {
  const tries = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  const due = state === "queued" && dueAt !== queuedAt ? `  due ${dueAt}` : "";
  return `${id}  ${state}  ${object}/${action}  ${tries}  queued ${queuedAt}${due}`;
}

function detailText(action: QueuedAction, model: ConnectorModel, args: Arguments): string {
  const shown = shownAction(action, model, args);
  if (args["json"] === true) return JSON.stringify(shown);
  const { input, result, note } = shown;
  const lines = [lineOf(action), `  input   ${JSON.stringify(input)}`];
  if (result !== null) lines.push(`  result  ${JSON.stringify(result)}`);
  if (note !== null) lines.push(`  noted   ${note.stage}${note.detail === null ? "" : `: ${note.detail}`}`);
  return lines.join("\n");
}

/** The action without what must not be shown. A handler's note may hold anything. */
function shownAction(action: QueuedAction, model: ConnectorModel, args: Arguments) {
  const reveal = args["reveal"] === true;
  const object = model.modules
    .flatMap(({ dataObjects }) => dataObjects)
    .find(({ dataPath }) => dataPath === action.object);
  const known = object?.actions.find(({ urlPart }) => urlPart === action.action);
  const hidden = (value: unknown) => (reveal || value === null ? value : masked(value, { writeOnly: true }));
  const input = known === undefined ? hidden : shownPayload(known.input, reveal);
  const { state } = action;
  const document = state === "succeeded" ? known?.output : known?.failure;
  const shown = document === undefined ? hidden : shownPayload(document, reveal);
  // What stands with the others are words of the processor's own, without secrets.
  const result = state === "succeeded" || state === "failed" ? shown(action.result) : action.result;
  const note = noteOf(action);
  const { id, attempts, queuedAt, dueAt } = action;
  return {
    ...{ id, object: action.object, action: action.action, state, attempts, queuedAt, dueAt },
    input: input(action.input),
    result,
    note: note && { stage: note.stage, detail: note.detail === null ? null : String(hidden(note.detail)) },
  };
}
