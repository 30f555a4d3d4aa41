/** Tests a connection by the list that every user may read. */
import type { ApiClient } from "../client/api-client.js";
import type { ConnectorTestHandler } from "../generated/contexts.js";

export const connectionTestHandler: ConnectorTestHandler<ApiClient> = ({ client, signal }) =>
  client.get("databases", { signal });
