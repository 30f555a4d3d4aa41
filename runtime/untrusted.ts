/** Safe access to untrusted values, which never throws, and calls of untrusted functions, which end in time. */

/** The property `name` of any value. Returns undefined if there is none, or if its getter throws. */
export function safeGet(value: unknown, name: string): unknown {
  if ((typeof value !== "object" || value === null) && typeof value !== "function") return undefined;
  try {
    return Reflect.get(value, name);
  } catch {
    return undefined;
  }
}

/** The message of anything that can be thrown; never empty. */
export function errorMessage(error: unknown): string {
  const message = typeof error === "string" ? error : safeGet(error, "message");
  return typeof message === "string" && message !== "" ? message : "it threw something that is no error";
}

/** The value of a text that is JSON; undefined if it is none. */
export function jsonIn(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** A part of an address without its encoding; the text itself where it has a `%` that nobody has encoded. */
export function decodedPart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A circle of causes ends somewhere. */
const MAX_CAUSES = 10;

/** `error` and its causes, the outermost first; at most ten. */
export function* errorChain(error: unknown): Generator<unknown, void, undefined> {
  let current = error;
  for (let count = 0; count < MAX_CAUSES && current !== undefined; count++) {
    yield current;
    current = safeGet(current, "cause");
  }
}

/**
 * The HTTP status that an error itself has, as `statusCode` or as `response.statusCode`. Returns undefined if it has
 * none from 100 to 999.
 */
export function httpStatusOf(error: unknown): number | undefined {
  return httpStatus(safeGet(error, "statusCode") ?? safeGet(safeGet(error, "response"), "statusCode"));
}

/** `value` if it is a whole number from 100 to 999, else undefined. Some systems answer with statuses above 599. */
export function httpStatus(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 100 && value <= 999
    ? value
    : undefined;
}

export interface TimeLimit {
  /** Milliseconds. */
  readonly timeoutMs: number;
  /** Ends the wait from outside. */
  readonly signal?: AbortSignal | undefined;
}

/** A call took longer than it may. */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError";
  /** Another attempt may help. */
  readonly retry = "later";
}

/** The longest time that a timer of Node can wait, in milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Calls `call` and waits for its result. The signal that it is given is aborted if the time is over or if `signal` is
 * aborted; what it does after that is ignored.
 * @throws TimeoutError if the time is over; the reason of `signal` if that is aborted; RangeError if `timeoutMs` is not
 * more than 0.
 */
export async function callWithin<Result>(
  { timeoutMs, signal }: TimeLimit,
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
      Math.min(timeoutMs, LONGEST_TIMER_MS),
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
