import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect } from "chai";
import { openSqliteStore } from "../../../runtime/store/sqlite/open-store.js";
import { itemOf, type State } from "../../support/fake-target.js";
import { type ItemCache, openItemCache, PATH } from "../../support/item-cache.js";
import { startedProcess } from "../../support/processes.js";
import type { Synced } from "../../support/programs/sync-over-http.js";
import { inRepository, SLOW_TEST_MS } from "../../support/repository.js";

const SIZES = process.env["SOAK"] === undefined ? [10_000] : [100_000, 1_000_000];
const MOST_GROWTH = 1.3;

describe("the cache writer, against a large target system over HTTP in a process of its own,", () => {
  let synced: ItemCache;
  let target: ChildProcess;
  before(async () => {
    synced = await openItemCache();
    target = startedProcess(fork(inRepository("dist/test/support/programs/http-target.js")));
  });
  after(async () => {
    target.disconnect();
    await synced.remove();
  });

  async function run(file: string, state: State): Promise<Synced> {
    const answered = once(target, "message");
    target.send(state);
    const [port] = await answered;
    const args = [
      inRepository("dist/test/support/programs/sync-over-http.js"),
      file,
      `http://127.0.0.1:${port}`,
    ];
    const child = startedProcess(spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] }));
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (more: string) => {
      text += more;
    });
    await once(child, "close");
    return JSON.parse(text);
  }

  it(`counts exactly over ${SIZES.join(" and ")} records, in memory that does not grow with them`, async function () {
    this.timeout(SLOW_TEST_MS);
    const megabytes: number[][] = [];
    for (const total of SIZES) {
      const file = join(synced.folder, `${total}.db`);
      const onePercent = total / 100;
      const unchanged = { total, changed: false, deleted: false };
      const changed = { ...unchanged, changed: true };
      const deleted = { ...changed, deleted: true };
      const runs = [
        await run(file, unchanged),
        await run(file, unchanged),
        await run(file, changed),
        await run(file, deleted),
      ];
      expect(runs.map(({ end }) => end)).to.deep.equal([
        { outcome: "succeeded", inserted: total },
        { outcome: "succeeded", unchanged: total },
        { outcome: "succeeded", unchanged: total - onePercent, updated: onePercent },
        { outcome: "succeeded", unchanged: total - onePercent, deleted: onePercent },
      ]);
      await expectHeld(file, deleted);
      megabytes.push(runs.map((result) => result.megabytes));
      if (process.env["SOAK"] !== undefined) tell(total, runs);
    }
    const [small = [], large = small] = megabytes;
    for (const [index, most] of large.entries()) {
      expect(most, `run ${index + 1}, in MB`).to.be.at.most((small[index] ?? 0) * MOST_GROWTH);
    }
  });
});

/** The store holds what the target has and nothing else, and the feed says how it came to that. */
async function expectHeld(file: string, state: State): Promise<void> {
  const store = await openSqliteStore({ file });
  let count = 0;
  for (let index = 0; index < state.total; index++) {
    const item = itemOf(index, state);
    if (item !== undefined) count++;
    if (index % 97 > 1) continue;
    const key = `id/a/${itemOf(index, { ...state, deleted: false })?.id}`;
    expect((await store.records.get(PATH, key))?.record, key).to.deep.equal(item);
  }
  expect(await store.records.count(PATH)).to.equal(count);
  const operations: Record<string, number> = {};
  let last = 0;
  for await (const { sequence, operation } of store.changes.since(0)) {
    if (sequence !== last + 1) throw new Error(`change ${sequence} came after ${last}`);
    last = sequence;
    operations[operation] = (operations[operation] ?? 0) + 1;
  }
  const onePercent = state.total / 100;
  expect(operations).to.deep.equal({ insert: state.total, update: onePercent, delete: onePercent });
  await store.close();
}

/** The figures of a soak, for who runs it. */
function tell(total: number, runs: readonly Synced[]): void {
  const figures = runs.map(({ seconds, megabytes }) => {
    return `${Math.round(total / seconds)} records/s, ${Math.round(megabytes)} MB`;
  });
  process.stderr.write(`      ${total} records: ${figures.join("; ")}\n`);
}
