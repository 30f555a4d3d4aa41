/** Requests to a provider's token endpoint, over oauth4webapi and the connection's own chain. */
import * as oauth from "oauth4webapi";
import type { StopSignal } from "../../registration/contracts.js";
import { AuthenticationFailure, ConnectionFailure, RequestRefused } from "../errors.js";
import { shownRequest } from "../http/masked-request.js";
import type { IncomingResponse, Send } from "../http/messages.js";

export interface TokenEndpoint {
  readonly url: string;
  readonly clientId: string;
  /** Absent for a public client. */
  readonly clientSecret?: string | undefined;
  /** Where the client's credentials go; `header` where left out. */
  readonly clientAuthentication?: "header" | "body" | undefined;
  /** Aborted when the connector stops. */
  readonly signal?: StopSignal | undefined;
}

/** What a grant came to. */
export interface GrantedToken {
  readonly accessToken: string;
  readonly expiresIn: number | undefined;
  readonly refreshToken: string | undefined;
}

export interface Grant {
  readonly type: "client_credentials" | "refresh_token";
  readonly refreshToken?: string | undefined;
  readonly scope?: string | undefined;
}

/** @throws AuthenticationFailure where no token is granted, ConnectionFailure where nobody answers. */
export async function grantedToken(endpoint: TokenEndpoint, grant: Grant, send: Send): Promise<GrantedToken> {
  const server = { issuer: secureOrigin(endpoint.url), token_endpoint: endpoint.url };
  const client = { client_id: endpoint.clientId };
  let answer: IncomingResponse | undefined;
  const options = {
    // Plain http is for the own machine only, see secureOrigin.
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: async (
      url: string,
      { headers, body }: { headers: object; body: URLSearchParams },
    ) => {
      answer = await send({
        ...{ purpose: "token", method: "POST", url, headers: { ...headers }, body: body.toString() },
        // A refresh token may be good for one request only.
        isIdempotent: grant.type === "client_credentials",
        signal: endpoint.signal,
      });
      return fetched(answer);
    },
  } as const;
  const authentication = clientAuthenticationOf(endpoint);
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
    return { accessToken: access_token, expiresIn: expires_in, refreshToken: refresh_token };
  } catch (error) {
    if (answer === undefined && (error instanceof ConnectionFailure || error instanceof RequestRefused))
      throw error;
    endpoint.signal?.throwIfAborted();
    throw failureOf(endpoint, answer, error);
  }
}

function clientAuthenticationOf({ clientSecret, clientAuthentication }: TokenEndpoint): oauth.ClientAuth {
  if (clientSecret === undefined || clientSecret === "") return oauth.None();
  return clientAuthentication === "body"
    ? oauth.ClientSecretPost(clientSecret)
    : oauth.ClientSecretBasic(clientSecret);
}

/** @throws RequestRefused where secrets would travel unencrypted. */
function secureOrigin(tokenUrl: string): string {
  const url = URL.canParse(tokenUrl) ? new URL(tokenUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new RequestRefused("The token address is no https address.");
  const isOwnMachine = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol !== "https:" && !isOwnMachine)
    throw new RequestRefused(
      `The token address at ${url.origin} must begin with https://, for secrets go there.`,
    );
  return url.origin;
}

function fetched({ statusCode, headers, body, isTooLarge }: IncomingResponse): Response {
  const text = body instanceof Uint8Array && !isTooLarge ? Buffer.from(body).toString("utf8") : "";
  const type = headers["content-type"];
  return new Response(
    statusCode === 204 || statusCode === 205 || statusCode === 304 ? null : withoutIdToken(text),
    {
      status: statusCode,
      headers: typeof type === "string" ? { "content-type": type } : {},
    },
  );
}

/** An identity token is nothing to a connector, and can't be judged without the provider's keys. */
function withoutIdToken(text: string): string {
  try {
    const { id_token: _, ...rest } = JSON.parse(text);
    return JSON.stringify(rest);
  } catch {
    return text;
  }
}

/** Without the library's error: what it holds on to are the answer and its tokens. */
function failureOf(
  { url }: TokenEndpoint,
  answer: IncomingResponse | undefined,
  error: unknown,
): AuthenticationFailure {
  const asked = shownRequest({ method: "POST", url });
  const status = answer?.statusCode;
  if (error instanceof oauth.ResponseBodyError || status === 401) {
    const code = error instanceof oauth.ResponseBodyError ? errorCode(error.error) : "invalid_client";
    const isRefused = status === 400 || status === 401;
    return new AuthenticationFailure(`${asked} gave no token: ${code}.`, code, isRefused ? 401 : status);
  }
  if (status !== undefined && status !== 200)
    return new AuthenticationFailure(
      `${asked} gave no token: it answered ${status}.`,
      `http_${status}`,
      status,
    );
  return new AuthenticationFailure(
    `${asked} gave no token: its answer is no token response.`,
    "invalid_response",
  );
}

/** What the standards allow in a code, so that no text of a provider's gets into messages. */
function errorCode(code: string): string {
  return /^[a-z_]{1,40}$/.test(code) ? code : "unknown_error";
}
