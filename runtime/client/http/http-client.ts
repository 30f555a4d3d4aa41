/** What an API client calls the target system with: it knows the base address and no credentials (spec §5.1). */
import type { StopSignal } from "../../registration/contracts.js";
import { RequestRefused } from "../errors.js";
import { addressOf, baseAddress, type Query, type QueryValue } from "./addresses.js";
import { type ApiResponse, apiResponse, isSuccess, statusText } from "./api-response.js";
import { linked } from "./clock.js";
import { shownRequest } from "./masked-request.js";
import type {
  HttpMethod,
  IncomingResponse,
  OutgoingRequest,
  RequestBody,
  ResponseHeaders,
  Send,
} from "./messages.js";
import { followingRedirects } from "./redirects.js";

/** What a call sends beside its path; at most one of `json`, `form` and `body`. */
export interface CallOptions {
  readonly query?: Query | undefined;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, QueryValue>> | undefined;
  /** A stream is sent once: such a call is never repeated. */
  readonly body?: RequestBody | undefined;
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  readonly signal?: StopSignal | undefined;
  /** Whether a repeated call does no more than one; by the method where left out. */
  readonly isIdempotent?: boolean | undefined;
  /** `json` where left out. */
  readonly responseType?: "json" | "text" | undefined;
}

/** An answer whose content is read piece by piece, in constant memory. */
export interface StreamedResponse {
  readonly isSuccessful: boolean;
  /** Method, masked address and status; null where the call was successful. */
  readonly errorMessage: string | null;
  readonly statusCode: number;
  readonly headers: ResponseHeaders;
  /** Decompressed. Reading it throws ConnectionFailure where it breaks off. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Gives up what is not read. */
  close(): void;
}

export type StreamOptions = CallOptions & { readonly method?: HttpMethod | undefined };

/** A path is below the base address, or an absolute address of its origin. */
type Call = <T = unknown>(path: string, options?: CallOptions) => Promise<ApiResponse<T>>;

/**
 * Every call gives an answer, whatever its status. @throws ConnectionFailure without one, AuthenticationFailure
 * without a token, RequestRefused for what may not be sent, the signal's reason when it is aborted.
 */
export interface HttpClient {
  /** The same client for calls below this address. @throws RequestRefused where it is no such address. */
  at(baseUrl: string): HttpClient;
  /** The absolute address of a path. @throws RequestRefused for one of another origin. */
  address(path: string, query?: Query): string;
  readonly get: Call;
  readonly head: Call;
  readonly post: Call;
  readonly put: Call;
  readonly patch: Call;
  readonly delete: Call;
  stream(path: string, options?: StreamOptions): Promise<StreamedResponse>;
}

export interface HttpChain {
  /** For the origin of the base address. */
  readonly withCredentials: Send;
  /** For every other. */
  readonly bare: Send;
  /** Aborted when the connector stops. */
  readonly signal?: StopSignal | undefined;
}

/** A client over the chain of handlers; without a base address until `at` gives it one. */
export function httpClient(chain: HttpChain, base?: string): HttpClient {
  const send = followingRedirects(chain.withCredentials, chain.bare);
  const address = (path: string, query?: Query) => {
    if (base === undefined)
      throw new RequestRefused("The client has no base address. Call at(baseUrl) first.");
    return addressOf(base, path, query);
  };
  const call =
    (method: HttpMethod): Call =>
    async (path, options = {}) => {
      const request = outgoing(method, address(path, options.query), options);
      const response = await signalled(send, chain.signal, request);
      return apiResponse(request, response, options.responseType ?? "json");
    };
  return {
    at: (baseUrl) => httpClient(chain, baseAddress(baseUrl)),
    address,
    get: call("GET"),
    head: call("HEAD"),
    post: call("POST"),
    put: call("PUT"),
    patch: call("PATCH"),
    delete: call("DELETE"),
    stream: async (path, options = {}) => {
      const request = outgoing(options.method ?? "GET", address(path, options.query), options);
      return streamed(request, await signalled(send, chain.signal, { ...request, isStreamed: true }));
    },
  };
}

async function signalled(
  send: Send,
  stop: StopSignal | undefined,
  request: OutgoingRequest,
): Promise<IncomingResponse> {
  const { signal, unlink } = linked([stop, request.signal], request.isStreamed);
  try {
    signal?.throwIfAborted();
    return await send({ ...request, signal });
  } finally {
    unlink();
  }
}

function outgoing(method: HttpMethod, url: string, options: CallOptions): OutgoingRequest {
  const { headers = {}, signal, isIdempotent } = options;
  const content = contentOf(options);
  if (content.body !== undefined && (method === "GET" || method === "HEAD"))
    throw new RequestRefused(`${shownRequest({ method, url })} was not sent: ${method} has no body.`);
  const given = Object.entries({ accept: acceptOf(options), "content-type": content.type });
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const set = [...given, ...named].flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
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
  if ([json, form, body].filter((one) => one !== undefined).length > 1)
    throw new RequestRefused("A call has one body: give json, form or body.");
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

function streamed(request: OutgoingRequest, response: IncomingResponse): StreamedResponse {
  const { statusCode, headers, body, close } = response;
  const isSuccessful = isSuccess(statusCode);
  const errorMessage = isSuccessful ? null : `${shownRequest(request)} answered ${statusText(statusCode)}.`;
  const pieces = body instanceof Uint8Array ? whole(body) : body;
  return { isSuccessful, errorMessage, statusCode, headers, body: pieces, close };
}

async function* whole(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body;
}
