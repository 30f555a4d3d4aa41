import { expect } from "chai";
import type { Shell } from "../../scripts/command-line/shell.js";
import { printTable, type TableRow } from "../../scripts/commands/table.js";
import { connectorcli, connectorcliOn } from "../support/command-line.js";
import { type Platform, platformProject, project, startPlatform } from "../support/projects-platform.js";
import { SLOW_TEST_MS } from "../support/repository.js";

const TOKEN = "a-token-of-tests-7";

describe("lists of the store", function () {
  this.timeout(SLOW_TEST_MS);
  let platform: Platform;
  let folder: string;

  before(async () => {
    platform = await startPlatform({ token: TOKEN, projects: 4 });
    folder = await platformProject(platform.address, TOKEN);
    await cli("run", "cache-writer");
    platform.projects.push(project(5, { status: "Lost" }));
    platform.projects[0] = project(1, { title: "Another title" });
    await cli("run", "cache-writer", "--max-rejected", "0", "--data-object-url", "project");
  });
  after(() => platform.close());

  const cli = (...args: readonly string[]) => connectorcli(folder, ...args);
  const linesOf = (text: string) => text.split("\n").filter((line) => line !== "");

  it("are tables: a column for each member, in one line for each record", async () => {
    const { stdout } = await cli("cache", "show", "project");
    const [titles = "", ...records] = linesOf(stdout);
    expect(titles).to.match(/^primary key +id +number +title +status /);
    expect(records).to.have.length(4);
    for (const record of records) expect(record.indexOf("P-")).to.equal(titles.indexOf("number"));
  });

  it("keep to the width of a terminal, and name what it has no room for", async () => {
    const { stdout, stderr } = await connectorcliOn({ columns: 80 }, folder, "cache", "show", "project");
    for (const line of linesOf(stdout)) expect(line.length).to.be.at.most(80);
    expect(linesOf(stdout)[0]).to.match(/^primary key /);
    expect(stderr).to.match(/^Without a column here: .*managerEmail.*\. --json shows all\.$/m);
  });

  it("show the latest changes, and all that came after a number", async () => {
    const list = async (...args: readonly string[]) =>
      linesOf((await cli("cache", "changes", ...args, "--json")).stdout).map((line) => JSON.parse(line));
    const all = await list("--since", "0");
    expect(await list()).to.deep.equal(all.slice(-20));
    expect(await list("--tail", "0")).to.deep.equal(all);
    const projects = all.filter(({ object }) => object.endsWith("/project"));
    expect(projects).to.have.length(5);
    expect(await list("--object", "project", "--tail", "3")).to.deep.equal(projects.slice(-3));
    expect(await list("--object", "project", "--since", "2", "--limit", "2")).to.deep.equal(
      projects.filter(({ sequence }) => sequence > 2).slice(0, 2),
    );
    const { stdout, stderr } = await cli("cache", "changes", "--tail", "1");
    expect(stdout).to.match(
      /^number +at +operation +object +key\n\d+ .* update +projects-api\/app\/1\/project /,
    );
    expect(stderr).to.include("The last 1: --tail 0 lists all.");
  });

  it("show the runs with their counts and messages, the newest first", async () => {
    const { stdout } = await cli("runs", "list", "--json");
    const runs = linesOf(stdout).map((line) => JSON.parse(line));
    expect(runs.map(({ id, state }) => [id, state])).to.deep.equal([
      [3, "failed"],
      [2, "succeeded"],
      [1, "succeeded"],
    ]);
    expect(linesOf((await cli("runs", "list", "timesheet", "--json")).stdout)).to.have.length(1);
    expect(linesOf((await cli("runs", "list", "--tail", "1")).stdout)).to.have.length(2);
    const shown = await cli("runs", "show", "3");
    expect(shown.stdout)
      .to.match(/^state +failed$/m)
      .and.to.match(/^message +Project: 1 record does not fit the schema, more than 0\./m)
      .and.to.match(/^took +\d+\.\d s$/m);
    expect((await cli("runs", "show", "9")).stderr).to.include("has no run 9");
    expect((await cli("runs", "show", "last")).status).to.equal(2);
    expect((await cli("runs", "list", "projct")).stderr).to.include('Did you mean "project"?');
  });
});

describe("printTable", () => {
  const print = async (rows: readonly TableRow[], columns?: number) => {
    let [stdout, stderr] = ["", ""];
    const shell: Pick<Shell, "result" | "say" | "isTerminal" | "columns"> = {
      result: (text) => {
        stdout += text;
      },
      say: (text) => {
        stderr += text;
      },
      isTerminal: false,
      columns,
    };
    const count = await printTable(rows, shell);
    return { count, lines: stdout.split("\n").slice(0, -1), stderr };
  };

  it("aligns wide characters, and escapes what could move the cursor", async () => {
    const { lines } = await print([
      [
        ["name", "漢字"],
        ["next", "a\u001b[2Jb\nc"],
      ],
      [
        ["name", "plain"],
        ["next", 7],
      ],
    ]);
    expect(lines).to.deep.equal(["name   next", "漢字   a\\u001b[2Jb\\u000ac", "plain  7"]);
  });

  it("tells null from what is missing, and members of any name", async () => {
    const { lines } = await print([
      [
        ["__proto__", null],
        ["7", "a"],
      ],
      [["other", { a: [1] }]],
    ]);
    expect(lines).to.deep.equal(["__proto__  7  other", "null       a", '              {"a":[1]}']);
  });

  it("names columns that come after the first rows, and never takes longer for long texts", async () => {
    const rows: TableRow[] = Array.from({ length: 60 }, (_, index) => [["n", index]]);
    rows.push([["late", "x".repeat(5_000_000)]]);
    const { count, lines, stderr } = await print(rows, 40);
    expect([count, lines.length]).to.deep.equal([61, 62]);
    expect(stderr).to.equal("Without a column here: late. --json shows all.");
  });

  it("shows one column on the narrowest terminal", async () => {
    const { lines } = await print(
      [
        [
          ["a long title", "a longer value"],
          ["b", 1],
        ],
      ],
      5,
    );
    expect(lines).to.deep.equal(["a lo…", "a lo…"]);
  });
});
