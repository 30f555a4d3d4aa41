import { createHash } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import fc from "fast-check";
import pg from "pg";
import type { StoreDump } from "../../../runtime/store/dump.js";
import type { HistorySubject } from "../../../runtime/store/history.js";
import { Database } from "../../../runtime/store/postgres/database.js";
import { PostgresHistory } from "../../../runtime/store/postgres/history.js";
import {
  openPostgres,
  openPostgresStore,
  type PostgresStores,
} from "../../../runtime/store/postgres/open-store.js";
import { findOrInsertWorkspace } from "../../../runtime/store/postgres/schema.js";
import { dumpSqliteStore } from "../../../runtime/store/sqlite/dump-store.js";
import { openSqliteStore } from "../../../runtime/store/sqlite/open-store.js";
import { type Run, type StartRunOptions, type Store, StoreError } from "../../../runtime/store/store.js";
import { type TestDatabase, testDatabase } from "../../support/postgres.js";
import { all, failure } from "../../support/promises.js";
import { program } from "../../support/random-kills.js";
import { storeContract, upsert } from "./contract.js";
import { ACTIONS, perform } from "./contract-of-actions.js";

const PATH = "tests/app/1/item";
const CONNECTION = { definition: "apiKeyAuth", environment: "Test", address: "https://test.example.com" };
const START: StartRunOptions = {
  object: PATH,
  kind: "full",
  alternateKeysVersion: "1",
  schemaVersion: "1",
  resume: true,
  resumeWithinMs: 60_000,
};

describe("the store on PostgreSQL", () => {
  let database: TestDatabase | undefined;
  let stores: PostgresStores;
  let places = 0;

  before(async function () {
    this.timeout(60_000);
    database = await testDatabase();
    if (database === undefined) return this.skip();
    stores = await openPostgres({ url: database.url });
  });

  after(async () => {
    await stores?.close();
    await database?.remove();
  });

  // A place is a pair of tenants: to make a database for each test would take longer than the tests.
  storeContract(async () => {
    const place = ++places;
    const nameOf = (tenant: string) => `${tenant} ${place}`;
    return {
      open: (tenant = "default", options) =>
        options === undefined
          ? stores.open(nameOf(tenant))
          : openPostgresStore({ url: database?.url ?? "", tenant: nameOf(tenant), ...options }),
      nameOf,
      remove: async () => {},
    };
  });

  describe("what is noted of runs and actions", () => {
    let tenant: string;
    let worker: Awaited<ReturnType<typeof noting>>;

    beforeEach(async () => {
      tenant = `noted ${++places}`;
      worker = await noting();
    });
    afterEach(() => worker.close());

    /** What a process notes. */
    async function noting() {
      const connected = await Database.open({ url: database?.url ?? "", maxConnections: 2 });
      const histories = new PostgresHistory(connected);
      return {
        of: async (name: string) => histories.of(await findOrInsertWorkspace(connected, name)),
        close: async () => {
          await histories.close();
          await connected.close();
        },
      };
    }
    const historyOf = (name: string, { of } = worker) => of(name);
    /** What another process sees. */
    async function listed(name: string, subject: HistorySubject): Promise<readonly string[]> {
      const other = await noting();
      const texts = await (await historyOf(name, other)).list(subject);
      await other.close();
      return texts;
    }
    const rows = (where: string) =>
      execute(database?.url ?? "", `SELECT count(*) FROM connectorcli.history h WHERE ${where}`);

    it("is kept soon, in its order, and apart for each tenant", async () => {
      const history = await historyOf(tenant);
      history.note("run/1", '"a"');
      history.note("action/1", '"b"');
      history.note("run/1", '"c"');
      while ((await history.list("run/1")).length === 0) await sleep(50);
      history.note("run/1", '"d"');
      await worker.close();
      expect(await listed(tenant, "run/1")).to.deep.equal(['"a"', '"c"', '"d"']);
      expect(await listed(tenant, "action/1")).to.deep.equal(['"b"']);
      expect(await listed(`${tenant}, another`, "run/1")).to.deep.equal([]);
    });

    it("has a bounded room, in memory and in the table", async () => {
      const other = `${tenant}, quiet`;
      (await historyOf(other)).note("run/1", "quiet");
      const noteNumbers = async (process: typeof worker, from: number, to: number) => {
        const history = await historyOf(tenant, process);
        for (let number = from; number <= to; number++)
          history.note("run/1", `${number} `.padEnd(40_000, "x"));
        await process.close();
      };
      await noteNumbers(worker, 1, 120);
      await noteNumbers(await noting(), 121, 150);
      const kept = (await listed(tenant, "run/1")).map((text) => Number(text.split(" ")[0]));
      const numbers = (from: number, to: number) =>
        Array.from({ length: to - from + 1 }, (_, index) => from + index);
      // Those from 100 on had no room to wait for the server, and the table has room for a hundred.
      expect(kept).to.deep.equal([...numbers(30, 99), ...numbers(121, 150)]);
      expect(await listed(other, "run/1")).to.deep.equal(["quiet"]);
    });

    it("goes with the changes that are old enough, and with its workspace", async () => {
      const noted = async (...texts: readonly string[]) => {
        const process = await noting();
        for (const text of texts) (await historyOf(tenant, process)).note("run/1", text);
        return process;
      };
      await (await noted("a")).close();
      const store = await stores.open(tenant);
      await store.changes.prune({ keepMs: 60_000 });
      expect(await listed(tenant, "run/1")).to.deep.equal(["a"]);
      await store.changes.prune({ keepMs: -1_000 });
      expect(await listed(tenant, "run/1")).to.deep.equal([]);
      await store.close();
      await (await noted("b")).close();
      const late = await noted("c");
      await stores.workspaces.remove(tenant);
      await late.close();
      const orphans = "NOT EXISTS (SELECT 1 FROM connectorcli.workspaces w WHERE w.id = h.workspace)";
      expect(Number(await rows(orphans))).to.equal(0);
    });

    it("fails nothing where it can't be written", async () => {
      const url = database?.url ?? "";
      const history = await historyOf(tenant);
      await execute(url, "ALTER TABLE connectorcli.history RENAME TO away");
      history.note("run/1", "lost");
      await sleep(1_100);
      await execute(url, "ALTER TABLE connectorcli.away RENAME TO history");
      history.note("run/1", "kept");
      await worker.close();
      expect(await listed(tenant, "run/1")).to.deep.equal(["kept"]);
    });
  });

  describe("with many writers", () => {
    const url = () => database?.url ?? "";
    let tenant: string;
    let store: Store;

    beforeEach(async () => {
      tenant = `many ${++places}`;
      store = await stores.open(tenant);
    });

    afterEach(() => store.close());

    async function started(from: Store, object = PATH): Promise<Run> {
      const run = await from.runs.start({ ...START, object });
      if (run === undefined) throw new Error("another run has the object");
      return run;
    }

    it("shows a reader every change, in order and without holes", async () => {
      const writers = Array.from({ length: 8 }, async (_, writer) => {
        const run = await started(store, `tests/app/1/object${writer}`);
        for (let page = 0; page < 15; page++) {
          const records = Array.from({ length: 1 + ((page * 7 + writer) % 60) }, (__, index) =>
            upsert(`id/${page}/${index}`, page),
          );
          await run.commit({ records, rejected: [] });
        }
        await run.end("succeeded");
      });
      let [isWritten, last] = [false, 0];
      const reader = async () => {
        for (let isLastLook = false; !isLastLook; ) {
          isLastLook = isWritten;
          for await (const { sequence } of store.changes.since(last)) {
            if (sequence !== last + 1) throw new Error(`${sequence} came behind ${last}`);
            last = sequence;
          }
        }
      };
      const reading = reader();
      await Promise.all(writers);
      isWritten = true;
      await reading;
      expect(last).to.equal(await store.changes.last());
      expect(last).to.be.greaterThan(2_000);
    }).timeout(60_000);

    it("ends no two actions and runs in a deadlock, whatever objects they write to", async () => {
      const objects = ["a", "b", "c"].map((name) => `tests/app/1/${name}`);
      const action = async (order: readonly string[]) => {
        const actions = [{ object: PATH, action: "create" }];
        const taken = await store.source.take({ leaseMs: 60_000, actions });
        if (taken === undefined) throw new Error("nothing to take");
        const changes = order.map((object) => ({ object, records: [upsert("id/1", Math.random())] }));
        await store.ledger.close(taken, { state: "succeeded", resultJson: "{}", changes });
      };
      const run = await started(store, objects[1]);
      const pages = async () => {
        for (let page = 0; page < 20; page++)
          await run.commit({ records: [upsert("id/1", page)], rejected: [] });
      };
      const orders = Array.from({ length: 30 }, (_, index) =>
        index % 2 === 0 ? objects : [...objects].reverse(),
      );
      // All wait before the first is taken: whoever looks while the only one that it sees is taken finds none.
      for (const _ of orders) await store.ledger.add({ object: PATH, action: "create", inputJson: "{}" });
      await Promise.all([pages(), ...orders.map(action)]);
      expect(await all(store.ledger.list("succeeded"))).to.have.length(30);
      await run.end("succeeded");
    }).timeout(60_000);

    it("plans a page anew if an action has written to its object between the look and the write", async () => {
      const first = await started(store);
      await first.commit({ records: ["1", "2", "3"].map((id) => upsert(`id/${id}`, "a")), rejected: [] });
      await first.end("succeeded");
      const run = await started(store);
      const holder = new pg.Client(url());
      await holder.connect();
      const lockWaits = async (count: number) => {
        const sql = `SELECT pg_stat_clear_snapshot();
          SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
        for (let waiting = 0; waiting < count; await sleep(5)) {
          const results = (await holder.query(sql)) as unknown as readonly pg.QueryResult<{
            count: string;
          }>[];
          waiting = Number(results[1]?.rows[0]?.count);
        }
      };
      try {
        await holder.query("BEGIN");
        await holder.query("SELECT 1 FROM connectorcli.objects FOR UPDATE");
        const acting = perform(store, [
          { operation: "delete", key: "id/1" },
          upsert("id/2", "by the action"),
        ]);
        await lockWaits(1);
        const records = [upsert("id/1", "b"), upsert("id/2", "b"), upsert("id/3", "a")];
        const committing = run.commit({ records, rejected: [] });
        await lockWaits(2);
        await holder.query("COMMIT");
        await acting;
        expect(await committing).to.include({ inserted: 1, updated: 1, unchanged: 1 });
      } finally {
        await holder.end();
      }
      expect(await run.countNotRead()).to.include({ notRead: 0, cached: 3 });
      await run.end("succeeded");
      const feed = (await all(store.changes.since(3))).map(({ operation, key }) => `${operation} ${key}`);
      expect(feed).to.deep.equal(["delete id/1", "update id/2", "insert id/1", "update id/2"]);
      expect((await store.records.get(PATH, "id/2"))?.record).to.deep.equal({ value: "b" });
    });

    it("does not wait for the disk, and writes nothing, for pages that change nothing within a second", async () => {
      const records = Array.from({ length: 500 }, (_, index) => upsert(`id/${index}`, "a"));
      const first = await started(store);
      await first.commit({ records, rejected: [] });
      await first.end("succeeded");
      const run = await started(store);
      const written = async () => (await store.runs.list(PATH, 1))[0]?.unchanged;
      for (let from = 0; from < 500; from += 100)
        await run.commit({
          records: records.slice(from, from + 100),
          rejected: [],
          resumePoint: String(from),
        });
      expect([run.counts.unchanged, await written()]).to.deep.equal([500, 0]);
      for (const end = Date.now() + 10_000; (await written()) !== 500; await sleep(50))
        if (Date.now() > end) throw new Error("nothing is noted while no page comes");
      await run.commit({ records: records.slice(0, 1), rejected: [] });
      await run.end("succeeded");
      expect(await written()).to.equal(501);
    });

    it("gives the object of a killed process to the next one at once, which resumes its run", async () => {
      const { child, closed } = program("postgres-run", url(), tenant, PATH);
      await new Promise((resolve) => child.stdout?.once("data", resolve));
      expect(await store.runs.start(START)).to.equal(undefined);
      child.kill("SIGKILL");
      await closed;
      let run: Run | undefined;
      // The server sees the end of a connection a moment later.
      for (let look = 0; run === undefined && look < 100; look++) {
        await sleep(20);
        run = await store.runs.start(START);
      }
      expect(run?.resumePoint).to.equal("p1");
      expect(run?.counts).to.include({ inserted: 1 });
      await run?.end("succeeded");
    }).timeout(60_000);

    it("refuses the page of a run whose lease is over and whose object another one has", async () => {
      const stopped = await started(store);
      await stopped.commit({ records: [upsert("id/1", "a")], rejected: [] });
      await execute(url(), "UPDATE connectorcli.objects SET leased_until = now() - interval '1 second'");
      const other = await stores.open(tenant);
      const run = await started(other);
      const late = await failure(stopped.commit({ records: [upsert("id/2", "b")], rejected: [] }));
      expect(late).to.be.instanceOf(StoreError).and.include({ problem: "superseded", retry: "never" });
      await failure(stopped.end("failed"));
      await run.commit({ records: [upsert("id/1", "a")], rejected: [] });
      await run.deleteNotRead();
      await run.end("succeeded");
      expect((await all(store.records.list(PATH))).map(({ key }) => key)).to.deep.equal(["id/1"]);
      await other.close();
    });

    it("reads no whole table to write a page, in a table that was just filled by the same connection", async () => {
      const one = await openPostgres({ url: url(), maxConnections: 1 });
      const own = await one.open(tenant);
      const scans = async () =>
        Number(
          await execute(
            url(),
            `SELECT coalesce(sum(seq_scan), 0) FROM pg_stat_user_tables
              WHERE relname ~ '^(records|alternate_keys|changes|rejected|marks)(_|$)'`,
          ),
        );
      const before = await scans();
      const run = await started(own);
      for (let page = 0; page < 50; page++) {
        const records = Array.from({ length: 100 }, (_, index) =>
          upsert(`id/${page}/${index}`, index, [`n/${index}`]),
        );
        await run.commit({ records, rejected: [], resumePoint: `${page}` });
        await run.commit({ records, rejected: [] });
      }
      await run.end("succeeded");
      await one.close();
      // The server counts when the connection ends.
      await sleep(1_100);
      expect((await scans()) - before).to.equal(0);
    }).timeout(60_000);

    it("keeps any text that JSON can hold", async () => {
      const run = await started(store);
      await fc.assert(
        fc.asyncProperty(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 80 }), async (values) => {
          const records = values.map((value, index) => ({
            ...upsert(`id/${index}`, value),
            hash: createHash("sha256").update(JSON.stringify(value)).digest("base64url"),
          }));
          await run.commit({ records, rejected: [] });
          for (const [index, value] of values.entries())
            expect((await store.records.get(PATH, `id/${index}`))?.record).to.deep.equal(
              JSON.parse(JSON.stringify({ value })),
            );
        }),
        { numRuns: 15 },
      );
      await run.end("succeeded");
    }).timeout(60_000);

    it("copies records of any size, wherever what is sent at a time ends", async () => {
      // About 64 KB are sent at a time, and one sign takes up to three bytes of them.
      const sizes = Array.from({ length: 60 }, (_, index) => [
        0,
        1,
        21_700 + index,
        21_843,
        65_500 + index,
        200_000,
      ])
        .flat()
        .slice(0, 90);
      const texts = sizes.map((size, index) => ["x", "é", "水"][index % 3]?.repeat(size) ?? "");
      const run = await started(store);
      await run.commit({
        records: texts.map((text, index) => ({ ...upsert(`id/${index}`, text), hash: `${index}` })),
        rejected: [],
      });
      await run.end("succeeded");
      for (const [index, text] of texts.entries()) {
        const found = (await store.records.get(PATH, `id/${index}`))?.record as { readonly value: string };
        expect(found.value === text, `${sizes[index]}`).to.equal(true);
      }
    }).timeout(60_000);

    it("takes over all that an embedded store held: the next run changes nothing", async () => {
      const file = join(mkdtempSync(join(tmpdir(), "connectorcli-moved-")), "store.db");
      const embedded = await openSqliteStore({ file });
      await embedded.bind(CONNECTION);
      const records = Array.from({ length: 2_300 }, (_, index) =>
        upsert(`id/${index}`, `${index}\t\\\n"'{},é`, [`n/${index % 2_000}`, "\\a"]),
      );
      const finding = { instancePath: "", keyword: "type", expected: "a", actual: "b", message: "\n" };
      const rejected = [
        { operation: "upsert" as const, identity: "#\t1", findings: [finding], record: null },
      ];
      const first = await started(embedded);
      await first.commit({ records, rejected, checkpoint: "from\u0000here" });
      await first.end("succeeded");
      const second = await started(embedded);
      await second.commit({ records: [...records.slice(10), upsert("id/x", "\u0000")], rejected });
      await second.deleteNotRead();
      await second.end("needs-approval", "why\u0000");
      await perform(embedded, [upsert("id/5000", "by an action")]);
      await embedded.ledger.add({ object: PATH, action: "create", inputJson: '{"a":"\\t"}' });
      await embedded.source.take({ leaseMs: 60_000, actions: ACTIONS });
      await embedded.changes.advance("search", 2_311);
      await embedded.ledger.add({ object: PATH, action: "create", inputJson: "[1]" });
      const before = await contentOf(embedded);
      await embedded.close();

      const dump = await dumpSqliteStore(file);
      const counts = await stores.load(dump, `moved ${tenant}`);
      dump.close();
      expect(counts).to.deep.equal({ records: 2_292, changes: 2_312, rejected: 1, runs: 2, actions: 3 });
      const moved = await stores.open(`moved ${tenant}`);
      expect(await contentOf(moved)).to.deep.equal(before);
      expect(await failure(moved.bind({ ...CONNECTION, environment: null }))).to.include({
        problem: "other-connection",
      });
      const run = await started(moved);
      expect([run.id, run.checkpoint, run.needsIndexing, run.needsValidation]).to.deep.equal([
        ...[3, "from\u0000here", false, false],
      ]);
      const again = [...records.slice(10), upsert("id/x", "\u0000"), upsert("id/5000", "by an action")];
      await run.commit({ records: again, rejected });
      expect(await run.countNotRead()).to.include({ notRead: 0 });
      expect(await run.end("succeeded")).to.include({ unchanged: 2_292, inserted: 0, updated: 0 });
      expect(await moved.changes.last()).to.equal(2_312);
      expect(await moved.source.take({ leaseMs: 1_000, actions: ACTIONS })).to.include({ attempts: 2 });

      const full = await dumpSqliteStore(file);
      expect(await failure(stores.load(full, `moved ${tenant}`))).to.be.instanceOf(StoreError);
      const broken: StoreDump = {
        ...full,
        actions: () => {
          throw new Error("the disk broke");
        },
      };
      expect(await failure(stores.load(broken, `half ${tenant}`))).to.include({ message: "the disk broke" });
      const half = await stores.open(`half ${tenant}`);
      expect([await half.records.count(PATH), await half.changes.last()]).to.deep.equal([0, 0]);
      full.close();
    }).timeout(60_000);

    it("fails in words where its connection is lost between two statements, and goes on with another", async () => {
      const database = await Database.open({ url: url(), maxConnections: 1 });
      const lost = database.transaction(async (transaction) => {
        const [backend] = (await transaction.row("SELECT pg_backend_pid()")) ?? [];
        await execute(url(), `SELECT pg_terminate_backend(${backend})`);
        const there = `SELECT count(*) FROM pg_stat_activity WHERE pid = ${backend}`;
        while (Number(await execute(url(), there)) > 0);
        await transaction.rows("SELECT 1");
      });
      expect(await failure(lost))
        .to.be.instanceOf(StoreError)
        .and.include({ problem: "unavailable", retry: "later" });
      expect(await database.row("SELECT 1")).to.deep.equal([1]);
      await database.close();
    });

    it("goes by the server's clock where that of the machine was set to another time", async () => {
      const actions = [{ object: PATH, action: "create" }];
      const { id } = await store.ledger.add({ object: PATH, action: "create", inputJson: "{}" });
      const taken = await store.source.take({ leaseMs: 60_000, actions });
      if (taken === undefined) throw new Error("nothing to take");
      const real = Date.now;
      const day = 24 * 60 * 60 * 1_000;
      Date.now = () => real() + 30 * day;
      try {
        const at = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();
        await store.source.retry(taken, { dueAt: at(3_600_000), failureJson: "{}" });
        expect(await store.source.cancelDueBefore(at(-14 * day))).to.equal(0);
      } finally {
        Date.now = real;
      }
      const { dueAt = "" } = (await store.ledger.get(id)) ?? {};
      expect(Date.parse(dueAt) - Date.now()).to.be.within(3_500_000, 3_600_000);
    });

    it("puts right what was planned by a clock of the server that has jumped, however many see it", async () => {
      const actions = [{ object: PATH, action: "create" }];
      const { id } = await store.ledger.add({ object: PATH, action: "create", inputJson: "{}" });
      const hour = 3_600_000;
      const take = () => store.source.take({ leaseMs: hour, actions });
      const noted = (ago: string) =>
        execute(url(), `UPDATE connectorcli.workspaces SET seen_at = now() - interval '${ago}'`);
      const dueInMs = async () => Date.parse((await store.ledger.get(id))?.dueAt ?? "") - Date.now();
      const retried = await take();
      if (retried === undefined) throw new Error("nothing to take");
      const dueAt = new Date(Date.now() + 10 * hour).toISOString();
      await store.source.retry(retried, { dueAt, failureJson: "{}" });
      // The server's clock was nine hours ahead when that was planned.
      await noted("-9 hours");
      expect(await Promise.all([take(), take(), take()])).to.deep.equal([undefined, undefined, undefined]);
      expect(await dueInMs()).to.be.within(hour - 60_000, hour + 60_000);
      await noted("-2 hours");
      expect(await take()).to.include({ id });
      // It is ahead by a month from here on: what waits has not waited as long.
      const next = await store.ledger.add({ object: PATH, action: "create", inputJson: "{}" });
      await execute(url(), "UPDATE connectorcli.actions SET due_at = due_at - interval '30 days'");
      await noted("30 days");
      const limit = new Date(Date.now() - 2 * 24 * hour).toISOString();
      expect(await store.source.cancelDueBefore(limit)).to.equal(0);
      expect(await store.ledger.get(next.id)).to.include({ state: "queued" });
      expect(await store.source.cancelDueBefore(new Date(Date.now() - hour).toISOString())).to.equal(1);
    });

    it("lets a consumer move in a transaction of its own, with what it has made of the changes", async () => {
      const run = await started(store);
      await run.commit({ records: [upsert("id/1", "a"), upsert("id/2", "b")], rejected: [] });
      await run.end("succeeded");
      const move = (name: string, to: number) =>
        `SELECT connectorcli.advance_consumer('${name}', 'mine', ${to})`;
      await execute(url(), `BEGIN; ${move(tenant, 2)}; ROLLBACK`);
      expect(await store.changes.consumers()).to.deep.equal([]);
      await execute(url(), `BEGIN; ${move(tenant, 1)}; COMMIT`);
      expect((await store.changes.consumers()).map(({ position }) => position)).to.deep.equal([1]);
      expect(String(await failure(execute(url(), move(tenant, 3))))).to.include("nobody can stand at 3");
      expect(String(await failure(execute(url(), move("nobody", 1))))).to.include('no workspace "nobody"');
    });

    it("says without secrets what can't be reached", async () => {
      const error = (await failure(
        openPostgresStore({ url: "postgres://user:secret-of-mine@127.0.0.1:1/none" }),
      )) as StoreError;
      expect(error).to.be.instanceOf(StoreError).and.include({ problem: "unavailable", retry: "later" });
      expect(error.message)
        .to.include("postgres://127.0.0.1:1/none can't be reached")
        .and.not.include("secret-of-mine");
    });
  });
});

/** All that a reader of the store sees. */
async function contentOf(store: Store) {
  const numbered = await all(store.ledger.list());
  return {
    records: await all(store.records.list(PATH)),
    changes: await all(store.changes.since(0)),
    consumers: await store.changes.consumers(),
    rejected: await all(store.rejected.list(PATH)),
    runs: await store.runs.list(PATH, 10),
    actions: numbered.map(({ id: _, ...action }) => action),
    shared: await store.records.sharedKeys(PATH, 3_000),
    checkpoint: await store.runs.checkpoint(PATH),
    fullyReadAt: await store.runs.fullyReadAt(PATH),
  };
}

async function execute(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // Several statements give several results.
    const results = [await client.query({ text: sql, rowMode: "array" })].flat();
    return results.at(-1)?.rows[0]?.[0];
  } finally {
    await client.end();
  }
}
