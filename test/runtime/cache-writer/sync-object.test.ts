import { expect } from "chai";
import fc from "fast-check";
import { recordHasher } from "../../../runtime/cache-writer/canonical-hash.js";
import { typedRecord } from "../../../runtime/codegen/index.js";
import { recordKey } from "../../../runtime/entries/runtime.js";
import { createLog, StoppedError, type SyncProgress, syncObject } from "../../../runtime/host/index.js";
import {
  endOf,
  fullObject,
  ITEM,
  type ItemCache,
  item,
  openItemCache,
  PATH,
} from "../../support/item-cache.js";
import { all, listed } from "../../support/promises.js";
import { objectSchema, recordClass } from "../../support/registration.js";
import { runs } from "../../support/repository.js";

describe("a full read", () => {
  let synced: ItemCache;
  beforeEach(async () => {
    synced = await openItemCache();
  });
  afterEach(() => synced.remove());

  const ids = (...list: readonly number[]) => list.map((id) => item(id));
  const keys = async () => Object.keys(await synced.contents()).map((key) => key.replace("id/a/", ""));

  it("counts what is unchanged, inserted, updated and deleted", async () => {
    expect(endOf(await synced.full(ids(1, 2, 3, 4, 5)))).to.deep.equal({ outcome: "succeeded", inserted: 5 });
    expect(endOf(await synced.full(ids(1, 2, 3, 4, 5)))).to.deep.equal({
      outcome: "succeeded",
      unchanged: 5,
    });
    const changed = [...ids(1, 2), item(3, { name: "new" }), item(6)];
    expect(endOf(await synced.full(changed))).to.deep.equal({
      outcome: "succeeded",
      unchanged: 2,
      inserted: 1,
      updated: 1,
      deleted: 2,
    });
    expect(await synced.contents()).to.deep.equal(
      Object.fromEntries(changed.map((item) => [`id/a/${item.id}`, item])),
    );
  });

  it("writes instances of generated classes in their serialized form", async () => {
    class Item extends typedRecord<{ company: string; id: number; serialNumber: string }, unknown, object>(
      ITEM,
    ) {}
    const instance = new Item({ company: "a", id: 1, serialNumber: "n1" });
    expect(endOf(await synced.full([instance]))).to.deep.equal({ outcome: "succeeded", inserted: 1 });
    expect(endOf(await synced.full([item(1)]))).to.deep.equal({ outcome: "succeeded", unchanged: 1 });
  });

  it("commits page by page before it asks for more", async () => {
    const seen: (readonly [read: number, stored: number])[] = [];
    await synced.full(async function* () {
      for (let id = 1; id <= 8; id++) {
        seen.push([id, await synced.store.records.count(PATH)]);
        yield item(id);
      }
    });
    expect(seen.map(([, stored]) => stored)).to.deep.equal([0, 0, 0, 3, 3, 3, 6, 6]);
  });

  it("that throws deletes nothing and keeps what it brought", async () => {
    await synced.full(ids(1, 2, 3, 4));
    const result = await synced.full(async function* () {
      yield item(1, { name: "new" });
      yield item(9);
      throw new Error("502 from the target system");
    });
    expect(endOf(result)).to.deep.equal({ outcome: "failed", inserted: 1, updated: 1 });
    expect(result.message).to.equal("502 from the target system");
    expect(await keys()).to.deep.equal(["1", "2", "3", "4", "9"]);
    expect(endOf(await synced.full(ids(1, 2, 3, 4)))).to.deep.equal({
      outcome: "succeeded",
      unchanged: 3,
      updated: 1,
      deleted: 1,
    });
  });

  it("that was stopped has not succeeded, although its reader ended quietly", async () => {
    await synced.full(ids(1, 2, 3, 4));
    const controller = new AbortController();
    const result = await synced.full(
      async function* () {
        yield item(1);
        controller.abort();
      },
      { signal: controller.signal },
    );
    expect(endOf(result)).to.deep.equal({ outcome: "failed", unchanged: 1 });
    expect(await keys()).to.have.length(4);
  });

  for (const [how, end] of Object.entries<(signal: AbortSignal) => unknown>({
    "with the reason of the signal": (signal) => signal.throwIfAborted(),
    "in a call that was given up": () => {
      throw new DOMException("This operation was aborted", "AbortError");
    },
    "with an error about that": (signal) => {
      throw new Error("can't read", { cause: signal.reason });
    },
  })) {
    it(`says that it was stopped if its reader ends ${how}`, async () => {
      const controller = new AbortController();
      const { signal } = controller;
      const result = await synced.full(
        async function* () {
          yield item(1);
          controller.abort();
          end(signal);
        },
        { signal },
      );
      expect(result.error).to.be.instanceOf(StoppedError);
      expect(result.message).to.match(/^Item: the run was stopped\. The next run resumes/);
    });
  }

  it("says what its reader threw, although it was stopped, if that is no end of a call", async () => {
    const controller = new AbortController();
    const result = await synced.full(
      async function* () {
        yield item(1);
        controller.abort();
        throw new Error("out of memory");
      },
      { signal: controller.signal },
    );
    expect(result.message).to.equal("out of memory");
  });

  it("excludes another run of the object", async () => {
    let inner: Promise<unknown> | undefined;
    await synced.full(async function* () {
      inner = synced.full([]);
      expect(await inner).to.include({ outcome: "busy" });
      yield item(1);
    });
    expect(inner).to.not.equal(undefined);
    expect(await keys()).to.deep.equal(["1"]);
  });

  it("holds deletes back over the guard, keeps all else, and deletes once that is approved", async () => {
    await synced.full(Array.from({ length: 60 }, (_, id) => item(id)));
    const few = Array.from({ length: 40 }, (_, id) => item(id, { name: "new" }));
    const held = await synced.full(few);
    expect(endOf(held)).to.deep.equal({ outcome: "needs-approval", updated: 40 });
    expect(held).to.include({
      withheldDeletes: 20,
      message: "Item: 20 of 60 records were not read again: more than 20 % of them. Nothing was deleted.",
    });
    expect(await keys()).to.have.length(60);
    expect(await synced.full(few, { guard: { maxShare: 0.5, maxCount: 19 } })).to.include({
      outcome: "needs-approval",
    });
    expect(endOf(await synced.full(few, { approveDeletes: true }))).to.deep.equal({
      outcome: "succeeded",
      unchanged: 40,
      deleted: 20,
    });
  });

  it("deletes a few whatever their share, but never all because nothing came", async () => {
    await synced.full(ids(1, 2, 3));
    expect(endOf(await synced.full([]))).to.deep.equal({ outcome: "needs-approval" });
    expect(endOf(await synced.full(ids(1)))).to.deep.equal({
      outcome: "succeeded",
      unchanged: 1,
      deleted: 2,
    });
    expect(endOf(await synced.full([], { approveDeletes: true }))).to.deep.equal({
      outcome: "succeeded",
      deleted: 1,
    });
  });

  it("keeps invalid records aside with masked findings, and their rows in the cache", async () => {
    await synced.full(ids(1, 2, 3));
    const secret = "canary-0123456789-0123456789-0123456789";
    const bad = [item(2, { secret }), { company: "a" }, "no record", null];
    const result = await synced.full([item(1), ...bad, item(3)], { rejectedLimit: { maxShare: 1 } });
    expect(endOf(result)).to.deep.equal({ outcome: "succeeded", unchanged: 2, rejected: 4 });
    expect(await keys()).to.deep.equal(["1", "2", "3"]);
    const rejected = await all(synced.store.rejected.list(PATH));
    expect(rejected.map(({ key }) => key)).to.deep.equal(["id/a/2", undefined, undefined, undefined]);
    expect(JSON.stringify(rejected.map(({ findings }) => findings)))
      .to.include("--hidden value--")
      .and.not.include("canary");
    expect(JSON.parse(rejected[0]?.record ?? "")).to.deep.equal(item(2, { secret }));
    expect(endOf(await synced.full(ids(1, 2, 3)))).to.deep.equal({ outcome: "succeeded", unchanged: 3 });
    expect(await synced.rejectedKeys()).to.deep.equal([]);
  });

  it("rejects what can't be written as JSON", async () => {
    const deep: Record<string, unknown> = item(2);
    for (let inner = deep, depth = 0; depth < 20_000; depth++) {
      const below = {};
      inner["below"] = below;
      inner = below;
    }
    const result = await synced.full([item(1), { ...item(3), count: 7n }, deep], {
      rejectedLimit: { maxShare: 1 },
    });
    expect(endOf(result)).to.deep.equal({ outcome: "succeeded", inserted: 1, rejected: 2 });
    expect(await synced.rejectedKeys()).to.deep.equal(["id/a/3", "id/a/2"]);
  });

  it("keeps a record aside whose key no index would hold, and knows it again", async () => {
    const long = (length: number) => item(1, { company: "é".repeat(length) });
    // `id/`, the company and `/1`.
    expect(endOf(await synced.full([long(597)]))).to.deep.equal({ outcome: "succeeded", inserted: 1 });
    const bad = [long(597), long(598), { ...long(598), value: "later" }];
    const result = await synced.full(bad, { rejectedLimit: { maxShare: 1 } });
    expect(endOf(result)).to.deep.equal({ outcome: "succeeded", unchanged: 1, rejected: 2 });
    const rejected = await all(synced.store.rejected.list(PATH));
    expect(rejected.map(({ identity }) => identity.slice(0, 1))).to.deep.equal(["#"]);
    expect(rejected[0]?.findings[0]?.message)
      .to.include('a value of key "id" of at most 1200 bytes')
      .and.include("one of 1201 bytes");
    const gone = { operation: "delete" as const, record: long(2_000) };
    const change = await synced.incremental(() => listed([gone]));
    expect(endOf(change), "with the one that is tried again").to.include({ rejected: 2 });
  });

  it("fails over the limit of rejected records, before it deletes", async () => {
    await synced.full(ids(1, 2, 3, 4));
    const half = [item(1), { company: "a", id: 2 }];
    const byCount = await synced.full(half, { rejectedLimit: { maxCount: 0 } });
    expect(endOf(byCount)).to.deep.equal({ outcome: "failed", unchanged: 1, rejected: 1 });
    expect(byCount.message).to.equal(
      "Item: 1 record does not fit the schema, more than 0. Look at what was rejected, and mend the schema or the reader. rejectedLimit (connectorcli.run.cacheWriter in package.json) says how many may be rejected, --max-rejected says it for one run.",
    );
    expect(endOf(await synced.full(half, { rejectedLimit: { maxShare: 0.4 } }))).to.deep.equal({
      outcome: "failed",
      unchanged: 1,
      rejected: 1,
    });
    expect(endOf(await synced.full(half, { rejectedLimit: { maxShare: 0.5 } }))).to.deep.equal({
      outcome: "succeeded",
      unchanged: 1,
      deleted: 2,
      rejected: 1,
    });
  });

  it("takes a record that was valid and then rejected in the same page as rejected", async () => {
    await synced.full([item(1), { ...item(1), name: "x".repeat(21) }], { pageSize: 100 });
    expect(await synced.rejectedKeys()).to.deep.equal(["id/a/1"]);
    expect(await keys()).to.deep.equal(["1"]);
  });

  it("deletes what is gone also where another record came twice, first as it was and then changed", async () => {
    await synced.full(ids(1, 2, 3));
    const twice = [item(1), item(2), item(2), item(1, { name: "new" })];
    expect(endOf(await synced.full(twice))).to.deep.equal({
      outcome: "succeeded",
      unchanged: 3,
      updated: 1,
      deleted: 1,
    });
    expect(await keys()).to.deep.equal(["1", "2"]);
  });

  it("goes on from the last resume point that was committed", async () => {
    await synced.full(ids(1, 2, 3, 4, 5, 6, 7, 8));
    const asked: (string | null)[] = [];
    let isBroken = true;
    const reader = async function* ({
      resumePoint,
      saveResumePoint,
    }: {
      resumePoint: string | null;
      saveResumePoint: (text: string) => void;
    }) {
      asked.push(resumePoint);
      for (let id = Number(resumePoint ?? 1); id <= 7; id++) {
        if (id === 6 && isBroken) throw new Error("connection reset");
        yield item(id);
        saveResumePoint(String(id + 1));
      }
    };
    expect(endOf(await synced.full(reader))).to.deep.equal({ outcome: "failed", unchanged: 5 });
    isBroken = false;
    const resumed = await synced.full(reader);
    expect(endOf(resumed)).to.deep.equal({ outcome: "succeeded", unchanged: 7, deleted: 1 });
    expect(resumed).to.include({ resumed: true, read: 2 });
    expect(asked).to.deep.equal([null, "6"]);
    expect(await keys()).to.have.length(7);
  });

  it("names alternate keys that records share, and keeps the records", async () => {
    const result = await synced.full([item(1, { serial_number: "x" }), item(2, { serial_number: "x" })]);
    expect(endOf(result)).to.deep.equal({ outcome: "succeeded", inserted: 2 });
    expect(result.sharedKeys).to.deep.equal([{ alternateKey: "number/x", keys: ["id/a/1", "id/a/2"] }]);
    const swapped = await synced.full([item(1, { serial_number: "y" }), item(2, { serial_number: "x" })]);
    expect(swapped.sharedKeys).to.deep.equal([]);
    expect((await synced.store.records.find(PATH, "number/x")).map(({ key }) => key)).to.deep.equal([
      "id/a/2",
    ]);
  });

  it("never takes two records for one because of a separator in a value", async () => {
    const pairs = [item(1, { company: "a/1" }), item(1, { company: "a%2F1" }), item(1, { company: "a" })];
    expect(endOf(await synced.full(pairs))).to.deep.equal({ outcome: "succeeded", inserted: 3 });
  });

  it("keeps as many records as there are keys, whatever text is in them, and finds each by its keys", async () => {
    const text = fc.oneof(
      fc.string({
        unit: fc.constantFrom("/", "%", "2", "F", "u", "D", "8", "0", "\0", "\ud83d", "\ude00", "a"),
      }),
      fc.string({ unit: "binary" }),
    );
    const keyed = fc.uniqueArray(fc.record({ company: text, id: fc.nat(2), serial_number: text }), {
      selector: ({ company, id }) => `${id}${company}`,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(keyed, async (items) => {
        const one = await openItemCache();
        expect(await one.full(items)).to.include({ outcome: "succeeded", inserted: items.length });
        expect(await one.full(items.toReversed())).to.include({
          outcome: "succeeded",
          unchanged: items.length,
          updated: 0,
        });
        for (const { company, id, serial_number: number } of items) {
          const found = await one.store.records.get(PATH, recordKey("id", [company, id]));
          expect(found?.record).to.deep.equal({ company, id, serial_number: number });
          const same = items.filter((other) => other.serial_number === number);
          expect(await one.store.records.find(PATH, recordKey("number", [number]))).to.have.length(
            same.length,
          );
        }
        await one.remove();
      }),
      { numRuns: runs(30) },
    );
  });

  it("makes no update of volatile members and of a new optional property that is absent", async () => {
    const volatile = ["seen_at"];
    await synced.full([item(1, { seen_at: 1 })], { volatile });
    expect(endOf(await synced.full([item(1, { seen_at: 2 })], { volatile }))).to.deep.equal({
      outcome: "succeeded",
      unchanged: 1,
    });
    const schema = ITEM.schema as { readonly properties: object };
    const type = {
      ...ITEM,
      schema: { ...schema, properties: { ...schema.properties, added: { type: "string" } } },
    };
    expect(endOf(await synced.full([item(1, { seen_at: 3 })], { volatile, type }))).to.deep.equal({
      outcome: "succeeded",
      unchanged: 1,
    });
    expect(recordHasher()({ a: 1 })).to.not.equal(recordHasher()({ a: 2 }));
  });

  it("takes properties that the schema does not know as content, and no order or spelling for a change", async () => {
    const read = (json: string) => synced.full([JSON.parse(json)]);
    const rest = '"company":"a","id":1,"serial_number":"n1"';
    await read(`{${rest},"size":1.0,"deep":{"a":1,"b":[100]}}`);
    expect(endOf(await read(`{"deep":{"b":[1e2],"a":1.00},"size":1,${rest}}`))).to.deep.equal({
      outcome: "succeeded",
      unchanged: 1,
    });
    expect(endOf(await read(`{${rest},"size":1.5,"deep":{"a":1,"b":[100]}}`))).to.deep.equal({
      outcome: "succeeded",
      updated: 1,
    });
    expect(endOf(await read(`{${rest},"size":1.5}`))).to.deep.equal({ outcome: "succeeded", updated: 1 });
    expect((await synced.contents())["id/a/1"]).to.deep.equal(item(1, { size: 1.5 }));
  });

  it("updates records once where a member is declared volatile, and not when they differ in it alone", async () => {
    await synced.full([item(1, { seen_at: 1 }), item(2)]);
    const volatile = ["seen_at"];
    expect(endOf(await synced.full([item(1, { seen_at: 2 }), item(2)], { volatile }))).to.deep.equal({
      outcome: "succeeded",
      unchanged: 1,
      updated: 1,
    });
    expect(endOf(await synced.full([item(1, { seen_at: 3 }), item(2)], { volatile }))).to.deep.equal({
      outcome: "succeeded",
      unchanged: 2,
    });
    expect((await synced.contents())["id/a/1"]).to.deep.equal(item(1, { seen_at: 2 }));
  });

  it("hides write-only members in what its reader throws, and says the rest", async () => {
    const secret = "c4n4ry";
    const result = await synced.full(async function* () {
      yield item(1, { secret: "s3cret-of-1" });
      throw new Error(`after s3cret-of-1 comes ${JSON.stringify(item(2, { secret }))}`);
    });
    expect(result.message)
      .to.include('after --hidden value-- comes {"company":"a","id":2')
      .and.to.include('"secret":"--hidden value--"')
      .and.to.not.include(secret);
    const [run] = await synced.store.runs.list(PATH, 1);
    expect(run?.message).to.equal(result.message);
  });

  it("hides sensitive numbers, earlier records, settings and what its log hides in what its reader throws", async () => {
    const lines: string[] = [];
    const log = createLog({ destination: { write: (line) => lines.push(line) } });
    log.hide(["rotated-t0ken"]);
    const setting = recordClass("Setting", objectSchema({ pin: { type: "integer", writeOnly: true } }));
    const { store } = synced;
    const object = {
      ...fullObject(async function* () {
        for (let id = 1; id <= 50; id++) yield item(id, { secret: `s3cret-${id}-` });
        yield [item(51, { secret: "s3cret-51-" })] as never;
        throw new Error("of s3cret-1-, s3cret-50-, s3cret-51-, 471100, 471101 and rotated-t0ken");
      }),
      registrationConfiguration: setting.from({ pin: 471_100 }),
      serviceConfiguration: setting.from({ pin: 471_101 }),
      settings: {},
    };
    const run = { store, client: undefined, connection: {}, signal: new AbortController().signal, log };
    const { message } = await syncObject(object, run);
    const hidden = "--hidden value--";
    expect(message).to.equal(`of ${hidden}, ${hidden}, ${hidden}, ${hidden}, ${hidden} and ${hidden}`);
    expect((await store.runs.list(PATH, 1))[0]?.message).to.equal(message);
  });

  it("hides write-only values of the connection in what its reader throws", async () => {
    const schema = objectSchema({ apiKey: { type: "string", writeOnly: true } });
    const connection = new (recordClass("ApiKeyAuth", schema))({ apiKey: "k3y-of-the-connection" });
    const result = await synced.full(
      async function* () {
        yield item(1);
        throw new Error("GET items?key=k3y-of-the-connection answered 500");
      },
      { connection },
    );
    expect(result.message).to.equal("GET items?key=--hidden value-- answered 500");
  });

  it("rejects a record that can't be read, and goes on", async () => {
    const broken = Object.create({
      toJSON() {
        throw new Error("no JSON of me");
      },
    });
    expect(endOf(await synced.full([item(1), broken, item(2)]))).to.deep.equal({
      outcome: "succeeded",
      inserted: 2,
      rejected: 1,
    });
  });

  it("tells its progress after every page", async () => {
    const progress: SyncProgress[] = [];
    await synced.full(ids(1, 2, 3, 4), { onProgress: (event) => progress.push(event) });
    expect(progress.map(({ read, pages, inserted }) => [read, pages, inserted])).to.deep.equal([
      [3, 1, 3],
      [4, 2, 4],
    ]);
  });

  it("fails where its object has no primary key", async () => {
    const result = await synced.full(ids(1), { type: { ...ITEM, keys: [] } });
    expect(result.message).to.equal("Item has no primary key: give it one, and run npx connectorcli gen.");
  });
});

describe("an incremental read", () => {
  let synced: ItemCache;
  beforeEach(async () => {
    synced = await openItemCache();
  });
  afterEach(() => synced.remove());

  const upserts = (...items: readonly unknown[]) =>
    items.map((record) => ({ operation: "upsert" as const, record }));

  it("starts with no checkpoint, then with the one of the last run that succeeded", async () => {
    const seen: (string | null)[] = [];
    const run = (next: string, fails = false) =>
      synced.incremental(async function* ({ checkpoint, saveCheckpoint }) {
        seen.push(checkpoint);
        saveCheckpoint(next);
        yield* upserts(item(1));
        if (fails) throw new Error("gone");
      });
    await run("a");
    await run("b", true);
    await run("c");
    await run("d");
    expect(seen).to.deep.equal([null, "a", "a", "c"]);
  });

  it("deletes only what it yields as deleted", async () => {
    await synced.incremental(() => listed(upserts(item(1), item(2), item(3))));
    const changes = [
      { operation: "delete" as const, record: { company: "a", id: 2 } },
      ...upserts(item(3, { name: "x" })),
    ];
    expect(endOf(await synced.incremental(() => listed(changes)))).to.deep.equal({
      outcome: "succeeded",
      updated: 1,
      deleted: 1,
    });
    expect(Object.keys(await synced.contents())).to.deep.equal(["id/a/1", "id/a/3"]);
    expect(endOf(await synced.incremental(() => listed(changes)))).to.deep.equal({
      outcome: "succeeded",
      unchanged: 1,
    });
  });

  it("tries rejected records again, and forgets those that came valid or deleted", async () => {
    const long = "x".repeat(21);
    const bad = upserts(item(1, { name: long }), item(2, { name: long }), item(3, { name: long }));
    expect(
      endOf(await synced.incremental(() => listed(bad), { rejectedLimit: { maxShare: 1 } })),
    ).to.deep.equal({
      outcome: "succeeded",
      rejected: 3,
    });
    expect(endOf(await synced.incremental(() => listed([])))).to.deep.equal({
      outcome: "succeeded",
      rejected: 3,
    });
    const gone = { operation: "delete" as const, record: item(3) };
    expect(endOf(await synced.incremental(() => listed([...upserts(item(2)), gone])))).to.deep.equal({
      outcome: "succeeded",
      inserted: 1,
      rejected: 3,
    });
    expect(await synced.rejectedKeys()).to.deep.equal(["id/a/1"]);
    const type = { ...ITEM, check: () => true };
    expect(endOf(await synced.incremental(() => listed([]), { type }))).to.deep.equal({
      outcome: "succeeded",
      inserted: 1,
    });
    expect(await synced.rejectedKeys()).to.deep.equal([]);
    expect(Object.keys(await synced.contents())).to.deep.equal(["id/a/1", "id/a/2"]);
  });

  it("keeps aside a delete that names no record", async () => {
    const result = await synced.incremental(() => listed([{ operation: "delete", record: { id: 1 } }]), {
      rejectedLimit: { maxShare: 1 },
    });
    expect(endOf(result)).to.deep.equal({ outcome: "succeeded", rejected: 1 });
  });

  it("fails where its reader yields plain records", async () => {
    const result = await synced.incremental(() => listed([item(1)]) as never);
    expect(result.message).to.equal(
      'Item: an incremental reader yields { operation: "upsert" or "delete", record }.',
    );
  });
});
