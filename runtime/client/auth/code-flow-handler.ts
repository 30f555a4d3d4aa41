/** OAuth2 code flow: a user has agreed, and the refresh token that came of it gives access tokens. */
import type { ClientHost } from "../../registration/connection-contracts.js";
import { AuthenticationFailure } from "../errors.js";
import type { Clock } from "../http/clock.js";
import type { DelegatingHandler } from "../http/messages.js";
import { grantedToken } from "./token-endpoint.js";
import { bearerHandler } from "./token-store.js";

export interface CodeFlowOptions {
  /** https, or http on the own machine. */
  readonly tokenUrl: string;
  /** Where tokens are refreshed; `tokenUrl` where left out. */
  readonly refreshUrl?: string | undefined;
  readonly clientId: string;
  /** Absent for a public client. */
  readonly clientSecret?: string | undefined;
  readonly refreshToken: string;
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
 */
export function codeFlowHandler(
  { tokenUrl, refreshUrl, refreshToken, scope, clock, ...client }: CodeFlowOptions,
  host: ClientHost = {},
): DelegatingHandler {
  const url = refreshUrl === undefined || refreshUrl === "" ? tokenUrl : refreshUrl;
  const endpoint = { url, ...client, signal: host.signal };
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
