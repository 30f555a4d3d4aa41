/** What generated code registers: every data object with its reader, every action with its handler. */
import type { RecordType } from "../records/record-type.js";
import type { RegisteredClient } from "./connection-contracts.js";
import type { ActionHandler, FullReader, IncrementalReader, ServiceTypes } from "./contracts.js";

/** The types of any reader or handler: whoever calls it hands over what its connector was started with. */
export type AnyService = { readonly [Member in keyof ServiceTypes]: never };

/** A data object with its reader. The cache writer, the action processor and the store know it in this shape. */
export type RegisteredObject<Client = unknown> = {
  /** Name of its class. */
  readonly name: string;
  /** Its part of addresses: `employee`. */
  readonly urlPart: string;
  /** `{connectorKey}/{moduleKey}/{version}/{objectUrl}`. */
  readonly dataPath: string;
  /** Schema, check, keys and names of its records. */
  readonly record: RecordType;
  /** Name, as in code, of its part of the cache writer configuration. */
  readonly switchName: string;
  /**
   * Name, as in code, of the member of that part that switches uploading on.
   * @default "uploadObject"
   */
  readonly flagName?: string | undefined;
} & (
  | {
      /** Its reader yields every record at each run. */
      readonly readerType: "full";
      /** The author's reader. */
      readonly reader: FullReader<unknown, Client, AnyService>;
    }
  | {
      /** Its reader yields what has changed since a checkpoint. */
      readonly readerType: "incremental";
      /** The author's reader. */
      readonly reader: IncrementalReader<unknown, Client, AnyService>;
    }
);

/** A generated class, or the statics of a payload that is no object. */
export interface PayloadClass {
  /** @throws RecordError if the serialized form does not fit. */
  from(json: unknown): unknown;
}

/** An action with its handler. */
export interface RegisteredAction<Client = unknown> {
  /** Name of its class. */
  readonly name: string;
  /** Its part of addresses: `create`. */
  readonly urlPart: string;
  /** Name of the data object's class. */
  readonly dataObject: string;
  /** Schema, check and names of the input. */
  readonly input: RecordType;
  /**
   * Class of the handler's input.
   * @default an anonymous class made from `input`
   */
  readonly inputClass?: PayloadClass | undefined;
  /** Schema, check and names of the output. */
  readonly output: RecordType;
  /** Schema, check and names of the failure. */
  readonly failure: RecordType;
  /** Name, as in code, of its part of the action processor configuration. */
  readonly switchName: string;
  /**
   * Name, as in code, of the member of that part that switches the action on.
   * @default "processQueuedEvent"
   */
  readonly flagName?: string | undefined;
  /** Called with an instance of `inputClass`, whatever type that has. */
  readonly handler: ActionHandler<never, unknown, unknown, Client, AnyService>;
}

/** A module with its data objects and actions. */
export interface RegisteredModule<Client = unknown> {
  /** `{key}-{version}`. */
  readonly id: string;
  /** The configuration of its action processor (§2.8). */
  readonly actionProcessorConfiguration: RecordType;
  /**
   * The class of that configuration.
   * @default an anonymous class
   */
  readonly actionProcessorClass?: PayloadClass | undefined;
  /** The configuration of its cache writer (§2.8). */
  readonly cacheWriterConfiguration: RecordType;
  /**
   * The class of that configuration.
   * @default an anonymous class
   */
  readonly cacheWriterClass?: PayloadClass | undefined;
  /** Its data objects, in the order of the module. */
  readonly dataObjects: readonly RegisteredObject<Client>[];
  /** The actions of its data objects, in the order of the module. */
  readonly actions: readonly RegisteredAction<Client>[];
}

/** A connection definition. */
export interface RegisteredConnection {
  /** The definition key (§2.2). */
  readonly key: string;
  /** What a user enters; sensitive properties are write-only. */
  readonly properties: RecordType;
}

/** A whole connector, as a host starts it. */
export interface ConnectorRegistration<Client = unknown> extends RegisteredClient<Client> {
  /** Display name. */
  readonly name: string;
  /** The key of the connector: the first part of every data path. */
  readonly key: string;
  /** The registration configuration: settings of a workspace (§2.3). */
  readonly configuration: RecordType;
  /**
   * The class of the registration configuration.
   * @default an anonymous class
   */
  readonly configurationClass?: PayloadClass | undefined;
  /** Its connection definitions, of which a user chooses one. */
  readonly connections: readonly RegisteredConnection[];
  /** Its modules. */
  readonly modules: readonly RegisteredModule<Client>[];
}
