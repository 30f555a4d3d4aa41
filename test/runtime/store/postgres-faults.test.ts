import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { openPostgresStore } from "../../../runtime/store/postgres/open-store.js";
import type { Change, Store } from "../../../runtime/store/store.js";
import { type DroppingProxy, droppingProxy } from "../../support/dropping-proxy.js";
import { type TestDatabase, testDatabase } from "../../support/postgres.js";
import { all } from "../../support/promises.js";
import { program, programWithMovedClock } from "../../support/random-kills.js";
import { ACTION, KEYS, OBJECT, OLD, recordAt } from "../../support/worked-store.js";

const SOAK = process.env["SOAK"] !== undefined;
const ACTIONS = 12;
/** How often a tenant's whole work is done by two workers while this harms them, and the most harms of each time. */
interface Harm {
  readonly what: string;
  readonly harm: (worker: ChildProcess) => unknown;
  readonly rounds: number;
  /** So many that the work is disturbed all over, and so few that it ends. */
  readonly most: number;
  readonly start?: typeof program;
  /** Takes too long for the short form. */
  readonly isLong?: true;
}

describe("two workers on a database, whatever happens to them", function () {
  this.timeout(SOAK ? 7_200_000 : 120_000);
  let server: TestDatabase | undefined;
  let proxy: DroppingProxy;

  before(async function () {
    // What was committed is to be there after the server was killed.
    server = await testDatabase({ isDurable: true });
    if (server === undefined) return this.skip();
    proxy = await droppingProxy(server.url);
  });
  after(async () => {
    proxy?.close();
    await server?.remove();
  });

  const HARMS: readonly Harm[] = [
    { what: "are killed", harm: (worker) => void worker.kill("SIGKILL"), rounds: 60, most: 8 },
    {
      what: "stand still for a while, longer than their leases",
      harm: freeze,
      rounds: 40,
      most: 8,
      isLong: true,
    },
    { what: "lose their connections", harm: () => proxy.drop(), rounds: 50, most: 8 },
    { what: "see the server killed", harm: () => server?.crash?.(), rounds: 20, most: 3, isLong: true },
    {
      ...{ what: "have clocks that are moved, and are killed", start: programWithMovedClock },
      ...{ harm: (worker) => void worker.kill("SIGKILL"), rounds: 30, most: 4 },
    },
  ];
  for (const { what, rounds, ...harm } of HARMS.filter(({ isLong }) => SOAK || isLong !== true))
    it(`lose no record, leave no hole in the feed and have every effect once where they ${what}`, async function () {
      if (what === "see the server killed" && server?.crash === undefined) return this.skip();
      if (what.startsWith("stand still") && process.platform === "win32") return this.skip();
      for (let round = 0; round < (SOAK ? rounds : 1); round++) await oneRound(`${what} ${round}`, harm);
    });

  async function oneRound(
    tenant: string,
    { harm, most, start = program }: Omit<Harm, "what" | "rounds">,
  ): Promise<void> {
    const newWorker = () => start("postgres-worker", proxy.url, tenant);
    const store = await openPostgresStore({ url: server?.url ?? "", tenant });
    const before = await store.runs.start({
      ...{ object: OBJECT, kind: "full", alternateKeysVersion: "1", schemaVersion: "1", resume: false },
      resumeWithinMs: 0,
    });
    await before?.commit({
      records: Array.from({ length: OLD }, (_, index) => recordAt(`old/${index}`)),
      rejected: [],
    });
    await before?.end("needs-approval");
    for (let count = 0; count < ACTIONS; count++) await store.ledger.add({ ...ACTION, inputJson: "{}" });
    await harmed(newWorker, { harm, most: SOAK ? most : 2 });
    await check(store);
    await store.close();
  }

  /** Harms one worker after the other until both have ended by themselves; one that was killed is followed by another. */
  async function harmed(
    newWorker: () => ReturnType<typeof program>,
    { harm, most }: Pick<Harm, "harm" | "most">,
  ): Promise<void> {
    const workers = [newWorker(), newWorker()];
    const state = workers.map(() => ({ isDone: false }));
    const follow = (index: number, worker: ReturnType<typeof program>) => {
      void worker.closed.then(([status]) => {
        if (status === 0) Object.assign(state[index] ?? {}, { isDone: true });
        else {
          workers[index] = newWorker();
          follow(index, workers[index]);
        }
      });
    };
    for (const [index, worker] of workers.entries()) follow(index, worker);
    let harms = 0;
    while (!state.every(({ isDone }) => isDone)) {
      await sleep(100 + Math.random() * 400);
      const index = state.findIndex(({ isDone }) => !isDone);
      const worker = workers[Math.random() < 0.5 || index === -1 ? Math.max(0, index) : 1 - index]?.child;
      if (worker !== undefined && worker.exitCode === null && harms++ < most) await harm(worker);
    }
  }

  async function check(store: Store): Promise<void> {
    expect((await all(store.records.list(OBJECT))).map(({ key }) => key)).to.deep.equal(KEYS);
    const changes = await all(store.changes.since(0));
    expect(changes.map(({ sequence }) => sequence)).to.deep.equal(changes.map((_, index) => index + 1));
    expect(await store.changes.last()).to.equal(changes.length);
    const made = (object: string, operation: Change["operation"]) =>
      changes.filter((change) => change.object === object && change.operation === operation).length;
    expect([made(OBJECT, "insert"), made(OBJECT, "update"), made(OBJECT, "delete")]).to.deep.equal([
      ...[KEYS.length + OLD, 0, OLD],
    ]);
    expect([made(ACTION.object, "insert"), made(ACTION.object, "update")]).to.deep.equal([ACTIONS, 0]);
    expect(await all(store.ledger.list("succeeded"))).to.have.length(ACTIONS);
    const [last] = await store.runs.list(OBJECT, 1);
    expect(last).to.include({ state: "succeeded" });
  }
});

async function freeze(worker: ChildProcess): Promise<void> {
  worker.kill("SIGSTOP");
  await sleep(700);
  worker.kill("SIGCONT");
}
