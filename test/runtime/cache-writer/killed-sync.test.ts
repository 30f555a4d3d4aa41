import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { expect } from "chai";
import { oracle, syncTarget, type Target } from "../../support/fake-target.js";
import { endOf, type ItemCache, item, openItemCache, PATH, Replica } from "../../support/item-cache.js";
import { all } from "../../support/promises.js";
import { program, RandomKills } from "../../support/random-kills.js";
import { SLOW_TEST_MS } from "../../support/repository.js";

const KILLS = process.env["SOAK"] === undefined ? 5 : 200;

describe("the cache, filled by processes of their own,", () => {
  let synced: ItemCache;
  beforeEach(async () => {
    synced = await openItemCache();
  });
  afterEach(() => synced.remove());

  it("is written by several at a time, and a reader of the feed misses nothing", async function () {
    this.timeout(SLOW_TEST_MS);
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
    this.timeout(SLOW_TEST_MS);
    const feed = new Replica();
    const kills = new RandomKills();
    for (let killed = 0, round = 0; killed < KILLS; round++) {
      if (round > KILLS * 4) throw new Error(`only ${killed} of ${round} runs were killed`);
      const state = randomTarget(round);
      const before = await synced.contents();
      if (await kills.kill(syncing(synced, state))) killed++;
      await feed.follow(synced.store);
      const result = await syncTarget(synced.store, state);
      expect(result.outcome, result.message ?? "").to.equal("succeeded");
      const after = await synced.contents();
      // Far faster than chai on thousands of records.
      expect(isDeepStrictEqual(after, oracle(state, before)), `the cache in round ${round}`).to.equal(true);
      await feed.follow(synced.store);
      expect(isDeepStrictEqual(feed.records, after), `the feed in round ${round}`).to.equal(true);
    }
  });

  it("is not written by a process while another one reads the same object", async function () {
    this.timeout(SLOW_TEST_MS);
    const state = randomTarget(0);
    let said = "";
    const result = await synced.full(async function* () {
      yield item(1);
      const { child, closed } = syncing(synced, state);
      child.stdout.on("data", (text) => {
        said += String(text);
      });
      await closed;
      yield item(2);
    });
    expect(said).to.equal("gobusy");
    expect(endOf(result)).to.deep.equal({ outcome: "succeeded", inserted: 2 });
    const before = await synced.contents();
    const { closed } = syncing(synced, state);
    await closed;
    expect(isDeepStrictEqual(await synced.contents(), oracle(state, before))).to.equal(true);
  });
});

function randomTarget(round: number): Target {
  const versions: Record<string, number> = {};
  for (let id = 0; id < 2_000; id++) {
    if (Math.random() < 0.9) versions[id] = Math.random() < 0.7 ? 1 : Math.floor(Math.random() * 10);
  }
  return round % 2 === 0 ? { versions } : { versions, resumeEvery: 25 };
}

/** A run in a process of its own. */
function syncing({ file, folder }: ItemCache, state: Target, dataPath = PATH) {
  const path = join(folder, `target-${dataPath.replaceAll("/", "-")}.json`);
  writeFileSync(path, JSON.stringify(state));
  return program("sync-items", file, path, dataPath);
}
