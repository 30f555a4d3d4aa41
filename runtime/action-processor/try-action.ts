/** Tries an action: one attempt, as the action processor makes it. There is no queue and no store, and nothing is kept. */
import type { StartedModule } from "../registration/started.js";
import { type ActionAddress, DEFAULT_TENANT, type ObjectWrites, type TakenAction } from "../store/store.js";
import type { Finding } from "../validation/finding.js";
import { checkInput } from "./enqueue-action.js";
import { performAction } from "./perform-action.js";
import { addressKey, prepareActions, secretsOf } from "./prepared-actions.js";
import type { ProcessorOptions } from "./processor-options.js";

/** How an action is tried. */
export interface TryActionOptions<Client = unknown>
  extends Pick<
    ProcessorOptions<Client>,
    "client" | "connection" | "log" | "signal" | "timeoutMs" | "graceMs"
  > {
  /**
   * Longest input as JSON, in bytes of UTF-8.
   * @default 5_242_880
   */
  readonly maxInputBytes?: number | undefined;
}

/** What a run would do with a record that the action has changed. */
export interface TriedChange {
  /** Data path of the object. */
  readonly object: string;
  /** What would happen to the record in the cache. */
  readonly operation: "upsert" | "delete";
  /** Value of the primary key. */
  readonly key: string;
  /** The serialized form, sensitive values as they are; null for a delete. */
  readonly record: object | null;
}

/** What the handler returned, and how it ended. */
export interface TriedAction extends ActionAddress {
  /**
   * - `succeeded`, `failed`: the handler has returned so
   * - `refused`: the input does not fit, and the handler was not called
   * - `retry`: the handler has failed, and the action processor would try again
   * - `dead`: the action processor would give the action up
   * - `stopped`: it was told to stop
   */
  readonly outcome: "succeeded" | "failed" | "refused" | "retry" | "dead" | "stopped";
  /** What is wrong with the input; none if it fits. Sensitive values are hidden. */
  readonly findings: readonly Finding[];
  /** The output or the failure in serialized form, sensitive values hidden; null for any other outcome. */
  readonly result: unknown;
  /** What the handler has changed, for the cache; nothing was written there. */
  readonly changes: readonly TriedChange[];
  /** Why it was not closed as the handler wanted, without secrets; null if it was. */
  readonly message: string | null;
  /** What the handler threw, as it was thrown: it may hold secrets; absent if it did not throw. */
  readonly error?: unknown;
}

/**
 * Performs an action once, whether its switch is on or off. Never throws for what the handler or the target system does:
 * the result says how it ended.
 * @throws RangeError if the connector has no such action.
 */
export async function tryAction<Client>(
  modules: readonly StartedModule<Client>[],
  { object, action, input }: ActionAddress & { readonly input: unknown },
  { maxInputBytes, ...options }: TryActionOptions<Client>,
): Promise<TriedAction> {
  const prepared = prepareActions(modules).get(addressKey({ object, action }));
  if (prepared === undefined) throw new RangeError(`${object} has no action ${action}.`);
  const ended = { object, action, findings: [], result: null, changes: [], message: null };
  const { inputJson, findings } = checkInput(prepared.action.input, input, maxInputBytes);
  if (inputJson === undefined) return { ...ended, outcome: "refused", findings };
  const outcome = await performAction(takenNow({ object, action, inputJson }), prepared, {
    ...options,
    // Notes are for the next attempt, and there is none.
    ledger: { note: async () => {} },
    tenant: DEFAULT_TENANT,
    secrets: secretsOf(modules, options.connection),
  });
  return {
    ...ended,
    outcome: outcome.kind,
    result: "shown" in outcome ? outcome.shown : null,
    changes: outcome.kind === "succeeded" ? outcome.changes.flatMap(changesIn) : [],
    message: "message" in outcome ? outcome.message : null,
    ...("error" in outcome && { error: outcome.error }),
  };
}

/** An action that nobody has queued. Its time makes its idempotency key one of its own. */
function takenNow(action: Pick<TakenAction, "object" | "action" | "inputJson">): TakenAction {
  const now = new Date().toISOString();
  const attempt = { id: 0, token: "", state: "taken", attempts: 1 } as const;
  return { ...action, ...attempt, queuedAt: now, dueAt: now, resultJson: null, noteJson: null };
}

function changesIn({ object, records }: ObjectWrites): readonly TriedChange[] {
  return records.map((write) => ({
    ...{ object, operation: write.operation, key: write.key },
    record: write.operation === "upsert" ? write.record : null,
  }));
}
