/** A budget of requests, and pauses that the target system asks for: a connector keeps to its limits by itself. */
import type { Clock } from "../registration/connection-contracts.js";
import type { IncomingResponse, OutgoingRequest } from "../registration/http-messages.js";
import { retryAfterMs } from "../retry.js";
import { SYSTEM_CLOCK } from "./clock.js";
import type { Middleware } from "./middleware.js";
import { overdueError } from "./network.js";

/** How many requests may start in any window of time. */
export interface RateBudget {
  /** Requests in a window, repeated attempts and token requests included; a whole number, at least 1. */
  readonly requests: number;
  /** Length of a window in milliseconds. Every stretch of that length is one. */
  readonly windowMs: number;
}

/** What a client keeps to beside its own budget. */
interface PauseOptions {
  /**
   * The longest pause that is waited for, in milliseconds. In a longer one the answer that asked for it is the result.
   * @default 60_000
   */
  readonly maxPauseMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

const NO_BUDGET: RateBudget = { requests: 1, windowMs: Number.NEGATIVE_INFINITY };

/**
 * Lets requests wait for their turn, in the order in which they came, and sends none until the time that an answer 429
 * names by `Retry-After`: what one call is told goes for all. Each call of it makes one budget.
 * @throws RangeError if `requests` is no whole number from 1 on.
 */
export function rateLimitMiddleware(
  { requests, windowMs }: RateBudget = NO_BUDGET,
  { maxPauseMs = 60_000, clock = SYSTEM_CLOCK }: PauseOptions = {},
): Middleware {
  if (!Number.isInteger(requests) || requests < 1) {
    throw new RangeError("A rate budget needs at least one request.");
  }
  const plannedTimes = createTimeRing(requests);
  const arrivals = createTimeRing(requests);
  let answered = 0;
  let quickestMs = Number.POSITIVE_INFINITY;
  let pause = { until: Number.NEGATIVE_INFINITY, answer: undefined as IncomingResponse | undefined };
  return async (request, next) => {
    const asked = clock.now();
    const turn = Math.max(asked, plannedTimes.oldest() + windowMs);
    plannedTimes.add(turn);
    let waiting = request;
    for (let waitMs = Math.max(turn - asked, msTooEarly()); waitMs > 0; waitMs = msTooEarly()) {
      const refusal = refusalIn(waiting);
      if (refusal !== undefined) return refusal;
      await waitForTurn(waiting, waitMs, clock);
      waiting = withTimeSpent(request, clock.now() - asked);
    }
    const start = clock.now();
    const arrival = arrivals.add(start + windowMs * JITTER);
    const response = await next(waiting).finally(() => {
      arrival.time += Math.min(windowMs, delayOf(clock.now() - start));
    });
    notePause(request, response);
    return response;
  };

  /**
   * A busy process wakes or sends some late and the next ones in time, and a new connection takes its time: what counts is
   * when requests arrive.
   */
  function msTooEarly(): number {
    return Math.max(arrivals.oldest() + windowMs, pause.until) - clock.now();
  }

  /** How late a request has arrived, by how much longer its answer took than the quickest one. */
  function delayOf(answeredAfterMs: number): number {
    quickestMs = Math.min(quickestMs, Math.max(0, answeredAfterMs));
    return answered++ < requests ? answeredAfterMs : answeredAfterMs - quickestMs;
  }

  /** What another server answers, such as one that gives out tokens, says nothing of the target system. */
  function notePause({ purpose, isForeign }: OutgoingRequest, answer: IncomingResponse): void {
    if (answer.statusCode !== TOO_MANY_REQUESTS || purpose === "token" || isForeign === true) return;
    const now = clock.now();
    const until = now + (retryAfterMs(answer.headers, now) ?? 0);
    if (until > pause.until) pause = { until, answer };
  }

  /** The answer of a call that can't wait for the end of the pause, as the target system would give it. */
  function refusalIn({
    url,
    leftMs = Number.POSITIVE_INFINITY,
  }: OutgoingRequest): IncomingResponse | undefined {
    const pauseMs = pause.until - clock.now();
    if (pause.answer === undefined || pauseMs <= Math.min(maxPauseMs, leftMs)) return undefined;
    const { headers, body } = pause.answer;
    return {
      ...pause.answer,
      url,
      headers: { ...headers, "retry-after": String(Math.ceil(pauseMs / 1_000)) },
      // A streamed body was read by whoever was answered.
      body: body instanceof Uint8Array ? body : new Uint8Array(),
      close: () => {},
    };
  }
}

const TOO_MANY_REQUESTS = 429;

/** Part of a window by which requests may arrive later than their answers tell. */
const JITTER = 1 / 100;

/** The last `count` times; a new one takes the place of the oldest. */
function createTimeRing(count: number) {
  const entries = Array.from({ length: count }, () => ({ time: Number.NEGATIVE_INFINITY }));
  let next = 0;
  return {
    oldest: () => entries[next]?.time ?? Number.NEGATIVE_INFINITY,
    /** The entry of this time, which may be corrected. */
    add: (time: number) => {
      const entry = { time };
      entries[next] = entry;
      next = (next + 1) % count;
      return entry;
    },
  };
}

/** Waits, but no longer than the request has time. @throws NetworkError if it has none left. */
async function waitForTurn(request: OutgoingRequest, waitMs: number, clock: Clock): Promise<void> {
  const { leftMs = Number.POSITIVE_INFINITY } = request;
  await clock.sleep(Math.min(waitMs, leftMs), request.signal);
  if (waitMs >= leftMs) throw overdueError(request);
}

function withTimeSpent(request: OutgoingRequest, spentMs: number): OutgoingRequest {
  return request.leftMs === undefined || spentMs === 0
    ? request
    : { ...request, leftMs: request.leftMs - spentMs };
}
