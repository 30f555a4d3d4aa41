/** `connectorcli test init`: `test-settings.json` with every setting of the connector; what is filled in is kept. */
import path from "node:path";
import { mergeSettings, SETTINGS_FILE } from "../../generators/test-settings/merge-settings.js";
import { type SettingsRow, settingsRows } from "../../generators/test-settings/settings-rows.js";
import { settingsShape } from "../../generators/test-settings/settings-shape.js";
import { recoverWrites } from "../../generators/writer/recover.js";
import { type Diagnostic, hasErrors, printable } from "../../schemas/diagnostics/diagnostic.js";
import { readJson } from "../../schemas/formats/read-json.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { loadProject } from "../author-project/load-project.js";
import type { Arguments } from "../command-spec.js";
import { findingsJson, findingsText, summaryOf, summaryText } from "../findings-text.js";
import type { Output } from "../output.js";
import { projectOf } from "../project-arguments.js";
import { tableText } from "../table.js";
import {
  settingsPath,
  textAt,
  trackedFinding,
  unreadable,
  writeSettings,
} from "../test-settings/settings-file.js";
import { WRITING } from "../this-process.js";

type State = "written" | "unchanged" | "stopped";

interface Outcome {
  readonly state: State;
  readonly rows: readonly SettingsRow[];
  readonly diagnostics: readonly Diagnostic[];
}

export async function testInit(args: Arguments, output: Output): Promise<number> {
  const { folder, timeoutSeconds } = projectOf(args);
  const root = path.resolve(folder);
  const unsettled = recoverWrites(root, WRITING);
  const { model, diagnostics } = await loadProject(folder, { timeoutSeconds });
  const stopped = [...unsettled, ...(model === undefined ? diagnostics : []), ...trackedFinding(root)];
  const outcome =
    model === undefined || hasErrors(stopped)
      ? ({ state: "stopped", rows: [], diagnostics: stopped } as const)
      : init(root, model);
  report(args, output, outcome);
  return hasErrors(outcome.diagnostics) ? 1 : 0;
}

function init(root: string, model: ConnectorModel): Outcome {
  const file = settingsPath(root);
  const stopped = (diagnostics: readonly Diagnostic[]) =>
    ({ state: "stopped", rows: [], diagnostics }) as const;
  let present: string | undefined;
  try {
    present = textAt(file);
  } catch (error) {
    return stopped([unreadable(file, error)]);
  }
  const shape = settingsShape(model);
  const { text, diagnostics } = mergeSettings(shape, present, file);
  if (hasErrors(diagnostics)) return stopped(diagnostics);
  const problems = writeSettings(root, text, present);
  if (hasErrors(problems)) return stopped([...diagnostics, ...problems]);
  const tree = readJson(text, file, { allowComments: true }).document?.tree ?? null;
  return {
    state: text === present ? "unchanged" : "written",
    rows: settingsRows(shape, tree),
    diagnostics: [...diagnostics, ...problems],
  };
}

function report(args: Arguments, output: Output, { state, rows, diagnostics }: Outcome): void {
  const summary = summaryOf(diagnostics);
  if (args["json"] === true) {
    const folder = path.resolve(projectOf(args).folder);
    const result = {
      state,
      file: SETTINGS_FILE,
      settings: rows,
      diagnostics: findingsJson(diagnostics, folder),
      summary,
    };
    output.result(`${JSON.stringify(result, undefined, 2)}\n`);
    return;
  }
  if (diagnostics.length > 0) output.say(findingsText(diagnostics, false).trimEnd());
  if (state === "stopped") {
    output.say(`nothing written (${summaryText(summary)})`);
    return;
  }
  if (rows.length > 0) output.say(tableText([HEAD, ...rows.map(cellsOf)]));
  output.say(`${SETTINGS_FILE}: ${state === "written" ? "written" : "up to date"} (${summaryText(summary)})`);
  output.say(
    `Fill in what is empty; a secret may be the name of an environment variable, as in "\${API_TOKEN}".`,
  );
  output.say("Next: npx connectorcli test connection");
}

const HEAD = ["setting", "must be given", "secret", "filled in", "what it may be"];

function cellsOf(row: SettingsRow): readonly string[] {
  const { name, type, isRequired, isForTokens, isSensitive, isFilled } = row;
  const yes = (given: boolean) => (given ? "yes" : "no");
  const needed = isForTokens ? "for a token" : yes(isRequired);
  return [printable(name), needed, yes(isSensitive), yes(isFilled), printable(type)];
}
