/** A connector that was started: what cache writers and action processors work with. Everything in it is frozen. */
import type { RegisteredClient } from "./connection-contracts.js";
import type { Log } from "./contracts.js";
import type { RegisteredAction, RegisteredConnection, RegisteredObject } from "./registration.js";

/** A connector with its configurations, readers and handlers. Configurations have names as in code. */
export interface StartedConnector<Client = unknown> extends RegisteredClient<Client> {
  /** Display name. */
  readonly name: string;
  /** The connector's part of data paths. */
  readonly key: string;
  /** The registration configuration. */
  readonly configuration: object;
  /** The connection definitions. */
  readonly connections: readonly RegisteredConnection[];
  /** In the order of the registration. */
  readonly modules: readonly StartedModule<Client>[];
  /** The log of the connector, which readers, handlers and the host write to. */
  readonly log: Log;
}

/** A module with its two services. */
export interface StartedModule<Client = unknown> {
  /** `{key}-{version}`. */
  readonly id: string;
  /** What its cache writer works with. */
  readonly cacheWriter: StartedCacheWriter<Client>;
  /** What its action processor works with. */
  readonly actionProcessor: StartedActionProcessor<Client>;
}

/** What a cache writer works with. */
export interface StartedCacheWriter<Client = unknown> {
  /** The cache writer configuration of the module (§2.8). */
  readonly configuration: object;
  /** Also those whose switch is off. */
  readonly dataObjects: readonly StartedObject<Client>[];
}

/** What an action processor works with. */
export interface StartedActionProcessor<Client = unknown> {
  /** The action processor configuration of the module (§2.8). */
  readonly configuration: object;
  /** Also those whose switch is off. */
  readonly actions: readonly StartedAction<Client>[];
}

/** What the configurations say to a reader or a handler: instances of generated classes where there are some. Frozen. */
export interface ServiceSettings {
  /** The registration configuration of the workspace. */
  readonly registrationConfiguration: object;
  /** The configuration of the module's service. */
  readonly serviceConfiguration: object;
  /** The part of the data object or action in it, with names as in code; empty if there is none. */
  readonly settings: object;
}

/** A data object as it was registered, and what the configurations say to its reader. */
export type StartedObject<Client = unknown> = RegisteredObject<Client> &
  ServiceSettings & {
    /** Whether records are uploaded to the cache (§2.8); false if the configuration leaves the switch out. */
    readonly uploadObject: boolean;
  };

/** An action as it was registered, and what the configurations say to its handler. */
export interface StartedAction<Client = unknown> extends RegisteredAction<Client>, ServiceSettings {
  /** Data path of its data object. */
  readonly dataPath: string;
  /** Whether queued actions are performed (§2.8, §6); false if the configuration leaves the switch out. */
  readonly processQueuedEvent: boolean;
}

const NOTHING = Object.freeze({});

/** What a reader or handler is told of the configurations; all is empty for one that was registered and not started. */
export function settingsFor(service: Partial<ServiceSettings>): ServiceSettings {
  const { registrationConfiguration = NOTHING, serviceConfiguration = NOTHING, settings = NOTHING } = service;
  return { registrationConfiguration, serviceConfiguration, settings };
}
