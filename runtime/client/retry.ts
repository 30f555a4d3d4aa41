/** Repeats attempts that failed for a transient reason: bounded in number and in time, and as the server asks. */

import { maskedUrl } from "../log/masked-request.js";
import type { Clock } from "../registration/connection-contracts.js";
import type { HttpMethod, IncomingResponse, OutgoingRequest, Send } from "../registration/http-messages.js";
import { isRetryableStatus as isRetryableByDefault, retryAfterMs, retryOf } from "../retry.js";
import { safeGet } from "../untrusted.js";
import { SYSTEM_CLOCK } from "./clock.js";
import { NetworkError } from "./errors.js";
import { type ClientHooks, tellHook } from "./hooks.js";
import { isReplayable, type Middleware } from "./middleware.js";

/** How the attempts of a call are repeated. */
export interface RetryOptions {
  /**
   * Attempts of a call, the first one included.
   * @default 4
   */
  readonly maxAttempts?: number | undefined;
  /**
   * Milliseconds from the first attempt to the last answer, delays included. An attempt that goes on is ended then,
   * with a NetworkError.
   * @default 300_000
   */
  readonly totalMs?: number | undefined;
  /**
   * Methods of calls that are repeated. `isIdempotent` of a call goes before it.
   * @default ["GET", "HEAD", "PUT", "DELETE"]
   */
  readonly methods?: readonly HttpMethod[] | undefined;
  /**
   * Whether an answer with this HTTP status leads to another attempt.
   * @default 408, 429 and 500 to 599
   */
  readonly isRetryableStatus?: ((statusCode: number) => boolean) | undefined;
  /**
   * Milliseconds. The delay before attempt n + 1 is random, below `firstDelayMs` × 2ⁿ⁻¹.
   * @default 500
   */
  readonly firstDelayMs?: number | undefined;
  /**
   * The longest such delay, in milliseconds.
   * @default 20_000
   */
  readonly maxDelayMs?: number | undefined;
  /**
   * The longest `Retry-After` that is waited for, in milliseconds. If a server asks for more, its answer is the result.
   * @default 60_000
   */
  readonly maxRetryAfterMs?: number | undefined;
}

interface Surroundings {
  readonly clock?: Clock | undefined;
  /** From 0 up to 1, as Math.random. */
  readonly random?: (() => number) | undefined;
  readonly hooks?: ClientHooks | undefined;
  /** When nobody waits for the answer any more, in milliseconds since 1970. */
  readonly deadlineMs?: number | undefined;
}

/** How an attempt ended. */
type Outcome = { readonly response: IncomingResponse } | { readonly error: unknown };

export function retryMiddleware(options: RetryOptions = {}, around: Surroundings = {}): Middleware {
  const {
    maxAttempts = 4,
    totalMs = 300_000,
    methods = ["GET", "HEAD", "PUT", "DELETE"],
    isRetryableStatus = isRetryableByDefault,
    firstDelayMs = 500,
    maxDelayMs = 20_000,
    maxRetryAfterMs = 60_000,
  } = options;
  const { clock = SYSTEM_CLOCK, random = Math.random, hooks, deadlineMs = Number.POSITIVE_INFINITY } = around;
  return async (request, next) => {
    const end = Math.min(clock.now() + totalMs, deadlineMs);
    const isRepeatable = isReplayable(request) && (request.isIdempotent ?? methods.includes(request.method));
    for (let attempt = 1; ; attempt++) {
      const outcome = await tryOnce({ ...request, attempt }, next, end - clock.now());
      const delayMs = isRepeatable && attempt < maxAttempts ? delayAfter(outcome, attempt) : undefined;
      if (delayMs === undefined || clock.now() + delayMs >= end) return unwrapOutcome(outcome, attempt);
      tellHook(() => hooks?.onRetry?.({ ...factsOf(request, outcome), attempt, delayMs }));
      if ("response" in outcome) outcome.response.close();
      await clock.sleep(delayMs, request.signal);
    }
  };

  /** Milliseconds until the next attempt. Returns undefined if there is to be none. */
  function delayAfter(outcome: Outcome, attempt: number): number | undefined {
    const jitterMs = random() * Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt - 1));
    if ("error" in outcome) return retryOf(outcome.error) === "later" ? jitterMs : undefined;
    const { statusCode, headers } = outcome.response;
    if (!isRetryableStatus(statusCode)) return undefined;
    const askedMs = retryAfterMs(headers, clock.now());
    if (askedMs === undefined) return jitterMs;
    return askedMs <= maxRetryAfterMs ? askedMs : undefined;
  }
}

async function tryOnce(request: OutgoingRequest, next: Send, leftMs: number): Promise<Outcome> {
  try {
    return { response: await next({ ...request, leftMs }) };
  } catch (error) {
    // The reason of an abort may be a time-out, after which another attempt could help; but nobody waits for one.
    if (request.signal?.aborted === true) throw error;
    return { error };
  }
}

function unwrapOutcome(outcome: Outcome, attempts: number): IncomingResponse {
  if ("response" in outcome) return outcome.response;
  const { error } = outcome;
  if (!(error instanceof NetworkError)) throw error;
  const { request, code, reason } = error;
  throw new NetworkError({ request, code, reason, attempts });
}

function factsOf(request: OutgoingRequest, outcome: Outcome) {
  const { purpose, method } = request;
  return { purpose, method, url: maskedUrl(request), ...reasonOf(outcome) };
}

function reasonOf(outcome: Outcome): { readonly statusCode?: number; readonly code?: string } {
  if ("response" in outcome) return { statusCode: outcome.response.statusCode };
  const code = safeGet(outcome.error, "code");
  return typeof code === "string" ? { code } : {};
}
