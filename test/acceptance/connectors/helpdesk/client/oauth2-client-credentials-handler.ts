/** Authenticates the calls of OAuth2ClientCredentials: access tokens come from client ID and secret. */
import { clientCredentialsHandler, type Middleware } from "connectorcli/client";
import type { ClientHost } from "connectorcli/runtime";
import type { OAuth2ClientCredentials } from "../generated/connections/oauth2-client-credentials.js";

export function oAuth2ClientCredentialsHandler(
  connection: OAuth2ClientCredentials,
  host: ClientHost,
): Middleware {
  const { tokenUrl, clientId, clientSecret, scope, clientAuthentication } = connection;
  return clientCredentialsHandler({ tokenUrl, clientId, clientSecret, scope, clientAuthentication }, host);
}
