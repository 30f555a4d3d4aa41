/** `connectorcli import openapi`: a whole author's project from an OpenAPI document, or what it would be. */
import path from "node:path";
import { planLines } from "../../generators/openapi/inference/plan-table.js";
import type { PlanView } from "../../generators/openapi/inference/plan-view.js";
import { hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import { stringOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import { findingsJson, findingsText, summaryOf, summaryText } from "../findings/findings-text.js";
import { isAddress } from "../system/fetch-document.js";
import {
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
  // Without a folder, a document that is named is only looked at.
  const project = directory === undefined && given !== undefined ? undefined : folder;
  const result = await shell.interruptible(
    async (signal): Promise<ImportOpenApiResult> =>
      isDryRun
        ? { ...(await planOpenApi({ source, select, overlays, directory: project, signal })), files: [] }
        : importProject({ source, select, overlays, signal, directory: folder }),
  );
  if (args["json"] === true) {
    const { files, diagnostics, plan } = result;
    const written = isDryRun ? { plan } : { plan, files };
    const findings = { diagnostics: findingsJson(diagnostics, shell.cwd), summary: summaryOf(diagnostics) };
    shell.result(`${JSON.stringify({ ...written, ...findings }, undefined, 2)}\n`);
  } else print(result, { shell, folder, isDryRun });
  return hasErrors(result.diagnostics) ? 1 : 0;
}

function print(
  { plan, files, diagnostics }: ImportOpenApiResult,
  { shell, folder, isDryRun }: { readonly shell: Shell; readonly folder: string; readonly isDryRun: boolean },
): void {
  if (diagnostics.length > 0) shell.say(findingsText(diagnostics, { cwd: shell.cwd }).trimEnd());
  if (isDryRun) {
    if (plan !== undefined) shell.result(`${planLines(plan).join("\n")}\n`);
  } else if (files.length === 0) shell.say(`nothing written (${summaryText(summaryOf(diagnostics))})`);
  else
    shell.say(
      `${writtenText(files.length, plan)} in ${folder}. Next: cd there, npm install, npm run gen, npm run check`,
    );
}

function writtenText(count: number, plan: PlanView | undefined): string {
  const objects = plan?.objects ?? [];
  const decided = objects.filter(({ isDecided }) => isDecided).length;
  const rest = objects.length - decided;
  const undecided = rest === 0 ? "" : `; ${rest} more are undecided, see check and imported/left-out.md`;
  return `${count} files with ${decided} data objects that can be read${undecided},`;
}
