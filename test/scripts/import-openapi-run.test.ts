import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { expect } from "chai";
import { fillIn, typeErrors } from "../support/author-project.js";
import { connectorcli } from "../support/command-line.js";
import { folderWith, treeOf } from "../support/folders.js";
import { listDocument, listOf, objectOf, operation } from "../support/openapi.js";
import { SLOW_TEST_MS } from "../support/repository.js";

const TENANT = { name: "X-Tenant", in: "header", required: true, schema: { type: "string" } };
const NUMBER = { type: "integer" };

/** What marks are searched for with: a query that is needed, and pages in the body. */
const MARKS = {
  ...objectOf({
    query: { type: "string" },
    page: objectOf({ cursor: { type: "string" } }),
    in: { type: "object" },
  }),
  required: ["query"],
};

/**
 * Projects by cursor, their tasks by pages, notes of which nobody knows how they come in pages, and marks that are searched
 * for by POST.
 */
const DOCUMENT = {
  ...listDocument({
    path: "/accounts/{account}/projects",
    parameters: [
      TENANT,
      { name: "cursor", in: "query", schema: { type: "string" } },
      { name: "limit", in: "query", schema: { ...NUMBER, maximum: 2 } },
    ],
    answer: objectOf({
      data: listOf({ $ref: "#/components/schemas/Project" }),
      meta: objectOf("next_cursor"),
    }),
    paths: {
      "/accounts/{account}/projects/{project_id}/tasks": {
        get: operation({
          parameters: [TENANT, "page", { name: "per_page", in: "query", schema: { ...NUMBER, maximum: 2 } }],
          answer: listOf(objectOf({ id: NUMBER, project_id: NUMBER }, "title")),
        }),
      },
      "/accounts/{account}/notes": {
        get: operation({ parameters: [TENANT, "limit"], answer: listOf(objectOf("id", "text")) }),
      },
      "/accounts/{account}/marks/search": {
        post: {
          ...operation({
            parameters: [TENANT],
            answer: objectOf({ results: listOf(objectOf("id", "text")) }, "next_cursor"),
          }),
          requestBody: { content: { "application/json": { schema: MARKS } } },
        },
      },
    },
  }),
  info: { title: "Work", description: "What is to be done." },
  servers: [{ url: "/v1" }],
  security: [{ key: [] }],
  components: {
    securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } },
    schemas: { Project: objectOf({ id: NUMBER }, "name") },
  },
};
const [LIST = ""] = Object.keys(DOCUMENT.paths);
Object.assign(DOCUMENT.paths[LIST] ?? {}, {
  post: {
    parameters: [TENANT],
    requestBody: { content: { "application/json": { schema: objectOf("name") } } },
    responses: {
      201: { content: { "application/json": { schema: { $ref: "#/components/schemas/Project" } } } },
    },
  },
});

const PROJECTS = [1, 2, 3].map((id) => ({ id, name: `Project ${id}` }));
const FOUND = [{ id: "a", text: "A" }, { id: "b", text: "B" }, { id: "c" }];
const TASKS = [11, 12, 13].map((id) => ({ id, project_id: 2, title: `Task ${id}` }));

/** What the target system has at an address. */
function listAt({ pathname, searchParams }: URL): unknown {
  const [, project] = /\/projects\/(\d+)\/tasks$/.exec(pathname) ?? [];
  if (project !== undefined) {
    const page = Number(searchParams.get("page") ?? 1);
    return TASKS.filter((task) => String(task.project_id) === project).slice(page * 2 - 2, page * 2);
  }
  const start = Number(searchParams.get("cursor") ?? 0);
  const meta = start + 2 < PROJECTS.length ? { next_cursor: String(start + 2) } : {};
  return { data: PROJECTS.slice(start, start + 2), meta };
}

/** What is found by a body. */
function foundBy({ page }: { readonly page?: { readonly cursor: string } }): object {
  const start = Number(page?.cursor ?? 0);
  const results = FOUND.slice(start, start + 2);
  return { results, ...(start + 2 < FOUND.length && { next_cursor: String(start + 2) }) };
}

describe("a connector that import openapi made", function () {
  this.timeout(SLOW_TEST_MS);
  let server: Server;
  let folder: string;
  const asked: string[] = [];
  const sent: unknown[] = [];
  const searched: unknown[] = [];

  before(async () => {
    server = createServer((request, response) => {
      const url = new URL(request.url ?? "", "http://localhost");
      asked.push(url.pathname);
      const isAllowed = request.headers["x-key"] === "k-1" && request.headers["x-tenant"] === "t-1";
      response.writeHead(isAllowed ? 200 : 401, { "content-type": "application/json" });
      if (request.method !== "POST") response.end(JSON.stringify(listAt(url)));
      else
        request.on("data", (body) => {
          const value = JSON.parse(String(body));
          const isSearch = url.pathname.endsWith("/marks/search");
          (isSearch ? searched : sent).push(value);
          response.end(JSON.stringify(isSearch ? foundBy(value) : { id: 4, name: "New" }));
        });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const base = folderWith({ "api.json": JSON.stringify(DOCUMENT) });
    const imported = await connectorcli(base, "import", "openapi", "api.json", "--directory", "work");
    expect(imported.status, imported.stderr).to.equal(0);
    folder = path.join(base, "work");
    const config = path.join(folder, "openapi.config.ts");
    const answers = JSON.stringify({
      "POST /accounts/{account}/marks/search": {
        values: { query: { value: "*" }, in: { value: { all: true } } },
      },
    });
    const text = readFileSync(config, "utf8");
    writeFileSync(config, text.replace('"../api.json"', `"../api.json", answers: ${answers}`));
    for (const command of [["import", "openapi", "--add"], ["gen"], ["test", "init"]]) {
      const { status, stderr } = await connectorcli(folder, ...command);
      expect(status, stderr).to.equal(0);
    }
    fillIn(folder, "key", {
      apiKey: "k-1",
      baseUrl: `${origin}/v1`,
      account: "acme",
      xTenant: "t-1",
      connectionEnvironment: undefined,
    });
  });
  after(() => server.close());

  it("type-checks, and check reports what is undecided with its place", async () => {
    expect(await typeErrors(folder)).to.equal("");
    const { status, stdout } = await connectorcli(folder, "check", "--format", "json");
    const errors = JSON.parse(stdout).diagnostics.filter(
      ({ severity }: { severity: string }) => severity === "error",
    );
    expect(
      errors.map(({ code, file }: { code: string; file: string }) => [code, path.basename(file)]),
    ).to.deep.equal([["reader-undecided", "note-reader.ts"]]);
    expect(status).to.equal(1);
  });

  it("reads what is decided, and refuses what is not and nothing else", async () => {
    const { status, stdout, stderr } = await connectorcli(folder, "run", "cache-writer");
    expect(`${stdout}${stderr}`, stderr).to.include("Nobody has decided how this is read");
    expect(status).to.equal(1);
    const shown = async (object: string) => {
      const { stdout: records } = await connectorcli(folder, "cache", "show", object, "--json");
      return records
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line).record ?? JSON.parse(line));
    };
    expect((await shown("project")).length).to.equal(3);
    expect((await shown("task")).length).to.equal(3);
    expect(await shown("mark")).to.deep.equal(FOUND);
    const body = { query: "*", in: { all: true } };
    expect(searched).to.deep.equal([body, { ...body, page: { cursor: "2" } }]);
    expect(asked)
      .to.include("/v1/accounts/acme/projects/2/tasks")
      .and.to.not.include("/v1/accounts/acme/notes");
  });

  it("performs what the document offers", async () => {
    writeFileSync(path.join(folder, "project.json"), '{ "name": "New" }');
    const { status, stdout, stderr } = await connectorcli(
      folder,
      "act",
      "CreateProject",
      "--input",
      "project.json",
    );
    expect(status, stderr).to.equal(0);
    expect(`${stdout}${stderr}`).to.include('"id": 4');
    expect(sent).to.deep.equal([{ name: "New" }]);
  });

  it("is not written over by another import", async () => {
    const again = () =>
      connectorcli(path.dirname(folder), "import", "openapi", "api.json", "--directory", "work");
    // The store's files come and go with those who read it.
    const tree = () => Object.entries(treeOf(folder)).filter(([name]) => !name.includes("-cache"));
    for (const text of ["", "// mine\n"]) {
      const file = path.join(folder, "schemas/app/project.ts");
      writeFileSync(file, `${readFileSync(file, "utf8")}${text}`);
      const before = tree();
      const { status, stderr } = await again();
      expect(status, stderr).to.equal(0);
      expect(stderr).to.include("nothing written");
      expect(tree()).to.deep.equal(before);
    }
  });

  it("needs a folder, unless nothing is written", async () => {
    const { status, stderr } = await connectorcli(path.dirname(folder), "import", "openapi", "api.json");
    expect([status, stderr]).to.deep.equal([
      2,
      "Name the folder of the new project with --directory, or only look with --dry-run.\n",
    ]);
  });
});
