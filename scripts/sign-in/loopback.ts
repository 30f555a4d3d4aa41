/** Where a browser returns to after a sign-in: a server on this machine only, for one answer (RFC 8252, 7.3). */
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const HOST = "127.0.0.1";
const PATH = "/callback";
const PATH_BYTES = 32;

export interface Loopback {
  /** The address to return to. */
  readonly redirectUri: string;
  /** An address on this machine that leads to `address`. Nobody can guess it, and nothing of `address` is in it. */
  leadTo(address: string): string;
  /**
   * The parameters of the first answer with this state.
   * @throws Error if nobody answers within `timeoutMs`, or before `signal` is aborted.
   */
  answer(state: string, timeoutMs: number, signal?: AbortSignal): Promise<URLSearchParams>;
  close(): Promise<void>;
}

/** Starts listening. @param port 0 for any that is free. @throws Error if the port is taken. */
export async function listenOnLoopback(port: number): Promise<Loopback> {
  let expected: string | undefined;
  const leading = new Map<string, string>();
  let resolveAnswer: ((parameters: URLSearchParams) => void) | undefined;
  const server = createServer((request, response) => {
    const address = request.method === "GET" ? leading.get(request.url ?? "") : undefined;
    if (address !== undefined) return lead(response, address);
    const parameters = parametersOf(request);
    if (parameters === undefined) return reply(response, 404, "There is nothing here.");
    if (expected === undefined || parameters.get("state") !== expected)
      return reply(response, 400, "This is not the answer to the sign-in that was started.");
    expected = undefined;
    reply(response, 200, "You can close this window and go back to where you came from.");
    resolveAnswer?.(parameters);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, HOST, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    redirectUri: `http://${HOST}:${bound}${PATH}`,
    leadTo: (address) => {
      const path = `/${randomBytes(PATH_BYTES).toString("base64url")}`;
      leading.set(path, address);
      return `http://${HOST}:${bound}${path}`;
    },
    answer: (state, timeoutMs, signal) =>
      new Promise((resolve, reject) => {
        const seconds = timeoutMs / 1000;
        const timer = setTimeout(
          () => reject(new Error(`nobody signed in within ${seconds} seconds`)),
          timeoutMs,
        );
        const stop = () => {
          clearTimeout(timer);
          reject(new Error("it was stopped"));
        };
        if (signal?.aborted === true) stop();
        signal?.addEventListener("abort", stop, { once: true });
        resolveAnswer = (parameters) => {
          clearTimeout(timer);
          resolve(parameters);
        };
        expected = state;
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function parametersOf({ method, url }: IncomingMessage): URLSearchParams | undefined {
  const base = `http://${HOST}`;
  if (method !== "GET" || url === undefined || !URL.canParse(url, base)) return undefined;
  const { pathname, searchParams } = new URL(url, base);
  return pathname === PATH ? searchParams : undefined;
}

/** Brings the browser to the provider, which does not hear where it comes from. */
function lead(response: ServerResponse, address: string): void {
  response.writeHead(302, {
    location: address,
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    connection: "close",
  });
  response.end();
}

/** The page that the browser shows; it has nothing of what the browser sent. */
function reply(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    connection: "close",
  });
  response.end(`${message}\n`);
}
