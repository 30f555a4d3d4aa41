import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect } from "chai";
import { generate } from "selfsigned";
import { clientCredentialsHandler, NetworkError, type TlsOptions } from "../../../runtime/client/index.js";
import { closeProxies, startConnectProxy } from "../../support/connect-proxy.js";
import { answerJson, clientAt, closeServers, deadOrigin, listen, serve } from "../../support/loopback.js";
import { rejection } from "../../support/promises.js";

/** What is behind the proxy only: a server over TLS, for `target.test` and an address of nobody. */
async function startTarget(answer = () => ({ isTarget: true })) {
  const altNames = [
    { type: 2 as const, value: "target.test" },
    { type: 7 as const, ip: "192.0.2.1" },
  ];
  const { private: key, cert } = await generate([{ name: "commonName", value: "target.test" }], {
    extensions: [{ name: "subjectAltName", altNames }],
  });
  const seen: string[] = [];
  const server = await listen(
    (request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers["proxy-authorization"] ?? "-"}`);
      answerJson(response, answer());
    },
    [],
    { key, cert },
  );
  const { port } = new URL(server.origin);
  return { origin: `https://target.test:${port}`, port, seen, tls: { ca: cert } satisfies TlsOptions };
}

const SECRETS = ["someone", "s3cret", Buffer.from("someone:s3cret%").toString("base64")];

async function failure(call: Promise<unknown>): Promise<NetworkError> {
  const error = await rejection(call);
  if (!(error instanceof NetworkError)) throw error;
  for (const secret of SECRETS) expect(error.message).not.to.include(secret);
  expect(error).to.not.have.property("cause");
  return error;
}

describe("a call through the proxy of the environment", () => {
  afterEach(async () => {
    await closeProxies();
    await closeServers();
  });

  it("reaches an https server in a tunnel, whose connections are used again", async () => {
    const proxy = await startConnectProxy();
    const { origin, port, seen, tls } = await startTarget();
    const client = clientAt(origin, { tls, host: { environment: { HTTPS_PROXY: `http://${proxy.host}` } } });
    expect((await client.get("x")).result).to.deep.equal({ isTarget: true });
    expect((await client.post("y", { json: {} })).statusCode).to.equal(200);
    expect(proxy.asked).to.deep.equal([`CONNECT target.test:${port}`]);
    expect(seen).to.deep.equal(["GET /x -", "POST /y -"]);
  });

  it("checks the certificate of a server that has an address and no name", async () => {
    const proxy = await startConnectProxy();
    const { port, tls } = await startTarget();
    const host = { environment: { https_proxy: proxy.host } };
    expect((await clientAt(`https://192.0.2.1:${port}`, { tls, host }).get("x")).statusCode).to.equal(200);
    const error = await failure(clientAt(`https://192.0.2.2:${port}`, { tls, host }).get("x"));
    expect(error).to.include({ code: "ERR_TLS_CERT_ALTNAME_INVALID", retry: "never" });
    const untrusted = await failure(clientAt(`https://target.test:${port}`, { host }).get("x"));
    expect(untrusted).to.include({ code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
  });

  it("has an http server called by the proxy, with bodies and queries", async () => {
    const proxy = await startConnectProxy();
    const server = await serve((request, response) => answerJson(response, request.body));
    const origin = server.origin.replace("127.0.0.1", "target.test");
    const client = clientAt(origin, { host: { environment: { HTTP_PROXY: proxy.host, HTTPS_PROXY: "x" } } });
    const { result } = await client.post("x", { json: { a: "ä" }, query: { q: "http://x/y" } });
    expect(result).to.equal('{"a":"ä"}');
    expect((await client.get("y")).statusCode).to.equal(200);
    expect(proxy.asked).to.deep.equal([`POST ${origin}/x?q=http%3A%2F%2Fx%2Fy`, `GET ${origin}/y`]);
  });

  it("shows user and password to the proxy, and to nobody else", async () => {
    const proxy = await startConnectProxy({ credentials: "someone:s3cret%" });
    const { origin, seen, tls } = await startTarget();
    const named = (credentials: string) => ({
      environment: {
        HTTPS_PROXY: `http://${credentials}${proxy.host}`,
        HTTP_PROXY: `http://${credentials}${proxy.host}`,
      },
    });
    // A percent sign may be encoded or not.
    for (const credentials of ["someone:s3cret%25@", "someone:s3cret%@"])
      expect((await clientAt(origin, { tls, host: named(credentials) }).get("x")).statusCode).to.equal(200);
    expect(seen).to.deep.equal(["GET /x -", "GET /x -"]);
    for (const target of [origin, "http://target.test:1"]) {
      const absent = await failure(clientAt(target, { tls, host: named("") }).get("x"));
      expect(absent).to.include({ code: "ERR_PROXY_AUTHENTICATION", retry: "never" });
      expect(absent.message).to.match(
        /asks for a user and a password \(407\): write HTTPS?_PROXY=http:\/\/user:password@/,
      );
      const wrong = await failure(
        clientAt(target, { tls, host: named("someone:s3cret@"), retry: { maxAttempts: 3 } }).get("x"),
      );
      expect(wrong.attempts).to.equal(1);
      expect(wrong.message).to.match(/refuses the user and the password in HTTPS?_PROXY \(407\)/);
    }
  });

  it("says which proxy is down, refuses, says nothing, or is none", async () => {
    const { origin, port, tls } = await startTarget();
    const callBy = (HTTPS_PROXY: string) =>
      failure(
        clientAt(origin, { tls, timeouts: { connectMs: 200 }, host: { environment: { HTTPS_PROXY } } }).get(
          "x",
        ),
      );
    const dead = (await deadOrigin()).replace("//", "//someone:s3cret@");
    const down = await callBy(dead);
    expect(down).to.include({ code: "ECONNREFUSED", retry: "later" });
    expect(down.message).to.include(
      `the proxy ${dead.replace("someone:s3cret@", "")} of HTTPS_PROXY can't be reached: the connection was refused`,
    );
    const refused = await callBy((await startConnectProxy({ refusal: 403 })).host);
    expect(refused).to.include({ code: "ERR_PROXY_REFUSED", retry: "never" });
    expect(refused.message).to.include("gives no way to the server: it answered CONNECT with 403");
    const busy = await callBy((await startConnectProxy({ refusal: 503 })).host);
    expect(busy).to.include({ code: "ERR_PROXY_UNAVAILABLE", retry: "later" });
    const silent = await callBy((await startConnectProxy({ isSilent: true })).host);
    expect(silent).to.include({ code: "ETIMEDOUT", retry: "later" });
    expect(silent.message).to.match(
      /connecting through the proxy http:\/\/127\.0\.0\.1:\d+ of HTTPS_PROXY took too long/,
    );
    for (const none of ["socks5://someone:s3cret@127.0.0.1", "http://someone:s3cret@", "someone s3cret"]) {
      const invalid = await callBy(none);
      expect(invalid).to.include({ code: "ERR_PROXY_INVALID", retry: "never" });
      expect(invalid.message).to.include(
        "HTTPS_PROXY is no address of an HTTP proxy, such as http://host:3128",
      );
    }
    expect(port).to.not.equal("");
  });

  it("ends if the server behind the tunnel says nothing, or what is no TLS", async () => {
    const proxy = await startConnectProxy();
    const environment = { HTTPS_PROXY: proxy.host };
    const plain = await serve((_, response) => answerJson(response, 1));
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const call = (port: string | undefined) =>
      failure(
        clientAt(`https://target.test:${port}`, { timeouts: { connectMs: 200 }, host: { environment } }).get(
          "x",
        ),
      );
    const error = await call(new URL(plain.origin).port);
    expect(error.retry).to.equal("never");
    expect(error.message).to.include("the server does not speak TLS as it should");
    expect((await call(String(port))).message)
      .to.include("through the proxy")
      .and.include("took too long");
    silent.close();
  });

  it("takes token requests the same way", async () => {
    const proxy = await startConnectProxy();
    const { origin, port, tls, seen } = await startTarget(() => ({
      isTarget: true,
      access_token: "t",
      token_type: "bearer",
    }));
    const host = { environment: { ALL_PROXY: proxy.host } };
    const auth = clientCredentialsHandler(
      { tokenUrl: `${origin}/token`, clientId: "c", clientSecret: "s" },
      host,
    );
    expect((await clientAt(origin, { tls, auth, host }).get("x")).statusCode).to.equal(200);
    expect(proxy.asked).to.deep.equal([`CONNECT target.test:${port}`]);
    expect(seen).to.deep.equal(["POST /token -", "GET /x -"]);
  });

  it("goes directly to the own machine", async () => {
    const server = await serve((_, response) => answerJson(response, 1));
    const host = { environment: { HTTP_PROXY: await deadOrigin() } };
    expect((await clientAt(server.origin, { host }).get("x")).statusCode).to.equal(200);
  });

  it("is not used where the environment names none, whatever the process has", async () => {
    const proxy = await startConnectProxy();
    const before = process.env["HTTP_PROXY"];
    process.env["HTTP_PROXY"] = proxy.host;
    try {
      await failure(clientAt("http://target.invalid").get("x"));
      expect(proxy.asked).to.deep.equal([]);
    } finally {
      if (before === undefined) delete process.env["HTTP_PROXY"];
      else process.env["HTTP_PROXY"] = before;
    }
  });
});

describe("NO_PROXY", () => {
  afterEach(closeProxies);

  const isProxied = async (address: string, NO_PROXY: string) => {
    const proxy = await startConnectProxy({ refusal: 403 });
    const environment = { ALL_PROXY: proxy.host, NO_PROXY };
    const error = await failure(
      clientAt(address, { timeouts: { connectMs: 50 }, host: { environment } }).get("x"),
    ).catch(() => undefined);
    return error?.code === "ERR_PROXY_REFUSED" && proxy.asked.length > 0;
  };

  for (const [address, list, expected] of [
    ["https://api.invalid", "", true],
    ["https://api.invalid", "*", false],
    ["https://api.invalid", "api.invalid", false],
    ["https://API.invalid.", "other, Api.Invalid", false],
    ["https://v2.api.invalid", "api.invalid", false],
    ["https://v2.api.invalid", ".api.invalid", false],
    ["https://v2.api.invalid", "*.api.invalid", false],
    ["https://notapi.invalid", "api.invalid,.api.invalid", true],
    ["https://api.invalid", "api.invalid:8443", true],
    ["https://api.invalid:8443", "api.invalid:8443", false],
    ["https://api.invalid", "api.invalid:443 x", false],
    ["https://api.invalid", ". ,:,/8,[", true],
    ["https://192.0.2.7:1", "192.0.2.8", true],
    ["https://192.0.2.7:1", "192.0.2.7", false],
    ["https://192.0.2.7:1", "192.0.2.0/29", false],
    ["https://192.0.2.8:1", "192.0.2.0/29,192.0.2.0/33,192.0.2.0/x", true],
    ["https://[2001:db8::7]:1", "2001:db8::/32", false],
    ["https://[2001:db8::7]:1", "[2001:db8::7]:1", false],
    ["https://[2001:db8::7]:1", "192.0.2.0/0", true],
  ] as const)
    it(`${JSON.stringify(list)} ${expected ? "leaves the proxy to" : "means"} ${address}`, async () => {
      expect(await isProxied(address, list)).to.equal(expected);
    });
});
