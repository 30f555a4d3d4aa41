/** What every store behind the ports does. A driver's test calls this with a way to open one. */

import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import {
  type PageWrite,
  type RecordWrite,
  type Run,
  type RunKind,
  type StartRunOptions,
  type Store,
  StoreError,
} from "../../../runtime/host/index.js";
import { all, failure } from "../../support/promises.js";
import { ACTIONS, actionsContract, perform } from "./contract-of-actions.js";

/** A place that stores can be opened at, one after the other or at the same time; those of one tenant see the same. */
export interface StorePlace {
  open(
    tenant?: string,
    options?: { readonly keepBefore?: number; readonly maxQueuedActions?: number },
  ): Promise<Store>;
  /** What a store that is opened for a tenant calls it. @default the same */
  nameOf?(tenant: string): string;
  remove(): Promise<void>;
}

const PATH = "tests/app/1/item";

export function upsert(key: string, value: unknown, alternateKeys: readonly string[] = []): RecordWrite {
  const hash = JSON.stringify([value, alternateKeys]).replaceAll(" ", "");
  return { operation: "upsert", key, hash, record: { value }, alternateKeys };
}

export function storeContract(newPlace: () => Promise<StorePlace>): void {
  let place: StorePlace;
  let store: Store;

  beforeEach(async () => {
    place = await newPlace();
    store = await place.open();
  });

  afterEach(async () => {
    await store.close();
    await place.remove();
  });

  const begin = (options: Partial<StartRunOptions> = {}, from = store) =>
    from.runs.start({
      object: PATH,
      kind: "full",
      alternateKeysVersion: "1",
      schemaVersion: "1",
      resume: true,
      resumeWithinMs: 60_000,
      ...options,
    });

  async function started(options: Partial<StartRunOptions> = {}, from = store): Promise<Run> {
    const run = await begin(options, from);
    if (run === undefined) throw new Error("another run has the object");
    return run;
  }

  const page = (records: readonly RecordWrite[], more: Partial<PageWrite> = {}): PageWrite => ({
    records,
    rejected: [],
    ...more,
  });

  /** A whole run of `records`, with the deletes. */
  async function sync(records: readonly RecordWrite[], kind: RunKind = "full") {
    const run = await started({ kind });
    await run.commit(page(records));
    if (kind === "full") await run.deleteNotRead();
    return run.end("succeeded");
  }

  const contents = async () =>
    (await all(store.records.list(PATH))).map(({ key, record }) => [
      key,
      (record as { value: unknown }).value,
    ]);

  const feed = async (since = 0) =>
    (await all(store.changes.since(since))).map(({ sequence, operation, key }) => [sequence, operation, key]);

  describe("records", () => {
    it("are counted as inserted, unchanged, updated and deleted", async () => {
      expect(await sync([upsert("id/1", "a"), upsert("id/2", "b"), upsert("id/3", "c")])).to.include({
        inserted: 3,
        unchanged: 0,
      });
      expect(await sync([upsert("id/1", "a"), upsert("id/2", "B"), upsert("id/4", "d")])).to.deep.equal({
        unchanged: 1,
        inserted: 1,
        updated: 1,
        deleted: 1,
        rejected: 0,
      });
      expect(await contents()).to.deep.equal([
        ["id/1", "a"],
        ["id/2", "B"],
        ["id/4", "d"],
      ]);
    });

    it("are found by their key as they were written, whatever text is in them", async () => {
      const values = ["\u0000a", "\ud800", "😀", "'; --", "\n", ""];
      await sync(values.map((value, index) => upsert(`id/${index}/${value === "😀" ? value : ""}`, value)));
      for (const [index, value] of values.entries()) {
        const found = await store.records.get(PATH, `id/${index}/${value === "😀" ? value : ""}`);
        expect(found?.record).to.deep.equal({ value });
      }
      expect(await store.records.get(PATH, "id/none")).to.equal(undefined);
      expect(await store.records.get("no/such/1/object", "id/1")).to.equal(undefined);
    });

    it("take the last of a key that comes more than once in a page", async () => {
      const twice = [upsert("id/1", "a"), upsert("id/1", "b"), upsert("id/2", "x"), upsert("id/1", "a")];
      await sync([...twice, { operation: "delete", key: "id/2" }, upsert("id/2", "y")]);
      expect(await contents()).to.deep.equal([
        ["id/1", "a"],
        ["id/2", "y"],
      ]);
      expect(await sync([upsert("id/1", "a"), upsert("id/2", "y")])).to.include({ unchanged: 2, deleted: 0 });
    });

    it("of one object know nothing of another's", async () => {
      await sync([upsert("id/1", "a")]);
      const other = await started({ object: "tests/app/1/other" });
      await other.commit(page([upsert("id/1", "of the other")]));
      await other.deleteNotRead();
      await other.end("succeeded");
      expect(await contents()).to.deep.equal([["id/1", "a"]]);
      expect(await store.records.count("tests/app/1/other")).to.equal(1);
    });

    it("are listed from a key on, and so many as asked for", async () => {
      await sync(Array.from({ length: 1_203 }, (_, index) => upsert(`id/${10_000 + index}`, index)));
      expect(await contents()).to.have.length(1_203);
      const some = await all(store.records.list(PATH, { after: "id/10500", limit: 700 }));
      const later = await all(store.records.list(PATH, { after: "id/10500", offset: 50, limit: 650 }));
      expect(later).to.deep.equal(some.slice(50));
      expect([some.length, some[0]?.key, some.at(-1)?.key]).to.deep.equal([700, "id/10501", "id/11200"]);
    });

    it("are found by the alternate keys with which they were written last", async () => {
      await sync([upsert("id/1", "a", ["n/1", "m/1"]), upsert("id/2", "b", ["n/2"])]);
      const keysOf = async (alternateKey: string) =>
        (await store.records.find(PATH, alternateKey)).map(({ key }) => key);
      expect([await keysOf("n/1"), await keysOf("m/1"), await keysOf("n/3")]).to.deep.equal([
        ["id/1"],
        ["id/1"],
        [],
      ]);
      await sync([upsert("id/1", "a", ["n/3"])]);
      expect([await keysOf("n/1"), await keysOf("n/2"), await keysOf("n/3")]).to.deep.equal([
        [],
        [],
        ["id/1"],
      ]);
    });

    it("are indexed anew where the schema declares other alternate keys", async () => {
      await sync([upsert("id/1", "a", ["n/1"]), upsert("id/2", "b", ["n/2"])]);
      const keysOf = async (alternateKey: string) =>
        (await store.records.find(PATH, alternateKey)).map(({ key }) => key);
      const interrupted = await started({ alternateKeysVersion: "2" });
      expect(interrupted.needsIndexing).to.equal(true);
      await interrupted.indexAlternateKeys([{ key: "id/1", sequence: 1, alternateKeys: ["m/1"] }], false);
      await interrupted.end("failed");
      const run = await started({ alternateKeysVersion: "2" });
      expect(run.needsIndexing, "after a part of it").to.equal(true);
      await run.commit(page([upsert("id/2", "B", ["m/2"])]));
      const rows = [
        { key: "id/1", sequence: 1, alternateKeys: ["m/1"] },
        { key: "id/2", sequence: 2, alternateKeys: ["of the version before"] },
        { key: "id/none", sequence: 1, alternateKeys: ["m/none"] },
      ];
      await run.indexAlternateKeys(rows, true);
      await run.end("succeeded");
      expect([await keysOf("n/1"), await keysOf("m/1"), await keysOf("m/2")]).to.deep.equal([
        [],
        ["id/1"],
        ["id/2"],
      ]);
      expect(await keysOf("of the version before"), "a record that has changed since").to.deep.equal([]);
      const next = await started({ alternateKeysVersion: "2" });
      expect(next.needsIndexing).to.equal(false);
      await next.end("succeeded");
    });

    it("of an object that has none need no indexing", async () => {
      const run = await started({ alternateKeysVersion: "7" });
      expect(run.needsIndexing).to.equal(false);
      await run.end("succeeded");
    });

    it("that do not fit the schema any more are taken out, unless they have changed since they were read", async () => {
      await sync([upsert("id/1", "a", ["n/1"]), upsert("id/2", "b"), upsert("id/3", "c")]);
      const unfit = (key: string, sequence: number) => {
        const findings = [{ instancePath: "", keyword: "type", expected: "a", actual: "b", message: "" }];
        return {
          key,
          sequence,
          rejected: { operation: "upsert" as const, key, identity: key, findings, record: "{}" },
        };
      };
      const interrupted = await started({ schemaVersion: "2" });
      expect(interrupted.needsValidation).to.equal(true);
      await interrupted.takeOut([], false);
      await interrupted.end("failed");
      const run = await started({ schemaVersion: "2" });
      expect(run.needsValidation, "after a part of it").to.equal(true);
      const kept = { ...unfit("id/3", 3).rejected, record: '{"newer":true}' };
      await run.commit(page([upsert("id/2", "B")], { rejected: [kept] }));
      const counts = await run.takeOut(
        [unfit("id/1", 1), unfit("id/2", 2), unfit("id/3", 3), unfit("id/4", 4)],
        true,
      );
      expect(counts).to.include({ updated: 1, deleted: 2, rejected: 2 });
      await run.end("succeeded");
      expect(await contents()).to.deep.equal([["id/2", "B"]]);
      expect(await store.records.find(PATH, "n/1")).to.deep.equal([]);
      expect(await feed(4)).to.deep.equal([
        [5, "delete", "id/1"],
        [6, "delete", "id/3"],
      ]);
      const rejection = await all(store.rejected.list(PATH));
      expect(rejection.map(({ identity, record }) => [identity, record])).to.deep.equal([
        ["id/3", '{"newer":true}'],
        ["id/1", "{}"],
      ]);
      const next = await started({ schemaVersion: "2" });
      expect(next.needsValidation).to.equal(false);
      await next.end("succeeded");
    });

    it("that were taken out are not among those that the read has met", async () => {
      await sync([upsert("id/1", "a"), upsert("id/2", "b")]);
      const run = await started({ schemaVersion: "2" });
      await run.commit(page([upsert("id/1", "a")]));
      const rejected = {
        operation: "upsert" as const,
        key: "id/1",
        identity: "id/1",
        findings: [],
        record: "{}",
      };
      await run.takeOut([{ key: "id/1", sequence: 1, rejected }], true);
      expect(await run.countNotRead()).to.include({ notRead: 1, cached: 1 });
      await run.end("failed");
    });

    it("of an object that has none fit any schema", async () => {
      const run = await started({ schemaVersion: "7" });
      expect(run.needsValidation).to.equal(false);
      await run.end("succeeded");
    });

    it("are found by keys as long as the cache writer lets them be", async () => {
      const long = (first: string) => `id/${first}${randomBytes(900).toString("base64url")}`.slice(0, 1_200);
      const [key, alternateKey] = [long("k"), long("a")];
      await sync([upsert(key, "a", [alternateKey])]);
      expect((await store.records.get(PATH, key))?.record).to.deep.equal({ value: "a" });
      expect((await store.records.find(PATH, alternateKey)).map((found) => found.key)).to.deep.equal([key]);
    });

    it("that share an alternate key are both kept and named, until they differ", async () => {
      const write = (key: string, alternateKey: string) => upsert(key, key, [alternateKey]);
      await sync([write("id/1", "n/1"), write("id/2", "n/1"), write("id/3", "n/3")]);
      expect(await store.records.sharedKeys(PATH, 10)).to.deep.equal([
        { alternateKey: "n/1", keys: ["id/1", "id/2"] },
      ]);
      await sync([write("id/1", "n/2"), write("id/2", "n/1"), write("id/3", "n/3")]);
      expect(await store.records.sharedKeys(PATH, 10)).to.deep.equal([]);
      await sync([write("id/1", "n/1"), write("id/2", "n/2"), write("id/3", "n/3")]);
      expect(await store.records.sharedKeys(PATH, 10)).to.deep.equal([]);
      expect((await store.records.find(PATH, "n/1")).map(({ key }) => key)).to.deep.equal(["id/1"]);
    });
  });

  describe("changes", () => {
    it("are numbered from 1 without holes, in the order of the writes", async () => {
      await sync([upsert("id/1", "a"), upsert("id/2", "b")]);
      await sync([upsert("id/2", "B"), upsert("id/3", "c")]);
      expect(await feed()).to.deep.equal([
        [1, "insert", "id/1"],
        [2, "insert", "id/2"],
        [3, "update", "id/2"],
        [4, "insert", "id/3"],
        [5, "delete", "id/1"],
      ]);
      expect(await feed(3)).to.have.length(2);
      expect(await store.changes.last()).to.equal(5);
    });

    it("carry the record as it is now, and nothing where it is gone", async () => {
      await sync([upsert("id/1", "a"), upsert("id/2", "b")]);
      await sync([upsert("id/1", "A")]);
      const records = (await all(store.changes.since(0))).map(({ record }) => record);
      expect(records).to.deep.equal([{ value: "A" }, null, { value: "A" }, null]);
    });

    it("are none where nothing changed", async () => {
      await sync([upsert("id/1", "a")]);
      await sync([upsert("id/1", "a")]);
      expect(await feed()).to.have.length(1);
    });

    it("come page by page, of one object where that is asked for", async () => {
      await sync(Array.from({ length: 1_100 }, (_, index) => upsert(`id/${index}`, index)));
      const other = await started({ object: "tests/app/1/other" });
      await other.commit(page([upsert("id/1", "x")]));
      await other.end("succeeded");
      expect(await feed()).to.have.length(1_101);
      expect(await all(store.changes.since(0, { object: "tests/app/1/other" }))).to.have.length(1);
      expect(await all(store.changes.since(500, { limit: 550 }))).to.have.length(550);
    });
  });

  describe("who waits for a change", () => {
    it("is told of one that is there, of one that comes, and that none has come", async () => {
      const none = { timeoutMs: 1 };
      expect(await store.changes.waitFor(0, none)).to.equal(false);
      const waiting = store.changes.waitFor(0);
      await sync([upsert("id/1", "a")]);
      expect(await waiting).to.equal(true);
      expect(await store.changes.waitFor(0, none)).to.equal(true);
      expect(await store.changes.waitFor(1, none)).to.equal(false);
    });

    it("is let go by a signal", async () => {
      const controller = new AbortController();
      const waiting = store.changes.waitFor(0, { signal: controller.signal });
      controller.abort();
      expect(await waiting).to.equal(false);
      expect(await store.changes.waitFor(0, { signal: controller.signal })).to.equal(false);
    });
  });

  describe("the feed's retention", () => {
    const DAY = 24 * 60 * 60 * 1_000;
    const three = () => sync([upsert("id/1", "a"), upsert("id/2", "b"), upsert("id/3", "c")]);
    const expired = async (sequence: number) =>
      expect(await failure(all(store.changes.since(sequence))))
        .to.be.instanceOf(StoreError)
        .and.include({ problem: "expired", retry: "never" });

    it("removes nothing that is young, and nothing of a feed that is empty", async () => {
      expect(await store.changes.prune({ keepMs: 0 })).to.deep.equal({ removed: 0, removedTo: 0 });
      await three();
      expect(await store.changes.prune()).to.deep.equal({ removed: 0, removedTo: 0 });
      expect(await feed()).to.have.length(3);
    });

    it("refuses to read or to stand below what is kept, and numbers go on", async () => {
      await three();
      await sync([upsert("id/1", "A"), upsert("id/2", "b"), upsert("id/3", "c")], "incremental");
      await sleep(5);
      expect(await store.changes.prune({ keepMs: 0 })).to.deep.equal({ removed: 4, removedTo: 4 });
      expect([await store.changes.removedTo(), await store.changes.last()]).to.deep.equal([4, 4]);
      for (const sequence of [0, 3]) await expired(sequence);
      expect(await feed(4)).to.deep.equal([]);
      expect(await failure(store.changes.advance("etl", 3))).to.include({ problem: "expired" });
      expect(await store.changes.consumers()).to.deep.equal([]);
      await sync([upsert("id/9", "x")], "incremental");
      expect(await feed(4)).to.deep.equal([[5, "insert", "id/9"]]);
      expect(await contents()).to.have.length(4);
    });

    it("takes no record out of the count of a run, however much of the feed is gone", async () => {
      const counted = async () => {
        const run = await started();
        const count = await run.countNotRead();
        await run.end("succeeded");
        return count;
      };
      await three();
      expect(await counted()).to.deep.equal({ notRead: 3, cached: 3, unidentified: 0 });
      await perform(store, [upsert("id/4", "d"), { operation: "delete", key: "id/1" }, upsert("id/2", "B")]);
      expect(await counted()).to.include({ cached: 3 });
      await perform(store, [upsert("id/5", "e")]);
      await sleep(5);
      expect(await store.changes.prune({ keepMs: 0 })).to.include({ removedTo: await store.changes.last() });
      for (let round = 0; round < 2; round++) expect(await counted()).to.include({ notRead: 4, cached: 4 });
    });

    it("keeps what a consumer has not dealt with, as long as it is alive", async () => {
      for (const letter of ["a", "b", "c"]) await sync([upsert(`id/${letter}`, letter)], "incremental");
      await store.changes.advance("etl", 1);
      await store.changes.advance("search", 3);
      await store.changes.advance("etl", 0);
      const stand = (await store.changes.consumers()).map(({ name, position }) => [name, position]);
      expect(stand, "a late call does not go back").to.deep.equal([
        ["etl", 1],
        ["search", 3],
      ]);
      await sleep(5);
      expect(await store.changes.prune({ keepMs: 0 })).to.deep.equal({ removed: 1, removedTo: 1 });
      expect(await feed(1)).to.have.length(2);
      expect(await store.changes.prune({ keepMs: 0, consumerMs: 0 })).to.include({ removed: 2 });
      await expired(1);
    });

    it("leaves nothing out of what is just being read", async () => {
      for (let count = 0; count < 26; count++)
        await sync(
          Array.from({ length: 40 }, (_, index) => upsert(`id/${count}/${index}`, count)),
          "incremental",
        );
      const reading = store.changes.since(0)[Symbol.asyncIterator]();
      expect((await reading.next()).value).to.include({ sequence: 1 });
      await sleep(5);
      await store.changes.prune({ keepMs: 0 });
      const rest = await failure(all({ [Symbol.asyncIterator]: () => reading }));
      expect(rest).to.include({ problem: "expired" });
    });

    it("forgets a consumer who will not come again", async () => {
      await three();
      await store.changes.advance("etl", 0);
      await sleep(5);
      expect(await store.changes.prune({ keepMs: 0 })).to.include({ removed: 0 });
      expect([await store.changes.forget("etl"), await store.changes.forget("etl")]).to.deep.equal([
        true,
        false,
      ]);
      expect(await store.changes.prune({ keepMs: 0 })).to.include({ removed: 3 });
    });

    it("lets nobody stand where no change is", async () => {
      await three();
      for (const sequence of [4, -1, 1.5, Number.NaN])
        expect(await failure(store.changes.advance("etl", sequence))).to.be.instanceOf(RangeError);
      const [{ seenAt } = { seenAt: "" }] = await store.changes
        .advance("etl", 3)
        .then(() => store.changes.consumers());
      expect(Math.abs(Date.now() - Date.parse(seenAt))).to.be.below(DAY);
    });

    it("keeps what was changed while a run reads that may be resumed", async () => {
      await three();
      const run = await started();
      await perform(store, [upsert("id/4", "by an action")]);
      await sleep(5);
      expect(await store.changes.prune({ keepMs: 0 })).to.deep.equal({ removed: 3, removedTo: 3 });
      await run.commit(page([upsert("id/1", "a"), upsert("id/2", "b")]));
      expect(await run.countNotRead()).to.include({ notRead: 1, cached: 4 });
      await run.end("failed");
    });
  });

  describe("runs", () => {
    it("exclude each other for an object, in one store and in two, until they end", async () => {
      const second = await place.open();
      try {
        const run = await started();
        expect(await begin()).to.equal(undefined);
        expect(await begin({}, second)).to.equal(undefined);
        const other = await started({ object: "tests/app/1/other" }, second);
        await other.end("succeeded");
        await run.end("succeeded");
        await (await started({}, second)).end("succeeded");
      } finally {
        await second.close();
      }
    });

    it("let go of the object when their store is closed", async () => {
      const second = await place.open();
      await started({}, second);
      await second.close();
      await (await started()).end("succeeded");
      expect((await store.runs.list(PATH, 10)).map(({ state }) => state)).to.deep.equal([
        "succeeded",
        "abandoned",
      ]);
    });

    it("keep a page as a whole or not at all", async () => {
      const run = await started();
      const cyclic: { self?: unknown } = {};
      cyclic.self = cyclic;
      const bad = upsert("id/2", "b");
      Object.assign(bad, { record: cyclic });
      await failure(run.commit(page([upsert("id/1", "a"), bad], { resumePoint: "1" })));
      await run.end("failed");
      expect([await contents(), await feed()]).to.deep.equal([[], []]);
      expect((await started()).resumePoint).to.equal(null);
    });

    it("write nothing after their end", async () => {
      const run = await started();
      await run.end("succeeded");
      const error = await failure(run.commit(page([upsert("id/1", "a")])));
      expect(error).to.be.instanceOf(StoreError).and.include({ problem: "superseded" });
      expect(await contents()).to.deep.equal([]);
    });

    it("save their checkpoint when they succeed, and only then", async () => {
      const first = await started({ kind: "incremental" });
      expect(first.checkpoint).to.equal(null);
      await first.commit(page([], { checkpoint: "2026-01-01" }));
      await first.end("failed");
      const second = await started({ kind: "incremental" });
      expect(second.checkpoint).to.equal(null);
      await second.commit(page([], { checkpoint: "2026-01-02\u0000" }));
      await second.commit(page([upsert("id/1", "a")]));
      await second.end("succeeded");
      const third = await started({ kind: "incremental" });
      expect([third.checkpoint, await store.runs.checkpoint(PATH)]).to.deep.equal([
        "2026-01-02\u0000",
        "2026-01-02\u0000",
      ]);
      await third.end("succeeded");
      expect(await store.runs.checkpoint(PATH)).to.equal("2026-01-02\u0000");
    });

    it("say when the last full read that succeeded began", async () => {
      expect(await store.runs.fullyReadAt(PATH)).to.equal(null);
      await sync([upsert("id/1", "a")], "incremental");
      await (await started()).end("needs-approval");
      await (await started()).end("failed");
      expect(await store.runs.fullyReadAt(PATH)).to.equal(null);
      await sync([upsert("id/1", "a")]);
      await sync([], "incremental");
      const [, full] = await store.runs.list(PATH, 2);
      expect(await store.runs.fullyReadAt(PATH)).to.equal(full?.startedAt);
    });

    it("go on from the last resume point, and know what was read before it", async () => {
      await sync(["1", "2", "3", "4"].map((id) => upsert(`id/${id}`, id)));
      const broken = await started();
      await broken.commit(
        page([upsert("id/1", "1"), upsert("id/2", "changed"), upsert("id/5", "5")], { resumePoint: "p1" }),
      );
      await broken.end("failed", "the target system went away");
      const resumed = await started();
      expect([resumed.id, resumed.resumePoint]).to.deep.equal([broken.id, "p1"]);
      await resumed.commit(page([upsert("id/3", "3")]));
      expect(await resumed.countNotRead()).to.deep.equal({ notRead: 1, cached: 5, unidentified: 0 });
      await resumed.deleteNotRead();
      expect(await resumed.end("succeeded")).to.deep.equal({
        unchanged: 2,
        inserted: 1,
        updated: 1,
        deleted: 1,
        rejected: 0,
      });
      expect((await contents()).map(([key]) => key)).to.deep.equal(["id/1", "id/2", "id/3", "id/5"]);
    });

    it("whose store is closed are resumed behind all that they met, pages that changed nothing included", async () => {
      await sync(["1", "2", "3", "4"].map((id) => upsert(`id/${id}`, id)));
      const left = await started();
      await left.commit(page([upsert("id/1", "1")], { resumePoint: "p1", checkpoint: "c1" }));
      await left.commit(page([upsert("id/2", "2")], { resumePoint: "p2" }));
      await left.commit(page([upsert("id/3", "3")]));
      await store.close();
      store = await place.open();
      const resumed = await started();
      expect([resumed.id, resumed.resumePoint, resumed.counts.unchanged]).to.deep.equal([left.id, "p2", 3]);
      expect(await resumed.countNotRead()).to.deep.equal({ notRead: 1, cached: 4, unidentified: 0 });
      await resumed.end("succeeded");
      expect(await store.runs.checkpoint(PATH)).to.equal("c1");
    });

    it("start over without a resume point, when told to, when it is too old, and when it leads nowhere", async () => {
      const broken = await started();
      await broken.commit(page([upsert("id/1", "1")]));
      await broken.end("failed");
      const interrupt = async (options: Partial<StartRunOptions> = {}) => {
        const run = await started(options);
        if (run.resumePoint === null) await run.commit(page([], { resumePoint: "p1" }));
        await run.end("failed");
        return run.resumePoint;
      };
      expect(await interrupt()).to.equal(null);
      expect(await interrupt({ resume: false })).to.equal(null);
      expect(await interrupt({ resumeWithinMs: -1 })).to.equal(null);
      expect(await interrupt({ kind: "incremental" })).to.equal(null);
      expect(await interrupt({ kind: "incremental" })).to.equal("p1");
      const points: (string | null)[] = [];
      for (let round = 0; round < 4; round++) points.push(await interrupt({ kind: "incremental" }));
      expect(points).to.deep.equal(["p1", "p1", null, "p1"]);
    });

    it("do not take an action's delete for a record that they have met", async () => {
      await sync([upsert("id/1", "1"), upsert("id/2", "2"), upsert("id/3", "3")]);
      const run = await started();
      await run.commit(page([upsert("id/1", "1"), upsert("id/2", "2")]));
      await perform(store, [{ operation: "delete", key: "id/2" }]);
      expect(await run.countNotRead()).to.deep.equal({ notRead: 1, cached: 2, unidentified: 0 });
      await run.deleteNotRead();
      await run.end("succeeded");
      expect(await contents()).to.deep.equal([["id/1", "1"]]);
    });

    it("leave what others have written while they read", async () => {
      await sync([upsert("id/1", "a"), upsert("id/2", "b")]);
      const run = await started();
      await run.commit(page([upsert("id/1", "a")]));
      await perform(store, [upsert("id/3", "c")]);
      expect(await run.countNotRead()).to.deep.equal({ notRead: 1, cached: 3, unidentified: 0 });
      await run.deleteNotRead();
      await run.end("succeeded");
      expect((await contents()).map(([key]) => key)).to.deep.equal(["id/1", "id/3"]);
    });

    it("say what they have not met: neither written, found nor rejected, in this part or before it", async () => {
      await sync(["a", "b", "c", "d"].map((key) => upsert(key, 1)));
      const run = await started();
      const rejected = { operation: "upsert", findings: [], record: null } as const;
      const first = page([upsert("a", 1)], {
        rejected: [
          { ...rejected, key: "c", identity: "c" },
          { ...rejected, identity: "#1" },
        ],
        resumePoint: "1",
      });
      await run.commit(first);
      await run.end("failed");
      const resumed = await started();
      await resumed.commit(page([upsert("b", 2), upsert("e", 1)]));
      const notMet = await resumed.notMet(["a", "b", "c", "d", "e", "f", "#1", "#2"]);
      expect([...notMet]).to.deep.equal(["d", "f", "#2"]);
      expect([...(await resumed.notMet([]))]).to.deep.equal([]);
      await resumed.end("succeeded");
    });

    it("find more rows unseen than fit into a page, and delete them all", async () => {
      const many = Array.from({ length: 25_000 }, (_, index) => upsert(`id/${index}`, index));
      await sync(many);
      expect(await sync(many.filter((_, index) => index % 3 === 0))).to.include({
        unchanged: 8_334,
        deleted: 16_666,
      });
      expect(await store.records.count(PATH)).to.equal(8_334);
      expect((await all(store.changes.since(25_000))).map(({ sequence }) => sequence - 25_000)).to.deep.equal(
        Array.from({ length: 16_666 }, (_, index) => index + 1),
      );
    });

    it("are listed with what became of them", async () => {
      await sync([upsert("id/1", "a")]);
      const run = await started();
      await run.end("needs-approval", "too many deletes\u0000");
      const [last, first] = await store.runs.list(PATH, 10);
      expect(last).to.include({ state: "needs-approval", message: "too many deletes\u0000", kind: "full" });
      expect(first).to.include({ state: "succeeded", inserted: 1, message: null });
      expect(Date.parse(first?.endedAt ?? "")).to.be.at.least(Date.parse(first?.startedAt ?? ""));
    });
  });

  describe("rejected records", () => {
    const finding = {
      instancePath: "/a",
      keyword: "type",
      expected: "string",
      actual: "7",
      message: "/a: …",
    };
    const rejected = (key: string) => ({
      operation: "upsert" as const,
      key,
      identity: key,
      findings: [finding],
      record: '{"a":7}',
    });

    it("are kept with their findings, once each, and keep their row in the cache", async () => {
      await sync([upsert("id/1", "a"), upsert("id/2", "b")]);
      for (const round of [1, 2]) {
        const run = await started();
        await run.commit(page([upsert("id/1", "a")], { rejected: [rejected("id/2"), rejected("id/9")] }));
        expect(await run.countNotRead()).to.deep.equal({ notRead: 0, cached: 2, unidentified: 0 });
        expect(await run.end("succeeded")).to.include({ rejected: 2, deleted: 0 });
        expect(await store.rejected.count(PATH), `round ${round}`).to.equal(2);
      }
      const [first] = await all(store.rejected.list(PATH));
      expect(first).to.deep.include({ object: PATH, key: "id/2", findings: [finding], record: '{"a":7}' });
    });

    it("are still ones whose key nobody knows where another one has their identity", async () => {
      const { key: _, ...nameless } = rejected("id/1");
      for (const pages of [
        [[nameless, rejected("id/1")]],
        [[nameless], [rejected("id/1")]],
        [[rejected("id/1")], [nameless]],
      ]) {
        const run = await started();
        for (const each of pages) await run.commit(page([], { rejected: each }));
        expect(await run.countNotRead()).to.include({ unidentified: 1 });
        await run.end("succeeded");
      }
      const next = await started();
      await next.commit(page([], { rejected: [rejected("id/1")] }));
      expect(await next.countNotRead(), "in another run").to.include({ unidentified: 0 });
      await next.end("succeeded");
    });

    it("are forgotten when a valid record has their key, and when a full read does not meet them", async () => {
      const run = await started();
      await run.commit(page([], { rejected: [rejected("id/1"), rejected("id/2")] }));
      await run.end("succeeded");
      await sync([upsert("id/1", "a")], "incremental");
      expect((await all(store.rejected.list(PATH))).map(({ key }) => key)).to.deep.equal(["id/2"]);
      await sync([upsert("id/1", "a")]);
      expect(await store.rejected.count(PATH)).to.equal(0);
    });

    it("of earlier runs are offered once to be tried again", async () => {
      const run = await started({ kind: "incremental" });
      const nameless = { operation: "upsert" as const, identity: "#1", findings: [], record: "{}" };
      await run.commit(page([], { rejected: [rejected("id/1"), nameless] }));
      expect(await all(run.previouslyRejected())).to.deep.equal([]);
      await run.end("succeeded");
      const next = await started({ kind: "incremental" });
      expect(await all(next.previouslyRejected())).to.deep.equal([rejected("id/1"), nameless]);
      await next.commit(page([upsert("id/7", "x")], { rejected: [rejected("id/1")], recovered: ["#1"] }));
      expect(await all(next.previouslyRejected())).to.deep.equal([]);
      expect(await store.rejected.count(PATH)).to.equal(1);
      await next.end("succeeded");
    });
  });

  describe("the ledger and the source of actions", () => {
    actionsContract(() => store);

    it("are queued as long as there is room for them, and again when there is", async () => {
      const limited = await place.open(undefined, { maxQueuedActions: 3 });
      const add = () => limited.ledger.add({ object: PATH, action: "create", inputJson: "{}" });
      const queued = [await add(), await add(), await add()];
      const taken = await store.source.take({ leaseMs: 60_000, actions: ACTIONS });
      const error = (await failure(add())) as StoreError;
      expect(error).to.be.instanceOf(StoreError).and.include({ problem: "queue-full", retry: "later" });
      expect(error.message).to.include(": 3 actions wait. ");
      expect(await all(store.ledger.list())).to.have.length(queued.length);
      if (taken === undefined) throw new Error("nothing to take");
      await store.ledger.close(taken, { state: "succeeded", resultJson: "{}" });
      const isQueued = () =>
        add().then(
          () => true,
          () => false,
        );
      while (!(await isQueued())) await sleep(50);
      expect((await failure(add())) as StoreError).to.include({ problem: "queue-full" });
      await limited.close();
    });

    it("are not limited by what is no whole number", async () => {
      for (const maxQueuedActions of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
        expect(await failure(place.open(undefined, { maxQueuedActions })))
          .to.be.instanceOf(RangeError)
          .and.have.property(
            "message",
            `maxQueuedActions: expected a whole number from 0 on, found ${maxQueuedActions}`,
          );
    });
  });

  describe("connections", () => {
    const TEST = { definition: "apiKeyAuth", environment: "Test", address: "https://test.example.com" };
    const PRODUCTION = { ...TEST, environment: "Production", address: "https://example.com" };

    it("have a store of their own: the first one that uses it keeps it, also in another store", async () => {
      await store.bind(TEST);
      await store.bind({ ...TEST });
      const second = await place.open();
      try {
        for (const other of [PRODUCTION, { ...TEST, definition: "basicAuth" }, { ...TEST, address: null }]) {
          const error = await failure(second.bind(other));
          expect(error)
            .to.be.instanceOf(StoreError)
            .and.include({ problem: "other-connection", retry: "never" });
        }
        const { message } = (await failure(second.bind(PRODUCTION))) as StoreError;
        expect(message).to.include(
          "belongs to the connection apiKeyAuth (Test, https://test.example.com), not to apiKeyAuth (Production, https://example.com).",
        );
        expect(message).to.include("--store").and.to.include("--adopt-store");
      } finally {
        await second.close();
      }
      await store.bind(TEST);
    });

    it("take a store over where they say so", async () => {
      await store.bind(TEST);
      await store.bind(PRODUCTION, { adopt: true });
      await store.bind(PRODUCTION);
      expect(await failure(store.bind(TEST))).to.include({ problem: "other-connection" });
    });
  });

  describe("records before a change", () => {
    const befores = async () =>
      (await all(store.changes.since(0))).map(({ operation, key, before }) => [operation, key, before]);

    it("are kept of as many of the latest changes as the store is opened for, and no longer than they", async () => {
      const keeping = await place.open("default", { keepBefore: 3 });
      const write = async (records: readonly RecordWrite[]) => {
        const run = await started({}, keeping);
        await run.commit(page(records));
        await run.deleteNotRead();
        await run.end("succeeded");
      };
      const unchanged = [upsert("c", 2), upsert("d", 2)];
      await write([upsert("a", 1), upsert("b", 1), upsert("c", 1), upsert("d", 1)]);
      await write([{ operation: "delete", key: "b" }, upsert("a", 2), ...unchanged]);
      const inserts = ["a", "b", "c", "d"].map((key) => ["insert", key, undefined]);
      expect(await befores(), "the last ones by their numbers, of one page").to.deep.equal([
        ...inserts,
        ["delete", "b", undefined],
        ["update", "a", { value: 1 }],
        ["update", "c", { value: 1 }],
        ["update", "d", { value: 1 }],
      ]);
      await perform(keeping, [upsert("a", 3)]);
      await write(unchanged);
      expect((await befores()).slice(-4)).to.deep.equal([
        ["update", "c", undefined],
        ["update", "d", { value: 1 }],
        ["update", "a", { value: 2 }],
        ["delete", "a", { value: 3 }],
      ]);
      await keeping.changes.prune({ keepMs: -1 });
      expect(await failure(befores())).to.include({ problem: "expired" });
      await write([...unchanged, upsert("e", 1)]);
      expect((await all(keeping.changes.since(10))).map(({ before }) => before)).to.deep.equal([undefined]);
      await keeping.close();
    });

    it("are not kept unless the store is opened for it", async () => {
      await sync([upsert("a", 1)]);
      await sync([upsert("a", 2)]);
      expect(await befores()).to.deep.equal([
        ["insert", "a", undefined],
        ["update", "a", undefined],
      ]);
    });
  });

  describe("tenants", () => {
    let other: Store;
    beforeEach(async () => {
      other = await place.open("other");
    });
    afterEach(() => other.close());

    it("are known to their store", () => {
      const { nameOf = (tenant) => tenant } = place;
      expect([store.tenant, other.tenant]).to.deep.equal([nameOf("default"), nameOf("other")]);
    });

    it("see no records, changes and rejected records of each other, and number their changes from 1", async () => {
      await sync([upsert("id/1", "a", ["n/1"]), upsert("id/2", "b")]);
      expect(await other.records.count(PATH)).to.equal(0);
      expect(await other.records.get(PATH, "id/1")).to.equal(undefined);
      expect(await other.records.find(PATH, "n/1")).to.deep.equal([]);
      expect([await other.changes.last(), await all(other.changes.since(0))]).to.deep.equal([0, []]);
      const run = await started({}, other);
      const findings = [{ instancePath: "", keyword: "type", expected: "a", actual: "b", message: "" }];
      const rejected = [{ operation: "upsert" as const, identity: "#1", findings, record: "{}" }];
      await run.commit(page([upsert("id/1", "of the other", ["n/1"])], { rejected }));
      await run.deleteNotRead();
      await run.end("succeeded");
      expect((await all(other.changes.since(0))).map(({ sequence, key }) => [sequence, key])).to.deep.equal([
        [1, "id/1"],
      ]);
      expect([await other.rejected.count(PATH), await store.rejected.count(PATH)]).to.deep.equal([1, 0]);
      expect(await contents()).to.deep.equal([
        ["id/1", "a"],
        ["id/2", "b"],
      ]);
    });

    it("run the same object at the same time, each with a checkpoint of its own", async () => {
      const [mine, theirs] = [
        await started({ kind: "incremental" }),
        await started({ kind: "incremental" }, other),
      ];
      await mine.commit(page([], { checkpoint: "mine" }));
      await theirs.commit(page([], { checkpoint: "theirs" }));
      await mine.end("succeeded");
      await theirs.end("succeeded");
      expect([await store.runs.checkpoint(PATH), await other.runs.checkpoint(PATH)]).to.deep.equal([
        "mine",
        "theirs",
      ]);
      expect(await store.runs.list(PATH, 10)).to.have.length(1);
    });

    it("take, cancel and list only their own actions", async () => {
      const { id } = await store.ledger.add({ object: PATH, action: "create", inputJson: "{}" });
      expect(await other.source.take({ leaseMs: 1_000, actions: ACTIONS })).to.equal(undefined);
      expect(await other.source.cancelDueBefore(new Date(Date.now() + 1_000).toISOString())).to.equal(0);
      expect(await other.source.requeue(id)).to.equal(false);
      expect([await all(other.ledger.list()), await other.ledger.get(id)]).to.deep.equal([[], undefined]);
      const taken = await store.source.take({ leaseMs: 1_000, actions: ACTIONS });
      if (taken === undefined) throw new Error("nothing to take");
      const late = other.ledger.close(taken, { state: "succeeded", resultJson: "{}" });
      expect(await failure(late)).to.include({ problem: "superseded" });
      expect(await store.ledger.get(id)).to.include({ state: "taken" });
    });
  });
}
