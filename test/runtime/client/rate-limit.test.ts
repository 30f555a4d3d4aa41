import { expect } from "chai";
import fc from "fast-check";
import { rateLimitMiddleware } from "../../../runtime/client/rate-limit.js";
import { answerJson, clientAt, closeServers, fakeClock, serve } from "../../support/loopback.js";
import { rejection } from "../../support/promises.js";
import { runs } from "../../support/repository.js";

describe("the rate budget", () => {
  afterEach(closeServers);

  it("lets no more requests start in any window, repeated attempts included", async () => {
    const server = await serve((_, response, count) => {
      if (count % 2 === 1) response.writeHead(503).end();
      else answerJson(response, count);
    });
    const starts: number[] = [];
    const http = clientAt(server.origin, {
      rateBudget: { requests: 5, windowMs: 500 },
      retry: { firstDelayMs: 0 },
      hooks: { onRequest: () => void starts.push(Date.now()) },
    });
    await Promise.all(Array.from({ length: 10 }, () => http.get("x")));
    expect(starts.length).to.be.at.least(15).and.to.equal(server.requests.length);
    const windows = starts.slice(5).map((start, index) => start - (starts[index] ?? 0));
    // The hook looks at the clock later than the budget, on a busy machine much later.
    expect(Math.min(...windows)).to.be.above(300);
  });

  it("is kept by any requests at any times, and makes nobody wait without need", async () => {
    const send = {
      url: "",
      statusCode: 200,
      headers: {},
      body: new Uint8Array(),
      isTooLarge: false,
      close: () => {},
    };
    const request = { purpose: "call", method: "GET", url: "", headers: {} } as const;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(30), { maxLength: 60 }),
        fc.integer({ min: 1, max: 5 }),
        async (gaps, count) => {
          const clock = fakeClock();
          const handler = rateLimitMiddleware({ requests: count, windowMs: 50 }, clock);
          const starts: number[] = [];
          for (const gap of gaps) {
            clock.pass(gap);
            const asked = clock.now();
            await handler(request, async () => send);
            const allowed = starts.length < count ? asked : (starts[starts.length - count] ?? 0) + 50;
            expect(clock.now()).to.equal(Math.max(asked, allowed));
            starts.push(clock.now());
          }
        },
      ),
      { numRuns: runs(100) },
    );
  });

  it("does not make a call wait beyond its total time", async () => {
    const server = await serve((_, response) => answerJson(response, 1));
    const rateBudget = { requests: 1, windowMs: 60_000 };
    const http = clientAt(server.origin, { rateBudget, retry: { totalMs: 50, maxAttempts: 1 } });
    await http.get("x");
    expect(await rejection(http.get("x"))).to.include({ name: "NetworkError", code: "ETIMEDOUT" });
    expect(server.requests.length).to.equal(1);
  });

  it("ends waiting with the signal", async () => {
    const server = await serve((_, response) => answerJson(response, 1));
    const http = clientAt(server.origin, { rateBudget: { requests: 1, windowMs: 60_000 } });
    await http.get("x");
    expect((await rejection(http.get("x", { signal: AbortSignal.timeout(30) }))).name).to.equal(
      "TimeoutError",
    );
    expect(server.requests.length).to.equal(1);
  });
});
