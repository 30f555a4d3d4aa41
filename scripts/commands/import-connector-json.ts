/** `connectorcli import connector-json`: a whole author's project from a file that is there already. */
import path from "node:path";
import { hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import { stringOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import { findingsJson, findingsText, summaryOf, summaryText } from "../findings/findings-text.js";
import { importConnectorJson as importProject } from "../workbench/import-connector-json.js";

export async function importConnectorJson(args: Arguments, shell: Shell): Promise<number> {
  const folder = path.resolve(shell.cwd, stringOf(args["directory"]) ?? "");
  const { files, diagnostics } = importProject({
    file: path.resolve(shell.cwd, stringOf(args["file"]) ?? ""),
    directory: folder,
    repair: args["repair"] === true,
  });
  const summary = summaryOf(diagnostics);
  if (args["json"] === true) {
    const result = { files, diagnostics: findingsJson(diagnostics, folder), summary };
    shell.result(`${JSON.stringify(result, undefined, 2)}\n`);
  } else {
    if (diagnostics.length > 0) shell.say(findingsText(diagnostics, { cwd: shell.cwd }).trimEnd());
    for (const name of files) shell.say(`created ${name}`);
    shell.say(
      files.length === 0
        ? `nothing written (${summaryText(summary)})`
        : `${files.length} files in ${folder}. Next: cd there, npm install, npm run check, npm run extract`,
    );
  }
  return hasErrors(diagnostics) ? 1 : 0;
}
