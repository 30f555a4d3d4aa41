import { expect } from "chai";
import type { RecordChange, RecordType } from "../../../runtime/codegen/index.js";
import { findings } from "../../../runtime/entries/runtime.js";
import { endOf, ITEM, type ItemCache, item, openItemCache, PATH } from "../../support/item-cache.js";
import { all } from "../../support/promises.js";

const SCHEMA = ITEM.schema as { readonly properties: object };

/** Items whose name is at most so long, and which must have one. */
function itemsWith(maxLength: number): RecordType {
  const schema = {
    ...SCHEMA,
    properties: {
      ...SCHEMA.properties,
      name: { type: "string", maxLength },
    },
  };
  return { ...ITEM, schema, check: (value) => findings(schema, value).length === 0 };
}

const SHORT = itemsWith(3);

/** An incremental reader that yields these items. */
const changesOf = (items: readonly unknown[]) =>
  async function* (): AsyncGenerator<RecordChange<unknown>> {
    for (const record of items) yield { operation: "upsert", record };
  };

const ids = (count: number) => Array.from({ length: count }, (_, id) => id);

describe("cached records that no longer fit a schema", () => {
  let cache: ItemCache;
  beforeEach(async () => {
    cache = await openItemCache();
  });
  afterEach(() => cache.remove());

  const keys = async () => Object.keys(await cache.contents());

  it("are taken out at the next run although nothing of them was read, kept as rejected, and told", async () => {
    await cache.incremental(changesOf([item(1, { name: "ok" }), item(2, { name: "too long" })]));
    const result = await cache.incremental(changesOf([]), { type: SHORT });
    expect(endOf(result)).to.deep.equal({ outcome: "succeeded", deleted: 1, rejected: 1 });
    expect(result.noLongerFit).to.equal(1);
    expect(await keys()).to.deep.equal(["id/a/1"]);
    const [rejected, ...others] = await all(cache.store.rejected.list(PATH));
    expect(others).to.deep.equal([]);
    expect(rejected?.findings.map(({ message }) => message)).to.deep.equal([
      '/name: expected at most 3 characters, found "too long"',
    ]);
    const [last] = (await all(cache.store.changes.since(0))).slice(-1);
    expect(last).to.include({ operation: "delete", key: "id/a/2" });
    const again = await cache.incremental(changesOf([]), { type: SHORT });
    expect([again.outcome, again.noLongerFit]).to.deep.equal(["succeeded", 0]);
  });

  it("come back when the schema fits them again", async () => {
    await cache.incremental(changesOf([item(1, { name: "too long" })]));
    await cache.incremental(changesOf([]), { type: SHORT });
    expect(await keys()).to.deep.equal([]);
    await cache.incremental(changesOf([]), { type: ITEM });
    expect(await keys()).to.deep.equal(["id/a/1"]);
    expect(await cache.rejectedKeys()).to.deep.equal([]);
  });

  it("are taken out where a full read gives a newer version that does not fit either", async () => {
    await cache.full([1, 2, 3].map((id) => item(id, { name: "ok" })));
    await cache.full([item(1, { name: "ok" }), item(2, { name: "too long" }), item(3, { name: "ok" })]);
    const sent = [item(1, { name: "ok" }), item(2, { name: "still too long" }), item(3, { name: "OK" })];
    const result = await cache.full(sent, { type: SHORT });
    expect(endOf(result)).to.deep.equal({
      ...{ outcome: "succeeded", unchanged: 1, updated: 1, deleted: 1, rejected: 1 },
    });
    expect(await keys()).to.deep.equal(["id/a/1", "id/a/3"]);
    const [rejected] = await all(cache.store.rejected.list(PATH));
    expect(rejected?.record).to.include("still too long");
  });

  it("are left where the guard withholds it, until that is approved; what was read is not read again", async () => {
    const checkpoints: (string | null)[] = [];
    const read = (checkpoint: string) =>
      async function* (context: Parameters<Parameters<ItemCache["incremental"]>[0]>[0]) {
        checkpoints.push(context.checkpoint);
        context.saveCheckpoint(checkpoint);
        yield* [] as RecordChange<unknown>[];
      };
    await cache.incremental(changesOf(ids(12).map((id) => item(id, { name: "too long" }))));
    const held = await cache.incremental(read("one"), { type: SHORT });
    expect(endOf(held)).to.deep.equal({ outcome: "needs-approval" });
    expect(held).to.include({ noLongerFit: 12, withheldDeletes: 12 });
    expect(held.message).to.equal(
      "Item: 12 of 12 cached records no longer fit the schema: more than 20 % of them. They were left as they are.",
    );
    expect(await keys()).to.have.length(12);
    const approved = await cache.incremental(read("two"), { type: SHORT, approveDeletes: true });
    expect(endOf(approved)).to.deep.equal({ outcome: "succeeded", deleted: 12, rejected: 12 });
    expect([await keys(), checkpoints]).to.deep.equal([[], [null, "one"]]);
  });

  it("are told also by a run that fails, and by one whose deletes are withheld", async () => {
    await cache.full(ids(12).map((id) => item(id, { name: id < 2 ? "too long" : "ok" })));
    const failed = await cache.full(
      async function* () {
        yield item(5, { name: "ok" });
        throw new Error("the target system went away");
      },
      { type: SHORT },
    );
    expect(failed).to.include({ outcome: "failed", noLongerFit: 2 });
    const held = await cache.full([item(5, { name: "ok" })], { type: SHORT });
    expect(held).to.include({ outcome: "needs-approval", noLongerFit: 2, withheldDeletes: 11 });
    expect(held.message).to.match(/Nothing was deleted\.$/);
    expect(await keys()).to.have.length(12);
  });

  it("are looked for once: a schema in another order of members is the same", async () => {
    await cache.full([item(1)]);
    const entries = Object.entries(SCHEMA).reverse();
    const looked: unknown[] = [];
    const type = {
      ...ITEM,
      schema: Object.fromEntries(entries),
      check: (value: unknown) => looked.push(value) > 0 && ITEM.check(value),
    };
    await cache.incremental(changesOf([]), { type });
    expect(looked).to.deep.equal([]);
  });
});
