/** What travels along the chain of handlers: plain data, so that a handler changes a request by making another one. */
import type { StopSignal } from "../../registration/contracts.js";

export type HttpMethod = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A text, bytes, or a stream of bytes; a stream can't be sent twice. */
export type RequestBody = string | Uint8Array | AsyncIterable<Uint8Array>;

/** Lower-case names, as the server sent them. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface OutgoingRequest {
  /** `call` for the API client's own, `token` for one that an auth handler makes. */
  readonly purpose: "call" | "token";
  readonly method: HttpMethod;
  /** Absolute. */
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: RequestBody | undefined;
  /** Whether sending it twice does no more than sending it once; by its method where left out. */
  readonly isIdempotent?: boolean | undefined;
  /** Whether the body of the answer is handed on as it comes. */
  readonly isStreamed?: boolean | undefined;
  readonly signal?: StopSignal | undefined;
  /** Milliseconds that are left to begin an answer, and to end it unless it is streamed. */
  readonly leftMs?: number | undefined;
}

export interface IncomingResponse {
  /** What was asked, with all that handlers added: it may hold secrets. */
  readonly url: string;
  readonly statusCode: number;
  readonly headers: ResponseHeaders;
  /** Bytes, or a stream of them where that was asked for. Decompressed. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
  /** Whether the body was longer than is read; what was read of it is dropped. */
  readonly isTooLarge: boolean;
  /** Gives up what is left of a streamed body. */
  close(): void;
}

/** Sends a request on its way. @throws ConnectionFailure where there is no whole answer. */
export type Send = (request: OutgoingRequest) => Promise<IncomingResponse>;

/**
 * A link of the chain, in the form of got's handlers: it may change the request, call `next` once, again or not at
 * all, and change the response.
 */
export type DelegatingHandler = (request: OutgoingRequest, next: Send) => Promise<IncomingResponse>;

/** Handlers around `last`, the first one outermost. */
export function chained(handlers: readonly DelegatingHandler[], last: Send): Send {
  return handlers.reduceRight<Send>((next, handler) => (request) => handler(request, next), last);
}

/** Whether the request can be sent again. */
export function isReplayable({ body }: OutgoingRequest): boolean {
  return body === undefined || typeof body === "string" || body instanceof Uint8Array;
}

/** The request with this header instead of any that it has under the name. */
export function withHeader(request: OutgoingRequest, name: string, value: string): OutgoingRequest {
  return { ...request, headers: { ...withoutHeaders(request.headers, [name]), [name.toLowerCase()]: value } };
}

/** The headers without those of these names, whatever their case. */
export function withoutHeaders(
  headers: Readonly<Record<string, string>>,
  names: readonly string[],
): Readonly<Record<string, string>> {
  const removed = new Set(names.map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !removed.has(name.toLowerCase())));
}
