import { expect } from "chai";
import {
  apiKeyHandler,
  basicHandler,
  headerHandler,
  type Middleware,
  RequestRefusedError,
} from "../../../runtime/client/index.js";
import { answerJson, clientAt, closeServers, serve } from "../../support/loopback.js";

describe("an auth handler", () => {
  afterEach(closeServers);

  /** What arrives of a call that has headers and a query of its own. */
  async function arrived(auth: Middleware) {
    const server = await serve((_, response) => answerJson(response, 1));
    const headers = { AUTHORIZATION: "old", "x-API-key": "old", "X-Tenant": "old" };
    await clientAt(server.origin, { auth }).get("x?a=1&key=old", { headers });
    const [request = expect.fail()] = server.requests;
    return request;
  }

  it("sets a header in place of any of that name", async () => {
    const { headers } = await arrived(headerHandler({ name: "Authorization", value: () => "Token api=k" }));
    expect(headers).to.include({ authorization: "Token api=k", "x-api-key": "old" });
  });

  it("waits for the value of a header, asks for it with each call, and removes others", async () => {
    const server = await serve((request, response) => answerJson(response, request.headers));
    let count = 0;
    const value = async () => `k${++count}`;
    const auth = headerHandler({ name: "Api-Key", value, remove: ["X-Tenant"] });
    const http = clientAt(server.origin, { auth });
    for (const expected of ["k1", "k2"]) {
      const { result } = await http.get<object>("x", { headers: { "x-tenant": "t" } });
      expect(result).to.include({ "api-key": expected }).and.to.not.have.property("x-tenant");
    }
  });

  it("sets an API key in X-Api-Key, in another header or in the query", async () => {
    expect((await arrived(apiKeyHandler({ key: "k" }))).headers).to.include({ "x-api-key": "k" });
    expect((await arrived(apiKeyHandler({ key: "k", name: "Api-Key" }))).headers).to.include({
      "api-key": "k",
    });
    const { path } = await arrived(apiKeyHandler({ key: "k&=%", name: "key", in: "query" }));
    expect(path).to.equal("/x?a=1&key=k%26%3D%25");
  });

  it("sets user and password in UTF-8", async () => {
    const { headers } = await arrived(basicHandler({ username: "jörg", password: "pä:ß€" }));
    const [, encoded = ""] = (headers.authorization ?? "").split("Basic ");
    expect(Buffer.from(encoded, "base64").toString("utf8")).to.equal("jörg:pä:ß€");
  });

  it("refuses a user name with a colon, without showing it", () => {
    expect(() => basicHandler({ username: "canary:x", password: "p" }))
      .to.throw(RequestRefusedError)
      .with.property("message")
      .that.does.not.include("canary");
  });

  it("runs once a call, before the retries", async () => {
    let calls = 0;
    const server = await serve((_, response, count) => {
      if (count < 3) response.writeHead(503).end();
      else answerJson(response, 1);
    });
    const value = () => `k${++calls}`;
    await clientAt(server.origin, {
      auth: headerHandler({ name: "X-Key", value }),
      retry: { firstDelayMs: 1 },
    }).get("x");
    expect(server.requests.map(({ headers }) => headers["x-key"])).to.deep.equal(["k1", "k1", "k1"]);
  });
});
