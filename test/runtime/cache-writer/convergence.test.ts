import { expect } from "chai";
import fc from "fast-check";
import type { RegisteredObject } from "../../../runtime/entries/runtime.js";
import { syncObject } from "../../../runtime/host/index.js";
import { openSqliteStore } from "../../../runtime/store/sqlite/open-store.js";
import {
  type Event,
  eventItem,
  eventsObject,
  eventsOracle,
  oracle,
  type Target,
  targetItems,
  targetObject,
} from "../../support/fake-target.js";
import { type ItemCache, openItemCache, Replica, SILENT } from "../../support/item-cache.js";
import { runs, SLOW_TEST_MS } from "../../support/repository.js";

describe("the cache, whatever happens to the runs that fill it,", () => {
  it("comes to the state of the target at the next clean run, and loses nothing to a reader that fails", async function () {
    this.timeout(SLOW_TEST_MS);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), target, async (steps, last) => {
        const cache = await openItemCache();
        const feed = new Replica();
        for (const { target: state, end, at } of steps) {
          const before = await cache.contents();
          const outcome = await interruptSync(cache, targetObject(state), { end, at });
          const after = await cache.contents();
          if (outcome !== "succeeded") expect(Object.keys(after)).to.include.members(Object.keys(before));
          expectOnly(after, [before, itemsByKey(targetItems(state))]);
          await feed.follow(cache.store);
        }
        const before = await cache.contents();
        expect(
          await interruptSync(cache, targetObject(last), { end: "clean", at: 0, resume: false }),
        ).to.equal("succeeded");
        expect(await cache.contents()).to.deep.equal(oracle(last, before));
        await feed.follow(cache.store);
        expect(feed.records).to.deep.equal(await cache.contents());
        await cache.remove();
      }),
      { numRuns: runs(30) },
    );
  });

  it("comes to what a target's journal says at the next clean run, however reads from checkpoints end", async function () {
    this.timeout(SLOW_TEST_MS);
    await fc.assert(
      fc.asyncProperty(fc.array(reading, { minLength: 1, maxLength: 8 }), async (readings) => {
        const cache = await openItemCache();
        const feed = new Replica();
        const journal: Event[] = [];
        let checkpoint = 0;
        const read = async (ending: Ending) => {
          const from = await cache.store.runs.checkpoint(eventsObject(journal).dataPath);
          expect(Number(from ?? 0), "a checkpoint is that of the last run that succeeded").to.equal(
            checkpoint,
          );
          const before = await cache.contents();
          const outcome = await interruptSync(cache, eventsObject(journal), ending);
          if (outcome === "succeeded") checkpoint = journal.length;
          const after = await cache.contents();
          const deleted = new Set(journal.flatMap((event) => (event.version === null ? [event.id] : [])));
          const kept = Object.keys(before).filter((key) => !deleted.has(Number(key.split("/").at(-1))));
          expect(Object.keys(after), "only what was yielded as deleted goes").to.include.members(kept);
          const read = journal.filter(({ version }) => version !== null).map(eventItem);
          expectOnly(after, [before, ...read.map((item) => itemsByKey([item]))]);
          await feed.follow(cache.store);
          return outcome;
        };
        for (const { events, end, at } of readings) {
          journal.push(...events);
          await read({ end, at });
        }
        expect(await read({ end: "clean", at: 0 })).to.equal("succeeded");
        const contents = await cache.contents();
        expect(contents).to.deep.equal(eventsOracle(journal));
        expect(feed.records).to.deep.equal(contents);
        await cache.remove();
      }),
      { numRuns: runs(30) },
    );
  });
});

const id = fc.integer({ min: 0, max: 14 });
const version = fc.integer({ min: 0, max: 9 });

const target: fc.Arbitrary<Target> = fc.record({
  versions: fc.dictionary(id.map(String), version, { maxKeys: 15, noNullPrototype: true }),
  resumeEvery: fc.integer({ min: 1, max: 4 }),
});

const ending = { end: fc.constantFrom("clean", "failure", "kill"), at: fc.integer({ min: 0, max: 12 }) };
const step = fc.record({ target, ...ending });
const reading = fc.record({
  events: fc.array(fc.record({ id, version: fc.option(version, { freq: 3 }) }), { maxLength: 10 }),
  ...ending,
});

interface Ending {
  readonly end: string;
  /** Records that are read before the end. */
  readonly at: number;
  readonly resume?: boolean;
}

/** A run that ends cleanly, by a failure of its reader, or without an end: its store is gone in the middle. */
async function interruptSync(
  cache: ItemCache,
  object: RegisteredObject,
  { end, at, resume }: Ending,
): Promise<string> {
  const store = await openSqliteStore({ file: cache.file });
  let read = 0;
  async function* cut<Item>(items: AsyncIterable<Item>) {
    for await (const item of items) {
      if (end !== "clean" && read++ === at) {
        if (end === "failure") throw new Error("the target system went away");
        await store.close();
      }
      yield item;
    }
  }
  const dying: RegisteredObject =
    object.readerType === "full"
      ? { ...object, reader: (context) => cut(object.reader(context)) }
      : { ...object, reader: (context) => cut(object.reader(context)) };
  const { signal } = new AbortController();
  const { outcome } = await syncObject(dying, {
    ...{ store, client: undefined, connection: {}, log: SILENT, signal },
    pageSize: 3,
    approveDeletes: true,
    rejectedLimit: { maxShare: 1 },
    resume,
  });
  await store.close();
  return outcome;
}

/** Every record in the cache is one that was there before or one that the target had: nothing is made up or mixed. */
function expectOnly(
  after: Readonly<Record<string, unknown>>,
  sources: readonly Readonly<Record<string, unknown>>[],
): void {
  for (const [key, record] of Object.entries(after)) {
    const candidates = sources.flatMap((source) => (key in source ? [JSON.stringify(source[key])] : []));
    expect(candidates).to.include(JSON.stringify(record));
  }
}

function itemsByKey(items: readonly { readonly id: number }[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(items.map((item) => [`id/a/${item.id}`, item]));
}
