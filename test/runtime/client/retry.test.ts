import { expect } from "chai";
import { NetworkError, type RetryOptions } from "../../../runtime/client/index.js";
import {
  answerJson,
  clientAt,
  closeServers,
  deadOrigin,
  fakeClock,
  serve,
  type TestClient,
} from "../../support/loopback.js";
import { rejection } from "../../support/promises.js";

describe("retries", () => {
  afterEach(closeServers);

  /** A client whose time passes by sleeping, with the longest random waits. */
  const clientWithRetry = (origin: string, retry: RetryOptions = {}, more: TestClient = {}) => {
    const clock = fakeClock();
    return { http: clientAt(origin, { retry, clock, random: () => 1, ...more }), clock };
  };

  it("repeat attempts that failed for a transient reason, with delays that double", async () => {
    const server = await serve((_, response, count) => {
      if (count === 1) response.writeHead(503).end();
      else if (count === 2) response.socket?.destroy();
      else if (count === 3) response.writeHead(408).end();
      else answerJson(response, "done");
    });
    const { http, clock } = clientWithRetry(server.origin);
    expect(await http.get("x")).to.include({ result: "done" });
    expect(clock.slept).to.deep.equal([500, 1_000, 2_000]);
  });

  it("wait for a random part of the time, down to none at all", async () => {
    const server = await serve((_, response) => void response.writeHead(500).end());
    const chances = [0, 0.5, 0.25];
    const { http, clock } = clientWithRetry(server.origin, {}, { random: () => chances.shift() ?? 1 });
    await http.get("x");
    expect(clock.slept).to.deep.equal([0, 500, 500]);
  });

  it("give the last answer if all attempts are used up", async () => {
    const server = await serve((_, response) => void response.writeHead(503).end());
    const { http, clock } = clientWithRetry(server.origin, { maxAttempts: 8, maxDelayMs: 3_000 });
    expect(await http.get("x")).to.include({ isSuccessful: false, statusCode: 503 });
    expect(server.requests.length).to.equal(8);
    expect(clock.slept).to.deep.equal([500, 1_000, 2_000, 3_000, 3_000, 3_000, 3_000]);
  });

  it("say how many attempts there were if nobody answers", async () => {
    const { http } = clientWithRetry(await deadOrigin());
    const error = await rejection(http.get("x"));
    expect(error).to.be.instanceOf(NetworkError).with.property("attempts", 4);
    expect(error.message).to.match(/\(ECONNREFUSED\), after 4 attempts\.$/);
  });

  it("wait as long as Retry-After says, in seconds", async () => {
    const server = await serve((_, response, count) => {
      if (count === 1) response.writeHead(429, { "retry-after": "7" }).end();
      else answerJson(response, 1);
    });
    const { http, clock } = clientWithRetry(server.origin);
    expect(await http.get("x")).to.include({ result: 1 });
    expect(clock.slept).to.deep.equal([7_000]);
  });

  it("wait until the date that Retry-After names, and not at all for one that is past", async () => {
    const start = Date.UTC(2026, 0, 1);
    const server = await serve((_, response, count) => {
      const date = new Date(start + (count === 1 ? 9_000 : -9_000)).toUTCString();
      if (count < 3) response.writeHead(429, { "retry-after": date }).end();
      else answerJson(response, 1);
    });
    const { http, clock } = clientWithRetry(server.origin);
    expect(await http.get("x")).to.include({ result: 1 });
    expect(clock.slept).to.deep.equal([9_000, 0]);
  });

  it("do not wait for a Retry-After beyond the bound, and take no notice of one that is none", async () => {
    const server = await serve((request, response) => {
      response.writeHead(429, { "retry-after": request.path === "/long" ? "61" : "soon" }).end();
    });
    const { http, clock } = clientWithRetry(server.origin);
    expect(await http.get("long")).to.include({ statusCode: 429 });
    expect(clock.slept).to.deep.equal([]);
    clock.pass(61_000);
    await http.get("soon");
    expect(clock.slept).to.deep.equal([500, 1_000, 2_000]);
  });

  it("end before the total time is over", async () => {
    const server = await serve((_, response) => void response.writeHead(503, { "retry-after": "40" }).end());
    const { http, clock } = clientWithRetry(server.origin, { maxAttempts: 100, totalMs: 100_000 });
    expect(await http.get("x")).to.include({ statusCode: 503 });
    expect(clock.slept).to.deep.equal([40_000, 40_000]);
  });

  it("wait for exactly what they may, and not up to the very end of the total time", async () => {
    const server = await serve((_, response) => void response.writeHead(503, { "retry-after": "40" }).end());
    const sleptWith = async (retry: RetryOptions) => {
      const { http, clock } = clientWithRetry(server.origin, { maxAttempts: 3, ...retry });
      expect(await http.get("x")).to.include({ statusCode: 503 });
      return clock.slept;
    };
    // The last try has one millisecond of real time: whether that is enough is for the machine to say.
    const { http, clock } = clientWithRetry(server.origin, { maxAttempts: 3, totalMs: 80_001 });
    await http.get("x").catch(() => undefined);
    expect(clock.slept).to.deep.equal([40_000, 40_000]);
    expect(await sleptWith({ maxRetryAfterMs: 40_000 })).to.deep.equal([40_000, 40_000]);
    expect(await sleptWith({ maxRetryAfterMs: 39_999 })).to.deep.equal([]);
    expect(await sleptWith({ totalMs: 80_000 })).to.deep.equal([40_000]);
    expect(await sleptWith({ totalMs: 85_000 })).to.deep.equal([40_000, 40_000]);
    expect(await sleptWith({ maxAttempts: 1 })).to.deep.equal([]);
  });

  it("end a try that runs on when the total time is over", async () => {
    const server = await serve(() => undefined);
    const error = await rejection(clientAt(server.origin, { retry: { totalMs: 60 } }).get("x"));
    expect(error).to.be.instanceOf(NetworkError).with.property("code", "ETIMEDOUT");
    expect(error.message).to.include("all its attempts together took too long");
  });

  it("are for methods that may be repeated, unless the call says otherwise", async () => {
    const server = await serve((_, response) => void response.writeHead(503).end());
    const { http } = clientWithRetry(server.origin, { maxAttempts: 2 });
    const tries = async (call: Promise<unknown>) => {
      const before = server.requests.length;
      await call;
      return server.requests.length - before;
    };
    expect(await tries(http.get("x"))).to.equal(2);
    expect(await tries(http.put("x", { json: 1 }))).to.equal(2);
    expect(await tries(http.delete("x"))).to.equal(2);
    expect(await tries(http.post("x", { json: 1 }))).to.equal(1);
    expect(await tries(http.patch("x", { json: 1 }))).to.equal(1);
    expect(await tries(http.post("x", { json: 1, isIdempotent: true }))).to.equal(2);
    expect(await tries(http.get("x", { isIdempotent: false }))).to.equal(1);
  });

  it("are not for a body that is a stream", async () => {
    const server = await serve((_, response) => void response.writeHead(503).end());
    async function* body() {
      yield new TextEncoder().encode("a");
    }
    await clientWithRetry(server.origin).http.put("x", { body: body() });
    expect(server.requests.length).to.equal(1);
  });

  it("are not for other statuses, and can be for those that a connector names", async () => {
    const server = await serve((_, response) => void response.writeHead(404).end());
    await clientWithRetry(server.origin).http.get("x");
    expect(server.requests.length).to.equal(1);
    await clientWithRetry(server.origin, {
      maxAttempts: 3,
      isRetryableStatus: (status) => status === 404,
    }).http.get("x");
    expect(server.requests.length).to.equal(4);
  });

  it("stop waiting when the signal is aborted", async () => {
    const server = await serve((_, response) => void response.writeHead(503, { "retry-after": "50" }).end());
    const call = clientAt(server.origin, { retry: {} }).get("x", { signal: AbortSignal.timeout(50) });
    expect((await rejection(call)).name).to.equal("TimeoutError");
  });

  it("get through a storm of 503 with 200 calls at once, each in a bounded number of attempts", async () => {
    let up = false;
    const server = await serve((_, response) => {
      if (up) answerJson(response, 1);
      else response.writeHead(503).end();
    });
    const http = clientAt(server.origin, { retry: { firstDelayMs: 40, maxAttempts: 5 } });
    setTimeout(() => {
      up = true;
    }, 30);
    const statuses = await Promise.all(Array.from({ length: 200 }, () => http.get("x")));
    expect(statuses.filter(({ isSuccessful }) => isSuccessful).length).to.be.above(150);
    expect(server.requests.length).to.be.at.most(1_000);
  });

  it("retry a stream until its answer begins", async () => {
    const server = await serve(
      (_, response, count) => void response.writeHead(count === 1 ? 503 : 200).end("abc"),
    );
    const { http } = clientWithRetry(server.origin);
    expect((await http.stream("x")).statusCode).to.equal(200);
  });
});
