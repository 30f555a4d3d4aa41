/** Runs the action processor of a connector: takes actions that are due, performs them, and writes what became of them. */
import type { StartedModule } from "../registration/started.js";
import {
  type ActionAddress,
  type ActionLedger,
  type ActionSource,
  storeProblemOf,
  type TakenAction,
} from "../store/store.js";
import { type AttemptContext, type AttemptOutcome, performAction } from "./perform-action.js";
import { addressKey, addressOf, type PreparedAction, prepareActions, secretsOf } from "./prepared-actions.js";
import {
  type AttemptKind,
  type AttemptReport,
  MAX_CONCURRENCY,
  type ProcessorOptions,
  type ProcessorResult,
  type ProcessorSettings,
} from "./processor-options.js";
import { CANCEL_AFTER_MS } from "./retry-rules.js";

const LEASE_MS = 60_000;
const CANCEL_EVERY_MS = 60 * 60 * 1_000;

/**
 * Performs actions that are due and whose `ProcessQueuedEvent` is on: the longest waiting first, `concurrency` of them at
 * the same time. Several processes may do so on one store. An action is held by one worker at a time, and what it changes
 * in the cache is kept once. An action that fails does not keep the others from being performed.
 *
 * When the signal is aborted, no more actions are taken; the run ends when the handlers that are under way have ended.
 * @throws RangeError if `concurrency` is not a whole number from 1 to 100.
 * @throws StoreError if the store can't go on, or belongs to another connection; the handlers that are under way are
 * stopped before.
 * @example
 * const store = await openSqliteStore({ file: "cache.db" });
 * const services = connect(connector, container, { signal });
 * const run = { store, ...services, log: connector.log, signal };
 * const { succeeded, failed, dead } = await runActionProcessor(connector.modules, { ...run, concurrency: 4 });
 */
export async function runActionProcessor<Client>(
  modules: readonly StartedModule<Client>[],
  options: ProcessorOptions<Client>,
): Promise<ProcessorResult> {
  const { store, source = store.source, signal, concurrency = 1, pollMs, id, onAttempt } = options;
  const { around = (_, attempt) => attempt() } = options;
  checkConcurrency(concurrency);
  if (options.identity !== undefined) await store.bind(options.identity);
  const failure = new AbortController();
  const stop = AbortSignal.any([signal, failure.signal]);
  const worker = createWorker(modules, { ...options, source, signal: stop });
  const counts = { succeeded: 0, failed: 0, dead: 0, retry: 0, stopped: 0, lost: 0, cancelled: 0 };
  const running = new Set<Promise<void>>();
  let wake = () => {};
  stop.addEventListener("abort", () => wake(), { once: true });
  /** Waits until an attempt has ended, the run is stopped or `timeoutMs` are over. */
  const waitForEvent = async (timeoutMs?: number): Promise<void> => {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      wake = resolve;
      if (timeoutMs !== undefined) timer = setTimeout(resolve, timeoutMs);
    });
    clearTimeout(timer);
  };
  const start = (taken: TakenAction) => {
    const { id, object, action, attempts } = taken;
    const attempt = around({ id, object, action, attempts }, () => worker.attempt(taken))
      .then((report) => {
        counts[report.outcome]++;
        onAttempt?.(report);
      })
      .catch((error: unknown) => failure.abort(error))
      .finally(() => {
        running.delete(attempt);
        wake();
      });
    running.add(attempt);
  };
  try {
    while (!stop.aborted) {
      counts.cancelled += await worker.cancelOverdue();
      const taken = await worker.take(id);
      if (taken !== undefined) start(taken);
      if (id !== undefined) break;
      if (taken === undefined && running.size === 0 && pollMs === undefined) break;
      if (taken === undefined && !stop.aborted) await waitForEvent(pollMs);
      while (running.size >= concurrency && !stop.aborted) await waitForEvent();
    }
  } catch (error) {
    failure.abort(error);
  }
  await Promise.all(running);
  if (failure.signal.aborted) throw failure.signal.reason;
  return counts;
}

function checkConcurrency(concurrency: number): void {
  if (Number.isInteger(concurrency) && concurrency >= 1 && concurrency <= MAX_CONCURRENCY) return;
  throw new RangeError(`concurrency: expected a whole number from 1 to ${MAX_CONCURRENCY}`);
}

interface Worker {
  /** The next action that is due; undefined if there is none. */
  take(id: number | undefined): Promise<TakenAction | undefined>;
  /** Performs an action that was taken and writes what became of it. */
  attempt(taken: TakenAction): Promise<AttemptReport>;
  /** Cancels what has waited too long, now and then; returns how many actions that were. */
  cancelOverdue(): Promise<number>;
}

/** A worker with everything that its attempts share, made once a run. */
function createWorker<Client>(
  modules: readonly StartedModule<Client>[],
  options: ProcessorOptions<Client> & { readonly source: ActionSource },
): Worker {
  const { store, source, leaseMs = LEASE_MS, cancelAfterMs = CANCEL_AFTER_MS } = options;
  const { ledger, tenant } = store;
  const prepared = prepareActions(modules, options.volatile);
  const actions = [...prepared.values()]
    .filter(({ action }) => action.processQueuedEvent)
    .map(({ action }) => addressOf(action));
  const secrets = secretsOf(modules, options.connection);
  let cancelledAt = -Infinity;
  return {
    take: (id) => source.take({ leaseMs, actions, id }),
    attempt: async (taken) => {
      const action = prepared.get(addressKey(taken));
      if (action === undefined) throw new Error(`${addressKey(taken)} was not to be taken.`);
      const context = { ...options, ...policyFor(taken, options), ledger, tenant, secrets };
      const outcome = await performUnderLease(taken, action, { ...context, source, leaseMs });
      return settle(taken, outcome, { ledger, source });
    },
    cancelOverdue: async () => {
      if (performance.now() - cancelledAt < CANCEL_EVERY_MS) return 0;
      cancelledAt = performance.now();
      return source.cancelDueBefore(new Date(Date.now() - cancelAfterMs).toISOString());
    },
  };
}

/** How the action is performed: what its own policy leaves out is as for all. */
function policyFor(
  address: ActionAddress,
  { actions = {}, retry, timeoutMs }: ProcessorSettings,
): Pick<ProcessorSettings, "retry" | "timeoutMs"> {
  const key = addressKey(address);
  const own = Object.hasOwn(actions, key) ? actions[key] : undefined;
  return { retry: { ...retry, ...own?.retry }, timeoutMs: own?.timeoutMs ?? timeoutMs };
}

/** Performs an action and holds it meanwhile; its handler is stopped if another worker has taken it. */
async function performUnderLease<Client>(
  taken: TakenAction,
  action: PreparedAction<Client>,
  context: AttemptContext<Client> & { readonly source: ActionSource; readonly leaseMs: number },
): Promise<AttemptOutcome> {
  const { source, leaseMs, signal } = context;
  const lost = new AbortController();
  const extend = async () => {
    try {
      await source.extendLease(taken, leaseMs);
    } catch (error) {
      // Any other problem may be gone before the lease is over.
      if (isSuperseded(error)) lost.abort(error);
    }
  };
  const timer = setInterval(() => void extend(), Math.max(1, leaseMs / 3));
  try {
    return await performAction(taken, action, { ...context, signal: AbortSignal.any([signal, lost.signal]) });
  } finally {
    clearInterval(timer);
  }
}

interface ActionPorts {
  readonly ledger: ActionLedger;
  readonly source: ActionSource;
}

/** Writes what an outcome means for its action. */
async function settle(
  taken: TakenAction,
  outcome: AttemptOutcome,
  ports: ActionPorts,
): Promise<AttemptReport> {
  const { id, object, action, attempts } = taken;
  const facts = { id, object, action, attempts };
  try {
    await writeOutcome(taken, outcome, ports);
  } catch (error) {
    if (!isSuperseded(error)) throw error;
    const message = "Another worker had taken it in the meantime.";
    return { ...facts, outcome: "lost", dueAt: null, message, changes: 0, deletes: 0, result: null };
  }
  return {
    ...facts,
    outcome: outcome.kind satisfies AttemptKind,
    dueAt: outcome.kind === "retry" ? outcome.dueAt : null,
    message: "message" in outcome ? outcome.message : null,
    changes: outcome.kind === "succeeded" ? outcome.changeCount : 0,
    deletes: outcome.kind === "succeeded" ? outcome.deleteCount : 0,
    result: "shown" in outcome ? outcome.shown : null,
    ...("error" in outcome && { error: outcome.error }),
  };
}

async function writeOutcome(
  taken: TakenAction,
  outcome: AttemptOutcome,
  { ledger, source }: ActionPorts,
): Promise<void> {
  switch (outcome.kind) {
    case "succeeded": {
      const { outputJson: resultJson, changes } = outcome;
      return ledger.close(taken, { state: "succeeded", resultJson, changes });
    }
    case "failed":
    case "dead":
      return ledger.close(taken, { state: outcome.kind, resultJson: outcome.failureJson });
    case "retry":
      return source.retry(taken, {
        dueAt: outcome.dueAt,
        failureJson: outcome.failureJson,
        isCounted: outcome.isCounted,
      });
    case "stopped":
      return outcome.hasEnded ? source.giveBack(taken) : undefined;
    default:
      return outcome satisfies never;
  }
}

function isSuperseded(error: unknown): boolean {
  return storeProblemOf(error) === "superseded";
}
