import type { ServerResponse } from "node:http";
import { expect } from "chai";
import {
  AuthenticationError,
  clientCredentialsHandler,
  codeFlowHandler,
  RequestRefusedError,
  type Transport,
} from "../../../runtime/client/index.js";
import type { ClientHost } from "../../../runtime/entries/runtime.js";
import {
  answerJson,
  clientAt,
  closeServers,
  fakeClock,
  serve,
  type TestClient,
} from "../../support/loopback.js";
import { rejection } from "../../support/promises.js";

const TOKEN = { access_token: "t0", token_type: "Bearer", expires_in: 3_600 };

/** A token endpoint that answers so, and an API that shows the token that it was called with. */
async function startServers(token: (response: ServerResponse, count: number) => void) {
  const provider = await serve((_, response, count) => token(response, count));
  const api = await serve((request, response) => answerJson(response, request.headers.authorization));
  const options = { tokenUrl: `${provider.origin}/token`, clientId: "c", clientSecret: "canary" };
  const machine = (policy: TestClient = {}) =>
    clientAt(api.origin, { auth: clientCredentialsHandler(options, policy.host), ...policy });
  const app = (policy: TestClient = {}, more = {}) =>
    clientAt(api.origin, {
      auth: codeFlowHandler({ ...options, refreshToken: "canary-0", ...more }, policy.host),
      ...policy,
    });
  return { provider, api, machine, app };
}

describe("a token endpoint", () => {
  afterEach(closeServers);

  it("that gives no token response ends in an error that holds nothing of the answer", async () => {
    const answers: readonly [(response: ServerResponse) => void, string, number?][] = [
      [(response) => answerJson(response, { token: "canary" }), "its answer is no token response"],
      [
        (response) => answerJson(response, { ...TOKEN, token_type: "canary" }),
        "its answer is no token response",
      ],
      [(response) => void response.writeHead(200).end("<canary>"), "its answer is no token response"],
      [(response) => void response.writeHead(204).end(), "it answered 204", 204],
      [(response) => void response.writeHead(302, { location: "/canary" }).end(), "it answered 302", 302],
      [(response) => void response.writeHead(404).end("canary"), "it answered 404", 404],
      [(response) => answerJson(response, { error: "Canary: your s3cret" }, 400), "unknown_error", 401],
      [
        (response) => answerJson(response, { error: "invalid_grant", error_description: "canary" }, 400),
        "invalid_grant",
        401,
      ],
      [(response) => answerJson(response, { error: "access_denied" }, 403), "access_denied", 403],
      [(response) => void response.writeHead(401).end(), "invalid_client", 401],
    ];
    for (const [answer, words, statusCode] of answers) {
      const { machine, provider, api } = await startServers(answer);
      const error = await rejection(machine().get("x"));
      expect(error, words).to.be.instanceOf(AuthenticationError).with.property("statusCode", statusCode);
      expect(error.message).to.equal(`POST ${provider.origin}/token gave no token: ${words}.`);
      expect(error).to.not.have.property("cause");
      expect([provider.requests.length, api.requests.length]).to.deep.equal([1, 0]);
    }
  });

  it("that gives more than an answer may have ends in an error", async () => {
    const { machine } = await startServers((response) =>
      answerJson(response, { ...TOKEN, scope: "x".repeat(10_000) }),
    );
    expect(await rejection(machine({ maxResponseBytes: 1_000 }).get("x"))).to.be.instanceOf(
      AuthenticationError,
    );
  });

  it("is repeated for client credentials, and not for a refresh token, which may be used up", async () => {
    const answer = (response: ServerResponse, count: number) =>
      count < 3 ? void response.writeHead(503).end() : answerJson(response, TOKEN);
    const policy = { retry: {}, clock: fakeClock() };
    const first = await startServers(answer);
    expect(await first.machine(policy).get("x")).to.include({ result: "Bearer t0" });
    const second = await startServers(answer);
    expect(await rejection(second.app(policy).get("x"))).to.include({ code: "http_503", statusCode: 503 });
    expect(second.provider.requests.length).to.equal(1);
  });

  it("may give numbers as text, an identity token that nobody can judge, and no time of expiry", async () => {
    let answers = 0;
    const { machine, provider } = await startServers((response) => {
      const { expires_in, ...token } = TOKEN;
      answers++;
      answerJson(response, {
        ...token,
        id_token: "no token",
        ...(answers === 1 ? { expires_in: String(expires_in) } : {}),
      });
    });
    for (let count = 0; count < 2; count++) {
      const http = machine();
      for (const _ of [1, 2]) expect(await http.get("x")).to.include({ result: "Bearer t0" });
    }
    expect(provider.requests.length).to.equal(2);
  });

  it("is refused over plain http, but for the own machine", async () => {
    for (const tokenUrl of ["http://login.company.com/token", "ftp://localhost/", "nowhere"]) {
      const { app, api } = await startServers(() => undefined);
      const error = await rejection(app({}, { tokenUrl }).get("x"));
      expect(error, tokenUrl)
        .to.be.instanceOf(RequestRefusedError)
        .with.property("message")
        .that.includes("token address");
      expect(api.requests).to.deep.equal([]);
    }
  });

  it("may be another one for refreshing, and a public client sends no secret", async () => {
    const refresh = await serve((_, response) => answerJson(response, TOKEN));
    const { app, provider } = await startServers(() => undefined);
    await app({}, { refreshUrl: `${refresh.origin}/refresh`, clientSecret: undefined, scope: "a b" }).get(
      "x",
    );
    expect(provider.requests).to.deep.equal([]);
    const [{ path, body, headers } = expect.fail()] = refresh.requests;
    expect(path).to.equal("/refresh");
    expect(Object.fromEntries(new URLSearchParams(body))).to.deep.equal({
      grant_type: "refresh_token",
      refresh_token: "canary-0",
      client_id: "c",
      scope: "a b",
    });
    expect(headers).to.not.have.property("authorization");
  });

  it("whose new refresh token can't be saved gives no access token until it can", async () => {
    let broken = true;
    const saved: unknown[] = [];
    const saveProperties = async (properties: object) => {
      if (broken) throw new Error("disk full, canary");
      saved.push(properties);
    };
    const { app, provider } = await startServers((response, count) =>
      answerJson(response, { ...TOKEN, access_token: `t${count}`, refresh_token: `r${count}` }),
    );
    const http = app({ host: { saveProperties } });
    for (let count = 0; count < 2; count++) {
      const error = await rejection(http.get("x"));
      expect(error).to.be.instanceOf(AuthenticationError).with.property("code", "not_saved");
      expect(error.message).to.equal("The host could not save the changed refresh token.");
    }
    broken = false;
    expect(await http.get("x")).to.include({ result: "Bearer t2" });
    expect(saved).to.deep.equal([{ refreshToken: "r1" }, { refreshToken: "r2" }]);
    expect(provider.requests.map(({ body }) => new URLSearchParams(body).get("refresh_token"))).to.deep.equal(
      ["canary-0", "r1"],
    );
  });

  it("is asked for with the refresh token that is kept by then, unless this client has used that before", async () => {
    let kept: string | undefined = "newer";
    const order: string[] = [];
    const host: ClientHost = {
      lockProperties: async (task) => {
        order.push("locked");
        const result = await task({ refreshToken: kept });
        order.push("released");
        return result;
      },
      saveProperties: async ({ refreshToken = "" }) => void order.push(`saved ${refreshToken}`),
    };
    const { app, provider } = await startServers((response, count) =>
      answerJson(response, { ...TOKEN, expires_in: 0, refresh_token: `r${count}` }),
    );
    const http = app({ host });
    for (const stored of ["newer", "newer", "from elsewhere", "r1", "", undefined]) {
      kept = stored;
      expect(await http.get("x")).to.include({ isSuccessful: true });
    }
    expect(provider.requests.map(({ body }) => new URLSearchParams(body).get("refresh_token"))).to.deep.equal(
      ["newer", "r1", "from elsewhere", "r3", "r4", "r5"],
    );
    expect(order.slice(0, 3)).to.deep.equal(["locked", "saved r1", "released"]);
  });

  it("is not asked for if the host can't lock the refresh token; what goes wrong later is said as it is", async () => {
    const { app, provider } = await startServers((response) => answerJson(response, {}, 500));
    const serveRefusals: ClientHost = { lockProperties: () => Promise.reject(new Error("canary")) };
    const error = await rejection(app({ host: serveRefusals }).get("x"));
    expect(error).to.be.instanceOf(AuthenticationError).with.property("code", "not_locked");
    expect(error.message).to.equal("The host could not lock the refresh token.");
    expect(provider.requests).to.deep.equal([]);
    const locking: ClientHost = { lockProperties: (task) => task({}) };
    expect(await rejection(app({ host: locking }).get("x"))).to.have.property("code", "http_500");
  });

  it("is waited for until the caller's signal, and goes on for the other callers", async () => {
    const { machine, provider } = await startServers(
      (response) => void setTimeout(() => answerJson(response, TOKEN), 80),
    );
    const http = machine();
    const stopped = rejection(http.get("x", { signal: AbortSignal.timeout(20) }));
    const patient = http.get("x");
    expect((await stopped).name).to.equal("TimeoutError");
    expect(await patient).to.include({ result: "Bearer t0" });
    expect(provider.requests.length).to.equal(1);
  });

  it("is not waited for once the host stops", async () => {
    const { machine } = await startServers(() => undefined);
    const host = { signal: AbortSignal.timeout(40) };
    expect((await rejection(machine({ host, retry: {} }).get("x"))).name).to.equal("TimeoutError");
  });

  it("that failed is asked again by the next call", async () => {
    const { machine } = await startServers((response, count) =>
      count === 1 ? void response.writeHead(500).end() : answerJson(response, TOKEN),
    );
    const http = machine();
    expect(await rejection(http.get("x"))).to.be.instanceOf(AuthenticationError);
    expect(await http.get("x")).to.include({ isSuccessful: true });
  });
});

describe("a 401", () => {
  it("is closed before the call is repeated, for its answer may be a stream without end", async () => {
    const order: string[] = [];
    const { machine } = await startServers((response) => answerJson(response, TOKEN));
    const transport: Transport = (next) => async (request) => {
      if (request.purpose === "token") return next(request);
      const isFirst = !order.includes("sent");
      order.push("sent");
      async function* body() {}
      const close = () => void order.push("closed");
      return { url: request.url, statusCode: isFirst ? 401 : 200, headers: {}, body: body(), close };
    };
    const { statusCode } = await machine({ host: { transport } }).stream("x");
    expect(statusCode).to.equal(200);
    expect(order).to.deep.equal(["sent", "closed", "sent"]);
  });

  afterEach(closeServers);

  const refusing = async () => {
    const provider = await serve((_, response, count) =>
      answerJson(response, { ...TOKEN, access_token: `t${count}` }),
    );
    const api = await serve((_, response) => answerJson(response, {}, 401));
    const options = { tokenUrl: `${provider.origin}/token`, clientId: "c", clientSecret: "s" };
    return { provider, api, http: clientAt(api.origin, { auth: clientCredentialsHandler(options) }) };
  };

  it("to every token ends after one new token and one repeated call, also of a POST", async () => {
    const { provider, api, http } = await refusing();
    expect(await http.post("x", { json: 1 })).to.include({ statusCode: 401 });
    expect(provider.requests.length).to.equal(2);
    expect(api.requests.map(({ headers }) => headers.authorization)).to.deep.equal([
      "Bearer t1",
      "Bearer t2",
    ]);
    expect(api.requests.map(({ body }) => body)).to.deep.equal(["1", "1"]);
  });

  it("to a body that is a stream is the answer", async () => {
    const { provider, api, http } = await refusing();
    async function* body() {
      yield new TextEncoder().encode("a");
    }
    expect(await http.post("x", { body: body() })).to.include({ statusCode: 401 });
    expect([provider.requests.length, api.requests.length]).to.deep.equal([1, 1]);
  });

  it("to a streamed answer is repeated too", async () => {
    const { api, http } = await refusing();
    const { statusCode, close } = await http.stream("x");
    close();
    expect([statusCode, api.requests.length]).to.deep.equal([401, 2]);
  });
});
