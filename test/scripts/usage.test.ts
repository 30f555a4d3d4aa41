import { expect } from "chai";
import { connectorcli } from "../support/command-line.js";
import { folderWith } from "../support/folders.js";

describe("connectorcli", () => {
  const WRONG: readonly (readonly [what: string, args: readonly string[], words: string])[] = [
    ["an unknown command", ["extrakt"], 'Did you mean "extract"?'],
    ["an unknown option", ["extract", "--chek"], 'Did you mean "check"?'],
    ["a missing option", ["import", "connector-json", "file.json"], "directory"],
    ["a missing file", ["import", "connector-json", "--directory", "d"], "file"],
    ["half a command", ["import"], "connector-json"],
    ["a format that does not exist", ["check", "--format", "xml"], "json"],
    ["a number that is none", ["cache", "changes", "--since", "abc"], "--since: expected a whole number"],
    [
      "a number below its range",
      ["run", "cache-writer", "--every", "-5"],
      "--every: expected a number of seconds",
    ],
    ["no time at all", ["run", "cache-writer", "--every", "0"], "--every: expected a number of seconds"],
    ["a port that is none", ["test", "connection", "--port", "0"], "--port: expected a port"],
    ["the first port that is none", ["test", "connection", "--port", "65536"], "--port: expected a port"],
    [
      "no worker",
      ["run", "action-processor", "--concurrency", "0"],
      "--concurrency: expected a whole number",
    ],
    ["a number above its range", ["test", "connection", "--port", "70000"], "--port: expected a port"],
    [
      "more workers than there may be",
      ["run", "action-processor", "--concurrency", "101"],
      "--concurrency: expected a whole number from 1 to 100",
    ],
    ["half a record", ["cache", "show", "project", "--limit", "1.5"], "--limit: expected a whole number"],
    ["an option without its number", ["run", "cache-writer", "--every"], "every"],
    ["a word too many", ["extract", "everything"], "everything"],
  ];
  for (const [what, args, words] of WRONG) {
    it(`refuses ${what} with status 2 and names what is right`, async () => {
      const { status, stdout, stderr } = await connectorcli(folderWith({}), ...args);
      expect(stderr).to.include(words);
      expect(stdout).to.equal("");
      expect(status).to.equal(2);
    });
  }

  it("recommends no option of another command", async () => {
    const { status, stderr } = await connectorcli(folderWith({}), "extract", "--concurency", "2");
    expect(stderr).to.include("Unknown argument: concurency").and.to.not.include("Did you mean");
    expect(status).to.equal(2);
  });

  it("takes what stands behind -- as it is, whatever it begins with", async () => {
    const folder = folderWith({});
    for (const key of ["--json", "-5", "-x", "--"]) {
      const { status, stderr } = await connectorcli(folder, "cache", "get", "project", "--", key);
      expect(stderr, key).to.include("project-missing").and.to.not.include("Unknown");
      expect(status).to.equal(1);
    }
    const explained = await connectorcli(folder, "explain", "--", "-key-missing");
    expect(explained.stderr).to.include('"-key-missing"');
  });

  it("lists its commands, and the options of each", async () => {
    const top = await connectorcli(folderWith({}), "--help");
    expect(top).to.include({ status: 0, stderr: "" });
    for (const words of ["check", "extract", "import connector-json <file>"])
      expect(top.stdout).to.include(words);
    const extract = await connectorcli(folderWith({}), "extract", "--help");
    expect(extract.status).to.equal(0);
    expect(extract.stdout).to.include("--allow-errors");
  });

  it("tells the version that its package has", async () => {
    expect((await connectorcli(folderWith({}), "--version")).stdout).to.equal("1.3.3\n");
  });
});
