/** `connectorcli check --against`: the findings of the project, what changed since, and the verdict on it. */
import path from "node:path";
import { type Change, reaches, type Verdict } from "../../schemas/compatibility/change.js";
import { compareConnectors } from "../../schemas/compatibility/compare-connectors.js";
import { type Diagnostic, diagnostic, hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import { loadProject } from "../author-project/load-project.js";
import type { Arguments } from "../command-spec.js";
import { changesAsFindings } from "../findings/changes-as-findings.js";
import { writeReport } from "../findings/write-report.js";
import type { Output } from "../output.js";
import { packageVersion } from "../package-files.js";
import { projectOf } from "../project-arguments.js";
import { findingsOfProject } from "../project-checks/findings-of-project.js";
import { changesJson, changesText, countsOf, verdictText } from "./changes-text.js";
import { locateChanges } from "./locate-changes.js";
import { readOldSide } from "./old-side.js";
import { writeChanges } from "./write-changes.js";

interface Outcome {
  readonly reference: string;
  /** Null where nothing could be compared. */
  readonly verdict: Verdict | null;
  readonly changes: readonly Change[];
  readonly diagnostics: readonly Diagnostic[];
}

export async function checkAgainst(reference: string, args: Arguments, output: Output): Promise<number> {
  const { folder } = projectOf(args);
  const compared = await compare(reference, args);
  const file = args["write-changes"];
  const written =
    typeof file === "string" && compared.verdict !== null ? writeChanges(path.resolve(file), compared) : [];
  const outcome = { ...compared, diagnostics: [...compared.diagnostics, ...written] };
  await report(outcome, { args, folder: path.resolve(folder), output });
  const limit = args["fail-on"] as "major" | "minor" | "any" | undefined;
  const isReached = limit !== undefined && reaches(outcome.verdict ?? "none", limit);
  return hasErrors(outcome.diagnostics) || isReached ? 1 : 0;
}

async function compare(reference: string, args: Arguments): Promise<Outcome> {
  const { folder, timeoutSeconds } = projectOf(args);
  const project = await loadProject(folder, { timeoutSeconds });
  const old = readOldSide(reference, path.resolve(folder));
  const diagnostics = [...findingsOfProject(folder, project, true), ...old.diagnostics];
  const none = { reference, verdict: null, changes: [], diagnostics };
  if (project.model === undefined) {
    return { ...none, diagnostics: [...diagnostics, diagnostic("against-nothing", { file: folder }, {})] };
  }
  if (old.side === undefined) return hasErrors(old.diagnostics) ? none : { ...none, verdict: "none" };
  const { verdict, changes } = compareConnectors(old.side.model, project.model);
  if (changes.length === 0) return { ...none, verdict };
  // Lines of the author's code are only looked up where there is something to show.
  const { origins } = await loadProject(folder, { timeoutSeconds, located: "definitions" });
  const found = { model: project.model, ...(origins !== undefined && { origins }) };
  return { ...none, verdict, changes: locateChanges(changes, old.side, found) };
}

function report(
  { reference, verdict, changes, diagnostics }: Outcome,
  { args, folder, output }: { readonly args: Arguments; readonly folder: string; readonly output: Output },
): Promise<void> {
  const counts = countsOf(changes);
  const limit = args["fail-on"] as "major" | "minor" | "any" | undefined;
  const stops = ({ severity }: Change) => limit !== undefined && reaches(severity, limit);
  const shown = verdict === null ? "not compared" : verdictText(verdict, counts);
  return writeReport(args["format"], { findings: diagnostics, folder, version: packageVersion() }, output, {
    more: changesAsFindings(changes, stops),
    text: changesText(changes, output.isTerminal),
    json: { against: { reference, verdict, counts, changes: changesJson(changes, folder) } },
    words: [`against ${reference}: ${shown}`],
  });
}
