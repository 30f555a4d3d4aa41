import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { expect } from "chai";
import fc from "fast-check";
import { syncObject } from "../../../runtime/cache-writer/sync-object.js";
import { openSqliteStore } from "../../../runtime/store/sqlite/open-store.js";
import type { Store } from "../../../runtime/store/store.js";
import { all, PATH, SILENT } from "../../support/items.js";
import { inRepository, PATIENCE, runs } from "../../support/repository.js";
import { type SyncedItems, syncedItems } from "../../support/synced.js";
import { oracle, type Target, targetObject } from "../../support/targets.js";

const KILLS = process.env["SOAK"] === undefined ? 20 : 200;

describe("the cache, whatever happens to the runs that fill it,", () => {
  let synced: SyncedItems;
  beforeEach(async () => {
    synced = await syncedItems();
  });
  afterEach(() => synced.remove());

  it("comes to the state of the target at the next clean run, and loses nothing to a reader that fails", async function () {
    this.timeout(PATIENCE);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), target, async (steps, last) => {
        const one = await syncedItems();
        const feed = new Replica();
        for (const { target: state, end, at } of steps) {
          const before = await one.contents();
          const result = await interrupted(one, { state, end, at });
          const after = await one.contents();
          if (result !== "succeeded") expect(Object.keys(after)).to.include.members(Object.keys(before));
          await feed.follow(one.store);
        }
        const before = await one.contents();
        const result = await sync(one.store, last, { resume: false });
        expect(result.outcome).to.equal("succeeded");
        expect(await one.contents()).to.deep.equal(oracle(last, before));
        await feed.follow(one.store);
        expect(feed.records).to.deep.equal(await one.contents());
        await one.remove();
      }),
      { numRuns: runs(30) },
    );
  });

  it("is written by several processes at a time, and a reader of the feed misses nothing", async function () {
    this.timeout(PATIENCE);
    const paths = ["tests/app/1/one", "tests/app/1/two", "tests/app/1/three"];
    const ended = Promise.all(paths.map((path) => syncing(synced, randomTarget(0), path).closed));
    let seen = 0;
    const changed: Record<string, number> = {};
    for (let isOver = false, isLast = false; !isLast; isLast = isOver) {
      isOver = await Promise.race([ended.then(() => true), sleep(5).then(() => false)]);
      for (const { sequence, object } of await all(synced.store.changes.since(seen))) {
        if (sequence !== seen + 1) throw new Error(`change ${sequence} came after ${seen}`);
        seen = sequence;
        changed[object] = (changed[object] ?? 0) + 1;
      }
    }
    for (const path of paths) {
      expect(changed[path])
        .to.equal(await synced.store.records.count(path))
        .and.to.be.greaterThan(1_000);
    }
  });

  it(`is what the oracle says after each of ${KILLS} kills and a run, and its feed has no holes`, async function () {
    this.timeout(PATIENCE);
    const feed = new Replica();
    let killed = 0;
    for (let round = 0; round < KILLS; round++) {
      const state = randomTarget(round);
      const before = await synced.contents();
      if (await killedSync(synced, state)) killed++;
      await feed.follow(synced.store);
      const result = await sync(synced.store, state);
      expect(result.outcome, result.message ?? "").to.equal("succeeded");
      const after = await synced.contents();
      // Far faster than chai on thousands of records.
      expect(isDeepStrictEqual(after, oracle(state, before)), `the cache after kill ${round}`).to.equal(true);
      await feed.follow(synced.store);
      expect(isDeepStrictEqual(feed.records, after), `the feed after kill ${round}`).to.equal(true);
    }
    expect(killed).to.be.greaterThan(KILLS / 4);
  });
});

const target: fc.Arbitrary<Target> = fc.record({
  versions: fc.dictionary(fc.integer({ min: 0, max: 14 }).map(String), fc.integer({ min: 0, max: 9 }), {
    maxKeys: 15,
    noNullPrototype: true,
  }),
  resumeEvery: fc.integer({ min: 1, max: 4 }),
});

const step = fc.record({
  target,
  end: fc.constantFrom("clean", "failure", "kill"),
  at: fc.integer({ min: 0, max: 12 }),
});

type Step = { readonly state: Target; readonly end: string; readonly at: number };

function sync(
  store: Store,
  state: Target,
  options: { readonly resume?: boolean; readonly failAt?: number } = {},
) {
  const { signal } = new AbortController();
  return syncObject(targetObject(state, options.failAt), {
    store,
    client: undefined,
    connection: {},
    log: SILENT,
    signal,
    pageSize: 3,
    approveDeletes: true,
    resume: options.resume,
  });
}

/** A run that ends cleanly, by a failure of its reader, or without an end: its store is gone in the middle. */
async function interrupted(one: SyncedItems, { state, end, at }: Step): Promise<string> {
  if (end === "clean") return (await sync(one.store, state)).outcome;
  if (end === "failure") return (await sync(one.store, state, { failAt: at })).outcome;
  const store = await openSqliteStore({ file: one.file });
  const object = targetObject(state);
  const { signal } = new AbortController();
  let read = 0;
  const dying = {
    ...object,
    readerType: "full" as const,
    reader: async function* (context: Parameters<typeof object.reader>[0]) {
      for await (const record of object.reader(context)) {
        if (read++ === at) await store.close();
        yield record;
      }
    },
  };
  const options = {
    store,
    client: undefined,
    connection: {},
    log: SILENT,
    signal,
    pageSize: 3,
    approveDeletes: true,
  };
  const { outcome } = await syncObject(dying, options);
  await store.close();
  return outcome;
}

/** What a reader of the change feed knows who asks again and again from the last number that it saw. */
class Replica {
  #seen = 0;
  readonly #changed = new Map<string, unknown>();

  async follow(store: Store): Promise<void> {
    for (const { sequence, key, operation, record } of await all(
      store.changes.since(this.#seen, { object: PATH }),
    )) {
      if (sequence !== this.#seen + 1) throw new Error(`change ${sequence} came after ${this.#seen}`);
      this.#seen = sequence;
      if (operation === "delete" || record === null) this.#changed.delete(key);
      else this.#changed.set(key, record);
    }
  }

  get records(): Readonly<Record<string, unknown>> {
    return Object.fromEntries(this.#changed);
  }
}

function randomTarget(round: number): Target {
  const versions: Record<string, number> = {};
  for (let id = 0; id < 2_000; id++) {
    if (Math.random() < 0.9) versions[id] = Math.random() < 0.7 ? 1 : Math.floor(Math.random() * 10);
  }
  return round % 2 === 0 ? { versions } : { versions, resumeEvery: 25 };
}

/** A run in a process of its own. */
function syncing({ file, folder }: SyncedItems, state: Target, dataPath = PATH) {
  const path = join(folder, `target-${dataPath.replaceAll("/", "-")}.json`);
  writeFileSync(path, JSON.stringify(state));
  const args = [inRepository("dist/test/support/killed-sync.js"), file, path, dataPath];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  return { child, closed: once(child, "close") };
}

/** Kills such a run at some moment; false where it was done before. */
async function killedSync(synced: SyncedItems, state: Target): Promise<boolean> {
  const { child, closed } = syncing(synced, state);
  await once(child.stdout, "data");
  await sleep(Math.random() * 250);
  child.kill("SIGKILL");
  const [, signal] = await closed;
  return signal === "SIGKILL";
}
