/** `connectorcli test connection`: the author's connection test, run with the filled settings, or with those of a workspace (§4.3). */
import { numberOf, projectOf, stringOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import { findingsJson, findingsText, summaryOf, summaryText } from "../findings/findings-text.js";
import {
  type ConnectionTestEvent,
  type ConnectionTestRun,
  testConnection as runConnectionTest,
} from "../workbench/test-connection.js";
import { STALE_WORDS, withUsageErrors, workspaceChoiceOf } from "./services.js";

export function testConnection(args: Arguments, shell: Shell): Promise<number> {
  return withUsageErrors(shell, () => test(args, shell));
}

async function test(args: Arguments, shell: Shell): Promise<number> {
  const project = projectOf(args, shell);
  const connection = stringOf(args["connection"]);
  const run = await runConnectionTest({
    ...project,
    ...workspaceChoiceOf(args, shell),
    connection,
    fake: stringOf(args["fake"]),
    isTraced: args["trace"] === true,
    responseSeconds: numberOf(args["timeout"]),
    signIn: {
      isForced: args["sign-in"] === true,
      port: numberOf(args["port"]),
      timeoutSeconds: numberOf(args["sign-in-timeout"]),
    },
    environment: shell.environment,
    onEvent: (event) => printEvent(event, args["no-browser"] !== true, shell),
  });
  if (args["json"] === true) printJson(run, project.folder, shell);
  else printText(run, shell);
  if (run.result?.success === true) return 0;
  // A key that does not exist, given on the command line, is wrong usage.
  const isUsage = run.diagnostics.some(({ code }) => code === "settings-connection-unknown");
  return isUsage && connection !== undefined ? 2 : 1;
}

async function printEvent(event: ConnectionTestEvent, useBrowser: boolean, shell: Shell): Promise<void> {
  switch (event.kind) {
    case "generated-stale":
      return shell.say(STALE_WORDS);
    case "signed-in":
      return shell.say("Signed in.");
    case "line":
      return shell.say(event.text);
    case "sign-in": {
      const { address, redirectUri } = event;
      shell.say(`The target system must know the redirect address ${redirectUri} (--port fixes its port).`);
      shell.say(`Sign in here:\n${address}`);
      if (!useBrowser) return;
      const { openBrowser } = await import("../sign-in/browser.js");
      return openBrowser(address, shell.environment);
    }
    default:
      return event satisfies never;
  }
}

function printJson(
  { connection, result, diagnostics }: ConnectionTestRun,
  folder: string,
  shell: Shell,
): void {
  const shown = {
    ...(result ?? { success: false, message: null, statusCode: null }),
    connection: connection ?? null,
    diagnostics: findingsJson(diagnostics, folder),
    summary: summaryOf(diagnostics),
  };
  shell.result(`${JSON.stringify(shown, undefined, 2)}\n`);
}

function printText({ connection, result, diagnostics }: ConnectionTestRun, shell: Shell): void {
  if (diagnostics.length > 0) shell.say(findingsText(diagnostics, { cwd: shell.cwd }).trimEnd());
  if (result !== undefined) {
    shell.result(`${result.message}\n`);
    shell.say(`${connection}: status ${result.statusCode}`);
  } else shell.say(`not tested (${summaryText(summaryOf(diagnostics))})`);
}
