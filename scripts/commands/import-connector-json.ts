/** `connectorcli import connector-json`: a whole author's project from a file that is there already. */
import path from "node:path";
import { authorProject } from "../../generators/author-project.js";
import { connectorJson } from "../../generators/connector-json.js";
import type { GeneratedFile } from "../../generators/generated-file.js";
import { schemaModules } from "../../generators/schema-modules/schema-modules.js";
import { planFiles } from "../../generators/writer/plan.js";
import { recoverWrites } from "../../generators/writer/recover.js";
import { writePlan } from "../../generators/writer/write-files.js";
import { type Diagnostic, diagnostic, hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import { readConnectorJson } from "../../schemas/model/from-connector-json/read-connector.js";
import { repairKeys } from "../../schemas/model/repair-keys.js";
import { pointerSteps } from "../../schemas/naming/json-pointer.js";
import type { Arguments } from "../command-spec.js";
import { findingsJson, findingsText, summaryOf, summaryText } from "../findings-text.js";
import type { Output } from "../output.js";
import { packageVersion } from "../package-files.js";
import { readText } from "../read-text.js";
import { WRITING } from "../this-process.js";

export async function importConnectorJson(args: Arguments, output: Output): Promise<number> {
  const file = path.resolve(String(args["file"]));
  const folder = path.resolve(String(args["directory"]));
  const { files, diagnostics } = project(file, args["repair"] === true);
  const findings = [...diagnostics];
  if (!hasErrors(findings)) findings.push(...recoverWrites(folder, WRITING));
  if (!hasErrors(findings))
    findings.push(...writePlan(folder, planFiles(folder, files, { existingScaffold: "conflict" }), WRITING));
  const written = hasErrors(findings) ? [] : files.map(({ path: name }) => name);
  report(args, output, folder, written, findings);
  return hasErrors(findings) ? 1 : 0;
}

/** The files of the project that `file` becomes. */
function project(
  file: string,
  repair: boolean,
): { files: readonly GeneratedFile[]; diagnostics: readonly Diagnostic[] } {
  const text = readText(file);
  if (typeof text !== "string") return { files: [], diagnostics: [text] };
  const read = readConnectorJson(text, file);
  if (read.model === undefined) return { files: [], diagnostics: read.diagnostics };
  const place = (found: Diagnostic): Diagnostic => ({
    file,
    ...read.document.place(stepsOf(found.pointer ?? "")),
    ...found,
  });
  const { model, diagnostics } = repair ? repairKeys(read.model) : { model: read.model, diagnostics: [] };
  return {
    files: [...schemaModules(model), ...authorProject(model, packageVersion())],
    diagnostics: [...diagnostics.map(place), ...differences(connectorJson(read.model), text, file)],
  };
}

/** Where extracting would not give the bytes of the file: a reference tool writes one form, people write others. */
function differences(extracted: string, text: string, file: string): readonly Diagnostic[] {
  if (extracted === text) return [];
  const [own, theirs] = [extracted.split("\n"), text.split("\n")];
  const index = theirs.findIndex((line, at) => line !== own[at]);
  const line = (index === -1 ? theirs.length : index) + 1;
  const problem =
    extracted === text.trimEnd()
      ? "white space at its end"
      : "other order, escapes, spacing or spelling of numbers";
  return [diagnostic("import-differs", { file, line }, { line, problem })];
}

function stepsOf(pointer: string): readonly (string | number)[] {
  return pointerSteps(pointer).map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

function report(
  args: Arguments,
  output: Output,
  folder: string,
  written: readonly string[],
  findings: readonly Diagnostic[],
): void {
  if (args["json"] === true) {
    const result = {
      files: written,
      diagnostics: findingsJson(findings, folder),
      summary: summaryOf(findings),
    };
    output.result(`${JSON.stringify(result, undefined, 2)}\n`);
    return;
  }
  if (findings.length > 0) output.say(findingsText(findings, false).trimEnd());
  for (const name of written) output.say(`created ${name}`);
  if (written.length === 0) output.say(`nothing written (${summaryText(summaryOf(findings))})`);
  else
    output.say(
      `${written.length} files in ${folder}. Next: cd there, npm install, npm run check, npm run extract`,
    );
}
