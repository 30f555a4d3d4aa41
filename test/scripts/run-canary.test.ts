import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { connectorcli } from "../support/command-line.js";
import { type Platform, platformProject, project, startPlatform } from "../support/projects-platform.js";
import { SLOW_TEST_MS } from "../support/repository.js";

const TOKEN = "c4n4ry-t0ken/+x";
const STEM = "c4n4ryMail";
const CANARY = `${STEM}@secret.example`;
const OBJECT = ["--data-object-url", "project"];

describe("write-only values and the secrets of the connection", function () {
  this.timeout(SLOW_TEST_MS);
  let platform: Platform;
  let folder: string;
  /** Everything that any command printed. */
  let printed = "";

  before(async () => {
    platform = await startPlatform({ token: TOKEN, projects: 4 });
    platform.projects = platform.projects.map((project) => ({ ...project, managerEmail: CANARY }));
    folder = await platformProject(platform.origin, TOKEN);
  });
  after(() => platform.close());

  async function cli(...args: readonly string[]) {
    const result = await connectorcli(folder, ...args);
    printed += result.stdout + result.stderr;
    return result;
  }
  const perform = (content: object) => {
    const file = path.join(folder, "input.json");
    writeFileSync(
      file,
      JSON.stringify({ number: "N-1", title: "x", status: "Planned", budget: null, ...content }),
    );
    return cli("run", "action-processor", ...OBJECT, "--action-url", "create", "--input", file);
  };
  const edit = async (file: string, change: (source: string) => string, during: () => Promise<void>) => {
    const name = path.join(folder, file);
    const before = readFileSync(name, "utf8");
    writeFileSync(name, change(before));
    await during();
    writeFileSync(name, before);
  };

  it("stand in files that only their owner can read", async function () {
    await cli("run", "cache-writer");
    if (process.platform === "win32") this.skip();
    const place = path.join(folder, ".connectorcli-cache");
    const names = readdirSync(place).filter((name) => name.startsWith("store.db"));
    expect(names.length).to.be.greaterThan(1);
    for (const name of names) expect(statSync(path.join(place, name)).mode & 0o777, name).to.equal(0o600);
  });

  it("are hidden in what a reader logs, and in what it throws of a record that nobody has seen yet", async () => {
    const loud = around(`
  const projects: Awaited<ReturnType<ReturnType<typeof original>["next"]>>["value"][] = [];
  for await (const project of original(context)) projects.push(project);
  context.log.error("read " + JSON.stringify(projects), { projects, first: projects[0] });
  yield* projects.slice(0, 2);
  throw new Error("can't read " + JSON.stringify(projects[3]) + " after " + projects[1]?.managerEmail);`);
    await edit("modules/app/project/project-reader.ts", loud, async () => {
      const { status, stdout, stderr } = await cli("run", "cache-writer", ...OBJECT);
      expect(stdout)
        .to.include("Project: failed")
        .and.to.include("can't read")
        .and.to.include("--hidden value--");
      expect(stderr).to.include("read ").and.to.include("--hidden value--");
      expect(status).to.equal(1);
      await cli("run", "cache-writer", ...OBJECT, "--json");
    });
  });

  it("are hidden in what a handler logs and throws, and in what the queue keeps of it", async () => {
    const loud = around(`
  await context.idempotency.note("intent", input.managerEmail ?? "");
  context.log.error("create " + JSON.stringify(input), { input });
  throw new TypeError("can't create " + JSON.stringify(input) + " for " + input.managerEmail);`);
    await edit("modules/app/project/create-project-handler.ts", loud, async () => {
      const { stdout } = await perform({ managerEmail: CANARY });
      expect(stdout).to.include("was given up").and.to.include("--hidden value--");
      for (const args of [["list"], ["list", "--json"], ["show", "1"], ["show", "1", "--json"]])
        await cli("queue", ...args);
      for (const args of [["list"], ["list", "--json"], ["show", "1"], ["show", "1", "--json"]])
        await cli("runs", ...args);
    });
  });

  it("are hidden in inputs and records that do not fit, and wherever records and changes are shown", async () => {
    await perform({ number: 7, managerEmail: `no address ${CANARY}` });
    platform.projects.push({ ...project(900), status: "Lost", managerEmail: `no address ${CANARY}` });
    await cli("run", "cache-writer", ...OBJECT);
    for (const json of [[], ["--json"]]) {
      expect((await cli("cache", "rejected", ...json)).stdout).to.include("--hidden value--");
      expect((await cli("cache", "show", "project", ...json)).stdout).to.include("--hidden value--");
      await cli("cache", "changes", ...json);
      await cli("cache", "get", "project", "P-2", "--by", "number", ...json);
      await cli("queue", "retry", "1", ...json.slice(1));
      await cli("run", "action-processor", ...json);
    }
  });

  it("are in no output of any of these commands", async () => {
    const shown = await connectorcli(folder, "cache", "show", "project", "--reveal");
    expect(shown.stdout).to.include(STEM);
    const forms = [
      STEM,
      TOKEN,
      ...[STEM, TOKEN].map((secret) => Buffer.from(secret).toString("base64").slice(0, -4)),
    ];
    for (const form of [...forms, encodeURIComponent(TOKEN)]) expect(printed).to.not.include(form);
  });
});

/** Puts `body` into the place of the module's function, which it may call by the name of original. */
function around(body: string): (source: string) => string {
  return (source) => {
    const [head = "", star = "", name = ""] = /export async function(\*?) (\w+)\(/.exec(source) ?? [];
    const types = "Parameters<typeof original>";
    const parameters = star === "" ? `input: ${types}[0], context: ${types}[1]` : `context: ${types}[0]`;
    const renamed = source.replace(head, `async function${star} original(`);
    return `${renamed}\nexport async function${star} ${name}(${parameters}) {${body}\n}\n`;
  };
}
