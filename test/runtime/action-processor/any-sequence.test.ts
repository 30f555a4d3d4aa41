import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import fc from "fast-check";
import { ActedWorld, DAY_MS } from "../../support/acted-world.js";
import { all, PATH } from "../../support/items.js";
import { PLANS } from "../../support/planned-outcomes.js";
import { PATIENCE, runs } from "../../support/repository.js";

const plans = fc.array(fc.constantFrom(...PLANS), { maxLength: 6 });

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ queue: plans }) },
  {
    weight: 3,
    arbitrary: fc.record({ pass: fc.constantFrom(0, 499, 500, 2_000, 59_999, 60_000, 15 * DAY_MS) }),
  },
  { weight: 4, arbitrary: fc.constant({ run: true }) },
  { weight: 1, arbitrary: fc.record({ retry: fc.nat(9) }) },
);

type Step = { queue?: string[]; pass?: number; run?: boolean; retry?: number };

const CLOSED = /^(?:succeeded|failed|dead|cancelled)$/;

describe("actions, whatever their handlers, workers and clock do,", () => {
  it("end once, are never tried too often or too early, and change the cache once", async function () {
    this.timeout(PATIENCE);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 16 }), async (steps) => {
        const folder = mkdtempSync(join(tmpdir(), "connectorcli-actions-"));
        const world = new ActedWorld(join(folder, "cache.db"));
        for (const one of steps) await taken(world, one);
        for (let left = 100; left > 0 && openActions(world).length > 0; left--) {
          world.pass(60_000);
          await world.run();
        }
        expect(world.violations.join("\n")).to.equal("");
        expect(openActions(world)).to.deep.equal([]);
        await expectCache(world);
        rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
      }),
      { numRuns: runs(40) },
    );
  });
});

async function taken(world: ActedWorld, { queue, pass, retry }: Step): Promise<void> {
  if (queue !== undefined) await world.queue(queue);
  else if (pass !== undefined) world.pass(pass);
  else if (retry !== undefined) await world.retry(retry);
  else await world.run();
}

function openActions({ actions }: ActedWorld) {
  return actions.filter(({ state }) => !CLOSED.test(state));
}

/** One insert for each action that succeeded, with what that attempt gave, and nothing else. */
async function expectCache(world: ActedWorld): Promise<void> {
  const succeeded = world.actions.filter(({ record }) => record !== undefined);
  const expected = Object.fromEntries(succeeded.map(({ id, record }) => [`id/a/${id}`, record]));
  await world.at(async (store) => {
    const records = await all(store.records.list(PATH));
    const names = records.map(({ key, record }) => [key, (record as { name: string }).name]);
    expect(Object.fromEntries(names)).to.deep.equal(expected);
    const changes = await all(store.changes.since(0));
    expect(changes.map(({ operation, sequence }) => [operation, sequence])).to.deep.equal(
      succeeded.map((_, index) => ["insert", index + 1]),
    );
  });
}
