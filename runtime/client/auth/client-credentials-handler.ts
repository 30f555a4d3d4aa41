/** OAuth2 client credentials: the connector's own token, asked for again when it expires. */
import type { ClientHost } from "../../registration/connection-contracts.js";
import type { Clock } from "../http/clock.js";
import type { DelegatingHandler } from "../http/messages.js";
import { grantedToken } from "./token-endpoint.js";
import { bearerHandler } from "./token-store.js";

export interface ClientCredentialsOptions {
  /** https, or http on the own machine. */
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope?: string | undefined;
  /** `header` where left out. */
  readonly clientAuthentication?: "header" | "body" | undefined;
  /** For tests. */
  readonly clock?: Clock | undefined;
}

/** Sets a bearer token. Calls throw AuthenticationFailure where the provider gives none. */
export function clientCredentialsHandler(
  { tokenUrl: url, scope, clock, ...client }: ClientCredentialsOptions,
  host: ClientHost = {},
): DelegatingHandler {
  const endpoint = { url, ...client, signal: host.signal };
  return bearerHandler(async (send) => {
    const granted = await grantedToken(endpoint, { type: "client_credentials", scope }, send);
    return { value: granted.accessToken, expiresIn: granted.expiresIn };
  }, clock);
}
