import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { connectorcli } from "../support/command-line.js";
import { answerJson, closeServers, type SeenRequest, serve } from "../support/loopback.js";
import {
  HANDLER,
  IN_CODE,
  type Platform,
  platformProject,
  project,
  READER,
  startPlatform,
} from "../support/projects-platform.js";
import { SLOW_TEST_MS } from "../support/repository.js";

const TOKEN = "c4n4ry-t0ken/+x";
const STEM = "c4n4ryMail";
const CANARY = `${STEM}@secret.example`;
/** A sensitive number. */
const NUMBER = 7734510042;
const OBJECT = ["--data-object-url", "project"];

/** Forms of the secrets that nothing may print. */
const FORMS = [STEM, TOKEN, encodeURIComponent(TOKEN), String(NUMBER)].flatMap((secret) => [
  secret,
  Buffer.from(secret).toString("base64").slice(0, -4),
]);

describe("write-only values and the secrets of the connection", function () {
  this.timeout(SLOW_TEST_MS);
  let platform: Platform;
  let folder: string;
  /** Everything that any command printed. */
  let printed = "";
  /** Stands before the platform: what the target system says of a request that it refuses. */
  let refusal: ((request: SeenRequest) => string) | undefined;

  before(async () => {
    platform = await startPlatform({ token: TOKEN, projects: 4 });
    const sensitive = { managerEmail: CANARY, ACC_NO: NUMBER, residence: { street: CANARY } };
    platform.projects = platform.projects.map((project) => ({ ...project, ...sensitive }));
    const front = await serve(async (request, response) => {
      if (refusal !== undefined)
        return answerJson(response, { error: { code: "E1", message: refusal(request) } }, 403);
      const { method, path: address, headers, body } = request;
      const passed = ["authorization", "content-type", "idempotency-key"].flatMap((name) => {
        const value = headers[name];
        return typeof value === "string" ? [[name, value] as const] : [];
      });
      const sent = method === "GET" ? {} : { body };
      const answer = await fetch(`${platform.address}${address}`, {
        method,
        headers: passed.map((pair) => [...pair]),
        ...sent,
      });
      answerJson(response, await answer.json(), answer.status);
    });
    folder = await platformProject(front.origin, TOKEN);
    const schema = path.join(folder, "schemas/app/project.ts");
    const more = `
    account: Type.Optional(
      Type.Integer({ description: "Account.", writeOnly: true, jsonPropertyName: "ACC_NO" }),
    ),
    residence: Type.Optional(
      Type.Object({ street: Type.String({ description: "Street." }) }, { description: "Home.", writeOnly: true }),
    ),
    tags:`;
    writeFileSync(schema, readFileSync(schema, "utf8").replace("\n    tags:", more));
    expect((await connectorcli(folder, "gen")).status).to.equal(0);
  });
  after(async () => {
    await closeServers();
    platform.close();
  });

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
    writeFileSync(name, change(IN_CODE[file] ?? before));
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
    await edit(READER, loud, async () => {
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
    await edit(HANDLER, loud, async () => {
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

  it("are hidden wherever a reader puts them that knows no shape", async () => {
    const wrong = around(`
  let count = 0;
  for await (const project of original(context)) {
    const { managerEmail, ACC_NO, residence, ...bare } = project;
    const at = (place: number) => ({ ...bare, id: bare.id.slice(0, -2) + (count * 10 + place + 10) });
    yield { ...at(0), raw: project, more: { list: [[project]] } } as never;
    yield { ...at(1), title: JSON.stringify({ ACC_NO, residence, inner: JSON.stringify({ managerEmail }) }) };
    yield { ...at(2), title: "as " + inspect({ account: ACC_NO, managerEmail, residence }, { depth: 9 }) };
    yield { ...at(3), account: ACC_NO, Manager_Email: managerEmail, RESIDENCE: residence } as never;
    yield { ...at(4), mangerEmail: managerEmail, managerEmial: managerEmail, residense: residence } as never;
    yield { ...at(5), customFields: { managerEmail, apiToken: context.connection.apiToken } };
    yield { ...at(6), title: "see https://x.example/?manager_email=" + managerEmail + "&account=" + ACC_NO };
    yield [project] as never;
    yield { data: project } as never;
    yield { items: [project], status: JSON.stringify(project) } as never;
    yield JSON.stringify(project) as never;
    yield { ...at(7), managerEmail: [managerEmail], residence: managerEmail } as never;
    yield { ...at(8), status: JSON.stringify({ residence, managerEmail }) } as never;
    yield { ...at(9), ManagerEmail: managerEmail, ACC_NO: String(ACC_NO), status: "" } as never;
    if (++count === 2) return;
  }`);
    const inspecting = (source: string) => `import { inspect } from "node:util";\n${wrong(source)}`;
    await edit(READER, inspecting, async () => {
      for (const json of [[], ["--json"]]) {
        const { stdout } = await cli("run", "cache-writer", ...OBJECT, "--dry-run", ...json);
        expect(stdout.match(/--hidden value--/g)).to.have.length.greaterThan(20);
      }
      const { stdout } = await cli(
        "run",
        "cache-writer",
        ...OBJECT,
        "--approve-deletes",
        "--max-rejected",
        "99",
      );
      expect(stdout).to.include("14 inserted").and.to.include("14 rejected");
    });
    for (const json of [[], ["--json"]]) {
      for (const command of ["show", "rejected"]) {
        const { stdout } = await cli("cache", command, "project", ...json);
        expect(stdout.match(/--hidden value--/g)).to.have.length.greaterThan(20);
      }
      await cli("cache", "changes", ...json);
    }
  });

  it("are hidden in what a reader throws, of the token, of numbers and of several records", async () => {
    const loud = around(`
  const seen: Awaited<ReturnType<ReturnType<typeof original>["next"]>>["value"][] = [];
  for await (const project of original(context)) {
    seen.push(project);
    yield project;
  }
  const [first, last] = [seen[0], seen[1]];
  console.log(first, "of", context.connection);
  console.error(JSON.stringify({ token: context.connection.apiToken, first }));
  throw new Error([context.connection.apiToken, first.managerEmail, last.ACC_NO, first.residence.street].join());`);
    await edit(READER, loud, async () => {
      for (const json of [[], ["--json"], ["--trace"]]) {
        const { stdout } = await cli("run", "cache-writer", ...OBJECT, ...json);
        expect(stdout).to.include("--hidden value--,--hidden value--,--hidden value--,--hidden value--");
      }
    });
    const runs = (await cli("runs", "list", "--json")).stdout;
    expect(runs).to.include("--hidden value--,--hidden value--,--hidden value--,--hidden value--");
    await cli("runs", "list");
    const [{ id }] = runs
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    for (const json of [[], ["--json"]]) {
      expect((await cli("runs", "show", String(id), ...json)).stdout).to.include("--hidden value--");
    }
  });

  it("are hidden in what a handler returns: failures, outputs and changes, also those that do not fit", async () => {
    const sensitive = "[input.managerEmail, input.account, context.connection.apiToken].join(' of ')";
    const endings = [
      `return failed({ code: "no", errors: [{ text: "bad " + ${sensitive} }] });`,
      `return failed({ code: "no", errors: [{ text: 1, of: ${sensitive} }, ${sensitive}] } as never);`,
      `return succeeded({ id: ${sensitive}, number: input.managerEmail } as never);`,
      "return succeeded({ id: input.account, number: [input.managerEmail], managerEmail: input.managerEmail } as never);",
      `return succeeded({ id: "${project(1).id}", number: "of " + input.account });`,
      `return succeeded({ id: "${project(1).id}", number: "1" }, [
        { dataObject: "Project", operation: "upsert", record: { ...input, status: ${sensitive} } } as never,
        { dataObject: ${sensitive}, operation: ${sensitive} } as never,
      ]);`,
      `return succeeded({ id: "${project(1).id}", number: "t " + context.connection.apiToken });`,
      `return ${sensitive} as never;`,
    ];
    for (const ending of endings) {
      const wrong = around(`
  await context.idempotency.note("sent", ${sensitive});
  context.log.warn("creating for " + input.managerEmail + ", " + input.account, { of: input.managerEmail });
  console.log("for", input);
  ${ending}`);
      await edit(HANDLER, wrong, async () => {
        await perform({ managerEmail: CANARY, ACC_NO: NUMBER });
      });
    }
    await edit(HANDLER, around(endings[0] ?? ""), async () => {
      await cli("queue", "retry", "--state", "failed");
      await cli("run", "action-processor", "--json");
    });
    const { stdout } = await cli("queue", "list", "--tail", "0", "--json");
    await cli("queue", "list", "--tail", "0");
    const actions = stdout.trimEnd().split("\n");
    expect(actions).to.have.length.greaterThan(7);
    for (const action of actions) await cli("queue", "show", String(JSON.parse(action).id));
  });

  it("are hidden in the calls that a run traces, whose bodies are cut", async () => {
    const { stderr } = await cli("run", "cache-writer", ...OBJECT, "--trace");
    expect(stderr)
      .to.match(/GET http:\/\/127[^ ]*\/projects\?pageSize=100&page=1: 200 after \d+ ms/)
      .and.to.include("received: ")
      .and.to.include('"managerEmail":"--hidden value--"');
    const long = "a long text ".repeat(16);
    const tags = Array.from({ length: 20 }, () => long);
    const file = path.join(folder, "long.json");
    const content = {
      number: "N-9",
      title: "x",
      status: "Planned",
      budget: null,
      tags,
      managerEmail: CANARY,
    };
    writeFileSync(file, JSON.stringify(content));
    const create = ["--action-url", "create", "--input", file];
    const created = await cli("run", "action-processor", ...OBJECT, ...create, "--trace", "--json");
    expect(created.stderr).to.match(/POST .*\/projects: 201 after \d+ ms/);
    expect(created.stderr).to.match(/ {2}sent: \{"number":"N-9".{1900,2000}… \(\d+ more characters\)\n/);
    expect(JSON.parse(created.stdout).counts.succeeded).to.equal(1);
  });

  it("are hidden in the words of a target system that repeats what it was sent, and what it knows", async () => {
    const record = JSON.stringify({ managerEmail: CANARY, ACC_NO: NUMBER });
    refusal = ({ headers, body }) => {
      const { managerEmail, ACC_NO } = body === "" ? {} : JSON.parse(body);
      return `No ${String(headers.authorization)} for ${managerEmail ?? ""} of ${ACC_NO ?? ""}: ${record}`;
    };
    try {
      const words = /answered 403 Forbidden: No --hidden value-- .*--hidden value--/;
      for (const json of [[], ["--json"]]) {
        expect((await cli("run", "cache-writer", ...OBJECT, ...json)).stdout).to.match(words);
        const tested = await cli("test", "connection", ...json);
        expect(tested.stdout + tested.stderr).to.match(words);
      }
      const { stdout } = await perform({ managerEmail: CANARY, ACC_NO: NUMBER });
      expect(stdout).to.match(words);
      for (const json of [[], ["--json"]]) {
        await cli("queue", "list", "--tail", "0", ...json);
        await cli("runs", "list", ...json);
      }
    } finally {
      refusal = undefined;
    }
  });

  it("are in no output of any of these commands", async () => {
    const shown = await connectorcli(folder, "cache", "show", "project", "--reveal");
    expect(shown.stdout).to.include(STEM).and.to.include(NUMBER);
    const history = readFileSync(path.join(folder, ".connectorcli-cache/store.db-history.jsonl"), "utf8");
    expect(history).to.include('"attempt"').and.to.include('"call"');
    printed += history;
    for (const form of FORMS) {
      expect(
        printed.split("\n").filter((line) => line.includes(form)),
        form,
      ).to.deep.equal([]);
    }
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
