/** The console by raw requests: who is answered, and with what. No browser would send most of these. */
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { expect } from "chai";
import { TOKEN_HEADER } from "../../scripts/console/request-guard.js";
import {
  CANARY,
  consoleProject,
  endConsoles,
  fillStore,
  PROJECTS,
  projectRecord,
  startedConsole,
} from "../support/console-project.js";
import { ask, call, post } from "../support/console-requests.js";

type Console = Awaited<ReturnType<typeof startedConsole>>;

describe("requests to the console", () => {
  let folder: string;
  before(async () => {
    folder = consoleProject();
    await fillStore(
      folder,
      Array.from({ length: 1_203 }, (_, index) => projectRecord(index)),
      [{ title: 1 }, { title: 2 }],
    );
  });
  afterEach(endConsoles);

  describe("are refused", () => {
    let started: Console;
    beforeEach(async () => {
      started = await startedConsole(folder);
    });

    it("by whatever name but the console's own, for files as well (DNS rebinding)", async () => {
      const { port, token } = started;
      const hosts = [
        "attacker.example",
        `attacker.example:${port}`,
        `127.0.0.1.attacker.example:${port}`,
        `127.0.0.1:${port}.attacker.example`,
        `localhost.:${port}`,
        "127.0.0.1",
        `127.0.0.1:${port + 1}`,
        `[::1]:${port}`,
        `0.0.0.0:${port}`,
      ];
      for (const host of hosts)
        for (const path of ["/", "/main.js", "/api/overview"]) {
          const { status, text } = await ask(started, path, { headers: { host, [TOKEN_HEADER]: token } });
          expect(status, `${host} ${path}`).to.equal(421);
          expect(text).to.not.include("projects");
        }
    });

    it("with two hosts, or with none", async () => {
      const { port, token } = started;
      const head = (hosts: string) =>
        `GET /api/overview HTTP/1.1\r\n${hosts}${TOKEN_HEADER}: ${token}\r\nConnection: close\r\n\r\n`;
      const right = `Host: 127.0.0.1:${port}\r\n`;
      expect(await raw(port, head(`${right}Host: attacker.example\r\n`))).to.match(/^HTTP\/1.1 4/);
      expect(await raw(port, head(`Host: attacker.example\r\n${right}`))).to.match(/^HTTP\/1.1 4/);
      expect(await raw(port, head(""))).to.match(/^HTTP\/1.1 4/);
      expect(await raw(port, head("Host:\r\n"))).to.match(/^HTTP\/1.1 4/);
      expect(await raw(port, head(right))).to.match(/^HTTP\/1.1 200/);
    });

    it("from pages of other origins, whatever they bring", async () => {
      const { token, port } = started;
      const origins = [
        "http://attacker.example",
        "null",
        `https://127.0.0.1:${port}`,
        `http://127.0.0.1:${port}0`,
        `http://localhost:${port}`,
      ];
      for (const origin of origins) {
        const got = await ask(started, "/api/overview", { headers: { origin, [TOKEN_HEADER]: token } });
        expect(got.status, origin).to.equal(403);
        expect(Object.keys(got.headers).filter((name) => name.startsWith("access-control"))).to.deep.equal(
          [],
        );
      }
      for (const site of ["cross-site", "same-site", "SAME-ORIGIN "])
        expect(
          (
            await ask(started, "/api/overview", {
              headers: { "sec-fetch-site": site, [TOKEN_HEADER]: token },
            })
          ).status,
        ).to.equal(403);
    });

    it("without the token of this start", async () => {
      const other = await startedConsole(folder);
      const tokens: readonly (string | readonly string[])[] = [
        "",
        "x",
        other.token,
        started.token.slice(1),
        [started.token, "x"],
      ];
      for (const given of tokens)
        expect((await ask(started, "/api/overview", { headers: { [TOKEN_HEADER]: given } })).status).to.equal(
          401,
        );
      expect((await ask(started, `/api/overview?token=${started.token}`)).status).to.equal(401);
      expect(
        (await ask(started, "/api/overview", { headers: { cookie: `token=${started.token}` } })).status,
      ).to.equal(401);
    });

    it("for anything that is no file of the page and no call", async () => {
      const paths = [
        "/../package.json",
        "/x/../api/overview",
        "/%2e%2e/package.json",
        "/..%2fpackage.json",
        "//api/overview",
        "/API/overview",
        "/main.js/",
        "/main.js%00",
        "/.connectorcli-cache/store.db",
        "/test-settings.json",
      ];
      for (const path of paths) {
        const { status, text } = await ask(started, path, { headers: { [TOKEN_HEADER]: started.token } });
        expect(status, path).to.equal(404);
        expect(text).to.not.include("dependencies");
      }
      for (const name of ["__proto__", "constructor", "toString", "overview/../overview", "reveal"])
        expect((await call(started, name)).status, name).to.equal(404);
    });

    it("by other methods, types and sizes", async () => {
      for (const method of ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "HEAD"])
        expect((await ask(started, "/", { method })).status, method).to.equal(405);
      const { token } = started;
      const post = (type: string, body: string) =>
        ask(started, "/api/reveal", {
          method: "POST",
          headers: { "content-type": type, [TOKEN_HEADER]: token },
          body,
        });
      expect((await post("text/plain", "{}")).status).to.equal(415);
      expect((await post("application/x-www-form-urlencoded", "a=b")).status).to.equal(415);
      expect((await post("application/json", "{")).status).to.equal(400);
      expect((await post("application/json", JSON.stringify("x".repeat(5_000_001)))).status).to.equal(413);
    });
  });

  it("are answered with a policy that lets nothing else in", async () => {
    const started = await startedConsole(folder);
    for (const path of ["/", "/main.js", "/api/overview", "/nothing"]) {
      const { headers, text } = await ask(started, path);
      expect(headers["content-security-policy"], path).to.include("default-src 'none'");
      expect(headers["content-security-policy"]).to.include("require-trusted-types-for 'script'");
      expect(headers["content-security-policy"]).to.not.match(/unsafe|https?:|\*/);
      expect(headers).to.include({
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "cache-control": "no-store",
      });
      expect(headers["set-cookie"]).to.equal(undefined);
      expect(text).to.not.include(started.token);
    }
  });

  it("find the records by pages, by a key, and by a text", async () => {
    const started = await startedConsole(folder);
    const records = async (query: string) =>
      JSON.parse((await call(started, `records?object=${PROJECTS}&${query}`)).text);
    const middle = await records("offset=1000&limit=50");
    expect([middle.total, middle.rows.length, middle.rows[0].record.number]).to.deep.equal([
      1_203,
      50,
      "N-1000",
    ]);
    const byKey = await records(`by=id&value=${middle.rows[3].record.id}`);
    expect(byKey.rows.map(({ record }: { record: { number: string } }) => record.number)).to.deep.equal([
      "N-1003",
    ]);
    const byText = await records("text=TITLE+777");
    expect([byText.rows.length, byText.searched, byText.isWhole]).to.deep.equal([1, 1_203, true]);
    // What is hidden is not found either: a search would tell it piece by piece.
    expect((await records(`text=${CANARY}`)).rows).to.deep.equal([]);
    for (const wrong of ["offset=-1", "offset=x", "by=id&value=1&value=2", "by=nothing&value=1"])
      expect((await call(started, `records?object=${PROJECTS}&${wrong}`)).status, wrong).to.equal(400);
    expect((await call(started, "records?object=nothing")).text).to.include(
      "The connector has no data object",
    );
  });

  it("tell what a change did, of each of several changes of one record", async () => {
    const project = consoleProject();
    for (const title of ["one", "two", "three"]) await fillStore(project, [projectRecord(1, title)]);
    const started = await startedConsole(project);
    const changeOf = async (sequence: number) =>
      JSON.parse((await call(started, `change?sequence=${sequence}`)).text);
    const titles = async (sequence: number) => {
      const { operation, before, after, isNow } = await changeOf(sequence);
      return [operation, before?.title, after.title, isNow];
    };
    expect(await titles(1)).to.deep.equal(["insert", undefined, "one", false]);
    expect(await titles(2)).to.deep.equal(["update", "one", "two", false]);
    expect(await titles(3)).to.deep.equal(["update", "two", "three", true]);
    expect(JSON.stringify(await changeOf(2))).to.not.include(CANARY);
    for (const [sequence, status] of [
      ["4", 404],
      ["0", 404],
      ["x", 400],
    ])
      expect((await call(started, `change?sequence=${sequence}`)).status).to.equal(status);
    for (const name of ["run?id=9", "action?id=9"]) expect((await call(started, name)).status).to.equal(404);
  });

  it("group rejected records, with the line that declares the property", async () => {
    const started = await startedConsole(folder);
    const { groups, count } = JSON.parse((await call(started, "rejected")).text);
    expect(count).to.equal(2);
    expect(groups).to.have.length(1);
    expect(groups[0]).to.include({ object: PROJECTS, instancePath: "/title", count: 2 });
    expect(groups[0].place.file).to.match(/project\.ts$/);
    expect(groups[0].place.line).to.be.greaterThan(1);
  });

  it("show no sensitive value but the one that is revealed, and the terminal is told why", async () => {
    const lines: string[] = [];
    const started = await startedConsole(folder, { onLine: (line) => void lines.push(line) });
    const answers = await Promise.all(
      [
        "overview",
        `schema?object=${PROJECTS}`,
        `records?object=${PROJECTS}`,
        "changes",
        "rejected",
        "runs",
        "actions",
      ].map(async (name) => (await call(started, name)).text),
    );
    expect(answers.join()).to.include("N-1").and.not.include(CANARY);
    const { rows } = JSON.parse(answers[2] ?? "");
    const wanted = { object: PROJECTS, key: rows[0].key, pointer: "/managerEmail" };
    expect((await post(started, "reveal", { ...wanted, reason: " " })).status).to.equal(400);
    expect(lines).to.deep.equal([]);
    const { text } = await post(started, "reveal", { ...wanted, reason: "a call from support" });
    expect(JSON.parse(text)).to.deep.equal({ value: CANARY });
    expect(lines).to.deep.equal([
      `revealed /managerEmail of ${PROJECTS} ${rows[0].key}: a call from support`,
    ]);
    expect(lines.join()).to.not.include(CANARY);
    for (const pointer of ["/__proto__", "/nothing", "/managerEmail/x"])
      expect((await post(started, "reveal", { ...wanted, pointer, reason: "x" })).status, pointer).to.equal(
        404,
      );
  });

  it("change nothing unless the console was started for it", async () => {
    const started = await startedConsole(folder);
    const changes: readonly (readonly [string, object])[] = [
      ["sync", { object: PROJECTS }],
      ["queue/add", { object: PROJECTS, action: "create", input: {} }],
      ["queue/perform", {}],
      ["queue/retry", { id: 1 }],
      ["queue/retry-all", { state: "dead" }],
      ["queue/cancel", { id: 1 }],
      ["act", { object: PROJECTS, action: "create", input: {} }],
    ];
    for (const [name, body] of changes) {
      const { status, text } = await post(started, name, body);
      expect([name, status]).to.deep.equal([name, 403]);
      expect(text).to.include("--write");
    }
  });

  it("end with the console, also if nobody looks at it for long", async () => {
    const started = await startedConsole(folder, { idleMinutes: 0.001 });
    await started.ended;
    const gone = await call(started, "overview").then(
      () => "answered",
      () => "gone",
    );
    expect(gone).to.equal("gone");
  });

  it("are told what is wrong with a project that can't be loaded", async () => {
    const broken = consoleProject();
    writeFileSync(`${broken}/connector.ts`, "export const connector = ;");
    const { status, text } = await call(await startedConsole(broken), "overview");
    expect(status).to.equal(422);
    expect(text).to.include("The project can't be loaded");
  });
});

function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    let got = "";
    socket.setEncoding("utf8");
    socket.on("data", (chunk) => {
      got += chunk;
    });
    socket.once("end", () => resolve(got));
    socket.once("error", reject);
  });
}
