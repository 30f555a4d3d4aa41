/** The waiting for changes that every driver does: what is there is looked at again and again, hints only hasten it. */
import type { WaitOptions } from "./store.js";

const WAIT_MS = 30_000;

/** How a driver sees that the feed has grown. */
export interface FeedWatch {
  /** Number of the last change. */
  readonly last: () => Promise<number>;
  /** Fulfilled after `ms` milliseconds, or earlier where there may be something new, or by the signal. Never fails. */
  readonly pause: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** How long a pause is that nobody hastens, in milliseconds. */
  readonly pauseMs: number;
}

/** Waits until the last change is one above `sequence`; returns false if none came in time. */
export async function waitForChange(
  { last, pause, pauseMs }: FeedWatch,
  sequence: number,
  { timeoutMs = WAIT_MS, signal }: WaitOptions = {},
): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const leftMs = end - performance.now();
    // Before the look: what comes behind it ends the pause.
    const pausing = leftMs > 0 ? pause(Math.min(pauseMs, leftMs), signal) : undefined;
    if ((await last()) > sequence) return true;
    if (pausing === undefined || signal?.aborted === true) return false;
    await pausing;
  }
}
