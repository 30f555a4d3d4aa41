/** The authorization code flow with PKCE: a user signs in with a browser, and a refresh token comes of it (spec §5.1). */
import * as oauth from "oauth4webapi";
import { listenOnLoopback } from "./loopback.js";

export interface SignIn {
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  readonly scope?: string | undefined;
  readonly clientAuthentication?: string | undefined;
  /** Of the loopback address; any that is free where it is left out. */
  readonly port?: number | undefined;
  /** How long a user may take. */
  readonly timeoutMs: number;
  /** Brings a user to the address. */
  readonly show: (address: string, redirectUri: string) => Promise<void>;
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

/** The refresh token of whoever signs in. @throws SignInError */
export async function signIn(options: SignIn): Promise<string> {
  const authorizationUrl = safeUrl(options.authorizationUrl, "authorization");
  const tokenUrl = safeUrl(options.tokenUrl, "token");
  const loopback = await listenOnLoopback(options.port ?? 0).catch((error: Error) => {
    throw new SignInError(
      `port ${options.port} can't be listened on: ${error.message}`,
      "Choose another --port.",
    );
  });
  try {
    const state = oauth.generateRandomState();
    const verifier = oauth.generateRandomCodeVerifier();
    const challenge = await oauth.calculatePKCECodeChallenge(verifier);
    const { redirectUri } = loopback;
    const answer = loopback.answer(state, options.timeoutMs);
    const address = addressOf(authorizationUrl, options, { state, challenge, redirectUri });
    await Promise.race([options.show(address, redirectUri), answer.catch(() => {})]);
    const parameters = await answer.catch((error: Error) => {
      throw new SignInError(error.message, "Sign in within that time, or give more with --sign-in-timeout.");
    });
    // Which issuer answers is not known beforehand; the token goes to the one address of the settings anyway.
    const server = {
      issuer: parameters.get("iss") ?? authorizationUrl.origin,
      token_endpoint: tokenUrl.href,
    };
    return await refreshTokenOf(server, { options, parameters, state, verifier, redirectUri });
  } finally {
    await loopback.close();
  }
}

interface Answer {
  readonly options: SignIn;
  readonly parameters: URLSearchParams;
  readonly state: string;
  readonly verifier: string;
  readonly redirectUri: string;
}

async function refreshTokenOf(
  server: oauth.AuthorizationServer,
  { options, parameters, state, verifier, redirectUri }: Answer,
): Promise<string> {
  const client = { client_id: options.clientId };
  let token: string | undefined;
  try {
    const validated = oauth.validateAuthResponse(server, client, parameters, state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authenticationOf(options),
      validated,
      redirectUri,
      verifier,
      {
        // Plain http is for the own machine only, see safeUrl.
        [oauth.allowInsecureRequests]: true,
        [oauth.customFetch]: async (url, init) => withoutIdToken(await fetch(url, init as RequestInit)),
        signal: AbortSignal.timeout(TOKEN_TIMEOUT_MS),
      },
    );
    token = (await oauth.processAuthorizationCodeResponse(server, client, response)).refresh_token;
  } catch (error) {
    throw new SignInError(reasonOf(error, parameters));
  }
  if (token !== undefined && token !== "") return token;
  throw new SignInError(
    "the answer held no refresh token",
    'Ask for one: with the scope "offline_access", or as the target system documents it.',
  );
}

function addressOf(
  authorizationUrl: URL,
  { clientId, scope }: SignIn,
  sent: { readonly state: string; readonly challenge: string; readonly redirectUri: string },
): string {
  const address = new URL(authorizationUrl);
  const asksOffline = scope?.split(/\s+/).includes("offline_access") === true;
  const parameters = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: sent.redirectUri,
    ...(scope === undefined ? {} : { scope }),
    state: sent.state,
    code_challenge: sent.challenge,
    code_challenge_method: "S256",
    // OpenID Connect gives refresh tokens only with consent; a prompt of the author's own goes before.
    ...(asksOffline && !address.searchParams.has("prompt") ? { prompt: "consent" } : {}),
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return address.href;
}

/** @throws SignInError where secrets would travel unencrypted. */
function safeUrl(text: string, name: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOwnMachine = url !== undefined && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isOwnMachine)) return url;
  throw new SignInError(`the ${name} address does not begin with https://`);
}

function authenticationOf({ clientSecret, clientAuthentication }: SignIn): oauth.ClientAuth {
  if (clientSecret === undefined || clientSecret === "") return oauth.None();
  return clientAuthentication === "body"
    ? oauth.ClientSecretPost(clientSecret)
    : oauth.ClientSecretBasic(clientSecret);
}

/** Only the refresh token is of use here, and an identity token can't be judged without the provider's keys. */
async function withoutIdToken(response: Response): Promise<Response> {
  const text = await response.text();
  const { status, headers } = response;
  try {
    const { id_token: _, ...rest } = JSON.parse(text);
    return new Response(JSON.stringify(rest), { status, headers });
  } catch {
    return new Response(text, { status, headers });
  }
}

/** What the provider says of a refusal; of anything else, that it happened. */
function reasonOf(error: unknown, parameters: URLSearchParams): string {
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
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return `the token address can't be reached: ${cause instanceof Error ? cause.message : String(cause)}`;
}
