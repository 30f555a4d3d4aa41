import { expect } from "chai";
import { Database } from "../../../runtime/store/postgres/database.js";
import {
  migratePostgres,
  openPostgresStore,
  type PostgresStoreOptions,
} from "../../../runtime/store/postgres/open-store.js";
import { migrate, prepareDatabase, TABLES, type Versions } from "../../../runtime/store/postgres/schema.js";
import { StoreError } from "../../../runtime/store/store.js";
import { executeSql, type TestDatabase, testDatabase } from "../../support/postgres.js";
import { all, failure } from "../../support/promises.js";

const NEW_ACTION = { object: "tests/app/1/item", action: "create", inputJson: "{}" };
const OURS = TABLES.scripts.length;
/** What the next version may be like. */
const NEXT: Versions = {
  scripts: [...TABLES.scripts, "ALTER TABLE connectorcli.workspaces ADD COLUMN later text"],
  worksFrom: OURS,
};

describe("the tables of a database", function () {
  this.timeout(60_000);
  let server: TestDatabase | undefined;
  let count = 0;
  let url: string;
  let database: Database;

  before(async function () {
    server = await testDatabase();
    if (server === undefined) return this.skip();
  });
  after(() => server?.remove());

  beforeEach(async () => {
    const name = `versions_${++count}`;
    await executeSql(server?.url ?? "", `CREATE DATABASE ${name}`);
    url = String(Object.assign(new URL(server?.url ?? ""), { pathname: `/${name}` }));
    database = await Database.open({ url, maxConnections: 2 });
  });
  afterEach(() => database?.close());

  const open = (options: Partial<PostgresStoreOptions> = {}) => openPostgresStore({ url, ...options });

  it("are made once, however many come first", async () => {
    const opened = await Promise.all(Array.from({ length: 4 }, () => open()));
    for (const store of opened) await store.ledger.add(NEW_ACTION);
    expect(await all(opened[0]?.ledger.list() ?? none())).to.have.length(4);
    expect(await migratePostgres({ url })).to.deep.equal({ from: OURS, to: OURS });
    for (const store of opened) await store.close();
  });

  it("of an older version are brought up to date by who is told to, and have all that they had", async () => {
    await migrate(database, { scripts: TABLES.scripts.slice(0, 1), worksFrom: 1 });
    await executeSql(url, "INSERT INTO connectorcli.workspaces (name, position) VALUES ('default', 7)");
    const error = (await failure(open())) as StoreError;
    expect(error).to.be.instanceOf(StoreError).and.include({ problem: "older", retry: "never" });
    expect(error.message).to.include("npx connectorcli store migrate --database");
    expect(await migratePostgres({ url })).to.deep.equal({ from: 1, to: OURS });
    const store = await open();
    expect(await store.changes.last()).to.equal(7);
    await store.close();
  });

  it("of the next version are worked with beside the workers of that version", async () => {
    const store = await open();
    expect(await migrate(database, NEXT)).to.deep.equal({ from: OURS, to: OURS + 1 });
    await store.ledger.add(NEW_ACTION);
    const restarted = await open();
    expect(await all(restarted.ledger.list())).to.have.length(1);
    await prepareDatabase(database, NEXT);
    expect(await migratePostgres({ url }), "an older command leaves them").to.deep.equal({
      from: OURS + 1,
      to: OURS + 1,
    });
    for (const each of [store, restarted]) await each.close();
  });

  it("of a version with another meaning are left alone", async () => {
    await migrate(database, { ...NEXT, worksFrom: OURS + 1 });
    for (const call of [open, () => migratePostgres({ url })])
      expect(await failure(call()))
        .to.be.instanceOf(StoreError)
        .and.include({ problem: "newer" });
  });

  it("stay as they were where a script fails", async () => {
    await migrate(database);
    const broken: Versions = {
      ...NEXT,
      scripts: [...NEXT.scripts, "ALTER TABLE connectorcli.none ADD a int"],
    };
    await failure(migrate(database, broken));
    await prepareDatabase(database);
    expect(await migrate(database, NEXT)).to.deep.equal({ from: OURS, to: OURS + 1 });
  });
});

async function* none(): AsyncGenerator<never> {}
