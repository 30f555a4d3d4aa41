/** `connectorcli check`: every finding of the project, sorted by place. */
import path from "node:path";
import { hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import { loadProject } from "../author-project/load-project.js";
import type { Arguments } from "../command-spec.js";
import { shownPath } from "../findings/shown-path.js";
import { writeReport } from "../findings/write-report.js";
import type { Output } from "../output.js";
import { packageVersion } from "../package-files.js";
import { projectOf } from "../project-arguments.js";
import { findingsOfProject } from "../project-checks/findings-of-project.js";

export async function check(args: Arguments, output: Output): Promise<number> {
  const against = args["against"];
  if (args["fix"] === true && against !== undefined) {
    output.say("--fix and --against do not go together: fix first, then compare.");
    return 2;
  }
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
  const isFixing = args["fix"] === true;
  const { project, problems } = isFixing
    ? await fixed(folder, timeoutSeconds, output)
    : { project: await loadProject(folder, { timeoutSeconds }), problems: [] };
  const findings = [...findingsOfProject(folder, project), ...problems];
  const report = { findings, folder: path.resolve(folder), version: packageVersion() };
  await writeReport(args["format"], report, output);
  return hasErrors(findings) ? 1 : 0;
}

async function fixed(folder: string, timeoutSeconds: number | undefined, output: Output) {
  const { fixProject } = await import("../fix/fix-project.js");
  const { project, fixed, diagnostics } = await fixProject(folder, timeoutSeconds);
  for (const { file = "", line, column, code } of fixed) {
    output.say(`fixed ${shownPath(file, process.cwd())}:${line}:${column} ${code}`);
  }
  return { project, problems: diagnostics };
}
