import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { COMMAND, connectorcli } from "../support/command-line.js";
import { type CommandResult, startedProcess } from "../support/processes.js";
import {
  changeSettings,
  HANDLER,
  IN_CODE,
  type Platform,
  platformProject,
  project,
  READER,
  startPlatform,
} from "../support/projects-platform.js";
import { SLOW_TEST_MS } from "../support/repository.js";

const TOKEN = "pt_canary/t0ken+x";
const EMAIL = "@secret.example";
const STORE = ".connectorcli-cache/store.db";

interface Counts {
  readonly object: string;
  readonly outcome: string;
}

describe("a connector that is run on one machine", function () {
  this.timeout(SLOW_TEST_MS);
  let platform: Platform;
  let folder: string;
  /** Everything that any command printed. */
  let printed = "";

  before(async () => {
    platform = await startPlatform({ token: TOKEN });
    folder = await platformProject(platform.address, TOKEN);
  });
  after(() => platform.close());

  async function cli(...args: readonly string[]): Promise<CommandResult> {
    const result = await connectorcli(folder, ...args);
    if (!args.includes("--reveal")) printed += result.stdout + result.stderr;
    return result;
  }

  /** What became of each object; counts that are 0 are left out. */
  async function sync(...args: readonly string[]): Promise<readonly object[]> {
    const { stdout, stderr } = await cli("run", "cache-writer", "--json", ...args);
    const { objects, diagnostics } = JSON.parse(stdout);
    expect(diagnostics, stderr).to.deep.equal([]);
    return objects.map(({ object, outcome, ...counts }: Counts & Record<string, number>) => {
      const counted = ["unchanged", "inserted", "updated", "deleted", "rejected"].filter(
        (name) => counts[name] !== 0,
      );
      return { object, outcome, ...Object.fromEntries(counted.map((name) => [name, counts[name]])) };
    });
  }

  const lines = (text: string) => text.split("\n").filter((line) => line !== "");
  const input = (content: string) => {
    const file = path.join(folder, "input.json");
    writeFileSync(file, content);
    return ["--data-object-url", "project", "--action-url", "create", "--input", file];
  };
  const NEW = { number: "N-1", title: "Tunnel", status: "Planned", budget: null };

  it("says so where nothing was read yet", async () => {
    const { status, stderr } = await cli("cache", "show", "project");
    expect(stderr).to.include("There is no store").and.to.include("run cache-writer");
    expect(status).to.equal(1);
  });

  it("reads everything first, and tells it in lines", async () => {
    const { status, stdout, stderr } = await cli("run", "cache-writer");
    expect(stdout, stderr).to.equal(
      [
        "Project: succeeded: 0 unchanged, 250 inserted, 0 updated, 0 deleted, 0 rejected",
        "Timesheet: succeeded: 0 unchanged, 120 inserted, 0 updated, 0 deleted, 0 rejected\n",
      ].join("\n"),
    );
    expect(status).to.equal(0);
    if (process.platform !== "win32") expect(statSync(path.join(folder, STORE)).mode & 0o777).to.equal(0o600);
    expect(readFileSync(path.join(folder, ".connectorcli-cache/.gitignore"), "utf8")).to.equal("*\n");
  });

  it("finds nothing changed next, and asks only for timesheets since the checkpoint", async () => {
    expect(await sync()).to.deep.equal([
      { object: "Project", outcome: "succeeded", unchanged: 250 },
      { object: "Timesheet", outcome: "succeeded" },
    ]);
  });

  it("tells what changed", async () => {
    platform.projects = platform.projects.map((project, index) =>
      index < 3 ? { ...project, title: "Changed" } : project,
    );
    platform.projects.splice(10, 2);
    expect(await sync("--data-object-url", "project")).to.deep.equal([
      { object: "Project", outcome: "succeeded", unchanged: 245, updated: 3, deleted: 2 },
    ]);
    const changes = lines((await cli("cache", "changes", "--tail", "5", "--json")).stdout).map((line) =>
      JSON.parse(line),
    );
    const updates = changes.filter(({ operation }) => operation === "update");
    expect(updates.map(({ before, record }) => [before.title, record.title])).to.deep.equal(
      [1, 2, 3].map((number) => [`Bridge ${number}`, "Changed"]),
    );
    const deletes = changes.filter(({ operation }) => operation === "delete");
    expect(deletes.map(({ before, record }) => [before.number, record])).to.deep.equal([
      ["P-11", null],
      ["P-12", null],
    ]);
  });

  it("shows what a run has asked the target system, and the pages that came of it", async () => {
    const [latest = ""] = lines((await cli("runs", "list", "project", "--json")).stdout);
    const { id } = JSON.parse(latest);
    const shown = await cli("runs", "show", String(id));
    expect(shown.stdout).to.match(/GET http:\/\/127\S*\/projects\?pageSize=100&page=3: 200 after \d+ ms\n/);
    const { calls, pages } = JSON.parse((await cli("runs", "show", String(id), "--json")).stdout);
    expect(calls.map(({ address }: { address: string }) => address.at(-1)).slice(0, 4)).to.deep.equal([
      ..."1234",
    ]);
    expect(calls[0]).to.include({ method: "GET", status: 200, attempt: 1, problem: null, purpose: "call" });
    expect(pages.at(-1)).to.include({ read: 248 });
    expect((await cli("runs", "list", "--failed")).stderr).to.include("No run has failed.");
  });

  it("deletes in bulk with approval only", async () => {
    const all = platform.projects;
    platform.projects = all.slice(0, 100);
    const held = await cli("run", "cache-writer", "--module-id", "app-1", "--data-object-url", "Project");
    expect(held.stdout).to.include("needs-approval").and.to.include("--approve-deletes");
    expect(held.status).to.equal(1);
    expect(await sync("--data-object-url", "project", "--approve-deletes")).to.deep.equal([
      { object: "Project", outcome: "succeeded", unchanged: 100, deleted: 148 },
    ]);
    platform.projects = all;
    await sync("--data-object-url", "project");
  });

  it("keeps records that do not fit aside, hides what is write-only, and fails over a limit", async () => {
    platform.projects.push(project(900, { status: "Lost", managerEmail: `no address${EMAIL} ` }));
    expect(await sync("--data-object-url", "project")).to.deep.equal([
      { object: "Project", outcome: "succeeded", unchanged: 248, rejected: 1 },
    ]);
    const { stdout } = await cli("cache", "rejected", "project");
    expect(stdout).to.include("id/00000000-0000-4000-8000-000000000900").and.to.include("/status");
    expect(stdout).to.include("--hidden value--").and.to.not.include(EMAIL);
    const limited = await cli("run", "cache-writer", "--data-object-url", "project", "--max-rejected", "0");
    expect(limited.status).to.equal(1);
    platform.projects.pop();
    await sync("--data-object-url", "project");
    expect((await cli("cache", "rejected")).stderr).to.include("No record is rejected.");
  });

  it("shows cached records by object and by any key, and hidden values only when asked", async () => {
    const shown = await cli("cache", "show", "Project", "--limit", "2");
    expect(lines(shown.stdout)).to.have.length(1 + 2);
    expect(shown.stdout)
      .to.match(/^primary key .* managerEmail /)
      .and.to.include("--hidden value--");
    expect(shown.stderr).to.include("246 more");
    const revealed = await cli("cache", "get", "project", "P-5", "--by", "number", "--reveal", "--json");
    expect(JSON.parse(revealed.stdout).record.managerEmail).to.equal(`manager-5${EMAIL}`);
    const [id = ""] = platform.projects.map((project) => project.id);
    const sheet = await cli("cache", "get", "timesheet", id, "2026-W07", "1");
    expect(sheet.stdout).to.include(`id/${id}/2026-W07/1  {`);
    expect((await cli("cache", "get", "timesheet", id)).status).to.equal(2);
    expect((await cli("cache", "get", "project", "none")).status).to.equal(1);
  });

  it("performs an action and puts its record into the cache at once", async () => {
    const last = lines((await cli("cache", "changes", "--since", "0", "--json")).stdout).length;
    const content = JSON.stringify({ ...NEW, managerEmail: `new${EMAIL}` });
    const { status, stdout, stderr } = await cli("run", "action-processor", ...input(content));
    expect(stdout, stderr).to.match(
      /^Action 1 is queued\.\nAction 1 .* succeeded: 1 record in the cache\n {2}output \{"id":.*\}\n$/,
    );
    expect(status).to.equal(0);
    const changes = await cli("cache", "changes", "--since", String(last), "--json");
    expect(lines(changes.stdout).map((line) => JSON.parse(line))).to.have.length(1);
    expect(JSON.parse(changes.stdout)).to.deep.nested.include({
      operation: "insert",
      sequence: last + 1,
      "record.title": "Tunnel",
      "record.managerEmail": "--hidden value--",
    });
    expect(await sync("--data-object-url", "project")).to.deep.equal([
      { object: "Project", outcome: "succeeded", unchanged: 249 },
    ]);
    const shown = await cli("queue", "show", "1");
    expect(shown.stdout).to.include("succeeded").and.to.include("confirmed").and.to.not.include(EMAIL);
  });

  it("does not queue an input that does not fit", async () => {
    const wrong = JSON.stringify({ ...NEW, number: 7, managerEmail: `bad address${EMAIL}` });
    const { status, stdout } = await cli("run", "action-processor", ...input(wrong));
    expect(stdout).to.include("was not queued").and.to.include("/number");
    expect(status).to.equal(1);
    expect(lines((await cli("queue", "list", "--json")).stdout)).to.have.length(1);
  });

  it("keeps the failure that the target system gave, and queues it again when asked", async () => {
    const { status, stdout } = await cli("run", "action-processor", ...input(JSON.stringify(NEW)));
    expect([status, stdout.includes("failed")]).to.deep.equal([1, true]);
    expect((await cli("queue", "show", "2")).stdout).to.include("There is a project N-1 already.");
    expect((await cli("queue", "retry", "2")).status).to.equal(0);
    expect((await cli("queue", "retry", "1")).stderr).to.include("is succeeded");
    platform.projects = platform.projects.filter(({ number }) => number !== "N-1");
    const again = await cli("run", "action-processor", "--json");
    expect(JSON.parse(again.stdout)).to.deep.nested.include({ "counts.succeeded": 1 });
  });

  it("queues an action again that an outage stopped, says when it is due, and performs it then", async () => {
    // The client tries a few times by itself.
    platform.failures = 99;
    const content = JSON.stringify({ ...NEW, number: "N-3" });
    const { status, stdout } = await cli("run", "action-processor", ...input(content));
    platform.failures = 0;
    expect(stdout).to.include("503").and.to.include("is tried again after");
    expect(status).to.equal(1);
    const shown = await cli("queue", "list", "--state", "queued", "--json");
    expect((await cli("run", "action-processor")).stderr).to.include("Nothing was due.");
    const { id, dueAt } = JSON.parse(shown.stdout);
    const { attempts, calls } = JSON.parse((await cli("queue", "show", String(id), "--json")).stdout);
    expect(attempts).to.have.length(1);
    expect(attempts[0]).to.include({ attempts: 1, outcome: "retry", dueAt });
    expect(calls.map(({ status, attempt }: Record<string, unknown>) => [status, attempt])).to.deep.include([
      503, 1,
    ]);
    expect((await cli("queue", "show", String(id))).stdout).to.match(
      /attempt 1 .* retry after \d+ ms, next /,
    );
    const due = Date.parse(dueAt);
    await new Promise((resolve) => setTimeout(resolve, due - Date.now() + 100));
    expect((await cli("run", "action-processor")).stdout).to.include("succeeded: 1 record in the cache");
  });

  it("closes an action that the target system refuses, at once", async () => {
    const content = JSON.stringify({ ...NEW, number: "N-5", status: "Finished" });
    const { status, stdout } = await cli("run", "action-processor", ...input(content));
    expect(stdout)
      .to.match(/failed: \{"code":"/)
      .and.to.not.include("tried again");
    expect(status).to.equal(1);
    const [failed = ""] = lines((await cli("queue", "list", "--state", "failed", "--json")).stdout).slice(-1);
    expect(JSON.parse(failed)).to.include({ attempts: 1 });
    const shown = await cli("queue", "show", String(JSON.parse(failed).id));
    expect(shown.stdout).to.include('"code":"422"');
  });

  it("leaves actions queued while their switch is off", async () => {
    type Settings = Record<string, Record<string, Record<string, Record<string, Record<string, unknown>>>>>;
    const set = (isOn: boolean) =>
      changeSettings(folder, (settings) => {
        const configuration = (settings as Settings)["app-1"]?.["serviceConfiguration"];
        const switches = Object.values(configuration?.["actionProcessor"] ?? {});
        for (const entry of switches) entry["ProcessQueuedEvent"] = isOn;
      });
    set(false);
    const content = JSON.stringify({ ...NEW, number: "N-4" });
    const { stdout, status } = await cli("run", "action-processor", ...input(content));
    expect(stdout).to.include("stays so").and.to.include("ProcessQueuedEvent");
    expect(status).to.equal(0);
    set(true);
    expect((await cli("run", "action-processor")).stdout).to.include("succeeded");
  });

  it("refuses numbers in the input that would be others once they are read, and says where they stand", async () => {
    for (const [text, place] of [
      ['{ "title": "9007199254740993",\n  "budget": 9007199254740993 }', "input.json:2:13"],
      ['[-1, 1.5, 9007199254740992, "\\"", -9007199254740993]', "input.json:1:35"],
      ["1e400", "input.json:1:1"],
    ] as const) {
      const { status, stderr } = await cli("run", "action-processor", ...input(text));
      expect(stderr).to.include(`${place}: this number can't be kept with all its digits`);
      expect(stderr).not.to.include("900719925474099");
      expect(status).to.equal(2);
    }
  });

  const UNKNOWN = [
    [["run", "cache-writer", "--module-id", "ap-1"], 'Did you mean "app-1"?'],
    [["run", "cache-writer", "--data-object-url", "projct"], 'Did you mean "project"?'],
    [["run", "action-processor", "--action-url", "creat"], 'Did you mean "create"?'],
    [["cache", "show", "timeshet"], 'Did you mean "timesheet"?'],
    [["cache", "get", "project", "x", "--by", "numbr"], 'Did you mean "number"?'],
    [["run", "action-processor", "--input", "nowhere.json"], "nowhere.json can't be read"],
    [["queue", "retry", "first"], "no number"],
  ] as const;
  for (const [args, words] of UNKNOWN) {
    it(`refuses ${args.join(" ")} with status 2 and says what is right`, async () => {
      const { status, stderr } = await cli(...args);
      expect(stderr).to.include(words);
      expect(status).to.equal(2);
    });
  }

  it("tells what is wrong with the author's modules without running", async () => {
    const file = path.join(folder, "connector.ts");
    const before = readFileSync(file, "utf8");
    writeFileSync(file, "const x = ;\n");
    const results = [await cli("run", "cache-writer"), await cli("run", "action-processor")];
    writeFileSync(file, before);
    for (const { status, stdout, stderr } of results) {
      expect(stdout + stderr)
        .to.include("project-syntax")
        .and.to.not.match(/^\s+at /m);
      expect(status).to.equal(1);
    }
  });

  it("tells what is wrong with the settings, and the store, without running", async () => {
    const file = path.join(folder, "broken.db");
    writeFileSync(file, "this is no store, and long enough to be told from an empty one".repeat(50));
    const broken = await cli("run", "cache-writer", "--store", file);
    expect(broken.stderr).to.include("store-unusable").and.to.include("broken.db");
    expect(broken.status).to.equal(1);
    const before = readFileSync(path.join(folder, "test-settings.json"), "utf8");
    changeSettings(folder, (settings) => {
      settings["connectorRegistration"] = { ProjectStatus: "Som", projectStatus: "Som" };
    });
    const wrong = await cli("run", "cache-writer");
    writeFileSync(path.join(folder, "test-settings.json"), before);
    expect(wrong.stderr).to.include("settings-wrong").and.to.include("connectorRegistration");
    expect(wrong.status).to.equal(1);
  });

  it("stops at a misspelt member of the settings, and names the nearest one", async () => {
    const before = readFileSync(path.join(folder, "test-settings.json"), "utf8");
    const misspelt = before.replace('"UploadObject"', '"UploadObjec"');
    expect(misspelt).to.not.equal(before);
    writeFileSync(path.join(folder, "test-settings.json"), misspelt);
    const { status, stderr } = await cli("run", "cache-writer");
    writeFileSync(path.join(folder, "test-settings.json"), before);
    expect(stderr).to.include("settings-unknown").and.to.include('"UploadObject"');
    expect(status).to.equal(1);
  });

  it("tells what a reader throws, and the cache keeps what it has", async () => {
    const file = path.join(folder, READER);
    const before = readFileSync(file, "utf8");
    writeFileSync(
      file,
      String(IN_CODE[READER])
        .replace("for await", 'throw new Error("401 " + TOKEN);\n  for await')
        .replace("const PAGE_SIZE", `const TOKEN = ${JSON.stringify(TOKEN)};\nconst PAGE_SIZE`),
    );
    const { status, stdout } = await cli("run", "cache-writer", "--data-object-url", "project");
    writeFileSync(file, before);
    expect(stdout).to.include("Project: failed").and.to.include("401 --hidden value--");
    expect(status).to.equal(1);
  });

  it("gives the handler an instance of the input's class", async () => {
    const file = path.join(folder, HANDLER);
    const before = readFileSync(file, "utf8");
    writeFileSync(
      file,
      String(IN_CODE[HANDLER])
        .replace(
          "import type { CreateProjectInput, ProjectJson }",
          "import { CreateProjectInput, type ProjectJson }",
        )
        .replace(
          "  await idem",
          '  if (input instanceof CreateProjectInput) throw new RangeError("it is an instance");\n  await idem',
        ),
    );
    const content = JSON.stringify({ ...NEW, number: "N-6" });
    const { stdout } = await cli("run", "action-processor", ...input(content));
    writeFileSync(file, before);
    expect(stdout).to.include("it is an instance");
  });

  it("stops when it is interrupted while it watches", async () => {
    if (process.platform === "win32") return;
    const child = startedProcess(
      spawn(process.execPath, [COMMAND, "run", "cache-writer", "--every", "600"], {
        cwd: folder,
        stdio: ["ignore", "pipe", "ignore"],
      }),
    );
    let text = "";
    for await (const chunk of child.stdout) {
      text += String(chunk);
      if (text.includes("Timesheet: succeeded")) break;
    }
    child.kill("SIGINT");
    if (child.exitCode === null) await once(child, "exit");
    expect(child.exitCode).to.equal(0);
  });

  it("prints no secret of the connection, and no write-only value, anywhere", () => {
    expect(existsSync(path.join(folder, STORE))).to.equal(true);
    expect(printed).to.not.include(TOKEN).and.to.not.include(encodeURIComponent(TOKEN));
    expect(printed).to.not.include(EMAIL);
  });
});
