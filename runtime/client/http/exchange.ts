/** The end of the chain: one request and its answer over got, without its retries, redirects and cookies. */
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { Readable } from "node:stream";
import { type Got, got, type Request } from "got";
import { failureOf } from "./failures.js";
import { type IncomingResponse, isReplayable, type OutgoingRequest, type Send } from "./messages.js";
import { type Timeouts, timeoutsOf } from "./timeouts.js";

export interface ExchangeOptions {
  readonly timeouts?: Timeouts | undefined;
  /** Decompressed bytes that an answer may have unless it is streamed; 50 MB. */
  readonly maxResponseBytes?: number | undefined;
  /** Connections to one host at a time; 64. */
  readonly maxSockets?: number | undefined;
}

const NOTHING = new Uint8Array();

/** What sends requests, with connections of its own that are kept alive. */
export function exchange(options: ExchangeOptions = {}): Send {
  const timeouts = timeoutsOf(options.timeouts);
  const limit = options.maxResponseBytes ?? 50_000_000;
  const agent = { keepAlive: true, maxSockets: options.maxSockets ?? 64 };
  const client = got.extend({
    agent: { http: new HttpAgent(agent), https: new HttpsAgent(agent) },
    retry: { limit: 0 },
    throwHttpErrors: false,
    followRedirect: false,
    headers: { "user-agent": "connectorcli" },
    timeout: {
      lookup: timeouts.connectMs,
      connect: timeouts.connectMs,
      secureConnect: timeouts.connectMs,
      response: timeouts.responseMs,
    },
  });
  return (request) =>
    new Promise((resolve, reject) => {
      const stream = started(client, request, timeouts.bodyMs);
      const fail = (error: unknown) => {
        stream.destroy();
        reject(failureOf(request, error));
      };
      stream.on("error", fail);
      stream.once("response", ({ statusCode, headers }) => {
        const answer = (body: IncomingResponse["body"], isTooLarge = false) => ({
          ...{ url: request.url, statusCode, headers, body, isTooLarge },
          close: () => void stream.destroy(),
        });
        if (request.isStreamed === true) resolve(answer(pieces(request, stream, timeouts.idleMs)));
        else collect(stream, limit, (body) => resolve(answer(body ?? NOTHING, body === undefined)));
      });
    });
}

function started(client: Got, request: OutgoingRequest, bodyMs: number): Request {
  const { method, url, headers, body, signal } = request;
  const stream = client.stream(url, {
    method,
    headers,
    ...(body === undefined ? {} : { body: sendable(body) }),
    ...(signal === undefined ? {} : { signal }),
    timeout: {
      ...(isReplayable(request) ? { send: bodyMs } : {}),
      ...(request.isStreamed === true ? {} : { read: bodyMs }),
    },
  });
  if (body === undefined && method !== "GET" && method !== "HEAD") stream.end();
  return stream;
}

function sendable(body: NonNullable<OutgoingRequest["body"]>): string | Buffer | Readable {
  if (typeof body === "string") return body;
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return body instanceof Readable ? body : Readable.from(body, { objectMode: false });
}

/** The whole body, or undefined where it is longer than `limit`. */
function collect(stream: Request, limit: number, done: (body: Uint8Array | undefined) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
    else {
      chunks.length = 0;
      done(undefined);
      stream.destroy();
    }
  });
  stream.once("end", () => {
    done(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
    // got lets go of the abort signal only then.
    stream.destroy();
  });
}

async function* pieces(
  request: OutgoingRequest,
  stream: Request,
  idleMs: number,
): AsyncGenerator<Uint8Array> {
  const source = stream[Symbol.asyncIterator]();
  const idle = Object.assign(new Error(), { code: "ETIMEDOUT", event: "idle" });
  try {
    for (;;) {
      const timer = setTimeout(() => stream.destroy(idle), idleMs);
      const { done, value } = await source.next().finally(() => clearTimeout(timer));
      if (done === true) return;
      yield value;
    }
  } catch (error) {
    throw failureOf(request, error);
  } finally {
    stream.destroy();
  }
}
