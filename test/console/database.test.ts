/** The console on PostgreSQL: workspaces, schedules and workers, by raw requests and in a real browser. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import pg from "pg";
import { localKeys } from "../../runtime/entries/postgres.js";
import { StoredHistory } from "../../runtime/history/stored-history.js";
import { openForWork } from "../../runtime/store/postgres/open-store.js";
import { TOKEN_HEADER } from "../../scripts/console/request-guard.js";
import type { StartConsoleOptions } from "../../scripts/console/start-console.js";
import { browserOrSkip, endBrowser } from "../support/browser.js";
import type { Browser } from "../support/browser-page.js";
import { connectorcli } from "../support/command-line.js";
import { missedByKeyboard, openPage, show, storageOf, violationsOf } from "../support/console-page.js";
import {
  CANARY,
  consoleProject,
  endConsoles,
  fillWith,
  PROJECTS,
  projectRecord,
  startedConsole,
} from "../support/console-project.js";
import { ask, call, post } from "../support/console-requests.js";
import { type TestDatabase, testDatabase } from "../support/postgres.js";

const KEY = Buffer.alloc(32, 3).toString("base64");
const TOKEN = "canary-token-of-the-workspace-51c7";
const STATUS = "canary-status-of-the-workspace-88d1";
const INPUT = "canary-input-2f90@secret.example";
const CANARIES = [CANARY, TOKEN, STATUS, INPUT];
const AT = "2026-05-04T03:02:01.000Z";
const READS = ["workspaces", "schedules", "workers"];
const WRITES: readonly (readonly [name: string, body: object])[] = [
  ["workspace/pause", { name: "beta", isPaused: true }],
  ["schedule/pause", { object: PROJECTS, isPaused: true }],
  ["schedule/run", { object: PROJECTS }],
  ["serve", {}],
  ["connection/sign-in", {}],
];
/** Light and dark by turns: all pages have the same colours. */
const PAGES = [
  ["workspaces", "light"],
  ["schedules", "dark"],
  ["workers", "light"],
  ["connection", "dark"],
  ["overview", "light"],
] as const;

describe("the console on PostgreSQL", function () {
  this.timeout(120_000);
  let folder: string;
  let database: TestDatabase | undefined;
  let stores: Awaited<ReturnType<typeof openForWork>>;
  let client: pg.Client;

  before(async function () {
    database = await testDatabase();
    if (database === undefined) return this.skip();
    folder = consoleProject();
    writeFileSync(path.join(folder, "store.key"), KEY, { mode: 0o600 });
    const managerEmail = { type: "string", writeOnly: true };
    const objects = [{ dataPath: PROJECTS, record: { schema: { properties: { managerEmail } } } }];
    const options = { url: database.url, sealing: { key: localKeys(KEY), objects }, keepBefore: 100 };
    stores = await openForWork(options);
    for (const [name, environment] of [
      ["acme", 1],
      ["beta", 2],
    ] as const) {
      await stores.workspaces.set(name, settingsOf(environment));
      await stores.workspaces.schedule(name, PROJECTS, { cron: "0 2 * * 1-5", timeZone: "Europe/Berlin" });
      await (await stores.open(name)).bind({
        ...{ definition: "customAuth", environment: environment === 1 ? "Production" : "Test" },
        address: null,
      });
    }
    const acme = await stores.open("acme");
    await fillWith(
      acme,
      Array.from({ length: 40 }, (_, index) => projectRecord(index)),
      [{ title: 1 }],
    );
    await fillWith(acme, [projectRecord(0, "A bridge")]);
    const { id: action } = await acme.ledger.add({
      ...{ object: PROJECTS, action: "create" },
      inputJson: JSON.stringify({ number: "N-1", managerEmail: INPUT }),
    });
    const worker = await openForWork(options);
    const history = new StoredHistory((await worker.work.open("acme")).history);
    for (const [subject, of] of [
      ["run/1", { object: PROJECTS }],
      [`action/${action}`, { action }],
    ] as const) {
      const call = { purpose: "call", method: "GET", status: 200, ms: 7, attempt: 1, problem: null } as const;
      history.note(subject, {
        kind: "call",
        of,
        at: AT,
        ...call,
        address: `https://x.example/of/${subject}`,
      });
    }
    history.note("run/1", { kind: "page", of: { object: PROJECTS }, at: AT, read: 40, pages: 1 });
    await worker.close();
    const beta = await stores.open("beta");
    const run = await beta.runs.start({
      ...{ object: PROJECTS, kind: "full", alternateKeysVersion: "1", schemaVersion: "1" },
      ...{ resume: false, resumeWithinMs: 0 },
    });
    await run?.end("needs-approval", "90 of 100 records were not read again");
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  beforeEach(async () => {
    await client.query("UPDATE connectorcli.schedules SET asked_at = NULL, is_paused = false");
    await client.query("UPDATE connectorcli.workspaces SET is_paused = false");
  });
  afterEach(endConsoles);
  after(async () => {
    await client?.end();
    await stores?.close();
    await database?.remove();
  });

  const started = (options: Partial<StartConsoleOptions> = {}) =>
    startedConsole(folder, { database: database?.url, storeKey: KEY, ...options });
  const asked = async (name: string) => (await stores.workspaces.schedules(name))[0]?.waitingSince ?? null;

  describe("by requests", () => {
    it("answers its own page only, also what there is of a database", async () => {
      const console = await started({ isWritable: true });
      const { token, port } = console;
      const type = { "content-type": "application/json" };
      const calls = [...READS.map((name) => ["GET", name, undefined] as const)].concat(
        WRITES.map(([name, body]) => ["POST", name, JSON.stringify(body)] as never),
      );
      const wrong: readonly (readonly [number, Record<string, string>])[] = [
        [401, {}],
        [401, { [TOKEN_HEADER]: `${token}x` }],
        [403, { [TOKEN_HEADER]: token, origin: "http://attacker.example" }],
        [403, { [TOKEN_HEADER]: token, "sec-fetch-site": "cross-site" }],
        [421, { [TOKEN_HEADER]: token, host: `attacker.example:${port}` }],
      ];
      for (const [method, name, body] of calls)
        for (const [status, headers] of wrong) {
          const sent = { method, headers: { ...type, ...headers }, ...(body !== undefined && { body }) };
          const got = await ask(console, `/api/${name}?workspace=beta`, sent);
          expect([name, got.status, got.text.includes("acme")]).to.deep.equal([name, status, false]);
        }
      expect(await asked("beta")).to.equal(null);
    });

    it("shows only, unless it was started for more", async () => {
      const console = await started();
      for (const [name, body] of WRITES) {
        const { status, text } = await post(console, `${name}?workspace=beta`, body);
        expect([name, status]).to.deep.equal([name, 403]);
        expect(text).to.include("--write");
      }
      expect(await asked("beta")).to.equal(null);
    });

    it("asks for the name of a workspace before it changes one of production", async () => {
      const console = await started({ isWritable: true });
      const { status, text } = await post(console, "schedule/run?workspace=acme", { object: PROJECTS });
      expect([status, text.includes("acme"), await asked("acme")]).to.deep.equal([412, true, null]);
      // The one that is shown is none of production, and the one that would be paused is.
      const pause = { name: "acme", isPaused: true };
      expect((await post(console, "workspace/pause?workspace=beta", pause)).status).to.equal(412);
      expect((await post(console, "serve?workspace=beta", {})).status).to.equal(412);
      const confirmed = { object: PROJECTS, confirmed: "acme" };
      expect((await post(console, "schedule/run?workspace=acme", confirmed)).status).to.equal(200);
      expect(await asked("acme")).to.be.a("string");
      expect((await post(console, "schedule/run?workspace=beta", { object: PROJECTS })).status).to.equal(200);
      const unknown = await post(console, "schedule/run?workspace=beta", { object: `${PROJECTS}s` });
      expect([unknown.status, unknown.text.includes("Did you mean")]).to.deep.equal([409, true]);
    });

    it("says which properties have a value, and no value", async () => {
      const console = await started();
      const names = [
        "overview",
        ...READS,
        `records?object=${PROJECTS}`,
        "changes",
        "rejected",
        "runs",
        "actions",
      ];
      const texts = await Promise.all(names.map(async (name) => (await call(console, name)).text));
      expect(texts.join()).to.include("N-39").and.include("registrationConfiguration/ProjectStatus");
      for (const canary of CANARIES) expect(texts.join()).to.not.include(canary);
      const { workspace } = JSON.parse(texts[0] ?? "").database;
      expect(workspace).to.include({ name: "acme", isProduction: true });
      expect(
        workspace.settings.properties.find(({ name }: { name: string }) => name === "apiToken"),
      ).to.include({
        isSet: true,
        isSensitive: true,
      });
    });

    it("leaves what is sealed closed without the key, and shows one value of it with the key and a reason", async () => {
      const keyless = await started({ storeKey: undefined });
      const sealed = await call(keyless, `records?object=${PROJECTS}`);
      expect([sealed.status, sealed.text.includes("no key was given")]).to.deep.equal([422, true]);
      const overview = JSON.parse((await call(keyless, "overview")).text);
      expect(overview.objects[0].records).to.equal(40);
      expect(overview.database.workspace).to.not.have.property("settings");
      expect(overview.target).to.deep.equal({ isProduction: true, title: "acme" });
      const lines: string[] = [];
      const console = await started({ onLine: (line) => void lines.push(line) });
      const { key } = JSON.parse((await call(console, `records?object=${PROJECTS}&limit=1`)).text).rows[0];
      const wanted = { object: PROJECTS, key, pointer: "/managerEmail", reason: "a call" };
      expect((await post(console, "reveal?workspace=beta", wanted)).status).to.equal(404);
      expect((await post(console, "reveal?workspace=acme", wanted)).text).to.include(CANARY);
      expect(lines).to.deep.equal([`revealed /managerEmail of ${PROJECTS} ${key}: a call`]);
    });

    it("keeps workspaces apart, and makes none that is not there", async () => {
      const console = await started({ workspace: "beta" });
      const records = async (query: string) =>
        JSON.parse((await call(console, `records?object=${PROJECTS}${query}`)).text);
      expect((await records("")).total).to.equal(0);
      expect((await records("&workspace=acme")).total).to.equal(40);
      const missing = await call(console, `records?object=${PROJECTS}&workspace=acm`);
      expect([missing.status, missing.text.includes("Did you mean")]).to.deep.equal([404, true]);
      expect(await stores.tenants()).to.deep.equal(["acme", "beta"]);
      const { text } = await call(console, "workspaces?text=ET");
      expect(JSON.parse(text).rows.map(({ name }: { name: string }) => name)).to.deep.equal(["beta"]);
    });

    it("shows what workers have asked and what a change did, as of the store of this machine", async () => {
      const [console, keyless] = [await started(), await started({ storeKey: undefined })];
      const read = async (name: string, from = console) => JSON.parse((await call(from, name)).text);
      const [{ id }] = (await read("actions")).rows;
      const { calls, pages, callCount } = await read("run?id=1");
      expect([calls[0].address, calls[0].status, callCount]).to.deep.equal([
        ...["https://x.example/of/run/1", 200, 1],
      ]);
      expect(pages).to.deep.include.members([
        { kind: "page", of: { object: PROJECTS }, at: AT, read: 40, pages: 1 },
      ]);
      expect((await read(`action?id=${id}`)).calls[0].address).to.equal(`https://x.example/of/action/${id}`);
      expect(await read("run?id=2")).to.deep.equal({ calls: [], pages: [], callCount: 0 });
      expect(await read("run?id=1", keyless)).to.deep.equal({ calls: [], pages: [], callCount: 0 });
      const change = await read("change?sequence=41");
      expect([change.before.title, change.after.title]).to.deep.equal(["Title 0", "A bridge"]);
      expect(JSON.stringify(change)).to.not.include(CANARY);
      const shown = await connectorcli(
        folder,
        ...["runs", "show", "1", "--database", database?.url ?? "", "--workspace", "acme"],
        ...["--key-file", path.join(folder, "store.key")],
      );
      expect(shown.stdout).to.include("GET https://x.example/of/run/1: 200 after 7 ms");
    });

    it("queues actions for workers, whose inputs fit", async () => {
      const console = await started({ isWritable: true });
      const add = async (input: object) =>
        (await post(console, "queue/add?workspace=beta", { object: PROJECTS, action: "create", input })).text;
      const fitting = { number: "N-7", title: "Bridge", status: "Active", budget: null };
      expect(await add(fitting)).to.match(/Queued as action \d+/);
      expect(await add({ number: 7 })).to.include("refused");
      const queued = JSON.parse((await call(console, "actions?workspace=beta")).text).rows;
      expect(queued.map(({ state }: { state: string }) => state)).to.deep.equal(["queued"]);
      for (const name of ["sync", "queue/perform"])
        expect((await post(console, `${name}?workspace=beta`, {})).status, name).to.equal(409);
    });

    it("is not started without the database or the workspace", async () => {
      const url = database?.url ?? "";
      const unknown = await connectorcli(folder, "console", "--database", url, "--workspace", "acm");
      expect([unknown.status, unknown.stderr.includes('Did you mean "acme"?')]).to.deep.equal([1, true]);
      const gone = await connectorcli(folder, "console", "--database", "postgres://127.0.0.1:1/none");
      expect([gone.status, gone.stderr.includes("can't be reached")]).to.deep.equal([1, true]);
      const embedded = await startedConsole(folder);
      for (const name of READS) expect((await call(embedded, name)).status, name).to.equal(409);
    });
  });

  describe("in a browser", () => {
    let browser: Browser;
    before(async function () {
      browser = await browserOrSkip(this);
    });
    afterEach(async () => {
      await Promise.all(browser.contexts().map((context) => context.close()));
    });
    after(endBrowser);

    const opened = async (options: Partial<StartConsoleOptions> = {}) =>
      openPage(browser, (await started(options)).address);

    it("has no violation of accessibility on the pages of a database, nothing that the keyboard misses, and no value of settings", async () => {
      const { page, traffic, problems } = await opened({ isWritable: true });
      for (const [name, colorScheme] of PAGES) {
        await page.emulateMedia({ colorScheme });
        await show(page, name);
        await page
          .getByRole(name === "workers" ? "status" : "table")
          .first()
          .waitFor();
        expect(await violationsOf(page), `${name} ${colorScheme}`).to.deep.equal([]);
        expect(await missedByKeyboard(page), name).to.deep.equal([]);
        for (const canary of CANARIES) expect(await page.content(), name).to.not.include(canary);
      }
      const texts = (await Promise.all([...traffic, storageOf(page)])).join();
      for (const canary of CANARIES) expect(texts).to.include("acme").and.not.include(canary);
      expect(problems).to.deep.equal([]);
    });

    it("shows another workspace on all pages, in this tab alone", async () => {
      const { page, context } = await opened();
      await page.getByText("Production: acme").waitFor();
      await show(page, "runs");
      await page.getByRole("link", { name: "Requests of run 1", exact: true }).click();
      await page.getByRole("rowheader", { name: "GET /of/run/1" }).waitFor();
      await show(page, "records");
      await page.getByText("N-3", { exact: true }).waitFor();
      await page.getByRole("combobox", { name: /^Workspace/ }).selectOption({ label: "beta" });
      await page.getByText(/cache show .*--workspace beta/).waitFor();
      expect(await page.getByText("N-3", { exact: true }).count()).to.equal(0);
      expect(await page.getByText("Production: acme").count()).to.equal(0);
      await page.locator('nav a[href="#/schedules?workspace=beta"]').click();
      await page.getByText("connectorcli schedule list --database … --workspace beta").waitFor();
      expect(await page.getByRole("button", { name: /^Read now/ }).isDisabled()).to.equal(true);
      const other = await context.newPage();
      await other.goto(page.url().replace(/#.*/, ""));
      await other.getByText("This tab has no token").waitFor();
    });

    it("pauses and resumes, and asks workers to read, as the commands do", async () => {
      const { page } = await opened({ isWritable: true, workspace: "beta" });
      await show(page, "schedules");
      await page.getByText("0 2 * * 1-5 (Europe/Berlin)").waitFor();
      await page.getByRole("button", { name: `Read now: ${PROJECTS}` }).click();
      await page.getByText("waiting", { exact: true }).waitFor();
      await page.getByRole("button", { name: `Pause: ${PROJECTS}` }).click();
      await page.getByText("not while paused").waitFor();
      expect((await stores.workspaces.schedules("beta"))[0]).to.include({ isPaused: true });
      await show(page, "overview");
      await page.getByRole("button", { name: "Read again and approve the deletes" }).click();
      await page.getByText("A worker reads it again").waitFor();
      const approved = "SELECT count(*)::int AS n FROM connectorcli.schedules WHERE approved_at = asked_at";
      expect((await client.query(approved)).rows).to.deep.equal([{ n: 1 }]);
      await show(page, "workspaces");
      await page.getByRole("button", { name: "Pause: acme…" }).click();
      await page.getByLabel(/This is production/).fill("acme");
      await page.getByRole("button", { name: "Pause", exact: true }).click();
      await page.getByRole("button", { name: "Resume: acme…" }).waitFor();
      expect((await stores.workspaces.list("acme"))[0]).to.include({ isPaused: true });
    });

    it("runs a worker for as long as the page is open", async () => {
      for (const name of await stores.tenants()) await stores.workspaces.pause(name, true);
      const { page } = await opened({ isWritable: true });
      await show(page, "workers");
      await page.getByText("No worker is there").waitFor();
      await page.getByRole("button", { name: "Run a worker here…" }).click();
      await page.getByLabel(/This is production/).fill(stores.name);
      await page.getByRole("button", { name: "Run a worker here", exact: true }).click();
      await page.getByRole("row", { name: /alive/ }).waitFor();
      await page.getByRole("button", { name: "Stop" }).click();
      await page.getByText("No worker is there").waitFor();
    });
  });
});

function settingsOf(connectionEnvironment: number) {
  return {
    connection: { definitionKey: "customAuth", properties: { apiToken: TOKEN, connectionEnvironment } },
    registrationConfiguration: { ProjectStatus: STATUS },
    services: { "app-1": { cacheWriter: {}, actionProcessor: {} } },
  };
}
