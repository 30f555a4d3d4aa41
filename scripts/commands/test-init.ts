/** `connectorcli test init`: `test-settings.json` with every setting of the connector; what is filled in is kept. */
import { TEST_SETTINGS_FILE } from "../../generators/layout.js";
import type { SettingsRow } from "../../generators/test-settings/settings-rows.js";
import { hasErrors, printable } from "../../schemas/diagnostics/diagnostic.js";
import { projectOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import { findingsJson, findingsText, summaryOf, summaryText } from "../findings/findings-text.js";
import { type InitSettingsResult, initSettings } from "../workbench/init-settings.js";

export async function testInit(args: Arguments, shell: Shell): Promise<number> {
  const project = projectOf(args, shell);
  const result = await initSettings(project);
  if (args["json"] === true) printJson(result, project.folder, shell);
  else printText(result, shell);
  return hasErrors(result.diagnostics) ? 1 : 0;
}

function printJson({ state, settings, diagnostics }: InitSettingsResult, folder: string, shell: Shell): void {
  const result = {
    state,
    file: TEST_SETTINGS_FILE,
    settings,
    diagnostics: findingsJson(diagnostics, folder),
    summary: summaryOf(diagnostics),
  };
  shell.result(`${JSON.stringify(result, undefined, 2)}\n`);
}

function printText({ state, settings, diagnostics }: InitSettingsResult, shell: Shell): void {
  const summary = summaryText(summaryOf(diagnostics));
  if (diagnostics.length > 0) shell.say(findingsText(diagnostics, { cwd: shell.cwd }).trimEnd());
  if (state === "stopped") {
    shell.say(`nothing written (${summary})`);
    return;
  }
  if (settings.length > 0) shell.say(tableText([HEAD, ...settings.map(cellsOf)]));
  shell.say(`${TEST_SETTINGS_FILE}: ${state === "written" ? "written" : "up to date"} (${summary})`);
  shell.say(
    `Fill in what is empty; a secret may be the name of an environment variable, as in "\${API_TOKEN}".`,
  );
  shell.say("Next: npx connectorcli test connection");
}

const HEAD = ["setting", "must be given", "secret", "filled in", "what it may be"];

function cellsOf(row: SettingsRow): readonly string[] {
  const { name, type, isRequired, isForTokens, isSensitive, isFilled } = row;
  const yesOrNo = (value: boolean) => (value ? "yes" : "no");
  const needed = isForTokens ? "for a token" : yesOrNo(isRequired);
  return [printable(name), needed, yesOrNo(isSensitive), yesOrNo(isFilled), printable(type)];
}

/** Each row as a line; every column but the last is as wide as its widest cell. */
function tableText(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  return rows
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
