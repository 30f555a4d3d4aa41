import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { OutgoingRequest, Send } from "../../runtime/client/index.js";
import { NotSentError, type RefusedWrites, refuseWrites } from "../../scripts/connector-run/trace-calls.js";
import { connectorcli } from "../support/command-line.js";
import { HANDLER_FILE, writeHandler } from "../support/declared-project.js";
import { type Platform, platformProject, startPlatform } from "../support/projects-platform.js";
import { failure } from "../support/promises.js";
import { SLOW_TEST_MS } from "../support/repository.js";

const TOKEN = "a-token-of-tests-7";
const EMAIL = "canary@secret.example";
const INPUT = { number: "N-1", title: "Tunnel", status: "Planned", budget: null, managerEmail: EMAIL };

describe("act", function () {
  this.timeout(SLOW_TEST_MS);
  let platform: Platform;
  let folder: string;

  before(async () => {
    platform = await startPlatform({ token: TOKEN, projects: 3 });
    folder = await platformProject(platform.address, TOKEN);
  });
  after(() => platform.close());

  const act = async (input: unknown, ...args: readonly string[]) => {
    const file = path.join(folder, "input.json");
    writeFileSync(file, JSON.stringify(input));
    const result = await connectorcli(folder, "act", "CreateProject", "--input", file, ...args);
    expect(result.stdout + result.stderr)
      .to.not.include(TOKEN)
      .and.to.not.include(EMAIL);
    return result;
  };

  it("shows the request that would be sent, without secrets, and sends nothing", async () => {
    const before = platform.requests;
    const { status, stdout, stderr } = await act(INPUT, "--dry-run");
    const lines = stdout.trimEnd().split("\n");
    expect(lines[0], stderr).to.equal(`POST ${platform.address}/projects`);
    expect(lines).to.include.members([
      "authorization: --hidden value--",
      "content-type: application/json",
      '  "number": "N-1",',
      '  "managerEmail": "--hidden value--"',
    ]);
    expect(lines.at(-1)).to.equal("projects-api/app/1/project/create: nothing was sent");
    expect(status).to.equal(0);
    expect(platform.requests).to.equal(before);
  });

  it("shows of a request without a body its address and its headers", async () => {
    const handler = path.join(folder, HANDLER_FILE);
    const before = readFileSync(handler, "utf8");
    writeFileSync(handler, before.replace("POST /projects", "DELETE /projects"));
    const { stdout, stderr } = await act(INPUT, "--dry-run");
    writeFileSync(handler, before);
    expect(stdout, stderr)
      .to.match(/^DELETE \S+\n(?:[\w-]+: .*\n)+\nprojects-api\/app\/1\/project\/create: nothing was sent\n$/)
      .and.to.not.include("{");
  });

  it("tells it as JSON", async () => {
    const { stdout } = await act(INPUT, "--dry-run", "--json");
    const { action, diagnostics } = JSON.parse(stdout);
    expect(diagnostics).to.deep.equal([]);
    const [request, ...others] = action.requests;
    expect(others).to.deep.equal([]);
    expect(request).to.deep.include({ method: "POST", address: `${platform.address}/projects` });
    expect(request.body).to.deep.include({ number: "N-1", managerEmail: "--hidden value--" });
    expect(request.headers).to.include({ "idempotency-key": "--hidden value--" });
  });

  it("shows what a declared handler would send, with what it takes of the input and of the settings", async () => {
    const file = path.join(folder, HANDLER_FILE);
    const before = readFileSync(file, "utf8");
    writeHandler(
      folder,
      `defineHandler(CreateProject, {
  call: "PUT /teams/{team}/projects",
  path: { team: setting("connectionEnvironment") },
  query: { number: input("number") },
  body: { data: { ...rest, type: "project" } },
  record: "data",
  change: "upsert",
});`,
    );
    const { status, stdout, stderr } = await act(INPUT, "--dry-run", "--json");
    writeFileSync(file, before);
    expect(status, stdout + stderr).to.equal(0);
    const [request] = JSON.parse(stdout).action.requests;
    expect(request).to.deep.include({
      method: "PUT",
      address: `${platform.address}/teams/1/projects?number=N-1`,
    });
    const { number: _, managerEmail: __, ...others } = INPUT;
    expect(request.body.data).to.deep.equal({ ...others, managerEmail: "--hidden value--", type: "project" });
  });

  it("calls nobody with --dry-run if the client goes past the transport that would refuse it", async () => {
    const file = path.join(folder, "client/client-helper.ts");
    const text = readFileSync(file, "utf8");
    const past =
      "export const clientHelper = (container, { transport: _, ...host }) => own(container, host);\n";
    writeFileSync(file, `${text.replace("export const clientHelper", "const own")}${past}`);
    const before = platform.requests;
    const { status, stderr } = await act(INPUT, "--dry-run");
    writeFileSync(file, text);
    expect(stderr).to.include("The API client does not go through ClientHost.transport");
    expect(status).to.equal(1);
    expect(platform.requests).to.equal(before);
  });

  it("performs the action once, and shows its output and what the cache would take over", async () => {
    const { status, stdout, stderr } = await act(INPUT);
    expect(stdout, stderr)
      .to.include("projects-api/app/1/project/create succeeded\n  {\n")
      .and.to.include('    "number": "N-1"')
      .and.to.include("Changes for the cache, which stays as it is:\n")
      .and.to.match(/projects-api\/app\/1\/project +upsert +id\//);
    expect(status).to.equal(0);
    expect(platform.projects.map(({ number }) => number)).to.include("N-1");
    expect(existsSync(path.join(folder, ".connectorcli-cache"))).to.equal(false);
  });

  it("says how the target system refuses it", async () => {
    const { status, stdout } = await act({ ...INPUT, number: "P-1" });
    expect(stdout).to.include("create failed\n").and.to.include('"code": "409"');
    expect(status).to.equal(1);
  });

  it("says that the action processor would try again", async () => {
    platform.failures = 9;
    const { status, stdout } = await act({ ...INPUT, number: "N-2" });
    platform.failures = 0;
    expect(stdout).to.include("failed, and would be tried again: ").and.to.include("503");
    expect(status).to.equal(1);
  });

  it("calls nobody with an input that does not fit", async () => {
    const before = platform.requests;
    const { status, stdout } = await act({ ...INPUT, status: "Lost" });
    expect(stdout).to.include("was not called: the input does not fit\n  /status: expected one of");
    expect(status).to.equal(1);
    expect(platform.requests).to.equal(before);
  });

  it("names what there is for an unknown action, and wants an input that is JSON", async () => {
    const unknown = await connectorcli(folder, "act", "CreatProject", "--input", "input.json");
    expect([unknown.status, unknown.stderr]).to.deep.equal([
      2,
      'The connector has no action "CreatProject": there is create. Did you mean "CreateProject"?\n',
    ]);
    writeFileSync(path.join(folder, "broken.json"), "{");
    const broken = await connectorcli(folder, "act", "create", "--input", "broken.json");
    expect([broken.status, broken.stderr]).to.deep.equal([2, "broken.json is not JSON.\n"]);
    const without = await connectorcli(folder, "act", "create");
    expect(without.status).to.equal(2);
    expect(without.stderr).to.include("input");
  });

  it("asks whose action it is where two data objects have it", async () => {
    const file = path.join(folder, "schemas/app/module.ts");
    const text = readFileSync(file, "utf8");
    const second = 'defineAction("Create", { dataObject: Timesheet, description: "Adds hours." })';
    writeFileSync(
      file,
      text
        .replace("import { defineModule }", "import { defineAction, defineModule }")
        .replace("actions: [", `actions: [${second}, `),
    );
    writeFileSync(path.join(folder, "input.json"), JSON.stringify(INPUT));
    const { status, stderr } = await connectorcli(folder, "act", "create", "--input", "input.json");
    const chosen = await connectorcli(folder, "act", "CreateProject", "--dry-run", "--input", "input.json");
    writeFileSync(file, text);
    expect([status, stderr]).to.deep.equal([
      2,
      "Several data objects have this action: name one with --data-object-url.\n",
    ]);
    expect(chosen.stderr).to.include("generated/ is stale");
    expect(chosen.stdout).to.include("POST ");
  });

  it("traces what is sent", async () => {
    const { stderr } = await act({ ...INPUT, number: "N-3" }, "--trace");
    expect(stderr).to.match(/POST http:\/\/127\.0\.0\.1:\d+\/v2\/projects: 201 after \d+ ms\n {2}sent: \{/);
  });
});

describe("a transport that refuses writes", () => {
  const request = (more: Partial<OutgoingRequest>): OutgoingRequest => ({
    purpose: "call",
    method: "POST",
    url: "https://user:pass@api.test/projects?token=t0ken&page=2",
    headers: { "content-type": "text/plain", "x-signature": "abc" },
    ...more,
  });
  let planned: RefusedWrites["requests"];
  let sent: string[];
  let send: Send;
  beforeEach(() => {
    const writes = refuseWrites({ types: [], secrets: ["s3cret-of-connection"] });
    expect(writes.isInUse()).to.equal(false);
    planned = writes.requests;
    sent = [];
    send = writes.transport(async ({ method, url }) => {
      sent.push(method);
      return { url, statusCode: 200, headers: {}, body: new Uint8Array(), close: () => {} };
    });
    expect(writes.isInUse()).to.equal(true);
  });

  it("sends what reads and what signs in", async () => {
    await send(request({ method: "GET" }));
    await send(request({ method: "HEAD" }));
    await send(request({ purpose: "token" }));
    expect(sent).to.deep.equal(["GET", "HEAD", "POST"]);
    expect(planned).to.deep.equal([]);
  });

  for (const method of ["POST", "PUT", "PATCH", "DELETE"] as const) {
    it(`refuses ${method}, even if it could be repeated`, async () => {
      const error = await failure(send(request({ method, isIdempotent: true })));
      expect(error).to.be.instanceOf(NotSentError);
      expect(error).to.include({ retry: "never" });
      expect(sent).to.deep.equal([]);
      expect(planned).to.deep.equal([
        {
          method,
          address: "https://api.test/projects?token=--hidden value--&page=2",
          headers: { "content-type": "text/plain", "x-signature": "--hidden value--" },
          body: null,
        },
      ]);
    });
  }

  it("shows texts, bytes and streams without secrets", async () => {
    const bytes = Buffer.from('{"password":"p","name":"s3cret-of-connection","n":1}');
    const stream = (async function* () {
      yield bytes;
    })();
    for (const body of ["name=s3cret-of-connection&n=1", bytes, stream])
      await failure(send(request({ body })));
    expect(planned.map(({ body }) => body)).to.deep.equal([
      "name=--hidden value--&n=1",
      { password: "--hidden value--", name: "--hidden value--", n: 1 },
      "a stream",
    ]);
  });
});
