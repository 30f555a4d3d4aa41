/** Real HTTP servers on loopback, closed with all their connections after each test, and clients of them. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";
import {
  type CallPolicy,
  type Clock,
  createClientHelper,
  type HttpClient,
  type Middleware,
  servicesOf,
  type TlsOptions,
} from "../../runtime/client/index.js";
import { isJsonObject, type RecordMethods, typedRecord } from "../../runtime/codegen/index.js";
import type { ClientHost } from "../../runtime/entries/runtime.js";

export interface Loopback {
  /** `http://127.0.0.1:port`, or with `https`. */
  readonly origin: string;
  /** What was asked so far, in order. */
  readonly requests: readonly SeenRequest[];
  close(): Promise<void>;
}

export interface SeenRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

const open = new Set<Loopback>();

/** A server that answers by `handler` once a request's body has arrived. */
export async function serve(
  handler: (request: SeenRequest, response: ServerResponse, count: number) => void,
): Promise<Loopback> {
  const requests: SeenRequest[] = [];
  return listen((message, response) => {
    const chunks: Buffer[] = [];
    message.on("data", (chunk: Buffer) => chunks.push(chunk));
    message.on("end", () => {
      const { method = "", url: path = "", headers } = message;
      const seen = { method, path, headers, body: Buffer.concat(chunks).toString("utf8") };
      requests.push(seen);
      handler(seen, response, requests.length);
    });
  }, requests);
}

/** A server for this listener; over TLS where it is given a certificate. */
export async function listen(
  listener: RequestListener,
  requests: SeenRequest[] = [],
  certificate?: ServerOptions,
): Promise<Loopback> {
  const server = certificate === undefined ? createServer(listener) : createTlsServer(certificate, listener);
  // A process of tests that collects a large heap stands still for longer than the five seconds that a server waits.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const loopback = {
    origin: `http${certificate === undefined ? "" : "s"}://127.0.0.1:${port}`,
    requests,
    close: async () => {
      open.delete(loopback);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  open.add(loopback);
  return loopback;
}

/** For `afterEach`. */
export async function closeServers(): Promise<void> {
  await Promise.all([...open].map((server) => server.close()));
}

export function answerJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

/** An origin at which nobody listens. */
export async function deadOrigin(): Promise<string> {
  const { origin, close } = await listen(() => undefined);
  await close();
  return origin;
}

/** Time that passes only by sleeping, and what was slept. */
export function fakeClock(start = Date.UTC(2026, 0, 1)): Clock & {
  readonly slept: readonly number[];
  pass(milliseconds: number): void;
} {
  let now = start;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    pass: (milliseconds) => {
      now += milliseconds;
    },
    sleep: async (milliseconds, signal) => {
      signal?.throwIfAborted();
      slept.push(milliseconds);
      now += milliseconds;
    },
  };
}

/** A connection of no properties. */
export class NoProperties extends typedRecord<object, object, RecordMethods<object>>({
  name: "NoProperties",
  schema: { type: "object" },
  check: isJsonObject,
}) {}

export interface TestClient extends CallPolicy {
  readonly auth?: Middleware;
  readonly host?: ClientHost;
  readonly tls?: TlsOptions;
}

/** A client at `origin`, without retries unless they are asked for. */
export function clientAt(origin: string, { auth, host, tls, ...policy }: TestClient = {}): HttpClient {
  const handler: Middleware = auth ?? ((request, next) => next(request));
  const helper = createClientHelper({
    retry: { maxAttempts: 1 },
    ...policy,
    definitions: { any: servicesOf(NoProperties, () => handler, { tls: () => tls }) },
    createClient: (http) => http.at(origin),
  });
  return helper({ DefinitionKey: "any", Configuration: "{}" }, host).client;
}
