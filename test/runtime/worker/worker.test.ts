import { context, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { expect } from "chai";
import pg from "pg";
import type { HttpClient } from "../../../runtime/client/index.js";
import { inProcessEngine } from "../../../runtime/engine/in-process.js";
import { postgresEngine } from "../../../runtime/engine/postgres-engine.js";
import type {
  ClientHelper,
  ClientHost,
  ConnectorRegistration,
  RegisteredModule,
} from "../../../runtime/entries/runtime.js";
import * as host from "../../../runtime/host/index.js";
import { openForWork } from "../../../runtime/store/postgres/open-store.js";
import { localKeys } from "../../../runtime/store/sealing/key-wrapper.js";
import type { ActionLedger, StoreError } from "../../../runtime/store/store.js";
import { startPostgresWorker } from "../../../runtime/worker/postgres-worker.js";
import { openTelemetryTracer } from "../../../runtime/worker/tracer.js";
import { startWorker, type Worker, type WorkerSettings } from "../../../runtime/worker/worker.js";
import { SILENT } from "../../support/item-cache.js";
import { answerJson, clientAt, closeServers, serve } from "../../support/loopback.js";
import { type TestDatabase, testDatabase } from "../../support/postgres.js";
import { all, deferred, rejection } from "../../support/promises.js";
import {
  MODULE,
  objectSchema,
  recordType,
  type SmallClient,
  smallRegistration,
} from "../../support/registration.js";

interface TestClient extends SmallClient {
  readonly http?: HttpClient;
  readonly save?: ClientHost["saveProperties"];
  readonly rotate?: () => Promise<string | undefined>;
}

interface RegistrationOptions {
  /** Members of the site that is read. */
  readonly more?: () => object;
  /** All that is read, in place of one site of the client. */
  readonly read?: () => readonly object[];
  readonly clientHelper?: ClientHelper<TestClient>;
}

const SITE = "sites/app/1/site";
const KEY = localKeys(Buffer.alloc(32, 7).toString("base64"));
const BUDGET = { requests: 10, windowMs: 200 };
const ACTION = { object: SITE, action: "create" };
const API_KEY = "kept-from-all";
const ROTATED = "put-in-its-place";
const CANARY = "a-phone-number-that-nobody-may-see";

describe("a worker", function () {
  this.timeout(60_000);
  let test: TestDatabase | undefined;
  let stores: Awaited<ReturnType<typeof openForWork>>;
  let workers: Worker[];
  let names = 0;

  before(async function () {
    test = await testDatabase();
    if (test === undefined) return this.skip();
    stores = await openForWork({ url: test.url, sealing: { key: KEY } });
  });

  after(async () => {
    await stores?.close();
    await test?.remove();
  });

  beforeEach(() => {
    workers = [];
  });

  afterEach(async () => {
    for (const worker of workers) await worker.stop();
    // Nothing of one test is left for the workers of the next.
    for (const name of await stores.tenants()) await stores.workspaces.remove(name);
  });

  type Handle = (
    input: { readonly id: string; readonly phone?: string },
    url: string,
    client: TestClient,
  ) => Promise<unknown>;

  /** A connector that reads one site of its client, and whose action is what the test says. */
  function registration(
    handle: Handle = async () => {},
    { more = () => ({}), read, clientHelper }: RegistrationOptions = {},
  ): ConnectorRegistration {
    const [site, visit] = MODULE.dataObjects;
    const [create] = MODULE.actions;
    if (site === undefined || visit === undefined || create === undefined) throw new Error("it has them");
    const module: RegisteredModule = {
      ...MODULE,
      dataObjects: [
        {
          ...site,
          record: { ...site.record, keys: [{ name: "id", isPrimary: true, properties: ["id"] }] },
          reader: async function* ({ client }: { client: TestClient }) {
            await client.http?.get("sites");
            yield* read?.() ?? [{ id: client.baseUrl, ...more() }];
          } as never,
        },
        visit,
      ],
      actions: [
        {
          ...create,
          handler: (async (input: { id: string; phone?: string }, { client }: { client: TestClient }) => {
            await handle(input, client.baseUrl, client);
            return { outcome: "succeeded", output: input, changes: [] };
          }) as never,
        },
      ],
    };
    return smallRegistration({ ...(clientHelper && { clientHelper }) }, [
      module,
    ]) as unknown as ConnectorRegistration;
  }

  const ON = {
    "app-1": {
      cacheWriter: { SiteConfig: { UploadObject: true } },
      actionProcessor: { CreateSiteConfig: { ProcessQueuedEvent: true } },
    },
  };

  async function workspace(properties: object = {}): Promise<string> {
    const name = `workspace ${++names}`;
    const connection = {
      definitionKey: "apiKeyAuth",
      properties: { apiKey: API_KEY, url: name, ...properties },
    };
    await stores.workspaces.set(name, { connection, services: ON });
    return name;
  }

  async function queue(name: string, ...ids: readonly string[]): Promise<void> {
    const store = await stores.open(name);
    for (const id of ids) await store.ledger.add({ ...ACTION, inputJson: JSON.stringify({ id }) });
    await store.close();
  }

  async function statesOf(name: string): Promise<readonly string[]> {
    const store = await stores.open(name);
    const states: string[] = [];
    for await (const { state } of store.ledger.list()) states.push(state);
    await store.close();
    return states;
  }

  /** Waits until what `look` says is so. */
  async function until(look: () => Promise<boolean>): Promise<void> {
    while (!(await look())) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  const messages: string[] = [];
  async function start(
    registered: ConnectorRegistration,
    settings: WorkerSettings = {},
    engine = postgresEngine(stores.database, test?.url ?? ""),
    { work } = stores,
  ): Promise<Worker> {
    const log = { ...SILENT, error: (message: string) => void messages.push(message) };
    const deps = { registration: registered, host, engine, work, log };
    const worker = await startWorker({ ...deps, ...settings });
    workers.push(worker);
    return worker;
  }

  it("performs actions and reads objects of every workspace, with its own connection", async () => {
    const [one, two] = [await workspace(), await workspace()];
    const handled: string[] = [];
    await queue(one, "queued before");
    const worker = await start(registration(async ({ id }, client) => void handled.push(`${client}: ${id}`)));
    await queue(two, "queued later");
    for (const name of [one, two]) await stores.workspaces.schedule(name, SITE, { everySeconds: 3_600 });
    await until(async () => {
      const reads = await Promise.all([one, two].map((name) => stores.workspaces.schedules(name)));
      return handled.length === 2 && reads.every(([entry]) => entry?.outcome === "succeeded");
    });
    expect(handled).to.have.members([`${one}: queued before`, `${two}: queued later`]);
    for (const name of [one, two]) {
      const store = await stores.open(name);
      expect((await store.records.get(SITE, `id/${name}`))?.record).to.deep.equal({ id: name });
      await store.close();
    }
    expect(await worker.isReady()).to.equal(true);
    const page = await worker.metrics();
    expect(page).to.include('connectorcli_attempts_total{outcome="succeeded"} 2\n');
    expect(page).to.include('connectorcli_records_total{change="inserted"} 2\n');
    expect(page).to.include("connectorcli_workers 1\n");
    expect(page).not.to.include("workspace ");
  });

  it("works with the engine of one process in the same way", async () => {
    const name = await workspace();
    const engine = inProcessEngine();
    const handled = deferred();
    await start(
      registration(async () => handled.resolve()),
      {},
      engine,
    );
    await queue(name, "queued");
    await engine.wake({ kind: "act", workspace: name });
    await handled.promise;
  });

  it("serves the others while the settings of one do not fit, and that one as soon as they do", async () => {
    const [wrong, right] = [await workspace({ apiKey: "abc" }), await workspace()];
    messages.length = 0;
    await start(registration());
    await queue(wrong, "first", "second");
    await queue(right, "first");
    await until(async () => (await statesOf(right)).includes("succeeded"));
    await until(async () => messages.length > 0);
    expect(messages[0]).to.include(`${wrong}: the connector can't be started with its settings`);
    expect(await statesOf(wrong)).to.deep.equal(["queued", "queued"]);
    const connection = { definitionKey: "apiKeyAuth", properties: { apiKey: API_KEY } };
    await stores.workspaces.set(wrong, { connection, services: ON });
    await until(async () => (await statesOf(wrong)).every((state) => state === "succeeded"));
  });

  it("asks the database for little where it knows the workspace", async () => {
    const name = await workspace();
    let handled = deferred();
    await start(registration(async () => handled.resolve()));
    await queue(name, "first");
    await handled.promise;
    await until(async () => (await stores.work.counts()).turns === 0);
    const statements: string[] = [];
    const { query } = pg.Client.prototype;
    handled = deferred();
    pg.Client.prototype.query = function (this: pg.Client, ...given: Parameters<typeof query>) {
      const [{ text }] = given as unknown as [{ readonly text?: string }];
      if (text?.includes("connectorcli.") === true) statements.push(text);
      return query.apply(this, given);
    } as never;
    try {
      const sql = `INSERT INTO connectorcli.actions (workspace, object, action, state, queued_at, due_at, input)
        SELECT id, $2, $3, 'queued', now(), now(), '{"id":"second"}' FROM connectorcli.workspaces WHERE name = $1`;
      await stores.database.run(sql, name, ACTION.object, ACTION.action);
      await handled.promise;
      // For the end of the turn.
      await new Promise((resolve) => setTimeout(resolve, 300));
    } finally {
      pg.Client.prototype.query = query;
    }
    // The turn, the version, the action, its end and that of the turn; a beat of the worker may be among them.
    expect(statements.length, statements.join("\n")).to.be.within(6, 9);
  });

  it("gives each workspace a slice while others wait", async () => {
    const [noisy, quiet] = [await workspace(), await workspace()];
    const handled: string[] = [];
    await queue(noisy, ...Array.from({ length: 30 }, (_, index) => `${index}`));
    await queue(quiet, "only");
    await start(
      registration(async (_, client) => {
        handled.push(client);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }),
      { actionSlots: 1, sliceMs: 50 },
    );
    await until(async () => handled.length === 31);
    expect(handled.indexOf(quiet)).to.be.within(0, 15);
  });

  it("lets a handler end when it is stopped, takes no more, and others go on", async () => {
    const name = await workspace();
    const [begun, end] = [deferred(), deferred()];
    const handled: string[] = [];
    const first = await start(
      registration(async ({ id }) => {
        begun.resolve();
        await end.promise;
        handled.push(`first ${id}`);
      }),
    );
    await queue(name, "1", "2");
    await begun.promise;
    const stopped = first.stop();
    expect(await first.isReady()).to.equal(false);
    expect(await first.metrics()).to.include("connectorcli_draining 1\n");
    end.resolve();
    await stopped;
    expect(handled).to.deep.equal(["first 1"]);
    expect(await statesOf(name)).to.deep.equal(["succeeded", "queued"]);
    await start(registration(async ({ id }) => void handled.push(`second ${id}`)));
    await until(async () => handled.length === 2);
    expect(handled).to.deep.equal(["first 1", "second 2"]);
  });

  it("tries an action again when its time has come", async () => {
    const name = await workspace();
    let attempts = 0;
    const fails = registration(async () => {
      attempts++;
      if (attempts === 1) throw Object.assign(new Error("not now"), { retry: "later" });
    });
    await start(fails, { actionProcessor: { retry: { firstDelayMs: 300, maxDelayMs: 300 } } });
    await queue(name, "1");
    await until(async () => (await statesOf(name))[0] === "succeeded");
    expect(attempts).to.equal(2);
  });

  it("reads as the project says: what is volatile makes no update", async () => {
    const name = await workspace();
    let reads = 0;
    const settings = { [SITE]: { volatile: ["phone"] } };
    const worker = await start(registration(undefined, { more: () => ({ phone: `${++reads}` }) }), {
      cacheWriter: { settings },
    });
    for (const everySeconds of [3_600, 7_200]) {
      const before = reads;
      await stores.workspaces.schedule(name, SITE, { everySeconds });
      await until(async () => {
        const [entry] = await stores.workspaces.schedules(name);
        return reads > before && entry?.waitingSince === null;
      });
    }
    const page = await worker.metrics();
    expect(page).to.include('connectorcli_records_total{change="inserted"} 1\n');
    expect(page).to.include('connectorcli_records_total{change="updated"} 0\n');
    expect(page).to.include('connectorcli_records_total{change="unchanged"} 1\n');
  });

  it("deletes what is not read again, as much as it is, where that was approved", async () => {
    const name = await workspace();
    let ids = ["a", "b", "c", "d"];
    await start(registration(undefined, { read: () => ids.map((id) => ({ id })) }), {
      cacheWriter: { guard: { alwaysAllowed: 0 } },
    });
    const outcome = async (expected: string) =>
      until(async () => {
        const [entry] = await stores.workspaces.schedules(name);
        return entry?.outcome === expected && entry.waitingSince === null;
      });
    const store = await stores.open(name);
    await stores.workspaces.schedule(name, SITE, { everySeconds: 3_600 });
    await outcome("succeeded");
    ids = ["a"];
    await stores.workspaces.readSoon(name, SITE);
    await outcome("needs-approval");
    expect(await store.records.count(SITE)).to.equal(4);
    await stores.workspaces.readSoon(name, SITE, { approveDeletes: true });
    await outcome("succeeded");
    expect(await store.records.count(SITE)).to.equal(1);
    await store.close();
  });

  describe("and the others", () => {
    let others: typeof stores;

    before(async () => {
      others = await openForWork({ url: test?.url ?? "", sealing: { key: KEY } });
    });
    after(() => others?.close());
    afterEach(closeServers);

    /** As in a process of its own, with an API client that has a budget and notes when its requests start. */
    async function startWithClient(origin: string, handle: Handle, starts: number[]): Promise<Worker> {
      const clientHelper: ClientHelper<TestClient> = (_, own) => {
        const hooks = { onRequest: () => void starts.push(performance.now()) };
        const policy = { rateBudget: BUDGET, retry: { maxAttempts: 1, maxRetryAfterMs: 5_000 } };
        return {
          client: {
            ...{ baseUrl: origin, http: clientAt(origin, { ...policy, hooks, host: own ?? {} }) },
            save: own?.saveProperties,
          },
          connection: {},
        };
      };
      const store = workers.length === 0 ? stores : others;
      const engine = postgresEngine(store.database, test?.url ?? "");
      // What is noted does not rest on a log that hides.
      const createConnectorLog = () => SILENT;
      const settings = { actionSlots: 1, actionProcessor: { concurrency: 10 }, createConnectorLog };
      return start(registration(handle, { clientHelper }), settings, engine, store);
    }

    const sharing = (name: string) =>
      stores.workspaces.set(name, {
        connection: { definitionKey: "apiKeyAuth", properties: { apiKey: API_KEY } },
        services: ON,
        target: "one account",
      });

    it("keep to the rate budget of a target together", async () => {
      const names = [await workspace(), await workspace()];
      const { origin, requests } = await serve((_, response) => answerJson(response, {}));
      const starts: number[][] = [[], []];
      const begun = [deferred(), deferred()];
      for (const [index, own] of starts.entries())
        await startWithClient(
          origin,
          async (_input, _url, { http }) => {
            begun[index]?.resolve();
            // Both are at it at the same time.
            await Promise.all(begun.map(({ promise }) => promise));
            await http?.post("x", {});
          },
          own,
        );
      for (const name of names) await sharing(name);
      for (const name of names) await queue(name, ...Array.from({ length: 10 }, (_, index) => `${index}`));
      await until(async () => requests.length === 20);
      expect(starts.map(({ length }) => length)).to.deep.equal([10, 10]);
      const times = starts.flat().sort((left, right) => left - right);
      const windows = times.slice(BUDGET.requests).map((time, index) => time - (times[index] ?? 0));
      expect(Math.min(...windows)).to.be.at.least(BUDGET.windowMs);
    });

    it("note what they ask and how it ended, without secrets", async () => {
      const name = await workspace();
      const { origin } = await serve((_, response) => answerJson(response, {}));
      const handle: Handle = async ({ phone }, _url, { http, save }) => {
        await save?.({ apiKey: ROTATED });
        await http?.post(`x?of=1&phone=${phone}&also=${API_KEY}&new=${ROTATED}`, { json: { phone } });
        throw Object.assign(new Error(`no ${phone} for ${API_KEY}`), { retry: "never" });
      };
      const worker = await startWithClient(origin, handle, []);
      const store = await stores.open(name);
      const inputJson = JSON.stringify({ id: "1", phone: CANARY });
      const { id } = await store.ledger.add({ ...ACTION, inputJson });
      await stores.workspaces.schedule(name, SITE, { everySeconds: 3_600 });
      const history = await stores.history(name);
      const run = async () => (await store.runs.list(SITE, 1))[0];
      await until(async () => (await run())?.state === "succeeded");
      await until(async () => (await statesOf(name))[0] === "dead");
      await worker.stop();
      const look = async () => ({
        ofRun: await history.ofRun((await run()) ?? expect.fail()),
        ofAction: await history.ofAction({ id, queuedAt: "" }),
      });
      await until(async () => (await look()).ofAction.attempts.length > 0);
      const { ofRun, ofAction } = await look();
      await store.close();
      const call = { purpose: "call", status: 200, attempt: 1, problem: null };
      expect(ofRun.calls.map(({ at: _, ms: _ms, ...facts }) => facts)).to.deep.equal([
        { kind: "call", of: { object: SITE }, ...call, method: "GET", address: `${origin}/sites` },
      ]);
      expect(ofRun.pages).to.have.length(1);
      expect(ofRun.pages[0]).to.deep.include({ of: { object: SITE }, read: 1, pages: 1 });
      const hidden = "--hidden value--";
      const address = `${origin}/x?of=1&phone=${hidden}&also=${hidden}&new=${hidden}`;
      expect(ofAction.calls.map(({ at: _, ms: _ms, ...facts }) => facts)).to.deep.equal([
        { kind: "call", of: { action: id }, ...call, method: "POST", address },
      ]);
      expect(ofAction.attempts).to.have.length(1);
      expect(ofAction.attempts[0]).to.deep.include({ of: { action: id }, attempts: 1, outcome: "dead" });
      expect(ofAction.attempts[0]?.message).to.include(`no ${hidden} for ${hidden}`);
      for (const secret of [CANARY, API_KEY, ROTATED]) {
        expect(JSON.stringify([ofRun, ofAction])).to.not.include(secret);
        expect(await tablesWith(secret)).to.deep.equal([]);
      }
    });

    it("stand still where the target asks one of them to wait, until its time", async () => {
      const [asked, other, elsewhere] = [await workspace(), await workspace(), await workspace()];
      for (const name of [asked, other]) await sharing(name);
      const times: number[] = [];
      const { origin } = await serve((_request, response, count) => {
        times.push(performance.now());
        if (count === 1) response.setHeader("retry-after", "1");
        answerJson(response, {}, count === 1 ? 429 : 200);
      });
      const answers: (readonly [string, number | undefined])[] = [];
      for (const _worker of [1, 2])
        await startWithClient(
          origin,
          async ({ id }, _url, { http }) => {
            const answer = await http?.post("x", {});
            answers.push([id, answer?.statusCode]);
            if (id !== "asked to wait") return;
            // This worker is busy until the other one was answered.
            await queue(other, "waited");
            await until(async () => answers.length === 2);
          },
          [],
        );
      await queue(asked, "asked to wait");
      await until(async () => answers.length === 2);
      expect(answers).to.deep.equal([
        ["asked to wait", 429],
        ["waited", 200],
      ]);
      expect((times[1] ?? 0) - (times[0] ?? 0)).to.be.at.least(1_000);
      await queue(elsewhere, "of a target of its own");
      await until(async () => answers.length === 3);
      const targets = async () =>
        stores.database.rows(
          "SELECT target, blocked_until IS NOT NULL FROM connectorcli.rate_limits ORDER BY target",
        );
      expect(await targets()).to.deep.equal([
        ["target/one account", true],
        [`workspace/${elsewhere}`, false],
      ]);
      await stores.workspaces.remove(elsewhere);
      expect(await targets()).to.have.length(1);
    });
  });

  /** Where a text stands, in all tables. */
  async function tablesWith(text: string): Promise<readonly string[]> {
    const tables = await stores.database.rows(
      `SELECT format('%I.%I', schemaname, tablename) FROM pg_tables
        WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const found: string[] = [];
    for (const [name] of tables) {
      const sql = `SELECT 1 FROM ${name} AS t WHERE strpos(t::text, $1) > 0 LIMIT 1`;
      if ((await stores.database.row(sql, text)) !== undefined) found.push(String(name));
    }
    return found;
  }

  describe("and a program with a transaction of its own", () => {
    let client: pg.Client;

    before(async () => {
      client = new pg.Client({ connectionString: test?.url });
      await client.connect();
      await client.query("CREATE TABLE orders (title text)");
    });
    after(() => client?.end());
    afterEach(() => client.query("ROLLBACK"));

    const orders = async () => (await client.query("SELECT title FROM orders")).rows;
    const action = () => {
      const [found] = host.queueableActions(registration());
      if (found === undefined) throw new Error("it has one");
      expect(found.address).to.equal(`${SITE}/create`);
      return found;
    };
    const enqueue = async (name: string, input: object) =>
      host.enqueueAction(action(), input, { ledger: await stores.ledgerIn(client, name) });

    it("performs what that has committed, and nothing of what it has rolled back", async () => {
      const name = await workspace();
      const handled: string[] = [];
      await start(registration(async ({ id }) => void handled.push(id)));
      await client.query("BEGIN");
      await client.query("INSERT INTO orders VALUES ('rolled back')");
      const { outcome } = await enqueue(name, { id: "rolled back", phone: CANARY });
      expect(outcome).to.equal("queued");
      await client.query("ROLLBACK");
      expect(await statesOf(name)).to.deep.equal([]);
      await client.query("BEGIN");
      await client.query("INSERT INTO orders VALUES ('committed')");
      const queued = await enqueue(name, { id: "committed", phone: CANARY });
      // Nobody else sees it yet.
      expect(await statesOf(name)).to.deep.equal([]);
      await client.query("COMMIT");
      await until(async () => (await statesOf(name))[0] === "succeeded");
      expect(handled).to.deep.equal(["committed"]);
      expect(await orders()).to.deep.equal([{ title: "committed" }]);
      const store = await stores.open(name);
      const id = queued.outcome === "queued" ? queued.action.id : 0;
      const { inputJson, queuedAt } = (await store.ledger.get(id)) ?? {};
      expect(queued).to.deep.include({ outcome: "queued", isEnabled: true }).and.to.have.property("action");
      expect(queued).to.have.nested.include({ "action.inputJson": inputJson, "action.queuedAt": queuedAt });
      await store.close();
      expect(await tablesWith("committed")).to.deep.equal(["public.orders"]);
      expect(await tablesWith(CANARY)).to.deep.equal([]);
    });

    it("is told what is wrong with an input, and can go on", async () => {
      const name = await workspace();
      await client.query("BEGIN");
      const refused = await enqueue(name, { id: 5, phone: CANARY });
      expect(refused.outcome).to.equal("refused");
      expect(JSON.stringify(refused)).to.include("/id").and.not.include(CANARY);
      await client.query("INSERT INTO orders VALUES ('without an action')");
      await client.query("COMMIT");
      expect(await orders()).to.deep.include({ title: "without an action" });
      expect(await statesOf(name)).to.deep.equal([]);
    });

    it("is refused without a transaction, a workspace, the tables or the key", async () => {
      const name = await workspace();
      const pool = new pg.Pool({ connectionString: test?.url, max: 1 });
      const other = new pg.Client({ connectionString: (test?.url ?? "").replace(/[^/]*$/, "postgres") });
      const keyless = await openForWork({ url: test?.url ?? "" });
      try {
        await other.connect();
        await other.query("BEGIN");
        const reasonOf = async (adding: Promise<unknown>) => {
          const { problem, message } = (await rejection(adding)) as StoreError;
          return [problem, message.replace(/^.*?: /, "")];
        };
        const noTransaction =
          "the client has no open transaction. Execute BEGIN on it first; a pool is no connection.";
        expect(await reasonOf(enqueue(name, { id: "1" }))).to.deep.equal(["unavailable", noTransaction]);
        expect(await reasonOf(stores.ledgerIn(pool, name))).to.deep.equal(["unavailable", noTransaction]);
        expect((await reasonOf(stores.ledgerIn(client, "nobody")))[1]).to.include('no workspace "nobody"');
        expect((await reasonOf(stores.ledgerIn(other, name)))[1]).to.include("connected to another database");
        await client.query("BEGIN");
        const ledger = await keyless.ledgerIn(client, name);
        const [problem] = await reasonOf(host.enqueueAction(action(), { id: "1" }, { ledger }));
        expect(problem).to.equal("sealed");
        expect(await statesOf(name)).to.deep.equal([]);
      } finally {
        await pool.end();
        await other.end();
        await keyless.close();
      }
    });

    it("queues no more than may wait, and can go on", async () => {
      const name = await workspace();
      const open = () => openForWork({ url: test?.url ?? "", sealing: { key: KEY }, maxQueuedActions: 25 });
      const processes = [await open(), await open()];
      const add = async (ledger: Pick<ActionLedger, "add">) => ledger.add({ ...ACTION, inputJson: "{}" });
      try {
        await client.query("BEGIN");
        const own = await processes[0]?.ledgerIn(client, name);
        if (own === undefined) throw new Error("it is there");
        for (let count = 0; count < 25; count++) await add(own);
        const { problem, message } = (await rejection(add(own))) as StoreError;
        expect([problem, message]).to.deep.equal([
          "queue-full",
          `${stores.database.name} (${name}): 25 actions wait. No more are queued until some were performed or cancelled. maxQueuedActions (--max-queued) says how many may wait.`,
        ]);
        await client.query("COMMIT");
        const store = await processes[1]?.open(name);
        if (store === undefined) throw new Error("it is there");
        expect(((await rejection(add(store.ledger))) as StoreError).problem).to.equal("queue-full");
        for await (const { id } of store.ledger.list()) await store.source.cancel(id);
        await until(async () => (await add(store.ledger).catch(() => undefined)) !== undefined);
        await store.close();
        expect(await statesOf(name)).to.have.length(26);
      } finally {
        for (const opened of processes) await opened.close();
      }
    });
  });

  describe("and OpenTelemetry", () => {
    const exporter = new InMemorySpanExporter();

    before(() => {
      context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
      const spanProcessors = [new SimpleSpanProcessor(exporter)];
      trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }));
    });
    beforeEach(() => exporter.reset());
    after(() => {
      trace.disable();
      context.disable();
    });

    it("has a span for each turn, and within that for what is read and what handlers do", async () => {
      const name = await workspace();
      const handle: Handle = async () =>
        trace.getTracer("of the connector").startActiveSpan("call", (span) => span.end());
      const worker = await startPostgresWorker({
        ...{ url: test?.url ?? "", sealing: { key: KEY }, registration: registration(handle), log: SILENT },
        createConnectorLog: () => SILENT,
      });
      workers.push(worker);
      await queue(name, "1");
      await stores.workspaces.schedule(name, SITE, { everySeconds: 3_600 });
      const spans = () => exporter.getFinishedSpans();
      const spanOf = (wanted: string) => spans().find((span) => span.name === wanted);
      const parentOf = (child: ReturnType<typeof spanOf>) =>
        spans().find((span) => span.spanContext().spanId === child?.parentSpanContext?.spanId);
      const inner = () => [spanOf("call"), spanOf("connectorcli sync Site")];
      await until(async () => inner().every((span) => parentOf(span) !== undefined));
      const [call, site] = inner();
      const [act, sync] = [parentOf(call), parentOf(site)];
      expect([act?.name, sync?.name]).to.deep.equal(["connectorcli act", "connectorcli sync"]);
      const where = { "connectorcli.workspace": name };
      expect([act?.attributes, sync?.attributes]).to.deep.equal([where, where]);
      expect(site?.attributes).to.deep.equal({ ...where, "connectorcli.object": SITE });
      expect(act?.status.code).to.equal(SpanStatusCode.UNSET);
    });

    it("is told of an error by its name alone", async () => {
      const tracer = await openTelemetryTracer();
      const task = async () => Promise.reject(new RangeError("kept-from-all"));
      expect(await rejection(tracer.span("fails", {}, task))).to.be.instanceOf(RangeError);
      const [span] = exporter.getFinishedSpans();
      expect(span?.status).to.deep.equal({ code: SpanStatusCode.ERROR, message: "RangeError" });
      expect(span?.events).to.deep.equal([]);
    });
  });

  it("leaves a workspace alone while it is paused, and goes on then", async () => {
    const name = await workspace();
    await stores.workspaces.pause(name, true);
    await queue(name, "1");
    const other = await workspace();
    await queue(other, "1");
    await start(registration());
    await until(async () => (await statesOf(other))[0] === "succeeded");
    expect(await statesOf(name)).to.deep.equal(["queued"]);
    await stores.workspaces.pause(name, false);
    await until(async () => (await statesOf(name))[0] === "succeeded");
  });

  it("lends properties of the connection by their names in code, and keeps them by those of the settings", async () => {
    const schema = objectSchema({ api_key: { type: "string", writeOnly: true }, url: { type: "string" } });
    const properties = recordType("Auth", schema, { properties: [["apiKey", "api_key"]] });
    const rotating = registration(
      async (_, __, { rotate }) => {
        throw new Error(`it failed with ${await rotate?.()}`);
      },
      {
        clientHelper: (_, { lockProperties, saveProperties } = {}) => {
          const rotate = async () =>
            lockProperties?.(async ({ apiKey }) => {
              const changed = apiKey === CANARY ? ROTATED : "of no key";
              await saveProperties?.({ apiKey: changed });
              return changed;
            });
          return { client: { baseUrl: "", rotate }, connection: {} };
        },
      },
    );
    const name = `workspace ${++names}`;
    const kept = { api_key: CANARY, url: name };
    const connection = { definitionKey: "auth", properties: kept };
    await stores.workspaces.set(name, { connection, services: ON });
    await queue(name, "1");
    await start({ ...rotating, connections: [{ key: "auth", properties }] });
    const reasons = async () => {
      const store = await stores.open(name);
      const listed = await all(store.ledger.list());
      await store.close();
      return listed.map(({ resultJson }) => resultJson).join();
    };
    await until(async () => (await reasons()).includes("it failed with"));
    expect((await stores.workspaces.get(name))?.connection.properties).to.deep.equal({
      ...kept,
      api_key: ROTATED,
    });
    expect(await reasons()).to.not.include(ROTATED);
  });
});
