import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { openSqliteStore } from "../../runtime/host/index.js";
import {
  addDataObject,
  addModule,
  checkProject,
  compareProject,
  createConnector,
  enqueueAction,
  explain,
  extractConnectorJson,
  generate,
  importConnectorJson,
  initSettings,
  migrateProject,
  openProject,
  openProjectStore,
  performActions,
  type ServiceEvent,
  sync,
  testConnection,
} from "../../scripts/workbench/index.js";
import { loadModules, withProjects } from "../support/author-project.js";
import { smallConnector } from "../support/connector-sources.js";
import { pageFiles } from "../support/documentation.js";
import { filesIn, folderWith } from "../support/folders.js";
import { type Platform, platformProject, startPlatform } from "../support/projects-platform.js";
import { SLOW_TEST_MS } from "../support/repository.js";

const PAGE = "docs/workbench.md";
const TOKEN = "a-token-of-tests-9";

describe("the workbench", () => {
  describe("on a project", () => {
    const PROPERTIES = `
      id: Type.String({ description: "Identifier." }),
      phone: Type.String({ description: "Where to call." }),`;
    const smallProject = () => folderWith({ "connector.ts": smallConnector({ properties: PROPERTIES }) });

    it("finds what check finds, at the same place", async () => {
      const folder = smallProject();
      const { findings, fixed } = await checkProject({ folder });
      expect(findings).to.have.length(1);
      expect(findings[0]).to.include({
        code: "sensitive-not-write-only",
        severity: "warning",
        file: path.join(folder, "connector.ts"),
      });
      expect(fixed).to.deep.equal([]);
    });

    it("extracts, says when nothing has changed, and what an extract would change", async () => {
      const folder = smallProject();
      const file = path.join(folder, "connector.json");
      const first = await extractConnectorJson({ folder });
      expect(first).to.include({ state: "written", file });
      expect(readFileSync(file, "utf8")).to.equal(first.connectorJson);
      expect(await extractConnectorJson({ folder })).to.include({ state: "unchanged" });
      writeFileSync(path.join(folder, "connector.ts"), smallConnector());
      const returned = await extractConnectorJson({ folder, mode: "return" });
      expect(returned.state).to.equal("returned");
      const stale = await extractConnectorJson({ folder, mode: "check" });
      expect(stale).to.include({ state: "stale" });
      expect(stale.diagnostics.map(({ code }) => code)).to.deep.equal(["file-stale"]);
      expect(stale.comparison).to.include({ verdict: "major", reference: "present" });
      expect(readFileSync(file, "utf8")).to.equal(first.connectorJson);
    });

    it("compares with an earlier connector.json", async () => {
      const folder = smallProject();
      await extractConnectorJson({ folder, file: path.join(folder, "before.json") });
      writeFileSync(path.join(folder, "connector.ts"), smallConnector());
      const { verdict, changes } = await compareProject({ folder, cwd: folder, reference: "before.json" });
      expect(verdict).to.equal("major");
      expect(changes.map(({ code }) => code)).to.include("property-removed");
    });

    it("generates what is not up to date, and names each file", async () => {
      const folder = smallProject();
      const check = await generate({ folder, mode: "check" });
      expect(check.isWritten).to.equal(false);
      expect(existsSync(path.join(folder, "generated"))).to.equal(false);
      const first = await generate({ folder });
      expect(first).to.include({ isWritten: true, fileCount: first.changes.length });
      expect(first.changes).to.deep.include({ step: "create", path: "generated/app/site.ts" });
      expect(await generate({ folder })).to.deep.include({ isWritten: true, changes: [] });
    });

    it("gives what modules print to whoever asks for it", async () => {
      const folder = folderWith({ "connector.ts": smallConnector({ before: 'console.log("loading");' }) });
      const texts: string[] = [];
      await checkProject({ folder, onOutput: (text) => texts.push(text) });
      expect(texts.join("")).to.equal("loading\n");
    });

    it("imports a connector.json as a project that extracts it again", async () => {
      const folder = smallProject();
      const { connectorJson } = await extractConnectorJson({ folder });
      const directory = path.join(folder, "imported");
      const { files, diagnostics } = importConnectorJson({
        file: path.join(folder, "connector.json"),
        directory,
      });
      expect(diagnostics).to.deep.equal([]);
      expect(files).to.include("connector.ts");
      expect(await extractConnectorJson({ folder: directory })).to.include({ connectorJson });
    });

    it("writes the settings that are to be filled in", async () => {
      const folder = smallProject();
      const { state, settings } = await initSettings({ folder });
      expect(state).to.equal("written");
      expect(settings.map(({ name }) => name)).to.include("connections.apiKeyAuth.apiKey");
    });

    it("starts a project, adds to it, and leaves it as it was if that can't be", async () => {
      const folder = folderWith({});
      const { diagnostics } = await createConnector({ folder, name: "Sites", key: "sites" });
      expect(diagnostics).to.deep.equal([]);
      const open = async () => {
        const { project } = await openProject({ folder });
        if (project === undefined) throw new Error("the project can't be opened");
        return project;
      };
      const added = await addModule(await open(), { id: "app-1", name: "App", key: "app", version: 1 });
      expect(added.diagnostics).to.deep.equal([]);
      const { files } = await addDataObject(await open(), {
        ...{ moduleId: "app-1", name: "Site", readerType: "full" },
      });
      expect(files.map(({ file }) => file.path)).to.include("schemas/app/site.ts");
      const before = readFileSync(path.join(folder, "connector.ts"), "utf8");
      const refused = await addModule(await open(), { id: "app-1", name: "App", key: "app", version: 1 });
      expect(refused.diagnostics.map(({ severity }) => severity)).to.include("error");
      expect(readFileSync(path.join(folder, "connector.ts"), "utf8")).to.equal(before);
    });

    it("plans a migration without writing anything", async () => {
      const folder = smallProject();
      const wanted = { authType: undefined, name: undefined };
      const result = await migrateProject({ folder, dryRun: true, wanted });
      if (typeof result === "string") throw new Error(result);
      expect(result.moved).to.deep.equal([]);
      expect(result.files.map(({ file }) => file.path)).to.include("registration.ts");
      expect(filesIn(folder)).to.deep.equal(["connector.ts"]);
    });

    it("explains a code, and has nothing to say about one that does not exist", () => {
      expect(explain("key-missing")).to.include({ code: "key-missing", section: "§2.6" });
      expect(explain("key-mising")).to.equal(undefined);
    });
  });

  describe("with a connector that runs", function () {
    this.timeout(SLOW_TEST_MS);
    let platform: Platform;
    let folder: string;

    before(async () => {
      platform = await startPlatform({ token: TOKEN, projects: 5 });
      folder = await platformProject(platform.address, TOKEN);
    });
    after(() => platform.close());

    it("tests the connection", async () => {
      const { connection, result, diagnostics } = await testConnection({ folder, environment: process.env });
      expect(diagnostics).to.deep.equal([]);
      expect(connection).to.be.a("string");
      expect(result).to.include({ success: true, statusCode: 200 });
    });

    it("reads data objects into the cache, and tells what happens", async () => {
      const kinds = new Set<string>();
      const { objects, diagnostics } = await sync({
        ...{ folder, object: "project", environment: process.env },
        onEvent: ({ kind }) => kinds.add(kind),
      });
      expect(diagnostics).to.deep.equal([]);
      expect(objects).to.have.length(1);
      expect(objects?.[0]).to.include({ object: "Project", outcome: "succeeded", inserted: 5, rejected: 0 });
      expect([...kinds]).to.include.members(["started", "synced"]);
    });

    it("shows records, changes and actions of the store", async () => {
      const events: ServiceEvent[] = [];
      const input = { number: "N-1", title: "Tunnel", status: "Planned", budget: null };
      const { counts } = await enqueueAction({
        ...{ folder, object: "project", action: "create", input, environment: process.env },
        onEvent: (event) => events.push(event),
      });
      expect(counts).to.include({ succeeded: 1, failed: 0 });
      expect(events.map(({ kind }) => kind)).to.include.members(["queued", "attempt"]);
      const opened = await openProjectStore({ folder });
      if (opened.kind !== "opened") throw new Error(opened.kind);
      const { store } = opened;
      try {
        const records = await collected(store.listRecords({ object: "project" }));
        expect(records).to.have.length(6);
        expect(await store.countRecords({ object: "project" })).to.equal(6);
        expect(await collected(store.listRecords({ object: "project", limit: 2 }))).to.have.length(2);
        expect(await collected(store.listChanges({ since: 5 }))).to.have.length(1);
        expect(await collected(store.listRejected())).to.deep.equal([]);
        const [action] = await collected(store.listActions());
        expect(action).to.include({ state: "succeeded", attempts: 1 });
        expect(await store.getAction(action?.id ?? 0)).to.deep.equal(action);
        expect(await store.retryAction(action?.id ?? 0)).to.equal(false);
      } finally {
        await store.close();
      }
    });

    it("performs several actions at the same time if it is told to", async () => {
      const storeFile = path.join(folder, "several.db");
      const store = await openSqliteStore({ file: storeFile });
      const address = { object: "projects-api/app/1/project", action: "create" };
      for (const number of ["N-2", "N-3", "N-4"]) {
        const input = { number, title: "Bridge", status: "Planned", budget: null };
        await store.ledger.add({ ...address, inputJson: JSON.stringify(input) });
      }
      await store.close();
      const options = { folder, storeFile, concurrency: 3, environment: process.env };
      const { counts, diagnostics } = await performActions(options);
      expect(diagnostics).to.deep.equal([]);
      expect(counts).to.include({ succeeded: 3, lost: 0 });
    });

    it("throws for a name that is none, and says what there is", async () => {
      const attempt = performActions({ folder, object: "projekt", environment: process.env });
      const error = await attempt.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).to.include({ name: "UnknownNameError" });
      expect(String(error)).to.include('Did you mean "project"?');
    });

    it("does what its page shows", async () => {
      await withProjects([pageFiles(PAGE)], async (_, [page]) => {
        const names = ["check-project.ts", "sync-project.ts", "print-records.ts"];
        const loaded = await loadModules(names.map((name) => `${page}/${name}`));
        const { checkAndExtract, syncAndTell, firstRecords } = Object.assign({}, ...loaded);
        expect((await checkAndExtract(folder))[0]).to.include("info name-style-mixed: ");
        expect(existsSync(path.join(folder, "connector.json"))).to.equal(true);
        const words: string[] = [];
        const tell = (text: string) => words.push(text);
        await syncAndTell({ folder, object: "project", environment: process.env }, tell);
        expect(words.at(-1)).to.equal("Project: succeeded");
        expect(await firstRecords(folder, "project")).to.have.length(3);
      });
    });
  });
});

async function collected<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}
