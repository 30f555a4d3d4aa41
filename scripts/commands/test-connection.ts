/** `connectorcli test connection`: the author's connection test, run with the filled settings (spec §4.3). */
import path from "node:path";
import type { TestConnectionResult } from "../../runtime/host/index.js";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { loadProject } from "../author-project/load-project.js";
import type { Arguments } from "../command-spec.js";
import { findingsJson, findingsText, summaryOf, summaryText } from "../findings-text.js";
import type { Output } from "../output.js";
import { projectOf } from "../project-arguments.js";
import { placeholderFindings } from "../test-connection/placeholder-address.js";
import { readyToRun } from "../test-connection/ready-to-run.js";
import { runTest } from "../test-connection/run-test.js";
import { signedIn } from "../test-connection/signed-in.js";
import { connectionSettings } from "../test-settings/connection-settings.js";

interface Tested {
  /** The definition key, where it is known. */
  readonly connection?: string;
  readonly result?: TestConnectionResult;
  readonly diagnostics: readonly Diagnostic[];
}

export async function testConnection(args: Arguments, output: Output): Promise<number> {
  const tested = await test(args, output);
  report(args, output, tested);
  if (tested.result?.success === true) return 0;
  // A key that does not exist, given on the command line, is wrong usage.
  const isUsage = tested.diagnostics.some(({ code }) => code === "settings-connection-unknown");
  return isUsage && args["connection"] !== undefined ? 2 : 1;
}

async function test(args: Arguments, output: Output): Promise<Tested> {
  const { folder, timeoutSeconds } = projectOf(args);
  const root = path.resolve(folder);
  const { model, diagnostics } = await loadProject(folder, { timeoutSeconds });
  if (model === undefined) return { diagnostics: diagnostics.filter(({ severity }) => severity === "error") };
  const key = typeof args["connection"] === "string" ? args["connection"] : undefined;
  const answer = connectionSettings({ model, root, key, environment: process.env });
  if (answer.settings === undefined) return { diagnostics: answer.diagnostics };
  const connection = answer.settings.definition.key;
  const placeholders = placeholderFindings(model, answer.settings, diagnostics);
  if (placeholders.length > 0) return { connection, diagnostics: placeholders };
  const ready = await readyToRun(root, model);
  if (ready.code === undefined) return { connection, diagnostics: ready.diagnostics };
  for (const word of ready.words) output.say(word);
  const entered = await signedIn(answer.settings, { root, args, output });
  if (entered.settings === undefined) return { connection, diagnostics: entered.diagnostics };
  const ran = await runTest({ ...ready, root, settings: entered.settings, args, output });
  return { connection, ...ran, diagnostics: [...entered.diagnostics, ...ran.diagnostics] };
}

function report(args: Arguments, output: Output, { connection, result, diagnostics }: Tested): void {
  const summary = summaryOf(diagnostics);
  if (args["json"] === true) {
    const shown = {
      ...(result ?? { success: false, message: null, statusCode: null }),
      connection: connection ?? null,
      diagnostics: findingsJson(diagnostics, path.resolve(projectOf(args).folder)),
      summary,
    };
    output.result(`${JSON.stringify(shown, undefined, 2)}\n`);
    return;
  }
  if (diagnostics.length > 0) output.say(findingsText(diagnostics, false).trimEnd());
  if (result !== undefined) {
    output.result(`${result.message}\n`);
    output.say(`${connection}: status ${result.statusCode}`);
  } else output.say(`not tested (${summaryText(summary)})`);
}
