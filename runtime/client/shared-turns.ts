/** Takes the turns of requests from where all processes take them: they keep to one budget, and to one pause. */
import type { Clock, SharedTurns } from "../registration/connection-contracts.js";
import type { IncomingResponse, OutgoingRequest } from "../registration/http-messages.js";
import { retryAfterMs } from "../retry.js";
import { SYSTEM_CLOCK } from "./clock.js";
import type { Middleware } from "./middleware.js";
import { overdueError } from "./network.js";
import type { RateBudget } from "./rate-limit.js";

/** How a client takes part in the turns of others. */
interface SharedTurnsOptions {
  readonly rateBudget?: RateBudget | undefined;
  /**
   * The longest time that is waited for a turn, in milliseconds. If it takes longer, the answer is 429.
   * @default 60_000
   */
  readonly maxPauseMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

/** Sends each request when its turn has come, and tells the others of a pause that the target system asks for. */
export function sharedTurnsMiddleware(
  turns: SharedTurns,
  { rateBudget, maxPauseMs = 60_000, clock = SYSTEM_CLOCK }: SharedTurnsOptions = {},
): Middleware {
  return async (request, next) => {
    const { leftMs = Number.POSITIVE_INFINITY } = request;
    const asked = clock.now();
    const left = () => leftMs - (clock.now() - asked);
    for (let isMyTurn = false; !isMyTurn; ) {
      const { waitMs, holdsMs } = await turns.take(rateBudget);
      if (waitMs > maxPauseMs) return refusal(request, waitMs);
      const due = clock.now() + waitMs;
      if (waitMs > 0) await clock.sleep(Math.min(waitMs, Math.max(0, left())), request.signal);
      if (left() <= 0) throw overdueError(request);
      // A process that stood still meanwhile would start together with those whose turn is now.
      isMyTurn = clock.now() <= due + holdsMs;
    }
    const response = await next(
      leftMs === Number.POSITIVE_INFINITY ? request : { ...request, leftMs: left() },
    );
    await notePause(request, response);
    return response;
  };

  /** What another server answers, such as one that gives out tokens, says nothing of the target system. */
  async function notePause({ purpose, isForeign }: OutgoingRequest, answer: IncomingResponse): Promise<void> {
    if (answer.statusCode !== TOO_MANY_REQUESTS || purpose === "token" || isForeign === true) return;
    const pauseMs = retryAfterMs(answer.headers, clock.now()) ?? 0;
    if (pauseMs > 0) await turns.pause(pauseMs);
  }
}

const TOO_MANY_REQUESTS = 429;

/** The answer of a call that can't wait for its turn, as the target system would give it. */
function refusal({ url }: OutgoingRequest, waitMs: number): IncomingResponse {
  return {
    url,
    statusCode: TOO_MANY_REQUESTS,
    headers: { "retry-after": String(Math.ceil(waitMs / 1_000)) },
    body: new Uint8Array(),
    close: () => {},
  };
}
