/** Runs an author's connector in a process of its own: if it hangs, exits or prints, only that process does. */
import { type ChildProcess, fork } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { KEY_VARIABLE } from "../system/key-variable.js";
import { packageFile } from "../system/package-files.js";
import { makeTemporaryFolder } from "../system/temporary-folder.js";
import type { LockedProperties } from "../test-settings/property-lock.js";
import type { RunCommand, RunEvent, RunMessage, RunTask } from "./run-protocol.js";

/** How a run ended. */
export type RunOutcome =
  | Extract<RunMessage, { kind: "result" | "failed" }>
  | { readonly kind: "ended"; readonly status: string }
  | { readonly kind: "hangs"; readonly seconds: number };

export interface RunOptions {
  /** The bundled connector. */
  readonly code: string;
  readonly task: Unbundled<RunTask>;
  /** The environment of the process. @default that of this one */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** When the process is stopped, whatever it does; a service that has started takes its time. */
  readonly timeLimitMs: number;
  /** When a service that has started and says nothing is stopped. @default never */
  readonly quietLimitMs?: number | undefined;
  /** Asks a service to stop. */
  readonly signal?: AbortSignal | undefined;
  /** Locks the connection properties for the connector. The signal is aborted when the process has ended. */
  readonly lockProperties?: (signal: AbortSignal) => Promise<LockedProperties>;
  /** Keeps connection properties that the connector has changed; they are unlocked when that has ended. */
  readonly saveProperties?: (properties: Readonly<Record<string, string>>) => Promise<void>;
  /** Called with each line that the connector prints. */
  readonly onLine?: (line: string) => void;
  /** Called with what the process says before the result. */
  readonly onMessage?: (message: RunEvent) => void;
}

/** A task before there is a file of its connector. */
export type Unbundled<Task> = Task extends unknown ? Omit<Task, "bundleFile"> : never;

const MEMORY_LIMIT_MB = 2_048;

/** Milliseconds to wait for the streams of a process that has ended. */
const LINGER_MS = 2_000;

/** Milliseconds to wait for a service that was told to stop: longer than it waits for its own tasks. */
const STOP_MS = 15_000;

/** Runs the connector once. */
export async function runConnector({ code, task, environment, ...options }: RunOptions): Promise<RunOutcome> {
  const temporary = makeTemporaryFolder();
  let child: ChildProcess | undefined;
  try {
    const bundleFile = path.join(temporary, "registration.mjs");
    await writeFile(bundleFile, code);
    child = fork(fileURLToPath(packageFile("dist/bundled/run-child.js")), [], {
      cwd: task.folder,
      // The key is for this process alone: the author's code needs none, and might print it.
      ...(environment && { env: { ...environment, [KEY_VARIABLE]: undefined } }),
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
  {
    timeLimitMs,
    quietLimitMs,
    signal,
    lockProperties,
    saveProperties,
    onLine = () => {},
    onMessage = () => {},
  }: Omit<RunOptions, "code" | "task" | "environment">,
): Promise<RunOutcome> {
  const printed = [child.stdout, child.stderr].map((stream) => forwardLines(stream, onLine));
  // A process that has ended or is about to can't be told anything; its end is heard of by itself.
  const tell = (message: RunTask | RunCommand) => void child.send(message, () => {});
  let saved = Promise.resolve();
  const locks = createLocks(lockProperties, tell);
  let timer: NodeJS.Timeout | undefined;
  let hasStarted = false;
  // The signal may outlive the run, and must not be heard after it.
  const over = new AbortController();
  const outcome = await new Promise<RunOutcome>((resolve) => {
    const setTimeLimit = (milliseconds: number | undefined) => {
      clearTimeout(timer);
      if (milliseconds === undefined) return;
      timer = setTimeout(() => resolve({ kind: "hangs", seconds: milliseconds / 1000 }), milliseconds);
    };
    setTimeLimit(timeLimitMs);
    const stop = () => {
      setTimeLimit(STOP_MS);
      tell({ kind: "stop" });
    };
    signal?.addEventListener("abort", stop, { signal: over.signal });
    const hearEvent = (event: RunEvent) => {
      hasStarted ||= event.kind === "started";
      if (hasStarted && signal?.aborted !== true) setTimeLimit(quietLimitMs);
      onMessage(event);
    };
    child.on("message", (message: RunMessage) => {
      if (message.kind === "result" || message.kind === "failed") return resolve(message);
      if (message.kind === "lock") return locks.take(message.id);
      // Whoever has them next finds what was saved.
      if (message.kind === "unlock") return void saved.then(() => locks.release(message.id));
      hearEvent(message);
      if (message.kind === "save") saved = saved.then(() => saveProperties?.(message.properties));
    });
    child.on("error", (error) => resolve({ kind: "ended", status: error.message }));
    child.once("exit", (status, signal) => {
      // What was said before the end is heard first.
      setImmediate(() => resolve({ kind: "ended", status: signal ?? `status ${status}` }));
    });
    tell(task);
    // It may be over before the process is there.
    if (signal?.aborted === true) stop();
  });
  clearTimeout(timer);
  over.abort();
  child.kill("SIGKILL");
  // A process that the connector started itself may hold the streams open.
  await Promise.race([
    Promise.all(printed),
    new Promise((resolve) => setTimeout(resolve, LINGER_MS).unref()),
  ]);
  await saved;
  // Only now does the connector send no token request any more.
  locks.end();
  return outcome;
}

/** Locks for the process; it takes none with it when it ends. */
function createLocks(lockProperties: RunOptions["lockProperties"], tell: (command: RunCommand) => void) {
  const over = new AbortController();
  const held = new Map<number, LockedProperties>();

  async function take(id: number): Promise<void> {
    const locked = await lockProperties?.(over.signal).catch(() => undefined);
    if (locked === undefined) return tell({ kind: "locked", id, properties: undefined });
    if (over.signal.aborted) return locked.release();
    held.set(id, locked);
    tell({ kind: "locked", id, properties: locked.properties });
  }

  function release(id: number): void {
    held.get(id)?.release();
    held.delete(id);
  }

  return {
    take: (id: number) => void take(id),
    release,
    end: () => {
      over.abort();
      for (const id of [...held.keys()]) release(id);
    },
  };
}

/** Calls `onLine` with whole lines, so that a secret is never cut in two. */
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

export interface FailedRun {
  /** The project's folder. */
  readonly root: string;
  readonly entry: string;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
}

/** The finding for a run without a result. */
export function failureFinding(
  outcome: Exclude<RunOutcome, { kind: "result" }>,
  { root, entry, redact }: FailedRun,
): Diagnostic {
  switch (outcome.kind) {
    case "hangs":
      return diagnostic("run-hangs", { file: entry }, { seconds: outcome.seconds });
    case "ended":
      return diagnostic("run-ends", { file: entry }, { status: outcome.status });
    case "failed": {
      const { failure } = outcome;
      if (failure.code === "store-of-another-connection") {
        const words = { owner: redact(failure.owner), connection: redact(failure.connection) };
        return diagnostic(failure.code, { file: failure.file }, words);
      }
      const { code, reason, file = entry, line, column } = failure;
      const place = { file: path.resolve(root, file), ...(line && { line }), ...(column && { column }) };
      return diagnostic(code, place, { reason: redact(reason) });
    }
    default:
      return outcome satisfies never;
  }
}
