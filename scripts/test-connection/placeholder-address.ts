/** A target system that is not named yet: nobody's secrets are sent to a placeholder. */
import { isPlaceholderAddress } from "../../schemas/checks/addresses.js";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { ConnectionModel, ConnectorModel } from "../../schemas/model/connector-model.js";
import { ENVIRONMENT_PROPERTY } from "../../schemas/model/environment.js";
import type { ConnectionSettings } from "../test-settings/connection-settings.js";

/** What `found` says of the placeholders of this connection, where one would be called; nothing otherwise. */
export function placeholderFindings(
  { connections }: ConnectorModel,
  { definition, properties }: ConnectionSettings,
  found: readonly Diagnostic[],
): readonly Diagnostic[] {
  const address = addressOf(definition, properties);
  if (address === undefined || !isPlaceholderAddress(address)) return [];
  const index = connections.findIndex(({ key }) => key === definition.key);
  return found.filter(
    ({ code, pointer = "" }) =>
      code === "connection-address-placeholder" &&
      `${pointer}/`.startsWith(`/connectionDefinitions/${index}/`),
  );
}

/** The address that the settings lead to; undefined where a user enters it. */
function addressOf(
  { baseUrl }: ConnectionModel,
  properties: ConnectionSettings["properties"],
): string | undefined {
  if (baseUrl.kind === "fixed") return baseUrl.url;
  if (baseUrl.kind !== "environment") return undefined;
  return properties[ENVIRONMENT_PROPERTY] === TEST ? baseUrl.test : baseUrl.production;
}

/** The value of the environment property that stands for the test system. */
const TEST = 2;
