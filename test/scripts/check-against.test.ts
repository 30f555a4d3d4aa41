import { execFileSync } from "node:child_process";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { compareConnectors } from "../../schemas/compatibility/compare-connectors.js";
import { readConnectorJson } from "../../schemas/model/from-connector-json/read-connector.js";
import { locateChanges } from "../../scripts/comparison/locate-changes.js";
import { connectorcli } from "../support/command-line.js";
import { smallConnector } from "../support/connector-sources.js";
import { filesIn, folderWith } from "../support/folders.js";

const ID = 'id: Type.String({ description: "Identifier in the target system." }),';
const BEFORE = smallConnector({ properties: `${ID}\n  phase: Type.String({ description: "How far." }),` });
const AFTER = smallConnector({
  properties: `${ID}\n  phase: Nullable(Type.String({ description: "How far." })),`,
});

/** A repository whose commit has BEFORE and its connector.json, and whose files are AFTER. */
async function repository(): Promise<string> {
  const folder = folderWith({ "connector.ts": BEFORE });
  await connectorcli(folder, "extract");
  git(folder, "init", "-q");
  git(folder, "add", "-A");
  git(folder, "-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-q", "-m", "before");
  writeFileSync(path.join(folder, "connector.ts"), AFTER);
  return folder;
}

function git(folder: string, ...args: readonly string[]): void {
  execFileSync("git", args, { cwd: folder });
}

describe("connectorcli check --against", () => {
  it("tells of a change since a git reference with both lines, a sentence, a witness and the verdict", async () => {
    const { status, stdout, stderr } = await connectorcli(await repository(), "check", "--against", "HEAD");
    expect(stdout).to.equal(`connector.ts:8:3  major  null-accepted
    "phase" of data object "Site" may now be null.
    {"id":"a","phase":null} was refused and is accepted now.
    before: HEAD:connector.json:77:24
`);
    expect(stderr).to.include("against HEAD: major (1 major, 0 minor, 0 patch)");
    expect(status).to.equal(0);
  });

  it("tells what a line changes in many places once; --max shows the most severe changes", async () => {
    const shared = (note: string) =>
      smallConnector({
        before: `const Contact = Type.Object({ note: ${note} });`,
        properties: `${ID}
  first: Type.Object(Contact.properties, { description: "Whom to ask." }),
  second: Type.Object(Contact.properties, { description: "Whom to ask then." }),`,
      });
    const folder = folderWith({
      "connector.ts": shared('Type.String({ description: "A note." })'),
    });
    await connectorcli(folder, "extract", "--output", "old.json");
    const changed = shared('Nullable(Type.String({ description: "The note." }))');
    renameSync(path.join(folder, "connector.ts"), path.join(folder, "connector.bak"));
    writeFileSync(path.join(folder, "connector.ts"), changed);
    const { stdout, stderr } = await connectorcli(folder, "check", "--against", "old.json");
    expect(stdout.match(/null-accepted/g)).to.have.length(1);
    expect(stdout.match(/And 1 more place that this line makes\./g)).to.have.length(2);
    expect(stderr).to.include("against old.json: major (1 major, 0 minor, 1 patch)");
    const json = await connectorcli(folder, "check", "--against", "old.json", "--format", "json");
    expect(JSON.parse(json.stdout).against.counts).to.include({ major: 2, patch: 2 });
    const few = await connectorcli(folder, "check", "--against", "old.json", "--max", "1");
    expect(few.stdout).to.include("null-accepted").and.to.include("1 more change is not shown.");
  });

  it("leads to the property that changed in the values of a dictionary and in the items of a list", async () => {
    const source = (type: string) =>
      smallConnector({
        properties: `${ID}
  byName: Type.Record(Type.String(), Type.Object({
    size: Type.${type}({ description: "How large." }),
  }), { description: "Parts by name." }),
  parts: Type.Array(Type.Object({
    size: Type.${type}({ description: "How large." }),
  }), { description: "Parts in a row." }),`,
      });
    const folder = folderWith({ "connector.ts": source("Integer") });
    await connectorcli(folder, "extract", "--output", "old.json");
    writeFileSync(path.join(folder, "connector.ts"), source("Boolean"));
    const { stdout } = await connectorcli(folder, "check", "--against", "old.json");
    const lines = [...stdout.matchAll(/^connector\.ts:(\d+):\d+ {2}major/gm)].map(([, line]) => line);
    expect(new Set(lines), stdout).to.deep.equal(new Set(["9", "12"]));
  });

  it("tells a change by its place in connector.json where nobody knows the line of its definition", async () => {
    const folder = await repository();
    const extract = await connectorcli(folder, "extract", "--output", "new.json");
    expect(extract.status, extract.stderr).to.equal(0);
    const [old, next] = ["connector.json", "new.json"].map((name) => {
      const text = readFileSync(path.join(folder, name), "utf8");
      const { model, document } = readConnectorJson(text, name);
      if (model === undefined || document === undefined) throw new Error("it can't be read");
      return { model, document, file: name };
    });
    if (old === undefined || next === undefined) throw new Error("there are not two");
    const { changes } = compareConnectors(old.model, next.model);
    const [change] = locateChanges(changes, old, { model: next.model });
    expect(change?.old).to.include({ file: "connector.json", line: 77 });
    expect(change?.new).to.deep.equal({ pointer: "/modules/0/dataObjects/0/schema/properties/phase" });
  });

  it("--fail-on exits with 1 from its step on", async () => {
    const folder = await repository();
    expect((await connectorcli(folder, "check", "--against", "HEAD", "--fail-on", "major")).status).to.equal(
      1,
    );
    await connectorcli(folder, "extract", "--output", "new.json");
    renameSync(path.join(folder, "connector.ts"), path.join(folder, "connector.bak"));
    writeFileSync(path.join(folder, "connector.ts"), AFTER.replace("Places where", "Spots where"));
    const patch = (limit: string) =>
      connectorcli(folder, "check", "--against", "new.json", "--fail-on", limit);
    expect((await patch("minor")).status).to.equal(0);
    expect((await patch("any")).status).to.equal(1);
  });

  it("--format json gives verdict, counts and changes to programs", async () => {
    const { stdout } = await connectorcli(
      await repository(),
      "check",
      "--against",
      "HEAD",
      "--format",
      "json",
    );
    const { against } = JSON.parse(stdout);
    expect(against).to.include({ reference: "HEAD", verdict: "major" });
    expect(against.counts).to.deep.equal({ major: 1, minor: 0, patch: 0, undecided: 0 });
    expect(against.changes[0]).to.deep.include({
      code: "null-accepted",
      severity: "major",
      role: "record",
      undecided: false,
      witness: { value: { id: "a", phase: null }, acceptedBy: "new", scope: "document" },
    });
    expect(against.changes[0].new).to.deep.equal({
      pointer: "/modules/0/dataObjects/0/schema/properties/phase",
      file: "connector.ts",
      line: 8,
      column: 3,
    });
  });

  it("--write-changes writes a change log, and extract prints the verdict", async () => {
    const folder = await repository();
    await connectorcli(folder, "check", "--against", "HEAD", "--write-changes", "CHANGES.md");
    expect(readFileSync(path.join(folder, "CHANGES.md"), "utf8")).to.equal(`# Changes since \`HEAD\`

This release needs a major version step.

## Breaking

- "phase" of data object "Site" may now be null. \`{"id":"a","phase":null}\` was refused and is accepted now.
`);
    const { stderr } = await connectorcli(folder, "extract");
    expect(stderr).to.include("against the committed connector.json: major (1 major, 0 minor, 0 patch)");
  });

  it("finds nothing where nothing changed", async () => {
    const folder = await repository();
    writeFileSync(path.join(folder, "connector.ts"), BEFORE);
    const { status, stdout, stderr } = await connectorcli(
      folder,
      "check",
      "--against",
      "HEAD",
      "--fail-on",
      "any",
    );
    expect({ status, stdout }).to.deep.equal({ status: 0, stdout: "" });
    expect(stderr).to.include("against HEAD: none");
  });

  it("gives the verdict none, with a note, where the reference has no connector.json", async () => {
    const folder = folderWith({ "connector.ts": BEFORE });
    git(folder, "init", "-q");
    git(
      folder,
      "-c",
      "user.name=a",
      "-c",
      "user.email=a@b.example",
      "commit",
      "-q",
      "--allow-empty",
      "-m",
      "x",
    );
    const { status, stdout, stderr } = await connectorcli(
      folder,
      "check",
      "--against",
      "HEAD",
      "--fail-on",
      "any",
    );
    expect(stdout).to.include("info  against-absent");
    expect(stderr).to.include("against HEAD: none");
    expect(status).to.equal(0);
  });

  const WRONG: readonly (readonly [what: string, reference: string, code: string])[] = [
    ["a reference that git does not know", "no-such-branch", "against-unknown"],
    ["a reference that looks like an option", "--upload-pack=x", "against-unknown"],
    ["a file that is not there", "gone.json", "file-missing"],
    ["a file that is no JSON", "connector.ts", "json-syntax"],
    ["a file that is no connector.json", "other.json", "format-mismatch"],
    ["a file that is nested too deeply", "deep.json", "json-too-deep"],
  ];
  for (const [what, reference, code] of WRONG) {
    it(`says so of ${what}, and compares nothing`, async () => {
      const folder = await repository();
      writeFileSync(path.join(folder, "other.json"), "{}");
      writeFileSync(path.join(folder, "deep.json"), "[".repeat(2_000) + "]".repeat(2_000));
      const { status, stdout, stderr } = await connectorcli(folder, "check", `--against=${reference}`);
      expect(stdout).to.include(`error  ${code}`);
      expect(stderr).to.include(": not compared");
      expect(status).to.equal(1);
    });
  }

  it("says so outside of a repository", async () => {
    const folder = folderWith({ "connector.ts": BEFORE });
    const { stdout } = await connectorcli(folder, "check", "--against", "main");
    expect(stdout).to.include("error  against-no-repository");
  });

  it("refuses its options without a reference", async () => {
    const folder = folderWith({ "connector.ts": BEFORE });
    const { status, stderr } = await connectorcli(folder, "check", "--write-changes", "x.md");
    expect(stderr).to.include("need --against");
    expect(status).to.equal(2);
    expect(filesIn(folder)).to.deep.equal(["connector.ts"]);
  });
});
