import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import Database from "libsql";
import { StoreError, type StoreProblem } from "../../../runtime/host/index.js";
import { openSqliteStore } from "../../../runtime/store/sqlite/open-store.js";
import { endOf, type ItemCache, item, openItemCache, PATH } from "../../support/item-cache.js";
import { userWithoutRights } from "../../support/ordinary-user.js";
import { failure } from "../../support/promises.js";
import { inRepository } from "../../support/repository.js";

const OPENER_FILE = "dist/test/support/programs/open-store.js";
const OPENER = inRepository(OPENER_FILE);
const IS_WINDOWS = process.platform === "win32";

describe("the file of the embedded store", () => {
  let synced: ItemCache;
  beforeEach(async () => {
    synced = await openItemCache();
    await synced.full([item(1, { secret: "s3cret" }), item(2)]);
  });
  afterEach(() => synced.remove());

  const problemOf = async (opened: Promise<unknown>): Promise<StoreProblem> => {
    const error = await failure(opened);
    if (!(error instanceof StoreError)) throw error;
    expect(error.message).to.match(/^\S.*cache\.db\S* .*[.)]$/);
    return error.problem;
  };

  it("and what stands beside it belongs to its owner alone", function () {
    if (IS_WINDOWS) this.skip();
    const files = readdirSync(synced.folder);
    expect(files).to.include.members(["cache.db", "cache.db-wal", "cache.db-shm"]);
    for (const file of files) expect(statSync(join(synced.folder, file)).mode & 0o777, file).to.equal(0o600);
  });

  it("is taken from others where it was theirs to read", async function () {
    if (IS_WINDOWS) this.skip();
    chmodSync(synced.file, 0o644);
    const store = await openSqliteStore({ file: synced.file });
    expect(statSync(synced.file).mode & 0o777).to.equal(0o600);
    await store.close();
  });

  it("shows its records to any SQLite tool as JSON text", () => {
    const database = new Database(synced.file);
    const sql =
      "SELECT key, record ->> '$.secret' AS secret FROM cache WHERE object = 'tests/app/1/item' ORDER BY key";
    expect(database.prepare(sql).all()).to.deep.equal([
      { key: "id/a/1", secret: "s3cret" },
      { key: "id/a/2", secret: null },
    ]);
    database.close();
  });

  it("has everything in it when the store is closed, without the files beside it", async () => {
    const file = join(synced.folder, "closed-cache.db");
    const store = await openSqliteStore({ file });
    await synced.full([item(1), item(2)], { store });
    await store.close();
    const copy = join(synced.folder, "copied-cache.db");
    writeFileSync(copy, readFileSync(file));
    const copied = await openSqliteStore({ file: copy });
    expect(await copied.records.count(PATH)).to.equal(2);
    await copied.close();
  });

  it("is closed at once while another program reads or writes it", async () => {
    const other = new Database(synced.file);
    other.exec("BEGIN IMMEDIATE");
    const store = await openSqliteStore({ file: synced.file });
    expect(await store.records.count(PATH)).to.equal(2);
    const start = performance.now();
    await store.close();
    expect(performance.now() - start).to.be.lessThan(5_000);
    other.exec("ROLLBACK");
    other.close();
  });

  it("is left alone where a newer version wrote it, where it is damaged, and where it is something else", async () => {
    const newer = join(synced.folder, "newer-cache.db");
    await (await openSqliteStore({ file: newer })).close();
    const database = new Database(newer);
    database.exec("PRAGMA user_version = 99");
    database.close();
    expect(await problemOf(openSqliteStore({ file: newer }))).to.equal("newer");

    const damaged = join(synced.folder, "damaged-cache.db");
    writeFileSync(damaged, "no database at all, and long enough to be read ".repeat(100));
    const before = readFileSync(damaged, "utf8");
    expect(await problemOf(openSqliteStore({ file: damaged }))).to.equal("corrupt");
    expect(readFileSync(damaged, "utf8")).to.equal(before);

    const foreign = join(synced.folder, "foreign-cache.db");
    const other = new Database(foreign);
    other.exec("CREATE TABLE recipes (name TEXT)");
    other.close();
    expect(await problemOf(openSqliteStore({ file: foreign }))).to.equal("corrupt");
  });

  it("that is damaged inside fails the run that meets it", async () => {
    await synced.full(Array.from({ length: 2_000 }, (_, id) => item(id)));
    const raw = new Database(synced.file);
    raw.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    raw.close();
    const copy = join(synced.folder, "copied-cache.db");
    const bytes = readFileSync(synced.file);
    // The first pages are those of tables that are read to open the store.
    writeFileSync(copy, Buffer.from(bytes).fill(0xff, 40 * 4_096));
    const store = await openSqliteStore({ file: copy });
    const result = await synced.full([item(1)], { store });
    expect(result).to.include({ outcome: "failed" });
    expect((result.error as StoreError).problem).to.equal("corrupt");
    await store.close();
    writeFileSync(copy, bytes.fill(0xff, 8_192));
    expect(await problemOf(openSqliteStore({ file: copy }))).to.equal("corrupt");
  });

  it("that is locked for too long fails the run, and the next one finds everything", async () => {
    const store = await openSqliteStore({ file: synced.file, busyTimeoutMs: 20 });
    const other = new Database(synced.file);
    other.exec("BEGIN IMMEDIATE");
    const result = await synced.full([item(3)], { store });
    expect((result.error as StoreError).problem).to.equal("locked");
    expect(result.message).to.include("is in use by another program").and.not.include("s3cret");
    other.exec("ROLLBACK");
    other.close();
    expect(
      endOf(await synced.full([item(1, { secret: "s3cret" }), item(2), item(3)], { store })),
    ).to.deep.equal({ outcome: "succeeded", unchanged: 2, inserted: 1 });
    await store.close();
  });

  it("lets go of an object whose run could not be started", async () => {
    const other = new Database(synced.file);
    other.exec("CREATE TRIGGER no_runs BEFORE INSERT ON runs BEGIN SELECT RAISE(ABORT, 'no'); END");
    expect(await synced.full([item(3)])).to.include({ outcome: "failed" });
    other.exec("DROP TRIGGER no_runs");
    other.close();
    expect((await synced.full([item(3)])).outcome).to.not.equal("busy");
  });

  it("that can't grow fails the run, keeps what it has, and goes on when there is room", async () => {
    const bytes = statSync(synced.file).size + 300_000;
    const store = await openSqliteStore({ file: synced.file, maxBytes: bytes });
    const many = Array.from({ length: 5_000 }, (_, id) => item(id, { note: "x".repeat(100) }));
    const result = await synced.full(many, { store, pageSize: 100 });
    expect((result.error as StoreError).problem).to.equal("full");
    const kept = Object.keys(await synced.contents()).length;
    expect(kept).to.be.greaterThan(100).and.to.be.lessThan(5_000);
    await store.close();
    const after = await synced.full(many);
    expect(after).to.include({ outcome: "succeeded", unchanged: kept });
    expect(after.inserted + after.updated + after.unchanged).to.equal(5_000);
  });

  it("that can't be written is said to be so", function () {
    const user = userWithoutRights(this);
    const folder = join(synced.folder, "read-only");
    mkdirSync(folder);
    chmodSync(synced.folder, 0o755);
    chmodSync(folder, 0o555);
    const { stdout } = spawnSync(process.execPath, [user.file(OPENER_FILE), join(folder, "cache.db")], {
      ...(user.id !== undefined && { uid: user.id, gid: user.id }),
      encoding: "utf8",
    });
    chmodSync(folder, 0o755);
    user.remove();
    expect(stdout).to.match(/^read-only: .*cache\.db can't be written\. Give yourself write permission/);
  });

  it("has a name for a folder that is none", async () => {
    expect(await problemOf(openSqliteStore({ file: join(synced.file, "cache.db") }))).to.equal("unavailable");
  });

  it("is made once, also by many who come at the same time", async function () {
    this.timeout(60_000);
    const file = join(synced.folder, "new/cache.db");
    const children: ChildProcess[] = Array.from({ length: 4 }, () =>
      spawn(process.execPath, [OPENER, file], { stdio: ["ignore", "pipe", "inherit"] }),
    );
    const said = await Promise.all(
      children.map(async (child) => {
        const chunks: string[] = [];
        child.stdout?.on("data", (chunk) => chunks.push(String(chunk)));
        await once(child, "close");
        return chunks.join("");
      }),
    );
    expect(said).to.deep.equal(["opened", "opened", "opened", "opened"]);
  });
});
