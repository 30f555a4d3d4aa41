/** What every store does with actions, in its ledger and its source; a part of the contract suite. */

import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { type RecordWrite, type Store, StoreError, type TakenAction } from "../../../runtime/host/index.js";
import { all, failure } from "../../support/promises.js";

const PATH = "tests/app/1/item";
export const ACTIONS = [{ object: PATH, action: "create" }];
const WRITE: RecordWrite = {
  operation: "upsert",
  key: "id/1",
  hash: "h",
  record: { a: 1 },
  alternateKeys: ["n/1"],
};

/** An action that was queued, taken and closed, with its changes of the cache. */
export async function perform(store: Store, records: readonly RecordWrite[]): Promise<void> {
  await store.ledger.add({ object: PATH, action: "create", inputJson: "{}" });
  const taken = await store.source.take({ leaseMs: 1_000, actions: ACTIONS });
  if (taken === undefined) throw new Error("nothing to take");
  const changes = [{ object: PATH, records }];
  await store.ledger.close(taken, { state: "succeeded", resultJson: "null", changes });
}

export function actionsContract(current: () => Store): void {
  const add = (action = "create", inputJson = '{"a":1}') =>
    current().ledger.add({ object: PATH, action, inputJson });

  async function take(leaseMs = 60_000): Promise<TakenAction> {
    const taken = await current().source.take({ leaseMs, actions: ACTIONS });
    if (taken === undefined) throw new Error("nothing to take");
    return taken;
  }

  const expectSuperseded = async (call: Promise<unknown>) =>
    expect(await failure(call))
      .to.be.instanceOf(StoreError)
      .and.include({ problem: "superseded" });

  it("tell what was added, and keep its input as it was", async () => {
    const inputJson = '{ "b": 1.0, "a": "\\u0000" }';
    const added = await add("create", inputJson);
    expect(added).to.include({ object: PATH, action: "create", state: "queued", attempts: 0, inputJson });
    expect(added).to.include({ resultJson: null, noteJson: null });
    expect(added.dueAt).to.equal(added.queuedAt);
    expect(await current().ledger.get(added.id)).to.deep.equal(added);
    const { token, isOnly = true, ...taken } = await take();
    expect(isOnly).to.equal(true);
    expect(taken).to.deep.equal({ ...added, state: "taken", attempts: 1 });
    expect(token).to.be.a("string");
    expect(await current().ledger.get(added.id)).to.deep.equal(taken);
  });

  it("tell that an action is the only one where no other waits or is under way, if at all", async () => {
    await add();
    await add();
    const both = [await take(), await take()];
    for (const { isOnly = false } of both) expect(isOnly).to.equal(false);
    for (const taken of both) await current().ledger.close(taken, { state: "failed", resultJson: "{}" });
    await add();
    expect((await take()).isOnly ?? true).to.equal(true);
  });

  it("list actions in their order, of one state or all", async () => {
    const ids: number[] = [];
    for (let count = 0; count < 205; count++) ids.push((await add()).id);
    const taken = await take();
    expect((await all(current().ledger.list())).map(({ id }) => id)).to.deep.equal(ids);
    expect((await all(current().ledger.list("queued"))).map(({ id }) => id)).to.deep.equal(ids.slice(1));
    expect((await all(current().ledger.list("taken"))).map(({ id }) => id)).to.deep.equal([taken.id]);
  });

  it("give each action to one worker, the longest waiting first, and only those asked for", async () => {
    const [first, , second] = [await add(), await add("other"), await add()];
    expect([(await take()).id, (await take()).id]).to.deep.equal([first.id, second.id]);
    expect(await current().source.take({ leaseMs: 1, actions: ACTIONS })).to.equal(undefined);
    expect(await current().source.take({ leaseMs: 1, actions: [] })).to.equal(undefined);
    const other = [{ object: PATH, action: "other" }];
    expect(await current().source.take({ leaseMs: 1, actions: other })).to.include({ action: "other" });
  });

  it("are taken by how long they have been due, not by their numbers", async () => {
    const [first, second] = [await add(), await add()];
    const attempts = [await take(), await take()];
    for (const [index, attempt] of attempts.entries()) {
      const dueAt = new Date(Date.now() - 1_000 * (index + 1)).toISOString();
      await current().source.retry(attempt, { dueAt, failureJson: "{}" });
    }
    expect([(await take()).id, (await take()).id]).to.deep.equal([second.id, first.id]);
  });

  it("give many workers that ask at the same time one action each", async () => {
    for (let count = 0; count < 20; count++) await add();
    const taken = await Promise.all(Array.from({ length: 25 }, () => take().catch(() => undefined)));
    const ids = taken.flatMap((action) => (action === undefined ? [] : [action.id]));
    expect([ids.length, new Set(ids).size]).to.deep.equal([20, 20]);
    expect(new Set(taken.map((action) => action?.token)).size).to.equal(21);
  });

  it("keep the outcome and the cache changes of an action together", async () => {
    await add();
    const taken = await take();
    const closing = { state: "succeeded", resultJson: '{ "ok": true }' } as const;
    await current().ledger.close(taken, { ...closing, changes: [{ object: PATH, records: [WRITE] }] });
    expect(await current().ledger.get(taken.id)).to.include(closing);
    expect(await current().records.get(PATH, "id/1")).to.deep.include({ record: { a: 1 }, sequence: 1 });
    expect(await current().records.find(PATH, "n/1")).to.have.length(1);
  });

  it("write neither where one can't be written", async () => {
    await add();
    const taken = await take();
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    const changes = [{ object: PATH, records: [{ ...WRITE, record: cyclic } as RecordWrite] }];
    await failure(current().ledger.close(taken, { state: "succeeded", resultJson: "{}", changes }));
    expect(await current().ledger.get(taken.id)).to.include({ state: "taken", resultJson: null });
    expect([await current().records.count(PATH), await current().changes.last()]).to.deep.equal([0, 0]);
  });

  it("give an action to another worker when its lease is over, and take nothing from the first then", async () => {
    await add();
    const lost = await take(-1);
    await current().source.extendLease(lost, -1);
    await current().ledger.note(lost, '"sent\\u0000"');
    const taken = await take();
    expect(taken).to.include({ id: lost.id, attempts: 2, noteJson: '"sent\\u0000"' });
    expect(taken.token).to.not.equal(lost.token);
    const changes = [{ object: PATH, records: [WRITE] }];
    const { ledger, source } = current();
    await expectSuperseded(ledger.close(lost, { state: "succeeded", resultJson: "{}", changes }));
    await expectSuperseded(ledger.note(lost, '"late"'));
    await expectSuperseded(source.extendLease(lost, 1));
    await expectSuperseded(source.retry(lost, { dueAt: new Date().toISOString(), failureJson: "{}" }));
    await expectSuperseded(source.giveBack(lost));
    expect(await current().records.count(PATH)).to.equal(0);
    await ledger.close(taken, { state: "failed", resultJson: '{"reason":"no"}' });
    expect((await all(ledger.list("failed"))).map(({ id }) => id)).to.deep.equal([lost.id]);
    await expectSuperseded(ledger.note(taken, '"after its end"'));
  });

  it("hold an action whose lease was extended", async () => {
    await add();
    await current().source.extendLease(await take(-1), 60_000);
    expect(await current().source.take({ leaseMs: 1, actions: ACTIONS })).to.equal(undefined);
  });

  it("hold an action whose attempt failed until it is due, and keep why it failed", async () => {
    const { id } = await add();
    const failureJson = '{"code":"503"}';
    const dueAt = new Date(Date.now() + 60_000).toISOString();
    await current().source.retry(await take(), { dueAt, failureJson });
    expect(await current().source.take({ leaseMs: 1, actions: ACTIONS })).to.equal(undefined);
    const waiting = { state: "queued", attempts: 1, dueAt, resultJson: failureJson };
    expect(await current().ledger.get(id)).to.include(waiting);
    await add();
    await current().source.retry(await take(), { dueAt: new Date().toISOString(), failureJson });
    expect(await take()).to.include({ attempts: 2 });
  });

  it("do not count an attempt that was given back", async () => {
    await add();
    await current().source.giveBack(await take());
    expect(await take()).to.include({ attempts: 1 });
  });

  it("take the one that is asked for, before those that have waited longer", async () => {
    const [, second] = [await add(), await add(), await add()];
    const asked = { leaseMs: 60_000, actions: ACTIONS, id: second.id };
    expect((await current().source.take(asked))?.id).to.equal(second.id);
    expect(await current().source.take(asked)).to.equal(undefined);
  });

  it("queue again whatever is not held and has not succeeded, with its attempts at 0", async () => {
    const { id } = await add();
    const { ledger, source } = current();
    for (const state of ["dead", "failed"] as const) {
      await ledger.close(await take(), { state, resultJson: '{"reason":"gone"}' });
      expect(await source.requeue(id), state).to.equal(true);
    }
    await source.cancel(id);
    expect(await source.requeue(id), "cancelled").to.equal(true);
    await source.retry(await take(), { dueAt: "2126-01-01T00:00:00.000Z", failureJson: "{}" });
    expect(await source.requeue(id), "queued for later").to.equal(true);
    const taken = await take();
    expect(taken).to.include({ id, attempts: 1 });
    expect(await source.requeue(id), "taken").to.equal(false);
    await ledger.close(taken, { state: "succeeded", resultJson: "{}" });
    expect(await source.requeue(id), "succeeded").to.equal(false);
    expect(await source.requeue(id + 1), "unknown").to.equal(false);
  });

  it("cancel what has waited too long", async () => {
    await add();
    await add();
    await take();
    expect(await current().source.cancelDueBefore(new Date(0).toISOString())).to.equal(0);
    expect(await current().source.cancelDueBefore(new Date(Date.now() + 1_000).toISOString())).to.equal(1);
    const states = (await all(current().ledger.list())).map(({ state }) => state);
    expect(states).to.deep.equal(["taken", "cancelled"]);
  });

  it("do not cancel an old action that was just queued again", async () => {
    await add();
    const taken = await take();
    await sleep(10);
    await current().ledger.close(taken, { state: "dead", resultJson: "{}" });
    const limit = new Date().toISOString();
    await current().source.requeue(taken.id);
    expect(await current().source.cancelDueBefore(limit)).to.equal(0);
  });

  it("keep inputs of 5 MB", async () => {
    const inputJson = JSON.stringify({ text: "ä".repeat(2_500_000) });
    const { id } = await add("create", inputJson);
    expect((await current().ledger.get(id))?.inputJson).to.equal(inputJson);
  });
}
