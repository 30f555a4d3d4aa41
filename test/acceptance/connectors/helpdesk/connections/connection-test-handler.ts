/** Tests a connection by one read that every client may make. */
import type { ApiClient } from "../client/api-client.js";
import type { ConnectorTestHandler } from "../generated/contexts.js";

export const connectionTestHandler: ConnectorTestHandler<ApiClient> = ({ client, signal }) =>
  client.get("me", { signal });
