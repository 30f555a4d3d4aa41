/** `connectorcli explain <code>`: what a finding means, why it matters, and how the code should be. */
import { didYouMean } from "../../schemas/naming/nearest.js";
import { stringOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import { type Explanation, explainableCodes, explain as explainCode } from "../workbench/explain.js";

export async function explain(args: Arguments, shell: Shell): Promise<number> {
  const code = (stringOf(args["code"]) ?? "").trim();
  const explanation = explainCode(code);
  if (explanation === undefined) {
    const shown = code.slice(0, 80);
    shell.say(`No finding has the code "${shown}".${didYouMean(shown, explainableCodes())}`);
    shell.say("docs/diagnostics.md lists all codes.");
    return 2;
  }
  shell.result(
    args["json"] === true ? `${JSON.stringify(explanation, undefined, 2)}\n` : textOf(explanation),
  );
  return 0;
}

function textOf(explanation: Explanation): string {
  const { code, severity, isErrorIfStrict, what, fix, section, sectionLink, why, silence, example } =
    explanation;
  const strict = isErrorIfStrict === true ? `${severity} (error with --strict)` : severity;
  const head = [code, strict, section].filter((part) => part !== undefined).join("  ");
  const lines = [head, "", what, ...(fix === undefined ? [] : [fix]), "", `Why: ${why}`];
  if (sectionLink !== undefined) lines.push(`Read: ${sectionLink}`);
  if (silence !== undefined) lines.push("", `To let it stand: ${silence}`);
  if (example !== undefined) {
    lines.push("", `Wrong (${example.part}):`, "", indent(example.wrong));
    lines.push("", "Right:", "", indent(example.right));
  }
  return `${lines.join("\n")}\n`;
}

function indent(code: string): string {
  return code.replace(/^(?=.)/gm, "    ");
}
