/** `connectorcli import openapi`: what would be made of an OpenAPI document. */
import path from "node:path";
import { planLines } from "../../generators/openapi/inference/plan-table.js";
import { hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import { stringOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import { findingsJson, findingsText, summaryOf } from "../findings/findings-text.js";
import { isAddress } from "../system/fetch-document.js";
import { planOpenApi } from "../workbench/import-openapi.js";

export async function importOpenApi(args: Arguments, shell: Shell): Promise<number> {
  const given = stringOf(args["source"]) ?? "";
  const source = isAddress(given) ? given : path.resolve(shell.cwd, given);
  const selected = args["select"];
  const select = Array.isArray(selected) ? selected.map(String) : [];
  const { plan, diagnostics } = await shell.interruptible((signal) =>
    planOpenApi({ source, select, signal }),
  );
  if (args["json"] === true) {
    const result = {
      plan,
      diagnostics: findingsJson(diagnostics, shell.cwd),
      summary: summaryOf(diagnostics),
    };
    shell.result(`${JSON.stringify(result, undefined, 2)}\n`);
  } else {
    if (diagnostics.length > 0) shell.say(findingsText(diagnostics, { cwd: shell.cwd }).trimEnd());
    if (plan !== undefined) shell.result(`${planLines(plan).join("\n")}\n`);
  }
  return hasErrors(diagnostics) ? 1 : 0;
}
