/** The process that runs an author's connector. What the connector prints never mixes with what this says. */
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import type * as Host from "../../runtime/host/index.js";
import type { ConnectorRegistration, Log } from "../../runtime/index.js";
import { placeOfError } from "./locate.js";
import type { RunFailure, RunMessage, RunTask } from "./run-protocol.js";
import { runService } from "./run-service.js";

const send = process.send?.bind(process);
// The channel is this file's: a connector finds an ordinary process.
delete process.send;
process.setSourceMapsEnabled(true);
process.once("disconnect", () => process.exit());
// The command hears of an interruption too, and says when to stop.
process.on("SIGINT", () => {});
process.once("message", (task: RunTask) => {
  const stop = new AbortController();
  process.on("message", () => stop.abort());
  void run(task, stop.signal);
});

async function run(task: RunTask, signal: AbortSignal): Promise<void> {
  const failed = (error: unknown) => say({ kind: "failed", failure: failureOf(error, task) });
  process.on("uncaughtException", failed);
  process.on("unhandledRejection", failed);
  try {
    const exported = await import(pathToFileURL(task.bundleFile).href);
    const registration: unknown = exported["registration"];
    if (!isRegistration(registration)) {
      say({ kind: "failed", failure: { code: "run-exports-nothing", reason: "" } });
      return;
    }
    // The very module that the connector's own packages share.
    const host: typeof Host = await import(import.meta.resolve("connectorcli/host"));
    const saveProperties = async (properties: Readonly<Record<string, string>>) =>
      say({ kind: "save", properties: { ...properties } });
    if (task.kind !== "testConnection") {
      say(await runService(task, registration, { host, saveProperties, signal, say }));
      return;
    }
    const { timeoutMs } = task;
    const result = await host.testConnection(registration, task.container, {
      timeoutMs,
      saveProperties,
      log,
    });
    say({ kind: "result", task: "testConnection", result });
  } catch (error) {
    failed(error);
  }
}

function say(message: RunMessage): void {
  send?.(message);
}

/** What the host has to say comes without secrets. */
const log: Log = {
  debug: () => {},
  info: () => {},
  warn: (message, fields) => say({ kind: "log", level: "warn", message, ...shown(fields) }),
  error: (message, fields) => say({ kind: "log", level: "error", message, ...shown(fields) }),
};

/** The reason in one line: where an error came from is of no use beside it. */
function shown(fields: object | undefined): { readonly fields?: string } {
  const { error } = (fields ?? {}) as { error?: { message?: unknown } };
  const reason = typeof error?.message === "string" ? error.message : fields;
  if (reason === undefined) return {};
  return {
    fields: typeof reason === "string" ? reason : inspect(reason, { depth: 3, breakLength: Infinity }),
  };
}

function isRegistration(value: unknown): value is ConnectorRegistration {
  return (
    typeof value === "object" && value !== null && "connectionTestHandler" in value && "clientHelper" in value
  );
}

const CODES: Readonly<Record<string, RunFailure["code"]>> = {
  ConnectionError: "run-connection-unusable",
  StartError: "run-start-refused",
  StoreError: "store-unusable",
};

function failureOf(error: unknown, task: RunTask): RunFailure {
  if (!(error instanceof Error)) return { code: "run-throws", reason: String(error) };
  const code = CODES[error.name] ?? "run-throws";
  const place = code === "run-throws" ? placeOfError(error, task) : undefined;
  return { code, reason: error.message.replace(/\.$/, ""), ...place };
}
