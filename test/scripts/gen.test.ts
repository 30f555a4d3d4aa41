import { spawn } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { connectorcli, filesIn, folderWith } from "../support/command-line.js";
import { inRepository } from "../support/repository.js";
import { smallConnector } from "../support/small-connector.js";

const SITE = "generated/app/site.ts";

describe("connectorcli gen", () => {
  it("writes everything under generated/, and then nothing", async () => {
    const folder = folderWith({ "connector.ts": smallConnector() });
    const first = await connectorcli(folder, "gen");
    expect(first.status, first.stderr).to.equal(0);
    expect(first.stderr).to.include(`create ${SITE}`);
    const before = filesIn(folder);
    const second = await connectorcli(folder, "gen");
    expect(second.stderr).to.match(/^\d+ files up to date/);
    expect(filesIn(folder)).to.deep.equal(before);
  });

  it("--check fails where a file is stale, missing or edited, names the command and writes nothing", async () => {
    const folder = folderWith({ "connector.ts": smallConnector() });
    const missing = await connectorcli(folder, "gen", "--check");
    expect(missing.status).to.equal(1);
    expect(missing.stderr).to.include(`${SITE} is missing`).and.to.include("Run: connectorcli gen");
    expect(filesIn(folder)).to.deep.equal(["connector.ts"]);
    await connectorcli(folder, "gen");
    expect((await connectorcli(folder, "gen", "--check")).status).to.equal(0);
    const file = path.join(folder, SITE);
    writeFileSync(file, readFileSync(file, "utf8").replace("Site", "Place"));
    const edited = await connectorcli(folder, "gen", "--check");
    expect(edited.status).to.equal(1);
    expect(edited.stderr).to.include("file-edited").and.to.include(SITE);
  });

  it("removes the files of an object that is gone, and only those", async () => {
    const folder = folderWith({ "connector.ts": smallConnector(), "generated/app/notes.txt": "mine" });
    await connectorcli(folder, "gen");
    writeFileSync(path.join(folder, "connector.ts"), smallConnector().replaceAll('"Site"', '"Place"'));
    const { stderr } = await connectorcli(folder, "gen");
    expect(stderr).to.include(`remove ${SITE}`).and.to.include("create generated/app/place.ts");
    expect(filesIn(folder)).to.include("generated/app/notes.txt").and.to.not.include(SITE);
  });

  it("writes nothing when the schema modules have an error", async () => {
    const properties = 'id: Type.Optional(Type.String({ description: "Identifier." })),';
    const folder = folderWith({ "connector.ts": smallConnector({ properties }) });
    const { status, stderr } = await connectorcli(folder, "gen");
    expect(status).to.equal(1);
    expect(stderr).to.include("key-property-optional").and.to.include("nothing written");
    expect(filesIn(folder)).to.deep.equal(["connector.ts"]);
  });

  it("--watch writes again after a save, shows an error and goes on", async () => {
    const folder = folderWith({ "connector.ts": smallConnector() });
    const command = inRepository("dist/bundled/connectorcli.js");
    const child = spawn(process.execPath, [command, "gen", "--watch"], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let heard = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      heard += text;
    });
    const hears = async (words: string) => {
      const end = Date.now() + 20_000;
      while (!heard.includes(words)) {
        if (Date.now() > end || child.exitCode !== null) throw new Error(`never said "${words}": ${heard}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    try {
      await hears("files written");
      writeFileSync(path.join(folder, "connector.ts"), "const x = ;");
      await hears("project-syntax");
      rmSync(path.join(folder, SITE));
      writeFileSync(path.join(folder, "connector.ts"), smallConnector());
      await hears(`1 of`);
      expect(filesIn(folder)).to.include(SITE);
    } finally {
      child.kill("SIGINT");
    }
    const status = await new Promise((resolve) => child.once("close", resolve));
    expect(status).to.equal(0);
  });
});
