import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { openForWork } from "../../../runtime/store/postgres/open-store.js";
import { localKeys } from "../../../runtime/store/sealing/key-wrapper.js";
import { type DroppingProxy, droppingProxy } from "../../support/dropping-proxy.js";
import { type TestDatabase, testDatabase } from "../../support/postgres.js";
import { all } from "../../support/promises.js";
import { program, programWithMovedClock } from "../../support/random-kills.js";
import { ACTION, KEY, SETTINGS } from "../../support/worked-workspaces.js";

const SOAK = process.env["SOAK"] !== undefined;
const ROUNDS = SOAK ? 6 : 1;
const WORKSPACES = 6;
const ACTIONS = 3;
const SERVED_WITHIN_MS = 60_000;

describe("workers that serve the workspaces of a database", function () {
  this.timeout(SOAK ? 1_800_000 : 150_000);
  let server: TestDatabase | undefined;
  let proxy: DroppingProxy;
  let workers: ReturnType<typeof program>[] = [];
  let isOver = false;
  let names = 0;

  before(async function () {
    server = await testDatabase({ isDurable: true });
    if (server === undefined) return this.skip();
    proxy = await droppingProxy(server.url);
    const begun = [program, programWithMovedClock].map((start) => keepWorking(start));
    await Promise.all(begun);
  });

  after(async () => {
    isOver = true;
    for (const { child } of workers) child.kill("SIGKILL");
    await Promise.all(workers.map(({ closed }) => closed));
    proxy?.close();
    await server?.remove();
  });

  /** Starts a worker, and another one whenever it ends, as who runs it does; resolves when the first has begun. */
  async function keepWorking(start: typeof program): Promise<void> {
    const worker = start("workspace-worker", proxy.url);
    workers.push(worker);
    void worker.closed.then(() => {
      workers = workers.filter((other) => other !== worker);
      if (!isOver) void keepWorking(start);
    });
    await Promise.race([new Promise((resolve) => worker.child.stdout?.once("data", resolve)), worker.closed]);
  }

  const stop = async (worker: ChildProcess) => {
    worker.kill("SIGSTOP");
    return () => worker.kill("SIGCONT");
  };
  const harms = [
    ["one of them is killed", async (worker: ChildProcess) => void worker.kill("SIGKILL")],
    ["one of them stands still", stop],
    ["their connections are cut", async () => proxy.drop()],
    ["the server is killed", async () => server?.crash?.()],
  ] as const;
  // The long forms wait for the leases of workers.
  for (const [what, harm] of SOAK ? harms : harms.slice(0, 1))
    it(`are done with what waits within a minute after ${what}`, async function () {
      if (what === "the server is killed" && server?.crash === undefined) return this.skip();
      if (what.endsWith("still") && process.platform === "win32") return this.skip();
      for (let round = 0; round < ROUNDS; round++) {
        const waiting = await queued();
        await sleep(Math.random() * 500);
        const index = Math.floor(Math.random() * workers.length);
        const goOn = await harm((workers[index] ?? workers[0])?.child as ChildProcess);
        const took = await timeUntilDone(waiting);
        goOn?.();
        expect(took).to.be.lessThan(SERVED_WITHIN_MS);
      }
    });

  async function opened() {
    return openForWork({ url: server?.url ?? "", sealing: { key: localKeys(KEY) } });
  }

  async function queued(): Promise<readonly string[]> {
    const stores = await opened();
    const made = Array.from({ length: WORKSPACES }, () => `workspace ${++names}`);
    for (const name of made) await stores.workspaces.set(name, SETTINGS);
    for (const name of made) {
      const store = await stores.open(name);
      for (let count = 0; count < ACTIONS; count++)
        await store.ledger.add({ ...ACTION, inputJson: JSON.stringify({ id: `${count}` }) });
    }
    await stores.close();
    return made;
  }

  /** Milliseconds until every action of the workspaces has succeeded. */
  async function timeUntilDone(waiting: readonly string[]): Promise<number> {
    const begun = performance.now();
    const stores = await opened();
    for (const name of waiting) {
      const store = await stores.open(name);
      while ((await all(store.ledger.list("succeeded"))).length < ACTIONS) {
        const took = performance.now() - begun;
        if (took > SERVED_WITHIN_MS)
          throw new Error(`${name}: ${JSON.stringify(await all(store.ledger.list()))} after ${took} ms`);
        await sleep(50);
      }
    }
    await stores.close();
    return performance.now() - begun;
  }
});
