/** The port to the queue of actions. What a handler did and what it changed in the cache are kept together or not at all. */
import type { AlternateKeys, RecordWrite } from "./records.js";

/**
 * - `queued`: waits for its time
 * - `taken`: a worker performs it, or was killed while it did
 * - `succeeded`, `failed`: closed, with output or failure (spec §2.7)
 * - `dead`: given up after its last attempt; can be queued again
 * - `cancelled`: waited too long
 */
export type ActionState = "queued" | "taken" | "succeeded" | "failed" | "dead" | "cancelled";

export interface NewAction {
  /** Data path of the object, and the action's part of the address below it. */
  readonly object: string;
  readonly action: string;
  /** The serialized input, valid by its schema. */
  readonly input: unknown;
}

export interface QueuedAction extends NewAction {
  readonly id: number;
  readonly state: ActionState;
  /** How often it was taken. */
  readonly attempts: number;
  /** ISO 8601, UTC. */
  readonly queuedAt: string;
  /** Not to be taken before: ISO 8601, UTC. */
  readonly dueAt: string;
  /** The serialized output or failure; null while there is none. */
  readonly result: unknown;
  /** What a handler noted to know after a crash how far it had come; null while there is nothing. */
  readonly note: string | null;
}

/** An action in the hands of one worker. The token tells it from one that another worker took after it. */
export interface TakenAction extends QueuedAction {
  readonly token: string;
}

export interface TakeAction {
  /** Milliseconds after which another worker may take the action, unless it is closed or renewed before. */
  readonly leaseMs: number;
  /** Actions that may be taken, by data path and part of the address; the others stay queued (switches, §2.8). */
  readonly actions: readonly { readonly object: string; readonly action: string }[];
  /** Only this action, also where others have waited longer. */
  readonly id?: number | undefined;
}

/** Changes of the cache that an action brings: one object each. */
export interface ObjectWrites {
  readonly object: string;
  readonly records: readonly RecordWrite[];
  readonly alternateKeys: AlternateKeys;
}

/** How a worker lets go of an action. */
export interface Settlement {
  readonly state: "queued" | "succeeded" | "failed" | "dead";
  /** When a `queued` one may be taken again: ISO 8601, UTC. By default at once. */
  readonly dueAt?: string | undefined;
  /** A `queued` one was given back without having been tried: the attempt does not count. */
  readonly isUntried?: boolean | undefined;
  readonly result?: unknown;
  /** Applied in the same transaction. */
  readonly changes?: readonly ObjectWrites[] | undefined;
}

export interface ActionQueue {
  add(action: NewAction): Promise<QueuedAction>;
  /** The longest waiting action that is due, or whose worker's lease has run out; undefined where there is none. */
  take(options: TakeAction): Promise<TakenAction | undefined>;
  /** Holds the action for so many milliseconds from now. @throws StoreError `superseded` where it was lost. */
  renew(action: TakenAction, leaseMs: number): Promise<void>;
  /** Keeps a note with the action at once. @throws StoreError `superseded` where it was lost. */
  note(action: TakenAction, note: string): Promise<void>;
  /** Closes or gives back the action. @throws StoreError `superseded` where it was lost; nothing is written then. */
  settle(action: TakenAction, settlement: Settlement): Promise<void>;
  get(id: number): Promise<QueuedAction | undefined>;
  /** In the order of their ids; `state` by default any. */
  list(state?: ActionState): AsyncIterable<QueuedAction>;
  /** Queues a `dead` or `failed` action again, with its attempts at 0; false where it is neither. */
  requeue(id: number): Promise<boolean>;
  /** Cancels what was due before this time and is still waiting; gives how many there were. */
  cancelDueBefore(time: string): Promise<number>;
}
