/** The run of a connection test: what it is given, what it says, what becomes of it. */
import path from "node:path";
import type { TestConnectionResult } from "../../runtime/host/index.js";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { type RunOutcome, runConnector } from "../author-project/run-connector.js";
import type { Arguments } from "../command-table.js";
import type { Output } from "../output.js";
import type { ConnectionSettings } from "../test-settings/connection-settings.js";
import { hiding } from "../test-settings/hiding.js";
import { saveProperties } from "../test-settings/save-properties.js";

export interface TestRun {
  /** The bundled connector, and the module that it was made from. */
  readonly code: string;
  readonly entry: string;
  readonly root: string;
  readonly settings: ConnectionSettings;
  readonly args: Arguments;
  readonly output: Output;
}

export interface TestRan {
  readonly result?: TestConnectionResult;
  readonly diagnostics: readonly Diagnostic[];
}

/** Seconds until a target system that does not answer counts as one without a response. */
const TEST_SECONDS = 30;

/** Seconds that loading the connector may take beside that. */
const LOAD_SECONDS = 15;

/** Runs the test once. Properties that change meanwhile are kept. */
export async function runTest({ code, entry, root, settings, args, output }: TestRun): Promise<TestRan> {
  const { definition, properties } = settings;
  const seconds = secondsOf(args["timeout"]) ?? TEST_SECONDS;
  const loading = secondsOf(args["load-timeout"]) ?? LOAD_SECONDS;
  const secrets = new Set(settings.secrets);
  const users = Object.values(properties).filter((value) => typeof value === "string");
  const hide = (text: string) => hiding(secrets, users)(text);
  const diagnostics: Diagnostic[] = [];
  const outcome = await runConnector({
    code,
    task: {
      kind: "testConnection",
      folder: root,
      entry,
      container: { DefinitionKey: definition.key, Configuration: JSON.stringify(properties) },
      timeoutMs: seconds * 1000,
    },
    timeLimitMs: (seconds + loading) * 1000,
    onLine: (line) => output.say(hide(line)),
    onMessage: (message) => {
      if (message.kind === "log") output.say(hide(`${message.message}: ${message.fields ?? ""}`));
      else {
        for (const value of Object.values(message.properties)) secrets.add(value);
        diagnostics.push(...saveProperties({ root, definition, properties: message.properties }));
      }
    },
  });
  if (outcome.kind === "result") return { result: outcome.result, diagnostics };
  return { diagnostics: [...diagnostics, failureFinding(outcome, { root, entry, hide })] };
}

function secondsOf(given: Arguments[string]): number | undefined {
  return typeof given === "number" && given > 0 ? given : undefined;
}

function failureFinding(
  outcome: Exclude<RunOutcome, { kind: "result" }>,
  { root, entry, hide }: { root: string; entry: string; hide: (text: string) => string },
): Diagnostic {
  switch (outcome.kind) {
    case "hangs":
      return diagnostic("run-hangs", { file: entry }, { seconds: outcome.seconds });
    case "ended":
      return diagnostic("run-ends", { file: entry }, { status: outcome.status });
    case "failed": {
      const { code, reason, file = entry, line, column } = outcome.failure;
      const place = { file: path.resolve(root, file), ...(line && { line }), ...(column && { column }) };
      return diagnostic(code, place, { reason: hide(reason) });
    }
    default:
      return outcome satisfies never;
  }
}
