/** From the connection of a workspace to its API client: each definition key has a class and an auth handler. */
import { createClientHelper, servicesOf } from "connectorcli/client";
import { CustomAuth } from "../generated/connections/custom-auth.js";
import { ApiClient } from "./api-client.js";
import { customAuthHandler } from "./custom-auth-handler.js";

export const clientHelper = createClientHelper({
  definitions: {
    customAuth: servicesOf(CustomAuth, customAuthHandler),
  },
  createClient: (http, connection) => new ApiClient(http, connection.BaseUrl),
});
