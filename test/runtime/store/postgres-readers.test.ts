import { randomUUID } from "node:crypto";
import { expect } from "chai";
import pg from "pg";
import { Database } from "../../../runtime/store/postgres/database.js";
import { openPostgres, type PostgresStores } from "../../../runtime/store/postgres/open-store.js";
import { feedChannel } from "../../../runtime/store/postgres/write-page.js";
import type { Store } from "../../../runtime/store/store.js";
import { type TestDatabase, testDatabase } from "../../support/postgres.js";
import { failure } from "../../support/promises.js";
import { upsert } from "./contract.js";

const START = {
  object: "tests/app/1/item",
  kind: "incremental",
  alternateKeysVersion: "1",
  schemaVersion: "1",
  resume: true,
  resumeWithinMs: 60_000,
} as const;

describe("readers of a database", function () {
  this.timeout(60_000);
  let server: TestDatabase | undefined;
  let url: string;
  let stores: PostgresStores;

  before(async function () {
    server = await testDatabase();
    if (server === undefined) return this.skip();
    url = server.url;
    stores = await openPostgres({ url });
  });
  after(async () => {
    await stores?.close();
    await server?.remove();
  });

  async function write(store: Store, key: string): Promise<void> {
    const run = await store.runs.start(START);
    await run?.commit({ records: [upsert(key, `of ${store.tenant}`, [`n/${key}`])], rejected: [] });
    await run?.end("succeeded");
  }

  describe("who wait for a change", () => {
    // Longer than the test may take: what ends such a pause is the hint.
    const LONG = { ms: 600_000 };
    let store: Store;
    let database: Database;
    let channel: string;
    let count = 0;

    beforeEach(async () => {
      store = await stores.open(`hinted ${++count}`);
      database = await Database.open({ url, maxConnections: 2 });
      const sql = "SELECT id FROM connectorcli.workspaces WHERE name = $1";
      channel = feedChannel(Number((await database.row(sql, store.tenant))?.[0]));
    });
    afterEach(async () => {
      await store?.close();
      await database?.close();
    });

    /** A pause of somebody who listens, with the server's process behind it, which is another one than `before`. */
    async function listening(
      before = 0,
    ): Promise<{ readonly pausing: Promise<void>; readonly backend: number }> {
      const pausing = database.hints.pause(channel, LONG);
      const sql = `SELECT pid FROM pg_stat_activity
        WHERE query LIKE 'LISTEN%' AND state = 'idle' AND datname = current_database() AND pid <> $1`;
      for (;;) {
        const backend = Number((await database.row(sql, before))?.[0] ?? 0);
        if (backend !== 0) return { pausing, backend };
      }
    }

    it("are told by a hint when it is committed", async () => {
      const { pausing } = await listening();
      await write(store, "id/1");
      await pausing;
    });

    it("are told that their connection was lost, and listen again", async () => {
      const lost = await listening();
      await database.rows("SELECT pg_terminate_backend($1)", lost.backend);
      await lost.pausing;
      const { pausing } = await listening(lost.backend);
      await write(store, "id/1");
      await pausing;
    });

    it("are let go when the database is closed, and when they are stopped", async () => {
      const controller = new AbortController();
      const stopped = database.hints.pause(channel, { ...LONG, signal: controller.signal });
      const { pausing } = await listening();
      controller.abort();
      await stopped;
      await database.hints.pause(channel, { ...LONG, signal: controller.signal });
      await database.close();
      await pausing;
    });
  });

  describe("with a role of their own", () => {
    const role = `reader_${randomUUID().slice(0, 8)}`;
    let reader: pg.Client;

    before(async () => {
      for (const name of ["mine", "theirs"]) {
        const store = await stores.open(name);
        await write(store, "id/1");
        await store.ledger.add({ object: START.object, action: "create", inputJson: "{}" });
        await store.close();
      }
      await owner(`CREATE ROLE ${role} LOGIN PASSWORD 'of-tests'`);
      await owner(`SELECT connectorcli.grant_reader('${role}', 'mine')`);
      const asReader = new URL(url);
      Object.assign(asReader, { username: role, password: "of-tests" });
      reader = new pg.Client({ connectionString: asReader.href });
      await reader.connect();
    });
    after(async () => {
      await reader?.end();
      if (server !== undefined) await owner(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    });

    const owner = async (sql: string) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        return await client.query(sql);
      } finally {
        await client.end();
      }
    };
    const read = async (sql: string) => (await reader.query({ text: sql, rowMode: "array" })).rows.flat();

    it("see the records and the feed of their workspace, and nothing of another's", async () => {
      expect(await read("SELECT name FROM connectorcli.workspaces")).to.deep.equal(["mine"]);
      expect(await read("SELECT workspace FROM connectorcli.cache")).to.deep.equal(["mine"]);
      expect(await read("SELECT record ->> 'value' FROM connectorcli.cache")).to.deep.equal(["of mine"]);
      for (const table of ["objects", "records", "alternate_keys", "changes"])
        expect(await read(`SELECT count(*) FROM connectorcli.${table}`), table).to.deep.equal(["1"]);
    });

    it("see neither actions nor keys, and write nothing", async () => {
      for (const sql of [
        ...["actions", "befores", "data_keys", "history", "rejected", "runs", "readers", "consumers"].map(
          (table) => `SELECT 1 FROM connectorcli.${table}`,
        ),
        "SELECT connection FROM connectorcli.workspaces",
        "SELECT 1 FROM connectorcli.records_0",
        "UPDATE connectorcli.records SET record = '{}'",
        "DELETE FROM connectorcli.changes",
        "INSERT INTO connectorcli.objects (workspace, path) VALUES (1, 'a')",
        "COPY connectorcli.records FROM STDIN",
        "SELECT connectorcli.advance_consumer('mine', 'a', 1)",
        `SELECT connectorcli.grant_reader('${role}', 'theirs')`,
        "SET SESSION AUTHORIZATION postgres",
      ])
        expect(String(await failure(reader.query(sql))), sql).to.match(/permission denied/);
    });

    it("see nothing when that is taken away, and one more workspace when it is given", async () => {
      await owner(`SELECT connectorcli.grant_reader('${role}', 'theirs')`);
      expect(await read("SELECT workspace FROM connectorcli.cache ORDER BY 1")).to.deep.equal([
        "mine",
        "theirs",
      ]);
      for (const name of ["mine", "theirs"])
        await owner(`SELECT connectorcli.revoke_reader('${role}', '${name}')`);
      expect(await read("SELECT count(*) FROM connectorcli.cache")).to.deep.equal(["0"]);
      await owner(`SELECT connectorcli.grant_reader('${role}', 'mine')`);
      expect(String(await failure(owner(`SELECT connectorcli.grant_reader('${role}', 'none')`)))).to.include(
        'no workspace "none"',
      );
    });
  });
});
