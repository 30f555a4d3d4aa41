import type { ServerResponse } from "node:http";
import { expect } from "chai";
import { AuthenticationError, NetworkError, type ResponseError } from "../../../runtime/client/index.js";
import {
  type AnyHandlerDeclaration,
  actionKey,
  answer,
  answered,
  defineHandler,
  input,
  rest,
  setting,
} from "../../../runtime/entries/runtime.js";
import { attemptsAt, CreateItem, InputClass, KEY, newItem } from "../../support/declared-action.js";
import { item } from "../../support/item-cache.js";
import { answerJson, closeServers, deadOrigin, type SeenRequest, serve } from "../../support/loopback.js";
import { failure } from "../../support/promises.js";
import { recordClass } from "../../support/registration.js";

const CREATE = { call: "POST /items", answer: answer<ReturnType<typeof item>>(), record: "$" } as const;
const UPSERT = { ...CREATE, change: "upsert" } as const;
const NOT_FOUND = { error: { code: "E7", message: "There is no such item" } };

type Answer = readonly [status: number, body?: unknown, headers?: Readonly<Record<string, string>>] | "reset";

/** A server that gives these answers, one after the other; the last one again and again. */
function answering(...answers: readonly (Answer | ((request: SeenRequest) => Answer))[]) {
  return serve((request, response, count) => {
    const planned = answers[Math.min(count, answers.length) - 1] ?? "reset";
    give(response, typeof planned === "function" ? planned(request) : planned);
  });
}

function give(response: ServerResponse, given: Answer): void {
  if (given === "reset") return void response.socket?.destroy();
  const [status, body, headers = {}] = given;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (body === undefined) response.writeHead(status).end();
  else answerJson(response, body, status);
}

const asked = ({ method, path }: SeenRequest) => `${method} ${path}`;

describe("a declared handler", () => {
  afterEach(closeServers);

  it("sends the input, and gives the output and the change of the record that is answered", async () => {
    let notedBefore = 0;
    const { origin, requests } = await answering(() => {
      notedBefore = notes.length;
      return [201, item(7, { name: "Seven" })];
    });
    const { context, notes } = attemptsAt(origin);
    const handler = defineHandler(CreateItem, UPSERT);
    const given = new InputClass({ company: "a", serialNumber: "n7", name: undefined });
    expect(await handler(given, context)).to.deep.equal({
      outcome: "succeeded",
      output: { id: 7, company: "a", name: "Seven" },
      changes: [{ dataObject: "Item", operation: "upsert", record: item(7, { name: "Seven" }) }],
    });
    expect(requests.map(asked)).to.deep.equal(["POST /items"]);
    expect(JSON.parse(requests[0]?.body ?? "")).to.deep.equal(newItem(7));
    expect(notes.map(({ stage }) => stage)).to.deep.equal(["intent", "confirmed"]);
    expect(notedBefore).to.equal(1);
  });

  it("puts values of the input, settings and the key where the declaration says, encoded", async () => {
    const { origin, requests } = await answering([204]);
    const handler = defineHandler(CreateItem, {
      call: "POST /teams/{team}/items/{number}",
      path: { team: setting("Team"), number: input("serial_number") },
      query: { city: input("address.city"), tag: input("tags"), none: input("id"), fixed: [1, 2] },
      headers: { "X-Region": setting("Region"), "X-Key": actionKey, "X-None": input("name") },
      body: { data: rest, type: "rest" },
    });
    const given = newItem(1, {
      serial_number: "a/b ?#%é",
      address: { city: "&=+", street: "x" },
      tags: ["1", "2"],
      secret: "s",
    });
    await handler(given, attemptsAt(origin).context);
    const path = "/teams/t%2F1/items/a%2Fb%20%3F%23%25%C3%A9?city=%26%3D%2B&tag=1&tag=2&fixed=1&fixed=2";
    expect(requests.map(asked)).to.deep.equal([`POST ${path}`]);
    expect(requests[0]?.headers).to.include({ "x-region": "eu 1", "x-key": KEY });
    expect(requests[0]?.headers).to.not.have.property("x-none");
    expect(JSON.parse(requests[0]?.body ?? "")).to.deep.equal({
      data: { company: "a", address: { street: "x" }, secret: "s" },
      type: "rest",
    });
  });

  const BODIES: readonly (readonly [string, Partial<AnyHandlerDeclaration>, unknown])[] = [
    [
      "the rest beside other members",
      { body: { ...rest, type: "x", title: input("name") } },
      {
        company: "a",
        serial_number: "n1",
        type: "x",
        title: "One",
      },
    ],
    ["the whole input", { body: [input("$")], query: { q: input("name") } }, [newItem(1, { name: "One" })]],
    ["a constant", { body: { a: [null, true, 1.5], b: "$" } }, { a: [null, true, 1.5], b: "$" }],
    ["what the input lacks as nothing", { body: { a: input("id"), b: [input("id"), 1] } }, { b: [1] }],
    ["nothing", { body: null }, ""],
    ["nothing by DELETE", { call: "DELETE /items" }, ""],
    ["nothing by GET", { call: "GET /items" }, ""],
    ["the rest by PATCH", { call: "PATCH /items" }, newItem(1, { name: "One" })],
    ["a form", { encoding: "form", query: { c: input("company") } }, "serial_number=n1&name=One"],
  ];
  for (const [what, declared, expected] of BODIES)
    it(`sends ${what}`, async () => {
      const { origin, requests } = await answering([204]);
      const handler = defineHandler(CreateItem, { call: "POST /items", ...declared } as never);
      await handler(newItem(1, { name: "One" }), attemptsAt(origin).context);
      const [{ body = "", headers = {} } = {}] = requests;
      const type = headers["content-type"];
      expect(type === "application/json" ? JSON.parse(body) : body).to.deep.equal(expected);
      if (expected === "") expect(type).to.equal(undefined);
    });

  const UNSENDABLE: readonly (readonly [string, Partial<AnyHandlerDeclaration>, RegExp])[] = [
    ["a path", { call: "POST /items/{id}", path: { id: input("id") } }, /\{id\} in its path has no value/],
    [
      "a query",
      { query: { a: input("address") } },
      /query can't send an object with the members "city" as "a"/,
    ],
    ["a header", { headers: { a: input("tags") } }, /header a can't send a list of 1/],
    ["a form", { encoding: "form" }, /"tags" is a list of 1, which a form can't hold/],
    ["a setting", { query: { a: setting("None") } }, /nor the connection has a setting "None"/],
  ];
  for (const [place, declared, message] of UNSENDABLE)
    it(`calls nobody if the value of ${place} can't be sent`, async () => {
      const { origin, requests } = await answering([204]);
      const { context, notes } = attemptsAt(origin);
      const handler = defineHandler(CreateItem, { call: "POST /items", ...declared } as never);
      const error = await failure(handler(newItem(1, { tags: ["x"], address: { city: "x" } }), context));
      expect(error).to.be.instanceOf(TypeError);
      expect(String(error)).to.match(message);
      expect([requests, notes]).to.deep.equal([[], []]);
    });

  it("takes the output from the record, else from the answer, else from the input, or as it is declared", async () => {
    const { origin } = await answering([
      200,
      { data: item(7), part: { company: "part" }, id: 8, name: "Answer" },
    ]);
    const outputs = [
      { record: "data" },
      {},
      { record: "data", output: { id: answered("id"), name: "Fixed", company: input("serial_number") } },
      { output: { id: 1, company: setting("Region"), name: actionKey } },
      { output: answered("data") },
      { record: "part" },
      { record: "data", toOutput: (facts: object) => ({ id: Object.keys(facts).length }) },
    ];
    const results = [];
    for (const declared of outputs) {
      const handler = defineHandler(CreateItem, { call: "POST /items", ...declared } as never);
      results.push(await handler(newItem(1, { name: "Input" }), attemptsAt(origin).context));
    }
    expect(results.map((result) => "output" in result && result.output)).to.deep.equal([
      { id: 7, company: "a", name: "Answer" },
      { id: 8, company: "a", name: "Answer" },
      { id: 8, company: "n1", name: "Fixed" },
      { id: 1, company: "eu 1", name: KEY },
      item(7),
      { id: 8, company: "part", name: "Answer" },
      { id: 3 },
    ]);
  });

  it("gives an output that is no object: nothing if it can be nothing, else the answer", async () => {
    const { origin } = await answering([200, [1, 2]]);
    const schemas = [{ type: "object" }, { type: "null" }, { type: "array" }, {}];
    const outputs = [];
    for (const schema of schemas) {
      const action = { ...CreateItem, output: recordClass("Output", schema) };
      const handler = defineHandler(action as unknown as typeof CreateItem, { call: "POST /items" });
      const result = await handler(newItem(1), attemptsAt(origin).context);
      outputs.push("output" in result && result.output);
    }
    expect(outputs).to.deep.equal([{}, null, [1, 2], {}]);
  });

  it("reads the record that the answer does not have, by what is known of it", async () => {
    const whole = item(7, { name: "Read" });
    const cases: readonly (readonly [object, Answer, asked: string])[] = [
      [{ record: "$", reread: "GET /items/{company}/{id}" }, [201, { id: 7 }], "GET /items/a/7"],
      [{ record: "data", reread: "GET /items/{id}" }, [200, { data: { id: 7 } }], "GET /items/7"],
      [{ reread: "GET /items/{serial_number}" }, [204], "GET /items/n7"],
      [{ reread: "Location" }, [201, undefined, { location: "/items/x%20y?z=1" }], "GET /items/x%20y?z=1"],
      [
        {
          reread: {
            call: "GET /teams/{team}/items/{id}",
            path: { team: setting("Team"), id: answered("new.id") },
            query: { view: input("company") },
            record: "data",
          },
        },
        [200, { new: { id: 9 } }],
        "GET /teams/t%2F1/items/9?view=a",
      ],
    ];
    for (const [declared, first, read] of cases) {
      const { origin, requests } = await answering(first, ({ path }) =>
        path.startsWith("/teams") || "data" in ((first[1] as object | undefined) ?? {})
          ? [200, { data: whole }]
          : [200, whole],
      );
      const handler = defineHandler(CreateItem, {
        call: "POST /items",
        change: "upsert",
        ...declared,
      } as never);
      const result = await handler(newItem(7, { id: 99 }), attemptsAt(origin).context);
      expect(requests.map(asked)).to.deep.equal(["POST /items", read]);
      expect(result).to.deep.include({
        output: { id: 7, company: "a", name: "Read" },
        changes: [{ dataObject: "Item", operation: "upsert", record: whole }],
      });
    }
  });

  it("has succeeded without a change, and says so, if there is no record of what the target system did", async () => {
    for (const second of ["reset", [404, {}], [200, { id: "none" }], [204]] as const) {
      const { origin } = await answering([201, { id: 7, secret: "s3cret" }], second);
      const { context, warnings } = attemptsAt(origin);
      const handler = defineHandler(CreateItem, { ...UPSERT, reread: "GET /items/{id}" });
      expect(await handler(newItem(7), context)).to.deep.equal({
        outcome: "succeeded",
        output: { id: 7, company: "a" },
        changes: [],
      });
      expect(warnings).to.have.length(1);
      expect(warnings[0]).to.match(/The next sync brings it\.$/);
    }
    const { origin, requests } = await answering([201]);
    const { context, warnings } = attemptsAt(origin);
    const handler = defineHandler(CreateItem, { ...CREATE, reread: "Location", change: "upsert" });
    expect(await handler(newItem(7), context)).to.deep.include({ changes: [] });
    expect([requests.length, warnings.length]).to.deep.equal([1, 1]);
    const silent = attemptsAt(origin);
    await defineHandler(CreateItem, { call: "POST /items" })(newItem(7), silent.context);
    expect(silent.warnings).to.deep.equal([]);
  });

  it("changes the cache as it is declared", async () => {
    const other = recordClass("Other", { type: "object", properties: { key: {} }, required: ["key"] });
    const upsert = { dataObject: "Item", operation: "upsert", record: item(7) };
    const cases: readonly (readonly [object, unknown, readonly unknown[]])[] = [
      [{ record: "$" }, item(7), []],
      [{ record: "$", change: "none" }, item(7), []],
      [{ record: "item", change: "upsert" }, { item: item(7) }, [upsert]],
      [
        { record: "o", change: { upsert: other } },
        { o: { key: 1 } },
        [{ dataObject: "Other", operation: "upsert", record: { key: 1 } }],
      ],
      [
        { change: "delete" },
        {},
        [{ dataObject: "Item", operation: "delete", record: { company: "a", id: 3 } }],
      ],
      [
        { change: "delete", key: { company: "b", id: input("serial_number") } },
        {},
        [{ dataObject: "Item", operation: "delete", record: { company: "b", id: "n7" } }],
      ],
      [{ change: "delete", record: "$" }, item(7), [{ ...upsert, operation: "delete" }]],
      [
        { change: "delete", record: "gone" },
        { gone: { id: 9 } },
        [{ dataObject: "Item", operation: "delete", record: { company: "a", id: 9 } }],
      ],
    ];
    for (const [declared, body, changes] of cases) {
      const { origin } = await answering([200, body]);
      const handler = defineHandler(CreateItem, { call: "POST /items", ...declared } as never);
      const result = await handler(newItem(7, { id: 3 }), attemptsAt(origin).context);
      expect(result).to.deep.include({ changes });
    }
  });

  it("fails with what the target system refuses, in its own words or as it is declared", async () => {
    const cases: readonly (readonly [object, Answer, unknown])[] = [
      [{}, [404, NOT_FOUND], { code: "404", text: /answered 404 Not Found: There is no such item\.$/ }],
      [{ failures: { 409: { code: "x" } } }, [404, NOT_FOUND], { code: "404", text: /no such item/ }],
      [{ failures: { 404: {} } }, [404, NOT_FOUND], { code: "404", text: /no such item/ }],
      [{ failures: { 404: { code: "none" } } }, [404, NOT_FOUND], { code: "none", text: /no such item/ }],
      [
        { failures: { 404: { code: answered("error.code"), text: answered("error.message") } } },
        [404, NOT_FOUND],
        { code: "E7", text: /^There is no such item$/ },
      ],
      [
        { failures: { 404: { code: answered("code"), text: answered("message") } } },
        [404, NOT_FOUND],
        { code: "404", text: /answered 404/ },
      ],
      [
        { failures: { 422: { code: input("company"), errors: [{ text: answered("$") }] } } },
        [422, "plain words"],
        { code: "a", text: /^plain words$/ },
      ],
      [
        { refused: { at: "ok", is: false, message: "why" } },
        [200, { ok: false, why: "It is closed" }],
        { code: "200", text: /^It is closed$/ },
      ],
      [
        { refused: { at: "ok", is: false }, failures: { 200: { code: answered("error") } } },
        [200, { ok: false, error: "closed" }],
        { code: "closed", text: /^ok is false$/ },
      ],
    ];
    for (const [declared, given, expected] of cases) {
      const { origin } = await answering(given);
      const { context, notes } = attemptsAt(origin);
      const handler = defineHandler(CreateItem, { ...UPSERT, ...declared } as never);
      const result = await handler(newItem(7), context);
      const { code, errors = [] } = "failure" in result ? result.failure : {};
      const { code: wanted, text } = expected as { code: string; text: RegExp };
      expect(code, JSON.stringify(declared)).to.equal(wanted);
      expect(errors[0]?.text).to.match(text);
      expect(notes.map(({ stage }) => stage)).to.deep.equal(["intent"]);
    }
  });

  it("quotes the words of a refusal without the secrets that were sent", async () => {
    const { origin } = await answering([422, { message: "Bearer t0ps3cret is not for you" }]);
    const { context } = attemptsAt(origin, {
      auth: (request, next) =>
        next({ ...request, headers: { ...request.headers, authorization: "Bearer t0ps3cret" } }),
    });
    for (const failures of [{}, { 422: { text: answered("message") } }]) {
      const result = await defineHandler(CreateItem, { ...CREATE, failures })(newItem(7), context);
      expect(result.outcome).to.equal("failed");
      expect(JSON.stringify(result))
        .to.match(/is not for you/)
        .and.not.match(/t0ps3cret/);
    }
  });

  it("throws what may pass, and what nobody knows the meaning of", async () => {
    const page = { "content-type": "text/html" };
    const { origin } = await serve((_, response, count) => {
      if (count <= 4) return answerJson(response, {}, [401, 408, 429, 503][count - 1]);
      if (count === 5) return void response.socket?.destroy();
      response.writeHead(200, page).end("<html><body>Sign in</body></html>");
    });
    const { context, notes } = attemptsAt(origin);
    const handler = defineHandler(CreateItem, UPSERT);
    const errors = [];
    for (let round = 0; round < 6; round++) errors.push(await failure(handler(newItem(7), context)));
    expect(errors.slice(0, 4).map((error) => (error as ResponseError).statusCode)).to.deep.equal([
      401, 408, 429, 503,
    ]);
    expect(errors[4]).to.be.instanceOf(NetworkError);
    expect(errors[5]).to.include({ statusCode: 200, retry: "never" });
    expect(notes.at(-1)).to.deep.equal({ stage: "sent", detail: null });
  });

  it("notes that nobody knows what the target system does if it is stopped", async () => {
    const attempts = attemptsAt((await serve(() => attempts.controller.abort(new Error("stop")))).origin);
    const error = await failure(defineHandler(CreateItem, UPSERT)(newItem(7), attempts.context));
    expect(String(error)).to.match(/stop/);
    expect(attempts.notes.map(({ stage, detail }) => [stage, detail])).to.deep.equal([
      ["intent", null],
      ["sent", null],
    ]);
  });

  it("has the words of its declaration, frozen, and refuses what can't be performed, by the member", () => {
    const handler = defineHandler(CreateItem, { ...UPSERT, body: { data: rest } });
    expect(handler.declaration).to.deep.include({ call: "POST /items", change: "upsert" });
    expect([handler, handler.declaration, handler.declaration.body].every(Object.isFrozen)).to.equal(true);
    const where = { a: 1 };
    const wrong: readonly (readonly [object, RegExp])[] = [
      [{ call: "/items" }, /: call is a method and a path/],
      [{ call: "HEAD /items" }, /: call is/],
      [{ call: "POST /{a}" }, /: path\.a is a value for \{a\}/],
      [{ path: { a: 1 } }, /: path\.a has no variable/],
      [{ call: "GET /items", body: rest }, /: body can't be sent by GET/],
      [{ encoding: "xml" }, /: encoding is "json" or "form"/],
      [{ record: "" }, /: record is a way/],
      [{ change: "insert" }, /: change is "upsert"/],
      [{ change: "upsert" }, /: change of "upsert" needs record/],
      [{ reread: "POST /items" }, /: reread is "GET"/],
      [{ reread: { call: "GET /{a}" } }, /: reread\.path\.a is a value/],
      [{ failures: { taken: { code: "x" } } }, /: failures\.taken has no HTTP status/],
      [{ idempotency: {} }, /: idempotency is \{ header/],
      [{ idempotency: { header: "" } }, /: idempotency is/],
      [{ call: "DELETE /items", idempotency: { body: "key" } }, /: idempotency is/],
      [{ idempotency: { lookUp: { call: "PUT /a", items: "$", where } } }, /lookUp\.call is a method/],
      [{ idempotency: { lookUp: { call: "GET /{a}", items: "$", where } } }, /lookUp\.path\.a is a value/],
      [{ idempotency: { lookUp: { call: "GET /a", items: "", where } } }, /lookUp\.items is a way/],
      [{ idempotency: { lookUp: { call: "GET /a", items: "$", where: {} } } }, /lookUp\.where describes/],
    ];
    for (const [declared, message] of wrong)
      expect(() => defineHandler(CreateItem, { call: "POST /items", ...declared } as never)).to.throw(
        TypeError,
        message,
      );
    expect(() => defineHandler(CreateItem, { call: "" } as never)).to.throw("The handler of CreateItem");
  });

  describe("that is tried again", () => {
    const declared = { ...UPSERT, idempotency: { header: "Idempotency-Key" } } as const;

    it("sends the same key", async () => {
      const { origin, requests } = await answering("reset", [503, {}], [201, item(7)]);
      const { context } = attemptsAt(origin, { retry: { maxAttempts: 2, firstDelayMs: 1 } });
      const handler = defineHandler(CreateItem, declared);
      expect(await failure(handler(newItem(7), context))).to.be.instanceOf(NetworkError);
      expect(await failure(handler(newItem(7), context))).to.include({ statusCode: 503 });
      expect(await handler(newItem(7), context)).to.deep.include({ outcome: "succeeded" });
      expect(requests.map(({ headers }) => headers["idempotency-key"])).to.deep.equal(Array(3).fill(KEY));
      const inBody = defineHandler(CreateItem, { ...UPSERT, idempotency: { body: "meta.key" } });
      await inBody(newItem(7), attemptsAt(origin).context);
      expect(JSON.parse(requests[3]?.body ?? "")).to.deep.equal({ ...newItem(7), meta: { key: KEY } });
    });

    it("asks once more if its key is refused, for the call before may be under way", async () => {
      const handler = defineHandler(CreateItem, declared);
      const done = await answering("reset", [409, {}], [201, item(7)]);
      const lost = attemptsAt(done.origin);
      await failure(handler(newItem(7), lost.context));
      expect(await failure(handler(newItem(7), lost.context))).to.include({
        statusCode: 409,
        retry: "later",
      });
      expect(await handler(newItem(7), lost.context)).to.include({ outcome: "succeeded" });
      const taken = await answering("reset", [409, {}]);
      const twice = attemptsAt(taken.origin);
      await failure(handler(newItem(7), twice.context));
      await failure(handler(newItem(7), twice.context));
      expect(await handler(newItem(7), twice.context)).to.include({ outcome: "failed" });
      expect(taken.requests).to.have.length(3);
      const first = await answering([409, {}]);
      expect(await handler(newItem(7), attemptsAt(first.origin).context)).to.include({ outcome: "failed" });
      const unkeyed = attemptsAt(first.origin);
      unkeyed.notes.push({ stage: "sent", detail: null });
      const without = defineHandler(CreateItem, UPSERT);
      expect(await without(newItem(7), unkeyed.context)).to.include({ outcome: "failed" });
    });

    it("does not act again once the target system has confirmed: the answer is kept", async () => {
      const { origin, requests } = await answering([201, { data: item(7) }, { location: "/items/7" }]);
      const attempts = attemptsAt(origin);
      const handler = defineHandler(CreateItem, { ...UPSERT, record: "data" } as never);
      const first = await handler(newItem(7), attempts.context);
      expect(await handler(newItem(7), attempts.context)).to.deep.equal(first);
      expect(requests).to.have.length(1);
    });

    it("reads what the kept answer leads to", async () => {
      const { origin, requests } = await answering(
        [201, undefined, { location: "/items/7" }],
        [503, {}],
        [200, item(7)],
      );
      const attempts = attemptsAt(origin);
      const handler = defineHandler(CreateItem, { ...UPSERT, reread: "Location" });
      expect(await handler(newItem(7), attempts.context)).to.deep.include({ changes: [] });
      const again = await handler(newItem(7), attempts.context);
      expect("changes" in again && again.changes).to.have.length(1);
      expect(requests.map(asked)).to.deep.equal(["POST /items", "GET /items/7", "GET /items/7"]);
    });

    it("acts again only with a key if the answer was too long to be kept", async () => {
      const { origin, requests } = await answering([201, item(7, { name: "x".repeat(300_000) })]);
      const attempts = attemptsAt(origin);
      const long = defineHandler(CreateItem, CREATE);
      await long(newItem(7), attempts.context);
      expect(attempts.notes.at(-1)).to.deep.equal({ stage: "confirmed", detail: null });
      expect(await failure(long(newItem(7), attempts.context))).to.include({ retry: "never" });
      expect(requests).to.have.length(1);
      await defineHandler(CreateItem, declared)(newItem(7), attempts.context);
      expect(requests).to.have.length(2);
      for (const detail of ["a note of code", "7", "null", '{"id":7}']) {
        const noted = attemptsAt(origin);
        noted.notes.push({ stage: "confirmed", detail });
        expect(await failure(long(newItem(7), noted.context))).to.include({ retry: "never" });
      }
    });

    it("takes 404 for done where an attempt before may have deleted it, and only there", async () => {
      const remove = defineHandler(CreateItem, {
        call: "DELETE /items/{id}",
        path: { id: input("id") },
        change: "delete",
      });
      const given = newItem(7, { id: 7 });
      const done = {
        outcome: "succeeded",
        output: { id: 7, company: "a" },
        changes: [{ dataObject: "Item", operation: "delete", record: { company: "a", id: 7 } }],
      };
      for (const status of [404, 410]) {
        const { origin } = await answering("reset", [status, NOT_FOUND]);
        const { context } = attemptsAt(origin, { retry: { maxAttempts: 3, firstDelayMs: 1 } });
        expect(await failure(remove(given, context))).to.be.instanceOf(NetworkError);
        expect(await remove(given, context)).to.deep.equal(done);
      }
      for (const first of [401, 429]) {
        const { origin } = await answering([first, {}], [404, NOT_FOUND]);
        const { context } = attemptsAt(origin);
        expect(await failure(remove(given, context))).to.include({ statusCode: first });
        expect(await remove(given, context)).to.include({ outcome: "failed" });
      }
      const { origin } = await answering([404, NOT_FOUND]);
      const refusing = attemptsAt(origin, {
        auth: () => Promise.reject(new AuthenticationError("There is no token.", "invalid_grant", 400)),
      });
      expect(await failure(remove(given, refusing.context))).to.be.instanceOf(AuthenticationError);
      expect(refusing.notes.at(-1)).to.deep.include({ stage: "intent", detail: "not performed" });
      const lost = attemptsAt(await deadOrigin());
      expect(await failure(remove(given, lost.context))).to.include({ code: "ECONNREFUSED" });
      const { context, notes } = attemptsAt(origin);
      notes.push(...lost.notes);
      expect(await remove(given, context)).to.include({ outcome: "failed" });
      const other = defineHandler(CreateItem, { ...CREATE, change: "none" });
      const again = attemptsAt(origin);
      again.notes.push({ stage: "sent", detail: null });
      expect(await other(given, again.context)).to.include({ outcome: "failed" });
      const byMethod = defineHandler(CreateItem, { call: "DELETE /items" });
      expect(await byMethod(given, again.context)).to.deep.include({ outcome: "succeeded", changes: [] });
      const anyway = defineHandler(CreateItem, {
        call: "POST /items/{id}/delete",
        path: { id: input("id") },
        change: "delete",
        absent: [404],
      });
      expect(await anyway(given, attemptsAt(origin).context)).to.deep.equal(done);
    });
  });

  describe("that looks up what an attempt before has made", () => {
    const handler = defineHandler(CreateItem, {
      ...UPSERT,
      idempotency: {
        lookUp: {
          call: "GET /items",
          query: { number: input("serial_number") },
          items: "data",
          where: { serial_number: input("serial_number"), company: "a" },
          absent: [404],
          ignore: ["total"],
        },
      },
    });
    const tried = (origin: string) => {
      const attempts = attemptsAt(origin);
      attempts.notes.push({ stage: "intent", detail: null });
      return attempts;
    };

    it("does not look up before the first call, nor repeat it by itself", async () => {
      const { origin, requests } = await answering([503, {}]);
      const { context } = attemptsAt(origin, { retry: { maxAttempts: 3, firstDelayMs: 1 } });
      await failure(handler(newItem(7), context));
      expect(requests.map(asked)).to.deep.equal(["POST /items"]);
    });

    it("takes what it finds for what was made", async () => {
      const others = [item(70, { serial_number: "n70" }), { ...item(7), company: "b" }, null, 5];
      for (const data of [[...others, item(7)], item(7)]) {
        const { origin, requests } = await answering([200, { data, total: 90 }]);
        expect(await handler(newItem(7), tried(origin).context)).to.deep.equal({
          outcome: "succeeded",
          output: { id: 7, company: "a" },
          changes: [{ dataObject: "Item", operation: "upsert", record: item(7) }],
        });
        expect(requests.map(asked)).to.deep.equal(["GET /items?number=n7"]);
      }
    });

    it("acts if it finds nothing", async () => {
      for (const nothing of [
        [404, {}],
        [200, { data: [item(8)], total: 90 }],
        [200, { data: [] }],
      ] as const) {
        const { origin, requests } = await answering(nothing, [201, item(7)]);
        expect(await handler(newItem(7), tried(origin).context)).to.include({ outcome: "succeeded" });
        expect(requests.map(({ method }) => method)).to.deep.equal(["GET", "POST"]);
      }
    });

    it("does not act if it can't know", async () => {
      const unknown: readonly (readonly [Answer, RegExp])[] = [
        [[200, { data: [item(7), item(7)] }], /2 records that lookUp\.where describes/],
        [[200, { items: [] }], /lookUp\.items "data" leads to undefined/],
        [[200, { data: [item(8)], paging: { next_cursor: "x" } }], /ask for less in lookUp\.query/],
        [[403, {}], /403/],
        [[503, {}], /503/],
        ["reset", /broke off/],
        [[204], /no content/],
      ];
      for (const [given, message] of unknown) {
        const { origin, requests } = await answering(given);
        expect(String(await failure(handler(newItem(7), tried(origin).context)))).to.match(message);
        expect(requests.map(({ method }) => method)).to.deep.equal(["GET"]);
      }
      const { origin, requests } = await answering([200, { data: [] }]);
      const without = defineHandler(CreateItem, {
        ...CREATE,
        idempotency: { lookUp: { call: "GET /items", items: "data", where: { id: input("id") } } },
      });
      expect(String(await failure(without(newItem(7), tried(origin).context)))).to.match(
        /lookUp\.where\.id is undefined/,
      );
      expect(requests).to.deep.equal([]);
    });

    it("looks once more if an attempt that is repeated is refused", async () => {
      const { origin, requests } = await answering(
        [200, { data: [] }],
        [409, {}],
        [200, { data: [item(7)] }],
      );
      expect(await handler(newItem(7), tried(origin).context)).to.include({ outcome: "succeeded" });
      expect(requests.map(({ method }) => method)).to.deep.equal(["GET", "POST", "GET"]);
      const first = await answering([409, {}]);
      expect(await handler(newItem(7), attemptsAt(first.origin).context)).to.include({ outcome: "failed" });
      expect(first.requests).to.have.length(1);
    });
  });
});
