/** OAuth2 code flow: a user has agreed, and the refresh token that came of it gives access tokens. */
import type { ClientHost } from "../../registration/connection-contracts.js";
import { AuthenticationFailure } from "../errors.js";
import type { Clock } from "../http/clock.js";
import type { DelegatingHandler } from "../http/messages.js";
import { given } from "./given.js";
import { grantedToken } from "./token-endpoint.js";
import { bearerHandler } from "./token-store.js";

export interface CodeFlowOptions {
  /** https, or http on the own machine. */
  readonly tokenUrl: string | undefined;
  /** Where tokens are refreshed; `tokenUrl` where left out. */
  readonly refreshUrl?: string | undefined;
  readonly clientId: string | undefined;
  /** Absent for a public client. */
  readonly clientSecret?: string | undefined;
  readonly refreshToken: string | undefined;
  readonly scope?: string | undefined;
  /** `header` where left out. */
  readonly clientAuthentication?: "header" | "body" | undefined;
  /** For tests. */
  readonly clock?: Clock | undefined;
}

/**
 * Sets a bearer token. A provider that changes the refresh token makes the old one useless: the new one goes to
 * `host.saveProperties` as `refreshToken` before the access token is used.
 * Calls throw AuthenticationFailure where the provider gives no token, or the host can't save.
 * @throws RequestRefused for a connection without token address, client ID or refresh token.
 */
export function codeFlowHandler(options: CodeFlowOptions, host: ClientHost = {}): DelegatingHandler {
  const { refreshUrl, clientSecret, clientAuthentication, scope, clock } = options;
  const tokenUrl = refreshUrl === undefined || refreshUrl === "" ? options.tokenUrl : refreshUrl;
  const {
    tokenUrl: url,
    clientId,
    refreshToken,
  } = given({ tokenUrl, clientId: options.clientId, refreshToken: options.refreshToken });
  const endpoint = { url, clientId, clientSecret, clientAuthentication, signal: host.signal };
  let current = refreshToken;
  let saved = refreshToken;
  return bearerHandler(async (send) => {
    await save();
    const granted = await grantedToken(
      endpoint,
      { type: "refresh_token", refreshToken: current, scope },
      send,
    );
    current = granted.refreshToken ?? current;
    await save();
    return { value: granted.accessToken, expiresIn: granted.expiresIn };
  }, clock);

  /** What could not be saved is tried again with the next token: it must not get lost. */
  async function save(): Promise<void> {
    if (current === saved) return;
    const saving = current;
    try {
      await host.saveProperties?.({ refreshToken: saving });
    } catch {
      throw new AuthenticationFailure("The host could not save the changed refresh token.", "not_saved");
    }
    saved = saving;
  }
}
