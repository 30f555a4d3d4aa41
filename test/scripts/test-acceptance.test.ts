/** `connectorcli test acceptance` in a project: what it prints, in which formats, and how it ends. */
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { ACCEPTANCE_SCENARIOS, LIVE_SCENARIOS } from "../../runtime/entries/testing.js";
import { testAcceptance } from "../../scripts/workbench/test-acceptance.js";
import { connectorcli } from "../support/command-line.js";
import { folderWith, installInto } from "../support/folders.js";
import { platformProject, startPlatform } from "../support/projects-platform.js";
import { inRepository, SLOW_TEST_MS } from "../support/repository.js";

describe("test acceptance", function () {
  this.timeout(SLOW_TEST_MS);

  let folder = "";

  before(() => {
    folder = folderWith({});
    cpSync(inRepository("examples/projects-api"), folder, { recursive: true });
    installInto(folder);
  });

  const acceptance = (...args: readonly string[]) => connectorcli(folder, "test", "acceptance", ...args);

  it("passes the example, and says how many scenarios and which seed that were", async () => {
    const scenarios = ["connection", "whole", "performed"];
    const { status, stdout, stderr } = await acceptance("--scenario", scenarios.join(","), "--seed", "4");
    expect(stdout).to.equal("");
    expect(stderr).to.include("0 errors, 0 warnings");
    expect(stderr).to.include("4 of 4 scenarios passed; --seed 4 repeats this run");
    expect(status).to.equal(0);
  });

  it("names the line of a declaration and of code, in every format", async () => {
    const file = path.join(folder, "modules/app/project/project-reader.ts");
    const sound = readFileSync(file, "utf8");
    writeFileSync(file, sound.replace('items: "$",', 'items: "$",\n  absent: [403],'));
    const test = path.join(folder, "connections/connection-test-handler.ts");
    const soundTest = readFileSync(test, "utf8");
    const careless = soundTest.replace(
      'client.get("projects", { signal })',
      'client.get("projects", { signal }).then(() => ({ isSuccessful: true, statusCode: 200, errorMessage: null }))',
    );
    expect(careless).to.not.equal(soundTest);
    writeFileSync(test, careless);
    try {
      const args = ["--scenario", "faults,connection", "--object", "project"];
      const [text, json, sarif, junit] = await Promise.all(
        ["text", "json", "sarif", "junit"].map((format) => acceptance(...args, "--format", format)),
      );
      expect(text?.status).to.equal(1);
      expect(text?.stdout).to.match(/project-reader\.ts:\d+:\d+ {2}error {2}acceptance-fault-/);
      expect(text?.stdout).to.match(
        /connection-test-handler\.ts:\d+:\d+ {2}error {2}acceptance-connection-accepted/,
      );
      expect(text?.stdout).to.include("Seen with 1 record on pages of 5, forbidden at call 1");
      const { diagnostics, seed, tried } = JSON.parse(json?.stdout ?? "");
      expect(seed).to.equal(1);
      expect(tried).to.deep.include({ scenario: "connection", isPassed: false });
      expect(diagnostics.map(({ file: at }: { file: string }) => at)).to.include(
        "modules/app/project/project-reader.ts",
      );
      const rules = JSON.parse(sarif?.stdout ?? "").runs[0].results;
      expect(rules.map(({ ruleId }: { ruleId: string }) => ruleId)).to.include(
        "acceptance-connection-accepted",
      );
      expect(junit?.stdout).to.include('<failure type="acceptance-connection-accepted"');
    } finally {
      writeFileSync(file, sound);
      writeFileSync(test, soundTest);
    }
  });

  it("ends a connector that never gives the process back, and names the line", async () => {
    const file = path.join(folder, "modules/app/project/project-reader.ts");
    const sound = readFileSync(file, "utf8");
    writeFileSync(
      file,
      "export async function* projectReader(): AsyncGenerator<never> {\n  for (;;) {}\n}\n",
    );
    try {
      const { diagnostics } = await testAcceptance({
        ...{ folder, object: "project", scenarios: ["whole"], environment: process.env, busySeconds: 3 },
      });
      const [found, ...others] = diagnostics.filter(({ severity }) => severity === "error");
      expect(others).to.deep.equal([]);
      expect(found).to.include({ code: "acceptance-endless", line: 1 });
      expect(path.basename(found?.file ?? "")).to.equal("project-reader.ts");
    } finally {
      writeFileSync(file, sound);
    }
  });

  it("says what is wrong with its call", async () => {
    const scenario = await acceptance("--scenario", "hole");
    expect(scenario.status).to.equal(2);
    expect(scenario.stderr).to.include('scenario "hole"').and.to.include('Did you mean "whole"?');
    const object = await acceptance("--object", "projekt");
    expect(object.status).to.equal(2);
    expect(object.stderr).to.include('no data object "projekt"');
  });

  it("reads at the real target system only, with the settings of the project, and asks before it is production", async () => {
    const platform = await startPlatform({ token: "live-token-4711", projects: 6 });
    try {
      const project = await platformProject(platform.address, "live-token-4711");
      const live = (...args: readonly string[]) =>
        connectorcli(project, "test", "acceptance", "--live", "--object", "project", ...args);
      const guarded = await live();
      expect(guarded.status).to.equal(2);
      expect(guarded.stderr).to.include("leads to the production system").and.to.include("--production");
      expect(platform.requests).to.equal(0);
      const { status, stdout, stderr } = await live("--production", "--scenario", "connection,again,faults");
      expect(stdout).to.equal("");
      expect(stderr).to.include("4 of 4 scenarios passed");
      expect(status).to.equal(0);
      expect(existsSync(path.join(project, ".connectorcli", "cache.db"))).to.equal(false);
      const file = path.join(project, "modules/app/project/project-reader.ts");
      const sound = readFileSync(file, "utf8");
      writeFileSync(file, sound.replace('items: "$",', 'items: "$",\n  absent: [403],'));
      const found = await live("--production", "--scenario", "faults", "--format", "json");
      expect(found.status).to.equal(1);
      const { diagnostics } = JSON.parse(found.stdout);
      expect(diagnostics[0]).to.include({
        code: "acceptance-fault-hidden",
        file: "modules/app/project/project-reader.ts",
      });
      expect(found.stdout + found.stderr).to.not.include("live-token-4711");
    } finally {
      await platform.close();
    }
    const alone = await acceptance("--production");
    expect(alone.status).to.equal(2);
    expect(alone.stderr).to.include("--production goes with --live");
    const acting = await acceptance("--live", "--scenario", "performed");
    expect(acting.stderr).to.include('scenario "performed"');
  });

  it("has a line in docs/testing.md for every scenario", () => {
    const page = readFileSync(inRepository("docs/testing.md"), "utf8");
    for (const [name, shows] of Object.entries(ACCEPTANCE_SCENARIOS))
      expect(page).to.include(`| \`${name}\` | ${shows.replace(/\.$/, "")} |`);
    for (const [name, shows] of Object.entries(LIVE_SCENARIOS))
      expect(page).to.include(`| \`${name}\` | ${shows.replace(/\.$/, "")} |`);
  });
});
