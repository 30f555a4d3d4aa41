import { createServer } from "node:net";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { NetworkError } from "../../../runtime/client/index.js";
import { answerJson, clientAt, closeServers, deadOrigin, listen, serve } from "../../support/loopback.js";
import { rejection } from "../../support/promises.js";

/** Nothing of what went over the line may be in an error, nor anything that leads to it. */
async function failure(promise: Promise<unknown>): Promise<NetworkError> {
  const error = await rejection(promise);
  if (!(error instanceof NetworkError)) throw error;
  expect(Object.keys(error).sort()).to.deep.equal(["attempts", "code", "name", "reason", "request", "retry"]);
  expect(error).to.not.have.property("cause");
  return error;
}

describe("a call without a whole answer", () => {
  afterEach(closeServers);

  it("fails if nobody listens", async () => {
    const origin = await deadOrigin();
    const { message, code } = await failure(clientAt(origin).get("x?token=canary"));
    expect(code).to.equal("ECONNREFUSED");
    expect(message).to.equal(
      `GET ${origin}/x?token=--hidden value-- failed: the connection was refused (ECONNREFUSED).`,
    );
  });

  it("fails if the host is not known", async () => {
    const { code } = await failure(clientAt("http://nowhere.invalid").get("x"));
    expect(code).to.be.oneOf(["ENOTFOUND", "EAI_AGAIN"]);
  });

  it("fails if the connection breaks off before the answer, and within it", async () => {
    const server = await serve((request, response) => {
      if (request.path === "/body") response.writeHead(200, { "content-length": "100" }).write("{");
      setTimeout(() => response.socket?.destroy(), 10);
    });
    for (const path of ["head", "body"])
      expect(await failure(clientAt(server.origin).get(path))).to.have.property("code", "ECONNRESET");
  });

  it("fails if an answer of unknown length breaks off", async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { "content-type": "application/json" }).write('{"items":[1');
      setTimeout(() => response.socket?.destroy(), 10);
    });
    expect(await failure(clientAt(server.origin).get("x"))).to.have.property("code", "ECONNRESET");
  });

  it("fails if the answer does not begin in time", async () => {
    const server = await serve(() => undefined);
    const { message, code } = await failure(
      clientAt(server.origin, { timeouts: { responseMs: 50 } }).get("x"),
    );
    expect(code).to.equal("ETIMEDOUT");
    expect(message).to.include("no answer came in time");
  });

  it("fails if the server does not read the request in time", async () => {
    const server = await listen((request) => request.pause());
    const http = clientAt(server.origin, { timeouts: { bodyMs: 80 } });
    const { message, code } = await failure(http.put("x", { body: "x".repeat(30_000_000) }));
    expect(code).to.equal("ETIMEDOUT");
    expect(message).to.include("sending the request took too long");
  });

  it("fails if connecting takes too long", async () => {
    // Packets to this network go nowhere; a machine without a network says so at once.
    const { code } = await failure(clientAt("http://192.0.2.1", { timeouts: { connectMs: 50 } }).get("x"));
    expect(code).to.be.oneOf(["ETIMEDOUT", "ENETUNREACH", "EHOSTUNREACH", "ECONNREFUSED"]);
  });

  it("waits for its turn among more calls than connections, without counting that as slowness", async () => {
    const server = await serve((_, response) => void setTimeout(() => answerJson(response, 1), 120));
    const http = clientAt(server.origin, { maxSockets: 1, timeouts: { responseMs: 500, bodyMs: 500 } });
    const answers = await Promise.all(Array.from({ length: 6 }, () => http.post("x", { json: 1 })));
    expect(answers.map(({ result }) => result)).to.deep.equal([1, 1, 1, 1, 1, 1]);
  });

  it("fails if the answer goes on too slowly", async () => {
    const server = await serve((_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write("["), 10);
      response.once("close", () => clearInterval(timer));
    });
    const { message } = await failure(clientAt(server.origin, { timeouts: { bodyMs: 100 } }).get("x"));
    expect(message).to.include("the body of the answer did not end in time");
  });

  it("fails if a streamed answer stands still, and not if its reader does", async () => {
    const server = await serve((request, response) => {
      response.writeHead(200).write("a");
      if (request.path === "/whole") response.end("b");
    });
    const http = clientAt(server.origin, { timeouts: { idleMs: 80 } });
    const read = async (path: string, pauseMs: number) => {
      const { body } = await http.stream(path);
      for await (const _ of body) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    };
    await read("whole", 120);
    expect((await failure(read("stuck", 0))).message).to.include("stood still for too long");
  });

  it("fails if the server does not speak HTTP", async () => {
    const server = createServer((socket) => socket.end("SSH-2.0-OpenSSH\r\n"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    try {
      const { message } = await failure(clientAt(`http://127.0.0.1:${port}`).get("x"));
      expect(message).to.not.include("SSH");
    } finally {
      server.close();
    }
  });

  it("fails if the compressed body is broken", async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end("no gzip");
    });
    expect((await failure(clientAt(server.origin).get("x"))).code).to.match(/^Z_/);
  });

  it("ends a gzip bomb at the limit of decompressed bytes, in bounded memory", async () => {
    const bomb = gzipSync(Buffer.alloc(500_000_000, " "), { level: 9 });
    const server = await serve((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip", "content-type": "application/json" }).end(bomb);
    });
    const before = process.memoryUsage().rss;
    const response = await clientAt(server.origin, { maxResponseBytes: 1_000_000 }).get("bomb");
    expect(response).to.include({
      isSuccessful: false,
      result: null,
      statusCode: 200,
      errorMessage: `GET ${server.origin}/bomb answered 200 with a body that is too large.`,
    });
    expect(process.memoryUsage().rss - before).to.be.below(100_000_000);
  });

  it("takes an answer of up to 50 MB unless it is told otherwise", async () => {
    const server = await serve((request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(`"${"x".repeat(Number(request.path.slice(1)) - 2)}"`);
    });
    const http = clientAt(server.origin);
    expect(await http.get("50000000")).to.include({ isSuccessful: true });
    expect(await http.get("50000001")).to.include({ isSuccessful: false });
  });

  it("leaves the client fit for the next call", async () => {
    const server = await serve((_, response, count) => {
      if (count % 2 === 1) response.socket?.destroy();
      else answerJson(response, count);
    });
    const http = clientAt(server.origin);
    await failure(http.get("x"));
    expect(await http.get("x")).to.include({ result: 2 });
  });
});
