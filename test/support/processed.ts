/** Runs the action processor on items, with a store of its own. */

import { appendFileSync } from "node:fs";
import { type Enqueued, enqueueAction } from "../../runtime/action-processor/enqueue-action.js";
import {
  type ActionModule,
  type ProcessedAction,
  processedActions,
} from "../../runtime/action-processor/processed-actions.js";
import type {
  ActionAttempt,
  ProcessorOptions,
  ProcessorResult,
} from "../../runtime/action-processor/processor-options.js";
import { runActionProcessor } from "../../runtime/action-processor/run-action-processor.js";
import type { RecordType } from "../../runtime/records/record-type.js";
import { type ActionHandler, succeeded } from "../../runtime/registration/contracts.js";
import type { QueuedAction } from "../../runtime/store/queue.js";
import type { Store } from "../../runtime/store/store.js";
import { findings } from "../../runtime/validation/findings.js";
import { ITEM, item, PATH, SILENT } from "./items.js";

export type Handler = ActionHandler<unknown, unknown, unknown, unknown>;

export const INPUT = payload("CreateItemInput", {
  type: "object",
  properties: {
    name: { type: "string", maxLength: 20 },
    password: { type: "string", maxLength: 30, writeOnly: true },
  },
  required: ["name"],
});
const OUTPUT = payload("CreateItemOutput", {
  type: "object",
  properties: { id: { type: "integer" }, token: { type: "string", maxLength: 5, writeOnly: true } },
  required: ["id"],
});
const FAILURE = payload("CreateItemFailure", {
  type: "object",
  properties: { code: { type: "string" } },
  required: ["code"],
});

/** A module whose one action is performed by `handler`. */
export function moduleOf(handler: Handler, processQueuedEvent = true): ActionModule {
  const action = { urlPart: "create", dataObject: "Item", input: INPUT, output: OUTPUT, failure: FAILURE };
  return {
    cacheWriter: { dataObjects: [{ name: "Item", dataPath: PATH, record: ITEM }] },
    actionProcessor: { actions: [{ ...action, processQueuedEvent, handler }] },
  };
}

export function actionOf(module: ActionModule): ProcessedAction {
  const [action] = processedActions([module]);
  if (action === undefined) throw new Error("the module has no action");
  return action;
}

/** Queues an input for a module that can't perform it. */
export function enqueue(store: Store, input: unknown = { name: "x" }): Promise<Enqueued> {
  return enqueueAction(actionOf(moduleOf(unused)), input, { queue: store.queue });
}

/** The action that was queued. */
export async function queued(store: Store, input?: unknown): Promise<QueuedAction> {
  const enqueued = await enqueue(store, input);
  if (enqueued.outcome === "refused") throw new Error("it was refused");
  return enqueued.action;
}

/** Milliseconds instead of minutes. */
export const FAST = { firstWaitMs: 1, longestWaitMs: 4, random: () => 0.5 };

export interface Run extends ProcessorResult {
  readonly attempts: readonly ActionAttempt[];
}

/** One run; waits are short unless told otherwise. */
export async function run(
  store: Store,
  handler: Handler,
  options: Partial<ProcessorOptions> & { readonly isOff?: boolean } = {},
): Promise<Run> {
  const attempts: ActionAttempt[] = [];
  const { isOff = false, ...others } = options;
  const result = await runActionProcessor([moduleOf(handler, !isOff)], {
    store,
    client: undefined,
    connection: {},
    log: SILENT,
    signal: new AbortController().signal,
    retry: FAST,
    onAttempt: (attempt) => void attempts.push(attempt),
    ...others,
  });
  return { ...result, attempts };
}

/** Runs until nothing is left that waits for its time. */
export async function runAll(
  store: Store,
  handler: Handler,
  options: Partial<ProcessorOptions> = {},
): Promise<readonly ActionAttempt[]> {
  const attempts: ActionAttempt[] = [];
  const controller = new AbortController();
  await run(store, handler, {
    pollMs: 2,
    signal: controller.signal,
    ...options,
    onAttempt: (attempt) => {
      attempts.push(attempt);
      if (attempt.outcome !== "retry") controller.abort();
    },
  });
  return attempts;
}

let stamp = 0;

/**
 * A handler that notes in the file `effects` what reaches the target system, and puts one record into the cache for its
 * action. No two of its records are the same: a second effect of one action would be seen as an update.
 */
export function appliedAction(effects: string, pause: () => Promise<unknown> = async () => {}): Handler {
  return async (input, { idempotency }) => {
    const name = String(Reflect.get(input as object, "name"));
    const { key, previous } = idempotency;
    await idempotency.note("intent", name);
    await pause();
    appendFileSync(effects, `${name} ${key} ${previous?.stage ?? "none"}\n`);
    await idempotency.note("sent", name);
    await pause();
    const record = item(Number(name), { name: `${process.pid}-${stamp++}` });
    return succeeded({ id: Number(name) }, [{ dataObject: "Item", operation: "upsert", record }]);
  };
}

async function unused(): Promise<never> {
  throw new Error("it was not to be performed");
}

function payload(name: string, schema: object): RecordType {
  return { name, schema, check: (value) => findings(schema, value).length === 0 };
}
