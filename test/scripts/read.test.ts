import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { connectorcli } from "../support/command-line.js";
import {
  declaredProject,
  projectReader,
  READER_FILES,
  TIMESHEET_READER,
  writeReader,
} from "../support/declared-project.js";
import { type Platform, startPlatform } from "../support/projects-platform.js";
import { SLOW_TEST_MS } from "../support/repository.js";

const TOKEN = "a-token-of-tests-7";
const EMAIL = "canary@secret.example";

describe("read", function () {
  this.timeout(SLOW_TEST_MS);
  let platform: Platform;
  let folder: string;

  before(async () => {
    platform = await startPlatform({ token: TOKEN, projects: 250 });
    platform.projects = platform.projects.map((row) => ({ ...row, managerEmail: EMAIL }));
    folder = await declaredProject(platform.address, TOKEN);
  });
  after(() => platform.close());

  const read = (...args: readonly string[]) => connectorcli(folder, "read", ...args);
  const readJson = async (...args: readonly string[]) => {
    const { stdout } = await read(...args, "--json");
    const [object] = JSON.parse(stdout).objects;
    return object;
  };
  const withProjectReader = async (reader: string, use: () => Promise<void>) => {
    writeReader(folder, "Project", reader);
    await use();
    writeReader(folder, "Project", projectReader());
  };

  it("shows some records of a declared reader as a table, asks for no more, and leaves no store", async () => {
    const before = platform.requests;
    const { status, stdout, stderr } = await read("Project", "--limit", "5");
    const lines = stdout.trimEnd().split("\n");
    expect(lines[0], stderr).to.match(/^primary key +id +number +title /);
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

  it("prints JSON, and the calls beside it on standard error, both without secrets", async () => {
    const { stdout, stderr } = await read("Project", "--limit", "2", "--trace", "--json");
    const [object] = JSON.parse(stdout).objects;
    expect(object.records.map(({ key }: { key: string }) => key)).to.deep.equal(
      platform.projects.slice(0, 2).map(({ id }) => `id/${id}`),
    );
    expect(stderr)
      .to.match(/GET http:\/\/127\.0\.0\.1:\d+\/v2\/projects\?pageSize=100&page=1: 200 after \d+ ms/)
      .and.to.include("received: [{");
    expect(stdout + stderr)
      .to.not.include(EMAIL)
      .and.to.not.include(TOKEN);
  });

  it("begins with a page by its number, without asking for those before", async () => {
    const { stdout, stderr } = await read("project", "--page", "3", "--limit", "0", "--trace");
    expect(stdout).to.include(" P-201 ").and.to.not.include(" P-200 ");
    expect(stdout).to.include("Project: 50 records read, which is the rest; nothing was written");
    expect(stderr)
      .to.include("&page=3:")
      .and.to.not.match(/&page=[12]:/);
  });

  it("reads up to a page that only the one before it leads to", async () => {
    const object = await readJson("Timesheet", "--page", "2", "--limit", "1");
    expect(object.records[0].record.project_id).to.equal(platform.timesheets[50]?.["project_id"]);
    const last = await readJson("Timesheet", "--page", "3", "--limit", "0");
    expect(last.records).to.have.lengthOf(20);
    expect(last.isWhole).to.equal(true);
  });

  it("says which page was the last one", async () => {
    const { status, stdout } = await read("Timesheet", "--page", "4");
    expect(stdout).to.include("Timesheet has no page 4: its list ended with page 3.");
    expect(status).to.equal(1);
  });

  it("says what it takes to find a page of a list by offset", async () => {
    const byOffset = (size: string) =>
      projectReader().replace(/pages: .*/, `pages: { kind: "offset", send: "page"${size} },`);
    await withProjectReader(byOffset(""), async () => {
      const { status, stdout } = await read("Project", "--page", "2");
      expect(stdout).to.include("pages.size has to say how many records a page has");
      expect(status).to.equal(1);
    });
    await withProjectReader(byOffset(', size: { send: "pageSize", value: 100 }'), async () => {
      const { stderr } = await read("Project", "--page", "2", "--trace");
      expect(stderr).to.include("&page=100:").and.to.not.include("&page=0:");
    });
  });

  it("tells the pages of a reader in code by its resume points", async () => {
    const file = path.join(folder, READER_FILES.Timesheet);
    const [imports = ""] = readFileSync(file, "utf8").split("export const unused");
    const [, name = ""] = /export const (\w+) = defineReader/.exec(readFileSync(file, "utf8")) ?? [];
    const code = `export async function* ${name}({ client, saveResumePoint }) {
  for (let after = null; ; ) {
    const { result } = await client.http.get("timesheets", { query: { after } });
    for (const record of result.items) yield { operation: "upsert", record };
    if (result.next === null) return;
    after = result.next;
    saveResumePoint(after);
  }
}`;
    writeFileSync(file, imports + code);
    const object = await readJson("timesheet", "--page", "3", "--limit", "0");
    writeReader(folder, "Timesheet", TIMESHEET_READER);
    expect(object.records).to.have.lengthOf(20);
  });

  it("names what there is for an unknown object, and refuses page 0", async () => {
    const unknown = await read("Projct");
    expect([unknown.status, unknown.stderr]).to.deep.equal([
      2,
      'The connector has no data object "Projct": there are project, timesheet. Did you mean "project"?\n',
    ]);
    const zero = await read("Project", "--page", "0");
    expect(zero.status).to.equal(2);
    expect(zero.stderr).to.include("--page: expected a whole number from 1 up");
  });
});
