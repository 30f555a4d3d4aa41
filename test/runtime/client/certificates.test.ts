import { createPrivateKey } from "node:crypto";
import type { TLSSocket } from "node:tls";
import { expect } from "chai";
import { generate } from "selfsigned";
import { NetworkError, RequestRefusedError } from "../../../runtime/client/index.js";
import { folderWith } from "../../support/folders.js";
import { answerJson, clientAt, closeServers, listen } from "../../support/loopback.js";
import { run } from "../../support/processes.js";
import { rejection } from "../../support/promises.js";
import { inRepository } from "../../support/repository.js";

const DAY_MS = 86_400_000;

interface Certified {
  readonly host?: string;
  /** Days from now. */
  readonly from?: number;
  readonly until?: number;
}

/** A server over TLS with a certificate that it made itself. */
async function startTlsServer({ host = "127.0.0.1", from = -1, until = 1 }: Certified) {
  const altName = /^[\d.]+$/.test(host) ? { type: 7 as const, ip: host } : { type: 2 as const, value: host };
  const { private: key, cert } = await generate([{ name: "commonName", value: host }], {
    notBeforeDate: new Date(Date.now() + from * DAY_MS),
    notAfterDate: new Date(Date.now() + until * DAY_MS),
    extensions: [{ name: "subjectAltName", altNames: [altName] }],
  });
  const server = await listen((_, response) => answerJson(response, 1), [], {
    key,
    cert,
  });
  return { origin: server.origin, cert };
}

async function certificateFor(name: string) {
  const altNames = [{ type: 7 as const, ip: "127.0.0.1" }];
  const { private: key, cert } = await generate([{ name: "commonName", value: name }], {
    extensions: [{ name: "subjectAltName", altNames }],
  });
  return { key, cert };
}

/** What a process says that trusts the certificate as the documents tell. */
async function outputWithTrust({ origin, cert }: { readonly origin: string; readonly cert: string }) {
  const client = JSON.stringify(inRepository("dist/test/support/loopback.js"));
  const folder = folderWith({
    "ca.pem": cert,
    "call.mjs": `import { clientAt } from ${client};
      const call = clientAt(${JSON.stringify(origin)}).get("x");
      console.log(await call.then(({ statusCode }) => statusCode, ({ message }) => message));`,
  });
  const environment = { NODE_EXTRA_CA_CERTS: "ca.pem" };
  const { stdout, stderr } = await run(folder, process.execPath, ["call.mjs"], { environment });
  expect(stderr).to.equal("");
  return stdout.trim();
}

describe("a call over TLS", () => {
  afterEach(closeServers);

  it("fails at once if the certificate is not trusted, and says so", async () => {
    const { origin } = await startTlsServer({});
    const error = await rejection(clientAt(origin, { retry: { maxAttempts: 5 } }).get("x"));
    expect(error).to.be.instanceOf(NetworkError);
    expect(error).to.include({ attempts: 1, code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
    expect(String(error)).to.include("the server's certificate is not trusted");
  });

  it("succeeds if the process trusts the certificate", async () => {
    expect(await outputWithTrust(await startTlsServer({}))).to.equal("200");
  });

  it("fails if the certificate is for another host, has expired, or is not valid yet", async () => {
    expect(await outputWithTrust(await startTlsServer({ host: "other.example" }))).to.include(
      "is for another host",
    );
    expect(await outputWithTrust(await startTlsServer({ from: -2, until: -1 }))).to.include("has expired");
    expect(await outputWithTrust(await startTlsServer({ from: 1, until: 2 }))).to.include("is not valid yet");
  });

  it("succeeds if the connection trusts the authority, which no other connection does", async () => {
    const { origin, cert } = await startTlsServer({});
    expect((await clientAt(origin, { tls: { ca: cert } }).get("x")).statusCode).to.equal(200);
    const error = await rejection(clientAt(origin, { tls: { ca: "" } }).get("x"));
    expect(error).to.include({ code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
  });

  it("shows the certificate of the connection to its servers, and to no other origin", async () => {
    const identity = await certificateFor("the connector");
    const shown: string[] = [];
    const start = async (name: string, location?: () => string) => {
      const own = await certificateFor(name);
      const asking = {
        ...own,
        requestCert: true,
        rejectUnauthorized: location !== undefined,
        ca: identity.cert,
      };
      const server = await listen(
        (request, response) => {
          const { subject } = (request.socket as TLSSocket).getPeerCertificate();
          shown.push(`${name}: ${subject?.CN ?? "none"}`);
          if (location !== undefined) response.writeHead(302, { location: location() }).end();
          else answerJson(response, 1);
        },
        [],
        asking,
      );
      return { ...server, cert: own.cert };
    };
    const other = await start("other");
    const server = await start("own", () => `${other.origin}/x`);
    const ca = `${server.cert}\n${other.cert}`;
    const { cert, key } = identity;
    const { statusCode } = await clientAt(server.origin, { tls: { cert, key, ca } }).get("x");
    expect(statusCode).to.equal(200);
    expect(shown).to.deep.equal(["own: the connector", "other: none"]);
    expect(await rejection(clientAt(server.origin, { tls: { ca } }).get("x"))).to.be.instanceOf(NetworkError);
  });

  it("takes an encrypted key with its passphrase, and refuses what can't be used without quoting it", async () => {
    const { cert, key } = await certificateFor("the connector");
    const passphrase = "open sesame";
    const encrypted = createPrivateKey(key).export({
      ...{ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase },
    }) as string;
    const { origin, cert: ca } = await startTlsServer({});
    const client = clientAt(origin, { tls: { cert, key: encrypted, passphrase, ca } });
    expect((await client.get("x")).statusCode).to.equal(200);
    for (const wrong of [
      { cert },
      { cert, key: "hunter2" },
      { cert, key: encrypted, passphrase: "hunter2" },
      { ca: "hunter2" },
    ])
      expect(() => clientAt(origin, { tls: wrong }))
        .to.throw(RequestRefusedError, /cert/)
        .with.property("message")
        .that.does.not.include("hunter2");
  });

  it("fails if the server speaks no TLS", async () => {
    const { origin } = await listen((_, response) => answerJson(response, 1));
    const error = await rejection(clientAt(origin.replace("http:", "https:")).get("x"));
    expect(String(error)).to.include("does not speak TLS");
  });
});
