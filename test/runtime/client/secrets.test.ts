import { inspect } from "node:util";
import { expect } from "chai";
import {
  apiKeyHandler,
  basicHandler,
  type ClientHooks,
  clientCredentialsHandler,
  codeFlowHandler,
  headerHandler,
  type Middleware,
} from "../../../runtime/client/index.js";
import { answerJson, clientAt, closeServers, serve } from "../../support/loopback.js";

const CANARY = "c4n4ry";

/** Everything that hooks are told and that errors show, at their most talkative. */
function recordEverythingShown() {
  const told: string[] = [];
  const names = new Set<string>();
  const note = (name: string) => (event: object) => {
    names.add(name);
    told.push(inspect(event, { depth: Number.POSITIVE_INFINITY, showHidden: true }), JSON.stringify(event));
  };
  const hooks: ClientHooks = {
    onRequest: note("onRequest"),
    onResponse: note("onResponse"),
    onRetry: note("onRetry"),
    onTokenRefresh: note("onTokenRefresh"),
  };
  const outcome = async (call: Promise<{ readonly errorMessage: string | null }>) =>
    call.then(
      ({ errorMessage }) => told.push(String(errorMessage)),
      (error: Error) => {
        told.push(inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true }), String(error.stack));
      },
    );
  return { hooks, told, names, outcome };
}

describe("secrets", () => {
  afterEach(closeServers);

  /** Refuses, breaks off, redirects, and repeats what it was sent wherever it can. */
  const serveEchoes = () =>
    serve((request, response, count) => {
      const echo = `${request.path} ${JSON.stringify(request.headers)} ${request.body}`.replace(
        /[^ -~]/g,
        "",
      );
      const headers = {
        "x-echo": echo,
        "set-cookie": CANARY,
        "www-authenticate": `Bearer realm="${CANARY}"`,
      };
      const told = [request.path, request.body, ...Object.values(request.headers).map(String)];
      const content =
        count % 3 === 0 ? echo : JSON.stringify({ error: { message: told[count % told.length] } });
      const status = [401, 503, 429, 500, 302, 200, 404][count % 7] ?? 200;
      if (count % 8 === 7) response.socket?.destroy();
      else if (status === 302)
        response.writeHead(302, { ...headers, location: `/next${request.path}` }).end(content);
      else response.writeHead(status, { ...headers, "content-type": "application/json" }).end(content);
    });

  it("are in nothing that hooks are told, nor in errors and messages, whatever the way of authentication", async () => {
    const server = await serveEchoes();
    let tokens = 0;
    const provider = await serve((_, response) => {
      tokens++;
      if (tokens % 4 === 3) answerJson(response, { error: "invalid_grant", error_description: CANARY }, 400);
      else
        answerJson(response, {
          ...{
            access_token: `${CANARY}-${tokens}`,
            token_type: "bearer",
            refresh_token: `${CANARY}r${tokens}`,
          },
          expires_in: 3_600,
        });
    });
    const client = {
      tokenUrl: `${provider.origin}/token?client_secret=${CANARY}`,
      clientId: "c",
      clientSecret: CANARY,
    };
    const ways: readonly Middleware[] = [
      headerHandler({ name: "X-Custom", value: () => CANARY }),
      apiKeyHandler({ key: CANARY }),
      apiKeyHandler({ key: CANARY, in: "query", name: "q" }),
      basicHandler({ username: CANARY, password: CANARY }),
      clientCredentialsHandler(client),
      clientCredentialsHandler({ ...client, clientAuthentication: "body" }),
      codeFlowHandler({ ...client, refreshToken: CANARY }),
    ];
    const { hooks, told, names, outcome } = recordEverythingShown();
    for (const auth of ways) {
      const http = clientAt(server.origin, { auth, hooks, retry: { firstDelayMs: 1, maxAttempts: 3 } });
      for (let count = 0; count < 8; count++) {
        await outcome(
          http.get("x", {
            query: { session_token: CANARY },
            headers: { cookie: CANARY, "x-tenant": CANARY },
          }),
        );
        await outcome(http.post(`y?${CANARY}`, { json: { password: CANARY } }));
        await outcome(http.stream("z", { query: { session_token: CANARY } }).finally(() => undefined));
      }
    }
    const secretForms = [
      CANARY,
      Buffer.from(`${CANARY}:${CANARY}`).toString("base64"),
      Buffer.from(`c:${CANARY}`).toString("base64"),
    ];
    for (const secret of secretForms) expect(told.filter((text) => text.includes(secret))).to.deep.equal([]);
    expect([...names].sort()).to.deep.equal(["onRequest", "onResponse", "onRetry", "onTokenRefresh"]);
    expect(told.length).to.be.above(300);
    const seen = JSON.stringify([server.requests, provider.requests]);
    for (const secret of secretForms) expect(seen).to.include(secret);
  });

  it("are hidden in addresses by the names of parameters, and nothing else is", async () => {
    const long = "x".repeat(101);
    const query = {
      page: 2,
      "user name": "guest",
      nextPageToken: "t1",
      api_key: "k1",
      state: long,
      "": "blank",
    };
    const { errorMessage } = await clientAt(
      (await serve((_, response) => response.writeHead(404).end())).origin,
      {
        auth: apiKeyHandler({ key: "k2", in: "query", name: "who" }),
      },
    ).get("x?alone&b=%0a", { query });
    const hidden = "--hidden value--";
    expect(errorMessage?.replace(/^.*\?|(?<= ) answered.*$/g, "")).to.equal(
      `${hidden}&b=%0a&page=2&user%20name=guest&nextPageToken=${hidden}&api_key=${hidden}&state=${hidden}&=blank answered 404 Not Found.`,
    );
  });

  it("are in no error of a connection that fails", async () => {
    const { hooks, told, outcome } = recordEverythingShown();
    const auth = apiKeyHandler({ key: CANARY, in: "query", name: "q" });
    await outcome(clientAt("http://127.0.0.1:1", { auth, hooks }).get(`x?sig=${CANARY}`));
    await outcome(
      clientAt("http://127.0.0.1:1", { auth: headerHandler({ name: "x", value: () => `${CANARY}\n` }) }).get(
        "x",
      ),
    );
    expect(told.length).to.be.above(2);
    expect(told.join("\n")).to.not.include(CANARY);
  });
});

describe("hooks", () => {
  afterEach(closeServers);

  it("are told of every attempt and its answer, of retries and of new tokens", async () => {
    const provider = await serve((_, response) =>
      answerJson(response, { access_token: "t", token_type: "bearer" }),
    );
    const server = await serve((_, response, count) => answerJson(response, 1, count === 1 ? 503 : 200));
    const events: unknown[] = [];
    const note = (name: string) => (event: object) => {
      const {
        headers: _,
        milliseconds: __,
        ...rest
      } = event as { headers?: unknown; milliseconds?: unknown };
      events.push([name, rest]);
    };
    const http = clientAt(server.origin, {
      auth: clientCredentialsHandler({ tokenUrl: provider.origin, clientId: "c", clientSecret: "s" }),
      retry: { firstDelayMs: 1 },
      random: () => 1,
      hooks: {
        onRequest: note("request"),
        onResponse: note("response"),
        onRetry: note("retry"),
        onTokenRefresh: note("token"),
      },
    });
    await http.get("x", { query: { page: 2 } });
    const token = { purpose: "token", method: "POST", url: `${provider.origin}/` };
    const call = { purpose: "call", method: "GET", url: `${server.origin}/x?page=2` };
    expect(events).to.deep.equal([
      ["request", token],
      ["response", { ...token, statusCode: 200 }],
      ["token", { url: token.url }],
      ["request", call],
      ["response", { ...call, statusCode: 503 }],
      ["retry", { ...call, statusCode: 503, attempt: 1, delayMs: 1 }],
      ["request", call],
      ["response", { ...call, statusCode: 200 }],
    ]);
  });

  it("that throw change nothing", async () => {
    const server = await serve((_, response) => answerJson(response, 1));
    const onRequest = () => {
      throw new Error("in a hook");
    };
    expect(await clientAt(server.origin, { hooks: { onRequest } }).get("x")).to.include({ result: 1 });
  });
});
