/** Runs the action processor of a connector: takes what is due, performs it, settles it. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Settlement, TakenAction } from "../store/queue.js";
import { StoreError } from "../store/store-error.js";
import { type Attempt, leaseOf, performAction } from "./perform-action.js";
import { type ActionModule, type ProcessedAction, processedActions } from "./processed-actions.js";
import type {
  ActionAttempt,
  AttemptOutcome,
  ProcessorOptions,
  ProcessorResult,
} from "./processor-options.js";

const CANCEL_AFTER_MS = 14 * 24 * 60 * 60 * 1_000;
const CANCEL_EVERY_MS = 60 * 60 * 1_000;

/**
 * Performs every action that is due and whose `ProcessQueuedEvent` is on, one after the other; several processes may
 * do so on one store. An action is taken by one at a time, and what it changes in the cache is kept once.
 * @throws StoreError where the store can't go on.
 */
export async function runActionProcessor<Client>(
  modules: readonly ActionModule<Client>[],
  options: ProcessorOptions<Client>,
): Promise<ProcessorResult> {
  const processed = processedActions(modules);
  const counts = { succeeded: 0, failed: 0, dead: 0, retry: 0, stopped: 0, lost: 0, cancelled: 0 };
  let cancelledAt = -Infinity;
  while (!options.signal.aborted) {
    if (performance.now() - cancelledAt >= CANCEL_EVERY_MS) {
      counts.cancelled += await cancelled(options);
      cancelledAt = performance.now();
    }
    const taken = await take(processed, options);
    if (taken !== undefined) {
      const attempt = await attempted(...taken, options);
      counts[attempt.outcome]++;
      options.onAttempt?.(attempt);
    }
    if (options.id !== undefined) break;
    if (taken !== undefined) continue;
    if (options.pollMs === undefined) break;
    await sleep(options.pollMs, undefined, { signal: options.signal }).catch(() => undefined);
  }
  return counts;
}

function cancelled<Client>({
  store,
  cancelAfterMs = CANCEL_AFTER_MS,
}: ProcessorOptions<Client>): Promise<number> {
  return store.queue.cancelDueBefore(new Date(Date.now() - cancelAfterMs).toISOString());
}

async function take<Client>(
  processed: readonly ProcessedAction<Client>[],
  options: ProcessorOptions<Client>,
): Promise<[TakenAction, ProcessedAction<Client>] | undefined> {
  const switchedOn = processed.filter(({ action }) => action.processQueuedEvent);
  const actions = switchedOn.map(({ object, action }) => ({ object, action: action.urlPart }));
  const taken = await options.store.queue.take({ leaseMs: leaseOf(options), actions, id: options.id });
  const one = switchedOn.find(
    ({ object, action }) => object === taken?.object && action.urlPart === taken.action,
  );
  return taken === undefined || one === undefined ? undefined : [taken, one];
}

async function attempted<Client>(
  taken: TakenAction,
  processed: ProcessedAction<Client>,
  options: ProcessorOptions<Client>,
): Promise<ActionAttempt> {
  const { id, object, action, attempts } = taken;
  const attempt = await performAction(taken, processed, options);
  const facts = { id, object, action, attempts, message: attempt.message, changes: attempt.changes };
  const dueAt = attempt.settlement?.dueAt ?? null;
  try {
    if (attempt.settlement !== undefined) await options.store.queue.settle(taken, attempt.settlement);
    return { ...facts, outcome: outcomeOf(attempt), dueAt };
  } catch (error) {
    if (!(error instanceof StoreError && error.problem === "superseded")) throw error;
    const message = "Another worker had taken it meanwhile.";
    return { ...facts, outcome: "lost", dueAt: null, message, changes: 0 };
  }
}

function outcomeOf({ settlement }: Attempt): AttemptOutcome {
  if (settlement === undefined) return "stopped";
  const { state, isUntried }: Settlement = settlement;
  if (state !== "queued") return state;
  return isUntried === true ? "stopped" : "retry";
}
