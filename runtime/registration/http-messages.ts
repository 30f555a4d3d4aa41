/** Requests and responses as plain data: what middleware and transports hand on. Only types. */
import type { StopSignal } from "./contracts.js";

/** The method of a request. */
export type HttpMethod = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A text, bytes, or a stream of bytes. A stream can be sent only once: such a request is never repeated. */
export type RequestBody = string | Uint8Array | AsyncIterable<Uint8Array>;

/** By lower-case name, as the server sent them; a header that came several times may be a list. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A request on its way to the network. It is immutable: middleware that changes something passes on a copy. */
export interface OutgoingRequest {
  /** `call` for a call of the API client, `token` for a token request of an auth handler. */
  readonly purpose: "call" | "token";
  /** HTTP method. */
  readonly method: HttpMethod;
  /** Absolute. */
  readonly url: string;
  /**
   * Parameters of the address whose values are secret although their names do not say so: errors and hooks hide them.
   * @default none
   */
  readonly secretParameters?: readonly string[] | undefined;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** What is sent; undefined for GET and HEAD. */
  readonly body?: RequestBody | undefined;
  /**
   * Whether sending it twice does no more than sending it once.
   * @default by the method: true for GET, HEAD, PUT and DELETE
   */
  readonly isIdempotent?: boolean | undefined;
  /**
   * Whether the body of the answer is handed on piece by piece.
   * @default false
   */
  readonly isStreamed?: boolean | undefined;
  /**
   * Whether a redirect led to another origin than that of the base address: no client certificate is shown there.
   * @default false
   */
  readonly isForeign?: boolean | undefined;
  /** Ends the request. */
  readonly signal?: StopSignal | undefined;
  /** Which attempt of the call this is, counted from 1; absent where calls are not repeated. */
  readonly attempt?: number | undefined;
  /**
   * Milliseconds that are left for the answer to begin, and to end unless it is streamed.
   * @default unlimited
   */
  readonly leftMs?: number | undefined;
}

/** The answer to a request, whatever its status. */
export interface IncomingResponse {
  /** The address that was called, with all that middleware added to it: it may hold secrets. */
  readonly url: string;
  /** HTTP status. */
  readonly statusCode: number;
  /** By lower-case name. */
  readonly headers: ResponseHeaders;
  /** The decompressed bytes, or a stream of them if `isStreamed` was asked for. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
  /**
   * Whether the body is longer than `maxResponseBytes`; `body` is empty then.
   * @default false
   */
  readonly isTooLarge?: boolean | undefined;
  /** Discards the rest of a streamed body; does nothing for other bodies. */
  close(): void;
}

/**
 * Sends a request on its way.
 * @throws NetworkError if there is no whole answer; the reason of the request's signal if that is aborted.
 */
export type Send = (request: OutgoingRequest) => Promise<IncomingResponse>;

/**
 * A function that a host puts between a client and the network. It takes `next`, which sends a request to the network,
 * and returns the function that is used instead. Every attempt of every request passes it, with all headers as they are
 * sent, secrets included.
 *
 * It may call `next` with the request or with another one, several times or not at all. An error that it throws ends
 * the call, unless the error says `retry: "later"` (see `Retry`).
 * @example
 * const tracing: Transport = (next) => async (request) => {
 *   const start = performance.now();
 *   const response = await next(request);
 *   console.error(request.method, new URL(request.url).pathname, response.statusCode, performance.now() - start);
 *   return response;
 * };
 */
export type Transport = (next: Send) => Send;
