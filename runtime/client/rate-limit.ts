/** A budget of requests, and pauses that the target system asks for: a connector keeps to its limits by itself. */
import type { IncomingResponse, OutgoingRequest } from "../registration/http-messages.js";
import { type Clock, SYSTEM_CLOCK } from "./clock.js";
import type { Middleware } from "./middleware.js";
import { overdueError } from "./network.js";
import { retryAfterMs } from "./retry.js";

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
  const startTimes = createTimeRing(requests);
  let pause = { until: Number.NEGATIVE_INFINITY, answer: undefined as IncomingResponse | undefined };
  return async (request, next) => {
    const arrival = clock.now();
    const turn = Math.max(arrival, plannedTimes.oldest() + windowMs);
    plannedTimes.add(turn);
    let waiting = request;
    for (let waitMs = Math.max(turn - arrival, msTooEarly()); waitMs > 0; waitMs = msTooEarly()) {
      const refusal = refusalIn(waiting);
      if (refusal !== undefined) return refusal;
      await waitForTurn(waiting, waitMs, clock);
      waiting = withTimeSpent(request, clock.now() - arrival);
    }
    startTimes.add(clock.now());
    const response = await next(waiting);
    notePause(request, response);
    return response;
  };

  /** A busy process wakes some late and the next ones in time: what counts is when requests really start. */
  function msTooEarly(): number {
    return Math.max(startTimes.oldest() + windowMs, pause.until) - clock.now();
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

/** The last `count` times; a new one takes the place of the oldest. */
function createTimeRing(count: number) {
  const times = new Array<number>(count).fill(Number.NEGATIVE_INFINITY);
  let next = 0;
  return {
    oldest: () => times[next] ?? Number.NEGATIVE_INFINITY,
    add: (time: number) => {
      times[next] = time;
      next = (next + 1) % count;
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
