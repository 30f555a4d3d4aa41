import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import Database from "libsql";
import { COMMAND, connectorcli } from "../support/command-line.js";
import { startedProcess } from "../support/processes.js";
import { type Platform, platformProject, startPlatform } from "../support/projects-platform.js";
import { SLOW_TEST_MS } from "../support/repository.js";

const EMAIL = "canary@secret.example";
const LIMIT = 5 * 1024 * 1024;
const DAY_MS = 24 * 60 * 60 * 1_000;
const NEW = { number: "N-1", title: "Tunnel", status: "Planned", budget: null };

describe("the queue of a connector on one machine", function () {
  this.timeout(SLOW_TEST_MS);
  let platform: Platform;
  let folder: string;

  before(async () => {
    platform = await startPlatform({ token: "a-token-of-tests-7", projects: 3 });
    folder = await platformProject(platform.address, "a-token-of-tests-7");
  });
  after(() => platform.close());

  const cli = (...args: readonly string[]) => connectorcli(folder, ...args);
  const perform = (content: object) => {
    const file = path.join(folder, "input.json");
    writeFileSync(file, JSON.stringify(content));
    return cli(
      "run",
      "action-processor",
      "--data-object-url",
      "project",
      "--action-url",
      "create",
      "--input",
      file,
    );
  };

  it("shows write-only values of inputs only when asked to", async () => {
    await perform({ ...NEW, managerEmail: EMAIL });
    for (const args of [
      ["show", "1"],
      ["show", "1", "--json"],
      ["list", "--json"],
    ]) {
      const { stdout } = await cli("queue", ...args);
      expect(stdout).to.include("--hidden value--").and.to.include("Tunnel").and.to.not.include(EMAIL);
      expect((await cli("queue", ...args, "--reveal")).stdout)
        .to.include(EMAIL)
        .and.to.not.include("--hidden value--");
    }
  });

  it("takes inputs of up to 5 MB and refuses larger ones, which are not queued", async () => {
    const inputOfSize = (bytes: number, number: string) => {
      const empty = { ...NEW, number, tags: [""] };
      return { ...empty, tags: ["x".repeat(bytes - Buffer.byteLength(JSON.stringify(empty)))] };
    };
    const refused = await perform(inputOfSize(LIMIT + 1, "N-2"));
    expect(refused.stdout).to.include(`at most ${LIMIT} bytes, found ${LIMIT + 1} bytes`);
    expect(refused.status).to.equal(1);
    const taken = await perform(inputOfSize(LIMIT, "N-3"));
    expect(taken.stdout, taken.stderr.slice(0, 1_000))
      .to.include("Action 2 is queued.")
      .and.to.include("succeeded");
    expect((await cli("queue", "show", "3")).stderr).to.include("The queue has no action 3");
  });

  it("takes its limits from package.json where it says some", async () => {
    const file = path.join(folder, "package.json");
    const before = readFileSync(file, "utf8");
    const connectorcli = { run: { actionProcessor: { maxInputBytes: 10 } } };
    writeFileSync(file, JSON.stringify({ ...JSON.parse(before), connectorcli }));
    const refused = await perform({ ...NEW, number: "N-10" });
    writeFileSync(file, before);
    expect(refused.stdout).to.include("at most 10 bytes");
    expect(refused.status).to.equal(1);
  });

  it("cancels what has waited for more than 14 days, and performs what has waited for less", async () => {
    platform.failures = 100;
    for (const number of ["N-4", "N-5"]) await perform({ ...NEW, number });
    platform.failures = 0;
    const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
    const database = new Database(path.join(folder, ".connectorcli-cache/store.db"));
    const set = database.prepare("UPDATE actions SET due_at = ? WHERE id = ?");
    set.run([ago(14.01), 3]);
    set.run([ago(13.99), 4]);
    database.close();
    const { status, stdout, stderr } = await cli("run", "action-processor");
    expect(stderr).to.include("1 cancelled: they had waited too long.");
    expect(stdout).to.include("Action 4 ").and.to.include("succeeded").and.to.not.include("Action 3 ");
    expect(status).to.equal(0);
    expect((await cli("queue", "list", "--state", "cancelled")).stdout).to.match(
      /^number .*\n3 {7}cancelled .*\n$/,
    );
  });

  it("is watched: an action that comes is performed, and an interruption ends it well", async function () {
    if (process.platform === "win32") this.skip();
    // Before anybody watches: the watcher might take it while the platform fails.
    platform.failures = 100;
    await perform({ ...NEW, number: "N-6" });
    platform.failures = 0;
    expect((await cli("queue", "show", "5")).stdout).to.include("queued");
    const child = startedProcess(
      spawn(process.execPath, [COMMAND, "run", "action-processor", "--watch"], {
        cwd: folder,
        stdio: ["ignore", "pipe", "pipe"],
      }),
    );
    let text = "";
    const said = (words: string) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (text.includes(words)) resolve();
        };
        child.stdout.on("data", look);
        look();
      });
    child.stdout.setEncoding("utf8").on("data", (more: string) => {
      text += more;
    });
    makeDue(5);
    await said("Action 5 ");
    await said("\n  output ");
    expect(text).to.include("succeeded: 1 record in the cache\n");
    child.kill("SIGINT");
    if (child.exitCode === null) await once(child, "exit");
    expect(child.exitCode).to.equal(0);
    expect((await cli("queue", "show", "5")).stdout).to.include("succeeded");
  });

  function makeDue(id: number): void {
    const database = new Database(path.join(folder, ".connectorcli-cache/store.db"));
    database.prepare("UPDATE actions SET due_at = ? WHERE id = ?").run([new Date().toISOString(), id]);
    database.close();
  }

  it("cancels what waits, and queues all dead letters again", async () => {
    const store = new Database(path.join(folder, ".connectorcli-cache/store.db"));
    await perform({ ...NEW, number: "N-20" });
    await perform({ ...NEW, number: "N-21" });
    store.exec("UPDATE actions SET state = 'dead' WHERE state = 'succeeded'");
    const [{ id }] = (await cli("queue", "list", "--state", "dead", "--json")).stdout
      .split("\n", 1)
      .map((line) => ({ id: String(JSON.parse(line).id) })) as [{ readonly id: string }];
    const again = await cli("queue", "retry", "--state", "dead");
    expect(again.stdout).to.match(/^\d+ actions are queued again\./);
    expect((await cli("queue", "retry", "--state", "dead")).stderr).to.include("No action is dead.");
    expect((await cli("queue", "cancel", id)).stdout).to.equal(`Action ${id} is cancelled.\n`);
    expect((await cli("queue", "cancel", id)).stderr).to.include("is cancelled: only one that is queued");
    expect((await cli("queue", "retry", id)).stdout).to.include(`Action ${id} is queued again.`);
    store.exec("UPDATE actions SET due_at = '2126-01-01T00:00:00.000Z' WHERE state = 'queued'");
    const now = await cli("queue", "retry", "--state", "queued");
    expect(now.stdout).to.match(/^\d+ actions are queued again\./);
    expect((await cli("queue", "show", id)).stdout).to.not.include("2126");
    expect((await cli("queue", "retry")).status).to.equal(2);
    store.exec("UPDATE actions SET state = 'succeeded' WHERE state = 'queued'");
    expect((await cli("queue", "retry", id)).stderr).to.include("is succeeded: only one that waits, failed");
    store.close();
  });
});
