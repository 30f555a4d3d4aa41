/** `connectorcli explain <code>`: what a finding means, why it matters, and how the code should be. */

import { isDiagnosticCode, isSilenceable } from "../../schemas/checks/silences.js";
import { CHANGES, type ChangeEntry } from "../../schemas/compatibility/change-catalogue.js";
import { CATALOGUE, type DiagnosticCode } from "../../schemas/diagnostics/catalogue.js";
import { exampleOf } from "../../schemas/diagnostics/examples.js";
import { reasonOf } from "../../schemas/diagnostics/sections.js";
import { didYouMean } from "../../schemas/naming/nearest.js";
import type { Arguments } from "../command-spec.js";
import type { Output } from "../output.js";

export async function explain(args: Arguments, output: Output): Promise<number> {
  const code = String(args["code"]).trim();
  const explanation = explanationOf(code);
  if (explanation === undefined) {
    const known = [...Object.keys(CATALOGUE), ...Object.keys(CHANGES)];
    output.say(`No finding has the code "${code.slice(0, 80)}".${didYouMean(code.slice(0, 80), known)}`);
    output.say("docs/diagnostics.md lists all codes.");
    return 2;
  }
  output.result(
    args["json"] === true ? `${JSON.stringify(explanation, undefined, 2)}\n` : textOf(explanation),
  );
  return 0;
}

interface Explanation {
  readonly code: string;
  readonly severity: string;
  readonly what: string;
  readonly fix?: string;
  readonly section?: string;
  readonly why: string;
  readonly silence?: string;
  readonly example?: { readonly part: string; readonly bad: string; readonly good: string };
}

function explanationOf(code: string): Explanation | undefined {
  if (isDiagnosticCode(code)) return diagnosticExplanation(code);
  const changes: Readonly<Record<string, ChangeEntry>> = CHANGES;
  const change = Object.hasOwn(changes, code) ? changes[code] : undefined;
  return change && changeExplanation(code, change);
}

function diagnosticExplanation(code: DiagnosticCode): Explanation {
  const { severity, section, message, fix } = CATALOGUE[code];
  const reason = reasonOf(section);
  const example = exampleOf(code);
  return {
    code,
    severity,
    what: named(message),
    fix: named(fix),
    section,
    why: reason === undefined ? "" : `${reason.title}: ${reason.why}`,
    silence: silenceOf(code),
    ...(example && { example }),
  };
}

function silenceOf(code: DiagnosticCode): string {
  if (!isSilenceable(code)) return "Can't be silenced or turned off.";
  const isCode = /^(?:code|reader|record|handler)-/.test(code);
  const beside = isCode
    ? `a comment "connectorcli-silence ${code}: reason" on the line before`
    : `silence: { "${code}": "reason" } beside the property`;
  return CATALOGUE[code].severity === "error"
    ? `${beside}.`
    : `${beside}; for the whole project, connectorcli.severities in package.json.`;
}

function changeExplanation(code: string, { severity, message }: ChangeEntry): Explanation {
  const values = "What it needs depends on the values that are at stake, and on who meets them.";
  return {
    code,
    severity: severity === "values" ? "a change" : `${severity} change`,
    what: named(message),
    why: severity === "values" ? values : `Such a change always needs a ${severity} version.`,
  };
}

/** Parameters as `<name>`. */
function named(text: string): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => (name === "hint" ? "" : `<${name}>`));
}

function textOf({ code, severity, what, fix, section, why, silence, example }: Explanation): string {
  const head = [code, severity, section].filter((part) => part !== undefined).join("  ");
  const lines = [head, "", what, ...(fix === undefined ? [] : [fix]), "", `Why: ${why}`];
  if (silence !== undefined) lines.push("", `To let it stand: ${silence}`);
  if (example !== undefined) {
    lines.push("", `Wrong (${example.part}):`, "", indented(example.bad));
    lines.push("", "Right:", "", indented(example.good));
  }
  return `${lines.join("\n")}\n`;
}

function indented(code: string): string {
  return code.replace(/^(?=.)/gm, "    ");
}
