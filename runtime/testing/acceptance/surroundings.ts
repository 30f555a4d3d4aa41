/** What a connector does to the program that it runs in: what it prints, promises that nobody waits for, the time zone. */
import node from "node:process";
import { setImmediate as eventLoopTurn } from "node:timers/promises";

/** What was seen while something ran. */
export interface Surroundings {
  /** Texts on the console and on the standard streams. */
  readonly printed: readonly string[];
  /** Reasons of promises that were rejected and that nobody looks at. */
  readonly unhandled: readonly unknown[];
}

const METHODS = ["debug", "error", "info", "log", "trace", "warn"] as const;

/** Runs something, and sees what it prints. A rejection that nobody handles ends no program meanwhile. */
export async function observed(run: () => Promise<void>): Promise<Surroundings> {
  const printed: string[] = [];
  const unhandled: unknown[] = [];
  const { console } = globalThis;
  const before = Object.fromEntries(METHODS.map((name) => [name, console[name]]));
  for (const name of METHODS)
    console[name] = (...values: unknown[]) => {
      printed.push(values.map(textOf).join(" "));
    };
  const streams = [node.stdout, node.stderr].map((stream) => ({ stream, write: stream.write }));
  for (const { stream, write } of streams)
    stream.write = ((chunk: unknown, ...rest: unknown[]) => {
      printed.push(String(chunk));
      return Reflect.apply(write, stream, [chunk, ...rest]) as boolean;
    }) as typeof stream.write;
  const listeners = node.listeners("unhandledRejection");
  const hear = (reason: unknown) => void unhandled.push(reason);
  node.removeAllListeners("unhandledRejection");
  node.on("unhandledRejection", hear);
  try {
    await run();
    // Node tells of a rejection when all that is due was done.
    await eventLoopTurn();
  } finally {
    node.off("unhandledRejection", hear);
    for (const listener of listeners) node.on("unhandledRejection", listener);
    for (const { stream, write } of streams) stream.write = write;
    Object.assign(console, before);
  }
  return { printed, unhandled };
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (value instanceof Error) return String(value.stack);
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

/** Runs something in another time zone. */
export async function inTimeZone<Result>(zone: string, run: () => Promise<Result>): Promise<Result> {
  const before = node.env["TZ"];
  node.env["TZ"] = zone;
  try {
    return await run();
  } finally {
    if (before === undefined) delete node.env["TZ"];
    else node.env["TZ"] = before;
  }
}
