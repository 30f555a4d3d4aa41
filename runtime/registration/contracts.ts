/** What authors implement and register: readers of data objects and handlers of actions. */

/** The platform's AbortSignal; only its state in a project that has neither the types of Node nor those of the DOM. */
export type StopSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : { readonly aborted: boolean };

/** Where readers and handlers write messages. Sensitive values of `fields` are hidden. */
export interface Log {
  /** For the developer: what happens in detail. */
  debug(message: string, fields?: object): void;
  /** What happens as it should. */
  info(message: string, fields?: object): void;
  /** What somebody should look at, although the work goes on. */
  warn(message: string, fields?: object): void;
  /** What has failed. */
  error(message: string, fields?: object): void;
}

/** The types of what a reader or handler is called with beside its client. Generated code fills them in. */
export interface ServiceTypes {
  /** The classes of the connector's connections. */
  readonly connection: unknown;
  /** The class of the registration configuration. */
  readonly registrationConfiguration: unknown;
  /** The class of the service configuration of the module. */
  readonly serviceConfiguration: unknown;
  /** The part of the data object or action in the service configuration. */
  readonly settings: unknown;
}

/** The types of connectors without generated code. */
export interface UntypedService extends ServiceTypes {
  readonly connection: object;
  readonly registrationConfiguration: object;
  readonly serviceConfiguration: object;
  readonly settings: object;
}

/** What readers and handlers are both called with. */
export interface ServiceContext<Client = unknown, Types extends ServiceTypes = UntypedService> {
  /** The API client of the active connection, as the client helper made it. */
  readonly client: Client;
  /** The active connection: an instance of one of the generated connection classes. */
  readonly connection: Types["connection"];
  /** The settings of the workspace (§2.3): an instance of the generated class. Frozen. */
  readonly registrationConfiguration: Types["registrationConfiguration"];
  /**
   * The configuration of the service that runs (§2.8): an instance of the generated class of the module's cache writer
   * configuration for a reader, of its action processor configuration for a handler. Frozen.
   */
  readonly serviceConfiguration: Types["serviceConfiguration"];
  /** What `serviceConfiguration` says of this data object or action, with names as in code. Frozen. */
  readonly settings: Types["settings"];
  /** The log of the run; sensitive values in it are hidden. */
  readonly log: Log;
  /** Aborted when the run is stopped. Pass it on to every call that takes one. */
  readonly signal: StopSignal;
}

/** How far an attempt had come. */
export interface IdempotencyNote {
  /**
   * - `intent`: about to call the target system
   * - `sent`: the call may have arrived
   * - `confirmed`: the target system has acted
   */
  readonly stage: "intent" | "sent" | "confirmed";
  /** What the handler wants to know later, such as an identifier; null if it gave nothing. */
  readonly detail: string | null;
}

/** Notes about one action that survive a crash: by them a handler can tell whether it has acted already. */
export interface Idempotency {
  /** The same for every attempt of this action, and for no other action: a UUID, for target systems that take such a key. */
  readonly key: string;
  /** The last note of an attempt before this one; null if there is none. */
  readonly previous: IdempotencyNote | null;
  /**
   * Keeps a note before the promise is fulfilled.
   * @throws RangeError if `stage` is not one of the three.
   * @throws StoreError if another worker has taken the action: do nothing more then.
   */
  note(stage: IdempotencyNote["stage"], detail?: string): Promise<void>;
}

/** What a handler is called with. */
export interface ActionContext<Client = unknown, Types extends ServiceTypes = UntypedService>
  extends ServiceContext<Client, Types> {
  /** What keeps an action from being performed twice if it is tried again. */
  readonly idempotency: Idempotency;
}

/** What a reader is called with. */
export interface ReaderContext<Client = unknown, Types extends ServiceTypes = UntypedService>
  extends ServiceContext<Client, Types> {
  /** What the last successful run saved; null before the first run, and always for a full reader and in a full read. */
  readonly checkpoint: string | null;
  /**
   * Sets where the next run starts. The last text counts, and only if this run succeeds.
   * @throws Error in a full reader.
   */
  saveCheckpoint(checkpoint: string): void;
  /** The last resume point of the interrupted run that this one resumes; null if this run starts at the beginning. */
  readonly resumePoint: string | null;
  /** States that every record before this point was yielded: if the run is interrupted later, it can resume here. */
  saveResumePoint(resumePoint: string): void;
}

/** Reads every record. What it does not yield is deleted from the cache, so it throws if it can't go on. */
export type FullReader<Item, Client = unknown, Types extends ServiceTypes = UntypedService> = (
  context: ReaderContext<Client, Types>,
) => AsyncIterable<Item>;

/** A record that was inserted, updated or deleted in the target system. */
export interface RecordChange<Item> {
  /** `upsert` for a record that was inserted or updated. */
  readonly operation: "upsert" | "delete";
  /** An instance of the generated class, or what the target system sent. For a delete the key is enough. */
  readonly record: Item;
}

/** How often an incremental reader reads everything. */
export interface FullReads {
  /** An ISO 8601 duration, such as `P7D`: a run that begins so long after the last full read is one. */
  readonly every: string;
}

/** Reads what has changed since the checkpoint. Only what it yields as deleted is deleted. */
export interface IncrementalReader<Item, Client = unknown, Types extends ServiceTypes = UntypedService> {
  (context: ReaderContext<Client, Types>): AsyncIterable<RecordChange<Item>>;
  /**
   * Makes some runs full reads: they have no checkpoint, as the first run, and delete what the reader does not yield, as a
   * full reader does. For target systems that tell of no deletes.
   * @default no run is one
   */
  readonly full?: FullReads | undefined;
}

/** A record that an action has changed in the target system, for the cache. */
export interface CacheChange<
  Name extends string = string,
  Operation extends "upsert" | "delete" = "upsert" | "delete",
  Item = unknown,
> {
  /** Name of the data object's class. */
  readonly dataObject: Name;
  /** `upsert` for a record that was inserted or updated. */
  readonly operation: Operation;
  /** An instance of the generated class, or its serialized form. For a delete the key is enough. */
  readonly record: Item;
}

/** The action was performed. */
export interface Succeeded<Output, Change = CacheChange> {
  /** Tells the two results of a handler apart. */
  readonly outcome: "succeeded";
  /** The output, by the action's schema. */
  readonly output: Output;
  /** What the action has changed, for the cache. */
  readonly changes: readonly Change[];
}

/** The action was refused, and is not tried again. */
export interface Failed<Failure> {
  /** Tells the two results of a handler apart. */
  readonly outcome: "failed";
  /** Why it was refused, by the action's schema. */
  readonly failure: Failure;
}

/** Performs an action. An error that it throws is a failed attempt, never a crash. */
export type ActionHandler<
  Input,
  Output,
  Failure,
  Client = unknown,
  Types extends ServiceTypes = UntypedService,
> = (input: Input, context: ActionContext<Client, Types>) => Promise<Succeeded<Output> | Failed<Failure>>;

/**
 * The result of a handler that has performed the action: its output, and the changes that the cache takes over. The
 * generated type of the handler's result says which data objects the module has, and what their records are.
 * @param changes Default: none.
 */
// `Name` keeps the compiler from widening the names of data objects to string.
export function succeeded<Output, Name extends string = string, Change extends CacheChange<Name> = never>(
  output: Output,
  changes: readonly Change[] = [],
): Succeeded<Output, Change> {
  return { outcome: "succeeded", output, changes };
}

/** The result of a handler if the target system refuses the action. To have it tried again, throw instead. */
export function failed<Failure>(failure: Failure): Failed<Failure> {
  return { outcome: "failed", failure };
}
