/** The connection that a host supplies: checked against its definition, then made a client of (spec §2.2, §4.2, §7). */
import { missingEnvironmentWords } from "../base-url.js";
import { createRedaction, hideInLog, type Redaction } from "../log/redaction.js";
import { sensitiveValues } from "../records/masking.js";
import { toSerializedNames } from "../records/name-mapping.js";
import type { RecordType } from "../records/record-type.js";
import type {
  ClientHelper,
  ClientHost,
  ClientServices,
  ConnectionContainer,
} from "../registration/connection-contracts.js";
import type { Log } from "../registration/contracts.js";
import type { RegisteredConnection } from "../registration/registration.js";
import type { StartedConnector } from "../registration/started.js";
import type { ConnectionIdentity } from "../store/store.js";
import { errorMessage, safeGet } from "../untrusted.js";
import { displayValue, type Finding } from "../validation/finding.js";
import { validate } from "../validation/findings.js";
import { connectionIdentity } from "./connection-identity.js";

/** A connection that can't be used; the message names the reason, or all that is wrong with its properties. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  /** The same connection can't be used the next time either. */
  readonly retry = "never";

  constructor(
    message: string,
    /** What is wrong with the properties; sensitive values are hidden. */
    readonly findings: readonly Finding[] = [],
  ) {
    super(message);
  }
}

/** What the client helper makes of a connection, and what tells that from other connections. */
export interface ConnectedServices<Client> extends ClientServices<Client> {
  /** Cache writer and action processor bind their store to it. */
  readonly identity: ConnectionIdentity;
}

/**
 * Makes the client of a connection, for `runCacheWriter` and `runActionProcessor`. The secrets of the connection, and of
 * properties that change later, are hidden in the connector's log from now on.
 * @param host What the host does for the client: `signal`, `saveProperties`, `transport`.
 * @throws ConnectionError if no definition has the connection's key (§7), if the properties do not fit the definition,
 * or if the client helper throws.
 * @example
 * const connection = { DefinitionKey: "apiKeyAuth", Configuration: '{"apiKey":"…"}' };
 * const { client } = connect(connector, connection, { signal: controller.signal });
 */
export function connect<Client>(
  connector: StartedConnector<Client>,
  container: ConnectionContainer,
  host: ClientHost = {},
): ConnectedServices<Client> {
  const { log, connections, clientHelper, configuration } = connector;
  const connection = checkConnection(connections, container);
  const services = openConnection(clientHelper, { container, connection, configuration, host, log });
  const identity = connectionIdentity(container, services.connection, connection.secrets);
  return { client: services.client, connection: services.connection, identity };
}

/** A connection that fits its definition. */
export interface CheckedConnection {
  readonly type: RecordType;
  /** The sensitive values of its properties. */
  readonly secrets: readonly string[];
}

/** @throws ConnectionError if no definition has the key, or if the properties do not fit the one that has. */
export function checkConnection(
  connections: readonly RegisteredConnection[],
  container: ConnectionContainer,
): CheckedConnection {
  const key = safeGet(container, "DefinitionKey");
  const type = connections.find((connection) => connection.key === key)?.properties;
  if (type === undefined) {
    const name = typeof key === "string" ? key : displayValue(key);
    throw new ConnectionError(`Unable to find services for definition key ${name}`);
  }
  const place = `Connection ${String(key)}`;
  const properties = parseJson(safeGet(container, "Configuration"));
  if (properties === undefined) throw new ConnectionError(`${place}: its Configuration is not JSON`);
  const findings = validate(type, properties);
  if (findings.length > 0) {
    const details = `${place}: ${findings.map(({ message }) => message).join("; ")}`;
    throw new ConnectionError(`${missingEnvironmentWords(findings)}${details}`, findings);
  }
  return { type, secrets: sensitiveValues(properties, type.schema) };
}

/** What a client is made of. */
export interface OpenOptions {
  readonly container: ConnectionContainer;
  readonly connection: CheckedConnection;
  /** The registration configuration, as a typed instance. */
  readonly configuration: object;
  readonly host: ClientHost;
  /** Hides the secrets of the connection from now on. */
  readonly log?: Log | undefined;
  /** As `log`. */
  readonly redaction?: Redaction | undefined;
}

/** @throws ConnectionError if the client helper throws; secrets are hidden in its message. */
export function openConnection<Client>(
  clientHelper: ClientHelper<Client, object, never>,
  {
    container,
    connection,
    configuration,
    host,
    log,
    redaction = createRedaction([connection.type]),
  }: OpenOptions,
): ClientServices<Client> {
  const hide = (secrets: readonly string[]) => {
    redaction.hide(secrets);
    hideInLog(log, secrets);
  };
  hide(connection.secrets);
  const { schema, names } = connection.type;
  // Properties that change are as secret as those before them; they come by their names in code.
  const hideChanged = (properties: object) =>
    hide(sensitiveValues(toSerializedNames(properties, names), schema));
  const saveProperties: NonNullable<ClientHost["saveProperties"]> = async (properties) => {
    hideChanged(properties);
    await host.saveProperties?.(properties);
  };
  const { lockProperties: lock } = host;
  const lockProperties: ClientHost["lockProperties"] =
    lock === undefined
      ? undefined
      : (task) =>
          lock((properties) => {
            hideChanged(properties);
            return task(properties);
          });
  try {
    const registrationConfiguration = configuration as never;
    return clientHelper(container, { ...host, registrationConfiguration, saveProperties, lockProperties });
  } catch (error) {
    throw new ConnectionError(redaction.text(errorMessage(error)));
  }
}

/** The parser's own message would quote the text, secrets and all. */
function parseJson(text: unknown): unknown {
  if (typeof text !== "string") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
