import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { sharedTurnsMiddleware } from "../../../runtime/client/shared-turns.js";
import type { Clock, SharedTurns } from "../../../runtime/entries/runtime.js";
import { openPostgres, type PostgresStores } from "../../../runtime/store/postgres/open-store.js";
import { answerJson, clientAt, closeServers, serve } from "../../support/loopback.js";
import { type TestDatabase, testDatabase } from "../../support/postgres.js";

const BUDGET = { requests: 10, windowMs: 200 };

describe("the turns that processes on a database share", function () {
  this.timeout(60_000);
  let server: TestDatabase | undefined;
  /** As two processes have them. */
  let processes: readonly PostgresStores[] = [];
  let targets = 0;
  let target: string;

  before(async function () {
    server = await testDatabase();
    if (server === undefined) return this.skip();
    const { url } = server;
    processes = [await openPostgres({ url }), await openPostgres({ url })];
  });
  after(async () => {
    for (const stores of processes) await stores.close();
    await server?.remove();
  });
  beforeEach(() => {
    target = `target ${++targets}`;
  });
  afterEach(closeServers);

  const turnsOf = () => processes.map((stores) => stores.turns(target));

  /** Clients in all processes ask for `each` answers; the times at which their requests started. */
  async function starts(
    turns: readonly SharedTurns[],
    each: number,
    clock?: Clock,
  ): Promise<readonly number[]> {
    const times: number[] = [];
    const origin = await serve((_, response) => answerJson(response, {}));
    const clients = turns.map((shared) =>
      clientAt(origin.origin, {
        rateBudget: BUDGET,
        hooks: { onRequest: () => void times.push(performance.now()) },
        ...(clock && { clock }),
        host: { turns: shared },
      }),
    );
    await Promise.all(clients.flatMap((http) => Array.from({ length: each }, () => http.get("x"))));
    return times.sort((left, right) => left - right);
  }

  const shortestWindow = (times: readonly number[]) =>
    Math.min(...times.slice(BUDGET.requests).map((time, index) => time - (times[index] ?? 0)));

  it("let no more requests start in any window than the budget has, all together", async () => {
    const times = await starts(turnsOf(), 20);
    expect(times).to.have.length(40);
    expect(shortestWindow(times)).to.be.at.least(BUDGET.windowMs);
  });

  it("go by the server's clock: that of a worker may be set ahead and back", async () => {
    let sleeps = 0;
    const offsets = [0, 3_600_000, -3_600_000];
    const jumping: Clock = {
      now: () => Date.now() + (offsets[Math.floor(sleeps / 4) % 3] ?? 0),
      sleep: async (ms) => {
        await sleep(ms);
        sleeps++;
      },
    };
    const request = { method: "GET", url: "http://target.test/", headers: {}, purpose: "call" } as const;
    const times: number[] = [];
    const calls = turnsOf().flatMap((turns, index) => {
      const options = { rateBudget: BUDGET, ...(index === 0 && { clock: jumping }) };
      const middleware = sharedTurnsMiddleware(turns, options);
      return Array.from({ length: 15 }, () =>
        middleware(request as never, async () => {
          times.push(performance.now());
          return { url: request.url, statusCode: 200, headers: {}, body: new Uint8Array(), close: () => {} };
        }),
      );
    });
    await Promise.all(calls);
    expect(sleeps).to.be.greaterThan(8);
    expect(times).to.have.length(30);
    expect(shortestWindow(times.sort((left, right) => left - right))).to.be.at.least(BUDGET.windowMs);
  });

  it("are taken anew where a process stood still while its turn passed", async () => {
    const [turns] = turnsOf();
    if (turns === undefined) throw new Error("no server");
    let taken = 0;
    const counted: SharedTurns = {
      take: (budget) => {
        taken++;
        return turns.take(budget);
      },
      pause: turns.pause,
    };
    let isLate = true;
    const clock: Clock = {
      now: () => Date.now(),
      // As a process that was stopped wakes: long behind its time.
      sleep: async (ms) => {
        await sleep(isLate ? ms + 500 : ms);
        isLate = false;
      },
    };
    // The first one has its turn at once, the second one has to wait, and is late.
    await starts([counted], 2, clock);
    // A machine that is busy is late by itself, too.
    expect(taken).to.be.at.least(3);
  });

  it("stand still for all where the target system asks one of them to wait", async () => {
    const [mine, theirs] = turnsOf();
    if (mine === undefined || theirs === undefined) throw new Error("no server");
    const { origin } = await serve((_, response) => {
      response.setHeader("retry-after", "60");
      answerJson(response, {}, 429);
    });
    const refused = await clientAt(origin, { retry: { maxAttempts: 1 }, host: { turns: mine } }).get("x");
    expect(refused.statusCode).to.equal(429);
    for (const budget of [BUDGET, undefined]) {
      const { waitMs } = await theirs.take(budget);
      expect(waitMs).to.be.within(50_000, 61_000);
    }
    let calls = 0;
    const other = await serve((_, response) => {
      calls++;
      answerJson(response, {});
    });
    const impatient = clientAt(other.origin, {
      retry: { maxAttempts: 1, maxRetryAfterMs: 1_000 },
      host: { turns: theirs },
    });
    const answer = await impatient.get("x");
    expect([answer.statusCode, calls]).to.deep.equal([429, 0]);
    expect(Number(answer.headers["retry-after"])).to.be.within(50, 61);
  });

  it("of other targets are others", async () => {
    const [mine] = turnsOf();
    await mine?.pause(60_000);
    const { waitMs } = (await processes[0]?.turns("elsewhere").take(BUDGET)) ?? { waitMs: Number.NaN };
    expect(waitMs).to.be.below(1_000);
  });

  it("come back soon where the server's clock was set back", async () => {
    const [mine] = turnsOf();
    await mine?.take(BUDGET);
    const store = processes[0];
    expect(store).to.not.equal(undefined);
    const { default: pg } = await import("pg");
    const client = new pg.Client({ connectionString: server?.url });
    await client.connect();
    await client.query("UPDATE connectorcli.rate_limits SET next_at = now() + interval '1 day'");
    await client.end();
    expect((await mine?.take(BUDGET))?.waitMs).to.be.below(1_000);
  });
});
