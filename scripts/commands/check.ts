/** `connectorcli check`: every finding of the project, sorted by place. */
import path from "node:path";
import { hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import { loadProject } from "../author-project/load-project.js";
import type { Arguments } from "../command-table.js";
import { findingsJson, findingsText, summaryOf, summaryText } from "../findings-text.js";
import type { Output } from "../output.js";
import { projectOf } from "../project-arguments.js";

export async function check(args: Arguments, output: Output): Promise<number> {
  const against = args["against"];
  if (typeof against === "string") {
    // Comparing loads ajv: only who asks for it waits for it.
    return (await import("../against/check-against.js")).checkAgainst(against, args, output);
  }
  if (args["fail-on"] !== undefined || args["write-changes"] !== undefined) {
    output.say(
      "--fail-on and --write-changes need --against: name a file or a git reference to compare with.",
    );
    return 2;
  }
  const { folder, timeoutSeconds } = projectOf(args);
  const { diagnostics } = await loadProject(folder, { timeoutSeconds });
  const summary = summaryOf(diagnostics);
  if (args["format"] === "json") {
    const result = { diagnostics: findingsJson(diagnostics, path.resolve(folder)), summary };
    output.result(`${JSON.stringify(result, undefined, 2)}\n`);
  } else {
    output.result(findingsText(diagnostics, output.isTerminal));
    output.say(summaryText(summary));
  }
  return hasErrors(diagnostics) ? 1 : 0;
}
