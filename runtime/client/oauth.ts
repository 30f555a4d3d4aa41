/** Authentication by OAuth2 bearer tokens: requested when they are needed, shared by all calls, renewed in time. */
import * as oauth from "oauth4webapi";
import { maskedRequest } from "../log/masked-request.js";
import type { ClientHost, Clock } from "../registration/connection-contracts.js";
import type { StopSignal } from "../registration/contracts.js";
import type { IncomingResponse, Send } from "../registration/http-messages.js";
import { SYSTEM_CLOCK, untilAborted } from "./clock.js";
import { AuthenticationError, NOT_LOCKED, NOT_SAVED, RequestRefusedError } from "./errors.js";
import { isReplayable, type Middleware, withHeader } from "./middleware.js";
import { clientAuthentication, secureUrl, withoutIdToken } from "./token-endpoint.js";

/** Who asks for tokens, and where. */
interface TokenClientOptions {
  /** Address of the token endpoint: https, or http on the own machine. */
  readonly tokenUrl: string | undefined;
  /** The provider's name of the client. */
  readonly clientId: string | undefined;
  /**
   * Scopes, separated by spaces.
   * @default the provider's
   */
  readonly scope?: string | undefined;
  /**
   * Where client ID and secret go: into the header `Authorization`, or into the body of the token request.
   * @default "header"
   */
  readonly clientAuthentication?: "header" | "body" | undefined;
  /** For tests. */
  readonly clock?: Clock | undefined;
}

/** The connector's own client of an OAuth2 provider. Properties of a connection may be missing: they are optional. */
export interface ClientCredentialsOptions extends TokenClientOptions {
  /** What proves who the client is. */
  readonly clientSecret: string | undefined;
}

/**
 * OAuth2 client credentials: sets a bearer token for the connector's own client. Calls throw AuthenticationError if the
 * provider gives no token, and NetworkError if it does not answer.
 * @param host Its `signal` ends token requests.
 * @throws RequestRefusedError for a connection without token address, client ID or secret.
 * @example
 * const authHandler: AuthHandler<OAuth2> = (connection, host) =>
 *   clientCredentialsHandler(
 *     { tokenUrl: connection.tokenUrl, clientId: connection.clientId, clientSecret: connection.clientSecret },
 *     host,
 *   );
 */
export function clientCredentialsHandler(
  { tokenUrl, clientId, clientSecret, clientAuthentication, scope, clock }: ClientCredentialsOptions,
  host: ClientHost = {},
): Middleware {
  const { tokenUrl: url, ...client } = requireMembers({ tokenUrl, clientId, clientSecret });
  const endpoint = { url, ...client, clientAuthentication, signal: host.signal };
  return bearerMiddleware(
    (send) => requestToken(endpoint, { type: "client_credentials", scope }, send),
    host.clock ?? clock,
  );
}

/** A user's consent at an OAuth2 provider. Properties of a connection may be missing: they are optional. */
export interface CodeFlowOptions extends TokenClientOptions {
  /**
   * Where tokens are refreshed.
   * @default tokenUrl
   */
  readonly refreshUrl?: string | undefined;
  /** What proves who the client is; undefined for a public client. */
  readonly clientSecret?: string | undefined;
  /** What the user's sign-in gave. */
  readonly refreshToken: string | undefined;
}

/**
 * OAuth2 code flow: sets a bearer token for a user who has signed in. If the provider changes the refresh token, the old
 * one is of no use any more: the new one goes to `host.saveProperties` as `refreshToken` before the access token is used.
 * It is refreshed under `host.lockProperties`, so that several processes can have the same connection. Calls throw
 * AuthenticationError if the provider gives no token or the host can't save or lock, and NetworkError if the provider
 * does not answer.
 * @param host Keeps changed refresh tokens; its `signal` ends token requests.
 * @throws RequestRefusedError for a connection without token address, client ID or refresh token.
 * @example
 * const authHandler: AuthHandler<OAuth2> = (connection, host) =>
 *   codeFlowHandler(
 *     { tokenUrl: connection.tokenUrl, clientId: connection.clientId, refreshToken: connection.refreshToken },
 *     host,
 *   );
 */
export function codeFlowHandler(options: CodeFlowOptions, host: ClientHost = {}): Middleware {
  const { refreshUrl, clientSecret, clientAuthentication, scope, clock } = options;
  const tokenUrl = refreshUrl === undefined || refreshUrl === "" ? options.tokenUrl : refreshUrl;
  const required = requireMembers({
    tokenUrl,
    clientId: options.clientId,
    refreshToken: options.refreshToken,
  });
  const { tokenUrl: url, clientId } = required;
  const endpoint = { url, clientId, clientSecret, clientAuthentication, signal: host.signal };
  let current = required.refreshToken;
  let saved = current;
  // A token that is kept and not among these is newer: another process has refreshed, or a user has signed in again.
  const used = new Set([current]);
  return bearerMiddleware(
    (send) =>
      whileLocked(host, async ({ refreshToken: kept }) => {
        if (typeof kept === "string" && kept !== "" && !used.has(kept)) {
          current = kept;
          saved = kept;
        }
        await save();
        const grant = { type: "refresh_token", refreshToken: current, scope } as const;
        const token = await requestToken(endpoint, grant, send);
        used.add(current);
        current = token.refreshToken ?? current;
        used.add(current);
        await save();
        return token;
      }),
    host.clock ?? clock,
  );

  /** A token that could not be saved is tried again with the next request: it must not get lost. */
  async function save(): Promise<void> {
    if (current === saved) return;
    const saving = current;
    try {
      await host.saveProperties?.({ refreshToken: saving });
    } catch {
      throw new AuthenticationError("The host could not save the changed refresh token.", NOT_SAVED);
    }
    saved = saving;
  }
}

/** @throws AuthenticationError if the host can't lock; what `task` throws. */
async function whileLocked<Result>(
  { lockProperties }: ClientHost,
  task: (properties: Readonly<Record<string, unknown>>) => Promise<Result>,
): Promise<Result> {
  if (lockProperties === undefined) return task({});
  let isLocked = false;
  try {
    return await lockProperties((properties) => {
      isLocked = true;
      return task(properties);
    });
  } catch (error) {
    if (isLocked) throw error;
    throw new AuthenticationError("The host could not lock the refresh token.", NOT_LOCKED);
  }
}

/** The same values, none of them absent or empty. @throws RequestRefusedError that names every one that is. */
function requireMembers<Name extends string>(
  values: Readonly<Record<Name, string | undefined>>,
): Readonly<Record<Name, string>> {
  const entries = Object.entries<string | undefined>(values);
  const missing = entries.filter(([, value]) => value === undefined || value === "").map(([name]) => name);
  if (missing.length > 0) throw new RequestRefusedError(`The connection has no ${missing.join(", no ")}.`);
  return values as Readonly<Record<Name, string>>;
}

/** A clock may be wrong and a call may take its time: a token is not used in its last minute, or fifth if shorter. */
const EXPIRY_MARGIN_MS = 60_000;

/** Asks the provider for a token, by the rest of the chain. */
type TokenRequest = (send: Send) => Promise<AccessToken>;

/** Sets a bearer token; a 401 gets a new one once and repeats the call once, unless its body can't be sent twice. */
function bearerMiddleware(request: TokenRequest, clock: Clock = SYSTEM_CLOCK): Middleware {
  const tokens = createTokenCache(request, clock);
  return async (call, next) => {
    const token = await tokens.get(next, call.signal);
    const response = await next(withHeader(call, "authorization", `Bearer ${token}`));
    if (response.statusCode !== 401 || !isReplayable(call)) return response;
    response.close();
    const renewed = await tokens.renew(token, next, call.signal);
    return next(withHeader(call, "authorization", `Bearer ${renewed}`));
  };
}

/** Keeps a token until shortly before it expires; one request is in flight however many callers wait for it. */
function createTokenCache(request: TokenRequest, clock: Clock) {
  let kept: { readonly value: string; readonly usableUntil: number } | undefined;
  let inFlight: Promise<string> | undefined;

  async function fetchToken(send: Send): Promise<string> {
    const start = clock.now();
    try {
      const { value, expiresInSeconds = Number.POSITIVE_INFINITY } = await request(send);
      const lifeMs = expiresInSeconds * 1_000;
      kept = { value, usableUntil: start + lifeMs - Math.min(EXPIRY_MARGIN_MS, lifeMs / 5) };
      return value;
    } finally {
      inFlight = undefined;
    }
  }

  async function get(send: Send, signal: StopSignal | undefined): Promise<string> {
    if (kept !== undefined && clock.now() < kept.usableUntil) return kept.value;
    signal?.throwIfAborted();
    inFlight ??= fetchToken(send);
    // A caller that is stopped stops waiting; the others still get their token.
    return untilAborted(inFlight, signal);
  }

  /** Another token than `refused`: that of a caller who was faster, or a new one. */
  async function renew(refused: string, send: Send, signal: StopSignal | undefined): Promise<string> {
    if (kept?.value === refused) kept = undefined;
    return get(send, signal);
  }

  return { get, renew };
}

interface TokenEndpoint {
  readonly url: string;
  readonly clientId: string;
  /** Undefined for a public client. */
  readonly clientSecret?: string | undefined;
  readonly clientAuthentication?: "header" | "body" | undefined;
  readonly signal?: StopSignal | undefined;
}

interface Grant {
  readonly type: "client_credentials" | "refresh_token";
  readonly refreshToken?: string | undefined;
  readonly scope?: string | undefined;
}

interface AccessToken {
  readonly value: string;
  /** Counted from its request on; undefined if the provider does not say. */
  readonly expiresInSeconds: number | undefined;
  /** The new refresh token, if the provider changed it. */
  readonly refreshToken: string | undefined;
}

/** @throws AuthenticationError if no token is granted; NetworkError if nobody answers. */
async function requestToken(endpoint: TokenEndpoint, grant: Grant, send: Send): Promise<AccessToken> {
  const server = { issuer: requireSecureOrigin(endpoint.url), token_endpoint: endpoint.url };
  const client = { client_id: endpoint.clientId };
  let answer: IncomingResponse | undefined;
  let failedSend: { readonly error: unknown } | undefined;
  const options = {
    // Plain http is for the own machine only, see secureUrl.
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: async (
      url: string,
      { headers, body }: { headers: object; body: URLSearchParams },
    ) => {
      try {
        answer = await send({
          ...{ purpose: "token", method: "POST", url, headers: { ...headers }, body: body.toString() },
          // A refresh token may be good for one request only.
          isIdempotent: grant.type === "client_credentials",
          signal: endpoint.signal,
        });
      } catch (error) {
        failedSend = { error };
        throw error;
      }
      return toFetchResponse(answer);
    },
  } as const;
  const authentication = clientAuthentication(endpoint.clientSecret, endpoint.clientAuthentication);
  try {
    const scope = grant.scope === undefined || grant.scope === "" ? {} : { scope: grant.scope };
    const { access_token, expires_in, refresh_token } =
      grant.type === "client_credentials"
        ? await oauth
            .clientCredentialsGrantRequest(server, client, authentication, scope, options)
            .then((response) => oauth.processClientCredentialsResponse(server, client, response))
        : await oauth
            .refreshTokenGrantRequest(server, client, authentication, grant.refreshToken ?? "", {
              ...options,
              additionalParameters: scope,
            })
            .then((response) => oauth.processRefreshTokenResponse(server, client, response));
    return { value: access_token, expiresInSeconds: expires_in, refreshToken: refresh_token };
  } catch (error) {
    // What the chain throws is safe to show, and says more than the library's error about it.
    if (failedSend !== undefined) throw failedSend.error;
    endpoint.signal?.throwIfAborted();
    throw toAuthenticationError(endpoint, answer, error);
  }
}

/** @throws RequestRefusedError if secrets would travel unencrypted. */
function requireSecureOrigin(tokenUrl: string): string {
  const url = secureUrl(tokenUrl);
  if (url !== undefined) return url.origin;
  const isHttp = URL.canParse(tokenUrl) && new URL(tokenUrl).protocol === "http:";
  throw new RequestRefusedError(
    isHttp
      ? `The token address at ${new URL(tokenUrl).origin} must begin with https://, for secrets go there.`
      : "The token address is no https address.",
  );
}

function toFetchResponse({ statusCode, headers, body, isTooLarge }: IncomingResponse): Response {
  const text = body instanceof Uint8Array && isTooLarge !== true ? Buffer.from(body).toString("utf8") : "";
  const type = headers["content-type"];
  const hasNoBody = statusCode === 204 || statusCode === 205 || statusCode === 304;
  return new Response(hasNoBody ? null : withoutIdToken(text), {
    status: statusCode,
    headers: typeof type === "string" ? { "content-type": type } : {},
  });
}

/** The library's error is not its cause: it holds on to the answer and its tokens. */
function toAuthenticationError(
  { url }: TokenEndpoint,
  answer: IncomingResponse | undefined,
  error: unknown,
): AuthenticationError {
  const request = maskedRequest({ method: "POST", url });
  const status = answer?.statusCode;
  if (error instanceof oauth.ResponseBodyError || status === 401) {
    const code = error instanceof oauth.ResponseBodyError ? safeErrorCode(error.error) : "invalid_client";
    const isRefused = status === 400 || status === 401;
    return new AuthenticationError(`${request} gave no token: ${code}.`, code, isRefused ? 401 : status);
  }
  if (status !== undefined && status !== 200) {
    return new AuthenticationError(
      `${request} gave no token: it answered ${status}.`,
      `http_${status}`,
      status,
    );
  }
  return new AuthenticationError(
    `${request} gave no token: its answer is no token response.`,
    "invalid_response",
  );
}

/** Only what the standards allow in a code, so that no text of a provider gets into messages. */
function safeErrorCode(code: string): string {
  return /^[a-z_]{1,40}$/.test(code) ? code : "unknown_error";
}
