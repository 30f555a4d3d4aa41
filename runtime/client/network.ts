/** The end of the chain: sends one request over got, without its retries, redirects and cookies, within time limits. */
import type { ClientRequest } from "node:http";
import type { Agent as HttpsAgent } from "node:https";
import { Readable } from "node:stream";
import type { Got, Request } from "got";
import { maskedRequest } from "../log/masked-request.js";
import type { IncomingResponse, OutgoingRequest, Send } from "../registration/http-messages.js";
import { networkFault } from "../retry.js";
import { safeGet } from "../untrusted.js";
import type { Environment } from "./environment.js";
import { NetworkError, RequestRefusedError } from "./errors.js";
import { isReplayable } from "./middleware.js";
import { type ProxyRoute, proxyFaultOf, refusalFault } from "./proxies.js";
import { createProxyRoutes } from "./proxy-routes.js";
import { type TlsOptions, tlsSettings } from "./tls.js";

/** How long each phase of an attempt may take, in milliseconds. */
export interface Timeouts {
  /**
   * For looking up the host, connecting and the TLS handshake; through a proxy for its answer too.
   * @default 10_000
   */
  readonly connectMs?: number | undefined;
  /**
   * From the request's last byte to the first of the answer.
   * @default 60_000
   */
  readonly responseMs?: number | undefined;
  /**
   * For the body of the request, and for that of the answer, unless they are streams.
   * @default 120_000
   */
  readonly bodyMs?: number | undefined;
  /**
   * Between two pieces of a streamed answer.
   * @default 60_000
   */
  readonly idleMs?: number | undefined;
}

/** How requests are sent and answers are read. */
export interface NetworkOptions {
  /** A time limit that is over ends the attempt with a NetworkError, code `ETIMEDOUT`. */
  readonly timeouts?: Timeouts | undefined;
  /**
   * Decompressed bytes that an answer may have unless it is streamed. A longer one is not successful.
   * @default 50_000_000
   */
  readonly maxResponseBytes?: number | undefined;
  /**
   * Connections to one host at a time.
   * @default 64
   */
  readonly maxSockets?: number | undefined;
}

const EMPTY = new Uint8Array();

/** What a connection and its host add to how requests are sent. */
interface NetworkSurroundings {
  /** The certificates of the connection. */
  readonly tls?: TlsOptions | undefined;
  /** Variables that may name a proxy. */
  readonly environment?: Environment | undefined;
}

/** Sends requests over connections of its own, which are kept alive. */
export function createNetwork(options: NetworkOptions & NetworkSurroundings = {}): Send {
  const https = tlsSettings(options.tls);
  const timeouts = withDefaults(options.timeouts);
  const { maxResponseBytes = 50_000_000, maxSockets = 64, environment = {} } = options;
  let clients: ReturnType<typeof createClients> | undefined;
  const routeTo = createProxyRoutes({ environment, connectMs: timeouts.connectMs, maxSockets });
  return async (request) => {
    const route = await routeTo(request.url).catch((error: unknown) => {
      throw toCallError(request, error);
    });
    clients ??= createClients(https, maxSockets);
    const { own, foreign } = await clients;
    return new Promise((resolve, reject) => {
      const stream = startRequest(request.isForeign === true ? foreign : own, request, route);
      const timer = createPhaseTimer(stream, timeouts, request.leftMs);
      const { url, isStreamed = false } = request;
      stream.on("error", (error: unknown) => {
        timer.end();
        stream.destroy();
        reject(toCallError(request, error, { overdue: timer.overdue(), route }));
      });
      stream.once("request", (sent: ClientRequest) => timer.follow(sent, request));
      stream.once("response", ({ statusCode, headers }) => {
        if (statusCode === 407 && route?.isTunnel === false)
          return void stream.destroy(refusalFault(route.proxy, statusCode));
        const answer = (body: IncomingResponse["body"], isTooLarge: boolean) => {
          timer.end();
          const close = () => void stream.destroy();
          resolve({ url, statusCode, headers, body, isTooLarge, close });
        };
        if (isStreamed) return answer(readPieces(request, stream, timeouts), false);
        timer.begin("read");
        collect(stream, maxResponseBytes, (body) => answer(body ?? EMPTY, body === undefined));
      });
    });
  };
}

/** Calls of the connection's own servers, and of others. A connector is loaded without what its first call needs. */
async function createClients({ own, foreign }: ReturnType<typeof tlsSettings>, maxSockets: number) {
  const [{ got }, http, https] = await Promise.all([
    import("got"),
    import("node:http"),
    import("node:https"),
  ]);
  const agent = { keepAlive: true, maxSockets };
  const client = got.extend({
    agent: { http: new http.Agent(agent), https: new https.Agent(agent) },
    retry: { limit: 0 },
    throwHttpErrors: false,
    followRedirect: false,
    headers: { "user-agent": "connectorcli" },
    https: own,
  });
  const foreignClient = client.extend({
    https: { ...foreign, certificate: undefined, key: undefined, passphrase: undefined },
  });
  return { own: client, foreign: foreignClient };
}

function withDefaults({ connectMs, responseMs, bodyMs, idleMs }: Timeouts = {}) {
  return {
    connectMs: connectMs ?? 10_000,
    responseMs: responseMs ?? 60_000,
    bodyMs: bodyMs ?? 120_000,
    idleMs: idleMs ?? 60_000,
  };
}

function startRequest(
  client: Got,
  { method, url, headers, body, signal }: OutgoingRequest,
  route: ProxyRoute | undefined,
): Request {
  const stream = client.stream(url, {
    headers,
    ...(route === undefined ? {} : { agent: { http: route.agent, https: route.agent as HttpsAgent } }),
    ...(method === "GET" ? {} : { method }),
    ...(body === undefined ? {} : { body: toBuffers(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (body === undefined && method !== "GET" && method !== "HEAD") stream.end();
  return stream;
}

function toBuffers(body: NonNullable<OutgoingRequest["body"]>): Buffer | Readable {
  // Node would write the header in the encoding of a text that follows it, and spoil letters beyond ASCII.
  if (typeof body === "string") return Buffer.from(body);
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return body instanceof Readable ? body : Readable.from(body, { objectMode: false });
}

/** Calls `done` with the whole body, or with undefined if it is longer than `maxBytes`. */
function collect(stream: Request, maxBytes: number, done: (body: Uint8Array | undefined) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
    else {
      chunks.length = 0;
      done(undefined);
      stream.destroy();
    }
  });
  stream.once("end", () => {
    done(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
    // Only then does got stop listening to the abort signal.
    stream.destroy();
  });
}

async function* readPieces(
  request: OutgoingRequest,
  stream: Request,
  { idleMs }: Timeouts,
): AsyncGenerator<Uint8Array> {
  const source = stream[Symbol.asyncIterator]();
  const timer = createPhaseTimer(stream, { idleMs });
  try {
    for (;;) {
      timer.begin("idle");
      const { done, value } = await source.next().finally(timer.end);
      if (done === true) return;
      yield value;
    }
  } catch (error) {
    throw toCallError(request, error, { overdue: timer.overdue() });
  } finally {
    stream.destroy();
  }
}

type Phase = "connect" | "send" | "response" | "read" | "idle" | "total";

/** Milliseconds by which a phase may take longer. */
const TICK_MS = 20;

/** What is told the time while a phase lasts; the interval stops at a tick that finds nothing to tell. */
const watched = new Set<(now: number) => void>();
let interval: NodeJS.Timeout | undefined;

/**
 * Destroys `stream` if a phase takes too long, or if all of them together take longer than `leftMs`. One interval serves
 * all calls: a timer for each phase costs a sixth of a call.
 */
function createPhaseTimer(
  stream: { destroy(error: Error): void },
  { connectMs = 0, responseMs = 0, bodyMs = 0, idleMs = 0 }: Timeouts,
  leftMs = Number.POSITIVE_INFINITY,
) {
  const bodies = { send: bodyMs, read: bodyMs };
  const limits = { connect: connectMs, ...bodies, response: responseMs, idle: idleMs, total: leftMs };
  const last = performance.now() + leftMs;
  let phase: Phase = "total";
  let deadline = last;
  let overdue: Phase | undefined;

  function check(now: number): void {
    if (now < deadline && now < last) return;
    overdue = now < last ? phase : "total";
    end();
    stream.destroy(new Error(overdue));
  }

  function begin(next: Phase): void {
    phase = next;
    deadline = performance.now() + limits[next];
    watch(check);
  }

  function end(): void {
    watched.delete(check);
  }

  if (leftMs !== Number.POSITIVE_INFINITY) watch(check);
  return {
    begin,
    end,
    /** The phase that took too long, if any did. */
    overdue: () => overdue,
    /** Times a request from when it gets a connection to its answer. */
    follow: (sent: ClientRequest, request: OutgoingRequest) => {
      const sends = request.body !== undefined && isReplayable(request) ? "send" : "total";
      sent.once("socket", (socket) => {
        if (!socket.connecting) return begin(sends);
        begin("connect");
        socket.once("encrypted" in socket ? "secureConnect" : "connect", () => begin(sends));
      });
      const onFinish = () => begin("response");
      sent.once("finish", onFinish);
      // Some servers answer before they have read the whole request.
      sent.once("response", () => sent.off("finish", onFinish));
    },
  };
}

function watch(check: (now: number) => void): void {
  watched.add(check);
  // The connection that is timed keeps the process alive.
  interval ??= setInterval(tick, TICK_MS).unref();
}

function tick(): void {
  const now = performance.now();
  for (const check of watched) check(now);
  if (watched.size > 0) return;
  clearInterval(interval);
  interval = undefined;
}

const OVERDUE_REASONS: Readonly<Record<Phase, string>> = {
  connect: "connecting took too long",
  send: "sending the request took too long",
  response: "no answer came in time",
  read: "the body of the answer did not end in time",
  idle: "the streamed answer stood still for too long",
  total: "all its attempts together took too long",
};

/** The error of a call that has no time left. */
export function overdueError(request: OutgoingRequest): NetworkError {
  return timeoutError(request, "total");
}

function timeoutError(request: OutgoingRequest, phase: Phase): NetworkError {
  const reason = OVERDUE_REASONS[phase];
  return new NetworkError({ request: maskedRequest(request), code: "ETIMEDOUT", reason });
}

const INVALID_HEADER_CODES = new Set([
  "ERR_INVALID_CHAR",
  "ERR_INVALID_HTTP_TOKEN",
  "ERR_HTTP_INVALID_HEADER_VALUE",
]);

/** What is known of a call that failed. */
interface Circumstances {
  /** The phase that took too long. */
  readonly overdue?: Phase | undefined;
  readonly route?: ProxyRoute | undefined;
}

/** What to throw for `error`: the reason of the abort, a refusal or a NetworkError. `error` itself may hold secrets. */
function toCallError(
  request: OutgoingRequest,
  error: unknown,
  { overdue, route }: Circumstances = {},
): unknown {
  if (request.signal?.aborted === true) return request.signal.reason;
  if (overdue !== undefined) return timeoutError(request, overdue);
  const masked = maskedRequest(request);
  const ownCode = safeGet(error, "code");
  const code = typeof ownCode === "string" ? ownCode : "ERR_UNKNOWN";
  if (INVALID_HEADER_CODES.has(code)) {
    return new RequestRefusedError(`${masked} was not sent: ${invalidHeader(request)}.`);
  }
  const fault = proxyFaultOf(error, route);
  if (fault !== undefined)
    return new NetworkError({ request: masked, code: fault.code, reason: fault.reason });
  const reason = networkFault(code)?.reason ?? "the request or its answer could not be processed";
  return new NetworkError({ request: masked, code, reason });
}

function invalidHeader({ headers }: OutgoingRequest): string {
  const isAllowed = ([name, value]: [string, string]) =>
    /^[!-~]+$/.test(name) && /^[\t -~\x80-\xff]*$/.test(value);
  const [name] = Object.entries(headers).find((header) => !isAllowed(header)) ?? ["a header"];
  return `${JSON.stringify(name)} has a character that HTTP doesn't allow in a header`;
}
