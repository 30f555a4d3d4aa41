import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "chai";
import { openSqliteStore } from "../../runtime/host/index.js";
import { loadConnector } from "../../scripts/worker/load-connector.js";
import { connectorcli } from "../support/command-line.js";
import { filesIn } from "../support/folders.js";
import { run } from "../support/processes.js";
import { type Platform, platformProject, startPlatform } from "../support/projects-platform.js";

const TOKEN = "token-of-the-build-test";
const CONTAINER = {
  DefinitionKey: "customAuth",
  Configuration: JSON.stringify({ apiToken: TOKEN, connectionEnvironment: 1 }),
};

const RUN_OPTIONS = {
  cacheWriter: { pageSize: 2 },
  actionProcessor: {
    maxInputBytes: 900,
    timeoutMs: 5_000,
    actions: { Project: { Create: { retry: { maxAttempts: 2 } } } },
  },
  volatile: { Project: ["budget"] },
};

describe("connectorcli build", () => {
  let platform: Platform;
  let folder: string;

  before(async () => {
    platform = await startPlatform({ token: TOKEN, projects: 3 });
    folder = await projectWithOptions();
    await expectBuilt(folder);
  });

  after(() => platform.close());

  /** A project that says how its services run. */
  async function projectWithOptions(options: object = RUN_OPTIONS): Promise<string> {
    const project = await platformProject(platform.address, TOKEN);
    writeOptions(project, options);
    return project;
  }

  it("makes one module that runs where there is nothing but Node", async () => {
    const host = mkdtempSync(path.join(tmpdir(), "host-"));
    cpSync(path.join(folder, "dist"), host, { recursive: true });
    writeFileSync(
      path.join(host, "host.mjs"),
      `import { openSqliteStore, registration, testConnection } from "./connector.mjs";
const { message } = await testConnection(registration, ${JSON.stringify(CONTAINER)});
const opened = await openSqliteStore({ file: "store.db" }).catch(({ message }) => message);
console.log(JSON.stringify({ message, opened }));`,
    );
    const { stdout, stderr } = await run(host, process.execPath, ["host.mjs"]);
    expect(stderr).to.equal("");
    expect(JSON.parse(stdout)).to.deep.equal({
      message: "Successful test.",
      opened: "libsql is not installed beside connector.mjs. Run: npm install libsql",
    });
  });

  it("makes a module that fills a cache", async () => {
    const { connect, registration, runCacheWriter, startConnector } = await import(
      pathToFileURL(path.join(folder, "dist/connector.mjs")).href
    );
    const connector = startConnector(registration, {
      registrationConfiguration: { ProjectStatus: "All" },
      services: { "app-1": { actionProcessor: {}, cacheWriter: { ProjectConfig: { UploadObject: true } } } },
    });
    const { signal } = new AbortController();
    const store = await openSqliteStore({ file: path.join(folder, "store.db") });
    try {
      const services = connect(connector, CONTAINER, { signal });
      const [{ cacheWriter }] = connector.modules;
      const results = await runCacheWriter(cacheWriter.dataObjects, {
        ...{ store, signal, log: connector.log },
        ...services,
      });
      expect(results[0]).to.include({
        object: "Project",
        outcome: "succeeded",
        inserted: 3,
      });
    } finally {
      await store.close();
    }
  });

  it("puts connector.json beside it, and says in a manifest what there is", async () => {
    const dist = path.join(folder, "dist");
    expect(filesIn(dist)).to.deep.equal([
      "connector.d.mts",
      "connector.json",
      "connector.mjs",
      "connector.mjs.map",
      "manifest.json",
    ]);
    await connectorcli(folder, "extract");
    const textOf = (name: string) => readFileSync(path.join(dist, name), "utf8");
    expect(textOf("connector.json")).to.equal(readFileSync(path.join(folder, "connector.json"), "utf8"));
    const { key, drivers, packages, files } = JSON.parse(textOf("manifest.json"));
    expect({ key, drivers }).to.deep.equal({ key: "projects-api", drivers: ["libsql"] });
    expect(Object.keys(packages))
      .to.include.members(["got", "pino"])
      .and.not.include.members(["@sinclair/typebox", "ajv", "esbuild", "handlebars"]);
    expect(files["connector.mjs"].bytes)
      .to.equal(Buffer.byteLength(textOf("connector.mjs")))
      .and.below(1_500_000);
    expect(JSON.parse(textOf("connector.mjs.map")).sources).to.include("../client/api-client.ts");
  });

  it("makes a module that says how the project wants its services run, and hosts and workers go by it", async () => {
    const project = "projects-api/app/1/project";
    const settings = {
      cacheWriter: { pageSize: 2, settings: { [project]: { volatile: ["budget"] } } },
      actionProcessor: {
        timeoutMs: 5_000,
        actions: { [`${project}/create`]: { retry: { maxAttempts: 2 } } },
        volatile: { [project]: ["budget"] },
      },
      maxInputBytes: 900,
    };
    const connectorFile = path.join(folder, "dist/connector.mjs");
    const { runSettings } = await import(pathToFileURL(connectorFile).href);
    expect(runSettings).to.deep.equal(settings);
    for (const source of [{ folder }, { folder, connectorFile }]) {
      const { loaded, diagnostics } = await loadConnector(source);
      expect(diagnostics).to.deep.equal([]);
      expect(loaded?.settings).to.deep.equal(settings);
    }
  });

  it("refuses options that can't be run with", async () => {
    writeOptions(folder, { cacheWriter: { pageSize: 0 } });
    try {
      const { status, stderr } = await connectorcli(folder, "build");
      expect(status).to.equal(1);
      expect(stderr).to.include("run-options-invalid").and.include("nothing written");
    } finally {
      writeOptions(folder, RUN_OPTIONS);
    }
  });

  it("gives the same bytes for the same project, wherever it is written", async () => {
    const other = mkdtempSync(path.join(tmpdir(), "built-"));
    const copy = await projectWithOptions();
    await expectBuilt(copy, "--output", other);
    for (const name of filesIn(other))
      expect(
        readFileSync(path.join(other, name)).equals(readFileSync(path.join(folder, "dist", name))),
        name,
      ).to.equal(true);
  });

  it("refuses code that needs the schema modules, and names the line", async () => {
    const copy = await platformProject(platform.address, TOKEN);
    const file = path.join(copy, "client/api-client.ts");
    writeFileSync(
      file,
      `import { Project } from "../schemas/app/project.js";\nconsole.log(Project);\n${readFileSync(file, "utf8")}`,
    );
    const { status, stderr } = await connectorcli(copy, "build");
    expect(status).to.equal(1);
    expect(stderr)
      .to.match(/schemas[\\/]app[\\/]project\.ts:2:\d+ +error +build-imports-tool/)
      .and.include('"connectorcli" is for schema modules and tools')
      .and.include("nothing written");
    expect(filesIn(copy).some((name) => name.startsWith("dist"))).to.equal(false);
  });

  it("refuses generated files that are stale", async () => {
    const copy = await platformProject(platform.address, TOKEN);
    const file = path.join(copy, "schemas/app/project.ts");
    writeFileSync(file, readFileSync(file, "utf8").replace("What the project is called.", "Its title."));
    const { status, stderr } = await connectorcli(copy, "build");
    expect(status).to.equal(1);
    expect(stderr).to.include("stale").and.include("npx connectorcli gen");
  });
});

function writeOptions(folder: string, run: object): void {
  const file = path.join(folder, "package.json");
  const manifest = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...manifest, connectorcli: { ...manifest.connectorcli, run } }));
}

async function expectBuilt(folder: string, ...options: readonly string[]): Promise<void> {
  const { status, stderr } = await connectorcli(folder, "build", ...options);
  expect(status, stderr).to.equal(0);
}
