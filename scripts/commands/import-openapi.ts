/** `connectorcli import openapi`: a whole author's project from an OpenAPI document, or what it would be. */
import path from "node:path";
import { planLines } from "../../generators/openapi/inference/plan-table.js";
import type { PlanView } from "../../generators/openapi/inference/plan-view.js";
import { changeLines } from "../../generators/openapi/reimport/report-lines.js";
import { hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import { stringOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import { askQuestions } from "../command-line/questions.js";
import type { Shell } from "../command-line/shell.js";
import { changesText, countsOf, verdictText } from "../findings/changes.js";
import { findingsJson, findingsText, summaryOf, summaryText } from "../findings/findings-text.js";
import type { ImportReport } from "../openapi-import/reimport.js";
import { isAddress } from "../system/fetch-document.js";
import {
  type ImportOpenApiOptions,
  type ImportOpenApiResult,
  importOpenApi as importProject,
  planOpenApi,
} from "../workbench/import-openapi.js";

const WRONG_USAGE = 2;

export async function importOpenApi(args: Arguments, shell: Shell): Promise<number> {
  const directory = stringOf(args["directory"]);
  const isDryRun = args["dry-run"] === true;
  const given = stringOf(args["source"]);
  if (!isDryRun && directory === undefined && given !== undefined) {
    shell.say("Name the folder of the new project with --directory, or only look with --dry-run.");
    return WRONG_USAGE;
  }
  const source = given === undefined || isAddress(given) ? given : path.resolve(shell.cwd, given);
  const select = Array.isArray(args["select"]) ? args["select"].map(String) : undefined;
  const overlays = Array.isArray(args["overlay"])
    ? args["overlay"].map((name) => path.resolve(shell.cwd, String(name)))
    : undefined;
  const folder = path.resolve(shell.cwd, directory ?? "");
  const accept = args["accept"] === true;
  const add = args["add"] === true;
  const ask = shell.canAsk ? askOnTerminal(shell) : undefined;
  // Without a folder, a document that is named is only looked at.
  const project = directory === undefined && given !== undefined ? undefined : folder;
  const run = (signal: AbortSignal): Promise<ImportOpenApiResult> =>
    isDryRun
      ? looked({ source, select, overlays, directory: project, signal, accept, add })
      : importProject({ source, select, overlays, signal, directory: folder, accept, add, ask });
  const result = await shell.interruptible(run).catch((error: unknown) => {
    if (error instanceof Interrupted) return error;
    throw error;
  });
  if (result instanceof Interrupted) return result.status;
  if (args["json"] === true) {
    const { files, diagnostics, plan, report } = result;
    const written = isDryRun ? { plan, report } : { plan, files, report };
    const findings = { diagnostics: findingsJson(diagnostics, shell.cwd), summary: summaryOf(diagnostics) };
    shell.result(`${JSON.stringify({ ...written, ...findings }, undefined, 2)}\n`);
  } else print(result, { shell, folder, isDryRun, add });
  return hasErrors(result.diagnostics) ? 1 : 0;
}

/** What would be made; in a project that was imported before, also what would change. */
async function looked({
  directory,
  ...options
}: Omit<ImportOpenApiOptions, "directory"> & {
  readonly directory: string | undefined;
}): Promise<ImportOpenApiResult> {
  return directory === undefined
    ? { ...(await planOpenApi(options)), files: [] }
    : importProject({ ...options, directory, dryRun: true });
}

const STOP = "ask nothing more";

/** One question after the other. Interrupting one ends the command, and nothing is written. */
function askOnTerminal(shell: Shell): NonNullable<ImportOpenApiOptions["ask"]> {
  return async ({ message, choices }) => {
    const words = [...choices.map((choice) => choice.words), STOP];
    const question = { name: "answer", message, choices: () => words };
    const answers = await askQuestions({}, [question], shell);
    if (typeof answers === "number") throw new Interrupted(answers);
    return choices.find((choice) => choice.words === answers["answer"]);
  };
}

class Interrupted extends Error {
  override readonly name = "Interrupted";

  constructor(readonly status: number) {
    super("The user ended the questions.");
  }
}

interface Printing {
  readonly shell: Shell;
  readonly folder: string;
  readonly isDryRun: boolean;
  /** Whether modules are made for what came since. */
  readonly add: boolean;
}

function print(result: ImportOpenApiResult, { shell, folder, isDryRun, add }: Printing): void {
  const { plan, files, diagnostics, report } = result;
  if (diagnostics.length > 0) shell.say(findingsText(diagnostics, { cwd: shell.cwd }).trimEnd());
  if (report !== undefined) printReport(report, { shell, add });
  if (isDryRun) {
    if (plan !== undefined) shell.result(`${planLines(plan).join("\n")}\n`);
  } else if (report !== undefined) {
    const done = files.length === 0 ? "nothing written" : `${files.length} files written in ${folder}`;
    shell.say(`${done} (${summaryText(summaryOf(diagnostics))})`);
  } else if (files.length === 0) shell.say(`nothing written (${summaryText(summaryOf(diagnostics))})`);
  else
    shell.say(
      `${writtenText(files.length, plan)} in ${folder}. Next: cd there, npm install, npm run gen, npm run check`,
    );
}

/** The severest ones are shown; `--json` and `check --against` have all. */
const MOST_CHANGES = 20;

/** What is different from the import before, and what that is to users of the connector. */
function printReport(report: ImportReport, { shell, add }: Pick<Printing, "shell" | "add">): void {
  const { versions, changes, kept, offered, gone, verdict, connectorChanges } = report;
  const { before, now } = versions;
  if (before !== now) shell.say(`version ${before || "none"} -> ${now || "none"}`);
  for (const line of changeLines(changes)) shell.say(line);
  if (changes.length === 0) shell.say("Nothing that the connector is made of has changed.");
  for (const { name, now, evidence, place } of kept)
    shell.say(`kept     ${name}, whose text stays; it would be ${now} now: ${evidence} (${place})`);
  // What was to be added and is not, waits for the errors.
  const way = add ? "They are added when the errors above are corrected." : "Take them with --add.";
  if (offered.length > 0) shell.say(`Without modules: ${offered.join(", ")}. ${way}`);
  if (gone.length > 0)
    shell.say(`Gone from the document, and still in your modules: ${gone.join(", ")}. Remove them there.`);
  if (verdict === null) return;
  const style = { cwd: shell.cwd, isTerminal: shell.isTerminal, most: MOST_CHANGES };
  shell.write(changesText(connectorChanges, style));
  shell.say(`against the connector before: ${verdictText(verdict, countsOf(connectorChanges))}`);
}

function writtenText(count: number, plan: PlanView | undefined): string {
  const objects = plan?.objects ?? [];
  const decided = objects.filter(({ isDecided }) => isDecided).length;
  const rest = objects.length - decided;
  const undecided = rest === 0 ? "" : `; ${rest} more are undecided, see check and imported/left-out.md`;
  return `${count} files with ${decided} data objects that can be read${undecided},`;
}
