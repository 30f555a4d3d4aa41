import { expect } from "chai";
import { typedRecord } from "../../../runtime/codegen/index.js";
import { succeeded } from "../../../runtime/entries/runtime.js";
import { enqueueAction } from "../../../runtime/host/index.js";
import { actionOf, enqueue, INPUT, moduleOf, queueAction, run } from "../../support/action-processor.js";
import { type ItemCache, openItemCache } from "../../support/item-cache.js";
import { all } from "../../support/promises.js";

describe("an action that is queued", () => {
  let synced: ItemCache;
  beforeEach(async () => {
    synced = await openItemCache();
  });
  afterEach(() => synced.remove());

  it("is refused with findings where its input does not fit, and sensitive values are hidden in them", async () => {
    const password = "canary".repeat(9);
    const refused = await enqueue(synced.store, { name: 7, password });
    expect(refused.outcome).to.equal("refused");
    expect(JSON.stringify(refused)).to.include("/name").and.to.include("/password");
    expect(JSON.stringify(refused)).to.include("--hidden value--").and.to.not.include("canary");
    expect(await all(synced.store.ledger.list())).to.deep.equal([]);
  });

  it("is refused where its input is not JSON, or too large", async () => {
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    expect(await enqueue(synced.store, cyclic)).to.include({ outcome: "refused" });
    expect(await enqueue(synced.store, () => 1)).to.include({ outcome: "refused" });
    const wide = { name: "ä", more: "ä".repeat(5 * 512 * 1024) };
    expect(JSON.stringify(await enqueue(synced.store, wide))).to.include("at most 5242880 bytes");
    expect(await all(synced.store.ledger.list())).to.deep.equal([]);
  });

  it("may be as large as its host allows", async () => {
    const action = actionOf(moduleOf(async () => succeeded({ id: 1 })));
    const { ledger } = synced.store;
    const input = { name: "a", more: "x".repeat(6_000_000) };
    const options = { ledger, maxInputBytes: 10_000_000 };
    expect(await enqueueAction(action, input, options)).to.include({ outcome: "queued" });
    expect(await enqueueAction(action, { name: "a" }, { ledger, maxInputBytes: 11 })).to.include({
      outcome: "refused",
    });
  });

  it("may be an instance of the generated class", async () => {
    class Input extends typedRecord<{ name: string }, unknown, object>(INPUT) {}
    const { inputJson } = await queueAction(synced.store, new Input({ name: "a" }));
    expect(inputJson).to.equal('{"name":"a"}');
  });

  it("stays queued where its switch is off, and is told so", async () => {
    const off = actionOf(moduleOf(async () => succeeded({ id: 1 }), false));
    const enqueued = await enqueueAction(off, { name: "a" }, { ledger: synced.store.ledger });
    expect(enqueued).to.include({ outcome: "queued", isEnabled: false });
    const handler = async () => succeeded({ id: 1 });
    expect((await run(synced.store, handler, { isOff: true })).attempts).to.deep.equal([]);
    expect((await all(synced.store.ledger.list())).map(({ state }) => state)).to.deep.equal(["queued"]);
    expect((await run(synced.store, handler)).succeeded).to.equal(1);
  });
});
