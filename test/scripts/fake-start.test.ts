import { getEventListeners } from "node:events";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { startFake } from "../../scripts/workbench/start-fake.js";
import { typeErrors } from "../support/author-project.js";
import { connectorcli } from "../support/command-line.js";
import { folderWith } from "../support/folders.js";
import { inRepository, SLOW_TEST_MS } from "../support/repository.js";
import { endFakes, type RunningFake, startedFake } from "../support/running-fake.js";

describe("fake start", function () {
  this.timeout(SLOW_TEST_MS);
  let folder: string;

  before(() => {
    folder = folderWith({});
    cpSync(inRepository("examples/projects-api"), folder, { recursive: true });
  });
  afterEach(async () => {
    await endFakes();
    rmSync(path.join(folder, "fake.ts"), { force: true });
  });

  const started = (...args: readonly string[]) => startedFake(folder, ...args);
  const from = (fake: RunningFake, ...args: readonly string[]) =>
    connectorcli(folder, ...args, "--fake", fake.address);

  it("prints an address at which every command finds a target system, without any settings", async () => {
    const fake = await started("--records", "7", "--seed", "3", "--trace");
    expect(fake.address).to.match(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(fake.printed()).to.include("GET /v2/projects").and.to.include('"apiToken":"fake-apiToken"');
    const tested = await from(fake, "test", "connection");
    expect(tested).to.include({ status: 0, stdout: "Successful test.\n" });
    const read = await from(fake, "read", "Timesheet", "--limit", "3", "--json");
    const [object] = JSON.parse(read.stdout).objects;
    expect(object).to.include({ outcome: "succeeded" });
    expect(object.records).to.have.length(3);
    const synced = await from(fake, "run", "cache-writer");
    expect(synced.stdout, synced.stderr).to.include("Timesheet: succeeded: 0 unchanged, 7 inserted");
    expect(existsSync(path.join(folder, ".connectorcli-cache/fake.db"))).to.equal(true);
    for (const file of ["test-settings.json", ".connectorcli-cache/store.db"])
      expect(existsSync(path.join(folder, file)), file).to.equal(false);
    const again = await from(fake, "run", "cache-writer", "--data-object-url", "timesheet");
    expect(again.stdout).to.include(" 0 inserted, 0 updated, 0 deleted");
    expect(fake.printed()).to.match(/^GET \/v2\/timesheets\S*: 200$/m);
    // How commands find out whom it lets in is nobody's request.
    expect(fake.printed()).to.not.include("/.connectorcli/");
    expect(await fake.end()).to.equal(0);
  });

  it("takes what fake.ts says, and makes the same records for the same seed", async () => {
    writeFileSync(
      path.join(folder, "fake.ts"),
      `import { defineFake } from "connectorcli/testing";
export const fake = defineFake({
  records: 2,
  seed: 5,
  properties: { apiToken: "given-token" },
  routes: { "POST /projects": ({ body, objectOf }) => ({ status: 201, body: objectOf("Project").insert(body as object) }) },
});
`,
    );
    const [first, second] = [await started("--json"), await started("--json", "--seed", "5")];
    const [facts, others] = [first, second].map(({ address }) => JSON.parse(address));
    expect(facts.connection.Configuration).to.include("given-token");
    expect(facts.calls).to.include("POST /v2/projects");
    const lists = await Promise.all(
      [facts, others].map(async ({ origin }) => {
        const headers = { authorization: "Token api=given-token" };
        return (await fetch(`${origin}/v2/projects?page=1`, { headers })).json();
      }),
    );
    expect(lists[0]).to.deep.equal(lists[1]).and.to.have.length(2);
  });

  it("does not listen to its signal any more when it has ended", async () => {
    const { signal } = new AbortController();
    const stopped = new AbortController();
    const fake = { connection: "none" };
    const { diagnostics } = await startFake({ folder, fake, environment: process.env, signal });
    expect(diagnostics).to.have.length(1);
    expect(getEventListeners(signal, "abort")).to.deep.equal([]);
    stopped.abort();
    const ended = await startFake({ folder, environment: process.env, signal: stopped.signal });
    expect(ended.diagnostics).to.deep.equal([]);
  });

  it("lets faults happen", async () => {
    const fake = await started("--fault", "forbidden,serverError", "--trace");
    const statuses = new Set<number>();
    for (let turn = 0; turn < 30; turn++) {
      const answer = await fetch(`${fake.address}/v2/projects?page=1`, {
        headers: { authorization: "Token api=fake-apiToken" },
      });
      statuses.add(answer.status);
    }
    expect([...statuses].sort()).to.deep.equal([200, 403, 500]);
  });

  it("says what is wrong with its call, or with the address of a fake", async () => {
    const wrong = await connectorcli(folder, "fake", "start", "--fault", "serverEror");
    expect(wrong).to.include({ status: 2 });
    expect(wrong.stderr).to.include('There is no fault "serverEror". Did you mean "serverError"?');
    for (const [address, reason] of [
      ["http://127.0.0.1:1", "nothing answers there"],
      ["https://example.com", "its address is http://127.0.0.1 with a port"],
    ] as const) {
      const { status, stderr } = await connectorcli(folder, "read", "Project", "--fake", address);
      expect(status).to.equal(1);
      expect(stderr).to.include("fake-unusable").and.to.include(reason);
    }
    const { stderr } = await connectorcli(folder, "fake", "start", "--connection", "none");
    expect(stderr).to.include('The connector has no connection definition "none": it has customAuth');
  });
});

describe("the scaffold of a reader in code", function () {
  this.timeout(SLOW_TEST_MS);
  afterEach(endFakes);

  it("brings fake.ts, which answers the list that the reader asks for", async () => {
    const folder = folderWith({});
    for (const readerType of ["full", "incremental"]) {
      const project = path.join(folder, readerType);
      mkdirSync(project);
      const object = ["--module-id", "app-1", "--name", "Employee", "--reader-type", readerType, "--code"];
      for (const call of [
        ["connector", "new", "Personnel"],
        ["module", "new", "--id", "app-1", "--name", "App", "--key", "app", "--version", "1"],
        ["data-object", "new", ...object],
        ["client", "new", "--auth-type", "ApiKey"],
        ["gen"],
      ])
        expect((await connectorcli(project, ...call)).status, call.join(" ")).to.equal(0);
      expect(await typeErrors(project)).to.equal("");
      const { address } = await startedFake(project, "--records", "150");
      const { stdout, stderr } = await connectorcli(
        project,
        "read",
        "Employee",
        "--limit",
        "0",
        "--json",
        "--fake",
        address,
      );
      const [read] = JSON.parse(stdout).objects;
      expect(read, stderr).to.include({ outcome: "succeeded" });
      expect(read.records).to.have.length(150);
      // What an author has written there stays.
      const file = path.join(project, "fake.ts");
      const before = readFileSync(file, "utf8");
      const second = await connectorcli(
        project,
        "data-object",
        "new",
        "--module-id",
        "app-1",
        "--name",
        "Shift",
        "--code",
      );
      expect(second.stderr + second.stdout).to.include("Say in fake.ts how the list of Shift is asked for");
      expect(readFileSync(file, "utf8")).to.equal(before);
    }
  });
});
