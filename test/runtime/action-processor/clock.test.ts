import { expect } from "chai";
import { ResponseError } from "../../../runtime/client/index.js";
import { succeeded } from "../../../runtime/entries/runtime.js";
import type { ActionState } from "../../../runtime/host/index.js";
import { type Handler, queueAction, run } from "../../support/action-processor.js";
import { type ItemCache, openItemCache, PATH } from "../../support/item-cache.js";
import { all } from "../../support/promises.js";

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
const ACTIONS = [{ object: PATH, action: "create" }];
const succeeds: Handler = async () => succeeded({ id: 1 });
const failsForNow: Handler = async () => {
  throw new ResponseError("busy", 503);
};

describe("a clock that jumps", () => {
  const realNow = Date.now;
  let synced: ItemCache;
  let now: number;
  beforeEach(async () => {
    now = Date.UTC(2026, 5, 1);
    Date.now = () => now;
    synced = await openItemCache();
  });
  afterEach(async () => {
    Date.now = realNow;
    await synced.remove();
  });

  const states = async (): Promise<readonly ActionState[]> =>
    (await all(synced.store.ledger.list())).map(({ state }) => state);

  it("ahead cancels nothing: what waits is performed, in its order", async () => {
    await queueAction(synced.store, { name: "first" });
    now += 1_000;
    await queueAction(synced.store, { name: "second" });
    now += 15 * DAY_MS;
    const names: unknown[] = [];
    const { succeeded: count, cancelled } = await run(synced.store, async (input) => {
      names.push(Reflect.get(input as object, "name"));
      return succeeded({ id: 1 });
    });
    expect({ count, cancelled, names }).to.deep.equal({ count: 2, cancelled: 0, names: ["first", "second"] });
  });

  it("ahead cancels nothing later either, nor what was planned for a time that it has left out", async () => {
    await queueAction(synced.store);
    await run(synced.store, failsForNow);
    now += 15 * DAY_MS;
    await queueAction(synced.store);
    for (let hours = 0; hours < 3; hours++) {
      now += HOUR_MS;
      expect(await synced.store.source.cancelDueBefore(new Date(now - 14 * DAY_MS).toISOString())).to.equal(
        0,
      );
    }
    expect(await states()).to.deep.equal(["queued", "queued"]);
  });

  it("is no reason to keep an action for ever: what waits for 14 days in use is cancelled", async () => {
    await queueAction(synced.store);
    let cancelled = 0;
    for (let days = 1; days <= 15; days++) {
      now += DAY_MS;
      cancelled += await synced.store.source.cancelDueBefore(new Date(now - 14 * DAY_MS).toISOString());
    }
    expect(cancelled).to.equal(1);
  });

  it("back leaves nothing stuck: what was planned while it was ahead is due as soon as it would have been", async () => {
    await queueAction(synced.store);
    now += 15 * DAY_MS;
    await run(synced.store, failsForNow);
    await queueAction(synced.store);
    await synced.store.source.take({ leaseMs: 60_000, actions: ACTIONS });
    now -= 15 * DAY_MS;
    expect((await run(synced.store, succeeds)).succeeded).to.equal(0);
    now += 2 * 60_000;
    expect((await run(synced.store, succeeds)).succeeded).to.equal(2);
    expect(await states()).to.deep.equal(["succeeded", "succeeded"]);
  });

  it("ahead lets no second worker take what a worker holds", async () => {
    await queueAction(synced.store);
    await synced.store.source.take({ leaseMs: 60_000, actions: ACTIONS });
    now += 15 * DAY_MS;
    expect(await synced.store.source.take({ leaseMs: 60_000, actions: ACTIONS })).to.equal(undefined);
    now += 60_001;
    expect((await synced.store.source.take({ leaseMs: 60_000, actions: ACTIONS }))?.attempts).to.equal(2);
  });
});
