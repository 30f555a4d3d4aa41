import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import fc from "fast-check";
import { ResponseError } from "../../../runtime/client/index.js";
import { failed, succeeded } from "../../../runtime/entries/runtime.js";
import { type Handler, queueAction, run } from "../../support/action-processor.js";
import { type ItemCache, item, openItemCache } from "../../support/item-cache.js";
import { all, failure } from "../../support/promises.js";
import { runs, SLOW_TEST_MS } from "../../support/repository.js";

/** What a handler is to do. */
interface Plan {
  readonly ms: number;
  readonly end: "succeeds" | "fails" | "throws" | "is retried";
}

/** Handlers that do as planned, and what was seen of them. */
class PlannedHandlers {
  /** Plans in the order of first calls. */
  readonly calls: number[] = [];
  most = 0;
  running = 0;
  readonly #plans: readonly Plan[];

  constructor(plans: readonly Plan[]) {
    this.#plans = plans;
  }

  readonly handler: Handler = async (input) => {
    const index = Number(Reflect.get(input as object, "name"));
    const isRetried = this.calls.includes(index);
    this.calls.push(index);
    this.running++;
    this.most = Math.max(this.most, this.running);
    const { ms, end } = this.#plans[index] ?? { ms: 0, end: "succeeds" };
    await sleep(ms);
    this.running--;
    if (end === "fails") return failed({ code: "taken" });
    if (end === "throws") throw new TypeError("x is undefined");
    if (end === "is retried" && !isRetried) throw new ResponseError("busy", 503);
    const record = item(index, { name: `n${index}` });
    return succeeded({ id: index }, [{ dataObject: "Item", operation: "upsert", record }]);
  };
}

describe("the action processor, performing several actions at the same time,", () => {
  let synced: ItemCache;
  beforeEach(async () => {
    synced = await openItemCache();
  });
  afterEach(() => synced.remove());

  async function queueAll(plans: readonly unknown[]): Promise<void> {
    for (const index of plans.keys()) await queueAction(synced.store, { name: String(index) });
  }

  it("never performs more than it may, begins in the order in which they wait, and ends each as it ends alone", async function () {
    this.timeout(SLOW_TEST_MS);
    const plan = fc.record<Plan>({
      ms: fc.nat(8),
      end: fc.constantFrom("succeeds", "succeeds", "fails", "throws", "is retried"),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.array(plan, { maxLength: 12 }),
        async (concurrency, plans) => {
          const fresh = await openItemCache();
          for (const index of plans.keys()) await queueAction(fresh.store, { name: String(index) });
          const handlers = new PlannedHandlers(plans);
          const retry = { firstDelayMs: 60_000, random: () => 0 };
          const result = await run(fresh.store, handlers.handler, { concurrency, retry });
          expect(handlers.calls, "calls, in the order of their beginning").to.deep.equal([...plans.keys()]);
          expect(handlers.most).to.be.at.most(concurrency);
          const plansThatEnd = (end: Plan["end"]) => plans.filter((plan) => plan.end === end).length;
          expect(result).to.include({
            succeeded: plansThatEnd("succeeds"),
            failed: plansThatEnd("fails"),
            dead: plansThatEnd("throws"),
            retry: plansThatEnd("is retried"),
          });
          expect(result).to.include({ lost: 0, stopped: 0 });
          const keys = plans.flatMap(({ end }, index) => (end === "succeeds" ? [`id/a/${index}`] : []));
          expect(Object.keys(await fresh.contents()).sort()).to.deep.equal(keys.sort());
          await fresh.remove();
        },
      ),
      { numRuns: runs(25) },
    );
  });

  it("performs as many as it may, and no more", async () => {
    const plans = Array.from({ length: 9 }, () => ({ ms: 40, end: "succeeds" }) as const);
    await queueAll(plans);
    const handlers = new PlannedHandlers(plans);
    expect(await run(synced.store, handlers.handler, { concurrency: 4 })).to.include({ succeeded: 9 });
    expect(handlers.most).to.equal(4);
  });

  it("performs one after the other unless it is told otherwise", async () => {
    const plans = Array.from({ length: 4 }, () => ({ ms: 5, end: "succeeds" }) as const);
    await queueAll(plans);
    const handlers = new PlannedHandlers(plans);
    await run(synced.store, handlers.handler);
    expect(handlers.most).to.equal(1);
  });

  it("takes the next action as soon as one has ended, however long the others take", async () => {
    await queueAll([1, 2, 3, 4, 5, 6]);
    const others = new AbortController();
    let ended = 0;
    const handler: Handler = async (input) => {
      if (Reflect.get(input as object, "name") === "0") await waitForAbort(others.signal);
      else if (++ended === 5) others.abort();
      return succeeded({ id: 1 });
    };
    const { attempts } = await run(synced.store, handler, { concurrency: 2 });
    expect(attempts.map(({ id }) => id)).to.deep.equal([2, 3, 4, 5, 6, 1]);
  });

  it("tries a failed action again while others are under way", async () => {
    await queueAll([1, 2]);
    const other = new AbortController();
    const controller = new AbortController();
    let calls = 0;
    const handler: Handler = async (input) => {
      if (Reflect.get(input as object, "name") === "0") await waitForAbort(other.signal);
      else if (++calls === 1) throw new ResponseError("busy", 503);
      else other.abort();
      return succeeded({ id: 1 });
    };
    const ended: object[] = [];
    await run(synced.store, handler, {
      ...{ concurrency: 2, pollMs: 2, signal: controller.signal },
      onAttempt: ({ id, outcome }) => {
        ended.push({ id, outcome });
        if (id === 1) controller.abort();
      },
    });
    expect(ended).to.deep.equal([
      { id: 2, outcome: "retry" },
      { id: 2, outcome: "succeeded" },
      { id: 1, outcome: "succeeded" },
    ]);
  });

  it("holds a lease of its own for each, and extends it", async () => {
    const plans = Array.from({ length: 6 }, () => ({ ms: 600, end: "succeeds" }) as const);
    await queueAll(plans);
    const handlers = new PlannedHandlers(plans);
    const options = { concurrency: 3, leaseMs: 200 };
    const [first, second] = await Promise.all([
      run(synced.store, handlers.handler, options),
      run(synced.store, handlers.handler, options),
    ]);
    expect(first.succeeded + second.succeeded).to.equal(6);
    expect([first.lost, second.lost]).to.deep.equal([0, 0]);
    expect(handlers.calls).to.have.length(6);
    expect(handlers.most).to.be.at.most(6);
  });

  it("takes no more when it is stopped, and waits for those that are under way", async () => {
    const plans = Array.from({ length: 6 }, () => ({ ms: 40, end: "succeeds" }) as const);
    await queueAll(plans);
    const handlers = new PlannedHandlers(plans);
    const controller = new AbortController();
    const running = run(synced.store, handlers.handler, {
      concurrency: 2,
      signal: controller.signal,
      pollMs: 5,
    });
    while (handlers.running < 2) await sleep(1);
    controller.abort();
    expect(await running).to.include({ succeeded: 2 });
    expect([handlers.running, handlers.calls.length]).to.deep.equal([0, 2]);
    expect(await all(synced.store.ledger.list("queued"))).to.have.length(4);
    expect(await all(synced.store.ledger.list("taken"))).to.deep.equal([]);
  });

  it("gives back each action whose handler ends because it was stopped", async () => {
    await queueAll([1, 2, 3]);
    const controller = new AbortController();
    let running = 0;
    const handler: Handler = async (_, { signal }) => {
      if (++running === 2) controller.abort();
      await sleep(60_000, undefined, { signal });
      return succeeded({ id: 1 });
    };
    expect(await run(synced.store, handler, { concurrency: 2, signal: controller.signal })).to.include({
      ...{ stopped: 2, succeeded: 0 },
    });
    const entries = await all(synced.store.ledger.list());
    expect(entries.map(({ state, attempts }) => [state, attempts])).to.deep.equal([
      ["queued", 0],
      ["queued", 0],
      ["queued", 0],
    ]);
  });

  it("tells all handlers to stop when the store can't go on, and says why once they have ended", async () => {
    await queueAll([1, 2, 3]);
    let stopped = 0;
    const handler: Handler = async (input, { signal }) => {
      if (Reflect.get(input as object, "name") === "1") {
        await sleep(20);
        await synced.store.close();
        return succeeded({ id: 1 });
      }
      await sleep(60_000, undefined, { signal }).catch(() => stopped++);
      throw signal.reason;
    };
    const error = await failure(run(synced.store, handler, { concurrency: 3 }));
    expect(error).to.include({ problem: "unavailable" });
    expect(stopped).to.equal(2);
  });

  it("performs at most 100 at a time, and at least one", async () => {
    for (const concurrency of [0, -1, 1.5, 101, Number.NaN, Infinity]) {
      const error = await failure(run(synced.store, async () => succeeded({ id: 1 }), { concurrency }));
      expect(error, String(concurrency)).to.be.instanceOf(RangeError);
      expect((error as Error).message).to.equal("concurrency: expected a whole number from 1 to 100");
    }
  });
});

async function waitForAbort(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await sleep(1);
}
