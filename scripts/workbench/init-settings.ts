/** Writes test-settings.json with every setting of a connector. */
import path from "node:path";
import { mergeSettings } from "../../generators/test-settings/merge-settings.js";
import { type SettingsRow, settingsRows } from "../../generators/test-settings/settings-rows.js";
import { settingsShape } from "../../generators/test-settings/settings-shape.js";
import { recoverWrites } from "../../generators/writer/transaction.js";
import { type Diagnostic, hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import { readJson } from "../../schemas/formats/read-json.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { loadProject, type ProjectOptions } from "../author-project/load-project.js";
import { unreadableFinding } from "../system/files.js";
import { WRITE_OPTIONS } from "../system/process-identity.js";
import { textAt } from "../system/read-text.js";
import { settingsPath, trackedFinding, writeSettings } from "../test-settings/settings-file.js";

/** What became of test-settings.json. */
export interface InitSettingsResult {
  /** `stopped`: nothing was written, and the diagnostics say why. */
  readonly state: "written" | "unchanged" | "stopped";
  /** Every setting, without its value. */
  readonly settings: readonly SettingsRow[];
  /** Why nothing was written, and what is wrong with the settings that are there. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Adds to test-settings.json what is missing, and has git ignore the file; what is filled in is kept. */
export async function initSettings(options: ProjectOptions): Promise<InitSettingsResult> {
  const root = path.resolve(options.folder);
  const unrecovered = recoverWrites(root, WRITE_OPTIONS);
  const { model, diagnostics } = await loadProject(options);
  const problems = [...unrecovered, ...(model === undefined ? diagnostics : []), ...trackedFinding(root)];
  return model === undefined || hasErrors(problems) ? stoppedResult(problems) : writeSettingsOf(model, root);
}

function writeSettingsOf(model: ConnectorModel, root: string): InitSettingsResult {
  const file = settingsPath(root);
  let present: string | undefined;
  try {
    present = textAt(file);
  } catch (error) {
    return stoppedResult([unreadableFinding(file, error)]);
  }
  const shape = settingsShape(model);
  const { text, diagnostics } = mergeSettings(shape, present, file);
  if (hasErrors(diagnostics)) return stoppedResult(diagnostics);
  const problems = writeSettings(root, text, present);
  if (hasErrors(problems)) return stoppedResult([...diagnostics, ...problems]);
  const tree = readJson(text, file, { allowComments: true }).document?.tree ?? null;
  return {
    state: text === present ? "unchanged" : "written",
    settings: settingsRows(shape, tree),
    diagnostics: [...diagnostics, ...problems],
  };
}

function stoppedResult(diagnostics: readonly Diagnostic[]): InitSettingsResult {
  return { state: "stopped", settings: [], diagnostics };
}
