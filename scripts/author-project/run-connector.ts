/** Runs an author's connector in a process of its own: what hangs, exits or prints there ends there. */
import { type ChildProcess, fork } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { RunMessage, RunNews, RunTask } from "./run-protocol.js";

/** How a run ended. */
export type RunOutcome =
  | Extract<RunMessage, { kind: "result" | "failed" }>
  | { readonly kind: "ended"; readonly status: string }
  | { readonly kind: "hangs"; readonly seconds: number };

export interface RunOptions {
  /** The bundled connector. */
  readonly code: string;
  readonly task: Unbundled<RunTask>;
  /** When the process is stopped, whatever it does; a service that has started takes its time. */
  readonly timeLimitMs: number;
  /** Asks a service to stop. */
  readonly signal?: AbortSignal | undefined;
  /** Called with each line that the connector prints. */
  readonly onLine: (line: string) => void;
  /** Called with what the process says before its last word. */
  readonly onMessage: (message: RunNews) => void;
}

/** A task before there is a file of its connector. */
export type Unbundled<Task> = Task extends unknown ? Omit<Task, "bundleFile"> : never;

const MEMORY_LIMIT_MB = 2_048;

/** How long the streams of a process that has ended are waited for. */
const LINGER_MS = 2_000;

/** How long a service that was told to stop is waited for: longer than it waits for what it runs. */
const STOP_MS = 15_000;

/** Compiled, beside this file or beside its bundle. */
const PROGRAM = new URL(
  "dist/scripts/author-project/run-child.js",
  import.meta.resolve("connectorcli/package.json"),
);

/** Runs the connector once. */
export async function runConnector({ code, task, ...options }: RunOptions): Promise<RunOutcome> {
  const temporary = await mkdtemp(path.join(tmpdir(), "connectorcli-"));
  let child: ChildProcess | undefined;
  try {
    const bundleFile = path.join(temporary, "registration.mjs");
    await writeFile(bundleFile, code);
    child = fork(fileURLToPath(PROGRAM), [], {
      cwd: task.folder,
      execArgv: [`--max-old-space-size=${MEMORY_LIMIT_MB}`],
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      serialization: "advanced",
    });
    return await outcomeOf(child, { ...task, bundleFile } as RunTask, options);
  } finally {
    child?.kill("SIGKILL");
    await rm(temporary, { recursive: true, force: true });
  }
}

async function outcomeOf(
  child: ChildProcess,
  task: RunTask,
  { timeLimitMs, signal, onLine, onMessage }: Omit<RunOptions, "code" | "task">,
): Promise<RunOutcome> {
  const printed = [child.stdout, child.stderr].map((stream) => forwardLines(stream, onLine));
  let timer: NodeJS.Timeout | undefined;
  const outcome = await new Promise<RunOutcome>((resolve) => {
    const limit = (milliseconds: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => resolve({ kind: "hangs", seconds: milliseconds / 1000 }), milliseconds);
    };
    limit(timeLimitMs);
    signal?.addEventListener("abort", () => {
      limit(STOP_MS);
      if (child.connected) child.send("stop");
    });
    child.on("message", (message: RunMessage) => {
      if (message.kind === "result" || message.kind === "failed") resolve(message);
      else {
        if (message.kind === "started" && signal?.aborted !== true) clearTimeout(timer);
        onMessage(message);
      }
    });
    child.once("error", (error) => resolve({ kind: "ended", status: error.message }));
    child.once("exit", (status, signal) => {
      // What was said before the end is heard first.
      setImmediate(() => resolve({ kind: "ended", status: signal ?? `status ${status}` }));
    });
    child.send(task);
  });
  clearTimeout(timer);
  child.kill("SIGKILL");
  // A process that the connector started itself may hold the streams open.
  await Promise.race([
    Promise.all(printed),
    new Promise((resolve) => setTimeout(resolve, LINGER_MS).unref()),
  ]);
  return outcome;
}

/** Whole lines: what must not be shown is looked for in each. */
function forwardLines(stream: Readable | null, onLine: (line: string) => void): Promise<void> {
  let rest = "";
  return new Promise((resolve) => {
    if (stream === null) return resolve();
    stream.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) onLine(line);
    });
    stream.once("close", () => {
      if (rest !== "") onLine(rest);
      resolve();
    });
  });
}
