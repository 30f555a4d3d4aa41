/** From the connection of a workspace to its API client. */
import { createClientHelper, servicesOf } from "connectorcli/client";
import { ApiKeyAuth } from "../generated/connections/api-key-auth.js";
import { ApiClient } from "./api-client.js";
import { apiKeyAuthHandler } from "./api-key-auth-handler.js";

export const clientHelper = createClientHelper({
  definitions: {
    apiKeyAuth: servicesOf(ApiKeyAuth, apiKeyAuthHandler),
  },
  createClient: (http, connection) => new ApiClient(http, connection.BaseUrl),
});
