/** A budget of requests, so that a connector keeps to the limits of its target system by itself. */
import { type Clock, SYSTEM_CLOCK } from "../http/clock.js";
import type { DelegatingHandler } from "../http/messages.js";

export interface RateBudget {
  /** Requests that may start in a window, tries and token requests included. */
  readonly requests: number;
  /** Milliseconds of a window; it slides. */
  readonly windowMs: number;
}

/** Requests wait for their turn, in the order in which they came. One handler holds one budget. */
export function rateBudgetHandler(
  { requests, windowMs }: RateBudget,
  clock: Clock = SYSTEM_CLOCK,
): DelegatingHandler {
  if (!Number.isInteger(requests) || requests < 1)
    throw new RangeError("A rate budget needs a request at least.");
  // The starts of the last `requests` requests, reused in a circle: the next one waits for the oldest.
  const starts = new Array<number>(requests).fill(Number.NEGATIVE_INFINITY);
  let oldest = 0;
  return async (request, next) => {
    const now = clock.now();
    const start = Math.max(now, (starts[oldest] ?? now) + windowMs);
    starts[oldest] = start;
    oldest = (oldest + 1) % requests;
    if (start > now) await clock.sleep(start - now, request.signal);
    return next(request);
  };
}
