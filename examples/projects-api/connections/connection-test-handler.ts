/** Tests a connection by one read of the target system: put a path here that every user may read. */
import type { ConnectionTestHandler } from "connectorcli/runtime";
import type { ApiClient } from "../client/api-client.js";

export const connectionTestHandler: ConnectionTestHandler<ApiClient> = ({ client, signal }) =>
  client.get("projects", { signal });
