/** `connectorcli test acceptance`: the connector at a fake target system at which everything goes wrong, or at the real one. */
import { hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import { numberOf, projectOf, stringOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import { writeReport } from "../findings/write-report.js";
import { packageVersion } from "../system/package-files.js";
import {
  type AcceptanceEvent,
  ProductionError,
  testAcceptance as runSuite,
  type TestAcceptanceResult,
  testLiveAcceptance,
} from "../workbench/test-acceptance.js";
import { STALE_WORDS, UsageError, withUsageErrors } from "./services.js";

export function testAcceptance(args: Arguments, shell: Shell): Promise<number> {
  return withUsageErrors(shell, async () => {
    const project = projectOf(args, shell);
    const isLive = args["live"] === true;
    const alone = ["connection", "production", "trace"].find((name) => args[name] !== undefined);
    if (!isLive && alone !== undefined) throw new UsageError(`--${alone} goes with --live.`);
    const result = await shell.interruptible((signal) => {
      const options = {
        ...project,
        object: stringOf(args["object"]),
        scenarios: stringOf(args["scenario"])?.split(","),
        isSampled: args["all"] !== true,
        seed: numberOf(args["seed"]),
        records: numberOf(args["records"]),
        environment: shell.environment,
        signal,
        onEvent: (event: AcceptanceEvent) => printEvent(event, shell),
      };
      if (!isLive) return runSuite(options);
      return testLiveAcceptance({
        ...options,
        connection: stringOf(args["connection"]),
        allowsProduction: args["production"] === true,
        isTraced: args["trace"] === true,
      }).catch((error: unknown) => {
        throw error instanceof ProductionError ? new UsageError(error.message) : error;
      });
    });
    const { diagnostics: findings, tried = [], seed } = result;
    const report = { findings, folder: project.folder, cwd: shell.cwd, version: packageVersion() };
    await writeReport(stringOf(args["format"]), report, shell, {
      json: { seed: seed ?? null, tried },
      words: wordsOf(result),
    });
    return hasErrors(findings) ? 1 : 0;
  });
}

function printEvent(event: AcceptanceEvent, shell: Shell): void {
  if (event.kind === "generated-stale") shell.say(STALE_WORDS);
  else if (event.kind === "line") shell.say(event.text);
  else if (shell.isTerminal) {
    const { scenario, object, action, isPassed } = event.tried;
    const subject = [action, object].filter((part) => part !== undefined).join(" of ");
    shell.say(`${isPassed ? "passed" : "failed"}  ${scenario}  ${subject}`.trimEnd());
  }
}

function wordsOf({ tried, seed }: TestAcceptanceResult): readonly string[] {
  if (tried === undefined) return ["nothing was tried"];
  const passed = tried.filter(({ isPassed }) => isPassed).length;
  return [`${passed} of ${tried.length} scenarios passed; --seed ${seed} repeats this run`];
}
