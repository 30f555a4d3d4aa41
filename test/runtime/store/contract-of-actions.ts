/** What every store does with actions; a part of the contract suite. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import type { TakenAction } from "../../../runtime/store/queue.js";
import type { Store } from "../../../runtime/store/store.js";
import { StoreError } from "../../../runtime/store/store-error.js";
import { all, failure } from "../../support/items.js";

const PATH = "tests/app/1/item";
const ACTIONS = [{ object: PATH, action: "create" }];

export function actionsContract(current: () => Store): void {
  const add = (action = "create", input: unknown = { a: 1 }) =>
    current().queue.add({ object: PATH, action, input });

  async function take(leaseMs = 60_000): Promise<TakenAction> {
    const taken = await current().queue.take({ leaseMs, actions: ACTIONS });
    if (taken === undefined) throw new Error("nothing to take");
    return taken;
  }

  it("gives each action to one worker, the longest waiting first, and only those asked for", async () => {
    const [first, , second] = [await add(), await add("other"), await add()];
    expect([(await take()).id, (await take()).id]).to.deep.equal([first.id, second.id]);
    expect(await current().queue.take({ leaseMs: 1, actions: ACTIONS })).to.equal(undefined);
    expect(await current().queue.take({ leaseMs: 1, actions: [] })).to.equal(undefined);
  });

  it("keeps the outcome and the cache changes of an action together", async () => {
    await add();
    const taken = await take();
    const write = { operation: "upsert" as const, key: "id/1", hash: "h", record: { a: 1 } };
    const changes = [{ object: PATH, records: [write], alternateKeys: () => [] }];
    await current().queue.settle(taken, { state: "succeeded", result: { ok: true }, changes });
    expect(await current().queue.get(taken.id)).to.deep.include({ state: "succeeded", result: { ok: true } });
    expect(await current().records.get(PATH, "id/1")).to.deep.include({ record: { a: 1 }, sequence: 1 });
  });

  it("writes neither where one can't be written", async () => {
    await add();
    const taken = await take();
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    const write = { operation: "upsert" as const, key: "id/1", hash: "h", record: cyclic };
    const changes = [{ object: PATH, records: [write], alternateKeys: () => [] }];
    await failure(current().queue.settle(taken, { state: "succeeded", changes }));
    expect(await current().queue.get(taken.id)).to.include({ state: "taken" });
    expect([await current().records.count(PATH), await current().changes.last()]).to.deep.equal([0, 0]);
  });

  it("gives an action to another worker when its lease is over, and takes nothing from the first then", async () => {
    await add();
    const lost = await take(-1);
    await current().queue.renew(lost, -1);
    await current().queue.note(lost, "sent\u0000");
    const taken = await take();
    expect(taken).to.include({ id: lost.id, attempts: 2, note: "sent\u0000" });
    const write = { operation: "upsert" as const, key: "id/1", hash: "h", record: {} };
    const changes = [{ object: PATH, records: [write], alternateKeys: () => [] }];
    for (const late of [
      current().queue.settle(lost, { state: "succeeded", changes }),
      current().queue.renew(lost, 1),
      current().queue.note(lost, "late"),
    ]) {
      expect(await failure(late))
        .to.be.instanceOf(StoreError)
        .and.include({ problem: "superseded" });
    }
    expect(await current().records.count(PATH)).to.equal(0);
    await current().queue.settle(taken, { state: "failed", result: { reason: "no" } });
    expect((await all(current().queue.list("failed"))).map(({ id }) => id)).to.deep.equal([lost.id]);
  });

  it("holds an action that was given back until it is due", async () => {
    await add();
    await current().queue.settle(await take(), {
      state: "queued",
      dueAt: new Date(Date.now() + 60_000).toISOString(),
    });
    expect(await current().queue.take({ leaseMs: 1, actions: ACTIONS })).to.equal(undefined);
    await add();
    await current().queue.settle(await take(), { state: "queued" });
    expect(await take()).to.include({ attempts: 2 });
  });

  it("does not count an attempt that was given back untried", async () => {
    await add();
    await current().queue.settle(await take(), { state: "queued", isUntried: true });
    expect(await take()).to.include({ attempts: 1 });
  });

  it("takes the one that is asked for, before those that have waited longer", async () => {
    const [, second] = [await add(), await add(), await add()];
    const asked = { leaseMs: 60_000, actions: ACTIONS, id: second.id };
    expect((await current().queue.take(asked))?.id).to.equal(second.id);
    expect(await current().queue.take(asked)).to.equal(undefined);
  });

  it("queues dead and failed actions again when asked to, and no others", async () => {
    const { id } = await add();
    expect(await current().queue.requeue(id)).to.equal(false);
    await current().queue.settle(await take(), { state: "dead", result: { reason: "gone" } });
    expect(await current().queue.requeue(id)).to.equal(true);
    expect(await take()).to.include({ id, attempts: 1 });
    expect(await current().queue.requeue(id + 1)).to.equal(false);
  });

  it("cancels what has waited too long", async () => {
    await add();
    await add();
    await take();
    expect(await current().queue.cancelDueBefore(new Date(0).toISOString())).to.equal(0);
    expect(await current().queue.cancelDueBefore(new Date(Date.now() + 1_000).toISOString())).to.equal(1);
    const states = (await all(current().queue.list())).map(({ state }) => state);
    expect(states).to.deep.equal(["taken", "cancelled"]);
  });

  it("does not cancel an old action that was just queued again", async () => {
    await add();
    const taken = await take();
    await sleep(10);
    await current().queue.settle(taken, { state: "dead" });
    const limit = new Date().toISOString();
    await current().queue.requeue(taken.id);
    expect(await current().queue.cancelDueBefore(limit)).to.equal(0);
  });

  it("keeps inputs of 5 MB", async () => {
    const input = { text: "ä".repeat(2_500_000) };
    const { id } = await add("create", input);
    expect((await current().queue.get(id))?.input).to.deep.equal(input);
  });
}
