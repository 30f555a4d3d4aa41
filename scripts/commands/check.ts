/** `connectorcli check`: every finding of the project, sorted by place. */
import { hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import { numberOf, projectOf, stringOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import { displayPath } from "../findings/reported.js";
import { writeReport } from "../findings/write-report.js";
import { packageVersion } from "../system/package-files.js";
import { checkProject } from "../workbench/check.js";

export async function check(args: Arguments, shell: Shell): Promise<number> {
  const reference = stringOf(args["against"]);
  const fix = args["fix"] === true;
  if (fix && reference !== undefined) {
    shell.say("--fix and --against do not go together: fix first, then compare.");
    return 2;
  }
  if (args["source"] === true && reference !== undefined) {
    shell.say("--source and --against do not go together: import first, then compare.");
    return 2;
  }
  if (args["max"] !== undefined && (stringOf(args["format"]) ?? "text") !== "text") {
    shell.say("--max is for the text format: the others hold every finding.");
    return 2;
  }
  if (reference !== undefined) {
    // Comparing loads ajv: only who asks for it waits for it.
    return (await import("./check-against.js")).checkAgainst(reference, args, shell);
  }
  if (args["fail-on"] !== undefined || args["write-changes"] !== undefined) {
    shell.say(
      "--fail-on and --write-changes need --against: name a file or a git reference to compare with.",
    );
    return 2;
  }
  const isStrict = args["strict"] === true;
  const source = args["source"] === true;
  const project = { ...projectOf(args, shell), strict: isStrict, source };
  const { findings, fixed } =
    fix || source
      ? await shell.interruptible((signal) => checkProject({ ...project, fix, signal }))
      : await checkProject(project);
  for (const { file = "", line, column, code } of fixed) {
    shell.say(`fixed ${displayPath(file, shell.cwd)}:${line}:${column} ${code}`);
  }
  const report = { findings, folder: project.folder, cwd: shell.cwd, version: packageVersion() };
  await writeReport(stringOf(args["format"]), report, shell, { most: numberOf(args["max"]) });
  return hasErrors(findings) ? 1 : 0;
}
