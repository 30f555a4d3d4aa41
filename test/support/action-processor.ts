/** Runs the action processor on items, with handlers that end as planned and a store of its own. */

import { appendFileSync } from "node:fs";
import { ResponseError } from "../../runtime/client/index.js";
import type { ActionContext, RecordType } from "../../runtime/codegen/index.js";
import { type ActionHandler, failed, findings, succeeded } from "../../runtime/entries/runtime.js";
import {
  type ActionEntry,
  type AttemptReport,
  type EnqueueResult,
  enqueueAction,
  type ProcessorOptions,
  type ProcessorResult,
  runActionProcessor,
  type StartedAction,
  type StartedModule,
  type Store,
} from "../../runtime/host/index.js";
import { fullObject, item, NO_SETTINGS, PATH, SILENT } from "./item-cache.js";

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
export function moduleOf(handler: Handler, processQueuedEvent = true): StartedModule {
  const names = { name: "Create", urlPart: "create", dataObject: "Item", switchName: "CreateItemConfig" };
  const types = { input: INPUT, output: OUTPUT, failure: FAILURE };
  const action = { ...names, ...types, handler, dataPath: PATH, processQueuedEvent, ...NO_SETTINGS };
  const object = { ...fullObject(async function* () {}), uploadObject: true, ...NO_SETTINGS };
  return {
    id: "app-1",
    cacheWriter: { configuration: {}, dataObjects: [object] },
    actionProcessor: { configuration: {}, actions: [action] },
  };
}

export function actionOf({ actionProcessor }: StartedModule): StartedAction {
  const [action] = actionProcessor.actions;
  if (action === undefined) throw new Error("the module has no action");
  return action;
}

/** Queues an input for a module that can't perform it. */
export function enqueue(store: Store, input: unknown = { name: "x" }): Promise<EnqueueResult> {
  return enqueueAction(actionOf(moduleOf(failIfPerformed)), input, { ledger: store.ledger });
}

/** The action that was queued. */
export async function queueAction(store: Store, input?: unknown): Promise<ActionEntry> {
  const enqueued = await enqueue(store, input);
  if (enqueued.outcome === "refused") throw new Error("it was refused");
  return enqueued.action;
}

/** What the ledger has of an action, with its result as a value. */
export async function storedAction(store: Store, id: number) {
  const entry = await store.ledger.get(id);
  if (entry === undefined) throw new Error(`there is no action ${id}`);
  const { resultJson, ...facts } = entry;
  return { ...facts, result: resultJson === null ? null : JSON.parse(resultJson) };
}

/** Milliseconds instead of minutes. */
export const FAST = { firstDelayMs: 1, maxDelayMs: 4, random: () => 0.5 };

export interface Run extends ProcessorResult {
  readonly attempts: readonly AttemptReport[];
}

/** One run; waits are short unless told otherwise. */
export async function run(
  store: Store,
  handler: Handler,
  options: Partial<ProcessorOptions> & { readonly isOff?: boolean } = {},
): Promise<Run> {
  const attempts: AttemptReport[] = [];
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
export async function runUntilClosed(
  store: Store,
  handler: Handler,
  options: Partial<ProcessorOptions> = {},
): Promise<readonly AttemptReport[]> {
  const attempts: AttemptReport[] = [];
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

async function failIfPerformed(): Promise<never> {
  throw new Error("it was not to be performed");
}

function payload(name: string, schema: object): RecordType {
  return { name, schema, check: (value) => findings(schema, value).length === 0 };
}

/** What a handler does at one call; the killed ones take their worker with them. */
export const PLANS = [
  ...["succeeds", "fails", "misfits", "transient", "unknown", "final", "hangs", "stopped"],
  ...["killed", "killed after intent", "killed after sent", "killed at its end"],
] as const;

/** Attempts by the kind of failure. */
export const MOST = { transient: 4, unknown: 2, final: 1 } as const;

export async function callByPlan(
  plan: string,
  record: object,
  signal: ActionContext["signal"],
): ReturnType<Handler> {
  const changes = [{ dataObject: "Item", operation: "upsert", record } as const];
  switch (plan) {
    case "fails":
      return failed({ code: "taken" });
    case "misfits":
      return succeeded({ id: "no number" }, changes);
    case "transient":
      throw new ResponseError("busy", 503);
    case "unknown":
      throw new Error("who knows");
    case "final":
      throw new TypeError("x is undefined");
    case "hangs":
      return new Promise(() => {});
    case "stopped":
      return new Promise((_, reject) => {
        if (signal.aborted) reject(signal.reason);
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    default:
      return succeeded({ id: 1 }, changes);
  }
}
