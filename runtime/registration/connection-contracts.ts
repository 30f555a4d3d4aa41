/** What joins a connection to a connector: the container, the client helper, the connection test (§4.2). */
import type { StopSignal } from "./contracts.js";
import type { Transport } from "./http-messages.js";

/** The connection that the host supplies at run time (§2.2). */
export interface ConnectionContainer {
  /** The definition key: which connection definition it belongs to. */
  readonly DefinitionKey: string;
  /** The connection properties as JSON, with camelCase names. */
  readonly Configuration: string;
}

/** What the client helper makes of a connection. */
export interface ClientServices<Client, Connection = object> {
  /** The API client, with the base address of the connection. */
  readonly client: Client;
  /** An instance of the generated class of the connection's definition. */
  readonly connection: Connection;
}

/** Calls `task` with the properties as they are kept, and nobody else's task until it has ended; gives its result. */
export type PropertyLock = <Result>(
  task: (properties: Readonly<Record<string, unknown>>) => Promise<Result>,
) => Promise<Result>;

/** Time; for tests, which let it pass faster. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits. @throws the signal's reason if it is aborted. */
  sleep(milliseconds: number, signal?: StopSignal | undefined): Promise<void>;
}

/** When a request may start. */
export interface Turn {
  /** How long it has to wait from now, in milliseconds. */
  readonly waitMs: number;
  /** How late it may start after that, in milliseconds; the turn is lost then. */
  readonly holdsMs: number;
}

/** The turns at a target system that clients in any number of processes take, as `connectorcli/postgres` keeps them. */
export interface SharedTurns {
  /**
   * Takes the next turn.
   * @param budget How many requests may start in any window; no limit if it is left out.
   */
  take(budget?: { readonly requests: number; readonly windowMs: number }): Promise<Turn>;
  /** Lets nobody start a request for so many milliseconds, for the target system has asked for it. */
  pause(milliseconds: number): Promise<void>;
}

/** What a host does for the services of a connection. */
export interface ClientHost {
  /**
   * Variables that may name a proxy: `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, in upper or lower case.
   * Give `process.env`, so that calls and token requests take the way that the machine prescribes.
   * @default {}: calls go straight to the target system
   */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Put between the client and the network, to record, replay, trace or fake calls. A client helper of
   * `createClientHelper` sends every attempt of every call and token request through it, below retries and rate budget.
   * @default none: attempts go straight to the network
   */
  readonly transport?: Transport | undefined;
  /**
   * What clients in several processes take their turns from, so that they keep to the rate budget together, and to a pause
   * that one of them was told of.
   * @default none: each client has the whole budget
   */
  readonly turns?: SharedTurns | undefined;
  /** Keeps connection properties that changed, such as a rotated refresh token. */
  readonly saveProperties?: ((properties: Readonly<Record<string, string>>) => Promise<void>) | undefined;
  /**
   * Calls `task` with the connection properties as they are kept now, by name in code, while no other process does the
   * same for this connection. A refresh token is used within it, for two processes that use the same one at the same
   * time lose both where the provider rotates them. Properties that are left out count as unchanged.
   * @default none: give it wherever several processes have the same connection
   */
  readonly lockProperties?: PropertyLock | undefined;
  /** Aborted if the connector stops; every call ends then. */
  readonly signal?: StopSignal | undefined;
  /**
   * When the host stops waiting, in milliseconds since 1970. A call is not repeated if it would end later: its last
   * answer is the result.
   * @default none: the client's own limits hold
   */
  readonly deadlineMs?: number | undefined;
  /**
   * For tests: the time by which calls are repeated, limited and authenticated, in place of the client's own.
   * @default the client's own
   */
  readonly clock?: Clock | undefined;
}

/** What auth handlers and `createClient` are called with, beside the connection. */
export interface ClientContext<Configuration = object> extends ClientHost {
  /** The settings of the workspace (§2.3): an instance of the generated class. Frozen. */
  readonly registrationConfiguration: Configuration;
}

/**
 * Chooses the services of a connection by its definition key. A client helper of `createClientHelper` takes an empty
 * object for a `registrationConfiguration` that is left out; `connect` and `testConnection` never leave it out.
 * @throws Error `Unable to find services for definition key <key>` if there are none (§7).
 */
export type ClientHelper<Client, Connection = object, Configuration = object> = (
  container: ConnectionContainer,
  host?: Partial<ClientContext<Configuration>>,
) => ClientServices<Client, Connection>;

/** The answer of the target system to a connection test, as calls of `connectorcli/client` give it (§2.4). */
export interface ConnectionTestResponse {
  /** Whether the target system accepted the call: a status of 200 to 299. */
  readonly isSuccessful: boolean;
  /** HTTP status. */
  readonly statusCode: number;
}

/** The result of a connection test (§2.5). */
export interface TestConnectionResult {
  /** Whether the connection works. */
  readonly success: boolean;
  /** One of the messages of §4.3, such as `Successful test.`, or the connector's own words. */
  readonly message: string;
  /** HTTP status of the answer; 500 if there was none. */
  readonly statusCode: number;
}

/** An answer as `fetch` and many clients give it. */
export interface FetchResponse {
  /** HTTP status. */
  readonly status: number;
  /** Whether the target system accepted the call; by the status if it is left out. */
  readonly ok?: boolean | undefined;
  /** The headers, as the client gives them. */
  readonly headers: object;
}

/** An answer as other clients give it, with the status as `statusCode`. */
export interface ClientResponse {
  /** HTTP status. */
  readonly statusCode: number;
  /** Whether the target system accepted the call; by the status if it is left out. */
  readonly ok?: boolean | undefined;
  /** The headers, as the client gives them. */
  readonly headers: object;
}

/**
 * What a connection test handler can give: a result, which is taken as it is, or the answer of the target system, from
 * which the result is made: that of `connectorcli/client`, a `Response` of `fetch`, or what other clients give, with an
 * HTTP status and headers. Undefined if the target system did not respond.
 */
export type ConnectionTestAnswer =
  | TestConnectionResult
  | ConnectionTestResponse
  | FetchResponse
  | ClientResponse
  | undefined;

/** What a connection test handler is called with. */
export interface ConnectionTestContext<Client, Connection = object, Configuration = object>
  extends ClientServices<Client, Connection> {
  /** The settings of the workspace (§2.3): an instance of the generated class. Frozen. */
  readonly registrationConfiguration: Configuration;
  /** Aborted when the test takes too long or is stopped. Pass it on to every call that takes one. */
  readonly signal: StopSignal;
}

/** Calls one read endpoint of the target system (§4.3). */
export type ConnectionTestHandler<Client, Connection = object, Configuration = object> = (
  context: ConnectionTestContext<Client, Connection, Configuration>,
) => Promise<ConnectionTestAnswer>;

/** How a connector reaches the target system; written by its author. */
export interface ConnectorClient<Client, Connection = object, Configuration = object> {
  /** Makes the API client of a connection. */
  readonly clientHelper: ClientHelper<Client, Connection, Configuration>;
  /** Tests a connection before it is used. */
  readonly connectionTestHandler: ConnectionTestHandler<Client, Connection, Configuration>;
}

/** How a registered connector reaches the target system: a host has the types neither of its connections nor of its settings. */
export interface RegisteredClient<Client> {
  /** Makes the API client of a connection. */
  readonly clientHelper: ClientHelper<Client, object, never>;
  /** Tests a connection before it is used. */
  readonly connectionTestHandler: ConnectionTestHandler<Client, never, never>;
}
