/** What authors implement and hand to the registration: readers of data objects and handlers of actions. */

/** The platform's AbortSignal; only its state where a project knows neither the types of Node nor of the DOM. */
export type StopSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : { readonly aborted: boolean };

/** What a reader is called with. */
export interface ReaderContext<Connection = unknown> {
  readonly connection: Connection;
  /** Where the last run of an incremental reader ended; null at first, and always for a full one. */
  readonly checkpoint: string | null;
  /** Aborted when the run is stopped. */
  readonly signal: StopSignal;
}

/** Reads every record. What it does not yield is deleted from the cache: it throws when it can't go on. */
export type FullReader<Item> = (context: ReaderContext) => AsyncIterable<Item>;

/** A change since the checkpoint. */
export interface RecordChange<Item> {
  readonly operation: "upsert" | "delete";
  readonly record: Item;
}

/** Reads what has changed since the checkpoint; only what it yields as deleted is deleted. */
export type IncrementalReader<Item> = (context: ReaderContext) => AsyncIterable<RecordChange<Item>>;

/** What a handler is called with. */
export interface ActionContext<Connection = unknown> {
  readonly connection: Connection;
  readonly signal: StopSignal;
}

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
export type ActionHandler<Input, Output, Failure> = (
  input: Input,
  context: ActionContext,
) => Promise<Succeeded<Output> | Failed<Failure>>;

/** The action was performed: its output, and what it changed in the cache. */
export function succeeded<Output>(output: Output, changes: readonly CacheChange[] = []): Succeeded<Output> {
  return { outcome: "succeeded", output, changes };
}

/** The action was not performed, and why. */
export function failed<Failure>(failure: Failure): Failed<Failure> {
  return { outcome: "failed", failure };
}
