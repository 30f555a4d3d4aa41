import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { connectorcli } from "../support/command-line.js";
import { smallConnector } from "../support/connector-sources.js";
import { folderWith } from "../support/folders.js";

const SITE = "generated/app/site.ts";
const CACHE = "node_modules/.cache/connectorcli";

/** A project that has been generated twice: the second run left all that can be kept. */
async function keptProject(content = smallConnector()): Promise<(name: string) => string> {
  const folder = folderWith({ "connector.ts": content, "node_modules/.keep": "" });
  for (let run = 0; run < 2; run++) {
    const { status, stderr } = await connectorcli(folder, "gen");
    expect(status, stderr).to.equal(0);
  }
  return (name) => path.join(folder, name);
}

const change = (file: string, from: string, to: string) =>
  writeFileSync(file, readFileSync(file, "utf8").replaceAll(from, to));

describe("what is kept between commands", () => {
  it("does not hide that a generated file was edited", async () => {
    const at = await keptProject();
    change(at(SITE), "Identifier in", "Identity in");
    const { status, stderr } = await connectorcli(at(""), "gen");
    expect(status).to.equal(1);
    expect(stderr).to.include("file-edited").and.to.include(SITE);
  });

  it("does not hide that a generated file has gone", async () => {
    const at = await keptProject();
    rmSync(at(SITE));
    expect((await connectorcli(at(""), "gen", "--check")).stderr).to.include(`${SITE} is missing`);
    expect((await connectorcli(at(""), "gen")).stderr).to.include(`create ${SITE}`);
    expect(existsSync(at(SITE))).to.equal(true);
  });

  it("does not hide a generated file that nothing generates", async () => {
    const at = await keptProject();
    copyFileSync(at(SITE), at("generated/app/place.ts"));
    expect((await connectorcli(at(""), "gen")).stderr).to.include("remove generated/app/place.ts");
  });

  it("does not hide a change of the author's", async () => {
    const at = await keptProject();
    change(at("connector.ts"), "Identifier in", "Identity in");
    expect((await connectorcli(at(""), "gen")).stderr).to.include(`update ${SITE}`);
    expect(readFileSync(at(SITE), "utf8")).to.include("Identity in");
  });

  it("does not hide what was silenced", async () => {
    const silence = 'silence: { "sensitive-not-write-only": "It is public." }';
    const properties = `
      id: Type.String({ description: "Identifier in the target system." }),
      email: Type.String({ description: "Address of the office.", ${silence} }),`;
    const folder = folderWith({ "connector.ts": smallConnector({ properties }), "node_modules/.keep": "" });
    const first = await connectorcli(folder, "check", "--format", "json");
    expect(JSON.parse(first.stdout).summary).to.include({ errors: 0, silenced: 1 });
    expect(await connectorcli(folder, "check", "--format", "json")).to.deep.equal(first);
  });

  it("takes no notice of line endings", async () => {
    const at = await keptProject();
    change(at(SITE), "\n", "\r\n");
    expect((await connectorcli(at(""), "gen")).stderr).to.match(/^\d+ files up to date/);
  });

  it("writes nothing that was changed while it was kept", async () => {
    const at = await keptProject();
    const right = readFileSync(at(SITE), "utf8");
    change(at(`${CACHE}/model.json`), "Identifier in", "Identity of");
    rmSync(at(SITE));
    expect((await connectorcli(at(""), "gen")).status).to.equal(0);
    expect(readFileSync(at(SITE), "utf8")).to.equal(right);
  });

  it("is of no use to another build of this package", async () => {
    const at = await keptProject();
    for (const name of ["model.json", "generated.json"])
      writeFileSync(at(`${CACHE}/${name}`), readFileSync(at(`${CACHE}/${name}`), "utf8").replace("1.", "0."));
    expect((await connectorcli(at(""), "gen")).stderr).to.match(/^\d+ files up to date/);
    expect(readFileSync(at(`${CACHE}/generated.json`), "utf8")).to.match(/^\{"tool":"1\./);
  });

  it("has the line of a warning for the command that shows it", async () => {
    const properties =
      'id: Type.String({ description: "Identifier." }),\n  email: Type.String({ description: "Address." }),';
    const at = await keptProject(smallConnector({ properties }));
    expect((await connectorcli(at(""), "extract")).stderr).to.include("1 warning");
    const { stdout } = await connectorcli(at(""), "check");
    expect(stdout).to.include("connector.ts:8:3  warning  sensitive-not-write-only");
  });
});
