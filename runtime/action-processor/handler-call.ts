/** One call of a handler: bounded in time, stopped by signals, with its lease held meanwhile. */
import { TimeoutError } from "../host/bounded.js";
import type { ActionQueue, TakenAction } from "../store/queue.js";
import { StoreError } from "../store/store-error.js";

export type HandlerEnd =
  | { readonly kind: "answered"; readonly answer: unknown }
  | { readonly kind: "threw"; readonly error: unknown }
  /** It ended because it was told to. */
  | { readonly kind: "stopped" }
  /** It was told to end, and did not. */
  | { readonly kind: "ignores-stop" };

export interface HandlerBounds {
  /** Milliseconds until its signal is aborted, which counts as a time-out. */
  readonly timeoutMs: number;
  /** Milliseconds that it may take to end after its signal was aborted. */
  readonly graceMs: number;
  /** Ends it from outside. */
  readonly signal: AbortSignal;
}

/** Calls `call` and waits for its end, but not for ever. What it does after that is forgotten. */
export async function callHandler(
  call: (signal: AbortSignal) => Promise<unknown>,
  { timeoutMs, graceMs, signal }: HandlerBounds,
): Promise<HandlerEnd> {
  const controller = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  const timeout = new TimeoutError(`The handler took more than ${timeoutMs} ms`);
  const ended = (kind: "stopped" | "ignores-stop"): HandlerEnd =>
    controller.signal.reason === timeout ? { kind: "threw", error: timeout } : { kind };
  let onStop = () => {};
  const bound = new Promise<HandlerEnd>((resolve) => {
    const abort = (reason: unknown) => {
      if (controller.signal.aborted) return;
      controller.abort(reason);
      timers.push(setTimeout(() => resolve(ended("ignores-stop")), graceMs));
    };
    timers.push(setTimeout(() => abort(timeout), timeoutMs));
    onStop = () => abort(signal.reason);
    signal.addEventListener("abort", onStop, { once: true });
    if (signal.aborted) onStop();
  });
  const called = Promise.resolve()
    .then(() => call(controller.signal))
    .then(
      (answer): HandlerEnd => ({ kind: "answered", answer }),
      (error: unknown): HandlerEnd =>
        controller.signal.aborted ? ended("stopped") : { kind: "threw", error },
    );
  try {
    return await Promise.race([called, bound]);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal.removeEventListener("abort", onStop);
  }
}

export interface Lease {
  /** Aborted when another worker has taken the action. */
  readonly lost: AbortSignal;
  release(): void;
}

/** Holds the action until it is released, however long its handler takes. */
export function holdLease(queue: ActionQueue, action: TakenAction, leaseMs: number): Lease {
  const controller = new AbortController();
  const renew = async () => {
    try {
      await queue.renew(action, leaseMs);
    } catch (error) {
      // Anything else may pass before the lease is over.
      if (error instanceof StoreError && error.problem === "superseded") controller.abort(error);
    }
  };
  const timer = setInterval(() => void renew(), Math.max(1, leaseMs / 3));
  return { lost: controller.signal, release: () => clearInterval(timer) };
}
