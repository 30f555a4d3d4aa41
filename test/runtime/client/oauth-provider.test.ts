import { expect } from "chai";
import {
  AuthenticationError,
  type ClientCredentialsOptions,
  clientCredentialsHandler,
  codeFlowHandler,
  NetworkError,
} from "../../../runtime/client/index.js";
import { clientAt, closeServers, deadOrigin, fakeClock } from "../../support/loopback.js";
import { CLIENT_SECRET, type OpenIdProvider, openIdProvider, signIn } from "../../support/openid-provider.js";
import { rejection } from "../../support/promises.js";

describe("against a certified OpenID provider", () => {
  let provider: OpenIdProvider;

  beforeEach(async () => {
    provider = await openIdProvider();
  });

  afterEach(closeServers);

  describe("client credentials", () => {
    const client = (options: Partial<ClientCredentialsOptions> = {}) =>
      clientAt(provider.api.origin, {
        auth: clientCredentialsHandler({
          tokenUrl: provider.tokenUrl,
          clientId: "machine",
          clientSecret: CLIENT_SECRET,
          ...options,
        }),
      });

    it("give a token, with the client's own in the header or in the body", async () => {
      expect(await client().get("x")).to.deep.include({ result: { client: "machine" } });
      const inBody = client({ clientId: "machine-post", clientAuthentication: "body" });
      expect(await inBody.get("x")).to.deep.include({ result: { client: "machine-post" } });
    });

    it("ask for the scope", async () => {
      const { result } = await client({ scope: "projects:read" }).get("x");
      expect(result).to.deep.equal({ client: "machine", scope: "projects:read" });
    });

    it("make one token request for 1,000 calls at once, and none for the next ones", async () => {
      const http = client();
      const answers = await Promise.all(Array.from({ length: 1_000 }, () => http.get("x")));
      expect(answers.filter(({ isSuccessful }) => isSuccessful).length).to.equal(1_000);
      await http.get("x");
      expect(provider.tokenRequests()).to.equal(1);
    });

    it("make one token request for 1,000 calls at once whose token was revoked", async () => {
      const http = client();
      await http.get("x");
      await provider.revoke(provider.seenTokens[0] ?? "");
      const answers = await Promise.all(Array.from({ length: 1_000 }, () => http.get("x")));
      expect(answers.filter(({ isSuccessful }) => isSuccessful).length).to.equal(1_000);
      expect(provider.tokenRequests()).to.equal(2);
    });

    it("ask for a new token a minute before the old one expires, not earlier", async () => {
      const clock = fakeClock();
      const http = client({ clock });
      await http.get("x");
      clock.pass(3_539_000);
      await http.get("x");
      expect(provider.tokenRequests()).to.equal(1);
      clock.pass(1_000);
      expect(await http.get("x")).to.include({ isSuccessful: true });
      expect(provider.tokenRequests()).to.equal(2);
    });

    it("outlive a token that really expires", async () => {
      provider = await openIdProvider(1);
      const http = client();
      for (let count = 0; count < 12; count++) {
        expect(await http.get("x")).to.include({ isSuccessful: true });
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      expect(provider.tokenRequests()).to.equal(2);
      expect(provider.api.requests.length).to.equal(12);
    });

    it("with a wrong secret or client fail as refused, and say nothing of either", async () => {
      for (const wrong of [{ clientSecret: "canary" }, { clientId: "canary" }]) {
        const error = await rejection(client(wrong).get("x"));
        expect(error).to.be.instanceOf(AuthenticationError);
        expect(error).to.include({ code: "invalid_client", statusCode: 401 });
        expect(error.message).to.equal(`POST ${provider.tokenUrl} gave no token: invalid_client.`);
      }
      expect(provider.api.requests).to.deep.equal([]);
    });

    it("with a provider that is down fail as a connection does, and recover with it", async () => {
      const down = await deadOrigin();
      const error = await rejection(client({ tokenUrl: `${down}/token` }).get("x"));
      expect(error).to.be.instanceOf(NetworkError).with.property("code", "ECONNREFUSED");
      expect(error.message).to.include(`POST ${down}/token`);
      const http = client();
      await provider.close();
      expect(await rejection(http.get("x"))).to.be.instanceOf(NetworkError);
    });
  });

  describe("the code flow", () => {
    const saved: Readonly<Record<string, string>>[] = [];

    beforeEach(() => saved.splice(0));

    const client = (
      refreshToken: unknown,
      options: { clientId?: string; clock?: ReturnType<typeof fakeClock> } = {},
    ) =>
      clientAt(provider.api.origin, {
        auth: codeFlowHandler(
          { tokenUrl: provider.tokenUrl, clientId: "app", refreshToken: String(refreshToken), ...options },
          { saveProperties: async (properties) => void saved.push(properties) },
        ),
      });

    it("with PKCE gives a refresh token that gives access tokens, one request for 1,000 calls", async () => {
      const { refresh_token } = await signIn(provider);
      const http = client(refresh_token);
      const before = provider.tokenRequests();
      const answers = await Promise.all(Array.from({ length: 1_000 }, () => http.get("x")));
      expect(answers.every(({ statusCode }) => statusCode === 200)).to.equal(true);
      expect(answers[0]?.result).to.deep.include({ client: "app" });
      expect(provider.tokenRequests() - before).to.equal(1);
    });

    it("keeps a rotated refresh token, and uses it the next time", async () => {
      const { refresh_token } = await signIn(provider);
      const clock = fakeClock();
      const http = client(refresh_token, { clock });
      for (let count = 0; count < 3; count++) {
        expect(await http.get("x")).to.include({ isSuccessful: true });
        clock.pass(3_600_000);
      }
      const tokens = [refresh_token, ...saved.map(({ refreshToken }) => refreshToken)];
      expect(new Set(tokens).size).to.equal(4);
      expect(saved.map(Object.keys)).to.deep.equal([["refreshToken"], ["refreshToken"], ["refreshToken"]]);
      expect(await client(tokens[3]).get("x")).to.include({ isSuccessful: true });
    });

    it("refreshes once after a revoked access token", async () => {
      const { refresh_token } = await signIn(provider);
      const http = client(refresh_token);
      await http.get("x");
      await provider.revoke(provider.seenTokens[0] ?? "");
      const before = provider.tokenRequests();
      expect(await http.get("x")).to.include({ isSuccessful: true });
      expect(provider.tokenRequests() - before).to.equal(1);
    });

    it("fails as refused with a revoked refresh token, a foreign one, and one for another client", async () => {
      const { refresh_token } = await signIn(provider);
      await provider.revoke(String(refresh_token));
      const tries = [
        client(refresh_token),
        client("canary"),
        client((await signIn(provider))["refresh_token"], { clientId: "machine" }),
      ];
      for (const http of tries) {
        const error = await rejection(http.get("x"));
        expect(error).to.be.instanceOf(AuthenticationError).with.property("statusCode", 401);
        expect(error.message).to.match(/^POST \S+\/token gave no token: invalid_(?:grant|client|request)\.$/);
      }
      expect(saved).to.deep.equal([]);
    });
  });
});
