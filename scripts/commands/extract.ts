/** `connectorcli extract`: writes connector.json; with `--check`, only says whether it is up to date. */
import path from "node:path";
import { type Diagnostic, hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import { projectOf, stringOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import { countsOf, verdictText } from "../findings/changes.js";
import { findingsJson, findingsText, summaryOf, summaryText } from "../findings/findings-text.js";
import { type ExtractResult, extractConnectorJson } from "../workbench/extract.js";

export async function extract(args: Arguments, shell: Shell): Promise<number> {
  const project = projectOf(args, shell);
  const output = stringOf(args["output"]);
  const isPrinted = output === "-";
  const result = await extractConnectorJson({
    ...project,
    ...(output !== undefined && !isPrinted && { file: path.resolve(shell.cwd, output) }),
    mode: isPrinted ? "return" : args["check"] === true ? "check" : "write",
    allowErrors: args["allow-errors"] === true,
  });
  const shown = result.diagnostics.filter(isShown);
  if (result.state === "returned") shell.result(result.connectorJson ?? "");
  if (args["json"] === true && !isPrinted) printJson(result, shown, { folder: project.folder, shell });
  else printText(result, shown, { isPrinted, shell });
  return hasErrors(shown) ? 1 : 0;
}

/** Errors, and what a connector lacks besides its schemas: the extract is what is submitted. Other warnings are for check. */
function isShown({ severity, code }: Diagnostic): boolean {
  return severity === "error" || code === "registration-incomplete" || code === "migration-sdk-old";
}

function printJson(
  { state, file, comparison, diagnostics }: ExtractResult,
  shown: readonly Diagnostic[],
  { folder, shell }: { readonly folder: string; readonly shell: Shell },
): void {
  const result = {
    state,
    file: path.relative(shell.cwd, file),
    verdict: comparison?.verdict ?? null,
    diagnostics: findingsJson(shown, folder),
    summary: summaryOf(diagnostics),
  };
  shell.result(`${JSON.stringify(result, undefined, 2)}\n`);
}

function printText(
  { state, file, comparison, diagnostics }: ExtractResult,
  findings: readonly Diagnostic[],
  { isPrinted, shell }: { readonly isPrinted: boolean; readonly shell: Shell },
): void {
  if (findings.length > 0) shell.say(findingsText(findings, { cwd: shell.cwd }).trimEnd());
  const shown = isPrinted ? "standard output" : path.relative(shell.cwd, file) || file;
  const words = {
    written: `${shown}: written`,
    returned: `${shown}: written`,
    unchanged: `${shown}: up to date`,
    stale: `${shown}: stale`,
    stopped: "nothing written",
  };
  shell.say(`${words[state]} (${summaryText(summaryOf(diagnostics))})`);
  if (comparison !== undefined) shell.say(comparisonText(comparison));
}

function comparisonText({ verdict, reference, changes }: NonNullable<ExtractResult["comparison"]>): string {
  const name =
    reference === "committed" ? "the committed connector.json" : "the connector.json that was there";
  return `against ${name}: ${verdictText(verdict, countsOf(changes))}`;
}
