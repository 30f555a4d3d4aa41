import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import Database from "libsql";
import pg from "pg";
import {
  dumpSqliteStore,
  KeyError,
  type KeyWrapper,
  localKeys,
  openSqliteStore,
  rotateSqliteKeys,
  type SealingOptions,
  type Store,
  StoreError,
} from "../../../runtime/host/index.js";
import {
  openPostgres,
  openPostgresStore,
  type PostgresStores,
} from "../../../runtime/store/postgres/open-store.js";
import { type TestDatabase, testDatabase } from "../../support/postgres.js";
import { all, failure } from "../../support/promises.js";
import { storeContract, upsert } from "./contract.js";
import { ACTIONS } from "./contract-of-actions.js";

const PATH = "tests/app/1/item";
const CANARY = "canary-7d1f-of-tests";
const KEY = randomBytes(32).toString("base64");
const OTHER_KEY = randomBytes(32).toString("base64url");
/** In the records of the contract, the value is write-only. */
const OBJECTS = [
  {
    dataPath: PATH,
    record: {
      schema: { type: "object", properties: { value: { writeOnly: true }, token: { writeOnly: true } } },
    },
  },
];
const START = {
  object: PATH,
  kind: "full",
  alternateKeysVersion: "1",
  schemaVersion: "1",
  resume: true,
  resumeWithinMs: 60_000,
} as const;

/** A way to open one store again and again, and to read all that is kept of it. */
interface SealedPlace {
  open(sealing?: SealingOptions): Promise<Store>;
  /** Everything in the tables, or in the files. */
  kept(): Promise<string>;
  /** Executes SQL on the tables, whose names follow `prefix`. */
  change(sql: (prefix: string) => string): Promise<void>;
  rotate(key: KeyWrapper, newDataKey?: boolean): Promise<unknown>;
}

const sealing = (...keys: readonly string[]): SealingOptions => ({
  key: localKeys(keys.join("\n")),
  objects: OBJECTS,
});

describe("a sealed store", () => {
  let folder: string;
  let database: TestDatabase | undefined;
  let stores: PostgresStores | undefined;
  let places = 0;

  before(async function () {
    this.timeout(60_000);
    database = await testDatabase();
    if (database !== undefined) stores = await openPostgres({ url: database.url, sealing: sealing(KEY) });
  });
  after(async () => {
    await stores?.close();
    await database?.remove();
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "connectorcli-sealed-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

  describe("in a file passes the contract:", () => {
    storeContract(async () => ({
      open: (tenant = "default", options = {}) =>
        openSqliteStore({
          ...{ file: join(folder, `${tenant}.db`), tenant, busyTimeoutMs: 2_000 },
          ...{ sealing: sealing(KEY), ...options },
        }),
      remove: async () => {},
    }));
  });

  // What seals knows no driver; the long form takes both.
  if (process.env["SOAK"] !== undefined)
    describe("in a database passes the contract:", () => {
      before(function () {
        if (stores === undefined) this.skip();
      });
      storeContract(async () => {
        const place = ++places;
        const nameOf = (tenant: string) => `${tenant} ${place}`;
        return {
          open: (tenant = "default", options) => {
            const url = database?.url ?? "";
            if (options === undefined) return stores?.open(nameOf(tenant)) ?? Promise.reject(new Error(url));
            return openPostgresStore({ url, tenant: nameOf(tenant), sealing: sealing(KEY), ...options });
          },
          nameOf,
          remove: async () => {},
        };
      });
    });

  const inFile = (): SealedPlace => {
    const file = join(folder, "one.db");
    return {
      open: (options) => openSqliteStore({ file, sealing: options, keepBefore: 100 }),
      kept: async () =>
        [file, `${file}-wal`].map((path) => (existsSync(path) ? readFileSync(path, "latin1") : "")).join(),
      change: async (sql) => {
        const connection = new Database(file);
        connection.exec(sql(""));
        connection.close();
      },
      rotate: (key, newDataKey) => rotateSqliteKeys({ file, key, newDataKey }),
    };
  };

  const inDatabase = (): SealedPlace => {
    const url = database?.url ?? "";
    const tenant = `sealed ${++places}`;
    return {
      open: async (options) => {
        const opened = await openPostgres({ url, sealing: options, keepBefore: 100 });
        const store = await opened.open(tenant);
        return { ...store, close: () => opened.close() };
      },
      kept: async () => {
        const tables = await query(
          url,
          "SELECT table_name FROM information_schema.tables WHERE table_schema = 'connectorcli'",
        );
        const rows: unknown[] = [];
        for (const [name] of tables)
          rows.push(await query(url, `SELECT t::text FROM connectorcli.${name} t`));
        return rows.flat(3).join("\n");
      },
      change: async (sql) => void (await query(url, sql("connectorcli."))),
      rotate: async (key, newDataKey) => {
        const opened = await openPostgres({ url, sealing: { key } });
        try {
          return await opened.rotateKeys(tenant, { newDataKey });
        } finally {
          await opened.close();
        }
      },
    };
  };

  for (const [name, newPlace] of [
    ["file", inFile],
    ["database", inDatabase],
  ] as const) {
    describe(`in a ${name}`, () => {
      let place: SealedPlace;
      beforeEach(function () {
        if (name === "database" && database === undefined) return this.skip();
        place = newPlace();
      });

      it("has no sensitive value in any table, and gives all of them back", async () => {
        const store = await place.open(sealing(KEY));
        await fill(store);
        const before = await seen(store);
        expect(JSON.stringify(before).split(CANARY)).to.have.length(17);
        expect(await place.kept())
          .to.include("not sensitive")
          .and.not.include(CANARY);
        await store.close();
        expect(await place.kept()).to.not.include(CANARY);
        const again = await place.open(sealing(KEY));
        expect(await seen(again)).to.deep.equal(before);
        const run = await again.runs.start(START);
        expect(JSON.stringify(await all(run?.previouslyRejected() ?? none()))).to.include(CANARY);
        await run?.end("failed");
        await again.close();
      });

      it("finds its records unchanged, and those that had not been sealed yet updated", async () => {
        const plain = await place.open();
        await sync(plain);
        await plain.close();
        expect(await place.kept()).to.include(CANARY);
        const store = await place.open(sealing(KEY));
        expect((await store.records.get(PATH, "id/1"))?.record).to.deep.equal(RECORD);
        expect(await sync(store)).to.include({ updated: 1, unchanged: 1 });
        expect(await sync(store)).to.include({ updated: 0, unchanged: 2 });
        await store.close();
      });

      it("shows without the key what is not sealed, and nothing else", async () => {
        const sealed = await place.open(sealing(KEY));
        await fill(sealed);
        await sealed.close();
        const store = await place.open();
        expect((await store.records.get(PATH, "id/2"))?.record).to.deep.equal({ title: "not sensitive" });
        expect(await store.records.count(PATH)).to.equal(2);
        expect(await store.changes.prune()).to.include({ removed: 0 });
        for (const call of [
          () => store.records.get(PATH, "id/1"),
          () => all(store.records.list(PATH)),
          () => all(store.changes.since(0)),
          () => all(store.rejected.list(PATH)),
          () => all(store.ledger.list()),
          () => store.ledger.add({ object: PATH, action: "create", inputJson: "{}" }),
          () => store.source.take({ leaseMs: 1_000, actions: ACTIONS }),
          () => store.runs.start(START),
        ]) {
          const error = (await failure(call())) as StoreError;
          expect(error).to.be.instanceOf(StoreError).and.include({ problem: "sealed", retry: "never" });
          expect(error.message).to.include("no key was given").and.not.include(CANARY);
        }
        await store.close();
      });

      it("names the key that is missing, and shows no part of one", async () => {
        await (await place.open(sealing(KEY))).close();
        const error = (await failure(place.open(sealing(OTHER_KEY)))) as StoreError;
        expect(error).to.be.instanceOf(StoreError).and.include({ problem: "sealed" });
        expect(error.message).to.include(localKeys(KEY).name).and.include(localKeys(OTHER_KEY).name);
        expect(error.message).to.not.include(KEY).and.not.include(OTHER_KEY);
      });

      it("opens nothing that was changed or put in another place", async () => {
        const store = await place.open(sealing(KEY));
        const one = await store.ledger.add({ object: PATH, action: "create", inputJson: '{"a":1}' });
        const other = await store.ledger.add({ object: PATH, action: "pay", inputJson: '{"a":2}' });
        await place.change(
          (prefix) => `UPDATE ${prefix}actions SET input =
          (SELECT input FROM ${prefix}actions WHERE id = ${one.id}) WHERE id = ${other.id}`,
        );
        const moved = (await failure(store.ledger.get(other.id))) as StoreError;
        expect(moved).to.include({ problem: "sealed" });
        expect(moved.message).to.include("was changed, or put in another place");
        await place.change(
          (prefix) => `UPDATE ${prefix}actions SET input =
          substr(input, 1, 19) || CASE substr(input, 20, 1) WHEN 'A' THEN 'B' ELSE 'A' END || substr(input, 21)`,
        );
        expect(await failure(store.ledger.get(one.id))).to.include({ problem: "sealed" });
        await store.close();
      });

      it("is wrapped anew by another key, and needs the old one no more", async () => {
        const store = await place.open(sealing(KEY));
        await fill(store);
        const before = await seen(store);
        expect(await failure(place.rotate(localKeys(OTHER_KEY)))).to.include({ problem: "sealed" });
        expect(await place.rotate(localKeys(`${OTHER_KEY}\n${KEY}`))).to.deep.equal({
          rewrapped: 1,
          dataKeys: 1,
        });
        expect(await place.rotate(localKeys(`${OTHER_KEY}\n${KEY}`))).to.deep.equal({
          rewrapped: 0,
          dataKeys: 1,
        });
        expect(await seen(store), "a program that runs goes on").to.deep.equal(before);
        await store.close();
        expect(await failure(place.open(sealing(KEY)))).to.include({ problem: "sealed" });
        const after = await place.open(sealing(OTHER_KEY));
        expect(await seen(after)).to.deep.equal(before);
        await after.close();
      });

      it("gets a new data key, which programs that run learn of when they meet it", async () => {
        const old = await place.open(sealing(KEY));
        await sync(old);
        expect(await place.rotate(localKeys(KEY), true)).to.deep.equal({ rewrapped: 0, dataKeys: 2 });
        const store = await place.open(sealing(KEY));
        expect(await sync(store), "fingerprints stay").to.include({ updated: 0, unchanged: 2 });
        const { id } = await store.ledger.add({ object: PATH, action: "create", inputJson: '{"new":1}' });
        expect(await place.kept()).to.include("sealed:2:");
        expect((await old.ledger.get(id))?.inputJson).to.equal('{"new":1}');
        expect((await store.records.get(PATH, "id/1"))?.record).to.deep.equal(RECORD);
        await old.close();
        await store.close();
      });

      it("is sealed once, whoever comes first", async () => {
        const opened = await Promise.all([1, 2, 3, 4].map(() => place.open(sealing(KEY))));
        const ids = await Promise.all(
          opened.map((store) => store.ledger.add({ object: PATH, action: "create", inputJson: "[1]" })),
        );
        for (const store of opened)
          for (const { id } of ids) expect((await store.ledger.get(id))?.inputJson).to.equal("[1]");
        for (const store of opened) await store.close();
      });
    });
  }

  it("is moved with what it holds: sealed for the tenant that it becomes", async function () {
    if (stores === undefined || database === undefined) return this.skip();
    const file = join(folder, "moved.db");
    const embedded = await openSqliteStore({ file, sealing: sealing(OTHER_KEY) });
    await fill(embedded);
    const before = await seen(embedded);
    await embedded.close();
    const locked = await dumpSqliteStore(file);
    expect(await failure(stores.load(locked, "locked"))).to.include({ problem: "sealed" });
    locked.close();
    const dump = await dumpSqliteStore(file, localKeys(OTHER_KEY));
    await stores.load(dump, "moved");
    dump.close();
    const moved = await stores.open("moved");
    expect(withoutIds(await seen(moved))).to.deep.equal(withoutIds(before));
    // The store that it came from had fingerprints of its own.
    expect(await sync(moved)).to.include({ unchanged: 1, updated: 1 });
    expect(await sync(moved)).to.include({ unchanged: 2, updated: 0 });
    await moved.close();
    const kept = await query(
      database.url,
      "SELECT input || coalesce(note, '') || coalesce(result, '') FROM connectorcli.actions",
    );
    expect(JSON.stringify(kept)).to.include("sealed:1:").and.not.include(CANARY);
  });

  it("takes a key service in place of a key, and says when that has failed", async () => {
    const file = join(folder, "service.db");
    const key = localKeys(KEY);
    let isThere = true;
    const service: KeyWrapper = {
      name: "service",
      wrap: key.wrap,
      unwrap: (wrapped, at) =>
        isThere ? key.unwrap(wrapped, at, key.name) : Promise.reject(new Error("503 of the service")),
    };
    const store = await openSqliteStore({ file, sealing: { key: service } });
    await store.ledger.add({ object: PATH, action: "create", inputJson: "[1]" });
    await store.close();
    isThere = false;
    const error = (await failure(openSqliteStore({ file, sealing: { key: service } }))) as StoreError;
    expect(error).to.include({ problem: "unavailable", retry: "later" });
    expect(error.message).to.include("503 of the service");
    isThere = true;
    const again = await openSqliteStore({ file, sealing: { key: service } });
    expect((await again.ledger.get(1))?.inputJson).to.equal("[1]");
    await again.close();
  });

  for (const [what, text] of [
    ["nothing", " \n"],
    ["a key that is too short", randomBytes(16).toString("base64")],
    ["a key with a wrong sign", `${KEY.slice(0, 20)}!${KEY.slice(21)}`],
    ["a right key and a wrong one", `${KEY}\npassword`],
  ]) {
    it(`takes no key out of ${what}`, () => {
      expect(() => localKeys(text ?? "")).to.throw(KeyError, "32 random bytes in base64");
    });
  }

  it("opens a wrapped key for its own tenant alone", async () => {
    const wrapper = localKeys(KEY);
    const wrapped = await wrapper.wrap(randomBytes(64), "one");
    expect(await failure(wrapper.unwrap(wrapped, "other", wrapper.name))).to.be.instanceOf(Error);
  });
});

const RECORD = { title: "not sensitive", token: CANARY, deep: { value: 1 }, __proto__: null };

function records() {
  const alternateKeys = ["n/1"];
  return [
    { operation: "upsert" as const, key: "id/1", hash: "h1", record: { ...RECORD }, alternateKeys },
    {
      operation: "upsert" as const,
      key: "id/2",
      hash: "h2",
      record: { title: "not sensitive" },
      alternateKeys,
    },
  ];
}

async function sync(store: Store) {
  const run = await store.runs.start(START);
  if (run === undefined) throw new Error("another run has the object");
  await run.commit({ records: records(), rejected: [] });
  await run.deleteNotRead();
  return run.end("succeeded");
}

/** Something sensitive in every place that there is. */
async function fill(store: Store): Promise<void> {
  await sync(store);
  const run = await store.runs.start({ ...START, kind: "incremental" });
  if (run === undefined) throw new Error("another run has the object");
  const finding = { instancePath: "/a", keyword: "type", expected: "a", actual: "b", message: "m" };
  const record = JSON.stringify({ token: CANARY });
  const rejected = { operation: "upsert" as const, identity: "#1", findings: [finding], record };
  await run.commit({ records: [upsert("id/3", "unfit")], rejected: [rejected] });
  const { sequence = 0 } = (await store.records.get(PATH, "id/3")) ?? {};
  const unfit = { key: "id/3", sequence, rejected: { ...rejected, identity: "id/3", key: "id/3" } };
  await run.takeOut([unfit], true);
  await run.end("succeeded");
  const inputJson = JSON.stringify({ password: CANARY });
  for (const end of ["succeed", "fail", "wait"]) {
    await store.ledger.add({ object: PATH, action: "create", inputJson });
    if (end === "wait") return;
    const taken = await store.source.take({ leaseMs: 60_000, actions: ACTIONS });
    if (taken === undefined) throw new Error("nothing to take");
    await store.ledger.note(taken, JSON.stringify({ stage: "sent", detail: CANARY }));
    const resultJson = JSON.stringify({ token: CANARY });
    const later = new Date(Date.now() + 60_000).toISOString();
    if (end === "fail") await store.source.retry(taken, { dueAt: later, failureJson: resultJson });
    else {
      const changes = [{ object: PATH, records: [upsert("id/1", CANARY), ...records().slice(0, 1)] }];
      await store.ledger.close(taken, { state: "succeeded", resultJson, changes });
    }
  }
}

async function seen(store: Store) {
  return {
    records: await all(store.records.list(PATH)),
    found: await store.records.find(PATH, "n/1"),
    one: await store.records.get(PATH, "id/1"),
    changes: await all(store.changes.since(0)),
    rejected: await all(store.rejected.list(PATH)),
    actions: await all(store.ledger.list()),
  };
}

/** Actions get other numbers in another store, and fingerprints differ. */
function withoutIds(content: Awaited<ReturnType<typeof seen>>) {
  const plain: typeof content = JSON.parse(JSON.stringify(content));
  return JSON.parse(
    JSON.stringify(plain, (name, value) => (name === "hash" || name === "id" ? undefined : value)),
  );
}

async function* none(): AsyncGenerator<never> {}

async function query(url: string, sql: string): Promise<readonly (readonly unknown[])[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: "array" })).rows;
  } finally {
    await client.end();
  }
}
