/** A run that ends, whatever a connector does in it. */
import { setImmediate as eventLoopTurn } from "node:timers/promises";
import { Flaw } from "./flaw.js";
import type { RecordedCalls, RunBounds } from "./recorded-calls.js";

/** How long a run that was stopped may take to end, and how often that is looked at. */
const STOP_MS = 2_000;
const LOOK_MS = 100;

/** When a run ends that does not end by itself. */
export interface Bounds extends Pick<RunBounds, "deadAfter" | "mostCalls" | "stopAfter"> {
  /** Seconds in which it may do nothing at all. */
  readonly stuckSeconds: number;
}

/**
 * Runs something, with a signal that is aborted where it is to stop, and with what stops it.
 * @throws Flaw if it does not end; nobody waits for it any more then.
 */
export async function boundedRun<Result>(
  calls: RecordedCalls,
  { stuckSeconds, ...bounds }: Bounds,
  run: (signal: AbortSignal, stop: () => void) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const reason = new DOMException("The run was stopped.", "AbortError");
  const stop = () => controller.abort(reason);
  calls.begin({ ...bounds, reason, stop });
  const stuck = whenStuck(calls, controller.signal, stuckSeconds);
  try {
    return await Promise.race([run(controller.signal, stop), stuck.flaw]);
  } finally {
    stuck.end();
    // What nobody has waited for goes on now.
    await eventLoopTurn();
    calls.end();
  }
}

/** Fails when a run does nothing for too long, or does not end although it was stopped: nobody waits for it then. */
function whenStuck(calls: RecordedCalls, signal: AbortSignal, seconds: number) {
  let timer: NodeJS.Timeout | undefined;
  const flaw = new Promise<never>((_, reject) => {
    // Looks are counted and not seconds: a process that gets no time does nothing wrong.
    let [quietLooks, signs] = [0, calls.signs];
    timer = setInterval(() => {
      quietLooks = calls.signs === signs ? quietLooks + 1 : 0;
      signs = calls.signs;
      if ((signal.aborted || calls.isEndless) && quietLooks * LOOK_MS > STOP_MS)
        reject(
          new Flaw("acceptance-endless", "it goes on and on where it is stopped or no call is answered"),
        );
      if (!calls.isOpen && quietLooks * LOOK_MS > seconds * 1_000)
        reject(new Flaw("acceptance-endless", `it makes no call for ${seconds} seconds, and does not end`));
    }, LOOK_MS);
  });
  return { flaw, end: () => clearInterval(timer) };
}
