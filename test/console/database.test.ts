/** The console on PostgreSQL: workspaces, schedules and workers, by raw requests and in a real browser. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import pg from "pg";
import { localKeys } from "../../runtime/entries/postgres.js";
import { StoredHistory } from "../../runtime/history/stored-history.js";
import { openForWork } from "../../runtime/store/postgres/open-store.js";
import { TOKEN_HEADER } from "../../scripts/console/request-guard.js";
import type { StartConsoleOptions } from "../../scripts/console/start-console.js";
import { fillIn } from "../support/author-project.js";
import { browserOrSkip, endBrowser } from "../support/browser.js";
import type { Browser } from "../support/browser-page.js";
import { connectorcli, connectorcliWith } from "../support/command-line.js";
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
import { answerJson, closeServers, type Loopback, serve } from "../support/loopback.js";
import { type TestDatabase, testDatabase } from "../support/postgres.js";

const KEY = Buffer.alloc(32, 3).toString("base64");
const TOKEN = "canary-token-of-the-workspace-51c7";
const STATUS = "canary-status-of-the-workspace-88d1";
const INPUT = "canary-input-2f90@secret.example";
const AT = "2026-05-04T03:02:01.000Z";
const MACHINE_TOKEN = "canary-token-of-this-machine-a4e9";
const CANARIES = [CANARY, TOKEN, STATUS, INPUT, MACHINE_TOKEN];
const CREATE = {
  ...{ object: PROJECTS, action: "create" },
  input: { number: "N-8", title: "Tunnel", status: "Active", budget: null },
};
const READS = ["workspaces", "schedules", "workers"];
const WRITES: readonly (readonly [name: string, body: object])[] = [
  ["workspace/pause", { name: "beta", isPaused: true }],
  ["schedule/pause", { object: PROJECTS, isPaused: true }],
  ["schedule/run", { object: PROJECTS }],
  ["serve", {}],
  ["act", CREATE],
  ["connection/sign-in", {}],
];
/** Light and dark by turns, wide and narrow: all pages have the same colours. */
const PAGES = [
  ["workspaces", "light", 1_280],
  ["schedules", "dark", 320],
  ["workers", "light", 1_280],
  ["connection", "dark", 320],
  ["overview", "light", 1_280],
] as const;
/** What calls the target system, and leaves it as it is. */
const TRIALS = [
  ["connection", {}],
  ["read", { object: PROJECTS, limit: 1 }],
  ["act", { ...CREATE, dryRun: true }],
] as const;

describe("the console on PostgreSQL", function () {
  this.timeout(120_000);
  let folder: string;
  let database: TestDatabase | undefined;
  let stores: Awaited<ReturnType<typeof openForWork>>;
  let client: pg.Client;
  let target: Loopback;

  before(async function () {
    database = await testDatabase();
    if (database === undefined) return this.skip();
    // It lets in whoever has the token of the workspace.
    target = await serve(({ method, path: asked, headers: { authorization }, body }, response) => {
      if (authorization !== `Token api=${TOKEN}`) return answerJson(response, {}, 401);
      const project = { ...projectRecord(1), created_on: "2026-03-01T00:00:00Z" };
      if (method === "POST") return answerJson(response, { ...project, ...JSON.parse(body) });
      answerJson(response, asked.includes("page=2") ? [] : [project]);
    });
    folder = consoleProject();
    writeFileSync(path.join(folder, "store.key"), KEY, { mode: 0o600 });
    for (const name of ["connections/custom-auth.ts", "generated/connections/custom-auth.ts"]) {
      const file = path.join(folder, name);
      const text = readFileSync(file, "utf8");
      writeFileSync(file, text.replace(/https:\/\/[a-z]+\.projects-platform\.com/g, target.origin));
    }
    await connectorcli(folder, "test", "init");
    fillIn(folder, "customAuth", { apiToken: MACHINE_TOKEN });
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
    const history = new StoredHistory((await worker.work.load("acme")).open().history);
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
    await closeServers();
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
      const { connection, database } = JSON.parse(texts[0] ?? "");
      expect(database.workspace).to.include({ name: "acme", isServed: true });
      expect(connection.target).to.deep.equal({ isProduction: true, title: "acme" });
      const apiToken = connection.properties.find(({ name }: { name: string }) => name === "apiToken");
      expect(apiToken).to.include({ isSet: true, isSensitive: true });
    });

    it("leaves what is sealed closed without the key, and shows one value of it with the key and a reason", async () => {
      const keyless = await started({ storeKey: undefined });
      const sealed = await call(keyless, `records?object=${PROJECTS}`);
      expect([sealed.status, sealed.text.includes("no key was given")]).to.deep.equal([422, true]);
      const overview = JSON.parse((await call(keyless, "overview")).text);
      expect(overview.objects[0].records).to.equal(40);
      expect(overview.database.workspace).to.not.have.property("configured");
      expect(overview.connection).to.deep.include({
        ...{ key: "customAuth", title: "API token" },
        ...{ properties: [], target: overview.target },
      });
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

    it("calls with what the workspace is connected with, as the commands do, and says no value", async () => {
      const before = target.requests.length;
      const console = await started();
      const texts: string[] = [];
      for (const [name, body] of TRIALS) {
        const { text } = await post(console, `${name}?workspace=beta`, body);
        texts.push(text);
        expect(JSON.parse(text.trim().split("\n").at(-1) ?? ""), text).to.deep.include({ diagnostics: [] });
      }
      expect(texts[0]).to.include("Successful test.");
      expect(texts[1]).to.include("N-1");
      expect(texts[2]).to.include(`${target.origin}/v2/projects`);
      const ofWorkspace = ["--database", database?.url ?? "", "--workspace", "beta"];
      const key = { CONNECTORCLI_KEY: KEY };
      const tested = await connectorcliWith(key, folder, "test", "connection", ...ofWorkspace);
      expect([tested.status, tested.stdout], tested.stderr).to.deep.equal([0, "Successful test.\n"]);
      const read = await connectorcliWith(key, folder, "read", "project", ...ofWorkspace);
      expect([read.status, read.stdout.includes("1 record read")], read.stdout + read.stderr).to.deep.equal([
        0,
        true,
      ]);
      const methods = target.requests.slice(before).map(({ method }) => method);
      expect([...new Set(methods)]).to.deep.equal(["GET"]);
      const said = [...texts, ...[tested, read].map(({ stdout, stderr }) => stdout + stderr)].join();
      for (const canary of CANARIES) expect(said).to.not.include(canary);
    });

    it("performs an action once with it, in production for whoever types the name of the workspace", async () => {
      const console = await started({ isWritable: true });
      const perform = async (workspace: string, more: object = {}) =>
        (await post(console, `act?workspace=${workspace}`, { ...CREATE, ...more })).text;
      expect(await perform("beta")).to.include('"outcome":"succeeded"');
      const sent = () => target.requests.filter(({ method }) => method === "POST").length;
      const once = sent();
      expect(await perform("acme")).to.include("This is production. Type its name: acme");
      expect(await perform("acme", { confirmed: "beta" })).to.include("This is production");
      expect(sent()).to.equal(once);
      await stores.workspaces.set("acme", { ...settingsOf(1), registrationConfiguration: {} });
      expect(await perform("acme", { confirmed: "acme" })).to.include('"outcome":"succeeded"');
      await stores.workspaces.set("acme", settingsOf(1));
      expect(sent()).to.equal(once + 1);
    });

    it("calls nothing where the settings can't be read, and says in a sentence what to give", async () => {
      const before = target.requests.length;
      const keyless = await started({ storeKey: undefined, isWritable: true });
      const { connection } = JSON.parse((await call(keyless, "overview?workspace=beta")).text);
      const why = "The settings of beta are sealed, and can't be read without their key: ";
      expect(connection.problem).to.equal(`${why}give it with --key-file or the variable CONNECTORCLI_KEY.`);
      for (const [name, body] of [...TRIALS, ["act", CREATE], ["connection/sign-in", {}]] as const)
        expect((await post(keyless, `${name}?workspace=beta`, body)).text, name).to.include(why);
      await stores.open("bare");
      const console = await started();
      const bare = JSON.parse((await call(console, "overview?workspace=bare")).text).connection;
      expect(bare.problem).to.equal(
        "The workspace bare has no settings: npx connectorcli workspace add gives it some.",
      );
      const ofWorkspace = ["--database", database?.url ?? "", "--workspace"];
      const refused = await connectorcliWith({}, folder, "test", "connection", ...ofWorkspace, "bare");
      expect([refused.status, refused.stderr.includes("has no settings")]).to.deep.equal([1, true]);
      await stores.workspaces.remove("bare");
      const unknown = await connectorcliWith({}, folder, "read", "project", ...ofWorkspace, "bet");
      expect([unknown.status, unknown.stderr.includes('Did you mean "beta"?')]).to.deep.equal([1, true]);
      for (const other of [
        ["--fake", "http://127.0.0.1:1"],
        ["--connection", "customAuth"],
        ["--workspace"],
      ]) {
        const args = other.length === 1 ? [...other, "beta"] : [...ofWorkspace, "beta", ...other];
        const wrong = await connectorcli(folder, "test", "connection", ...args);
        expect([wrong.status, wrong.stderr.includes("--database")], wrong.stderr).to.deep.equal([2, true]);
      }
      expect(target.requests).to.have.length(before);
    });

    it("is not started without the database or the workspace", async () => {
      const url = database?.url ?? "";
      const unknown = await connectorcli(folder, "console", "--database", url, "--workspace", "acm");
      expect([unknown.status, unknown.stderr.includes('Did you mean "acme"?')]).to.deep.equal([1, true]);
      const gone = await connectorcli(folder, "console", "--database", "postgres://127.0.0.1:1/none");
      expect([gone.status, gone.stderr.includes("can't be reached")]).to.deep.equal([1, true]);
      const other = await connectorcli(folder, "console", "--database", url, "--connection", "customAuth");
      expect([other.status, other.stderr.includes("leave out --connection")]).to.deep.equal([2, true]);
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
      for (const [name, colorScheme, width] of PAGES) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
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

    it("tests and tries with the connection of the workspace that is shown, and has no value of it", async () => {
      const lines: string[] = [];
      const { page, traffic, problems } = await opened({
        workspace: "beta",
        onLine: (line) => void lines.push(line),
      });
      await show(page, "connection");
      await page.getByText("connectorcli test connection --database … --workspace beta").waitFor();
      await page.getByRole("button", { name: "Test the connection" }).click();
      await page.getByText("The connection works.").waitFor();
      await show(page, "try");
      await page.getByText(/connectorcli read Project .* --workspace beta/).waitFor();
      await page.getByRole("button", { name: "Read" }).click();
      await page.getByText("1 record read, which is all. Nothing was written.").waitFor();
      const shown = [await page.content(), await storageOf(page), ...(await Promise.all(traffic))];
      const texts = [...shown, ...lines].join();
      for (const canary of CANARIES) expect(texts).to.include("N-1").and.not.include(canary);
      expect(problems).to.deep.equal([]);
    });

    it("offers nothing to call without the key of the settings", async () => {
      const { page } = await opened({ storeKey: undefined, isWritable: true, workspace: "beta" });
      const action = `actions?${new URLSearchParams({ object: PROJECTS, action: "create" })}`;
      for (const [name, buttons] of [
        ["connection", ["Test the connection"]],
        ["try", ["Read"]],
        [action, ["Show what would be sent", "Perform once"]],
      ] as const) {
        await page.evaluate(`location.hash = ${JSON.stringify(`#/${name}`)}`);
        await page.getByText("The settings of beta are sealed").waitFor();
        for (const button of buttons)
          expect(await page.getByRole("button", { name: button }).isDisabled(), button).to.equal(true);
        expect(await violationsOf(page), name).to.deep.equal([]);
      }
    });

    it("shows another workspace on all pages, in this tab alone", async () => {
      const { page, context } = await opened();
      await page.getByText("Production: acme").waitFor();
      // Another one may be the first one soon.
      expect(await page.evaluate("location.hash")).to.equal("#/overview?workspace=acme");
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
    // The connector refuses the status, in words that have it: nothing of production is started unasked.
    ...(connectionEnvironment === 1 && { registrationConfiguration: { ProjectStatus: STATUS } }),
    services: { "app-1": { cacheWriter: {}, actionProcessor: {} } },
  };
}
