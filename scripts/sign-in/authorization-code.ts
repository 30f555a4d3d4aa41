/** The authorization code flow with PKCE: a user signs in with a browser, which gives a refresh token (spec §5.1). */
import * as oauth from "oauth4webapi";
import { NetworkError } from "../../runtime/client/errors.js";
import { createNetwork } from "../../runtime/client/network.js";
import { clientAuthentication, secureUrl, withoutIdToken } from "../../runtime/client/token-endpoint.js";
import { type Loopback, listenOnLoopback } from "./loopback.js";

export interface AuthorizationOptions {
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  /** Undefined for a public client. */
  readonly clientSecret?: string | undefined;
  readonly scope?: string | undefined;
  /** `header` or `body`. @default "header" */
  readonly clientAuthentication?: string | undefined;
  /** Port of the loopback address. @default any that is free */
  readonly port?: number | undefined;
  /** Variables that may name a proxy; the user's browser has its own. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Milliseconds that a user may take. */
  readonly timeoutMs: number;
  /** Brings a user to the address. */
  readonly show: (shown: SignInAddress) => Promise<void>;
  /** Stops waiting for a user. */
  readonly signal?: AbortSignal | undefined;
}

/** Where a user signs in. */
export interface SignInAddress {
  /** The address of the authorization server. */
  readonly address: string;
  /** The address on this machine that the browser comes back to. */
  readonly redirectUri: string;
  /** An address on this machine that leads to `address`, with nothing of the connection in it. */
  readonly startAddress: string;
}

/** A sign-in that gave no refresh token: why, and what to do. */
export class SignInError extends Error {
  override readonly name = "SignInError";

  constructor(
    reason: string,
    readonly advice = "Correct the settings of the connection, or the client's registration, and try again.",
  ) {
    super(reason);
  }
}

const TOKEN_TIMEOUT_MS = 30_000;

/** Bytes of a token answer; a real one has a few thousand. */
const MAX_TOKEN_BYTES = 1_000_000;

/** Waits until a user has signed in, and returns the refresh token. @throws SignInError if there is none. */
export async function signIn(options: AuthorizationOptions): Promise<string> {
  const authorizationUrl = requireSecureUrl(options.authorizationUrl, "authorization");
  const tokenUrl = requireSecureUrl(options.tokenUrl, "token");
  const loopback = await openLoopback(options.port);
  try {
    const state = oauth.generateRandomState();
    const verifier = oauth.generateRandomCodeVerifier();
    const challenge = await oauth.calculatePKCECodeChallenge(verifier);
    const { redirectUri } = loopback;
    const answer = loopback.answer(state, options.timeoutMs, options.signal);
    const address = authorizationAddress(authorizationUrl, options, { state, challenge, redirectUri });
    const shown = { address, redirectUri, startAddress: loopback.leadTo(address) };
    await Promise.race([options.show(shown), answer.catch(() => {})]);
    const parameters = await answer.catch((error: Error) => {
      throw new SignInError(error.message, "Sign in within that time, or give more with --sign-in-timeout.");
    });
    const issuer = issuerOf(parameters, [authorizationUrl, tokenUrl]);
    const server = { issuer, token_endpoint: tokenUrl.href };
    return await requestRefreshToken(server, { options, parameters, state, verifier, redirectUri });
  } finally {
    await loopback.close();
  }
}

/** @throws SignInError if the port is taken. */
async function openLoopback(port = 0): Promise<Loopback> {
  try {
    return await listenOnLoopback(port);
  } catch (error) {
    throw new SignInError(
      `port ${port} can't be listened on: ${(error as Error).message}`,
      "Choose another --port.",
    );
  }
}

/** What a user has agreed to. */
interface Authorization {
  readonly options: AuthorizationOptions;
  readonly parameters: URLSearchParams;
  readonly state: string;
  readonly verifier: string;
  readonly redirectUri: string;
}

async function requestRefreshToken(
  server: oauth.AuthorizationServer,
  { options, parameters, state, verifier, redirectUri }: Authorization,
): Promise<string> {
  const client = { client_id: options.clientId };
  let token: string | undefined;
  try {
    const validated = oauth.validateAuthResponse(server, client, parameters, state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      clientAuthentication(options.clientSecret, options.clientAuthentication),
      validated,
      redirectUri,
      verifier,
      {
        // Plain http is for the own machine only, see secureUrl.
        [oauth.allowInsecureRequests]: true,
        [oauth.customFetch]: async (url, init) => fetchToken(url, init, options.environment),
        signal: AbortSignal.timeout(TOKEN_TIMEOUT_MS),
      },
    );
    token = (await oauth.processAuthorizationCodeResponse(server, client, response)).refresh_token;
  } catch (error) {
    if (error instanceof SignInError) throw error;
    throw new SignInError(failureReason(error, parameters));
  }
  if (token !== undefined && token !== "") return token;
  throw new SignInError(
    "the answer held no refresh token",
    'Ask for one: with the scope "offline_access", or as the target system documents it.',
  );
}

/**
 * The issuer that the answer names (RFC 9207), else the origin of the authorization address.
 * @throws SignInError if it is of neither address's origin: then another provider has answered.
 */
function issuerOf(parameters: URLSearchParams, [authorizationUrl, tokenUrl]: readonly [URL, URL]): string {
  const issuer = parameters.get("iss");
  if (issuer === null) return authorizationUrl.origin;
  const origin = URL.canParse(issuer) ? new URL(issuer).origin : undefined;
  if (origin === authorizationUrl.origin || origin === tokenUrl.origin) return issuer;
  throw new SignInError(
    `another provider has answered: ${JSON.stringify(issuer)} instead of ${authorizationUrl.origin}`,
    "Correct authorizationUrl and tokenUrl: both belong to the provider that the user signs in to.",
  );
}

/** As the client of a connector sends it: bounded, and over TLS that is always checked. */
async function fetchToken(
  url: string,
  { headers, body, signal }: oauth.CustomFetchOptions<"POST", URLSearchParams>,
  environment: AuthorizationOptions["environment"],
): Promise<Response> {
  const send = createNetwork({ maxResponseBytes: MAX_TOKEN_BYTES, environment });
  const answer = await send({
    ...{ purpose: "token", method: "POST", url, headers: { ...headers, connection: "close" } },
    ...{ body: body.toString(), signal },
  });
  if (answer.isTooLarge === true) throw new SignInError("the token address gave an answer that is too large");
  const text = answer.body instanceof Uint8Array ? Buffer.from(answer.body).toString("utf8") : "";
  const type = answer.headers["content-type"];
  return new Response(withoutIdToken(text), {
    status: answer.statusCode,
    headers: typeof type === "string" ? { "content-type": type } : {},
  });
}

function authorizationAddress(
  authorizationUrl: URL,
  { clientId, scope }: AuthorizationOptions,
  sent: { readonly state: string; readonly challenge: string; readonly redirectUri: string },
): string {
  const address = new URL(authorizationUrl);
  const asksForOfflineAccess = scope?.split(/\s+/).includes("offline_access") === true;
  const parameters = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: sent.redirectUri,
    ...(scope === undefined ? {} : { scope }),
    state: sent.state,
    code_challenge: sent.challenge,
    code_challenge_method: "S256",
    // OpenID Connect gives refresh tokens only with consent; a prompt of the author's own goes before.
    ...(asksForOfflineAccess && !address.searchParams.has("prompt") ? { prompt: "consent" } : {}),
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return address.href;
}

/** @throws SignInError if secrets would travel unencrypted. */
function requireSecureUrl(address: string, name: string): URL {
  const url = secureUrl(address);
  if (url === undefined) throw new SignInError(`the ${name} address does not begin with https://`);
  return url;
}

/** What the provider says of a refusal; for any other failure, what happened. */
function failureReason(error: unknown, parameters: URLSearchParams): string {
  if (error instanceof oauth.AuthorizationResponseError) {
    const description = parameters.get("error_description");
    return `the sign-in was refused: ${error.error}${description === null ? "" : ` (${description})`}`;
  }
  if (error instanceof oauth.ResponseBodyError) {
    const { error: code, error_description: description } = error;
    return `no token was given: ${code}${description === undefined ? "" : ` (${description})`}`;
  }
  if (error instanceof oauth.WWWAuthenticateChallengeError)
    return `no token was given: the token address answered ${error.response.status}`;
  if (error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError)
    return `the answer is not what the standard says: ${error.message}`;
  if (error instanceof NetworkError) return `the token address can't be reached: ${error.reason}`;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return `the token address can't be reached: ${cause instanceof Error ? cause.message : String(cause)}`;
}
