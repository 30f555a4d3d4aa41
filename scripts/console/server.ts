/** The console's server: on loopback only, for its own page only, and bounded in all that it takes and gives. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { hasToken, SAFE_HEADERS, strangerRefusal } from "./request-guard.js";

const HOST = "127.0.0.1";
const MAX_BODY_BYTES = 5_000_000;
const MAX_ANSWER_BYTES = 8_000_000;
/** Long work, such as a read of all records, that goes on at the same time. */
const MAX_STREAMS = 4;

/** What a call of the page asks for. */
export interface ApiCall {
  readonly method: "GET" | "POST";
  /** Behind `/api/`. */
  readonly name: string;
  readonly query: URLSearchParams;
  /** What was sent as JSON; undefined for nothing. */
  readonly body: unknown;
  /** Aborted when the page does not wait any more. */
  readonly signal: AbortSignal;
}

/** A JSON value, or long work that says what happens: a line of JSON each. */
export type ApiAnswer =
  | { readonly json: unknown }
  | { readonly run: (say: (event: object) => void) => Promise<void> };

/** Answers the calls of the page; undefined if there is no such call. */
export type Api = (call: ApiCall) => Promise<ApiAnswer | undefined>;

/** Thrown for a call that can't be answered; its message is shown in the page. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  /** @param status HTTP status. */
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** A file of the page. */
export interface PageFile {
  readonly type: string;
  readonly content: Uint8Array;
}

export interface ServerOptions {
  /** 0 for any that is free. */
  readonly port: number;
  /** What the page has to bring with each call; nobody else knows it. */
  readonly token: string;
  /** By the path of the address. Paths are compared, never resolved: nothing else can be asked for. */
  readonly files: ReadonlyMap<string, PageFile>;
  readonly api: Api;
  /** How long nobody may ask before the server ends itself. */
  readonly idleMs: number;
  /** Called with an error that nobody expected; the page gets no word of it. */
  readonly onError: (error: unknown) => void;
}

export interface ConsoleServer {
  /** `http://127.0.0.1:port`. */
  readonly origin: string;
  /** Ends when the server has ended: because it was closed, or because nobody asked for long. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Starts listening. @throws Error if the port is taken. */
export async function startServer(options: ServerOptions): Promise<ConsoleServer> {
  const { port, idleMs } = options;
  let lastAsked = Date.now();
  let streams = 0;
  const server = createServer((request, response) => {
    lastAsked = Date.now();
    const { port } = server.address() as AddressInfo;
    // A page that has gone is no error.
    answer(request, response, { ...options, port, streams: { open, end } }).catch((error) => {
      if (!request.destroyed) options.onError(error);
      response.destroy();
    });
  });
  const open = () => {
    if (streams >= MAX_STREAMS)
      throw new ApiError(429, `${MAX_STREAMS} runs are under way: wait for one to end, or stop one.`);
    streams++;
  };
  const end = () => {
    streams--;
    lastAsked = Date.now();
  };
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, HOST, resolve);
  });
  const ended = new Promise<void>((resolve) => server.once("close", resolve));
  const close = async () => {
    clearInterval(timer);
    server.close();
    server.closeAllConnections();
    await ended;
  };
  const timer = setInterval(
    () => {
      if (streams === 0 && Date.now() - lastAsked >= idleMs) void close();
    },
    Math.min(idleMs, 60_000),
  );
  timer.unref();
  return { origin: `http://${HOST}:${(server.address() as AddressInfo).port}`, ended, close };
}

interface Answering extends ServerOptions {
  readonly streams: { readonly open: () => void; readonly end: () => void };
}

const API = "/api/";

async function answer(request: IncomingMessage, response: ServerResponse, options: Answering): Promise<void> {
  const refusal = strangerRefusal(request, options.port);
  if (refusal !== undefined) return refuse(response, refusal.status, refusal.reason);
  const [path = "/", query = ""] = (request.url ?? "/").split("?", 2);
  const file = options.files.get(path);
  if (file !== undefined && request.method === "GET") {
    response.writeHead(200, { ...SAFE_HEADERS, "content-type": file.type });
    response.end(file.content);
    return;
  }
  if (!path.startsWith(API)) return refuse(response, 404, "There is nothing here.");
  if (!hasToken(request, options.token))
    return refuse(
      response,
      401,
      "The token is missing or of another start: open the address that the console printed.",
    );
  try {
    await answerCall(request, response, { ...options, name: path.slice(API.length), query });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    refuse(response, error.status, error.message);
  }
}

async function answerCall(
  request: IncomingMessage,
  response: ServerResponse,
  { api, name, query, streams }: Answering & { readonly name: string; readonly query: string },
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const answer = await api({
    method: request.method === "POST" ? "POST" : "GET",
    name,
    query: new URLSearchParams(query),
    body: await bodyOf(request),
    signal: gone.signal,
  });
  if (answer === undefined) throw new ApiError(404, "There is no such call.");
  if ("json" in answer) return sendJson(response, answer.json);
  streams.open();
  try {
    response.writeHead(200, { ...SAFE_HEADERS, "content-type": "application/x-ndjson; charset=utf-8" });
    // The page shows that work has begun before anything of it is known.
    response.flushHeaders();
    await answer.run((event) => {
      if (!response.destroyed) response.write(`${JSON.stringify(event)}\n`);
    });
    response.end();
  } finally {
    streams.end();
  }
}

function sendJson(response: ServerResponse, value: unknown): void {
  const text = JSON.stringify(value);
  if (text.length > MAX_ANSWER_BYTES) throw new ApiError(413, "This is too large to be shown: ask for less.");
  response.writeHead(200, { ...SAFE_HEADERS, "content-type": "application/json; charset=utf-8" });
  response.end(text);
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  if (request.method !== "POST") return undefined;
  // A form of another page can't send this type.
  if (!/^application\/json(?:;|$)/.test(request.headers["content-type"] ?? ""))
    throw new ApiError(415, "What is sent has to be JSON.");
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new ApiError(413, "What was sent is larger than 5 MB.");
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw new ApiError(400, "What was sent is no JSON.");
  }
}

function refuse(response: ServerResponse, status: number, reason: string): void {
  if (response.headersSent) return void response.end();
  // Whatever else is sent on this connection is not read.
  response.writeHead(status, {
    ...SAFE_HEADERS,
    "content-type": "application/json; charset=utf-8",
    connection: "close",
  });
  response.end(JSON.stringify({ error: reason }));
}
