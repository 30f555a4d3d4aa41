/** The OAuth2 side of a fake target system: a certified provider on a loopback address of its own. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Configuration, Provider } from "oidc-provider";

/** The client that asks for tokens, as a connector was seen to ask. */
export interface TokenClient {
  readonly clientId: string;
  /** Undefined for a public client. */
  readonly clientSecret: string | undefined;
  /** What the user's sign-in gave; undefined for client credentials. */
  readonly refreshToken: string | undefined;
  /** How long an access token lives. */
  readonly lifeSeconds: number;
}

/** An answer to a token request. */
export interface TokenAnswer {
  readonly status: number;
  readonly text: string;
}

export interface TokenProvider {
  /** Where a user signs in. */
  readonly authorizationUrl: string;
  /** Answers a token request, wherever client ID and secret are in it. */
  grant(body: string, authorization: string | undefined): Promise<TokenAnswer>;
  /** The refresh token that came in the place of the last one; undefined before. */
  newestRefreshToken(): string | undefined;
  /** Whether it gave this access token, and the token still lives. */
  isValid(token: string): Promise<boolean>;
  /** Ends the life of an access token. */
  end(token: string): Promise<void>;
  close(): void;
}

const ACCOUNT = "user";
const SCOPE = "openid offline_access";
const DAY_SECONDS = 86_400;

/**
 * The provider itself is loaded with the first request: it takes longer than all the rest of a fake.
 * @throws Error that names the package if it is not installed.
 */
export async function startTokenProvider(client: TokenClient): Promise<TokenProvider> {
  expectInstalled();
  let loading: Promise<Provider> | undefined;
  let newest: string | undefined;
  const provider = () => {
    loading ??= createProvider(origin, client);
    return loading;
  };
  const server = createServer(async (request, response) => {
    try {
      await (await provider()).callback()(request, response);
    } catch {
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    authorizationUrl: `${origin}/auth`,
    grant: async (body, authorization) => {
      const request = inHeader(body, authorization);
      const headers = {
        "content-type": "application/x-www-form-urlencoded",
        ...(request.authorization !== undefined && { authorization: request.authorization }),
      };
      const answer = await fetch(`${origin}/token`, { method: "POST", headers, body: request.body });
      const text = await answer.text();
      newest = refreshTokenIn(text) ?? newest;
      return { status: answer.status, text };
    },
    newestRefreshToken: () => newest,
    isValid: async (token) => (await accessTokenOf(await provider(), token)) !== undefined,
    end: async (token) => (await accessTokenOf(await provider(), token))?.destroy(),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function expectInstalled(): void {
  try {
    import.meta.resolve("oidc-provider");
  } catch (error) {
    throw new Error(
      "A fake target system with OAuth 2 needs the package oidc-provider: npm install --save-dev oidc-provider",
      { cause: error },
    );
  }
}

async function createProvider(origin: string, client: TokenClient): Promise<Provider> {
  const { Provider } = await quietly(() => import("oidc-provider"));
  const provider = await quietly(async () => new Provider(origin, configurationOf(client)));
  if (client.refreshToken !== undefined) await adoptRefreshToken(provider, client, client.refreshToken);
  return provider;
}

/** The provider warns on the standard streams of what is for tests only. */
export async function quietly<Result>(action: () => Promise<Result>): Promise<Result> {
  const { console } = globalThis;
  const { info, warn } = console;
  Object.assign(console, { info: () => {}, warn: () => {} });
  try {
    return await action();
  } finally {
    Object.assign(console, { info, warn });
  }
}

function configurationOf({ clientId, clientSecret, refreshToken, lifeSeconds }: TokenClient): Configuration {
  const isUser = refreshToken !== undefined;
  return {
    clients: [
      {
        client_id: clientId,
        // It may come back to any port of this machine.
        application_type: "native",
        ...(clientSecret === undefined
          ? { token_endpoint_auth_method: "none" }
          : { client_secret: clientSecret, token_endpoint_auth_method: "client_secret_basic" }),
        grant_types: isUser ? ["authorization_code", "refresh_token"] : ["client_credentials"],
        redirect_uris: isUser ? ["http://127.0.0.1/callback"] : [],
        response_types: isUser ? ["code"] : [],
      },
    ],
    features: { clientCredentials: { enabled: true } },
    scopes: SCOPE.split(" "),
    rotateRefreshToken: true,
    ttl: {
      ...{ AccessToken: lifeSeconds, ClientCredentials: lifeSeconds, RefreshToken: DAY_SECONDS },
      ...{ Grant: DAY_SECONDS, IdToken: DAY_SECONDS, Interaction: DAY_SECONDS, Session: DAY_SECONDS },
    },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    cookies: { keys: ["fake"] },
  };
}

/** The refresh token that stands in the connection, as if a user had signed in for it. */
async function adoptRefreshToken(
  provider: Provider,
  { clientId }: TokenClient,
  value: string,
): Promise<void> {
  const client = await provider.Client.find(clientId);
  if (client === undefined) return;
  const grant = new provider.Grant({ accountId: ACCOUNT, clientId });
  grant.addOIDCScope(SCOPE);
  const grantId = await grant.save();
  const token = new provider.RefreshToken({
    accountId: ACCOUNT,
    client,
    grantId,
    scope: SCOPE,
    gty: "authorization_code",
  });
  Object.assign(token, { jti: value, authTime: Math.floor(Date.now() / 1_000) });
  await token.save();
}

async function accessTokenOf(provider: Provider, token: string) {
  return (await provider.ClientCredentials.find(token)) ?? (await provider.AccessToken.find(token));
}

function refreshTokenIn(text: string): string | undefined {
  const { refresh_token: token } = JSON.parse(text) as { readonly refresh_token?: string };
  return token;
}

/** Moves client ID and secret of the body into the header: the provider takes them in one place only. */
function inHeader(body: string, authorization: string | undefined) {
  const form = new URLSearchParams(body);
  const [id, secret] = [form.get("client_id"), form.get("client_secret")];
  if (authorization !== undefined || id === null || secret === null) return { body, authorization };
  form.delete("client_secret");
  const credentials = [id, secret].map((text) =>
    new URLSearchParams({ text }).toString().slice("text=".length),
  );
  return {
    body: form.toString(),
    authorization: `Basic ${Buffer.from(credentials.join(":")).toString("base64")}`,
  };
}
