import { expect } from "chai";
import { apiKeyHandler, headerHandler } from "../../../runtime/client/index.js";
import { answerJson, clientAt, closeServers, type Loopback, serve } from "../../support/loopback.js";

const SECRET = "canary";

describe("a redirect", () => {
  let other: Loopback;

  beforeEach(async () => {
    other = await serve((request, response) => {
      const back = new URLSearchParams(request.path.split("?")[1]).get("back");
      if (back === null) answerJson(response, "other");
      else response.writeHead(302, { location: back }).end();
    });
  });

  afterEach(closeServers);

  /** A server whose path is the status to redirect with, and `to` in the query where. */
  const serveRedirects = () =>
    serve((request, response) => {
      const { pathname, searchParams } = new URL(request.path, "http://x");
      const status = Number(pathname.slice(1));
      if (Number.isNaN(status)) answerJson(response, request.method);
      else response.writeHead(status, { location: searchParams.get("to") ?? "" }).end();
    });

  it("within the origin keeps credentials, and turns into a GET if the status says so", async () => {
    const server = await serveRedirects();
    const http = clientAt(server.origin, { auth: apiKeyHandler({ key: SECRET }) });
    const methods = async (method: "get" | "post" | "put") => {
      const results: unknown[] = [];
      for (const status of [301, 302, 303, 307, 308])
        results.push(
          (
            await http[method](String(status), {
              query: { to: "/end" },
              ...(method === "get" ? {} : { json: 1 }),
            })
          ).result,
        );
      return results;
    };
    expect(await methods("get")).to.deep.equal(["GET", "GET", "GET", "GET", "GET"]);
    expect(await methods("post")).to.deep.equal(["GET", "GET", "GET", "POST", "POST"]);
    expect(await methods("put")).to.deep.equal(["PUT", "PUT", "GET", "PUT", "PUT"]);
    expect(server.requests.filter(({ headers }) => headers["x-api-key"] !== SECRET)).to.deep.equal([]);
    const gets = server.requests.filter(({ method, path }) => method === "GET" && path === "/end");
    expect(gets.filter(({ headers }) => headers["content-type"] !== undefined)).to.deep.equal([]);
  });

  it("to another origin takes neither the handler's header nor any of the author's along", async () => {
    const server = await serveRedirects();
    for (const name of ["Authorization", "X-Api-Key", "X-Custom"]) {
      const http = clientAt(server.origin, { auth: headerHandler({ name, value: () => SECRET }) });
      const headers = { cookie: SECRET, "x-tenant": SECRET, "proxy-authorization": SECRET };
      expect(await http.get("302", { query: { to: `${other.origin}/file` }, headers })).to.include({
        result: "other",
      });
    }
    expect(other.requests.length).to.equal(3);
    expect(JSON.stringify(other.requests)).to.not.include(SECRET);
    expect(other.requests[0]?.headers).to.include({ accept: "application/json" });
  });

  it("to another origin loses the key that the server sent back in the address", async () => {
    const server = await serve((request, response) => {
      const query = request.path.split("?")[1];
      response.writeHead(302, { location: `${other.origin}/file?sig=1&${query}&copy=${SECRET}` }).end();
    });
    const http = clientAt(server.origin, { auth: apiKeyHandler({ key: SECRET, name: "key", in: "query" }) });
    await http.get("x", { query: { page: 2 } });
    expect(other.requests.map(({ path }) => path)).to.deep.equal(["/file?sig=1&page=2"]);
  });

  it("to another origin loses user and password of the address", async () => {
    const server = await serveRedirects();
    const to = other.origin.replace("//", `//user:${SECRET}@`);
    await clientAt(server.origin).get("302", { query: { to } });
    expect(other.requests[0]?.headers).to.not.have.property("authorization");
  });

  it("that comes back from another origin comes without credentials", async () => {
    const server = await serveRedirects();
    const http = clientAt(server.origin, { auth: apiKeyHandler({ key: SECRET }) });
    const to = `${other.origin}/?back=${encodeURIComponent(`${server.origin}/end`)}`;
    expect(await http.get("302", { query: { to } })).to.include({ result: "GET" });
    expect(server.requests.map(({ headers }) => headers["x-api-key"])).to.deep.equal([SECRET, undefined]);
  });

  it("of a body to another origin is not followed: the answer is the redirect", async () => {
    const server = await serveRedirects();
    const http = clientAt(server.origin);
    for (const status of [307, 308])
      expect(await http.post(String(status), { query: { to: other.origin }, json: SECRET })).to.include({
        isSuccessful: false,
        statusCode: status,
      });
    expect(await http.post("302", { query: { to: other.origin }, json: SECRET })).to.include({
      result: "other",
    });
    expect(JSON.stringify(other.requests)).to.not.include(SECRET);
  });

  it("of a body that is a stream is not followed, for it is used up", async () => {
    const server = await serveRedirects();
    async function* body() {
      yield new TextEncoder().encode("a");
    }
    const response = await clientAt(server.origin).put("307", { query: { to: "/end" }, body: body() });
    expect(response.statusCode).to.equal(307);
  });

  it("is followed ten times, and never to what is no HTTP", async () => {
    const server = await serve((request, response) => {
      response.writeHead(302, { location: request.path === "/file" ? "file:///etc/passwd" : "/loop" }).end();
    });
    expect(await clientAt(server.origin).get("loop")).to.include({ statusCode: 302, isSuccessful: false });
    expect(server.requests.length).to.equal(11);
    expect(await clientAt(server.origin).get("file")).to.include({ statusCode: 302 });
  });

  it("is followed for streams too", async () => {
    const server = await serveRedirects();
    const { body, statusCode } = await clientAt(server.origin).stream("302", {
      query: { to: `${other.origin}/f` },
    });
    expect(statusCode).to.equal(200);
    for await (const chunk of body) expect(Buffer.from(chunk).toString()).to.equal('"other"');
  });
});
