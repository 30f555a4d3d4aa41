import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { connectorcli } from "../support/command-line.js";
import { smallConnector } from "../support/connector-sources.js";
import { filesIn, folderWith } from "../support/folders.js";

const SOUND = { "connector.ts": smallConnector() };
const OPTIONAL_KEY = {
  "connector.ts": smallConnector({
    properties: 'id: Type.Optional(Type.String({ description: "Identifier." })),',
  }),
};

describe("connectorcli extract", () => {
  it("writes connector.json with LF, ASCII and no final newline, and then leaves it", async () => {
    const folder = folderWith({
      "connector.ts": smallConnector({
        options: 'description: "Straße & <b>\\u2028",\n  primaryKey: { name: "id", properties: ["id"] },',
      }),
    });
    const first = await connectorcli(folder, "extract");
    expect(first.status, first.stderr).to.equal(0);
    const text = readFileSync(path.join(folder, "connector.json"), "utf8");
    expect(text)
      .to.match(/^[\n\x20-\x7e]*[^\n]$/)
      .and.to.include("Stra\\u00DFe \\u0026 \\u003Cb\\u003E\\u2028");
    const second = await connectorcli(folder, "extract");
    expect(second.stderr).to.include("connector.json: up to date");
    expect(filesIn(folder)).to.deep.equal(["connector.json", "connector.ts"]);
  });

  it("--check fails when the file is missing or stale, writes nothing and names the command", async () => {
    const folder = folderWith(SOUND);
    const missing = await connectorcli(folder, "extract", "--check");
    expect(missing.status).to.equal(1);
    expect(missing.stderr)
      .to.include("connector.json is missing")
      .and.to.include("Run: npx connectorcli extract");
    expect(filesIn(folder)).to.deep.equal(["connector.ts"]);
    await connectorcli(folder, "extract");
    expect((await connectorcli(folder, "extract", "--check")).status).to.equal(0);
    writeFileSync(path.join(folder, "connector.json"), "{}");
    const stale = await connectorcli(folder, "extract", "--check");
    expect(stale.status).to.equal(1);
    expect(stale.stderr).to.include("stale");
    expect(readFileSync(path.join(folder, "connector.json"), "utf8")).to.equal("{}");
  });

  it("takes a connector.json with Windows line endings for up to date", async () => {
    const folder = folderWith(SOUND);
    await connectorcli(folder, "extract");
    const file = path.join(folder, "connector.json");
    const text = readFileSync(file, "utf8").replaceAll("\n", "\r\n");
    writeFileSync(file, text);
    expect((await connectorcli(folder, "extract", "--check")).status).to.equal(0);
    expect((await connectorcli(folder, "extract")).stderr).to.include("up to date");
    expect(readFileSync(file, "utf8")).to.equal(text);
  });

  it("--output writes elsewhere, and - to standard output", async () => {
    const folder = folderWith(SOUND);
    expect((await connectorcli(folder, "extract", "--output", "out/other.json")).status).to.equal(0);
    const { stdout } = await connectorcli(folder, "extract", "--output", "-");
    expect(readFileSync(path.join(folder, "out/other.json"), "utf8")).to.equal(stdout);
    expect(existsSync(path.join(folder, "connector.json"))).to.equal(false);
  });

  it("stops at errors with nothing written; --allow-errors writes all the same and still exits with 1", async () => {
    const folder = folderWith(OPTIONAL_KEY);
    const stopped = await connectorcli(folder, "extract");
    expect(stopped.status).to.equal(1);
    expect(stopped.stderr)
      .to.include("connector.ts:5:3  error  key-property-optional")
      .and.to.include("nothing written");
    expect(filesIn(folder)).to.deep.equal(["connector.ts"]);
    const allowed = await connectorcli(folder, "extract", "--allow-errors");
    expect(allowed.status).to.equal(1);
    expect(filesIn(folder)).to.deep.equal(["connector.json", "connector.ts"]);
  });

  it("finds the project by --connector-path", async () => {
    const folder = folderWith({ "inner/connector.ts": smallConnector() });
    expect((await connectorcli(folder, "extract", "--connector-path", "inner")).status).to.equal(0);
    expect(filesIn(folder)).to.include("inner/connector.json");
  });

  it("--json gives the state, the errors and their count", async () => {
    const { status, stdout } = await connectorcli(folderWith(OPTIONAL_KEY), "extract", "--json");
    expect(status).to.equal(1);
    const result = JSON.parse(stdout);
    expect(result).to.include({ state: "stopped", file: "connector.json" });
    expect(result.diagnostics[0]).to.include({
      code: "key-property-optional",
      file: "connector.ts",
      line: 5,
    });
  });

  it("says so when the file can't be written, and leaves what was there", async () => {
    const folder = folderWith(SOUND);
    mkdirSync(path.join(folder, "connector.json"));
    const { status, stderr } = await connectorcli(folder, "extract");
    expect(status).to.equal(1);
    expect(stderr).to.include("file-not-writable").and.to.include("a folder has this name");
    const blocked = await connectorcli(folder, "extract", "--output", "connector.ts/connector.json");
    expect(blocked.stderr).to.include("is not a folder");
    expect(readFileSync(path.join(folder, "connector.ts"), "utf8")).to.equal(SOUND["connector.ts"]);
  });
});
