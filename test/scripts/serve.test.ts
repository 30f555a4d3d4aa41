import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import path from "node:path";
import { expect } from "chai";
import pg from "pg";
import { COMMAND, connectorcli, connectorcliOn } from "../support/command-line.js";
import { type TestDatabase, testDatabase } from "../support/postgres.js";
import { type CommandResult, startedProcess } from "../support/processes.js";
import { type Platform, platformProject, startPlatform } from "../support/projects-platform.js";
import { deferred } from "../support/promises.js";
import { inRepository, SLOW_TEST_MS } from "../support/repository.js";

const TOKEN = "a-token-of-tests-serve";
const PROJECT = "projects-api/app/1/project";

describe("connectorcli serve", function () {
  this.timeout(SLOW_TEST_MS);
  let platform: Platform;
  let database: TestDatabase | undefined;
  let client: pg.Client;
  let folder: string;
  let keyed: readonly string[];
  let names = 0;
  let numbers = 0;
  let name: string;

  before(async function () {
    database = await testDatabase();
    if (database === undefined) return this.skip();
    platform = await startPlatform({ token: TOKEN, projects: 12 });
    folder = await platformProject(platform.address, TOKEN);
    const built = await connectorcli(folder, "build");
    expect(built.status, built.stderr).to.equal(0);
    const key = path.join(folder, "store.key");
    writeFileSync(key, randomBytes(32).toString("base64"));
    keyed = ["--database", database.url, "--key-file", key];
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });

  after(async () => {
    await client?.end();
    await platform?.close();
    await database?.remove();
  });

  beforeEach(async () => {
    name = `workspace ${++names}`;
    await succeeds("workspace", "add", name, "--settings", settings(), ...keyed);
  });

  afterEach(async () => {
    await succeeds("workspace", "remove", name, "--database", database?.url ?? "");
  });

  async function succeeds(...args: readonly string[]): Promise<CommandResult> {
    const result = await connectorcli(folder, ...args);
    expect(result.status, result.stderr).to.equal(0);
    return result;
  }

  /** A file with the settings that the project was filled with. */
  function settings(more: object = {}): string {
    const on = (name: string) => ({ [name]: { UploadObject: true } });
    const file = path.join(folder, "workspace.json");
    const value = {
      connection: { definitionKey: "customAuth", properties: { apiToken: TOKEN, connectionEnvironment: 1 } },
      registrationConfiguration: {},
      services: {
        "app-1": {
          cacheWriter: on("ProjectConfig"),
          actionProcessor: { CreateProjectConfig: { ProcessQueuedEvent: true } },
        },
      },
      schedules: { [PROJECT]: { everySeconds: 3_600 } },
      ...more,
    };
    writeFileSync(file, JSON.stringify(value));
    return file;
  }

  /** A project that the platform does not have yet. */
  const newProject = () => ({ number: `N-${++numbers}`, title: "Tunnel", status: "Planned", budget: null });
  async function enqueue(...more: readonly string[]): Promise<CommandResult> {
    const file = path.join(folder, "input.json");
    writeFileSync(file, JSON.stringify(newProject()));
    const args = [`${PROJECT}/create`, "--workspace", name, "--input", file, ...keyed, ...more];
    return connectorcli(folder, "action", "enqueue", ...args);
  }

  const looking = () => ["--workspace", name, ...keyed];

  async function until(look: () => Promise<boolean>): Promise<void> {
    while (!(await look())) await new Promise((resolve) => setTimeout(resolve, 50));
  }

  async function states(): Promise<readonly string[]> {
    const { rows } = await client.query<{ state: string }>(
      `SELECT state FROM connectorcli.actions WHERE workspace = (SELECT id FROM connectorcli.workspaces WHERE name = $1)
        ORDER BY id`,
      [name],
    );
    return rows.map(({ state }) => state);
  }

  /** A worker as a process, once it serves. */
  async function worker(
    url = database?.url ?? "",
  ): Promise<{ child: ChildProcess; address: string; said(): string }> {
    const key = path.join(folder, "store.key");
    const args = ["serve", "--connector", "dist/connector.mjs", "--database", url, "--key-file", key];
    const child = startedProcess(
      spawn(process.execPath, [COMMAND, ...args, "--port", "0"], {
        cwd: folder,
        stdio: ["ignore", "ignore", "pipe"],
      }),
    );
    let said = "";
    const address = await new Promise<string>((resolve, reject) => {
      child.once("exit", (status) => reject(new Error(`it ended with ${status}: ${said}`)));
      child.stderr?.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        const found = /metrics: (http:\S+)\/readyz/.exec(said)?.[1];
        if (found !== undefined) resolve(found);
      });
    });
    return { child, address, said: () => said };
  }

  it("reads by schedule, performs what is queued, answers those who watch, and ends when it is told to", async () => {
    const stop = new AbortController();
    let said = "";
    const say = (text: string) => {
      said += text;
    };
    const serving = connectorcliOn(
      { say, write: say, interruptible: (use) => use(stop.signal) },
      folder,
      ...["serve", "--port", "0", "--keep-before", "50", ...keyed],
    );
    await until(async () => said.includes("/readyz"));
    const address = /metrics: (http:\S+)\/readyz/.exec(said)?.[1] ?? "";
    const [live, ready, other, posted] = await Promise.all([
      fetch(`${address}/livez`),
      fetch(`${address}/readyz`),
      fetch(`${address}/`),
      fetch(`${address}/livez`, { method: "POST" }),
    ]);
    expect([live.status, ready.status, other.status, posted.status]).to.deep.equal([200, 200, 404, 405]);
    const queued = await enqueue();
    expect(queued.stdout, queued.stderr).to.match(/^\d+\n$/);
    await until(async () => (await states()).includes("succeeded"));
    const listed = async () => {
      const { stdout } = await succeeds("workspace", "list", "--json", "--database", database?.url ?? "");
      return stdout.split("\n").map((line) => (line === "" ? undefined : JSON.parse(line)))[0];
    };
    await until(async () => (await listed()).objects[0].outcome === "succeeded");
    const workers = await succeeds("worker", "list", "--json", "--database", database?.url ?? "");
    expect(JSON.parse(workers.stdout).workers).to.deep.include({
      ...JSON.parse(workers.stdout).workers[0],
      isAlive: true,
    });
    // What looks into the store of a project looks into that of a workspace.
    const shown = await succeeds("cache", "show", "project", "--limit", "0", ...looking());
    expect(shown.stdout.trim().split("\n")).to.have.length(14);
    expect((await succeeds("runs", "list", ...looking())).stdout).to.include("succeeded");
    expect((await succeeds("queue", "list", "--json", ...looking())).stdout).to.include("Tunnel");
    const page = await (await fetch(`${address}/metrics`)).text();
    expect(page).to.include('connectorcli_reads_total{outcome="succeeded"} 1\n');
    platform.projects = platform.projects.map((project) => ({ ...project, title: "Another" }));
    await succeeds("schedule", "run", PROJECT, "--workspace", name, "--database", database?.url ?? "");
    const updates = async () =>
      (await succeeds("cache", "changes", "--json", ...looking())).stdout
        .split("\n")
        .flatMap((line) => (line === "" ? [] : [JSON.parse(line)]))
        .filter(({ operation }) => operation === "update");
    await until(async () => (await updates()).length > 0);
    stop.abort();
    expect((await serving).status).to.equal(0);
    const [{ before, record }] = await updates();
    expect([before.title === "Another", record.title]).to.deep.equal([false, "Another"]);
    const [{ id }] = (await client.query("SELECT max(id) AS id FROM connectorcli.actions")).rows;
    const asked = [
      await succeeds("runs", "show", "1", ...looking()),
      await succeeds("queue", "show", id, ...looking()),
    ];
    expect(asked[0]?.stdout).to.match(/GET http:\S+\/projects\?\S+: 200 after/);
    expect(asked[1]?.stdout)
      .to.match(/attempt 1 .*succeeded/)
      .and.match(/POST http:\S+\/projects: 201 after/);
    expect(said).to.include("Stopping").and.not.include(TOKEN);
    const cached = await client.query(
      "SELECT count(*)::int AS n FROM connectorcli.cache WHERE workspace = $1",
      [name],
    );
    expect(cached.rows).to.deep.equal([{ n: 13 }]);
    await until(async () => (await client.query("SELECT 1 FROM connectorcli.workers")).rowCount === 0);
  });

  it("goes on with a built connector where a worker was killed, and ends at a signal", async () => {
    const first = await worker();
    await until(async () => (await client.query("SELECT 1 FROM connectorcli.workers")).rowCount === 1);
    first.child.kill("SIGKILL");
    await once(first.child, "exit");
    await enqueue();
    const second = await worker();
    await until(async () => (await states()).every((state) => state === "succeeded"));
    second.child.kill("SIGTERM");
    const [status] = await once(second.child, "exit");
    expect(status).to.equal(0);
  });

  it("ends at once at a second signal, whatever is under way", async () => {
    if (process.platform === "win32") return;
    const answer = deferred();
    platform.held = answer.promise;
    const { child, said } = await worker();
    await enqueue();
    await until(async () => (await states())[0] === "taken");
    child.kill("SIGTERM");
    await until(async () => said().includes("Interrupt again to end at once"));
    child.kill("SIGINT");
    // Drained, it would end with a status, half a minute later.
    expect(await once(child, "exit")).to.deep.equal([null, "SIGINT"]);
    expect(await states()).to.deep.equal(["taken"]);
    answer.resolve();
  });

  it("leaves what a worker that stands still has begun to another, and the late one does no harm", async () => {
    if (process.platform === "win32") return;
    const first = await worker();
    await until(async () => (await states()).length === 0);
    first.child.kill("SIGSTOP");
    for (let count = 0; count < 3; count++) await enqueue();
    // As if it had stood still for a minute.
    await client.query("UPDATE connectorcli.workers SET beat_at = now() - interval '1 minute'");
    const second = await worker();
    await until(async () => {
      const all = await states();
      return all.length === 3 && all.every((state) => state === "succeeded");
    });
    first.child.kill("SIGCONT");
    await until(async () => (await fetch(`${first.address}/livez`)).status === 200);
    await enqueue();
    await until(async () => (await states()).every((state) => state === "succeeded"));
    for (const { child } of [first, second]) {
      child.kill("SIGTERM");
      expect((await once(child, "exit"))[0]).to.equal(0);
    }
  });

  it("goes on after the way to the database was cut", async () => {
    const proxy = await startProxy(new URL(database?.url ?? ""));
    const { child } = await worker(proxy.url);
    await enqueue();
    await until(async () => (await states()).includes("succeeded"));
    proxy.cut();
    await enqueue();
    await until(async () => (await states()).every((state) => state === "succeeded"));
    child.kill("SIGTERM");
    await once(child, "exit");
    proxy.close();
  });

  it("says in words what stands in its way", async () => {
    const elsewhere = await connectorcli(folder, "serve", "--database", "postgres://127.0.0.1:1/none");
    expect(elsewhere.stderr).to.include("can't be reached");
    const missing = await connectorcli(folder, "serve", "--connector", "missing.mjs", ...keyed);
    expect(missing.stderr).to.include("missing.mjs");
    const own = path.join(folder, "own.mjs");
    writeFileSync(own, "export const registration = 1;");
    const nothing = await connectorcli(folder, "serve", "--connector", own, ...keyed);
    expect(nothing.stderr).to.include("own.mjs");
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    const taken = await connectorcli(folder, "serve", "--port", `${port}`, ...keyed);
    expect(taken.stderr).to.include(`127.0.0.1:${port}`);
    server.close();
    for (const { status } of [elsewhere, missing, nothing, taken]) expect(status).to.equal(1);
  });

  describe("and its workspaces", () => {
    it("are listed without their secrets, and can be paused", async () => {
      const url = database?.url ?? "";
      const { stdout } = await succeeds("workspace", "list", "--database", url);
      expect(stdout).to.include(name).and.include("served").and.not.include(TOKEN);
      await succeeds("workspace", "set", name, "--pause", ...keyed);
      expect((await succeeds("workspace", "list", "--database", url)).stdout).to.include("paused");
      await succeeds("workspace", "set", name, "--resume", ...keyed);
      expect((await succeeds("workspace", "list", "--database", url)).stdout).not.to.include("paused");
    });

    it("have the schedules of their settings, and lose those that are left out", async () => {
      const objects = async () => {
        const { stdout } = await succeeds("workspace", "list", "--json", "--database", database?.url ?? "");
        return JSON.parse(stdout.split("\n")[0] ?? "").objects;
      };
      const [before] = await objects();
      expect(before).to.deep.include({ object: PROJECT, schedule: { everySeconds: 3_600 }, isPaused: false });
      const paused = { [PROJECT]: { everySeconds: 3_600, isPaused: true } };
      await succeeds("workspace", "set", name, "--settings", settings({ schedules: paused }), ...keyed);
      expect((await objects())[0]).to.deep.include({ isPaused: true, waitingSince: before.waitingSince });
      await succeeds("workspace", "set", name, "--settings", settings({ schedules: {} }), ...keyed);
      expect(await objects()).to.deep.equal([]);
    });

    it("have schedules that can be paused, and objects that can be read at once", async () => {
      const at = ["--workspace", name, "--database", database?.url ?? ""];
      const mine = "workspace = (SELECT id FROM connectorcli.workspaces WHERE name = $1)";
      await client.query(`UPDATE connectorcli.schedules SET asked_at = NULL WHERE ${mine}`, [name]);
      const [before] = (await succeeds("schedule", "list", "--json", ...at)).stdout.split("\n");
      expect(JSON.parse(before ?? "")).to.deep.include({
        ...{ object: PROJECT, isPaused: false, waitingSince: null, outcome: null },
      });
      await succeeds("schedule", "pause", PROJECT, ...at);
      expect((await succeeds("schedule", "list", ...at)).stdout).to.match(/every hour +paused/);
      await succeeds("schedule", "run", PROJECT, ...at);
      const [asked] = (await succeeds("schedule", "list", "--json", ...at)).stdout.split("\n");
      expect(JSON.parse(asked ?? "").waitingSince).to.be.a("string");
      expect(JSON.parse(asked ?? "").nextDue).to.equal(JSON.parse(before ?? "").nextDue);
      await succeeds("schedule", "resume", PROJECT, ...at);
      expect((await succeeds("schedule", "list", ...at)).stdout).to.match(/every hour +waiting/);
      const wrong = await connectorcli(folder, "schedule", "run", `${PROJECT}s`, ...at);
      expect(wrong.stderr)
        .to.include(`has no schedule of ${PROJECT}s`)
        .and.include(`Did you mean "${PROJECT}"?`);
      const nobody = ["schedule", "list", "--workspace", "nobody", "--database", database?.url ?? ""];
      expect((await connectorcli(folder, ...nobody)).stderr).to.include("There is no workspace nobody");
      expect((await succeeds("worker", "list", "--database", database?.url ?? "")).stderr).to.include(
        "1 data objects to be read",
      );
    });

    it("are named where one of them has to be", async () => {
      const unknown = await connectorcli(folder, "runs", "list", "--workspace", `${name}0`, ...keyed);
      expect(unknown.stderr).to.include(`The database has no workspace "${name}0"`);
      expect(unknown.status).to.equal(1);
      expect((await succeeds("runs", "list", ...keyed)).stderr).to.include("Nothing was run yet");
    });

    const WRONG: readonly (readonly [object, string])[] = [
      [{ connection: undefined }, "connection has the text definitionKey"],
      [{ conection: {} }, 'The settings have no "conection". Did you mean "connection"?'],
      [{ schedules: { [PROJECT]: { cron: "sometimes" } } }, `schedules/${PROJECT}: cron: "sometimes"`],
      [{ schedules: { [PROJECT]: 5 } }, "everySeconds or cron"],
      [{ services: [] }, "services is an object by module id"],
      [{ target: 7 }, "target is a text"],
    ];
    for (const [more, words] of WRONG) {
      it(`are refused with words: ${JSON.stringify(more)}`, async () => {
        const args = ["workspace", "set", name, "--settings", settings(more), ...keyed];
        const { status, stderr } = await connectorcli(folder, ...args);
        expect(stderr).to.include(words).and.not.include(TOKEN);
        expect(status).to.equal(1);
      });
    }

    it("are neither added twice nor changed before they are there", async () => {
      const twice = await connectorcli(folder, "workspace", "add", name, "--settings", settings(), ...keyed);
      expect(twice.stderr).to.include(`There is a workspace ${name}`);
      const nobody = await connectorcli(folder, "workspace", "set", "nobody", "--pause", ...keyed);
      expect(nobody.stderr).to.include("There is no workspace nobody");
      const keyless = [
        "workspace",
        "add",
        "other",
        "--settings",
        settings(),
        "--database",
        database?.url ?? "",
      ];
      expect((await connectorcli(folder, ...keyless)).stderr).to.include("no key was given");
      const { stdout } = await succeeds("workspace", "list", "--json", "--database", database?.url ?? "");
      expect(stdout).not.to.include('"other"');
    });

    it("have settings as docs/many-machines.md shows them, and a target", async () => {
      const page = readFileSync(inRepository("docs/many-machines.md"), "utf8");
      const shown = JSON.parse(/```json\n([\s\S]*?)```/.exec(page)?.[1] ?? "");
      const file = settings({ ...shown, target: "account 7" });
      await succeeds("workspace", "set", name, "--settings", file, ...keyed);
      const { stdout } = await succeeds("workspace", "list", "--json", "--database", database?.url ?? "");
      const listed = stdout.split("\n").filter((line) => line !== "");
      const { objects } = listed.map((line) => JSON.parse(line)).find((one) => one.name === name);
      const schedules = Object.entries(shown.schedules).map(([object, schedule]) => ({ object, schedule }));
      expect(objects).to.have.length(2);
      for (const [index, schedule] of schedules.entries()) expect(objects[index]).to.deep.include(schedule);
    });

    it("take no more actions than may wait", async () => {
      expect((await enqueue("--max-queued", "1")).status).to.equal(0);
      const second = await enqueue("--max-queued", "1");
      expect(second.stderr.replace(/\s+/g, " ")).to.include(`(${name}): 1 actions wait`);
      expect(second.status).to.equal(1);
      expect(await states()).to.deep.equal(["queued"]);
    });

    it("take only actions that the connector has, with inputs that fit", async () => {
      const file = path.join(folder, "wrong.json");
      writeFileSync(file, JSON.stringify({ number: 5 }));
      const to = ["--workspace", name, "--input", file, ...keyed];
      const wrong = await connectorcli(folder, "action", "enqueue", `${PROJECT}/create`, ...to);
      expect(wrong.stderr).to.include("Nothing was queued");
      const unknown = await connectorcli(folder, "action", "enqueue", `${PROJECT}/creat`, ...to);
      expect(unknown.stderr).to.include(`Did you mean "${PROJECT}/create"?`);
      expect(await states()).to.deep.equal([]);
      expect(readFileSync(file, "utf8")).to.include("5");
    });
  });
});

/** A way to the database that can be cut: all connections through it end at once. */
async function startProxy(target: URL): Promise<{ readonly url: string; cut(): void; close(): void }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    const onward = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(one);
      one.on("error", () => {});
      one.once("close", () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(target);
  url.port = `${(server.address() as { port: number }).port}`;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    cut,
    close: () => {
      server.close();
      cut();
    },
  };
}
