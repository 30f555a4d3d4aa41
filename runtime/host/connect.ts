/** The client of a connection for the services of a started connector (spec §2.2, §4.2). */
import { sensitiveValues } from "../records/masked.js";
import type {
  ClientHost,
  ClientServices,
  ConnectionContainer,
} from "../registration/connection-contracts.js";
import { ConnectionError, checkedConnection } from "./connection.js";
import { createRedaction } from "./log/redaction.js";
import type { StartedConnector } from "./started-connector.js";
import { hideIn, messageOf } from "./unsure.js";

/**
 * What the client helper makes of the connection. Its secrets are hidden in the connector's log from now on.
 * @throws ConnectionError where no definition has its key (§7), the properties do not fit, or the client helper fails.
 */
export function connect<Client>(
  connector: StartedConnector<Client>,
  container: ConnectionContainer,
  { saveProperties, ...host }: ClientHost = {},
): ClientServices<Client> {
  const { type, secrets } = checkedConnection(connector, container);
  hideIn(connector.log, secrets);
  const save: NonNullable<ClientHost["saveProperties"]> = async (properties) => {
    hideIn(connector.log, sensitiveValues(properties, type.schema));
    await saveProperties?.(properties);
  };
  try {
    return connector.clientHelper(container, { ...host, saveProperties: save });
  } catch (error) {
    const redaction = createRedaction([type]);
    redaction.hide(secrets);
    throw new ConnectionError(redaction.text(messageOf(error)));
  }
}
