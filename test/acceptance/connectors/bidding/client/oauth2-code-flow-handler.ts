/** Authenticates the calls of OAuth2CodeFlow: access tokens come from the refresh token of a user who has signed in. */
import { codeFlowHandler, type Middleware } from "connectorcli/client";
import type { ClientHost } from "connectorcli/runtime";
import type { OAuth2CodeFlow } from "../generated/connections/oauth2-code-flow.js";

export function oAuth2CodeFlowHandler(connection: OAuth2CodeFlow, host: ClientHost): Middleware {
  const { tokenUrl, clientId, clientSecret, refreshToken, scope, clientAuthentication } = connection;
  const options = { tokenUrl, clientId, clientSecret, refreshToken, scope, clientAuthentication };
  return codeFlowHandler(options, host);
}
