import { expect } from "chai";
import {
  apiKeyHandler,
  clientCredentialsHandler,
  type IncomingResponse,
  NetworkError,
  type Transport,
} from "../../../runtime/client/index.js";
import { answerJson, clientAt, closeServers, deadOrigin, fakeClock, serve } from "../../support/loopback.js";
import { rejection } from "../../support/promises.js";

/** Notes `purpose method path status` of everything that passes, and the error of what fails. */
function tracer(trace: string[]): Transport {
  return (next) => async (request) => {
    const { purpose, method, url } = request;
    const shown = `${purpose} ${method} ${new URL(url).pathname}`;
    try {
      const response = await next(request);
      trace.push(`${shown} ${response.statusCode}`);
      return response;
    } catch (error) {
      trace.push(`${shown} ${(error as NetworkError).code}`);
      throw error;
    }
  };
}

/** Keeps answers, and gives them in the same order without the network. */
function tape() {
  const answers: IncomingResponse[] = [];
  const record: Transport = (next) => async (request) => {
    const response = await next(request);
    answers.push(response);
    return response;
  };
  const replay: Transport = () => {
    const left = [...answers];
    return async () => left.shift() ?? expect.fail("nothing is left to replay");
  };
  return { record, replay };
}

const answer = (body: string, statusCode = 200, headers = {}): IncomingResponse => ({
  url: "https://api.test/x",
  statusCode,
  headers: { "content-type": "application/json", ...headers },
  body: Buffer.from(body),
  close: () => undefined,
});

describe("a transport of the host", () => {
  afterEach(closeServers);

  it("that traces sees every attempt, with all that is sent", async () => {
    const server = await serve((_, response, count) =>
      answerJson(response, { count }, count < 3 ? 503 : 200),
    );
    const trace: string[] = [];
    const keys: (string | undefined)[] = [];
    const sees: Transport = (next) => (request) => {
      keys.push(request.headers["x-api-key"]);
      return next(request);
    };
    const http = clientAt(server.origin, {
      auth: apiKeyHandler({ key: "k" }),
      retry: { maxAttempts: 3 },
      clock: fakeClock(),
      host: { transport: (next) => tracer(trace)(sees(next)) },
    });
    expect((await http.get("items")).result).to.deep.equal({ count: 3 });
    expect(trace).to.deep.equal(["call GET /items 503", "call GET /items 503", "call GET /items 200"]);
    expect(keys).to.deep.equal(["k", "k", "k"]);
  });

  it("waits by the clock of the host, if that gives one", async () => {
    const server = await serve((_, response, count) => {
      if (count < 3) response.writeHead(503, { "retry-after": "50" }).end();
      else answerJson(response, { count });
    });
    const clock = fakeClock();
    const http = clientAt(server.origin, { retry: { maxAttempts: 3 }, host: { clock } });
    expect((await http.get("items")).result).to.deep.equal({ count: 3 });
    expect(clock.slept).to.deep.equal([50_000, 50_000]);
  });

  it("that traces sees token requests, and each hop of a redirect without credentials elsewhere", async () => {
    const elsewhere = await serve((_, response) => answerJson(response, "there"));
    const api = await serve(({ path }, response) => {
      if (path === "/token") return answerJson(response, { access_token: "t", token_type: "Bearer" });
      response.writeHead(302, { location: `${elsewhere.origin}/moved` }).end();
    });
    const trace: string[] = [];
    const authorizations: boolean[] = [];
    const sees: Transport = (next) => (request) => {
      authorizations.push("authorization" in request.headers);
      return next(request);
    };
    const options = { tokenUrl: `${api.origin}/token`, clientId: "c", clientSecret: "s" };
    const http = clientAt(api.origin, {
      auth: clientCredentialsHandler(options),
      host: { transport: (next) => tracer(trace)(sees(next)) },
    });
    expect((await http.get("items")).result).to.equal("there");
    expect(trace).to.deep.equal(["token POST /token 200", "call GET /items 302", "call GET /moved 200"]);
    expect(authorizations).to.deep.equal([true, true, false]);
  });

  it("that traces sees what fails, before it is tried again", async () => {
    const trace: string[] = [];
    const host = { transport: tracer(trace) };
    const http = clientAt(await deadOrigin(), { host, retry: { maxAttempts: 2 }, clock: fakeClock() });
    expect(await rejection(http.get("items")))
      .to.be.instanceOf(NetworkError)
      .with.property("attempts", 2);
    expect(trace).to.deep.equal(["call GET /items ECONNREFUSED", "call GET /items ECONNREFUSED"]);
  });

  it("that replays gives what was recorded, with no server any more", async () => {
    const server = await serve((_, response, count) =>
      answerJson(response, { count }, count === 2 ? 404 : 200),
    );
    const { record, replay } = tape();
    const calls = async (transport: Transport) => {
      const http = clientAt(server.origin, { host: { transport } });
      return [await http.get("a"), await http.get("b"), await http.post("c", { json: 1 })];
    };
    const recorded = await calls(record);
    await server.close();
    expect(await calls(replay)).to.deep.equal(recorded);
    expect(recorded.map(({ statusCode, result }) => ({ statusCode, result }))).to.deep.equal([
      { statusCode: 200, result: { count: 1 } },
      { statusCode: 404, result: null },
      { statusCode: 200, result: { count: 3 } },
    ]);
    expect(server.requests).to.have.length(3);
  });

  it("can answer without a network, in pieces too, and its answers are retried as others", async () => {
    let count = 0;
    const fake: Transport = () => async () => {
      count++;
      return count === 1 ? answer("", 503, { "retry-after": "2" }) : answer(`{"count":${count}}`);
    };
    const clock = fakeClock();
    const http = clientAt("https://api.test", {
      host: { transport: fake },
      retry: { maxAttempts: 2 },
      clock,
    });
    expect((await http.get("x")).result).to.deep.equal({ count: 2 });
    expect(clock.slept).to.deep.equal([2_000]);
    const chunks = [];
    for await (const chunk of (await http.stream("x")).body) chunks.push(Buffer.from(chunk).toString());
    expect(chunks).to.deep.equal(['{"count":3}']);
  });

  it("has its errors retried by the one rule, and thrown as they are", async () => {
    const failingTransport = (error: Error, attempts: number) => {
      let count = 0;
      const transport: Transport = () => async () => {
        if (++count <= attempts) throw error;
        return answer("1");
      };
      const http = clientAt("https://api.test", {
        host: { transport },
        retry: { maxAttempts: 3 },
        clock: fakeClock(),
      });
      return { call: () => http.get("x"), count: () => count };
    };
    const busy = failingTransport(Object.assign(new Error("busy"), { retry: "later" }), 2);
    expect((await busy.call()).result).to.equal(1);
    const broken = failingTransport(new Error("broken tape"), 1);
    expect(await rejection(broken.call())).to.have.property("message", "broken tape");
    expect(broken.count()).to.equal(1);
    const gone = failingTransport(Object.assign(new Error("gone"), { code: "ECONNRESET" }), 9);
    expect(await rejection(gone.call())).to.have.property("message", "gone");
    expect(gone.count()).to.equal(3);
  });

  it("has its errors of token requests thrown as they are", async () => {
    const transport: Transport = () => async () => {
      throw new Error("broken tape");
    };
    const options = { tokenUrl: "https://login.test/token", clientId: "c", clientSecret: "s" };
    const http = clientAt("https://api.test", {
      auth: clientCredentialsHandler(options),
      host: { transport },
    });
    expect(await rejection(http.get("x"))).to.have.property("message", "broken tape");
  });

  it("is made once for a client, and stopped with it", async () => {
    const controller = new AbortController();
    let made = 0;
    const transport: Transport = () => {
      made++;
      return ({ signal }) =>
        new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    };
    const http = clientAt("https://api.test", { host: { transport, signal: controller.signal } });
    const call = rejection(http.get("x"));
    controller.abort(new Error("stopped"));
    expect(await call).to.have.property("message", "stopped");
    expect(made).to.equal(1);
  });
});
