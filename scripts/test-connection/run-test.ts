/** The run of a connection test: what it is given, what it says, what becomes of it. */
import type { TestConnectionResult } from "../../runtime/host/index.js";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { numberOf } from "../argument-values.js";
import { runConnector } from "../author-project/run-connector.js";
import { failureFinding } from "../author-project/run-findings.js";
import type { Arguments } from "../command-spec.js";
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
  const seconds = numberOf(args["timeout"]) ?? TEST_SECONDS;
  const loading = numberOf(args["load-timeout"]) ?? LOAD_SECONDS;
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
      else if (message.kind === "save") {
        for (const value of Object.values(message.properties)) secrets.add(value);
        diagnostics.push(...saveProperties({ root, definition, properties: message.properties }));
      }
    },
  });
  if (outcome.kind === "result" && outcome.task === "testConnection") {
    return { result: outcome.result, diagnostics };
  }
  if (outcome.kind === "result") throw new Error("another task was run");
  return { diagnostics: [...diagnostics, failureFinding(outcome, { root, entry, hide })] };
}
