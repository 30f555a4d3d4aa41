/** Tries again what failed in passing: bounded in tries and in time, and as the server asks. */
import { ConnectionFailure } from "../errors.js";
import { type Clock, SYSTEM_CLOCK } from "../http/clock.js";
import { isPassing } from "../http/failures.js";
import { maskedUrl } from "../http/masked-request.js";
import {
  type DelegatingHandler,
  type HttpMethod,
  type IncomingResponse,
  isReplayable,
  type OutgoingRequest,
  type Send,
} from "../http/messages.js";
import { mayPass } from "../or-retry.js";
import { type ClientHooks, tell } from "./hooks.js";
import { retryAfterMs } from "./retry-after.js";

export interface RetryOptions {
  /** Tries in all, the first one included; 4. */
  readonly tries?: number | undefined;
  /** Time from the first try to the last answer, waiting included; 300,000 ms. A try that runs on is ended. */
  readonly totalMs?: number | undefined;
  /** Methods that are tried again; GET, HEAD, PUT and DELETE. `isIdempotent` of a call goes before it. */
  readonly methods?: readonly HttpMethod[] | undefined;
  /** Statuses that are tried again; 408, 429 and 500 to 599. */
  readonly statusCodes?: ((statusCode: number) => boolean) | undefined;
  /** The wait before try n + 1 is random below `firstDelayMs` × 2ⁿ⁻¹; 500 ms. */
  readonly firstDelayMs?: number | undefined;
  /** The longest such wait; 20,000 ms. */
  readonly maxDelayMs?: number | undefined;
  /** The longest `Retry-After` that is waited for; a longer one ends the tries. 60,000 ms. */
  readonly maxRetryAfterMs?: number | undefined;
}

/** For tests: time, chance, and who watches. */
export interface RetrySurroundings {
  readonly clock?: Clock | undefined;
  /** From 0 to 1, as Math.random. */
  readonly random?: (() => number) | undefined;
  readonly hooks?: ClientHooks | undefined;
}

type Outcome = IncomingResponse | ConnectionFailure;

export function retryHandler(options: RetryOptions = {}, around: RetrySurroundings = {}): DelegatingHandler {
  const policy = policyOf(options);
  const { clock = SYSTEM_CLOCK, random = Math.random, hooks } = around;
  return async (request, next) => {
    const end = clock.now() + policy.totalMs;
    const mayRepeat =
      isReplayable(request) && (request.isIdempotent ?? policy.methods.includes(request.method));
    for (let tries = 1; ; tries++) {
      const outcome = await tried(request, next, end - clock.now());
      const delayMs = mayRepeat && tries < policy.tries ? delayBefore(outcome, tries) : undefined;
      if (delayMs === undefined || clock.now() + delayMs >= end) return settled(outcome, tries);
      tell(() => hooks?.onRetry?.({ ...eventOf(request, outcome), tries, delayMs }));
      if (!(outcome instanceof Error)) outcome.close();
      await clock.sleep(delayMs, request.signal);
    }
  };

  /** Undefined where another try makes no sense. */
  function delayBefore(outcome: Outcome, tries: number): number | undefined {
    const jitter = random() * Math.min(policy.maxDelayMs, policy.firstDelayMs * 2 ** (tries - 1));
    if (outcome instanceof Error) return isPassing(outcome) ? jitter : undefined;
    if (!policy.statusCodes(outcome.statusCode)) return undefined;
    const asked = retryAfterMs(outcome.headers, clock.now());
    if (asked === undefined) return jitter;
    return asked <= policy.maxRetryAfterMs ? asked : undefined;
  }
}

function policyOf(options: RetryOptions) {
  return {
    tries: options.tries ?? 4,
    totalMs: options.totalMs ?? 300_000,
    methods: options.methods ?? ["GET", "HEAD", "PUT", "DELETE"],
    statusCodes: options.statusCodes ?? mayPass,
    firstDelayMs: options.firstDelayMs ?? 500,
    maxDelayMs: options.maxDelayMs ?? 20_000,
    maxRetryAfterMs: options.maxRetryAfterMs ?? 60_000,
  };
}

/** One try. */
async function tried(request: OutgoingRequest, next: Send, leftMs: number): Promise<Outcome> {
  try {
    return await next({ ...request, leftMs });
  } catch (error) {
    if (error instanceof ConnectionFailure) return error;
    throw error;
  }
}

function settled(outcome: Outcome, tries: number): IncomingResponse {
  if (!(outcome instanceof Error)) return outcome;
  const { request, code, reason } = outcome;
  throw new ConnectionFailure({ request, code, reason, tries });
}

function eventOf({ purpose, method, url }: OutgoingRequest, outcome: Outcome) {
  const why = outcome instanceof Error ? { code: outcome.code } : { statusCode: outcome.statusCode };
  return { purpose, method, url: maskedUrl(url), ...why };
}
