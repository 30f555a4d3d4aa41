/** The end of the chain: one request and its answer over got, without its retries, redirects and cookies. */
import { type ClientRequest, Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { Readable } from "node:stream";
import { type Got, got, type Request } from "got";
import { failureOf } from "./failures.js";
import type { IncomingResponse, OutgoingRequest, Send } from "./messages.js";
import { phaseTimer } from "./phase-timer.js";
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
  });
  return (request) =>
    new Promise((resolve, reject) => {
      const stream = started(client, request);
      const phases = phaseTimer(stream, timeouts, request.leftMs);
      const { url, isStreamed = false } = request;
      stream.on("error", (error: unknown) => {
        phases.end();
        stream.destroy();
        reject(failureOf(request, error, phases.overdue()));
      });
      stream.once("request", (sent: ClientRequest) => phases.follow(sent, request));
      stream.once("response", ({ statusCode, headers }) => {
        const answer = (body: IncomingResponse["body"], isTooLarge: boolean) => {
          phases.end();
          const close = () => void stream.destroy();
          resolve({ url, statusCode, headers, body, isTooLarge, close });
        };
        if (isStreamed) return answer(pieces(request, stream, timeouts), false);
        phases.begin("read");
        collect(stream, limit, (body) => answer(body ?? NOTHING, body === undefined));
      });
    });
}

function started(client: Got, { method, url, headers, body, signal }: OutgoingRequest): Request {
  const stream = client.stream(url, {
    headers,
    ...(method === "GET" ? {} : { method }),
    ...(body === undefined ? {} : { body: sendable(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (body === undefined && method !== "GET" && method !== "HEAD") stream.end();
  return stream;
}

function sendable(body: NonNullable<OutgoingRequest["body"]>): Buffer | Readable {
  // Node would write the header in the encoding of a text that follows it, and spoil letters beyond ASCII.
  if (typeof body === "string") return Buffer.from(body);
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
  { idleMs }: Timeouts,
): AsyncGenerator<Uint8Array> {
  const source = stream[Symbol.asyncIterator]();
  const idle = phaseTimer(stream, { idleMs });
  try {
    for (;;) {
      idle.begin("idle");
      const { done, value } = await source.next().finally(idle.end);
      if (done === true) return;
      yield value;
    }
  } catch (error) {
    throw failureOf(request, error, idle.overdue());
  } finally {
    stream.destroy();
  }
}
