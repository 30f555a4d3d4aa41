/** What a connector does to the process that it runs in: what it prints, promises that nobody waits for, the time zone. */
import { setImmediate as eventLoopTurn } from "node:timers/promises";
import type { AcceptanceSurroundings } from "./acceptance-options.js";

/** A stream that is printed on. */
interface OutputStream {
  write: (chunk: string | Uint8Array) => boolean;
}

type Listener = (reason: unknown) => void;

/** The part of Node's `process` that is looked at. */
export interface ObservableProcess {
  /** What is printed on it is seen, and printed. */
  readonly stdout: OutputStream;
  /** What is printed on it is seen, and printed. */
  readonly stderr: OutputStream;
  /** `TZ` is set while something runs in another time zone. */
  readonly env: Record<string, string | undefined>;
  /** Who hears of rejections that nobody handles. */
  listeners(event: "unhandledRejection"): readonly unknown[];
  /** They hear of none while the process is looked at. */
  removeAllListeners(event: "unhandledRejection"): unknown;
  /** Adds one. */
  on(event: "unhandledRejection", listener: Listener): unknown;
  /** Takes it away. */
  off(event: "unhandledRejection", listener: Listener): unknown;
}

/**
 * A process for the acceptance suite to look at: what is printed on its streams, promises that are rejected and that nobody
 * looks at, its time zone: `runAcceptance(registration, { surroundings: observedProcess(process) })`. Run nothing else
 * beside it.
 */
export function observedProcess(own: ObservableProcess): AcceptanceSurroundings {
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
      for (const listener of listeners) own.on("unhandledRejection", listener as Listener);
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
