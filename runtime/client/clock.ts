/** Time, which tests can replace, and waits that signals end. */
import type { Clock } from "../registration/connection-contracts.js";
import type { StopSignal } from "../registration/contracts.js";

export const SYSTEM_CLOCK: Clock = { now: () => Date.now(), sleep };

/** A signal that follows several others. */
export interface LinkedSignal {
  readonly signal: StopSignal | undefined;
  /** Stops listening to the others: they may live much longer. */
  unlink(): void;
}

/**
 * Aborted as soon as one of `signals` is. For a streamed answer nobody can say when it is over: there the garbage
 * collector unlinks, which costs more.
 */
export function linkSignals(
  signals: readonly (StopSignal | undefined)[],
  isStreamed: boolean | undefined,
): LinkedSignal {
  const sources = signals.filter((signal) => signal !== undefined);
  const unlink = () => undefined;
  if (sources.length < 2) return { signal: sources[0], unlink };
  if (isStreamed === true) return { signal: AbortSignal.any(sources), unlink };
  const controller = new AbortController();
  const removals = sources.map((source) => {
    const abort = () => controller.abort(source.reason);
    if (source.aborted) abort();
    source.addEventListener("abort", abort);
    return () => source.removeEventListener("abort", abort);
  });
  const { signal } = controller;
  return {
    signal,
    unlink: () => {
      for (const remove of removals) remove();
    },
  };
}

/** The result of `promise`. @throws the signal's reason if it is aborted first; the promise goes on for others. */
export async function untilAborted<T>(promise: Promise<T>, signal: StopSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  signal.throwIfAborted();
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

async function sleep(milliseconds: number, signal?: StopSignal | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  try {
    await untilAborted(over, signal);
  } finally {
    clearTimeout(timer);
  }
}
