/** What joins a connection to a connector: the container, the client helper, the connection test (spec §4.2). */
import type { StopSignal } from "./contracts.js";

/** The connection that the host supplies at run time (§2.2). */
export interface ConnectionContainer {
  /** The definition key: which connection definition it belongs to. */
  readonly DefinitionKey: string;
  /** The connection properties as JSON, with camelCase names. */
  readonly Configuration: string;
}

/** What the client helper makes of a connection. */
export interface ClientServices<Client> {
  /** The API client, with the base address of the connection. */
  readonly client: Client;
  /** An instance of the generated class of the connection's definition. */
  readonly connection: object;
}

/** What the host can be asked for by the services of a connection. */
export interface ClientHost {
  /** Called with connection properties that changed, such as a rotated refresh token: the host keeps them. */
  readonly saveProperties?: (properties: Readonly<Record<string, string>>) => Promise<void>;
  /** Aborted when the connector stops; every call ends with it. */
  readonly signal?: StopSignal;
}

/**
 * Chooses the services of a connection by its definition key.
 * @throws Error `Unable to find services for definition key <key>` where there are none (§7).
 */
export type ClientHelper<Client> = (
  container: ConnectionContainer,
  host?: ClientHost,
) => ClientServices<Client>;

/** The answer of the target system to a connection test; any wrapper of a response has it. */
export interface ConnectionTestResponse {
  readonly isSuccessful: boolean;
  /** HTTP status. */
  readonly statusCode: number;
}

/** Calls one read endpoint of the target system; undefined where it did not respond (§4.3). */
export type ConnectionTestHandler<Client> = (
  services: ClientServices<Client> & { readonly signal: StopSignal },
) => Promise<ConnectionTestResponse | undefined>;

/** What the author's project gives to reach the target system. */
export interface ConnectorClient<Client> {
  readonly clientHelper: ClientHelper<Client>;
  readonly connectionTestHandler: ConnectionTestHandler<Client>;
}
