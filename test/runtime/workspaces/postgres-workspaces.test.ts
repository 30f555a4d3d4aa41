import { expect } from "chai";
import pg from "pg";
import { openForWork } from "../../../runtime/store/postgres/open-store.js";
import { localKeys } from "../../../runtime/store/sealing/key-wrapper.js";
import { type TestDatabase, testDatabase } from "../../support/postgres.js";
import { deferred, failure } from "../../support/promises.js";
import { upsert } from "../store/contract.js";

const SECRET = "a-secret-of-the-workspace";
const SETTINGS = {
  connection: { definitionKey: "apiKeyAuth", properties: { apiKey: SECRET, connectionEnvironment: 1 } },
  registrationConfiguration: { Region: "North" },
};
const OBJECT = "tests/app/1/item";
const IDENTITY = { definition: "apiKeyAuth", environment: "1", address: "one" };
const ACTION = { object: OBJECT, action: "create", inputJson: "{}" };

describe("workspaces on PostgreSQL", function () {
  this.timeout(60_000);
  let test: TestDatabase | undefined;
  let stores: Awaited<ReturnType<typeof openForWork>>;
  let client: pg.Client;
  let names = 0;
  let name: string;

  before(async function () {
    test = await testDatabase();
    if (test === undefined) return this.skip();
    const key = localKeys(Buffer.alloc(32, 7).toString("base64"));
    stores = await openForWork({ url: test.url, sealing: { key } });
    client = new pg.Client({ connectionString: test.url });
    await client.connect();
  });

  after(async () => {
    await client?.end();
    await stores?.close();
    await test?.remove();
  });

  beforeEach(async () => {
    name = `workspace ${++names}`;
    await stores.workspaces.set(name, SETTINGS);
  });

  const summary = async () => (await stores.workspaces.list()).find((workspace) => workspace.name === name);
  const entry = async () => (await stores.workspaces.schedules(name))[0];
  /** As if its time had come so many seconds ago. */
  const makeDue = (seconds: number) =>
    client.query(
      `UPDATE connectorcli.schedules SET asked_at = NULL, next_due = now() - $2 * interval '1 second'
        WHERE workspace = (SELECT id FROM connectorcli.workspaces WHERE name = $1)`,
      [name, seconds],
    );

  it("keep settings, and give them back as they were", async () => {
    expect(await stores.workspaces.get(name)).to.deep.equal(SETTINGS);
    expect(await stores.workspaces.get("nobody")).to.equal(undefined);
    expect((await stores.work.load(name)).settings).to.deep.equal(SETTINGS);
    expect(await summary()).to.deep.include({
      isServed: true,
      isPaused: false,
      schedules: 0,
      openActions: 0,
    });
  });

  it("keep no secret that can be read without the key", async () => {
    const { rows } = await client.query("SELECT settings FROM connectorcli.workspaces WHERE name = $1", [
      name,
    ]);
    expect(JSON.stringify(rows)).not.to.include(SECRET);
    expect(rows[0].settings).to.match(/^sealed:/);
    const keyless = await openForWork({ url: test?.url ?? "" });
    expect(await failure(keyless.workspaces.set("other", SETTINGS))).to.include({ problem: "sealed" });
    expect(await failure(keyless.workspaces.get(name))).to.include({ problem: "sealed" });
    expect((await keyless.workspaces.list()).map((workspace) => workspace.name)).to.include(name);
    await keyless.close();
  });

  it("refuse a name that nobody could type", async () => {
    for (const wrong of ["", " acme", "a\nb", "x".repeat(201)])
      expect(await failure(stores.workspaces.set(wrong, SETTINGS))).to.match(/name of a workspace/);
  });

  it("have another version after each change by somebody else, and none while they are paused", async () => {
    const version = await stores.work.version(name);
    await stores.work.saveProperties(name, { apiKey: "rotated" });
    expect(await stores.work.version(name)).to.equal(version);
    expect((await stores.workspaces.get(name))?.connection.properties).to.deep.equal({
      apiKey: "rotated",
      connectionEnvironment: 1,
    });
    const store = await stores.open(name);
    const changes = [
      () => stores.workspaces.set(name, SETTINGS),
      () => stores.rotateKeys(name, { newDataKey: true }),
      () => store.bind({ ...IDENTITY, address: "other" }, { adopt: true }),
    ];
    await store.bind(IDENTITY);
    const versions = new Set([version, await stores.work.version(name)]);
    expect(versions.size).to.equal(1);
    for (const change of changes) {
      await change();
      versions.add(await stores.work.version(name));
    }
    expect(versions.size).to.equal(1 + changes.length);
    expect(await stores.workspaces.pause(name, true)).to.equal(true);
    expect(await stores.work.version(name)).to.equal(undefined);
    expect(await stores.workspaces.pause("nobody", true)).to.equal(false);
  });

  it("lend the properties of a connection to one at a time, as the one before has left them", async () => {
    const [begun, end] = [deferred(), deferred()];
    const first = stores.work.lockProperties(name, async () => {
      begun.resolve();
      await end.promise;
      await stores.work.saveProperties(name, { apiKey: "second" });
    });
    await begun.promise;
    const second = stores.work.lockProperties(name, async ({ apiKey }) => apiKey);
    end.resolve();
    await first;
    expect(await second).to.equal("second");
  });

  it("keep what a sign-in gave beside what was changed meanwhile, and wait for whoever uses the token before", async () => {
    const version = (await stores.work.version(name)) ?? "";
    const [begun, end] = [deferred(), deferred()];
    const refreshing = stores.work.lockProperties(name, async () => {
      begun.resolve();
      await end.promise;
      await stores.work.saveProperties(name, { apiKey: "rotated" });
    });
    await begun.promise;
    const signedIn = stores.work.changeProperties(name, { apiKey: "of the sign-in" }, version);
    const waiting = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
    while ((await client.query(waiting)).rowCount === 0);
    end.resolve();
    await refreshing;
    expect(await signedIn).to.equal(true);
    const kept = await stores.workspaces.get(name);
    expect(kept).to.deep.equal({
      ...SETTINGS,
      connection: {
        ...SETTINGS.connection,
        properties: { apiKey: "of the sign-in", connectionEnvironment: 1 },
      },
    });
    // Workers start anew with it, and another sign-in that has begun before knows nothing of it.
    expect(await stores.work.version(name)).to.not.equal(version);
    expect(await stores.work.changeProperties(name, { apiKey: "late" }, version)).to.equal(false);
    expect(await stores.workspaces.get(name)).to.deep.equal(kept);
    await stores.workspaces.pause(name, true);
    const paused = (await stores.work.version(name, { ifPaused: true })) ?? "";
    expect(await stores.work.changeProperties(name, { apiKey: "again" }, paused)).to.equal(true);
  });

  it("read an object soon after it was given a schedule, and then when its time has come", async () => {
    expect(await stores.workspaces.schedule(name, OBJECT, { everySeconds: 3_600 })).to.equal(true);
    const read = await stores.work.nextRead(name);
    if (read === undefined) throw new Error("nothing is asked for");
    await stores.work.endRead(name, read, "succeeded");
    expect(await entry()).to.deep.include({ object: OBJECT, outcome: "succeeded", waitingSince: null });
    await stores.work.askDue();
    expect(await stores.work.nextRead(name)).to.equal(undefined);
    await makeDue(120);
    await stores.work.askDue();
    expect((await stores.work.nextRead(name))?.object).to.equal(OBJECT);
    const { nextDue } = (await entry()) ?? {};
    expect(Date.parse(nextDue ?? "")).to.be.within(Date.now() - 5_000, Date.now() + 3_605_000);
  });

  it("ask again for what was asked for while it was read", async () => {
    await stores.workspaces.schedule(name, OBJECT, { everySeconds: 3_600 });
    const read = await stores.work.nextRead(name);
    if (read === undefined) throw new Error("nothing is asked for");
    await stores.workspaces.schedule(name, OBJECT, { everySeconds: 60 });
    await stores.work.endRead(name, read, "succeeded");
    expect((await stores.work.nextRead(name))?.object).to.equal(OBJECT);
  });

  it("approve the deletes of the read that was asked for with it, and of no other one", async () => {
    await stores.workspaces.schedule(name, OBJECT, { everySeconds: 3_600 });
    const first = await stores.work.nextRead(name);
    expect(first?.approveDeletes).to.equal(false);
    // One that has begun already was not approved.
    expect(await stores.workspaces.readSoon(name, OBJECT, { approveDeletes: true })).to.equal(true);
    if (first === undefined) throw new Error("nothing is asked for");
    await stores.work.endRead(name, first, "needs-approval");
    const approved = await stores.work.nextRead(name);
    expect(approved?.approveDeletes).to.equal(true);
    if (approved === undefined) throw new Error("nothing is asked for");
    await stores.work.endRead(name, approved, "succeeded");
    expect(await stores.work.nextRead(name)).to.equal(undefined);
    expect(await stores.workspaces.readSoon(name, OBJECT)).to.equal(true);
    expect((await stores.work.nextRead(name))?.approveDeletes).to.equal(false);
    expect(await stores.workspaces.readSoon(name, `${OBJECT}s`, { approveDeletes: true })).to.equal(false);
  });

  it("skip a time that nobody was there for, if the schedule says so, and ask for none that is paused", async () => {
    await stores.workspaces.schedule(name, OBJECT, { everySeconds: 3_600, missed: "skip" });
    await makeDue(120);
    await stores.work.askDue();
    expect(await stores.work.nextRead(name)).to.equal(undefined);
    await makeDue(5);
    await stores.workspaces.pauseSchedule(name, OBJECT, true);
    await stores.work.askDue();
    expect(await stores.work.nextRead(name)).to.equal(undefined);
    await stores.workspaces.pauseSchedule(name, OBJECT, false);
    await stores.work.askDue();
    expect((await stores.work.nextRead(name))?.object).to.equal(OBJECT);
  });

  it("ask once for each that is due, however many look at the same time", async () => {
    const many = Array.from({ length: 20 }, (_, index) => `tests/app/1/object${index}`);
    for (const object of many) await stores.workspaces.schedule(name, object, { everySeconds: 3_600 });
    await makeDue(5);
    const asked = await Promise.all([1, 2, 3, 4].map(() => stores.work.askDue()));
    expect(asked.reduce((sum, count) => sum + count, 0)).to.equal(many.length);
  });

  it("say when the next action is due, and count what waits", async () => {
    const store = await stores.open(name);
    expect(await stores.work.nextActionMs(name)).to.equal(undefined);
    await store.ledger.add(ACTION);
    expect(await stores.work.counts()).to.include({ dueActions: 1 });
    const taken = await store.source.take({ leaseMs: 60_000, actions: [ACTION] });
    expect(await stores.work.nextActionMs(name)).to.be.within(50_000, 60_000);
    if (taken === undefined) throw new Error("nothing was taken");
    await store.source.retry(taken, {
      dueAt: new Date(Date.now() + 10_000).toISOString(),
      failureJson: "{}",
    });
    expect(await stores.work.nextActionMs(name)).to.be.within(5_000, 11_000);
    expect(await summary()).to.include({ openActions: 1 });
  });

  it("are removed with all that they have, and nothing of others", async () => {
    const store = await stores.open(name);
    const start = { object: OBJECT, kind: "full", alternateKeysVersion: "1", schemaVersion: "1" } as const;
    const run = await store.runs.start({ ...start, resume: true, resumeWithinMs: 1 });
    await run?.commit({ records: [upsert("id/1", 1, ["number/1"])], rejected: [] });
    await run?.end("succeeded");
    await store.ledger.add(ACTION);
    await stores.workspaces.schedule(name, OBJECT, { everySeconds: 3_600 });
    await store.close();
    const other = `${name} other`;
    await stores.workspaces.set(other, SETTINGS);
    const before = await rowCounts();
    expect(await stores.workspaces.remove(name)).to.equal(true);
    expect(await stores.workspaces.remove(name)).to.equal(false);
    const after = await rowCounts();
    expect(await stores.workspaces.get(other)).to.deep.equal(SETTINGS);
    expect(after["workspaces"]).to.equal((before["workspaces"] ?? 0) - 1);
    const left = await client.query(`SELECT object FROM connectorcli.records r
      WHERE NOT EXISTS (SELECT 1 FROM connectorcli.objects o WHERE o.id = r.object)`);
    expect(left.rows).to.deep.equal([]);
    for (const table of [
      "objects",
      "records",
      "alternate_keys",
      "changes",
      "runs",
      "actions",
      "schedules",
      "data_keys",
    ])
      expect(after[table], table).to.be.lessThan(before[table] ?? 0);
  });

  async function rowCounts(): Promise<Readonly<Record<string, number>>> {
    const { rows } = await client.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = 'connectorcli' AND c.relkind IN ('r', 'p') AND NOT c.relispartition`,
    );
    const counts: Record<string, number> = {};
    for (const { name: table } of rows) {
      const counted = await client.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM connectorcli.${table}`,
      );
      counts[table] = counted.rows[0]?.n ?? 0;
    }
    return counts;
  }
});
