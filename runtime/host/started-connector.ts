/** A connector that was started: what its cache writers and action processors work with. */
import type { RecordType } from "../records/record-type.js";
import type { ConnectorClient } from "../registration/connection-contracts.js";
import type { ActionHandler, FullReader, IncrementalReader, Log } from "../registration/contracts.js";
import type { PayloadClass, RegisteredConnection } from "../registration/registration.js";

/** Typed configurations have names as in code; they and all else here are frozen. */
export interface StartedConnector<Client = unknown> extends ConnectorClient<Client> {
  readonly name: string;
  readonly key: string;
  /** The registration configuration. */
  readonly configuration: object;
  readonly connections: readonly RegisteredConnection[];
  readonly modules: readonly StartedModule<Client>[];
  readonly log: Log;
}

export interface StartedModule<Client = unknown> {
  /** `{key}-{version}`. */
  readonly id: string;
  readonly cacheWriter: StartedCacheWriter<Client>;
  readonly actionProcessor: StartedActionProcessor<Client>;
}

export interface StartedCacheWriter<Client = unknown> {
  readonly configuration: object;
  readonly dataObjects: readonly StartedObject<Client>[];
}

export interface StartedActionProcessor<Client = unknown> {
  readonly configuration: object;
  readonly actions: readonly StartedAction<Client>[];
}

/** A data object with its reader. */
export type StartedObject<Client = unknown> = StartedObjectFacts &
  (
    | { readonly readerType: "full"; readonly reader: FullReader<unknown, Client> }
    | { readonly readerType: "incremental"; readonly reader: IncrementalReader<unknown, Client> }
  );

export interface StartedObjectFacts {
  /** Name of its class. */
  readonly name: string;
  readonly urlPart: string;
  /** `{connectorKey}/{moduleKey}/{version}/{objectUrl}`. */
  readonly dataPath: string;
  readonly record: RecordType;
  /** Its switch is on: records are uploaded to the cache (§2.8). It is off where the configuration leaves it out. */
  readonly uploadObject: boolean;
  /** The part of the module's configuration that is about it, with serialized names; empty where there is none. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** An action with its handler. */
export interface StartedAction<Client = unknown> {
  readonly name: string;
  readonly urlPart: string;
  /** Name of the data object's class. */
  readonly dataObject: string;
  readonly input: RecordType;
  /** What its handler is given an instance of. */
  readonly inputClass: PayloadClass | undefined;
  readonly output: RecordType;
  readonly failure: RecordType;
  /** Its switch is on: queued events are performed (§2.8, §6). It is off where the configuration leaves it out. */
  readonly processQueuedEvent: boolean;
  /** The part of the module's configuration that is about it, with serialized names; empty where there is none. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly handler: ActionHandler<unknown, unknown, unknown, Client>;
}
