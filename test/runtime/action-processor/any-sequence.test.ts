import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import fc from "fast-check";
import { PLANS } from "../../support/action-processor.js";
import { PATH } from "../../support/item-cache.js";
import { all } from "../../support/promises.js";
import { runs, SLOW_TEST_MS } from "../../support/repository.js";
import { DAY_MS, SimulatedQueue } from "../../support/simulated-queue.js";

const plans = fc.array(fc.constantFrom(...PLANS), { maxLength: 6 });

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ queue: plans }) },
  {
    weight: 3,
    arbitrary: fc.record({
      pass: fc.constantFrom(0, 499, 500, 2_000, 59_999, 60_000, DAY_MS, 15 * DAY_MS, -15 * DAY_MS, -90_000),
    }),
  },
  { weight: 4, arbitrary: fc.constant({ run: true }) },
  { weight: 1, arbitrary: fc.record({ retry: fc.nat(9) }) },
);

type Step = { queue?: string[]; pass?: number; run?: boolean; retry?: number };

const CLOSED = /^(?:succeeded|failed|dead|cancelled)$/;

describe("actions, whatever their handlers, workers and clock do,", () => {
  it("end once, are never tried too often or too early, and change the cache once", async function () {
    this.timeout(SLOW_TEST_MS);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 16 }), async (steps) => {
        const folder = mkdtempSync(join(tmpdir(), "connectorcli-actions-"));
        const simulation = new SimulatedQueue(join(folder, "cache.db"));
        for (const step of steps) await takeStep(simulation, step);
        for (let left = 100; left > 0 && openActions(simulation).length > 0; left--) {
          simulation.pass(60_000);
          await simulation.run();
        }
        expect(simulation.violations.join("\n")).to.equal("");
        expect(openActions(simulation)).to.deep.equal([]);
        await expectCache(simulation);
        rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
      }),
      { numRuns: runs(40) },
    );
  });
});

async function takeStep(simulation: SimulatedQueue, { queue, pass, retry }: Step): Promise<void> {
  if (queue !== undefined) await simulation.queue(queue);
  else if (pass !== undefined) simulation.pass(pass);
  else if (retry !== undefined) await simulation.retry(retry);
  else await simulation.run();
}

function openActions({ actions }: SimulatedQueue) {
  return actions.filter(({ state }) => !CLOSED.test(state));
}

/** One insert for each action that succeeded, with what that attempt gave, and nothing else. */
async function expectCache(simulation: SimulatedQueue): Promise<void> {
  const succeeded = simulation.actions.filter(({ record }) => record !== undefined);
  const expected = Object.fromEntries(succeeded.map(({ id, record }) => [`id/a/${id}`, record]));
  await simulation.at(async (store) => {
    const records = await all(store.records.list(PATH));
    const names = records.map(({ key, record }) => [key, (record as { name: string }).name]);
    expect(Object.fromEntries(names)).to.deep.equal(expected);
    const changes = await all(store.changes.since(0));
    expect(changes.map(({ operation, sequence }) => [operation, sequence])).to.deep.equal(
      succeeded.map((_, index) => ["insert", index + 1]),
    );
  });
}
