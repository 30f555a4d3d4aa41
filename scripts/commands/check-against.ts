/** `connectorcli check --against`: the findings of the project, what changed since, and the verdict on it. */
import path from "node:path";
import { type Change, reaches } from "../../schemas/compatibility/change.js";
import { hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import { numberOf, projectOf, stringOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import {
  changesAsFindings,
  changesByPlace,
  changesJson,
  changesText,
  countsOf,
  verdictText,
} from "../findings/changes.js";
import { writeReport } from "../findings/write-report.js";
import { packageVersion } from "../system/package-files.js";
import { compareProject } from "../workbench/compare.js";

const LIMITS = ["major", "minor", "any"] as const;

export async function checkAgainst(reference: string, args: Arguments, shell: Shell): Promise<number> {
  const project = projectOf(args, shell);
  const changesFile = stringOf(args["write-changes"]);
  const { verdict, changes, diagnostics } = await compareProject({
    ...project,
    reference,
    strict: args["strict"] === true,
    cwd: shell.cwd,
    ...(changesFile !== undefined && { changesFile: path.resolve(shell.cwd, changesFile) }),
  });
  const limit = LIMITS.find((name) => name === args["fail-on"]);
  const stops = ({ severity }: Change) => limit !== undefined && reaches(severity, limit);
  const told = countsOf(changesByPlace(changes).map(({ first }) => first));
  const { folder } = project;
  const most = numberOf(args["max"]);
  const report = { findings: diagnostics, folder, cwd: shell.cwd, version: packageVersion() };
  await writeReport(stringOf(args["format"]), report, shell, {
    more: changesAsFindings(changes, stops),
    text: changesText(changes, { cwd: shell.cwd, isTerminal: shell.isTerminal, most }),
    json: {
      against: { reference, verdict, counts: countsOf(changes), changes: changesJson(changes, folder) },
    },
    words: [`against ${reference}: ${verdict === null ? "not compared" : verdictText(verdict, told)}`],
    most,
  });
  const isReached = limit !== undefined && reaches(verdict ?? "none", limit);
  return hasErrors(diagnostics) || isReached ? 1 : 0;
}
