import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import Database from "libsql";
import { COMMAND, connectorcli } from "../support/command-line.js";
import { folderWith, treeOf } from "../support/folders.js";
import { COMMAND_FILE, userWithoutRights } from "../support/ordinary-user.js";
import { type CommandResult, run } from "../support/processes.js";
import { type Platform, platformProject, project, startPlatform } from "../support/projects-platform.js";
import { longOr, SLOW_TEST_MS } from "../support/repository.js";
import { type SmallDisk, smallDisk } from "../support/small-disk.js";

const TOKEN = "a-token-of-tests-7";

const WRITE_OPTIONS = [
  ["run", "cache-writer", "--data-object-url", "project"],
  ["queue", "retry", "1"],
  ...longOr([["run", "action-processor"]], []),
];
const READING = [
  ["cache", "show", "project"],
  ["queue", "list"],
  ...longOr(
    [
      ["cache", "get", "project", "P-1", "--by", "number"],
      ["cache", "changes"],
      ["cache", "rejected"],
      ["queue", "show", "1"],
      ["runs", "list"],
      ["runs", "show", "1"],
    ],
    [],
  ),
];
const ALL = [...WRITE_OPTIONS, ...READING];

describe("a store that can't be used", function () {
  this.timeout(SLOW_TEST_MS);
  let platform: Platform;
  let folder: string;
  let store: string;

  before(async () => {
    platform = await startPlatform({ token: TOKEN, projects: 30 });
    folder = await platformProject(platform.address, TOKEN);
    store = path.join(folderWith({}), "store.db");
    const { status, stderr } = await cli("run", "cache-writer");
    expect(status, stderr).to.equal(0);
  });
  after(() => platform.close());

  const cli = (...args: readonly string[]) => connectorcli(folder, ...args, "--store", store);
  const cliOn = (file: string, args: readonly string[]) => connectorcli(folder, ...args, "--store", file);

  /** Each command says `words` and fails; none shows a stack. */
  async function expectEach(
    commands: readonly (readonly string[])[],
    words: RegExp,
    call: (args: readonly string[]) => Promise<CommandResult>,
  ): Promise<void> {
    const results = await Promise.all(commands.map(call));
    for (const [index, { status, stdout, stderr }] of results.entries()) {
      const name = commands[index]?.join(" ");
      expect(stdout + stderr, name)
        .to.match(words)
        .and.to.not.match(/^\s+at /m);
      expect(status, name).to.equal(1);
    }
  }

  it("because it is no store is named by every command, and left as it is", async () => {
    const file = path.join(
      folderWith({ "other.db": "notes of somebody, long enough ".repeat(200) }),
      "other.db",
    );
    const before = readFileSync(file);
    await expectEach(ALL, /other\.db is damaged, or something else than a store/, (args) =>
      cliOn(file, args),
    );
    expect(readFileSync(file).equals(before)).to.equal(true);
  });

  it("because its pages are damaged is named by the commands that meet them", async () => {
    const file = path.join(folderWith({}), "store.db");
    const bytes = readFileSync(store);
    writeFileSync(file, bytes.fill(0xff, 8_192, bytes.length));
    const commands = [["run", "cache-writer"], ...READING];
    const results = await Promise.all(commands.map((args) => cliOn(file, args)));
    const damaged = results.filter(({ stdout, stderr }) => /store\.db is damaged/.test(stdout + stderr));
    for (const { status } of damaged) expect(status).to.equal(1);
    expect(damaged.length).to.be.greaterThan(1);
    for (const { stdout, stderr } of results) expect(stdout + stderr).to.not.match(/^\s+at /m);
  });

  it("because a newer version wrote it is named by every command, and left as it is", async () => {
    const file = path.join(folderWith({}), "newer.db");
    const newer = new Database(file);
    newer.exec("PRAGMA application_id = 0x636f6e6e; PRAGMA user_version = 99; CREATE TABLE future (a)");
    newer.close();
    await expectEach(ALL, /newer\.db was written by a newer version.*Update connectorcli/, (args) =>
      cliOn(file, args),
    );
    const after = new Database(file);
    expect(after.prepare("SELECT name FROM sqlite_schema").all()).to.deep.equal([{ name: "future" }]);
    expect(after.prepare("PRAGMA user_version").all()).to.deep.equal([{ user_version: 99 }]);
    after.close();
  });

  it("because another program writes is read all the same, and written when that has ended", async () => {
    await cli(
      "run",
      "action-processor",
      ...input({ number: "P-1", title: "x", status: "Active", budget: null }),
    );
    const other = new Database(store);
    other.exec("BEGIN IMMEDIATE");
    await expectEach(WRITE_OPTIONS, /store\.db is in use by another program/, (args) => cli(...args));
    const read = await Promise.all(READING.map((args) => cli(...args)));
    expect(read.map(({ status }) => status)).to.deep.equal(READING.map(() => 0));
    other.exec("ROLLBACK");
    other.close();
    expect((await cli("run", "cache-writer")).stdout).to.include("Project: succeeded: 30 unchanged");
    expect((await cli("queue", "retry", "1")).status).to.equal(0);
  });

  it("because another run has the object is said to be busy", async () => {
    const [object] = (await cli("cache", "changes", "--json", "--object", "project")).stdout.split("\n");
    const { openSqliteStore } = await import("../../runtime/host/open-store.js");
    const other = await openSqliteStore({ file: store });
    const held = await other.runs.start({
      ...{ object: JSON.parse(object ?? "").object, kind: "full" },
      ...{
        alternateKeysVersion: '[["number","number"]]',
        schemaVersion: "1",
        resume: false,
        resumeWithinMs: 0,
      },
    });
    const { status, stdout } = await cli("run", "cache-writer", "--data-object-url", "project");
    expect(stdout).to.include("Project: busy").and.to.include("another run of it is under way");
    expect(status).to.equal(1);
    await held?.end("failed");
    await other.close();
    expect((await cli("run", "cache-writer")).stdout).to.include("Project: succeeded: 30 unchanged");
  });

  it("because it and its folder are read-only is named by every command that writes", async function () {
    const user = userWithoutRights(this);
    const command = user.file(COMMAND_FILE);
    const file = path.join(folderWith({}), "locked/store.db");
    mkdirSync(path.dirname(file));
    writeFileSync(file, readFileSync(store));
    chmodSync(path.dirname(path.dirname(file)), 0o755);
    chmodSync(file, 0o444);
    chmodSync(path.dirname(file), 0o555);
    const before = readFileSync(file);
    giveTo(user.id, folder);
    try {
      await expectEach(ALL, /store\.db can't be written\. Give yourself write permission/, (args) =>
        run(folder, process.execPath, [command, ...args, "--store", file], { user: user.id }),
      );
    } finally {
      chmodSync(path.dirname(file), 0o755);
      giveTo(process.getuid?.(), folder);
      user.remove();
    }
    expect(readFileSync(file).equals(before)).to.equal(true);
  });

  describe("because the disk is full", () => {
    let disk: SmallDisk | undefined;
    before(async function () {
      disk = await smallDisk(400);
      if (disk === undefined) this.skip();
    });
    after(() => disk?.close());

    it("is named, loses nothing, and goes on when there is room", async () => {
      if (disk === undefined) throw new Error("there is no disk");
      const { folder: place, run: inside, resize } = disk;
      const file = path.join(place, "store.db");
      const call = (...args: readonly string[]) =>
        inside(folder, process.execPath, [COMMAND, ...args, "--store", file]);
      expect((await call("run", "cache-writer")).stdout).to.include(
        "Project: succeeded: 0 unchanged, 30 inserted",
      );
      const more = Array.from({ length: 2_000 }, (_, index) => project(1_000 + index));
      platform.projects = [...platform.projects, ...more];
      await expectEach([["run", "cache-writer", "--data-object-url", "project"]], /disk is full/, (args) =>
        call(...args),
      );
      const large = {
        number: "N-1",
        title: "x",
        status: "Active",
        budget: null,
        tags: ["x".repeat(500_000)],
      };
      await expectEach([["run", "action-processor", ...input(large)]], /disk is full/, (args) =>
        call(...args),
      );
      const kept = await call("cache", "show", "project", "--limit", "10000");
      expect(kept.status, kept.stderr).to.equal(0);
      for (let number = 1; number <= 30; number++) expect(kept.stdout).to.include(` P-${number} `);
      await resize(20_000);
      const { status, stdout } = await call("run", "cache-writer", "--data-object-url", "project", "--json");
      const [result] = JSON.parse(stdout).objects;
      expect(result).to.include({ outcome: "succeeded", updated: 0, deleted: 0, rejected: 0 });
      expect(result.unchanged + result.inserted).to.equal(2_030);
      expect(status).to.equal(0);
    });
  });

  function input(content: object): readonly string[] {
    const file = path.join(folder, "input.json");
    writeFileSync(file, JSON.stringify(content));
    return ["--data-object-url", "project", "--action-url", "create", "--input", file];
  }
});

/** Everything below `folder` belongs to `user` then, where that can be. */
function giveTo(user: number | undefined, folder: string): void {
  if (process.getuid?.() !== 0 || user === undefined) return;
  for (const name of ["", ...Object.keys(treeOf(folder))]) chownSync(path.join(folder, name), user, user);
}
