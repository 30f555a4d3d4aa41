/** Tests a connection by one read that every user may do. */
import type { ConnectionTestHandler } from "connectorcli/runtime";
import type { ApiClient } from "../client/api-client.js";

export const connectionTestHandler: ConnectionTestHandler<ApiClient> = ({ client, signal }) =>
  client.getProjects(1, 1, signal);
