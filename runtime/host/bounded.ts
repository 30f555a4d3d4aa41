/** A call that ends in bounded time, whatever it does with its signal. */

export interface Bounds {
  /** Milliseconds. */
  readonly timeoutMs: number;
  /** Stops the call from outside. */
  readonly signal?: AbortSignal | undefined;
}

/** The call took too long. */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError";
}

/** The longest that a timer can wait. */
const LONGEST = 2 ** 31 - 1;

/**
 * What `call` gives. Its signal is aborted when the time is over or `signal` is; what it does after that is forgotten.
 * @throws TimeoutError when the time is over, the reason of `signal` when that is aborted.
 */
export async function bounded<Result>(
  { timeoutMs, signal }: Bounds,
  call: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  if (!(Number.isFinite(timeoutMs) && timeoutMs > 0)) {
    throw new RangeError("timeoutMs: expected milliseconds, more than 0");
  }
  signal?.throwIfAborted();
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  const end = new Promise<never>((_, reject) => {
    const abort = (reason: unknown) => {
      reject(reason);
      controller.abort(reason);
    };
    timer = setTimeout(
      () => abort(new TimeoutError(`No answer within ${timeoutMs} ms`)),
      Math.min(timeoutMs, LONGEST),
    );
    stop = () => abort(signal?.reason);
    signal?.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([Promise.resolve().then(() => call(controller.signal)), end]);
  } finally {
    clearTimeout(timer);
    if (stop !== undefined) signal?.removeEventListener("abort", stop);
  }
}
