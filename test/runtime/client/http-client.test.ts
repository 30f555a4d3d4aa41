import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import {
  NetworkError,
  RequestRefusedError,
  ResponseError,
  resultOrThrow,
} from "../../../runtime/client/index.js";
import { answerJson, clientAt, closeServers, serve } from "../../support/loopback.js";
import { collectGarbage } from "../../support/memory.js";
import { rejection } from "../../support/promises.js";

describe("the HTTP client", () => {
  afterEach(closeServers);

  it("sends method, path below the base address, query, JSON and headers", async () => {
    const server = await serve((_, response) => answerJson(response, { id: 7 }, 201));
    const http = clientAt(`${server.origin}/v2`);
    const response = await http.post<{ id: number }>("projects", {
      query: { dry: true },
      json: { name: "é" },
      headers: { "X-Tenant": "t", "x-none": undefined },
    });
    expect(response).to.deep.include({
      isSuccessful: true,
      result: { id: 7 },
      errorMessage: null,
      statusCode: 201,
    });
    const [{ method, path, headers, body } = expect.fail()] = server.requests;
    expect({ method, path, body }).to.deep.equal({
      method: "POST",
      path: "/v2/projects?dry=true",
      body: '{"name":"é"}',
    });
    expect(headers).to.deep.include({
      "x-tenant": "t",
      "content-type": "application/json",
      accept: "application/json",
    });
    expect(headers).to.not.have.property("x-none");
  });

  it("sends each method, with and without a body", async () => {
    const server = await serve((request, response) => answerJson(response, request.body));
    const http = clientAt(server.origin);
    for (const method of ["post", "put", "patch", "delete"] as const) {
      expect(resultOrThrow(await http[method]("x"))).to.equal("");
      expect(resultOrThrow(await http[method]("x", { body: "text" }))).to.equal("text");
      expect(resultOrThrow(await http[method]("x", { form: { a: "b c", d: 1, e: null } }))).to.equal(
        "a=b+c&d=1",
      );
      expect(resultOrThrow(await http[method]("x", { body: new TextEncoder().encode("bytes") }))).to.equal(
        "bytes",
      );
    }
    expect(await http.head("x")).to.include({ isSuccessful: true, result: null });
    expect(server.requests.map(({ method }) => method)).to.include.members([
      "POST",
      "PUT",
      "PATCH",
      "DELETE",
      "HEAD",
    ]);
  });

  it("sends letters beyond ASCII in a header alike with and without a body, and says what it can't send", async () => {
    const server = await serve((_, response) => answerJson(response, null));
    const http = clientAt(server.origin);
    const headers = { "x-key": "clé" };
    await http.get("x", { headers });
    await http.post("x", { headers, json: { name: "é" } });
    await http.post("x", { headers, form: { name: "é" } });
    expect(server.requests.map((request) => request.headers["x-key"])).to.deep.equal(["clé", "clé", "clé"]);
    const error = await rejection(http.post("x", { headers: { "x-key": "clé€" }, json: {} }));
    expect(error).to.be.instanceOf(RequestRefusedError);
    expect(String(error)).to.include("x-key").and.to.not.include("clé€");
  });

  it("sends a stream as it comes", async () => {
    const server = await serve((request, response) => answerJson(response, request.body.length));
    async function* chunks() {
      for (let count = 0; count < 100; count++) yield new Uint8Array(10_000);
    }
    expect(resultOrThrow(await clientAt(server.origin).put("x", { body: chunks() }))).to.equal(1_000_000);
  });

  it("refuses two bodies, and a body for GET", async () => {
    const http = clientAt("http://127.0.0.1:1");
    expect(await rejection(http.post("x", { json: 1, body: "" }))).to.be.instanceOf(RequestRefusedError);
    expect(await rejection(http.get("x?k=v", { json: 1 })))
      .to.be.instanceOf(RequestRefusedError)
      .with.property("message", "GET http://127.0.0.1:1/x?k=v was not sent: GET has no body.");
  });

  it("refuses a header with a line break and does not show it", async () => {
    const server = await serve((_, response) => answerJson(response, 1));
    const error = await rejection(
      clientAt(server.origin).get("x", { headers: { "x-key": "canary\r\nx: y" } }),
    );
    expect(error)
      .to.be.instanceOf(RequestRefusedError)
      .with.property("message")
      .that.does.not.include("canary");
  });

  it("gives an error status as an answer, with the words of the target system and none of its data", async () => {
    const server = await serve((request, response) => {
      if (request.path === "/json") answerJson(response, { code: "E7" }, 422);
      else response.writeHead(500).end("stack trace");
    });
    const http = clientAt(server.origin);
    expect(await http.get("broken?key=1")).to.deep.include({
      isSuccessful: false,
      result: null,
      statusCode: 500,
      errorMessage: `GET ${server.origin}/broken?key=--hidden value-- answered 500 Internal Server Error: stack trace.`,
      errorBody: "stack trace",
    });
    const { errorMessage, errorBody, statusCode } = await http.get("json");
    expect({ errorMessage, errorBody, statusCode }).to.deep.equal({
      errorMessage: `GET ${server.origin}/json answered 422 Unprocessable Entity.`,
      errorBody: { code: "E7" },
      statusCode: 422,
    });
  });

  it("gives null if there is no content", async () => {
    const server = await serve(
      (request, response) => void response.writeHead(request.path === "/204" ? 204 : 200).end(),
    );
    for (const path of ["204", "200"])
      expect(await clientAt(server.origin).get(path)).to.include({ isSuccessful: true, result: null });
  });

  it("gives an answer that is not the JSON it should be as unsuccessful", async () => {
    const server = await serve((request, response) => {
      if (request.path === "/html")
        response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end("<p>");
      else response.writeHead(200, { "content-type": "application/json" }).end('{"items":[1,2');
    });
    const http = clientAt(server.origin);
    expect(await http.get("html")).to.include({
      isSuccessful: false,
      result: null,
      statusCode: 200,
      errorMessage: `GET ${server.origin}/html answered 200 with text/html instead of JSON.`,
    });
    expect(await http.get("cut")).to.include({
      isSuccessful: false,
      errorMessage: `GET ${server.origin}/cut answered 200 with a body that is no JSON.`,
    });
  });

  it("reads JSON of any JSON type, without a type, and after a byte order mark", async () => {
    const server = await serve((request, response) => {
      const type = request.headers["x-type"];
      response.writeHead(200, typeof type === "string" ? { "content-type": type } : {}).end("\uFEFF[1]");
    });
    for (const type of [
      "application/json; charset=utf-8",
      "application/problem+json",
      "text/json",
      undefined,
    ])
      expect(
        resultOrThrow(await clientAt(server.origin).get("x", { headers: { "x-type": type } })),
      ).to.deep.equal([1]);
  });

  it("gives text if text is asked for", async () => {
    const server = await serve(
      (_, response) => void response.writeHead(200, { "content-type": "text/csv" }).end("a;b"),
    );
    expect(resultOrThrow(await clientAt(server.origin).get("x", { responseType: "text" }))).to.equal("a;b");
  });

  it("keeps connections alive and no cookies", async () => {
    const sockets = new Set<number | undefined>();
    const server = await serve((_, response) => {
      sockets.add(response.socket?.remotePort);
      response.setHeader("set-cookie", "session=1; Path=/");
      answerJson(response, 1);
    });
    const http = clientAt(server.origin);
    for (let count = 0; count < 5; count++) await http.get("x");
    expect(sockets.size).to.equal(1);
    expect(server.requests.filter(({ headers }) => headers.cookie !== undefined)).to.deep.equal([]);
  });

  it("ends with the reason of the call's signal, or of the host's", async () => {
    const server = await serve(() => undefined);
    for (const which of ["call", "host"]) {
      const controller = new AbortController();
      const host = which === "host" ? { signal: controller.signal } : {};
      const signal = which === "call" ? controller.signal : new AbortController().signal;
      const call = clientAt(server.origin, { host, retry: {} }).get("x", { signal });
      setTimeout(() => controller.abort(new Error(`stopped by ${which}`)), 20);
      expect(await rejection(call)).to.have.property("message", `stopped by ${which}`);
    }
  });

  it("sends nothing once the signal is aborted", async () => {
    const server = await serve((_, response) => answerJson(response, 1));
    const call = clientAt(server.origin).get("x", { signal: AbortSignal.abort(new Error("too late")) });
    expect(await rejection(call)).to.have.property("message", "too late");
    expect(server.requests).to.deep.equal([]);
  });

  it("streams an answer, ends with the signal, and lets go of what is not read", async () => {
    const server = await serve((request, response) => {
      response.writeHead(200);
      if (request.path === "/whole") response.end("abc");
      else response.write("abc");
    });
    const http = clientAt(server.origin, { host: { signal: new AbortController().signal } });
    const text = async (body: AsyncIterable<Uint8Array>) => {
      let all = "";
      for await (const chunk of body) all += Buffer.from(chunk).toString();
      return all;
    };
    const whole = await http.stream("whole");
    expect(whole).to.include({ isSuccessful: true, statusCode: 200, errorMessage: null });
    expect(await text(whole.body)).to.equal("abc");
    const controller = new AbortController();
    const half = await http.stream("half", { signal: controller.signal });
    setTimeout(() => controller.abort(new Error("enough")), 20);
    expect(await rejection(text(half.body))).to.have.property("message", "enough");
    for await (const _ of (await http.stream("half")).body) break;
    (await http.stream("half")).close();
  });

  it("streams without holding the answer in memory", async () => {
    let sent = 0;
    const server = await serve((_, response) => {
      const more = () => {
        while (sent < 100_000_000) {
          sent += 100_000;
          if (!response.write(Buffer.alloc(100_000))) return void response.once("drain", more);
        }
        response.end();
      };
      response.writeHead(200);
      more();
    });
    const { body } = await clientAt(server.origin).stream("x");
    const pieces: WeakRef<Uint8Array>[] = [];
    let size = 0;
    let mostAhead = 0;
    for await (const piece of body) {
      size += piece.length;
      pieces.push(new WeakRef(piece));
      // What the client does not ask for stays with the server, but for what the system has buffers for.
      if (pieces.length % 100 === 0) await sleep(5);
      mostAhead = Math.max(mostAhead, sent - size);
    }
    expect(size).to.equal(100_000_000);
    expect(mostAhead).to.be.below(30_000_000);
    await sleep(0);
    collectGarbage();
    const held = pieces.filter((piece) => piece.deref() !== undefined);
    expect(held.length).to.be.below(pieces.length / 10);
  });

  it("has no calls before it has a base address", async () => {
    const http = clientAt("http://127.0.0.1:1");
    expect(() => http.at("nowhere")).to.throw(RequestRefusedError);
    expect(await rejection(http.get("https://elsewhere.test/x"))).to.be.instanceOf(RequestRefusedError);
  });
});

describe("resultOrThrow", () => {
  const answer = {
    isSuccessful: true,
    result: 1,
    errorMessage: null,
    errorBody: null,
    statusCode: 200,
    headers: {},
  };

  it("gives the content of a successful answer", () => {
    expect(resultOrThrow(answer)).to.equal(1);
  });

  it("throws for any other, and if there is no content: a reader must not take it for the end", () => {
    expect(() =>
      resultOrThrow({ ...answer, isSuccessful: false, errorMessage: "GET x answered 404." }),
    ).to.throw(ResponseError, "GET x answered 404.");
    expect(() => resultOrThrow({ ...answer, result: null, statusCode: 204 }))
      .to.throw(ResponseError, "The answer 204 has no content.")
      .with.property("statusCode", 204);
  });

  it("is not needed for failures, which are thrown already", async () => {
    expect(await rejection(clientAt("http://127.0.0.1:1").get("x"))).to.be.instanceOf(NetworkError);
  });
});
