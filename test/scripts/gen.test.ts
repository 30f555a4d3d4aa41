import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { COMMAND, connectorcli } from "../support/command-line.js";
import { smallConnector } from "../support/connector-sources.js";
import { filesIn, folderWith } from "../support/folders.js";
import { run, startedProcess } from "../support/processes.js";
import { SLOW_TEST_MS } from "../support/repository.js";

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
    expect(missing.stderr).to.include(`${SITE} is missing`).and.to.include("Run: npx connectorcli gen");
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

  it("warns of a file under generated/ that is not its own, and does not fail for it", async () => {
    const folder = folderWith({ "connector.ts": smallConnector(), "generated/app/notes.txt": "mine" });
    for (const args of [["gen"], ["gen", "--check"], ["gen"]]) {
      const { status, stderr } = await connectorcli(folder, ...args);
      expect(status).to.equal(0);
      expect(stderr).to.include("file-foreign").and.to.include('"generated/app/notes.txt"');
    }
  });

  it("leaves one whole tree when it runs several times at once", async () => {
    const folder = folderWith({ "connector.ts": smallConnector() });
    const runs = await Promise.all([1, 2, 3].map(() => connectorcli(folder, "gen")));
    expect(runs.map(({ status, stderr }) => (status === 0 ? "" : stderr))).to.deep.equal(["", "", ""]);
    expect((await connectorcli(folder, "gen", "--check")).status).to.equal(0);
    expect(filesIn(folder).some((file) => file.startsWith(".connectorcli"))).to.equal(false);
  });

  it("finishes what a killed run left, and --check only names it", async () => {
    const folder = folderWith({ "connector.ts": smallConnector() });
    const hash = (text: string) => createHash("sha256").update(text).digest("base64url");
    const journal = {
      files: [
        { path: "generated/a.ts", before: null, after: hash("a") },
        { path: "generated/b.ts", before: null, after: hash("b") },
      ],
      newFolders: ["generated"],
      oldFolders: [],
    };
    mkdirSync(path.join(folder, "generated"));
    mkdirSync(path.join(folder, ".connectorcli"));
    writeFileSync(path.join(folder, "generated/a.ts"), "a");
    writeFileSync(path.join(folder, ".connectorcli/1.new"), "b");
    writeFileSync(path.join(folder, ".connectorcli/journal.json"), JSON.stringify(journal));
    const before = filesIn(folder);
    const checked = await connectorcli(folder, "gen", "--check");
    expect(checked.status).to.equal(1);
    expect(checked.stderr).to.include("files-unfinished").and.to.include(".connectorcli");
    expect(filesIn(folder)).to.deep.equal(before);
    expect((await connectorcli(folder, "gen")).status).to.equal(0);
    expect(readFileSync(path.join(folder, "generated/b.ts"), "utf8")).to.equal("b");
    expect(filesIn(folder).some((file) => file.startsWith(".connectorcli"))).to.equal(false);
  });

  it("names the process that holds the lock, and where it stands", async function () {
    this.timeout(60_000);
    const lock = JSON.stringify({ pid: process.pid, host: hostname(), token: "t" });
    const folder = folderWith({ "connector.ts": smallConnector(), ".connectorcli/lock": lock });
    const { status, stderr } = await connectorcli(folder, "gen");
    expect(status).to.equal(1);
    expect(stderr)
      .to.include(`process ${process.pid} holds ".connectorcli/lock"`)
      .and.to.include("nothing written");
    expect(filesIn(folder)).to.deep.equal([".connectorcli/lock", "connector.ts"]);
  });

  it("writes nothing when the schema modules have an error", async () => {
    const properties = 'id: Type.Optional(Type.String({ description: "Identifier." })),';
    const folder = folderWith({ "connector.ts": smallConnector({ properties }) });
    const { status, stderr } = await connectorcli(folder, "gen");
    expect(status).to.equal(1);
    expect(stderr).to.include("key-property-optional").and.to.include("nothing written");
    expect(filesIn(folder)).to.deep.equal(["connector.ts"]);
  });

  it("ends by itself, and leaves nothing where temporary files are", async () => {
    const folder = folderWith({ "connector.ts": smallConnector(), "temporary/.keep": "" });
    const temporary = path.join(folder, "temporary");
    const environment = { TMPDIR: temporary, TEMP: temporary, TMP: temporary };
    const { status, stderr } = await run(folder, process.execPath, [COMMAND, "gen"], { environment });
    expect(status, stderr).to.equal(0);
    expect(filesIn(temporary)).to.deep.equal([".keep"]);
  });

  it("--watch writes again after a save, shows an error and goes on", async () => {
    const { folder, hears, end } = watching();
    try {
      await hears("files written");
      writeFileSync(path.join(folder, "connector.ts"), "const x = ;");
      await hears("project-syntax");
      rmSync(path.join(folder, SITE));
      writeFileSync(path.join(folder, "connector.ts"), smallConnector());
      await hears(`1 of`);
      expect(filesIn(folder)).to.include(SITE);
    } finally {
      expect(await end()).to.equal(0);
    }
  });

  it("--watch sees each save, however the editor or git saves", async () => {
    const { folder, hears, end } = watching();
    const file = path.join(folder, "connector.ts");
    const beside = path.join(folder, ".connector.ts.swp");
    const saves: Readonly<Record<string, (text: string) => void>> = {
      "in place": (text) => writeFileSync(file, text),
      "by a rename over it": (text) => {
        writeFileSync(beside, text);
        renameSync(beside, file);
      },
      "with a backup of the old file": (text) => {
        renameSync(file, `${file}~`);
        writeFileSync(file, text);
      },
      "by removing it and writing it anew": (text) => {
        rmSync(file);
        writeFileSync(file, text);
      },
    };
    try {
      await hears("files written");
      // Twice each: what follows a rename is what is missed.
      for (const [way, save] of [...Object.entries(saves), ...Object.entries(saves)]) {
        rmSync(path.join(folder, SITE));
        save(smallConnector());
        await hears("1 of", way);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    } finally {
      expect(await end()).to.equal(0);
    }
  }).timeout(SLOW_TEST_MS);
});

/** `gen --watch` on a small project; `hears` waits for words that were not there when it was last called. */
function watching() {
  const folder = folderWith({ "connector.ts": smallConnector() });
  const child = startedProcess(
    spawn(process.execPath, [COMMAND, "gen", "--watch"], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] }),
  );
  let heard = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    heard += text;
  });
  const hears = async (words: string, when = "") => {
    const end = Date.now() + 20_000;
    while (!heard.includes(words)) {
      if (Date.now() > end || child.exitCode !== null)
        throw new Error(`never said "${words}" ${when}: ${heard}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    heard = "";
  };
  const end = () => {
    child.kill("SIGINT");
    return new Promise((resolve) => child.once("close", resolve));
  };
  return { folder, hears, end };
}
