/** What a connector does to the process that it runs in: what it prints, promises that nobody waits for, the time zone. */
import { setImmediate as eventLoopTurn } from "node:timers/promises";
import type { AcceptanceSurroundings } from "./acceptance-options.js";

/**
 * The process of this program, for the acceptance suite: what is printed on its streams, promises that are rejected and that
 * nobody looks at, its time zone. Run nothing else beside it.
 * @example
 * const { findings } = await runAcceptance(registration, { surroundings: observedProcess });
 */
export const observedProcess: AcceptanceSurroundings = Object.freeze({ observe, inTimeZone });

/** Runs something, and sees what it prints. A rejection that nobody handles ends no program meanwhile. */
async function observe(run: () => Promise<void>): ReturnType<AcceptanceSurroundings["observe"]> {
  const printed: string[] = [];
  const unhandled: unknown[] = [];
  const streams = [process.stdout, process.stderr].map((stream) => ({ stream, write: stream.write }));
  for (const { stream, write } of streams)
    stream.write = ((chunk: unknown, ...rest: unknown[]) => {
      printed.push(String(chunk));
      return Reflect.apply(write, stream, [chunk, ...rest]) as boolean;
    }) as typeof stream.write;
  const listeners = process.listeners("unhandledRejection");
  const hear = (reason: unknown) => void unhandled.push(reason);
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", hear);
  try {
    await run();
    // Node tells of a rejection when all that is due was done.
    await eventLoopTurn();
  } finally {
    process.off("unhandledRejection", hear);
    for (const listener of listeners) process.on("unhandledRejection", listener);
    for (const { stream, write } of streams) stream.write = write;
  }
  return { printed, unhandled };
}

/** Runs something in another time zone. */
async function inTimeZone(zone: string, run: () => Promise<void>): Promise<void> {
  const before = process.env["TZ"];
  process.env["TZ"] = zone;
  try {
    await run();
  } finally {
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
  }
}
