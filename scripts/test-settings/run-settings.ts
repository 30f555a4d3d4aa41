/** All settings that a service is run with: the connection, and the configurations of connector and modules. */
import { SETTINGS_ROOT } from "../../generators/test-settings/merge-settings.js";
import { type SettingsNode, settingsShape } from "../../generators/test-settings/settings-shape.js";
import type { ServiceConfigurations } from "../../runtime/host/index.js";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { memberOf } from "../../schemas/formats/json-tree.js";
import { readJson } from "../../schemas/formats/read-json.js";
import type { SchemaDocument } from "../../schemas/model/schema-model.js";
import { type ConnectionSettings, connectionSettings, type SettingsQuestion } from "./connection-settings.js";
import { filledValues } from "./filled-values.js";
import { settingsPath, textAt } from "./settings-file.js";

export interface RunSettings {
  readonly connection: ConnectionSettings;
  readonly registrationConfiguration: unknown;
  /** By module id. */
  readonly services: Readonly<Record<string, ServiceConfigurations>>;
  /** Those of the connection and of all configurations. */
  readonly secrets: readonly string[];
}

export type RunSettingsAnswer =
  | { readonly settings: RunSettings; readonly diagnostics: readonly [] }
  | { readonly settings?: undefined; readonly diagnostics: readonly Diagnostic[] };

/** The settings as the project's file has them; all that is wrong with them otherwise. */
export function runSettings(question: SettingsQuestion): RunSettingsAnswer {
  const answer = connectionSettings(question);
  const file = settingsPath(question.root);
  const { document } = readJson(textAt(file) ?? "", file, { allowComments: true });
  if (document === undefined) return { diagnostics: answer.diagnostics };
  const { model, environment } = question;
  const shape = settingsShape(model);
  const diagnostics: Diagnostic[] = [...answer.diagnostics];
  const secrets: string[] = [...(answer.settings?.secrets ?? [])];
  const filled = (path: readonly string[], of: SchemaDocument): unknown => {
    const node = path.reduce<SettingsNode>(nodeOf, shape);
    const tree = path.reduce(memberOf, memberOf(document.tree, SETTINGS_ROOT));
    const values = filledValues({
      ...{ node, document: of, tree },
      ...{ name: path.join("."), environment },
    });
    secrets.push(...values.secrets);
    for (const { path: below = [], ...found } of values.diagnostics) {
      const place = document.place([SETTINGS_ROOT, ...path, ...below]);
      diagnostics.push({ ...found, file, ...place });
    }
    return values.value;
  };
  const registrationConfiguration = filled(["connectorRegistration"], model.registrationConfiguration);
  const services = Object.fromEntries(
    model.modules.map(({ id, services: [actionProcessor, cacheWriter] }) => {
      const path = [id, "serviceConfiguration"];
      return [
        id,
        {
          actionProcessor: filled([...path, "actionProcessor"], actionProcessor.configuration),
          cacheWriter: filled([...path, "cacheWriter"], cacheWriter.configuration),
        },
      ];
    }),
  );
  if (answer.settings === undefined || diagnostics.length > 0) return { diagnostics };
  const { settings: connection } = answer;
  return { settings: { connection, registrationConfiguration, services, secrets }, diagnostics: [] };
}

function nodeOf(node: SettingsNode, name: string): SettingsNode {
  const inner = node.kind === "members" ? node.members.find(([member]) => member === name)?.[1] : undefined;
  if (inner === undefined) throw new Error(`the settings have no member ${name}`);
  return inner;
}
