/** What an API client calls the target system with: it knows the base address and no credentials (spec §5.1). */

import { maskedRequest } from "../log/masked-request.js";
import type { Clock } from "../registration/connection-contracts.js";
import type { StopSignal } from "../registration/contracts.js";
import type {
  HttpMethod,
  IncomingResponse,
  OutgoingRequest,
  RequestBody,
  ResponseHeaders,
  Send,
} from "../registration/http-messages.js";
import { addressOf, baseAddress, type Query, type QueryValue } from "./addresses.js";
import { type ApiResponse, isSuccess, statusText, toApiResponse } from "./api-response.js";
import { linkSignals, SYSTEM_CLOCK } from "./clock.js";
import { RequestRefusedError } from "./errors.js";
import { followRedirects } from "./redirects.js";
import { whileNoting } from "./sent-requests.js";

/** What a call sends beside its path. At most one of `json`, `form` and `body` can be given. */
export interface CallOptions {
  /** Added to the query that the path has. */
  readonly query?: Query | undefined;
  /** Any value that can be written as JSON; sent as `application/json`. */
  readonly json?: unknown;
  /** Sent as `application/x-www-form-urlencoded`; null and undefined are left out. */
  readonly form?: Readonly<Record<string, QueryValue>> | undefined;
  /** Sent as it is; give its `content-type` in `headers`. A call with a stream is never repeated. */
  readonly body?: RequestBody | undefined;
  /** By name in any case; undefined removes a header that would be sent by itself, such as `accept`. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  /** Ends the call: it throws the signal's reason. */
  readonly signal?: StopSignal | undefined;
  /**
   * Whether sending the call twice does no more than sending it once: only then it is repeated.
   * @default by the method: true for GET, HEAD, PUT and DELETE
   */
  readonly isIdempotent?: boolean | undefined;
  /**
   * What the content of the answer is given as.
   * @default "json"
   */
  readonly responseType?: "json" | "text" | undefined;
}

/** An answer whose content is read piece by piece, in constant memory. */
export interface StreamedResponse {
  /** Whether the status is 200 to 299. */
  readonly isSuccessful: boolean;
  /** Method, masked address and status, without any content; null if the call was successful. */
  readonly errorMessage: string | null;
  /** HTTP status. */
  readonly statusCode: number;
  /** By lower-case name. */
  readonly headers: ResponseHeaders;
  /** The decompressed content. Reading it throws NetworkError if it breaks off. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Gives up what was not read, and ends the connection. */
  close(): void;
}

/** As for other calls, and the method. */
export type StreamOptions = CallOptions & {
  /** @default "GET" */
  readonly method?: HttpMethod | undefined;
};

/** Calls a path below the base address, or an absolute address of its origin. */
export type HttpCall = <T = unknown>(path: string, options?: CallOptions) => Promise<ApiResponse<T>>;

/**
 * Calls of the target system. Every answer is a value, whatever its status.
 *
 * Calls throw NetworkError if there is no whole answer after all attempts, AuthenticationError if there is no token,
 * RequestRefusedError for what may not be sent, and the signal's reason if it is aborted.
 */
export interface HttpClient {
  /**
   * The same client for calls below this address.
   * @throws RequestRefusedError if it is no http or https address, or has credentials, a query or a fragment.
   */
  at(baseUrl: string): HttpClient;
  /** The absolute address of a path. @throws RequestRefusedError for an address of another origin. */
  address(path: string, query?: Query): string;
  /** GET: reads. */
  readonly get: HttpCall;
  /** HEAD: as `get`, without content; `result` is null. */
  readonly head: HttpCall;
  /** POST: creates or acts. It is repeated only with `isIdempotent`. */
  readonly post: HttpCall;
  /** PUT: replaces. */
  readonly put: HttpCall;
  /** PATCH: changes. It is repeated only with `isIdempotent`. */
  readonly patch: HttpCall;
  /** DELETE: deletes. */
  readonly delete: HttpCall;
  /** As the other calls, but the content is given piece by piece, and may be of any size. */
  stream(path: string, options?: StreamOptions): Promise<StreamedResponse>;
}

/** The ways to the network that a client uses. */
export interface HttpChain {
  /** For the origin of the base address. */
  readonly withCredentials: Send;
  /** For every other. */
  readonly bare: Send;
  /** Aborted when the connector stops. */
  readonly signal?: StopSignal | undefined;
  /** By which whoever makes calls waits between them. */
  readonly clock?: Clock | undefined;
}

/** A client over the chain of handlers; without a base address until `at` gives it one. */
export function createHttpClient(chain: HttpChain, base?: string): HttpClient {
  const send = followRedirects(chain.withCredentials, chain.bare);
  const address = (path: string, query?: Query) => {
    if (base === undefined)
      throw new RequestRefusedError("The client has no base address. Call at(baseUrl) first.");
    return addressOf(base, path, query);
  };
  const call =
    (method: HttpMethod): HttpCall =>
    async (path, options = {}) => {
      const request = toRequest(method, address(path, options.query), options);
      const sent: OutgoingRequest[] = [];
      const response = await whileNoting(sent, () => sendUntilStopped(send, chain.signal, request));
      return toApiResponse({ request, sent, expected: options.responseType ?? "json" }, response);
    };
  const client: HttpClient = {
    at: (baseUrl) => createHttpClient(chain, baseAddress(baseUrl)),
    address,
    get: call("GET"),
    head: call("HEAD"),
    post: call("POST"),
    put: call("PUT"),
    patch: call("PATCH"),
    delete: call("DELETE"),
    stream: async (path, options = {}) => {
      const request = toRequest(options.method ?? "GET", address(path, options.query), options);
      return toStreamedResponse(
        request,
        await sendUntilStopped(send, chain.signal, { ...request, isStreamed: true }),
      );
    },
  };
  chains.set(client, chain);
  return client;
}

const chains = new WeakMap<object, HttpChain>();

/** The clock by which a client waits; that of this machine for a client that somebody else has made. */
export function clockOf(client: HttpClient): Clock {
  return chains.get(client)?.clock ?? SYSTEM_CLOCK;
}

/**
 * GET of an address that the target system gave, piece by piece. Its own origin gets the credentials, any other nothing but
 * the call, as if the target system had redirected there.
 * @throws RequestRefusedError for an address that is none, or that leaves https.
 */
export async function streamFrom(
  client: HttpClient,
  address: string,
  signal: StopSignal,
): Promise<StreamedResponse> {
  const headers = { accept: "*/*" };
  const own = new URL(client.address(""));
  const chain = chains.get(client);
  const url = URL.canParse(address, own.href) ? new URL(address, own.href) : undefined;
  if (url === undefined || url.origin === own.origin || chain === undefined)
    return client.stream(address, { headers, signal });
  url.username = "";
  url.password = "";
  const request: OutgoingRequest = {
    ...{ purpose: "call", method: "GET", url: url.href, headers, body: undefined, signal },
    ...{ isForeign: true, isStreamed: true },
    // Such addresses are signed.
    secretParameters: [...url.searchParams.keys()],
  };
  if (url.protocol !== own.protocol && url.protocol !== "https:")
    throw new RequestRefusedError(
      `${maskedRequest(request)} was not sent: an address of another origin begins with https.`,
    );
  const send = followRedirects(chain.bare, chain.bare);
  return toStreamedResponse(request, await sendUntilStopped(send, chain.signal, request));
}

async function sendUntilStopped(
  send: Send,
  stop: StopSignal | undefined,
  request: OutgoingRequest,
): Promise<IncomingResponse> {
  const { signal, unlink } = linkSignals([stop, request.signal], request.isStreamed);
  try {
    signal?.throwIfAborted();
    return await send({ ...request, signal });
  } finally {
    unlink();
  }
}

function toRequest(method: HttpMethod, url: string, options: CallOptions): OutgoingRequest {
  const { headers = {}, signal, isIdempotent } = options;
  const content = contentOf(options);
  if (content.body !== undefined && (method === "GET" || method === "HEAD"))
    throw new RequestRefusedError(`${maskedRequest({ method, url })} was not sent: ${method} has no body.`);
  const ownHeaders = Object.entries({ accept: acceptOf(options), "content-type": content.type });
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const set = [...ownHeaders, ...named].flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const { body } = content;
  return { purpose: "call", method, url, headers: Object.fromEntries(set), body, isIdempotent, signal };
}

function acceptOf({ responseType }: CallOptions): string {
  return responseType === "text" ? "*/*" : "application/json";
}

function contentOf({ json, form, body }: CallOptions): {
  readonly body?: RequestBody | undefined;
  readonly type?: string;
} {
  if ([json, form, body].filter((content) => content !== undefined).length > 1)
    throw new RequestRefusedError("A call has one body: give json, form or body.");
  if (json !== undefined) return { body: JSON.stringify(json), type: "application/json" };
  if (form === undefined) return { body };
  const fields = Object.entries(form).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name, String(value)] as const],
  );
  return {
    body: new URLSearchParams(Object.fromEntries(fields)).toString(),
    type: "application/x-www-form-urlencoded",
  };
}

function toStreamedResponse(request: OutgoingRequest, response: IncomingResponse): StreamedResponse {
  const { statusCode, headers, body, close } = response;
  const isSuccessful = isSuccess(statusCode);
  const errorMessage = isSuccessful ? null : `${maskedRequest(request)} answered ${statusText(statusCode)}.`;
  const pieces = body instanceof Uint8Array ? asOnePiece(body) : body;
  return { isSuccessful, errorMessage, statusCode, headers, body: pieces, close };
}

async function* asOnePiece(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body;
}
