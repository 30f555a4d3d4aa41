/** From the connection of a workspace to its API client. */
import { createClientHelper, servicesOf } from "connectorcli/client";
import { OAuth2CodeFlow } from "../generated/connections/oauth2-code-flow.js";
import { ApiClient } from "./api-client.js";
import { oAuth2CodeFlowHandler } from "./oauth2-code-flow-handler.js";

export const clientHelper = createClientHelper({
  definitions: {
    oAuth2CodeFlow: servicesOf(OAuth2CodeFlow, oAuth2CodeFlowHandler),
  },
  createClient: (http, connection) => new ApiClient(http, connection.BaseUrl),
});
