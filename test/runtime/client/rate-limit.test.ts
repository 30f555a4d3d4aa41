import { expect } from "chai";
import fc from "fast-check";
import type { ClientHooks, Clock, Transport } from "../../../runtime/client/index.js";
import { rateLimitMiddleware } from "../../../runtime/client/rate-limit.js";
import {
  answerJson,
  clientAt,
  closeServers,
  fakeClock,
  serve,
  type TestClient,
} from "../../support/loopback.js";
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
          const handler = rateLimitMiddleware({ requests: count, windowMs: 50 }, { clock });
          const starts: number[] = [];
          for (const gap of gaps) {
            clock.pass(gap);
            const asked = clock.now();
            await handler(request, async () => send);
            // A hundredth of a window is left to the network.
            const allowed = starts.length < count ? asked : (starts[starts.length - count] ?? 0) + 50.5;
            expect(clock.now()).to.equal(Math.max(asked, allowed));
            starts.push(clock.now());
          }
        },
      ),
      { numRuns: runs(100) },
    );
  });

  it("is kept where the target system counts, though the first requests take long to arrive", async () => {
    const clock = sharedClock();
    const arrivals: number[] = [];
    let count = 0;
    const transport: Transport =
      () =>
      async ({ url }) => {
        // The first connections have to be opened.
        await clock.sleep(count++ < 5 ? 40 : 1);
        arrivals.push(clock.now());
        return { url, statusCode: 200, headers: {}, body: new TextEncoder().encode("1"), close: () => {} };
      };
    const rateBudget = { requests: 5, windowMs: 1_000 };
    const http = clientAt("http://target.test", { rateBudget, clock, host: { transport } });
    await Promise.all(Array.from({ length: 30 }, () => http.get("x")));
    const windows = arrivals.slice(5).map((at, index) => at - (arrivals[index] ?? 0));
    expect(Math.min(...windows)).to.be.at.least(1_000);
  });

  it("loses next to nothing of its windows to answers that take long", async () => {
    const clock = sharedClock();
    const starts: number[] = [];
    const transport: Transport =
      () =>
      async ({ url }) => {
        starts.push(clock.now());
        await clock.sleep(700);
        return { url, statusCode: 200, headers: {}, body: new TextEncoder().encode("1"), close: () => {} };
      };
    const rateBudget = { requests: 5, windowMs: 400 };
    const http = clientAt("http://target.test", { rateBudget, clock, host: { transport } });
    await Promise.all(Array.from({ length: 10 }, () => http.get("x")));
    expect(starts.slice(5).map((start, index) => start - (starts[index] ?? 0))).to.deep.equal([
      404, 404, 404, 404, 404,
    ]);
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

describe("an answer 429", () => {
  afterEach(closeServers);

  /** A server that says `retry-after` to its third request, and when the client sent its requests. */
  async function limited(retryAfter: string, policy: TestClient = {}) {
    const clock = sharedClock(1_000);
    const asked: number[] = [];
    let told = 0;
    const hooks: ClientHooks = {
      onRequest: () => void asked.push(clock.now()),
      onResponse: ({ statusCode }) => {
        if (statusCode === 429) told = clock.now();
      },
    };
    const { origin } = await serve((_, response, count) => {
      if (count === 3) response.setHeader("retry-after", retryAfter);
      answerJson(response, { error: count === 3 ? "slow down" : "" }, count === 3 ? 429 : 200);
    });
    const http = clientAt(origin, { clock, hooks, retry: {}, ...policy });
    return { http, asked, clock, told: () => told };
  }

  for (const [words, policy] of [
    ["without a budget", {}],
    ["with a budget of two in a second", { rateBudget: { requests: 2, windowMs: 1_000 } }],
  ] as const) {
    it(`pauses all calls of a client ${words} until its Retry-After, and none is sent before`, async () => {
      const { http, asked, told } = await limited("30", policy);
      for (const path of ["a", "b"]) await http.get(path);
      const first = http.get("c");
      const others = Array.from({ length: 4 }, async (_, index) => {
        while (told() === 0) await new Promise(setImmediate);
        return http.post(`d${index}`, { json: {} });
      });
      const answers = await Promise.all([first, ...others]);
      expect(answers.map(({ statusCode }) => statusCode)).to.deep.equal([200, 200, 200, 200, 200]);
      const later = asked.slice(3);
      expect(later).to.have.lengthOf(5);
      expect(Math.min(...later)).to.equal(told() + 30_000);
      const { requests, windowMs } = "rateBudget" in policy ? policy.rateBudget : NO_LIMIT;
      const windows = later.slice(requests).map((at, index) => at - (later[index] ?? 0));
      expect(windows.every((length) => length >= windowMs)).to.equal(true);
    });
  }

  it("is the answer to all calls in a pause that nobody waits for, without one being sent", async () => {
    const { http, asked, clock } = await limited("120");
    for (const path of ["a", "b", "c"]) await http.get(path);
    await clock.sleep(10_500);
    const refused = await http.get("d");
    expect(refused).to.include({ statusCode: 429, isSuccessful: false });
    expect(refused.headers["retry-after"]).to.equal("110");
    expect(refused.errorMessage).to.match(/\/d answered 429 Too Many Requests: slow down/);
    expect((await http.stream("e")).statusCode).to.equal(429);
    expect(asked).to.have.lengthOf(3);
    await clock.sleep(60_000);
    expect(await http.get("f")).to.include({ isSuccessful: true });
    expect(asked.at(-1)).to.equal((asked[2] ?? 0) + 120_000);
  });

  it("is the answer to a call that has less time left than the pause", async () => {
    const { http, asked, clock } = await limited("30", { retry: { totalMs: 20_000 } });
    for (const path of ["a", "b", "c"]) await http.get(path);
    const before = clock.now();
    expect(await http.get("d")).to.include({ statusCode: 429 });
    expect(clock.now()).to.equal(before);
    expect(asked).to.have.lengthOf(3);
  });

  it("says nothing of other calls if it names no time, or comes from a server that gives out tokens", async () => {
    const { http, asked, clock } = await limited("soon", { retry: { maxAttempts: 1 } });
    for (const path of ["a", "b", "c", "d"]) await http.get(path);
    expect(clock.now()).to.equal(1_000);
    expect(asked).to.have.lengthOf(4);
    const handler = rateLimitMiddleware(undefined, { clock });
    const answer = {
      ...{ url: "", statusCode: 429, headers: { "retry-after": "30" } },
      ...{ body: new Uint8Array(), close: () => {} },
    };
    const call = { purpose: "call", method: "GET", url: "", headers: {} } as const;
    for (const other of [
      { ...call, purpose: "token" as const },
      { ...call, isForeign: true },
    ])
      await handler(other, async () => answer);
    await handler(call, async () => answer);
    expect(clock.now()).to.equal(1_000);
  });
});

const NO_LIMIT = { requests: 1, windowMs: 0 };

/**
 * Time that all who sleep share: the next one wakes as soon as nobody has anything to do. Whoever is to wake in the
 * second half of a second wakes late, all others in time.
 */
function sharedClock(start = 0): Clock {
  let now = start;
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
