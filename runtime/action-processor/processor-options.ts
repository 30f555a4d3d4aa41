/** Options and results of a run of the action processor. */
import type { Log } from "../registration/contracts.js";
import type { ActionSource, ConnectionIdentity, Store } from "../store/store.js";
import type { VolatileMembers } from "./cache-changes.js";
import type { ActionRetryOptions } from "./retry-rules.js";

/** The most actions that can be performed at the same time. */
export const MAX_CONCURRENCY = 100;

/** How one action is performed, where it differs from the others. */
export interface ActionPolicy {
  /** How its failed attempts are repeated; what is left out is as for all actions. */
  readonly retry?: ActionRetryOptions | undefined;
  /**
   * How long its handler may take, in milliseconds.
   * @default as for all actions
   */
  readonly timeoutMs?: number | undefined;
}

/** How actions are performed. */
export interface ProcessorSettings {
  /**
   * How many actions are performed at the same time, 1 to 100. With more than one, actions of the same record can overtake
   * each other.
   * @default 1
   */
  readonly concurrency?: number | undefined;
  /** How failed attempts are repeated. */
  readonly retry?: ActionRetryOptions | undefined;
  /**
   * How single actions are performed, by address: the data path of the object, `/`, and the action's part.
   * @default {}
   * @example
   * const actions = { "projects-api/app/1/project/create": { retry: { maxAttempts: 1 } } };
   */
  readonly actions?: Readonly<Record<string, ActionPolicy>> | undefined;
  /**
   * How long an action is held at a time, in milliseconds. The lease is extended while its handler runs.
   * @default 60_000
   */
  readonly leaseMs?: number | undefined;
  /**
   * How long a handler may take, in milliseconds. Its signal is aborted then, which counts as a failure.
   * @default 600_000
   */
  readonly timeoutMs?: number | undefined;
  /**
   * How long a handler may take to end after its signal was aborted, in milliseconds.
   * @default 10_000
   */
  readonly graceMs?: number | undefined;
  /**
   * How long an action may wait after it was due before it is cancelled, in milliseconds. Of a time in which nobody looked
   * at the queue at most a day counts.
   * @default 1_209_600_000
   */
  readonly cancelAfterMs?: number | undefined;
  /**
   * Members that change without meaning anything, by data path: the same as the cache writer is given.
   * @default {}
   */
  readonly volatile?: VolatileMembers | undefined;
  /**
   * Poll interval in milliseconds: with it the run waits for more when nothing is due.
   * @default none: the run ends when nothing is due
   */
  readonly pollMs?: number | undefined;
  /**
   * Number of the only action that is performed, once.
   * @default every action that is due
   */
  readonly id?: number | undefined;
}

/** What a run of the action processor is given. */
export interface ProcessorOptions<Client = unknown> extends ProcessorSettings {
  /** Keeps what becomes of actions. */
  readonly store: Store;
  /**
   * Says who performs which action when.
   * @default the source of `store`
   */
  readonly source?: ActionSource | undefined;
  /** The API client that the client helper made of the connection. */
  readonly client: Client;
  /** The connection, as an instance of its generated class. */
  readonly connection: object;
  /**
   * The connection to which the store has to belong, as `connect` tells it; an action of another one is not performed.
   * @default none: the store is not bound
   */
  readonly identity?: ConnectionIdentity | undefined;
  /** Where handlers write messages. */
  readonly log: Log;
  /** Stops the run: no more actions are taken, and one whose handler ends for the signal is queued again as it was. */
  readonly signal: AbortSignal;
  /** Called after every attempt. */
  readonly onAttempt?: ((report: AttemptReport) => void) | undefined;
  /**
   * Makes each attempt by calling `attempt`, within whatever it is to be seen in: a span, or an asynchronous context.
   * @default the attempt is made
   */
  readonly around?:
    | ((
        action: Pick<AttemptReport, "id" | "object" | "action" | "attempts">,
        attempt: () => Promise<AttemptReport>,
      ) => Promise<AttemptReport>)
    | undefined;
}

/**
 * - `succeeded`, `failed`: closed as the handler returned, with its changes of the cache
 * - `dead`: given up
 * - `retry`: queued again for `dueAt`
 * - `stopped`: queued again as it was; or held until its lease ends, if the handler goes on although it was stopped
 * - `lost`: another worker had taken it in the meantime; nothing was written
 */
export type AttemptKind = "succeeded" | "failed" | "dead" | "retry" | "stopped" | "lost";

/** What became of one attempt. */
export interface AttemptReport {
  /** Number of the action. */
  readonly id: number;
  /** Data path of the object, and the action's part of the address. */
  readonly object: string;
  /** The action's part of the address. */
  readonly action: string;
  /** Attempts of this action, this one included. */
  readonly attempts: number;
  /** How the attempt ended. */
  readonly outcome: AttemptKind;
  /** When the next attempt is due: ISO 8601, UTC; null if there is none. */
  readonly dueAt: string | null;
  /** Why it was not closed as the handler wanted, without secrets; null if it was. */
  readonly message: string | null;
  /** Records that it changed in the cache, or found as they should be. */
  readonly changes: number;
  /** Of these, records that it deleted. */
  readonly deletes: number;
  /** The output or the failure in serialized form, sensitive values hidden; null for any other outcome. */
  readonly result: unknown;
  /** What the handler threw, as it was thrown: it may hold secrets; absent if it did not throw. */
  readonly error?: unknown;
}

/** How many attempts ended how. */
export interface ProcessorResult extends Readonly<Record<AttemptKind, number>> {
  /** Actions that had waited too long. */
  readonly cancelled: number;
}
