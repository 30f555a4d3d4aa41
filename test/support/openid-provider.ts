/** A certified OpenID provider on loopback, an API that takes its tokens, and a user with a browser. */
import { createHash, randomBytes } from "node:crypto";
import type { Configuration, Provider } from "oidc-provider";
import { quietly } from "../../runtime/testing/token-provider.js";
import { answerJson, type Loopback, listen, serve } from "./loopback.js";

export interface OpenIdProvider {
  readonly origin: string;
  readonly tokenUrl: string;
  /** How many token requests came. */
  tokenRequests(): number;
  /** Takes back a token of any kind. */
  revoke(token: string): Promise<void>;
  /** Everything that calls itself an access token, newest last. */
  readonly seenTokens: readonly string[];
  /** Answers 200 with the token's client where the bearer token is valid, else 401. */
  readonly api: Loopback;
  close(): Promise<void>;
}

/** What is entered into a connection of the OAuth2 code flow before a user has signed in. */
export function codeFlowValues({ origin, tokenUrl }: OpenIdProvider) {
  const addresses = { authorizationUrl: `${origin}/auth`, tokenUrl };
  return { clientId: "app", ...addresses, scope: "openid offline_access" };
}

export const CLIENT_SECRET = "c1ient:s3cret/with%odd+signs and spaces";
const REDIRECT_URI = "http://127.0.0.1/callback";

/**
 * Clients `machine`, `machine-post` and `app`, a public one with PKCE; refresh tokens rotate. Access tokens live for
 * so many seconds.
 */
export async function openIdProvider(life = 3_600): Promise<OpenIdProvider> {
  let provider: Provider | undefined;
  let requests = 0;
  const server = await listen((request, response) => {
    if (request.method === "POST" && request.url === "/token") requests++;
    void provider?.callback()(request, response);
  });
  const { Provider: ProviderClass } = await quietly(() => import("oidc-provider"));
  const started = await quietly(async () => new ProviderClass(server.origin, configuration(life)));
  provider = started;
  const find = async (token: string) =>
    (await started.ClientCredentials.find(token)) ??
    (await started.AccessToken.find(token)) ??
    (await started.RefreshToken.find(token));
  const seenTokens: string[] = [];
  const api = await serve(async (request, response) => {
    const token = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
    if (token !== "" && !seenTokens.includes(token)) seenTokens.push(token);
    const found = await find(token);
    if (found === undefined || found.kind === "RefreshToken") answerJson(response, {}, 401);
    else answerJson(response, { client: found.clientId, scope: found.scope });
  });
  return {
    origin: server.origin,
    tokenUrl: `${server.origin}/token`,
    tokenRequests: () => requests,
    revoke: async (token) => (await find(token))?.destroy(),
    seenTokens,
    api,
    close: server.close,
  };
}

function configuration(life: number): Configuration {
  const session = { Grant: 3_600, IdToken: 3_600, Interaction: 3_600, Session: 3_600 };
  return {
    clients: [
      machine("machine", "client_secret_basic"),
      machine("machine-post", "client_secret_post"),
      {
        client_id: "app",
        token_endpoint_auth_method: "none",
        application_type: "native",
        grant_types: ["authorization_code", "refresh_token"],
        redirect_uris: [REDIRECT_URI],
      },
    ],
    features: { clientCredentials: { enabled: true }, revocation: { enabled: true } },
    scopes: ["openid", "offline_access", "projects:read"],
    pkce: { required: () => true },
    rotateRefreshToken: true,
    ttl: { AccessToken: life, ClientCredentials: life, RefreshToken: 86_400, ...session },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    cookies: { keys: ["test"] },
  };
}

function machine(
  client_id: string,
  token_endpoint_auth_method: "client_secret_basic" | "client_secret_post",
) {
  const grants = { grant_types: ["client_credentials"], redirect_uris: [], response_types: [] };
  return { client_id, client_secret: CLIENT_SECRET, token_endpoint_auth_method, ...grants };
}

/** What a user who signs in and agrees gives the client `app`: the tokens of the code flow with PKCE. */
export async function signIn({
  origin,
  tokenUrl,
}: OpenIdProvider): Promise<Readonly<Record<string, unknown>>> {
  const verifier = randomBytes(32).toString("base64url");
  const query = new URLSearchParams({
    ...{ client_id: "app", response_type: "code", redirect_uri: REDIRECT_URI, prompt: "consent" },
    ...{ scope: "openid offline_access", code_challenge_method: "S256" },
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
  });
  const at = await agree(`${origin}/auth?${query}`, REDIRECT_URI);
  const code = new URL(at).searchParams.get("code") ?? "";
  const grant = { grant_type: "authorization_code", client_id: "app", redirect_uri: REDIRECT_URI };
  const body = new URLSearchParams({ ...grant, code, code_verifier: verifier });
  const response = await fetch(tokenUrl, { method: "POST", body });
  return (await response.json()) as Readonly<Record<string, unknown>>;
}

/** Signs in and agrees at `address`, as a user with a browser; gives where that leads, which is not asked for. */
export async function agree(address: string, redirectUri: string): Promise<string> {
  const browser = newBrowser(redirectUri);
  let at = await browser(address);
  for (const prompt of ["login", "consent"]) {
    if (at.startsWith(redirectUri)) break;
    at = await browser(at, { prompt, login: "user", password: "any" });
  }
  return at;
}

/** Follows redirects with cookies, up to a page or to the client's address; gives where that is. */
function newBrowser(redirectUri: string) {
  const cookies = new Map<string, string>();
  return async (url: string, form?: Readonly<Record<string, string>>): Promise<string> => {
    let at = url;
    let fields = form;
    for (;;) {
      const response = await fetch(at, {
        headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
        redirect: "manual",
        ...(fields === undefined ? {} : { method: "POST", body: new URLSearchParams(fields) }),
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        cookies.set(name, value);
      }
      await response.arrayBuffer();
      const location = response.headers.get("location");
      if (location === null) return at;
      at = new URL(location, at).href;
      if (at.startsWith(redirectUri)) return at;
      fields = undefined;
    }
  };
}

/** Goes to the address that a user is sent to; `redirectUri` is where the browser is to come back to. */
export type Browse = (address: string, redirectUri: string) => Promise<unknown>;

/** Browses once, as soon as the text of a command names the address; `done` is when that is over. */
export function browserOf(browse: Browse): { onText(stderr: string): void; done(): Promise<unknown> } {
  let browsed: Promise<unknown> | undefined;
  return {
    onText(stderr) {
      const [, address] = /Sign in here:\n(\S+)\n/.exec(stderr) ?? [];
      const [, redirectUri] = /redirect address (\S+)/.exec(stderr) ?? [];
      if (address !== undefined && redirectUri !== undefined) browsed ??= browse(address, redirectUri);
    },
    done: async () => browsed,
  };
}
