import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect } from "chai";
import Database from "libsql";
import { idempotencyOf, noteOf } from "../../../runtime/action-processor/idempotency.js";
import { type Store, StoreError } from "../../../runtime/host/index.js";
import { openSqliteStore } from "../../../runtime/store/sqlite/open-store.js";
import { all, failure } from "../../support/promises.js";
import { inRepository } from "../../support/repository.js";

const ITEM = "tests/app/1/item";
const EVENT = "tests/app/1/event";
const ACTIONS = [{ object: ITEM, action: "create" }];

/**
 * A file as version 1.3.3 left it: two objects with records, alternate keys and a rejected record, a full read that was
 * interrupted, and actions that have succeeded, were given up, had their worker killed, and wait.
 */
const VERSION_1 = inRepository("test/runtime/store/version-1.db.gz");

describe("the file of the embedded store", () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "connectorcli-versions-"));
    file = join(folder, "cache.db");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

  it("belongs to the tenant who opened it first, and to no other", async () => {
    await (await openSqliteStore({ file, tenant: "acme" })).close();
    for (const tenant of ["other", undefined]) {
      const error = await failure(openSqliteStore({ file, tenant }));
      expect(error).to.be.instanceOf(StoreError).and.include({ problem: "other-tenant" });
      expect((error as StoreError).message).to.equal(
        `${file} belongs to the tenant "acme", not to "${tenant ?? "default"}". Open it for that tenant, or give each tenant a file of its own.`,
      );
    }
    const store = await openSqliteStore({ file, tenant: "acme" });
    expect(store.tenant).to.equal("acme");
    await store.close();
  });

  for (const mark of ["PRAGMA user_version = 7", "PRAGMA application_id = 7", "CREATE TABLE notes (a)"]) {
    it(`is none where another program has left its mark: ${mark}`, async () => {
      const other = new Database(file);
      other.exec(mark);
      other.close();
      expect(await failure(openSqliteStore({ file }))).to.include({ problem: "corrupt" });
    });
  }

  describe("of version 1", () => {
    let store: Store;
    beforeEach(async () => {
      writeFileSync(file, gunzipSync(readFileSync(VERSION_1)));
      store = await openSqliteStore({ file });
    });
    afterEach(() => store.close());

    it("is brought up to date once, and has all that it had", async () => {
      await store.close();
      store = await openSqliteStore({ file });
      const records = (await all(store.records.list(ITEM))).map(({ key, sequence }) => [key, sequence]);
      expect(records).to.deep.equal([
        ["id/1", 1],
        ["id/2", 5],
        ["id/3", 3],
        ["id/9", 6],
      ]);
      expect((await store.records.find(ITEM, "value/B")).map(({ key }) => key)).to.deep.equal(["id/2"]);
      expect(await all(store.changes.since(0))).to.have.length(6);
      expect((await all(store.rejected.list(EVENT))).map(({ key }) => key)).to.deep.equal(["id/8"]);
      expect(await store.runs.checkpoint(EVENT)).to.equal("2026-01-01\u0000");
      expect((await store.runs.list(ITEM, 10)).map(({ state, message }) => [state, message])).to.deep.equal([
        ["failed", "the target system went away"],
        ["succeeded", null],
      ]);
    });

    it("knows when its objects were read in full", async () => {
      const [, full] = await store.runs.list(ITEM, 2);
      expect(await store.runs.fullyReadAt(ITEM))
        .to.equal(full?.startedAt)
        .and.to.be.a("string");
      expect(await store.runs.fullyReadAt(EVENT)).to.equal(null);
    });

    it("belongs to the tenant who brings it up to date", async () => {
      expect(store.tenant).to.equal("default");
      expect(await failure(openSqliteStore({ file, tenant: "acme" }))).to.include({
        problem: "other-tenant",
      });
      const other = join(folder, "other.db");
      writeFileSync(other, gunzipSync(readFileSync(VERSION_1)));
      const acme = await openSqliteStore({ file: other, tenant: "acme" });
      expect([acme.tenant, await acme.records.count(ITEM)]).to.deep.equal(["acme", 4]);
      await acme.close();
    });

    it("belongs to the connection that uses it first", async () => {
      const test = { definition: "apiKeyAuth", environment: "Test", address: null };
      await store.bind(test);
      const error = await failure(store.bind({ ...test, environment: "Production" }));
      expect(error).to.include({ problem: "other-connection" });
    });

    it("resumes the run that was interrupted, and deletes only what neither part of it has met", async () => {
      const run = await store.runs.start({
        ...{ object: ITEM, kind: "full", alternateKeysVersion: "1", schemaVersion: "1", resume: true },
        resumeWithinMs: Number.MAX_SAFE_INTEGER,
      });
      if (run === undefined) throw new Error("another run has the object");
      expect(run).to.include({ resumePoint: "page 2", needsIndexing: false });
      expect(await run.countNotRead()).to.deep.equal({ notRead: 1, cached: 4, unidentified: 0 });
      await run.deleteNotRead();
      expect(await run.end("succeeded")).to.include({ unchanged: 1, updated: 1, deleted: 1 });
      const keys = (await all(store.records.list(ITEM))).map(({ key }) => key);
      expect(keys, "id/9 was written by an action meanwhile").to.deep.equal(["id/1", "id/2", "id/9"]);
    });

    it("goes on with its actions: inputs, results, notes and idempotency keys are what they were", async () => {
      const entries = await all(store.ledger.list());
      expect(entries.map(({ state, resultJson }) => [state, resultJson])).to.deep.equal([
        ["succeeded", '{"id":7}'],
        ["dead", '{"code":"Error"}'],
        ["taken", null],
        ["queued", null],
      ]);
      const taken = await store.source.take({ leaseMs: 1_000, actions: ACTIONS });
      if (taken === undefined) throw new Error("nothing to take");
      expect(taken).to.include({ id: 3, attempts: 2, inputJson: '{"b":1,"a":"\\u0000"}' });
      expect(noteOf(taken)).to.deep.equal({ stage: "sent", detail: "number 7\u0000" });
      const { key } = idempotencyOf(store, taken);
      expect(key).to.equal("f30550a5-b90b-8cfd-824f-98dcc5b2f4de");
    });

    it("can be read with any SQLite tool", () => {
      const database = new Database(file);
      expect(database.prepare("SELECT name FROM tenant").all()).to.deep.equal([{ name: "default" }]);
      expect(database.prepare("SELECT count(*) AS count FROM cache").all()).to.deep.equal([{ count: 5 }]);
      database.close();
    });
  });
});
