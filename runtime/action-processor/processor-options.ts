/** What a run of the action processor is given, and what it tells. */
import type { Log } from "../registration/contracts.js";
import type { Store } from "../store/store.js";
import type { VolatileMembers } from "./cache-changes.js";
import type { RetrySettings } from "./retry-rules.js";

/** How actions are performed; everything has a default. */
export interface ProcessorSettings {
  readonly retry?: RetrySettings | undefined;
  /** Milliseconds for which an action is taken at a time; a handler that takes longer keeps it. By default 60,000. */
  readonly leaseMs?: number | undefined;
  /** Milliseconds that a handler may take. By default ten minutes. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds that a handler may take to end after its signal was aborted. By default 10,000. */
  readonly graceMs?: number | undefined;
  /** Milliseconds that an action may wait before it is cancelled. By default 14 days. */
  readonly cancelAfterMs?: number | undefined;
  /** Members that change without meaning anything, by data path: the same as the cache writer is given. */
  readonly volatile?: VolatileMembers | undefined;
  /** Waits for more when there is nothing left, looking so often (milliseconds). By default it ends then. */
  readonly pollMs?: number | undefined;
  /** Performs this action only, once. */
  readonly id?: number | undefined;
}

export interface ProcessorOptions<Client = unknown> extends ProcessorSettings {
  readonly store: Store;
  /** What the client helper made of the connection. */
  readonly client: Client;
  readonly connection: object;
  readonly log: Log;
  /** Stops the run: a handler that ends for it has not tried, and its action is queued again. */
  readonly signal: AbortSignal;
  /** Called after every attempt. */
  readonly onAttempt?: ((attempt: ActionAttempt) => void) | undefined;
}

/**
 * - `succeeded`, `failed`: closed as the handler said, with its changes of the cache
 * - `dead`: given up
 * - `retry`: queued again for `dueAt`
 * - `stopped`: given back, or left to whoever finds its lease over
 * - `lost`: another worker had taken it meanwhile; nothing was written
 */
export type AttemptOutcome = "succeeded" | "failed" | "dead" | "retry" | "stopped" | "lost";

export interface ActionAttempt {
  readonly id: number;
  /** Data path of the object, and the action's part of the address. */
  readonly object: string;
  readonly action: string;
  /** How often it was taken, this time included. */
  readonly attempts: number;
  readonly outcome: AttemptOutcome;
  /** When it is tried again: ISO 8601, UTC; null where it is not. */
  readonly dueAt: string | null;
  /** Why it was not closed, without secrets; null where it was. */
  readonly message: string | null;
  /** Records that it changed in the cache, or found as they should be. */
  readonly changes: number;
}

/** How many attempts ended how. */
export interface ProcessorResult extends Readonly<Record<AttemptOutcome, number>> {
  /** Actions that had waited too long. */
  readonly cancelled: number;
}
