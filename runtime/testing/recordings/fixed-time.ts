/** Time and chance that are the same at each replay: while a task lasts, for everything in this process. */
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";
import type { Clock } from "../../registration/connection-contracts.js";

/** A time that can begin anew. */
export interface RestartableClock extends Clock {
  /** The time and the random numbers are those of the beginning again. */
  restart(): void;
}

/** Which time it is, and what random numbers are made of. */
export interface FixedTime {
  /** Milliseconds since 1970. */
  readonly startMs: number;
  readonly seed: number;
  /** Whether clients wait for nothing, and `fetch` is refused: it passes no transport, and would reach the real system. */
  readonly isReplay: boolean;
}

/**
 * Calls `task` while `Date`, `Math.random` and `randomUUID` are those of a recording. The time stands still but for what is
 * waited for: so code that waits until a time does not wait for ever.
 */
export async function withFixedTime<Result>(
  { startMs, seed, isReplay }: FixedTime,
  task: (clock: RestartableClock) => Promise<Result>,
): Promise<Result> {
  let now = startMs;
  let next = seededRandom(seed);
  const random = () => next();
  const advance = (milliseconds: number, from: number) => {
    now = Math.max(now, from + milliseconds);
  };
  const real = {
    Date,
    fetch,
    random: Math.random,
    setTimeout,
    sleep: timers.setTimeout,
    uuid: crypto.randomUUID,
  };
  const clock: RestartableClock = {
    now: () => now,
    restart: () => {
      now = startMs;
      next = seededRandom(seed);
    },
    sleep: async (milliseconds, signal) => {
      signal?.throwIfAborted();
      const from = now;
      // A turn of the event loop, so that a stop is heard.
      await real.sleep(
        isReplay ? 0 : milliseconds,
        undefined,
        signal === undefined ? {} : { signal: signal as AbortSignal },
      );
      advance(milliseconds, from);
    },
  };
  globalThis.Date = dateAt(() => now);
  Math.random = random;
  globalThis.setTimeout = Object.assign(
    (callback: (...args: unknown[]) => void, milliseconds = 0, ...args: unknown[]) => {
      const from = now;
      return real.setTimeout(() => {
        advance(milliseconds, from);
        callback(...args);
      }, milliseconds);
    },
    real.setTimeout,
  ) as typeof setTimeout;
  timers.setTimeout = (async (milliseconds: number = 0, ...rest: never[]) => {
    const from = now;
    const value = await real.sleep(milliseconds, ...rest);
    advance(milliseconds, from);
    return value;
  }) as unknown as typeof timers.setTimeout;
  if (isReplay) globalThis.fetch = refuseFetch;
  crypto.randomUUID = () => uuidFrom(random);
  const webUuid = globalThis.crypto.randomUUID;
  globalThis.crypto.randomUUID = crypto.randomUUID;
  syncBuiltinESMExports();
  try {
    return await task(clock);
  } finally {
    globalThis.Date = real.Date;
    globalThis.fetch = real.fetch;
    Math.random = real.random;
    globalThis.setTimeout = real.setTimeout;
    timers.setTimeout = real.sleep;
    crypto.randomUUID = real.uuid;
    globalThis.crypto.randomUUID = webUuid;
    syncBuiltinESMExports();
  }
}

const refuseFetch: typeof fetch = async () => {
  throw new TypeError(
    "fetch was called: only calls that go through the API client are recorded and replayed",
  );
};

function dateAt(now: () => number): DateConstructor {
  return new Proxy(Date, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    apply: (target) => new target(now()).toString(),
    get: (target, name, receiver) => (name === "now" ? now : Reflect.get(target, name, receiver)),
  });
}

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function uuidFrom(random: () => number): ReturnType<typeof crypto.randomUUID> {
  const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}
