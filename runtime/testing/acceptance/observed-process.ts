/** What a connector does to the process that it runs in: what it prints, promises that nobody waits for, the time zone. */
import { setImmediate as eventLoopTurn } from "node:timers/promises";
import type { AcceptanceSurroundings } from "./acceptance-options.js";

/**
 * A process for the acceptance suite to look at: what is printed on its streams, promises that are rejected and that nobody
 * looks at, its time zone. Run nothing else beside it.
 * @example
 * const { findings } = await runAcceptance(registration, { surroundings: observedProcess(process) });
 */
export function observedProcess(own: NodeJS.Process): AcceptanceSurroundings {
  return { observe, inTimeZone };

  /** Runs something, and sees what it prints. A rejection that nobody handles ends no program meanwhile. */
  async function observe(run: () => Promise<void>): ReturnType<AcceptanceSurroundings["observe"]> {
    const printed: string[] = [];
    const unhandled: unknown[] = [];
    const streams = [own.stdout, own.stderr].map((stream) => ({ stream, write: stream.write }));
    for (const { stream, write } of streams)
      stream.write = ((chunk: unknown, ...rest: unknown[]) => {
        printed.push(String(chunk));
        return Reflect.apply(write, stream, [chunk, ...rest]) as boolean;
      }) as typeof stream.write;
    const listeners = own.listeners("unhandledRejection");
    const hear = (reason: unknown) => void unhandled.push(reason);
    own.removeAllListeners("unhandledRejection");
    own.on("unhandledRejection", hear);
    try {
      await run();
      // Node tells of a rejection when all that is due was done.
      await eventLoopTurn();
    } finally {
      own.off("unhandledRejection", hear);
      for (const listener of listeners) own.on("unhandledRejection", listener);
      for (const { stream, write } of streams) stream.write = write;
    }
    return { printed, unhandled };
  }

  /** Runs something in another time zone. */
  async function inTimeZone(zone: string, run: () => Promise<void>): Promise<void> {
    const before = own.env["TZ"];
    own.env["TZ"] = zone;
    try {
      await run();
    } finally {
      if (before === undefined) delete own.env["TZ"];
      else own.env["TZ"] = before;
    }
  }
}
