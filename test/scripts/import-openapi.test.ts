import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { expect } from "chai";
import { planOpenApi } from "../../scripts/workbench/index.js";
import { connectorcli } from "../support/command-line.js";
import { filesIn, folderWith } from "../support/folders.js";
import { listDocument, listOf, objectOf, operation } from "../support/openapi.js";

const PROJECT = objectOf("id", "name");
const DOCUMENT = listDocument({
  answer: objectOf({ data: listOf(PROJECT), next: { type: "string", format: "uri" } }),
  paths: {
    "/notes": { get: { ...operation({ answer: listOf(objectOf("title")) }), tags: ["Notes"] } },
    "/teams/{team}/people": { get: operation({ answer: listOf(PROJECT), parameters: ["limit"] }) },
    "/health": { get: operation({ answer: objectOf({ parts: listOf(objectOf("name")) }) }) },
  },
});
const TEXT = JSON.stringify(DOCUMENT, undefined, 2);

describe("connectorcli import openapi", () => {
  const servers: Server[] = [];
  after(() => {
    for (const server of servers) server.close();
  });

  async function originOf(answer: RequestListener): Promise<string> {
    const server = createServer(answer);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it("prints what would be made, what is undecided and what is left out, each with its evidence and its line", async () => {
    const folder = folderWith({ "api.json": TEXT });
    const { status, stdout, stderr } = await connectorcli(
      folder,
      "import",
      "openapi",
      "api.json",
      "--dry-run",
    );
    expect(stderr).to.equal("");
    expect(status).to.equal(0);
    const lineOf = (text: string) => TEXT.split("\n").findIndex((line) => line.includes(text)) + 1;
    expect(stdout.split("\n")).to.include.members([
      `  address: https://api.test: the only server (api.json:${lineOf('"servers"') + 1})`,
      "Data objects: 1",
      "Undecided: 2",
      "Left out: 1",
    ]);
    expect(stdout).to.match(/^ {2}Project: GET \/projects \(api\.json:\d+\)$/m);
    expect(stdout).to.match(
      /^ {4}pages: link next: "next" in the answer is the address of the next page \(api\.json:\d+\)$/m,
    );
    expect(stdout).to.match(/^ {2}\? key: no property says that it identifies: "title" \(api\.json:\d+\)$/m);
    expect(stdout).to.match(/^ {2}GET \/health: "parts" is the only list/m);
  });

  it("gives the same as JSON, and to programs", async () => {
    const folder = folderWith({ "api.json": TEXT });
    const { stdout } = await connectorcli(folder, "import", "openapi", "api.json", "--dry-run", "--json");
    const { plan, summary } = JSON.parse(stdout);
    expect(summary).to.include({ errors: 0, warnings: 0 });
    expect(
      plan.objects.map(({ name, isDecided }: { name: string; isDecided: boolean }) => [name, isDecided]),
    ).to.deep.equal([
      ["Project", true],
      ["Note", false],
      ["Person", false],
    ]);
    expect(await planOpenApi({ source: path.join(folder, "api.json") })).to.deep.equal({
      plan,
      diagnostics: [],
    });
  });

  it("takes tags and paths, and refuses what is neither", async () => {
    const folder = folderWith({ "api.json": TEXT });
    const selected = async (...select: readonly string[]) =>
      connectorcli(folder, "import", "openapi", "api.json", "--dry-run", "--json", "--select", ...select);
    const names = JSON.parse((await selected("Notes", "/teams")).stdout).plan.objects.map(
      ({ name }: { name: string }) => name,
    );
    expect(names).to.deep.equal(["Note", "Person"]);
    const wrong = await selected("Note");
    expect(wrong.status).to.equal(1);
    expect(JSON.parse(wrong.stdout).diagnostics[0]).to.deep.include({
      code: "openapi-select-unknown",
      message: 'The selected "Note" is no tag and no path of the document. Did you mean "Notes"?',
    });
  });

  it("applies overlays in their order, and names their lines", async () => {
    const folder = folderWith({ "documents/api.json": TEXT });
    const overlay = (...actions: readonly object[]) =>
      JSON.stringify({ overlay: "1.0.0", actions }, undefined, 1);
    writeFileSync(
      path.join(folder, "one.json"),
      overlay({ target: "$.paths['/notes'].get", update: { parameters: [], tags: ["Late"] } }),
    );
    writeFileSync(
      path.join(folder, "two.json"),
      overlay(
        { target: "$.paths[?@.get.tags[?@ == 'Late']]..properties", update: { id: { type: "string" } } },
        { target: "$.paths['/health']", remove: true },
      ),
    );
    const dryRun = (...overlays: readonly string[]) =>
      connectorcli(folder, "import", "openapi", "documents/api.json", "--dry-run", "--overlay", ...overlays);
    const { status, stdout, stderr } = await dryRun("one.json", "two.json");
    expect(status, stderr).to.equal(0);
    expect(stdout)
      .to.include("Data objects: 2")
      .and.to.match(/key: id: a property \(\.\.\/two\.json:\d+\)/)
      .and.to.not.include("/health");
    const other = await dryRun("two.json", "one.json", "none.json");
    expect(other.status).to.equal(1);
    expect(other.stderr)
      .to.match(/two\.json:\d+.*openapi-overlay-unmatched/)
      .and.to.include("none.json");
  });

  it("reads an address, and follows redirects to safe ones", async () => {
    const origin = await originOf((request, response) => {
      if (request.url === "/old") response.writeHead(302, { location: "/new" }).end();
      else if (request.url === "/away") response.writeHead(302, { location: "http://api.test/" }).end();
      else if (request.url === "/round") response.writeHead(302, { location: "/round" }).end();
      else if (request.url === "/new") response.end(TEXT);
      else response.writeHead(404).end();
    });
    const { plan } = await planOpenApi({ source: `${origin}/old` });
    expect(plan?.objects.map(({ name }) => name)).to.deep.equal(["Project", "Note", "Person"]);
    const reasons = [
      ["/away", "only https is read"],
      ["/round", "it is redirected more than 5 times"],
      ["/none", "the answer has the status 404"],
    ] as const;
    for (const [place, reason] of reasons) {
      const { diagnostics } = await planOpenApi({ source: `${origin}${place}` });
      expect(diagnostics.map(({ message }) => message)).to.deep.equal([
        `"${origin}${place}" can't be read: ${reason}.`,
      ]);
    }
    for (const [source, reason] of [
      ["http://api.test/a.json", "only https is read"],
      ["ftp://api.test/a.json", "only https is read"],
    ]) {
      const { diagnostics } = await planOpenApi({ source: source ?? "" });
      expect(diagnostics.map(({ message }) => message)).to.deep.equal([
        `"${source}" can't be read: ${reason}.`,
      ]);
    }
  });

  it("never shows the credential of an address", async () => {
    const { diagnostics } = await planOpenApi({ source: "https://user:hunter2@api.test/a.json" });
    expect(diagnostics[0]?.message).to.include("it carries a credential");
    expect(JSON.stringify(diagnostics)).to.not.include("hunter2");
  });

  it("reads other files of the folder, and none that a link leads to elsewhere", async () => {
    const secret = folderWith({ "secret.json": JSON.stringify({ Item: PROJECT }) });
    const folder = folderWith({
      "api.json": JSON.stringify({
        openapi: "3.0.0",
        paths: {
          "/a": { get: operation({ answer: listOf({ $ref: "parts/own.json#/Item" }) }) },
          "/b": { get: operation({ answer: listOf({ $ref: "parts/link.json#/Item" }) }) },
        },
      }),
    });
    mkdirSync(path.join(folder, "parts"));
    writeFileSync(path.join(folder, "parts/own.json"), JSON.stringify({ Item: PROJECT }));
    symlinkSync(path.join(secret, "secret.json"), path.join(folder, "parts/link.json"));
    const { plan, diagnostics } = await planOpenApi({ source: path.join(folder, "api.json") });
    expect(diagnostics.map(({ code }) => code)).to.deep.equal(["openapi-reference-dangling"]);
    expect(plan?.objects.map(({ list, isDecided }) => [list, isDecided])).to.deep.equal([
      ["GET /a", true],
      ["GET /b", false],
    ]);
  });

  it("writes nothing if there is nothing to take, or too much", async () => {
    const list = { get: { ...operation({ answer: listOf(PROJECT) }), tags: ["Many"] } };
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`/list${index}s`, list]));
    const folder = folderWith({
      "none.json": JSON.stringify({ openapi: "3.0.0", paths: {} }),
      "many.json": JSON.stringify({ openapi: "3.0.0", paths: many }),
    });
    const codes = async (...args: readonly string[]) => {
      const { status, stdout } = await connectorcli(folder, "import", "openapi", ...args, "--json");
      const found = JSON.parse(stdout).diagnostics.map(({ code, message }: Record<string, string>) => [
        code,
        message,
      ]);
      return [status, ...found];
    };
    expect(await codes("none.json", "--directory", "out")).to.deep.equal([
      1,
      ["openapi-nothing", "Nothing in the document is a list that can be a data object."],
    ]);
    expect(await codes("many.json", "--directory", "out")).to.deep.equal([
      1,
      [
        "openapi-too-many",
        "The document has 51 data objects; 50 are taken at most unless they are selected.",
      ],
      ["openapi-tag", 'A tag with the number of its data objects: "Many" (51).'],
    ]);
    expect(filesIn(folder)).to.deep.equal(["many.json", "none.json"]);
    expect(await codes("many.json", "--directory", "out", "--select", "Many")).to.deep.equal([0]);
    expect(filesIn(folder).length).to.be.greaterThan(200);
  });

  it("says in one message what can't be read", async () => {
    const folder = folderWith({ "api.json": '{ "openapi": "2.5" }', "x.yaml": "a: [" });
    for (const [file, code] of [
      ["none.json", "openapi-unreadable"],
      ["api.json", "openapi-version"],
      ["x.yaml", "openapi-syntax"],
      [".", "openapi-unreadable"],
    ] as const) {
      const { status, stdout, stderr } = await connectorcli(folder, "import", "openapi", file, "--dry-run");
      expect([status, stdout]).to.deep.equal([1, ""]);
      expect(stderr.split("\n")[0], file).to.include(code);
    }
  });
});
