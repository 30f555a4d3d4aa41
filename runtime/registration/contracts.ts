/** What authors implement and hand to the registration: readers of data objects and handlers of actions. */

/** The platform's AbortSignal; only its state where a project knows neither the types of Node nor of the DOM. */
export type StopSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : { readonly aborted: boolean };

/** Where readers and handlers write what they have to say; sensitive values of `fields` come out hidden. */
export interface Log {
  debug(message: string, fields?: object): void;
  info(message: string, fields?: object): void;
  warn(message: string, fields?: object): void;
  error(message: string, fields?: object): void;
}

/** What readers and handlers are called with alike. */
export interface ServiceContext<Client = unknown> {
  /** The API client of the active connection, as the client helper made it. */
  readonly client: Client;
  /** The active connection: an instance of one of the generated connection classes. */
  readonly connection: object;
  readonly log: Log;
  /** Aborted when the run is stopped. */
  readonly signal: StopSignal;
}

/**
 * How far an attempt had come: `intent`, about to call the target system; `sent`, the call may have arrived;
 * `confirmed`, the target system has done it.
 */
export interface IdempotencyNote {
  readonly stage: "intent" | "sent" | "confirmed";
  /** What a handler wants to know of it, such as an identifier; null where it said nothing. */
  readonly detail: string | null;
}

/** A ledger for one action, kept durably: by it a handler can tell, after a crash, whether it has acted already. */
export interface Idempotency {
  /** The same for every attempt of this action, and for no other; a UUID, for target systems that take such a key. */
  readonly key: string;
  /** What an attempt before this one noted last; null where there was none, or it noted nothing. */
  readonly previous: IdempotencyNote | null;
  /** Kept before the promise is fulfilled. @throws StoreError where another worker has taken over: do nothing more then. */
  note(stage: IdempotencyNote["stage"], detail?: string): Promise<void>;
}

/** What a handler is called with. */
export interface ActionContext<Client = unknown> extends ServiceContext<Client> {
  readonly idempotency: Idempotency;
}

/** What a reader is called with. */
export interface ReaderContext<Client = unknown> extends ServiceContext<Client> {
  /** What the last successful run of an incremental reader saved; null at first, and always for a full one. */
  readonly checkpoint: string | null;
  /** Says where the next run starts. The last text said counts, and only when this run succeeds. */
  saveCheckpoint(checkpoint: string): void;
  /** The last resume point of a run that was interrupted, to go on from there; null: start at the beginning. */
  readonly resumePoint: string | null;
  /** Says that everything before here was yielded; a run that is interrupted later may be gone on with from here. */
  saveResumePoint(resumePoint: string): void;
}

/** Reads every record. What it does not yield is deleted from the cache: it throws when it can't go on. */
export type FullReader<Item, Client = unknown> = (context: ReaderContext<Client>) => AsyncIterable<Item>;

/** A change since the checkpoint. */
export interface RecordChange<Item> {
  readonly operation: "upsert" | "delete";
  readonly record: Item;
}

/** Reads what has changed since the checkpoint; only what it yields as deleted is deleted. */
export type IncrementalReader<Item, Client = unknown> = (
  context: ReaderContext<Client>,
) => AsyncIterable<RecordChange<Item>>;

/** A record that an action changed, for the cache. */
export interface CacheChange {
  /** Name of the data object's class. */
  readonly dataObject: string;
  readonly operation: "upsert" | "delete";
  readonly record: object;
}

export interface Succeeded<Output> {
  readonly outcome: "succeeded";
  readonly output: Output;
  readonly changes: readonly CacheChange[];
}

export interface Failed<Failure> {
  readonly outcome: "failed";
  readonly failure: Failure;
}

/** Performs an action. An error that it throws is a failure, never a crash. */
export type ActionHandler<Input, Output, Failure, Client = unknown> = (
  input: Input,
  context: ActionContext<Client>,
) => Promise<Succeeded<Output> | Failed<Failure>>;

/** The action was performed: its output, and what it changed in the cache. */
export function succeeded<Output>(output: Output, changes: readonly CacheChange[] = []): Succeeded<Output> {
  return { outcome: "succeeded", output, changes };
}

/** The action was not performed, and why. */
export function failed<Failure>(failure: Failure): Failed<Failure> {
  return { outcome: "failed", failure };
}
