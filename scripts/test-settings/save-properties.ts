/** Keeps connection properties that changed, such as a refresh token, in the test settings. */

import { applyEdits, modify } from "jsonc-parser";
import { TEST_SETTINGS_FILE } from "../../generators/layout.js";
import { insertJson, SETTINGS_ROOT } from "../../generators/test-settings/merge-settings.js";
import { configurationIn } from "../../generators/test-settings/settings-rows.js";
import { variableIn } from "../../generators/test-settings/variable-references.js";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { readJson } from "../../schemas/formats/read-json.js";
import { memberOf } from "../../schemas/json.js";
import type { ConnectionModel } from "../../schemas/model/connector-model.js";
import { textAt } from "../system/read-text.js";
import { keyOf, pathOf } from "./read-settings.js";
import { settingsPath, writeSettings } from "./settings-file.js";

export interface ChangedProperties {
  readonly root: string;
  readonly definition: ConnectionModel;
  /** By name in code. */
  readonly properties: Readonly<Record<string, string>>;
}

/** Writes them over the values of the file, as it is now. A warning names what could not be kept, and why. */
export function saveProperties({ root, definition, properties }: ChangedProperties): readonly Diagnostic[] {
  const file = settingsPath(root);
  const read = textAt(file) ?? "";
  const tree = readJson(read, file, { allowComments: true }).document?.tree;
  const connections = memberOf(memberOf(tree, SETTINGS_ROOT), "connections");
  const present = configurationIn(connections, definition.key);
  const path = pathOf(connections, definition.key);
  const notKeptFinding = (what: string, reason: string) =>
    diagnostic("settings-not-kept", { file }, { what, reason });
  const names = Object.keys(properties);
  if (present === undefined)
    return names.map((what) =>
      notKeptFinding(what, `${TEST_SETTINGS_FILE} has no configuration of ${definition.key}`),
    );
  const diagnostics: Diagnostic[] = [];
  let text = read;
  for (const [name, value] of Object.entries(properties)) {
    const key = keyOf(definition, name);
    const before = memberOf(present, key);
    const variable = variableIn(before);
    // The text comes from the target system: as a reference it would read a variable, which the next run sends there.
    if (variableIn(value) !== undefined)
      diagnostics.push(notKeptFinding(key, "it reads like a reference to an environment variable"));
    else if (variable !== undefined)
      diagnostics.push(notKeptFinding(key, `it is taken from the environment variable ${variable}`));
    else if (before === undefined) text = insertJson(text, { into: path, name: key, value, behind: names });
    else text = applyEdits(text, modify(text, [...path, key], value, {}));
  }
  if (text === read) return diagnostics;
  const problems = writeSettings(root, text, read);
  return [
    ...diagnostics,
    ...problems.map(({ message }) => notKeptFinding(names.join(", "), message.replace(/\.$/, ""))),
  ];
}
