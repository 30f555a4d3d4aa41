import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { connectorcli } from "../support/command-line.js";
import {
  changeSettings,
  type Platform,
  platformProject,
  project,
  READER,
  startPlatform,
  useCode,
} from "../support/projects-platform.js";
import { SLOW_TEST_MS } from "../support/repository.js";

const TOKEN = "a-token-of-tests-7";
const EMAIL = "canary@secret.example";

describe("run cache-writer --dry-run", function () {
  this.timeout(SLOW_TEST_MS);
  let platform: Platform;
  let folder: string;

  before(async () => {
    platform = await startPlatform({ token: TOKEN, projects: 250 });
    platform.projects = platform.projects.map((row) => ({ ...row, managerEmail: EMAIL }));
    folder = await platformProject(platform.address, TOKEN);
    useCode(folder, READER);
  });
  after(() => platform.close());

  const dryRun = (...args: readonly string[]) =>
    connectorcli(folder, "run", "cache-writer", "--dry-run", "--data-object-url", "project", ...args);
  const edit = async (from: string, to: string, use: () => Promise<void>) => {
    const file = path.join(folder, READER);
    const before = readFileSync(file, "utf8");
    writeFileSync(file, before.replace(from, to));
    await use();
    writeFileSync(file, before);
  };

  it("reads some records and shows them, asks for no more, and leaves no store", async () => {
    const before = platform.requests;
    const { status, stdout } = await dryRun("--limit", "5");
    const lines = stdout.trimEnd().split("\n");
    expect(lines[0]).to.match(/^primary key +id +number +title /);
    expect(lines.slice(1, 6).map((line) => / P-\d /.exec(line)?.[0].trim())).to.deep.equal([
      "P-1",
      "P-2",
      "P-3",
      "P-4",
      "P-5",
    ]);
    expect(lines.slice(6)).to.deep.equal(["Project: 5 records read; nothing was written"]);
    expect(stdout).to.include("--hidden value--").and.to.not.include(EMAIL);
    expect(status).to.equal(0);
    expect(platform.requests - before).to.equal(1);
    expect(existsSync(path.join(folder, ".connectorcli-cache"))).to.equal(false);
  });

  it("shows what does not fit and why, ends with status 1, and says it in JSON", async () => {
    const [first] = platform.projects;
    platform.projects[1] = project(2, { status: "Lost", managerEmail: EMAIL });
    const { status, stdout } = await dryRun("--limit", "2");
    expect(stdout)
      .to.include(
        `Project: record 2 (id/${platform.projects[1]?.id}) does not fit:\n  /status: expected one of`,
      )
      .and.to.include("2 records read, 1 does not fit; nothing was written");
    expect(status).to.equal(1);
    const json = await dryRun("--limit", "2", "--json");
    const [object] = JSON.parse(json.stdout).objects;
    expect(object).to.deep.include({
      object: "Project",
      outcome: "succeeded",
      isWhole: false,
      message: null,
    });
    expect(object.records[0]).to.deep.include({ operation: "upsert", key: `id/${first?.id}`, findings: [] });
    expect(object.records[1].findings[0].instancePath).to.equal("/status");
    expect(json.stdout).to.not.include(EMAIL);
    platform.projects[1] = project(2);
  });

  it("reads an object whose switch is off, and an incremental one from its beginning", async () => {
    const file = path.join(folder, "test-settings.json");
    const before = readFileSync(file, "utf8");
    const off = before.replace(/"UploadObject": true/g, '"UploadObject": false');
    writeFileSync(file, off);
    const { stdout } = await connectorcli(folder, "run", "cache-writer", "--dry-run", "--limit", "3");
    writeFileSync(file, before);
    expect(off).to.not.equal(before);
    expect(stdout)
      .to.include("Project: 3 records read; nothing was written")
      .and.to.include("Timesheet: 3 records read; nothing was written");
  });

  it("says when these are all records", async () => {
    const projects = platform.projects.splice(1);
    expect((await dryRun()).stdout).to.include("Project: 1 record read, which is all; nothing was written");
    platform.projects.push(...projects);
    expect((await dryRun("--limit", "0")).stdout).to.include("Project: 250 records read, which is all");
  });

  it("names the line where a reader throws, with what it had read, and closes a reader that it leaves", async () => {
    await edit("yield* items;", "{ yield* items.slice(0, 2); throw new Error('no more'); }", async () => {
      const { status, stdout } = await dryRun();
      expect(stdout)
        .to.include("2 records read, then it failed")
        .and.to.include("no more")
        .and.to.match(/project-reader\.ts:\d+:\d+/);
      expect(status).to.equal(1);
    });
    const closing = "try { yield* items; } finally { console.error('the reader is closed'); }";
    await edit("yield* items;", closing, async () => {
      expect((await dryRun("--limit", "2")).stderr).to.include("the reader is closed");
    });
  });

  it("goes with no option that writes, and a run takes no limit", async () => {
    for (const args of [
      ["--approve-deletes"],
      ["--max-rejected", "1"],
      ["--every", "5"],
      ["--store", "x.db"],
    ]) {
      const { status, stderr } = await dryRun(...args);
      expect([status, stderr]).to.deep.equal([
        2,
        `--dry-run reads once and writes nothing: leave out ${args[0]}.\n`,
      ]);
    }
    const { status, stderr } = await connectorcli(folder, "run", "cache-writer", "--limit", "5");
    expect([status, stderr.split(":")[0]]).to.deep.equal([2, "--limit goes with --dry-run"]);
    expect((await dryRun("--data-object-url", "projct")).status).to.equal(2);
  });

  it("names the line of an author's error that calls itself like one of the host", async () => {
    const thrown = 'throw Object.assign(new Error("it is mine"), { name: "StoreError" });\nconst PAGE_SIZE';
    await edit("const PAGE_SIZE", thrown, async () => {
      const { stderr } = await dryRun();
      expect(stderr)
        .to.match(/project-reader\.ts:\d+:\d+/)
        .and.to.include("run-throws")
        .and.to.include("it is mine");
    });
  });

  it("says what is wrong with the settings, and reads nothing", async () => {
    changeSettings(folder, (settings) => {
      const [connection] = settings["connections"] as { configuration: Record<string, unknown> }[];
      Object.assign(connection?.configuration ?? {}, { apiToken: "" });
    });
    const { status, stdout, stderr } = await dryRun();
    expect([status, stdout]).to.deep.equal([1, ""]);
    expect(stderr).to.include("apiToken").and.to.include("not run");
    rmSync(path.join(folder, "test-settings.json"));
  });
});
