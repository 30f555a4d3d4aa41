import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { succeeded } from "../../../runtime/registration/contracts.js";
import { all, item } from "../../support/items.js";
import { queued, run } from "../../support/processed.js";
import { inRepository, PATIENCE } from "../../support/repository.js";
import { type SyncedItems, syncedItems } from "../../support/synced.js";

const KILLS = process.env["SOAK"] === undefined ? 10 : 200;
const ACTIONS_A_KILL = 8;

describe("an action whose worker is killed", () => {
  let synced: SyncedItems;
  beforeEach(async () => {
    synced = await syncedItems();
  });
  afterEach(() => synced.remove());

  it(`is performed again and has its effect on the cache once, after each of ${KILLS} kills`, async function () {
    this.timeout(PATIENCE);
    const effects = join(synced.folder, "effects");
    writeFileSync(effects, "");
    for (let kill = 0; kill < KILLS; kill++) {
      for (let index = 0; index < ACTIONS_A_KILL; index++)
        await queued(synced.store, { name: String(kill * ACTIONS_A_KILL + index) });
      await killedAfter(Math.random() * 60, synced.file, effects);
    }
    const cut = (await all(synced.store.queue.list("taken"))).length;
    // The last of them were left in a dead worker's hands.
    await sleep(60);
    const finish = async (input: unknown) => {
      const name = String(Reflect.get(input as object, "name"));
      const record = { ...item(Number(name)), name: `done ${name}` };
      return succeeded({ id: 1 }, [{ dataObject: "Item", operation: "upsert", record } as const]);
    };
    await run(synced.store, finish, { retry: { maxAttempts: 1_000 } });
    const actions = await all(synced.store.queue.list());
    expect(actions).to.have.length(KILLS * ACTIONS_A_KILL);
    expect(actions.filter(({ state }) => state !== "succeeded")).to.deep.equal([]);
    const changes = await all(synced.store.changes.since(0));
    expect(changes.map(({ operation }) => operation)).to.deep.equal(actions.map(() => "insert"));
    expect(new Set(changes.map(({ key }) => key)).size).to.equal(actions.length);
    expect(changes.map(({ sequence }) => sequence)).to.deep.equal(actions.map((_, index) => index + 1));
    // Some were killed between the call and the commit: the target saw them twice, under one key.
    const lines = readFileSync(effects, "utf8").trim().split("\n");
    const keys = new Map(lines.map((line) => line.split(" ", 2) as [string, string]));
    for (const line of lines) expect(keys.get(line.split(" ")[0] ?? "")).to.equal(line.split(" ")[1]);
    const again = actions.filter(({ attempts }) => attempts > 1);
    expect(again.length + cut).to.be.greaterThan(0);
  });
});

async function killedAfter(milliseconds: number, file: string, effects: string): Promise<void> {
  const program = inRepository("dist/test/support/killed-worker.js");
  const child = spawn(process.execPath, [program, file, effects], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  await sleep(milliseconds);
  child.kill("SIGKILL");
  await once(child, "close");
}
