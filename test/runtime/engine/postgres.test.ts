import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import pg from "pg";
import type { Engine } from "../../../runtime/engine/engine.js";
import { postgresEngine } from "../../../runtime/engine/postgres-engine.js";
import { Database } from "../../../runtime/store/postgres/database.js";
import { openPostgres, type PostgresStores } from "../../../runtime/store/postgres/open-store.js";
import { SILENT } from "../../support/item-cache.js";
import { type TestDatabase, testDatabase } from "../../support/postgres.js";
import { deferred } from "../../support/promises.js";
import { engineContract } from "./contract.js";

const ACTION = { object: "tests/app/1/item", action: "create", inputJson: "{}" };

describe("the engine on PostgreSQL", function () {
  this.timeout(60_000);
  let test: TestDatabase | undefined;
  let stores: PostgresStores;
  let database: Database;
  let engine: Engine;
  let names = 0;

  before(async function () {
    test = await testDatabase();
    if (test === undefined) return this.skip();
    stores = await openPostgres({ url: test.url });
    database = await Database.open({ url: test.url, maxConnections: 10 });
    engine = postgresEngine(database, test.url);
  });

  after(async () => {
    await database?.close();
    await stores?.close();
    await test?.remove();
  });

  async function workspaces(count: number): Promise<readonly string[]> {
    const made = Array.from({ length: count }, () => `workspace ${++names}`);
    for (const name of made) await stores.open(name);
    return made;
  }

  engineContract(async () => ({ engine, workspaces, remove: async () => {} }));

  describe("and its tables", () => {
    let name: string;
    let client: pg.Client;

    beforeEach(async () => {
      [name = ""] = await workspaces(1);
      client = new pg.Client({ connectionString: test?.url });
      await client.connect();
    });

    afterEach(() => client.end());

    const QUEUED = `INSERT INTO connectorcli.actions (workspace, object, action, state, queued_at, due_at, input)
      SELECT id, 'o', 'a', 'queued', now(), now(), '{}' FROM connectorcli.workspaces WHERE name = $1`;

    async function servedWhile(
      task: (served: readonly string[]) => Promise<void>,
    ): Promise<readonly string[]> {
      const served: string[] = [];
      const last = deferred();
      const [end = ""] = await workspaces(1);
      const serve = async ({ workspace }: { workspace: string }) => {
        if (workspace === end) last.resolve();
        else served.push(workspace);
      };
      const worker = await engine.work({ slots: { act: 1, sync: 1 }, log: SILENT, serve });
      await task(served);
      // What was woken before is served before.
      await engine.wake({ kind: "act", workspace: end });
      await last.promise;
      await worker.stop();
      return served;
    }

    it("wakes for an action that is queued, in the same transaction or not at all", async () => {
      const served = await servedWhile(async () => {
        await client.query("BEGIN");
        await client.query(QUEUED, [name]);
        await client.query("ROLLBACK");
      });
      expect(served).to.deep.equal([]);
      const store = await stores.open(name);
      expect(await servedWhile(async () => void (await store.ledger.add(ACTION)))).to.deep.equal([name]);
    });

    it("wakes for an action that is queued again, and not for one that is tried again later", async () => {
      const store = await stores.open(name);
      await store.ledger.add(ACTION);
      const taken = await store.source.take({ leaseMs: 60_000, actions: [ACTION] });
      if (taken === undefined) throw new Error("nothing was taken");
      await servedWhile(async () => {});
      const dueAt = new Date(Date.now() + 3_600_000).toISOString();
      const retried = servedWhile(() => store.source.retry(taken, { dueAt, failureJson: "{}" }));
      expect(await retried).to.deep.equal([]);
      const requeued = servedWhile(async () => void (await store.source.requeue(taken.id)));
      expect(await requeued).to.deep.equal([name]);
    });

    it("lets a transaction that stays open hold up nobody else who queues in the workspace", async () => {
      await servedWhile(async () => {});
      await client.query("BEGIN");
      await client.query(QUEUED, [name]);
      const other = new pg.Client({ connectionString: test?.url, lock_timeout: 2_000 });
      await other.connect();
      await other.query(QUEUED, [name]);
      await other.end();
      await client.query("COMMIT");
      const served = await servedWhile(async () => {});
      expect(new Set(served)).to.deep.equal(new Set([name]));
    });

    it("goes on where the end of a wake-up can't be told, also while another one is still served", async () => {
      const [slowly = "", next = ""] = await workspaces(2);
      const [begun, failed, served, end] = [deferred(), deferred(), deferred(), deferred()];
      // Each would end a process.
      const uncaught: unknown[] = [];
      const note = (error: unknown) => void uncaught.push(error);
      process.on("unhandledRejection", note);
      const worker = await engine.work({
        slots: { act: 2, sync: 1 },
        log: SILENT,
        serve: async ({ workspace }) => {
          if (workspace === slowly) {
            begun.resolve();
            await end.promise;
          }
          if (workspace === name) failed.resolve();
          if (workspace === next) served.resolve();
        },
      });
      await engine.wake({ kind: "act", workspace: slowly });
      await begun.promise;
      await client.query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''not now''; END';
        CREATE TRIGGER fail BEFORE DELETE ON graphile_worker._private_jobs EXECUTE FUNCTION fail()`);
      await engine.wake({ kind: "act", workspace: name });
      await failed.promise;
      // Until the worker has learnt that it could not be told.
      await sleep(200);
      await engine.wake({ kind: "act", workspace: next });
      await served.promise;
      await client.query("DROP FUNCTION fail CASCADE; DELETE FROM graphile_worker._private_jobs");
      end.resolve();
      await worker.stop();
      process.off("unhandledRejection", note);
      expect(uncaught).to.deep.equal([]);
    });

    it("takes over a workspace whose worker is gone, and tells a worker that is not that it has lost one", async () => {
      const [begun, taken, lost, end] = [deferred(), deferred(), deferred(), deferred()];
      const slow = await engine.work({
        slots: { act: 1, sync: 1 },
        log: SILENT,
        serve: async (_, signal) => {
          signal.addEventListener("abort", () => lost.resolve());
          begun.resolve();
          await end.promise;
        },
      });
      await engine.wake({ kind: "act", workspace: name });
      await begun.promise;
      // As if it had stood still for a minute.
      await client.query("UPDATE connectorcli.workers SET beat_at = now() - interval '1 minute'");
      const other = await engine.work({
        slots: { act: 1, sync: 1 },
        log: SILENT,
        serve: async () => {
          taken.resolve();
          await end.promise;
        },
      });
      await taken.promise;
      // Its end was told to a server that has forgotten it, and it is what keeps others from the workspace.
      await client.query(`INSERT INTO connectorcli.turns (workspace, kind, worker, token)
        SELECT workspace, 'sync', worker, gen_random_uuid() FROM connectorcli.turns`);
      await lost.promise;
      const forgotten = "SELECT 1 FROM connectorcli.turns WHERE kind = 'sync'";
      while ((await client.query(forgotten)).rows.length > 0) await sleep(50);
      end.resolve();
      await Promise.all([slow.stop(), other.stop()]);
      const { rows } = await client.query("SELECT * FROM connectorcli.turns");
      expect(rows).to.deep.equal([]);
    });
  });
});
