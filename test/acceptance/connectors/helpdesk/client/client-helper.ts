/** From the connection of a workspace to its API client. */
import { createClientHelper, servicesOf } from "connectorcli/client";
import { OAuth2ClientCredentials } from "../generated/connections/oauth2-client-credentials.js";
import { ApiClient } from "./api-client.js";
import { oAuth2ClientCredentialsHandler } from "./oauth2-client-credentials-handler.js";

export const clientHelper = createClientHelper({
  definitions: {
    oAuth2ClientCredentials: servicesOf(OAuth2ClientCredentials, oAuth2ClientCredentialsHandler),
  },
  createClient: (http, connection) => new ApiClient(http, connection.BaseUrl),
});
