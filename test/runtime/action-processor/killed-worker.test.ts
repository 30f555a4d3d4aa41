import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { appliedAction, queueAction, run } from "../../support/action-processor.js";
import { type ItemCache, openItemCache, Replica } from "../../support/item-cache.js";
import { all } from "../../support/promises.js";
import { program, RandomKills } from "../../support/random-kills.js";
import { SLOW_TEST_MS } from "../../support/repository.js";

const KILLS = process.env["SOAK"] === undefined ? 6 : 200;
const ACTIONS_A_KILL = 8;

describe("an action whose worker is killed", () => {
  let synced: ItemCache;
  beforeEach(async () => {
    synced = await openItemCache();
  });
  afterEach(() => synced.remove());

  it(`is performed by the next run and has its effect on the cache once, after each of ${KILLS} kills`, async function () {
    this.timeout(SLOW_TEST_MS);
    const effects = join(synced.folder, "effects");
    writeFileSync(effects, "");
    const feed = new Replica();
    const kills = new RandomKills();
    let count = 0;
    for (let killed = 0, round = 0; killed < KILLS; round++) {
      if (round > KILLS * 4) throw new Error(`only ${killed} of ${round} workers were killed`);
      for (let index = 0; index < ACTIONS_A_KILL; index++)
        await queueAction(synced.store, { name: String(count++) });
      if (await kills.kill(program("perform-actions", synced.file, effects))) killed++;
      await runToEnd(synced, effects);
      await feed.follow(synced.store);
      expect(feed.records, `the feed in round ${round}`).to.deep.equal(await synced.contents());
      expect(feed.changes.size, `records in round ${round}`).to.equal(count);
      expect(Math.max(...feed.changes.values()), `changes of one record in round ${round}`).to.equal(1);
    }
    const actions = await all(synced.store.ledger.list());
    expect(actions).to.have.length(count);
    expect(actions.filter(({ state }) => state !== "succeeded")).to.deep.equal([]);
    const attempts = new Map(actions.map(({ id, attempts }) => [String(id - 1), attempts]));
    expect([...attempts.values()].some((tries) => tries > 1)).to.equal(true);
    expectLedger(readFileSync(effects, "utf8").trim().split("\n"), attempts);
  });
});

/** Performs what is left; one action may still be in the hands of the dead. */
async function runToEnd({ store }: ItemCache, effects: string): Promise<void> {
  for (;;) {
    await run(store, appliedAction(effects), { retry: { maxAttempts: 1_000 } });
    if ((await all(store.ledger.list("taken"))).length === 0) break;
    await sleep(10);
  }
  expect(await all(store.ledger.list("queued"))).to.deep.equal([]);
}

/** The target system is called again only where a worker was lost; it is told so, under the same key. */
function expectLedger(lines: readonly string[], attempts: ReadonlyMap<string, number>): void {
  const calls = new Map<string, { key: string; count: number }>();
  for (const line of lines) {
    const [name = "", key = "", previous] = line.split(" ");
    const before = calls.get(name);
    if (before !== undefined) {
      expect(key, line).to.equal(before.key);
      expect(previous, line).to.be.oneOf(["intent", "sent"]);
    }
    calls.set(name, { key, count: (before?.count ?? 0) + 1 });
  }
  expect(calls.size).to.equal(attempts.size);
  expect(new Set([...calls.values()].map(({ key }) => key)).size).to.equal(attempts.size);
  for (const [name, { count }] of calls) expect(count).to.be.at.most(attempts.get(name) ?? 0);
}
