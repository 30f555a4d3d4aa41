/** `connectorcli connector new`: a project from nothing. */
import path from "node:path";
import { connectorScaffold } from "../../generators/scaffolds/index.js";
import { recoverWrites } from "../../generators/writer/recover.js";
import { hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import { fileName } from "../../schemas/naming/identifiers.js";
import { loadProject } from "../author-project/load-project.js";
import type { Arguments } from "../command-spec.js";
import type { Output } from "../output.js";
import { packageVersion } from "../package-files.js";
import { answersTo, missingStatus, type Question } from "../scaffolding/answers.js";
import { placed, projectSources } from "../scaffolding/project-sources.js";
import { reportScaffold } from "../scaffolding/report-scaffold.js";
import { newErrors, unconfirmed, writeConfirmed } from "../scaffolding/write-confirmed.js";
import { WRITING } from "../this-process.js";

const QUESTIONS: readonly Question[] = [
  { name: "name", isPositional: true, message: "Name of the connector, as people read it" },
];

export async function connectorNew(args: Arguments, output: Output): Promise<number> {
  const missing = missingStatus(args, QUESTIONS, output);
  if (missing !== undefined) return missing;
  const answers = await answersTo(args, QUESTIONS, output);
  if (typeof answers === "number") return answers;
  const name = answers["name"] ?? "";
  const directory = typeof args["directory"] === "string" ? args["directory"] : ".";
  const key = typeof args["key"] === "string" ? args["key"] : fileName(name);
  const root = path.resolve(directory);
  const report = { args, output, root };
  const unsettled = recoverWrites(root, WRITING);
  if (hasErrors(unsettled)) return reportScaffold(report, { diagnostics: unsettled });
  const wanted = { name, key, version: packageVersion() };
  const { files, diagnostics } = placed(root, connectorScaffold(wanted, projectSources(root)));
  if (hasErrors(diagnostics)) return reportScaffold(report, { diagnostics });
  const result = await writeConfirmed(root, files, async () => {
    const loaded = await loadProject(root);
    const errors = newErrors([], loaded.diagnostics);
    return errors.length === 0 ? [] : [unconfirmed(root, errors[0]?.message ?? ""), ...errors];
  });
  const next = [
    ...(root === process.cwd() ? [] : [`cd ${directory}`]),
    "npm install",
    "npx connectorcli module new --id app-1 --name App --key app --version 1",
  ];
  return reportScaffold(report, { ...result, next });
}
