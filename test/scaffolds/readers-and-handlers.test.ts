import path from "node:path";
import { expect } from "chai";
import type { HttpClient } from "../../runtime/client/index.js";
import { retryOf } from "../../runtime/retry.js";
import { loadModules } from "../support/author-project.js";
import { connectorcli } from "../support/command-line.js";
import { folderWith } from "../support/folders.js";
import { answerJson, clientAt, closeServers, deadOrigin, serve } from "../support/loopback.js";
import { rejection } from "../support/promises.js";

const EMPLOYEE = { id: "a/1", name: "Ann" };
const ACTION = ["action", "new", "--module-id", "app-1", "--object-name", "Employee", "--name"];

type Reader = (context: object) => AsyncIterable<unknown>;
type Handler = (input: object, context: object) => Promise<object>;

describe("scaffolded readers and handlers", () => {
  const folder = folderWith({});
  let functions: Readonly<Record<string, unknown>> = {};
  let saved: string[] = [];

  before(async () => {
    const calls = [
      ["connector", "new", "Personnel"],
      ["module", "new", "--id", "app-1", "--name", "App", "--key", "app", "--version", "1"],
      ["data-object", "new", "--module-id", "app-1", "--name", "Employee"],
      ["data-object", "new", "--module-id", "app-1", "--name", "Shift", "--reader-type", "incremental"],
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
      expect(saved).to.deep.equal([]);
    }
  });

  it("throw where a page is no list", async () => {
    const { origin } = await serve((_, response) => answerJson(response, { items: [] }));
    expect(await rejection(read("readEmployee", context(origin)))).to.be.instanceOf(Error);
  });

  it("ask for changes since the checkpoint, and save the time at which they began", async () => {
    const { origin, requests } = await serve((_, response, count) =>
      answerJson(response, count === 1 ? [EMPLOYEE] : []),
    );
    const began = Date.now();
    expect(await read("readShift", context(origin, "2026-01-02"))).to.deep.equal([
      { operation: "upsert", record: EMPLOYEE },
    ]);
    expect(requests[0]?.path).to.equal("/shifts?modifiedSince=2026-01-02&page=1&pageSize=100");
    expect(Date.parse(saved[0] ?? "")).to.be.within(began, Date.now());
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

  it("answer with a failure where what was done is told without content: another try would do it twice", async () => {
    const { origin } = await serve((_, response) => response.writeHead(201).end());
    const handler = functions["createEmployee"] as Handler;
    const result = await handler({ name: "Ann" }, context(origin));
    expect(result).to.have.nested.property("failure.code", "201");
  });
});
