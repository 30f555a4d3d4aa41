/** Access tokens: one request in flight however many callers wait, reused until shortly before they expire. */
import type { StopSignal } from "../../registration/contracts.js";
import { type Clock, SYSTEM_CLOCK, untilAborted } from "../http/clock.js";
import { type DelegatingHandler, isReplayable, type Send, withHeader } from "../http/messages.js";

export interface AccessToken {
  readonly value: string;
  /** Seconds from its request on; undefined where the provider does not say. */
  readonly expiresIn: number | undefined;
}

/** Asks the provider for a token, by the rest of the chain. */
export type TokenRequest = (send: Send) => Promise<AccessToken>;

interface KeptToken {
  readonly value: string;
  /** Milliseconds since 1970, already before the real end. */
  readonly usableUntil: number;
}

/** A clock may be wrong and a call may take its time: a token is not used in its last minute, or fifth if shorter. */
const MARGIN_MS = 60_000;

/** Sets a bearer token; a 401 gets a new one once and repeats the call once, unless its body can't be sent twice. */
export function bearerHandler(requestToken: TokenRequest, clock: Clock = SYSTEM_CLOCK): DelegatingHandler {
  const tokens = tokenStore(requestToken, clock);
  return async (request, next) => {
    const token = await tokens.get(next, request.signal);
    const response = await next(withHeader(request, "authorization", `Bearer ${token}`));
    if (response.statusCode !== 401 || !isReplayable(request)) return response;
    response.close();
    const renewed = await tokens.renew(token, next, request.signal);
    return next(withHeader(request, "authorization", `Bearer ${renewed}`));
  };
}

function tokenStore(requestToken: TokenRequest, clock: Clock) {
  let kept: KeptToken | undefined;
  let inFlight: Promise<string> | undefined;

  async function requested(send: Send): Promise<string> {
    const start = clock.now();
    try {
      const { value, expiresIn } = await requestToken(send);
      const life = (expiresIn ?? Number.POSITIVE_INFINITY) * 1_000;
      kept = { value, usableUntil: start + life - Math.min(MARGIN_MS, life / 5) };
      return value;
    } finally {
      inFlight = undefined;
    }
  }

  async function get(send: Send, signal: StopSignal | undefined): Promise<string> {
    if (kept !== undefined && clock.now() < kept.usableUntil) return kept.value;
    signal?.throwIfAborted();
    inFlight ??= requested(send);
    // Whoever is stopped stops waiting; the others still get their token.
    return untilAborted(inFlight, signal);
  }

  /** A token that is not `refused`: that of another caller who was faster, or a new one. */
  async function renew(refused: string, send: Send, signal: StopSignal | undefined): Promise<string> {
    if (kept?.value === refused) kept = undefined;
    return get(send, signal);
  }

  return { get, renew };
}
