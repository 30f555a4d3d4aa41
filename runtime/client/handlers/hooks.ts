/** What a connector may observe of its calls: never a header's value, a token or a query's value. */
import { SYSTEM_CLOCK } from "../http/clock.js";
import { maskedHeaders, maskedUrl } from "../http/masked-request.js";
import type { DelegatingHandler, HttpMethod } from "../http/messages.js";

export interface RequestEvent {
  readonly purpose: "call" | "token";
  readonly method: HttpMethod;
  /** Without credentials, the query's values hidden. */
  readonly url: string;
  /** Values hidden, but for harmless headers. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface ResponseEvent extends RequestEvent {
  readonly statusCode: number;
  /** Those of the answer. */
  readonly headers: Readonly<Record<string, string>>;
  readonly milliseconds: number;
}

export interface RetryEvent {
  readonly purpose: "call" | "token";
  readonly method: HttpMethod;
  readonly url: string;
  /** The try that failed, from 1. */
  readonly tries: number;
  /** Until the next one. */
  readonly delayMs: number;
  /** Of an answer that is tried again. */
  readonly statusCode?: number;
  /** Of a failure that is tried again, such as `ECONNRESET`. */
  readonly code?: string;
}

export interface TokenEvent {
  /** Where the token came from. */
  readonly url: string;
  readonly milliseconds: number;
}

/** Called for every try; what they throw is dropped, for a call does not depend on who watches it. */
export interface ClientHooks {
  onRequest?(event: RequestEvent): void;
  onResponse?(event: ResponseEvent): void;
  onRetry?(event: RetryEvent): void;
  onTokenRefresh?(event: TokenEvent): void;
}

/** Tells the hooks of every request and its answer. */
export function observingHandler(hooks: ClientHooks, clock = SYSTEM_CLOCK): DelegatingHandler {
  return async (request, next) => {
    const { purpose, method } = request;
    const url = maskedUrl(request.url);
    const start = clock.now();
    tell(() => hooks.onRequest?.({ purpose, method, url, headers: maskedHeaders(request.headers) }));
    const response = await next(request);
    const milliseconds = clock.now() - start;
    const { statusCode } = response;
    const headers = maskedHeaders(response.headers);
    tell(() => hooks.onResponse?.({ purpose, method, url, headers, statusCode, milliseconds }));
    if (purpose === "token" && statusCode === 200) tell(() => hooks.onTokenRefresh?.({ url, milliseconds }));
    return response;
  };
}

/** Calls a hook, whatever it does. */
export function tell(hook: () => void): void {
  try {
    hook();
  } catch {
    // See ClientHooks.
  }
}
