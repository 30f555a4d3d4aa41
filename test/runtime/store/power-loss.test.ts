import { expect } from "chai";
import { idempotencyOf } from "../../../runtime/action-processor/idempotency.js";
import type { Store } from "../../../runtime/host/index.js";
import { openSqliteStore } from "../../../runtime/store/sqlite/open-store.js";
import { queueAction } from "../../support/action-processor.js";
import { type ItemCache, item, openItemCache, PATH } from "../../support/item-cache.js";
import { PowerCut } from "../../support/power-cut.js";
import { all } from "../../support/promises.js";

const ACTIONS = [{ object: PATH, action: "create" }];

describe("a loss of power", () => {
  let synced: ItemCache;
  let power: PowerCut;
  let store: Store | undefined;
  beforeEach(async () => {
    synced = await openItemCache();
    power = new PowerCut(synced.file);
  });
  afterEach(async () => {
    power.remove();
    await store?.close();
    await synced.remove();
  });

  /** The store as it is when the power is back. */
  const afterwards = async (): Promise<Store> => {
    power.remove();
    store = await openSqliteStore({ file: power.fileAfterwards });
    return store;
  };

  const take = async (from: Store) => {
    const taken = await from.source.take({ leaseMs: 60_000, actions: ACTIONS });
    if (taken === undefined) throw new Error("there is nothing to take");
    return taken;
  };

  it("takes away no action of which was said that it is queued", async () => {
    const action = await queueAction(synced.store);
    expect(await (await afterwards()).ledger.get(action.id)).to.deep.equal(action);
  });

  it("takes away no attempt and no note of a handler: the target system is asked with the same key again", async () => {
    await queueAction(synced.store);
    const taken = await take(synced.store);
    const before = idempotencyOf(synced.store, taken);
    await before.note("sent", "order 7");
    const entry = await (await afterwards()).ledger.get(taken.id);
    if (entry === undefined) throw new Error("the action is gone");
    expect(entry).to.include({ state: "taken", attempts: 1 });
    const after = idempotencyOf(synced.store, { ...entry, token: "of another worker" });
    expect([after.key, after.previous]).to.deep.equal([before.key, { stage: "sent", detail: "order 7" }]);
  });

  it("takes away no outcome, and none of its changes of the cache", async () => {
    await queueAction(synced.store);
    const record = { ...item(1) };
    const write = { operation: "upsert", key: "id/a/1", hash: "h", record, alternateKeys: [] } as const;
    await synced.store.ledger.close(await take(synced.store), {
      ...{ state: "succeeded", resultJson: '{"id":1}' },
      changes: [{ object: PATH, records: [write] }],
    });
    const back = await afterwards();
    expect((await back.ledger.get(1))?.state).to.equal("succeeded");
    expect((await back.records.get(PATH, "id/a/1"))?.record).to.deep.equal(record);
  });

  it("takes away no decision about an action: cancelled, queued again, given back, planned for later", async () => {
    const states = async (from: Store) => (await all(from.ledger.list())).map(({ state }) => state);
    for (const settle of [
      () => synced.store.source.cancel(1),
      async () => synced.store.source.giveBack(await take(synced.store)),
      async () =>
        synced.store.source.retry(await take(synced.store), {
          dueAt: "2126-01-01T00:00:00.000Z",
          failureJson: "{}",
        }),
    ]) {
      await queueAction(synced.store);
      await settle();
    }
    const before = await states(synced.store);
    expect(await states(await afterwards())).to.deep.equal(before);
  });

  it("takes away no change that a follower of the feed has seen: a number is given once", async () => {
    let seen = 0;
    await synced.full(
      Array.from({ length: 12 }, (_, id) => item(id)),
      {
        onProgress: async () => {
          seen = await synced.store.changes.last();
        },
      },
    );
    const back = await afterwards();
    expect(seen).to.equal(12);
    expect(await back.changes.last()).to.equal(seen);
    expect(await all(back.changes.since(0))).to.deep.equal(await all(synced.store.changes.since(0)));
  });
});
