import { expect } from "chai";
import fc from "fast-check";
import type { Clock, Transport } from "../../../runtime/client/index.js";
import { rateLimitMiddleware } from "../../../runtime/client/rate-limit.js";
import { answerJson, clientAt, closeServers, fakeClock, serve } from "../../support/loopback.js";
import { rejection } from "../../support/promises.js";
import { runs } from "../../support/repository.js";

describe("the rate budget", () => {
  afterEach(closeServers);

  it("lets no more requests start in any window, repeated attempts included, however late a process wakes", async () => {
    const clock = sharedClock();
    let count = 0;
    // Every other answer asks for another attempt; there is no network that would take time of its own.
    const transport: Transport =
      () =>
      async ({ url }) => ({
        ...{ url, statusCode: ++count % 2 === 1 ? 503 : 200, headers: {} },
        ...{ body: new TextEncoder().encode("1"), close: () => {} },
      });
    const starts: number[] = [];
    const http = clientAt("http://target.test", {
      rateBudget: { requests: 5, windowMs: 500 },
      retry: { firstDelayMs: 0 },
      hooks: { onRequest: () => void starts.push(clock.now()) },
      clock,
      host: { transport },
    });
    await Promise.all(Array.from({ length: 10 }, () => http.get("x")));
    expect(starts.length).to.be.at.least(15).and.to.equal(count);
    const windows = starts.slice(5).map((start, index) => start - (starts[index] ?? 0));
    expect(Math.min(...windows)).to.be.at.least(500);
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
    let count = 0;
    const transport: Transport =
      () =>
      async ({ url }) => {
        count++;
        return { url, statusCode: 200, headers: {}, body: new Uint8Array(), close: () => {} };
      };
    const clock = fakeClock();
    const rateBudget = { requests: 1, windowMs: 60_000 };
    const retry = { totalMs: 50, maxAttempts: 1 };
    const http = clientAt("http://target.test", { rateBudget, retry, clock, host: { transport } });
    await http.get("x");
    expect(await rejection(http.get("x"))).to.include({ name: "NetworkError", code: "ETIMEDOUT" });
    expect(clock.slept).to.deep.equal([50]);
    expect(count).to.equal(1);
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

/**
 * Time that all who sleep share: the next one wakes as soon as nobody has anything to do. Whoever is to wake in the
 * second half of a second wakes late, all others in time.
 */
function sharedClock(): Clock {
  let now = 0;
  const sleepers: { readonly until: number; readonly wake: () => void }[] = [];
  const wakeNext = () => {
    sleepers.sort((one, other) => one.until - other.until);
    const next = sleepers.shift();
    now = Math.max(now, next?.until ?? now);
    next?.wake();
  };
  return {
    now: () => now,
    sleep: (milliseconds) =>
      new Promise((wake) => {
        const due = now + milliseconds;
        sleepers.push({ until: due + (due % 1_000 >= 500 ? 300 : 0), wake });
        setImmediate(wakeNext);
      }),
  };
}
