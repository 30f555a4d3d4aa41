/** A budget of requests, so that a connector keeps to the limits of its target system by itself. */
import type { OutgoingRequest } from "../registration/http-messages.js";
import { type Clock, SYSTEM_CLOCK } from "./clock.js";
import type { Middleware } from "./middleware.js";
import { overdueError } from "./network.js";

/** How many requests may start in any window of time. */
export interface RateBudget {
  /** Requests in a window, repeated attempts and token requests included; a whole number, at least 1. */
  readonly requests: number;
  /** Length of a window in milliseconds. Every stretch of that length is one. */
  readonly windowMs: number;
}

/**
 * Lets requests wait for their turn, in the order in which they came. Each call of it makes one budget.
 * @throws RangeError if `requests` is no whole number from 1 on.
 */
export function rateLimitMiddleware(
  { requests, windowMs }: RateBudget,
  clock: Clock = SYSTEM_CLOCK,
): Middleware {
  if (!Number.isInteger(requests) || requests < 1) {
    throw new RangeError("A rate budget needs at least one request.");
  }
  const plannedTimes = createTimeRing(requests);
  const startTimes = createTimeRing(requests);
  return async (request, next) => {
    const arrival = clock.now();
    const turn = Math.max(arrival, plannedTimes.oldest() + windowMs);
    plannedTimes.add(turn);
    if (turn > arrival) await waitForTurn(request, turn - arrival, clock);
    // A busy process wakes some late and the next ones in time: what counts is when requests really start.
    for (let earlyMs = msTooEarly(); earlyMs > 0; earlyMs = msTooEarly()) {
      await waitForTurn(withTimeSpent(request, clock.now() - arrival), earlyMs, clock);
    }
    const now = clock.now();
    startTimes.add(now);
    return next(withTimeSpent(request, now - arrival));
  };

  function msTooEarly(): number {
    return startTimes.oldest() + windowMs - clock.now();
  }
}

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
