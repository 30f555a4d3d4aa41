/** What a worker answers to those who watch over it: whether it lives, whether it works, and its numbers. */
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Worker } from "../../runtime/worker/worker.js";

export interface HealthServer {
  /** Such as `http://127.0.0.1:9464`. */
  readonly address: string;
  close(): Promise<void>;
}

/** @throws Error if the port can't be had. */
export async function startHealthServer(
  worker: Worker,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<HealthServer> {
  const server = createServer((request, response) => {
    void answer(worker, { method: request.method ?? "", path: request.url ?? "" }, response);
  });
  await listen(server, host, port);
  const { port: given } = server.address() as AddressInfo;
  return {
    address: `http://${host.includes(":") ? `[${host}]` : host}:${given}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
}

async function answer(
  worker: Worker,
  { method, path }: { readonly method: string; readonly path: string },
  response: ServerResponse,
): Promise<void> {
  const send = (status: number, text: string, type = "text/plain; charset=utf-8") => {
    response.writeHead(status, { "content-type": type, "cache-control": "no-store" });
    response.end(method === "HEAD" ? undefined : text);
  };
  if (method !== "GET" && method !== "HEAD") return send(405, "only GET\n");
  const [place] = path.split("?");
  if (place === "/livez") return worker.isAlive() ? send(200, "ok\n") : send(503, "not seen by others\n");
  if (place === "/readyz") return (await worker.isReady()) ? send(200, "ok\n") : send(503, "not ready\n");
  if (place === "/metrics")
    return send(200, await worker.metrics(), "text/plain; version=0.0.4; charset=utf-8");
  return send(404, "/livez, /readyz and /metrics are here\n");
}
