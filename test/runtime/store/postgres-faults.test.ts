import type { ChildProcess } from "node:child_process";
import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { openPostgresStore } from "../../../runtime/store/postgres/open-store.js";
import type { Change, Store } from "../../../runtime/store/store.js";
import { type TestDatabase, testDatabase } from "../../support/postgres.js";
import { all } from "../../support/promises.js";
import { program } from "../../support/random-kills.js";
import { ACTION, KEYS, OBJECT, OLD, recordAt } from "../../support/worked-store.js";

const SOAK = process.env["SOAK"] !== undefined;
/** Each round is a tenant's whole work by two workers, with faults all the while. */
const ROUNDS = SOAK ? 200 : 2;
const ACTIONS = 12;
/** So many that the work is disturbed all over, and so few that it ends. */
const MOST_HARMS = SOAK ? 8 : 2;

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

  for (const [what, harm] of [
    ["are killed", (worker: ChildProcess) => void worker.kill("SIGKILL")],
    ["stand still for a while, longer than their leases", freeze],
    ["lose their connections", () => proxy.drop()],
    ["see the server killed", () => server?.crash?.()],
  ] as const) {
    it(`lose no record, leave no hole in the feed and have every effect once where they ${what}`, async function () {
      if (what === "see the server killed" && server?.crash === undefined) return this.skip();
      if (what.startsWith("stand still") && process.platform === "win32") return this.skip();
      const rounds = SOAK ? ROUNDS / 4 : ROUNDS / 2;
      for (let round = 0; round < rounds; round++) await oneRound(`${what} ${round}`, harm);
    });
  }

  async function oneRound(tenant: string, harm: (worker: ChildProcess) => unknown): Promise<void> {
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
    const workers = [newWorker(tenant), newWorker(tenant)];
    await harmed(workers, tenant, harm);
    await check(store);
    await store.close();
  }

  const newWorker = (tenant: string) => program("postgres-worker", proxy.url, tenant);

  /** Harms one worker after the other until both have ended by themselves; one that was killed is followed by another. */
  async function harmed(
    workers: ReturnType<typeof program>[],
    tenant: string,
    harm: (worker: ChildProcess) => unknown,
  ): Promise<void> {
    const state = workers.map(() => ({ isDone: false }));
    const follow = (index: number, worker: ReturnType<typeof program>) => {
      void worker.closed.then(([status]) => {
        if (status === 0) Object.assign(state[index] ?? {}, { isDone: true });
        else {
          workers[index] = newWorker(tenant);
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
      if (worker !== undefined && worker.exitCode === null && harms++ < MOST_HARMS) await harm(worker);
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

interface DroppingProxy {
  readonly url: string;
  /** Ends all connections in the middle of whatever they do. */
  drop(): void;
  close(): void;
}

/** A way to the database that can be cut. */
async function droppingProxy(target: string): Promise<DroppingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const server: Server = createServer((from) => {
    const to = connect(Number(port), hostname);
    for (const socket of [from, to]) {
      sockets.add(socket);
      socket
        .on("error", () => {})
        .on("close", () => {
          sockets.delete(socket);
          from.destroy();
          to.destroy();
        });
    }
    from.pipe(to).pipe(from);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = new URL(target);
  url.hostname = "127.0.0.1";
  url.port = String(typeof address === "object" ? address?.port : 0);
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    ...{ url: url.href, drop },
    close: () => {
      server.close();
      drop();
    },
  };
}
