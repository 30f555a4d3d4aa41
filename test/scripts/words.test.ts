import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { clientProject, fillIn } from "../support/author-project.js";
import { connectorcli } from "../support/command-line.js";
import { smallConnector } from "../support/connector-sources.js";
import { folderWith } from "../support/folders.js";
import { closeServers, serve } from "../support/loopback.js";
import { run } from "../support/processes.js";
import { platformProject, project, startPlatform } from "../support/projects-platform.js";
import { inRepository, SLOW_TEST_MS } from "../support/repository.js";

const TOKEN = "a-token-of-tests-7";

describe("words of the command line", () => {
  it("name a misspelt function as the author wrote it, at its line", async () => {
    const source = smallConnector().replace("Type.String(", "Type.Strin(");
    const folder = folderWith({ "connector.ts": source });
    const { stdout } = await connectorcli(folder, "check");
    expect(stdout)
      .to.match(/connector\.ts:\d+:\d+ {2}error {2}project-throws/)
      .and.to.match(/\bType\.Strin is not a function/)
      .and.to.include("Correct this line.");
  });

  it("end a question with its own mark", async () => {
    const folder = folderWith({ "connector.ts": smallConnector() });
    const { stderr } = await connectorcli(
      ...[folder, "action", "new", "--module-id", "app-1", "--object-name", "Sit", "--name", "Create"],
    );
    expect(stderr).to.include('Did you mean "Site"?').and.to.not.include("?.");
  });

  it("name the argument that is missing, and not those that are there", async () => {
    const folder = folderWith({ "connector.ts": smallConnector() });
    const { stderr, status } = await connectorcli(folder, "cache", "get", "site");
    expect(stderr).to.include("Missing argument: key. Usage: npx connectorcli cache get <object> <key…>");
    expect(status).to.equal(2);
  });

  it("name the settings that are missing by their file", async () => {
    const folder = folderWith({ "connector.ts": smallConnector() });
    const { stderr } = await connectorcli(folder, "test", "connection");
    expect(stderr).to.match(/^test-settings\.json {2}error {2}settings-missing/);
  });

  it("say why a connection test failed in one sentence", async () => {
    const { origin } = await serve((_, response) => response.writeHead(418).end());
    const folder = await clientProject(origin, "ApiKey");
    fillIn(folder, "apiKeyAuth", { apiKey: "k-1" });
    const { stdout, stderr } = await connectorcli(folder, "test", "connection");
    expect(stdout).to.equal("Unknown Issue.\n");
    expect(stderr).to.include("Unknown Issue: GET ").and.to.not.include(".:");
    await closeServers();
  }).timeout(SLOW_TEST_MS);

  it("say a user, and an employee", async () => {
    const folder = folderWith({ "connector.ts": smallConnector() });
    for (const name of ["User", "Employee"])
      await connectorcli(folder, "data-object", "new", "--module-id", "app-1", "--name", name);
    expect(readFileSync(path.join(folder, "schemas/app/user.ts"), "utf8")).to.not.match(/\ban user/i);
    expect(readFileSync(path.join(folder, "schemas/app/employee.ts"), "utf8")).to.not.match(/\ba employee/i);
  });

  it("are escaped where a record could move the cursor or turn the text, also for programs", async () => {
    const title = "a\u009b31mb\u202ec\u001b[2Jd";
    const platform = await startPlatform({ token: TOKEN, projects: 1 });
    try {
      platform.projects = [project(1, { title })];
      const folder = await platformProject(platform.address, TOKEN);
      const { stderr, status } = await connectorcli(folder, "run", "cache-writer");
      expect(status, stderr).to.equal(0);
      for (const args of [["show", "project"], ["changes"]]) {
        const text = await connectorcli(folder, "cache", ...args);
        const json = await connectorcli(folder, "cache", ...args, "--json");
        expect(text.stdout + json.stdout).to.match(/^[\x20-\x7e\n]+$/);
        expect(
          json.stdout.split("\n").some((line) => line !== "" && JSON.parse(line).record.title === title),
        ).to.equal(true);
      }
    } finally {
      platform.close();
    }
  }).timeout(SLOW_TEST_MS);
});

describe("cache changes", () => {
  it("lists those of one data object, and only the last of them", async () => {
    const platform = await startPlatform({ token: TOKEN, projects: 4 });
    try {
      const folder = await platformProject(platform.address, TOKEN);
      await connectorcli(folder, "run", "cache-writer");
      const changes = async (...args: readonly string[]) => {
        const { stdout } = await connectorcli(folder, "cache", "changes", "--json", ...args);
        return stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
      };
      const all = await changes("--since", "0");
      expect(await changes()).to.deep.equal(all.slice(-20));
      const projects = await changes("--object", "Project", "--since", "0");
      expect(projects).to.have.length.greaterThan(2).and.below(all.length);
      expect(await changes("--object", "Project", "--tail", "2")).to.deep.equal(projects.slice(-2));
      expect(await changes("--tail", "3")).to.deep.equal(all.slice(-3));
      expect((await connectorcli(folder, "cache", "changes", "--object", "Projct")).status).to.equal(2);
    } finally {
      platform.close();
    }
  }).timeout(SLOW_TEST_MS);
});

describe("the example", () => {
  it("has scripts that run from its folder", async () => {
    const folder = inRepository("examples/projects-api");
    const { status, stdout, stderr } = await run(folder, "npm", ["run", "--silent", "gen", "--", "--check"]);
    expect(status, stdout + stderr).to.equal(0);
  }).timeout(SLOW_TEST_MS);
});

describe("temporary folders", () => {
  it("that a killed process left are removed by the next", async () => {
    // No process has this number: it is above what systems give.
    const left = path.join(tmpdir(), "connectorcli-2147483646-AbCdEf");
    mkdirSync(left, { recursive: true });
    writeFileSync(path.join(left, "connector.mjs"), "");
    const folder = folderWith({ "connector.ts": smallConnector() });
    const command = inRepository("dist/bundled/connectorcli.js");
    await run(folder, process.execPath, [command, "check"]);
    expect(() => readFileSync(path.join(left, "connector.mjs"))).to.throw("ENOENT");
    rmSync(left, { recursive: true, force: true });
  }).timeout(SLOW_TEST_MS);
});
