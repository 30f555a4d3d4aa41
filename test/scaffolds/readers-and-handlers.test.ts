import path from "node:path";
import { expect } from "chai";
import type { HttpClient } from "../../runtime/client/index.js";
import { retryOf } from "../../runtime/retry.js";
import { loadModules } from "../support/author-project.js";
import { connectorcli } from "../support/command-line.js";
import { folderWith } from "../support/folders.js";
import { answerJson, clientAt, closeServers, deadOrigin, serve } from "../support/loopback.js";
import { rejection } from "../support/promises.js";
import { inRepository } from "../support/repository.js";

const EMPLOYEE = { id: "a/1", name: "Ann" };
const OBJECT = ["data-object", "new", "--module-id", "app-1", "--code", "--name"];
const ACTION = ["action", "new", "--module-id", "app-1", "--object-name", "Employee", "--code", "--name"];

type Reader = (context: object) => AsyncIterable<unknown>;
type Change = { readonly record: { readonly worker: number } };
type Handler = (input: object, context: object) => Promise<object>;

describe("scaffolded readers and handlers in code", () => {
  const folder = folderWith({});
  let functions: Readonly<Record<string, unknown>> = {};
  let saved: string[] = [];

  before(async () => {
    const calls = [
      ["connector", "new", "Personnel"],
      ["module", "new", "--id", "app-1", "--name", "App", "--key", "app", "--version", "1"],
      [...OBJECT, "Employee"],
      [...OBJECT, "Shift", "--reader-type", "incremental"],
      ...["Create", "Update", "Delete", "Invite"].map((name) => [...ACTION, name]),
      ["gen"],
    ];
    for (const call of calls) expect((await connectorcli(folder, ...call)).status).to.equal(0);
    const names = [
      "client/api-client.ts",
      "modules/app/employee/employee-reader.ts",
      "modules/app/shift/shift-reader.ts",
      ...["create", "update", "delete", "invite"].map(
        (name) => `modules/app/employee/${name}-employee-handler.ts`,
      ),
      "generated/app/employee.ts",
    ];
    const loaded = await loadModules(names.map((name) => path.join(folder, name)));
    functions = Object.assign({}, ...loaded);
  });
  afterEach(closeServers);

  function context(origin: string, checkpoint: string | null = null): object {
    const ApiClient = functions["ApiClient"] as new (http: HttpClient, baseUrl: string) => object;
    saved = [];
    return {
      client: new ApiClient(clientAt(origin), origin),
      checkpoint,
      signal: new AbortController().signal,
      saveCheckpoint: (text: string) => saved.push(text),
    };
  }

  async function read(name: string, given: object): Promise<readonly unknown[]> {
    const items: unknown[] = [];
    for await (const item of (functions[name] as Reader)(given)) items.push(item);
    return items;
  }

  it("read page after page until one is empty", async () => {
    const pages = [[EMPLOYEE, { id: "2", name: "Bo" }], [{ id: "3", name: "Cy" }], []];
    const { origin, requests } = await serve((_, response, count) => answerJson(response, pages[count - 1]));
    expect(await read("readEmployee", context(origin))).to.deep.equal(pages.flat());
    expect(requests[1]?.path).to.equal("/employees?page=2&pageSize=100");
  });

  it("throw where a page can't be read, so that nothing is taken for the end", async () => {
    for (const name of ["readEmployee", "readShift"]) {
      const { origin } = await serve((_, response, count) =>
        count === 1 ? answerJson(response, [EMPLOYEE]) : answerJson(response, {}, 403),
      );
      const given = context(origin);
      expect((await rejection(read(name, given))).name).to.equal("ResponseError");
    }
    const { origin } = await serve((_, response) => answerJson(response, {}, 403));
    expect((await rejection(read("readShift", context(origin)))).message).to.include("403");
    expect(saved).to.deep.equal([]);
  });

  it("throw where a page is no list", async () => {
    const { origin } = await serve((_, response) => answerJson(response, { items: [] }));
    expect(await rejection(read("readEmployee", context(origin)))).to.be.instanceOf(Error);
  });

  it("ask for changes since the checkpoint, and go on from before the first page, by the target system's clock", async () => {
    const { origin, requests } = await serve((_, response, count) => {
      response.setHeader("date", `Wed, 01 Jan 2020 12:0${count}:00 GMT`);
      answerJson(response, count === 1 ? [EMPLOYEE] : []);
    });
    expect(await read("readShift", context(origin, "2019-12-31"))).to.deep.equal([
      { operation: "upsert", record: EMPLOYEE },
    ]);
    expect(requests[0]?.path).to.equal("/shifts?modifiedSince=2019-12-31&page=1&pageSize=100");
    expect(saved).to.deep.equal(["2020-01-01T11:56:00.000Z"]);
  });

  it("of the example read again what changed while a read of several pages was under way", async () => {
    const file = inRepository("examples/projects-api/modules/app/timesheet/timesheet-reader.ts");
    const loaded = await loadModules([file]);
    const readTimesheets = loaded[0]?.["timesheetReader"] as Reader;
    const changes = [1, 2, 3].map((worker) => ({ worker, changed: worker }));
    const server = await serve((request, response, count) => {
      const query = new URL(request.path, "http://x").searchParams;
      // A sheet of the first page changes before the second is sent, and so does one of the second.
      if (count === 2) for (const index of [0, 2]) Object.assign(changes[index] ?? {}, { changed: 10 });
      const all = changes.filter(({ changed }) => changed > Number(query.get("since") ?? 0));
      const first = Number(query.get("after") ?? 0);
      const next = first + 2 < all.length ? String(first + 2) : null;
      const until = String(Math.max(...changes.map(({ changed }) => changed)));
      answerJson(response, { items: all.slice(first, first + 2), next, until });
    });
    const resumePoints: string[] = [];
    const run = async (checkpoint: string | null, resumePoint: string | null) => {
      const saveResumePoint = (text: string) => resumePoints.push(text);
      const own = { client: clientAt(server.origin), checkpoint, resumePoint, saveResumePoint };
      const given = { ...context(server.origin), ...own };
      const records: unknown[] = [];
      for await (const change of readTimesheets(given)) records.push((change as Change).record.worker);
      return records;
    };
    expect(await run(null, null)).to.deep.equal([1, 2, 3]);
    expect(saved).to.deep.equal(["3"]);
    expect(await run("3", null)).to.deep.equal([1, 3]);
    expect(saved).to.deep.equal(["10"]);
    await run(null, resumePoints[0] ?? null);
    expect(saved, "a resumed run keeps the time of its first page").to.deep.equal([]);
  });

  const ACTIONS: readonly (readonly [
    name: string,
    call: string,
    body: object | undefined,
    operation: string,
  ])[] = [
    ["Create", "POST /employees", { name: "Ann" }, "upsert"],
    ["Update", "PATCH /employees/a%2F1", EMPLOYEE, "upsert"],
    ["Delete", "DELETE /employees/a%2F1", undefined, "delete"],
    ["Invite", "POST /employees/a%2F1/invite", { id: "a/1" }, "upsert"],
  ];
  for (const [name, call, body, operation] of ACTIONS) {
    it(`${name.toLowerCase()} a record on the target system, and say what changed in the cache`, async () => {
      const { origin, requests } = await serve((_, response) => answerJson(response, EMPLOYEE));
      const { from } = functions[`${name}EmployeeInput`] as { from: (json: object) => object };
      const handler = functions[`${name.toLowerCase()}Employee`] as Handler;
      const input = from.call(functions[`${name}EmployeeInput`], body ?? { id: "a/1" });
      expect(await handler(input, context(origin))).to.deep.equal({
        outcome: "succeeded",
        output: { id: "a/1" },
        changes: [
          { dataObject: "Employee", operation, record: operation === "delete" ? { id: "a/1" } : EMPLOYEE },
        ],
      });
      expect(`${requests[0]?.method} ${requests[0]?.path}`).to.equal(call);
      expect(requests[0]?.body).to.equal(body === undefined ? "" : JSON.stringify(body));
    });
  }

  it("answer with a failure where the target system refuses", async () => {
    const { origin } = await serve((_, response) => answerJson(response, { secret: "s3" }, 422));
    const handler = functions["createEmployee"] as Handler;
    const result = await handler({ name: "Ann" }, context(origin));
    expect(result).to.have.nested.property("failure.code", "422");
    expect(JSON.stringify(result)).to.include("POST").and.to.not.include("s3");
  });

  for (const status of [408, 429, 503]) {
    it(`throw where the target system answers ${status}, so that the action is tried again`, async () => {
      const { origin } = await serve((_, response) => answerJson(response, {}, status));
      const handler = functions["createEmployee"] as Handler;
      const error = await rejection(handler({ name: "Ann" }, context(origin)));
      expect(error).to.include({ name: "ResponseError", statusCode: status });
      expect(retryOf(error)).to.equal("later");
    });
  }

  it("throw where nobody answers, so that the action is tried again", async () => {
    const handler = functions["createEmployee"] as Handler;
    const error = await rejection(handler({ name: "Ann" }, context(await deadOrigin())));
    expect(retryOf(error)).to.equal("later");
  });

  /** What the handler of an action gives where each answer of the target system is `answer`. */
  async function performed(name: string, answer: Parameters<typeof serve>[0]) {
    const { origin, requests } = await serve(answer);
    const input = name === "Create" ? { name: "Ann" } : EMPLOYEE;
    const given = (functions[`${name}EmployeeInput`] as { from(json: object): object }).from(input);
    const result = (functions[`${name.toLowerCase()}Employee`] as Handler)(given, context(origin));
    return { result, requests };
  }

  for (const [name, status] of [
    ["Update", 204],
    ["Update", 200],
    ["Invite", 202],
  ] as const) {
    it(`read the record back where ${status} to ${name.toLowerCase()} has no content`, async () => {
      const { result, requests } = await performed(name, ({ method }, response) =>
        method === "GET"
          ? answerJson(response, { ...EMPLOYEE, name: "Anna" })
          : response.writeHead(status).end(),
      );
      expect(await result).to.deep.equal({
        outcome: "succeeded",
        output: { id: "a/1" },
        changes: [{ dataObject: "Employee", operation: "upsert", record: { ...EMPLOYEE, name: "Anna" } }],
      });
      expect(requests.map(({ path }) => path).at(-1)).to.equal("/employees/a%2F1");
      expect(requests).to.have.length(2);
    });
  }

  it("read the record back where the answer is something else", async () => {
    const { result } = await performed("Update", ({ method }, response) =>
      answerJson(response, method === "GET" ? EMPLOYEE : { ok: true }),
    );
    expect(await result)
      .to.have.nested.property("changes[0].record")
      .that.deep.equals(EMPLOYEE);
  });

  it("read what was created from the address that the answer gives", async () => {
    const { result, requests } = await performed("Create", ({ method }, response) =>
      method === "GET"
        ? answerJson(response, EMPLOYEE)
        : response.writeHead(201, { location: "/employees/a%2F1" }).end(),
    );
    expect(await result).to.deep.equal({
      outcome: "succeeded",
      output: { id: "a/1" },
      changes: [{ dataObject: "Employee", operation: "upsert", record: EMPLOYEE }],
    });
    expect(requests.map(({ method, path }) => `${method} ${path}`)).to.deep.equal([
      "POST /employees",
      "GET /employees/a%2F1",
    ]);
  });

  it("succeed where nobody says what was created: another try would do it twice", async () => {
    for (const status of [201, 204]) {
      const { result, requests } = await performed("Create", (_, response) =>
        response.writeHead(status).end(),
      );
      expect(await result).to.deep.equal({ outcome: "succeeded", output: {}, changes: [] });
      expect(requests).to.have.length(1);
    }
  });

  it("succeed where the record can't be read back", async () => {
    const answers: readonly Parameters<typeof serve>[0][] = [
      ({ method }, response) => response.writeHead(method === "GET" ? 503 : 204).end(),
      ({ method }, response) => (method === "GET" ? response.destroy() : response.writeHead(204).end()),
      ({ method }, response) => (method === "GET" ? answerJson(response, {}) : response.writeHead(204).end()),
      (_, response) => response.writeHead(200, { "content-type": "text/plain" }).end("OK"),
    ];
    for (const answer of answers) {
      const { result } = await performed("Update", answer);
      expect(await result).to.deep.equal({ outcome: "succeeded", output: { id: "a/1" }, changes: [] });
    }
  });

  for (const status of [200, 204, 404, 410]) {
    it(`tell the cache that a record is gone where ${status} answers to its delete`, async () => {
      const { result } = await performed("Delete", (_, response) => response.writeHead(status).end());
      expect(await result).to.deep.equal({
        outcome: "succeeded",
        output: { id: "a/1" },
        changes: [{ dataObject: "Employee", operation: "delete", record: { id: "a/1" } }],
      });
    });
  }

  it("take a page in HTML for no answer: nobody knows whether the target system has acted", async () => {
    for (const name of ["Update", "Delete"]) {
      const { result } = await performed(name, (_, response) =>
        response.writeHead(200, { "content-type": "text/html" }).end("<form>Sign in</form>"),
      );
      const error = await rejection(result);
      expect(error).to.include({ name: "ResponseError", statusCode: 200 });
      expect(retryOf(error)).to.equal("never");
    }
  });

  it("replace a record with PUT", async () => {
    const { origin, requests } = await serve((_, response) => response.writeHead(204).end());
    const ApiClient = functions["ApiClient"] as new (http: HttpClient, baseUrl: string) => HttpClient;
    await new ApiClient(clientAt(origin), origin).put("employees/1", { name: "Ann" } as never);
    expect(requests[0]).to.include({ method: "PUT", path: "/employees/1", body: '{"name":"Ann"}' });
  });
});
