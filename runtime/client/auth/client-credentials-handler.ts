/** OAuth2 client credentials: the connector's own token, asked for again when it expires. */
import type { ClientHost } from "../../registration/connection-contracts.js";
import type { Clock } from "../http/clock.js";
import type { DelegatingHandler } from "../http/messages.js";
import { given } from "./given.js";
import { grantedToken } from "./token-endpoint.js";
import { bearerHandler } from "./token-store.js";

export interface ClientCredentialsOptions {
  /** https, or http on the own machine. */
  readonly tokenUrl: string | undefined;
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
  readonly scope?: string | undefined;
  /** `header` where left out. */
  readonly clientAuthentication?: "header" | "body" | undefined;
  /** For tests. */
  readonly clock?: Clock | undefined;
}

/**
 * Sets a bearer token. Calls throw AuthenticationFailure where the provider gives none.
 * @throws RequestRefused for a connection without token address, client ID or secret.
 */
export function clientCredentialsHandler(
  { tokenUrl, clientId, clientSecret, clientAuthentication, scope, clock }: ClientCredentialsOptions,
  host: ClientHost = {},
): DelegatingHandler {
  const { tokenUrl: url, ...client } = given({ tokenUrl, clientId, clientSecret });
  const endpoint = { url, ...client, clientAuthentication, signal: host.signal };
  return bearerHandler(async (send) => {
    const granted = await grantedToken(endpoint, { type: "client_credentials", scope }, send);
    return { value: granted.accessToken, expiresIn: granted.expiresIn };
  }, clock);
}
