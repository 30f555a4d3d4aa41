/** What generated code registers: every data object with its reader, every action with its handler. */
import type { RecordType } from "../records/record-type.js";
import type { ConnectorClient } from "./connection-contracts.js";

/** A data object of a module. */
export interface RegisteredObject {
  /** Name of its class. */
  readonly name: string;
  readonly urlPart: string;
  /** `{connectorKey}/{moduleKey}/{version}/{objectUrl}`. */
  readonly dataPath: string;
  readonly readerType: "full" | "incremental";
  readonly record: RecordType;
  /** The switch in the cache writer configuration, by its serialized name. */
  readonly switchName: string;
  readonly reader: unknown;
}

/** A generated class, or the statics of a payload that is no object. */
export interface PayloadClass {
  /** @throws RecordError where the serialized form does not fit. */
  from(json: unknown): unknown;
}

/** An action of a data object. */
export interface RegisteredAction {
  readonly name: string;
  readonly urlPart: string;
  /** Name of the data object's class. */
  readonly dataObject: string;
  readonly input: RecordType;
  /** What its handler is given an instance of; of a class like it where this is left out. */
  readonly inputClass?: PayloadClass | undefined;
  readonly output: RecordType;
  readonly failure: RecordType;
  /** The switch in the action processor configuration, by its serialized name. */
  readonly switchName: string;
  readonly handler: unknown;
}

export interface RegisteredModule {
  /** `{key}-{version}`. */
  readonly id: string;
  readonly actionProcessorConfiguration: RecordType;
  readonly cacheWriterConfiguration: RecordType;
  readonly dataObjects: readonly RegisteredObject[];
  readonly actions: readonly RegisteredAction[];
}

export interface RegisteredConnection {
  /** The definition key (§2.2). */
  readonly key: string;
  readonly properties: RecordType;
}

/** A whole connector, as a host starts it. */
export interface ConnectorRegistration<Client = unknown> extends ConnectorClient<Client> {
  readonly name: string;
  readonly key: string;
  readonly configuration: RecordType;
  readonly connections: readonly RegisteredConnection[];
  readonly modules: readonly RegisteredModule[];
}
