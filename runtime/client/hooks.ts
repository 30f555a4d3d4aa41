/** What a connector may observe of its calls: never a header's value, a token or a query's value. */

import { maskedHeaders, maskedUrl } from "../log/masked-request.js";
import type { Clock } from "../registration/connection-contracts.js";
import type { HttpMethod } from "../registration/http-messages.js";
import { SYSTEM_CLOCK } from "./clock.js";
import type { Middleware } from "./middleware.js";

/** An attempt that is about to be sent. */
export interface RequestEvent {
  /** `token` for the requests of auth handlers to a token endpoint. */
  readonly purpose: "call" | "token";
  /** HTTP method. */
  readonly method: HttpMethod;
  /** Without credentials, the query's values hidden. */
  readonly url: string;
  /** By lower-case name; values are hidden, but for harmless headers such as `content-type`. */
  readonly headers: Readonly<Record<string, string>>;
}

/** An attempt that was answered. */
export interface ResponseEvent extends RequestEvent {
  /** HTTP status. */
  readonly statusCode: number;
  /** Those of the answer, values hidden in the same way. */
  readonly headers: Readonly<Record<string, string>>;
  /** From the request to the answer; to its first byte if it is streamed. */
  readonly milliseconds: number;
}

/** An attempt that failed and will be repeated. */
export interface RetryEvent {
  /** `token` for the requests of auth handlers to a token endpoint. */
  readonly purpose: "call" | "token";
  /** HTTP method. */
  readonly method: HttpMethod;
  /** Without credentials, the query's values hidden. */
  readonly url: string;
  /** Number of the attempt that failed, from 1. */
  readonly attempt: number;
  /** Milliseconds until the next one. */
  readonly delayMs: number;
  /** HTTP status, if the attempt was answered. */
  readonly statusCode?: number;
  /** Code of the error, such as `ECONNRESET`, if it was not answered. */
  readonly code?: string;
}

/** A token endpoint gave out a token. */
export interface TokenEvent {
  /** Address of the token endpoint. */
  readonly url: string;
  /** From the request to the answer. */
  readonly milliseconds: number;
}

/** Called for every attempt. Errors that hooks throw are dropped: a call does not depend on who watches it. */
export interface ClientHooks {
  /** An attempt is about to be sent. */
  onRequest?(event: RequestEvent): void;
  /** An attempt was answered. */
  onResponse?(event: ResponseEvent): void;
  /** An attempt failed and will be repeated. */
  onRetry?(event: RetryEvent): void;
  /** A token endpoint gave out a token. */
  onTokenRefresh?(event: TokenEvent): void;
}

/** Tells `hooks` of every attempt and its answer. */
export function observeMiddleware(hooks: ClientHooks, clock: Clock = SYSTEM_CLOCK): Middleware {
  return async (request, next) => {
    const { purpose, method } = request;
    const url = maskedUrl(request);
    const start = clock.now();
    tellHook(() => hooks.onRequest?.({ purpose, method, url, headers: maskedHeaders(request.headers) }));
    const response = await next(request);
    const milliseconds = clock.now() - start;
    const { statusCode } = response;
    const headers = maskedHeaders(response.headers);
    tellHook(() => hooks.onResponse?.({ purpose, method, url, headers, statusCode, milliseconds }));
    if (purpose === "token" && statusCode === 200)
      tellHook(() => hooks.onTokenRefresh?.({ url, milliseconds }));
    return response;
  };
}

/** Calls a hook and ignores what it throws. */
export function tellHook(hook: () => void): void {
  try {
    hook();
  } catch {
    // See ClientHooks.
  }
}
