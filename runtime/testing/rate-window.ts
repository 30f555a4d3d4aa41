/** A window of time in which a fake target system answers so many requests, and says so. */

/** How many requests a target system takes. */
export interface FakeRate {
  /** Requests in a window. */
  readonly requests: number;
  /** Length of a window in milliseconds; it begins with the first request after the last one. */
  readonly windowMs: number;
  /**
   * How a refused request is told when to come again: by `Retry-After` in seconds or as a time, or not at all.
   * @default "seconds"
   */
  readonly retryAfter?: "seconds" | "date" | "none" | undefined;
}

export interface RateVerdict {
  readonly isRefused: boolean;
  /** `RateLimit-…`, `X-RateLimit-…`, and `Retry-After` for a request that is refused. */
  readonly headers: Readonly<Record<string, string>>;
}

/** @param now Milliseconds since 1970. */
export function createRateWindow(
  { requests, windowMs, retryAfter = "seconds" }: FakeRate,
  now: () => number,
): () => RateVerdict {
  let endMs = Number.NEGATIVE_INFINITY;
  let left = 0;
  return () => {
    const time = now();
    if (time >= endMs) {
      endMs = time + windowMs;
      left = requests;
    }
    const isRefused = left === 0;
    left = Math.max(left - 1, 0);
    const seconds = String(Math.max(Math.ceil((endMs - time) / 1_000), 1));
    const facts = { limit: String(requests), remaining: String(left), reset: seconds };
    const headers = Object.fromEntries(
      Object.entries(facts).flatMap(([name, value]) => [
        [`ratelimit-${name}`, value],
        [`x-ratelimit-${name}`, value],
      ]),
    );
    if (!isRefused || retryAfter === "none") return { isRefused, headers };
    // A time has no part of a second: the one after.
    const when =
      retryAfter === "seconds" ? seconds : new Date(Math.ceil(endMs / 1_000) * 1_000).toUTCString();
    return { isRefused, headers: { ...headers, "retry-after": when } };
  };
}
