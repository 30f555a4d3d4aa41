import { expect } from "chai";
import { generate } from "selfsigned";
import { ConnectionFailure } from "../../../../runtime/client/index.js";
import { clientAt } from "../../../support/api-client.js";
import { folderWith, run } from "../../../support/command-line.js";
import { answerJson, closeServers, listen, rejection } from "../../../support/loopback.js";
import { inRepository } from "../../../support/repository.js";

const DAY_MS = 86_400_000;

interface Certified {
  readonly host?: string;
  /** Days from now. */
  readonly from?: number;
  readonly until?: number;
}

/** A server over TLS with a certificate that it made itself. */
async function served({ host = "127.0.0.1", from = -1, until = 1 }: Certified) {
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

/** What a process says that trusts the certificate as the documents tell. */
async function saidWithTrust({ origin, cert }: { readonly origin: string; readonly cert: string }) {
  const client = JSON.stringify(inRepository("dist/test/support/api-client.js"));
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

  it("fails at once where the certificate is not trusted, and says so", async () => {
    const { origin } = await served({});
    const error = await rejection(clientAt(origin, { retry: { tries: 5 } }).get("x"));
    expect(error).to.be.instanceOf(ConnectionFailure);
    expect(error).to.include({ tries: 1, code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
    expect(String(error)).to.include("the server's certificate is not trusted");
  });

  it("succeeds where the process is told of the certificate", async () => {
    expect(await saidWithTrust(await served({}))).to.equal("200");
  });

  it("fails where the certificate is for another host, has expired, or is not valid yet", async () => {
    expect(await saidWithTrust(await served({ host: "other.example" }))).to.include("is for another host");
    expect(await saidWithTrust(await served({ from: -2, until: -1 }))).to.include("has expired");
    expect(await saidWithTrust(await served({ from: 1, until: 2 }))).to.include("is not valid yet");
  });

  it("fails where the server speaks no TLS", async () => {
    const { origin } = await listen((_, response) => answerJson(response, 1));
    const error = await rejection(clientAt(origin.replace("http:", "https:")).get("x"));
    expect(String(error)).to.include("does not speak TLS");
  });
});
