/** A budget of requests, so that a connector keeps to the limits of its target system by itself. */
import { type Clock, SYSTEM_CLOCK } from "../http/clock.js";
import { overdueFailure } from "../http/failures.js";
import type { DelegatingHandler, OutgoingRequest } from "../http/messages.js";

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
  const planned = lastTimes(requests);
  const begun = lastTimes(requests);
  return async (request, next) => {
    const asked = clock.now();
    const turn = Math.max(asked, planned.oldest() + windowMs);
    planned.add(turn);
    if (turn > asked) await pause(request, turn - asked, clock);
    // A busy process wakes some late and the next ones in time: what counts is when requests really begin.
    for (let early = tooEarly(); early > 0; early = tooEarly())
      await pause(withLess(request, clock.now() - asked), early, clock);
    const now = clock.now();
    begun.add(now);
    return next(withLess(request, now - asked));
  };

  function tooEarly(): number {
    return begun.oldest() + windowMs - clock.now();
  }
}

/** The last `count` times, reused in a circle. */
function lastTimes(count: number) {
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

/** Waits, or as long as the request has time. @throws ConnectionFailure where it has none left. */
async function pause(request: OutgoingRequest, waitMs: number, clock: Clock): Promise<void> {
  const { leftMs = Number.POSITIVE_INFINITY } = request;
  await clock.sleep(Math.min(waitMs, leftMs), request.signal);
  if (waitMs >= leftMs) throw overdueFailure(request);
}

function withLess(request: OutgoingRequest, spentMs: number): OutgoingRequest {
  return request.leftMs === undefined || spentMs === 0
    ? request
    : { ...request, leftMs: request.leftMs - spentMs };
}
