/** The settings of the connection that is tested: which one, what it is given, what is wrong with it. */
import { connectionDocument } from "../../generators/classes/connection-class.js";
import { SETTINGS_FILE, SETTINGS_ROOT } from "../../generators/test-settings/merge-settings.js";
import { configurationIn } from "../../generators/test-settings/settings-rows.js";
import { connectionShape, type SettingsMembers } from "../../generators/test-settings/settings-shape.js";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { isList, isMembers, type JsonTree, memberOf } from "../../schemas/formats/json-tree.js";
import { type JsonDocument, readJson } from "../../schemas/formats/read-json.js";
import type { ConnectionModel, ConnectorModel } from "../../schemas/model/connector-model.js";
import { connectionProperties } from "../../schemas/model/oauth2-members.js";
import { didYouMean } from "../../schemas/naming/nearest.js";
import { filledValues } from "./filled-values.js";
import { settingsPath, textAt, unreadable } from "./settings-file.js";
import type { Environment } from "./variables.js";

export interface ConnectionSettings {
  readonly definition: ConnectionModel;
  /** By serialized name; variables of the environment are resolved. */
  readonly properties: Readonly<Record<string, unknown>>;
  readonly secrets: readonly string[];
}

export interface SettingsQuestion {
  readonly model: ConnectorModel;
  /** The project's folder, absolute. */
  readonly root: string;
  /** A definition key; the active connection of the settings where it is left out. */
  readonly key: string | undefined;
  readonly environment: Environment;
}

export type SettingsAnswer =
  | { readonly settings: ConnectionSettings; readonly diagnostics: readonly [] }
  | { readonly settings?: undefined; readonly diagnostics: readonly Diagnostic[] };

/** The settings of one connection, read from the project's file; all that is wrong with them otherwise. */
export function connectionSettings({ model, root, key, environment }: SettingsQuestion): SettingsAnswer {
  const file = settingsPath(root);
  let text: string | undefined;
  try {
    text = textAt(file);
  } catch (error) {
    return { diagnostics: [unreadable(file, error)] };
  }
  if (text === undefined)
    return { diagnostics: [diagnostic("settings-missing", { file: root }, { file: SETTINGS_FILE })] };
  const { document, diagnostics } = readJson(text, file, { allowComments: true });
  if (document === undefined) return { diagnostics };
  const settings = memberOf(document.tree, SETTINGS_ROOT);
  const wrong = shapeFinding(document, file);
  if (wrong !== undefined) return { diagnostics: [wrong] };
  const definition = definitionOf(model, key ?? memberOf(settings, "activeConnection"), {
    file,
    ...document.place([SETTINGS_ROOT, "activeConnection"]),
  });
  if ("code" in definition) return { diagnostics: [definition] };
  const connections = memberOf(settings, "connections");
  const filled = filledValues({
    node: withoutSignIn(definition),
    document: connectionDocument(definition),
    tree: configurationIn(connections, definition.key),
    name: `connections.${definition.key}`,
    environment,
  });
  if (filled.diagnostics.length > 0) {
    const path = pathOf(connections, definition.key);
    const placed = filled.diagnostics.map(({ path: below = [], ...found }) => ({
      ...found,
      file,
      ...document.place([...path, ...below]),
    }));
    return { diagnostics: placed };
  }
  const properties = filled.value as Readonly<Record<string, unknown>>;
  return { settings: { definition, properties, secrets: filled.secrets }, diagnostics: [] };
}

/** The refresh token may be missing, whatever the definition says: signing in gives it. */
function withoutSignIn(definition: ConnectionModel): SettingsMembers {
  const shape = connectionShape(definition);
  if (definition.authType !== "OAuth2CodeFlow") return shape;
  const token = keyOf(definition, "refreshToken");
  const members = shape.members.map(([name, node]) =>
    name === token && node.kind === "value"
      ? ([name, { ...node, required: false }] as const)
      : ([name, node] as const),
  );
  return { ...shape, members };
}

/** The serialized name of the property that is called `name` in code. */
export function keyOf(definition: ConnectionModel, name: string): string {
  return connectionProperties(definition).find((one) => one.name === name)?.key ?? name;
}

/** Where the configuration of a definition stands in the file. */
export function pathOf(connections: JsonTree | undefined, key: string): (string | number)[] {
  const list = isList(connections) ? connections : [];
  const index = list.findIndex((entry) => memberOf(entry, "definitionKey") === key);
  const path = [SETTINGS_ROOT, "connections"];
  return index === -1 ? path : [...path, index, "configuration"];
}

function shapeFinding(document: JsonDocument, file: string): Diagnostic | undefined {
  const settings = memberOf(document.tree, SETTINGS_ROOT);
  const wrong = !isMembers(settings)
    ? ([SETTINGS_ROOT, "an object"] as const)
    : !isList(memberOf(settings, "connections"))
      ? (["connections", "a list"] as const)
      : undefined;
  if (wrong === undefined) return undefined;
  const [what, expected] = wrong;
  return diagnostic("settings-shape", { file }, { what, expected, file: SETTINGS_FILE });
}

/** The definition with the key. One that is the only one need not be named. */
function definitionOf(
  { connections }: ConnectorModel,
  key: unknown,
  place: { readonly file: string },
): ConnectionModel | Diagnostic {
  const [only] = connections;
  if (only === undefined) return diagnostic("settings-connection-none", place, {});
  const isNamed = typeof key === "string" && key !== "";
  if (!isNamed && connections.length === 1) return only;
  const keys = connections.map((one) => one.key);
  const name = isNamed ? key : "";
  return (
    connections.find((one) => one.key === name) ??
    diagnostic("settings-connection-unknown", place, {
      key: name,
      hint: didYouMean(name, keys),
      keys: keys.join(", "),
    })
  );
}
