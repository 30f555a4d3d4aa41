/** Reads the settings that a connector is run with: its connection, and the configurations of connector and modules. */
import { connectionDocument } from "../../generators/classes/connection-class.js";
import { TEST_SETTINGS_FILE } from "../../generators/layout.js";
import { SETTINGS_ROOT, settingsFindings } from "../../generators/test-settings/merge-settings.js";
import { configurationIn } from "../../generators/test-settings/settings-rows.js";
import {
  connectionShape,
  type SettingsMembers,
  type SettingsNode,
  settingsShape,
} from "../../generators/test-settings/settings-shape.js";
import type { ServiceConfigurations } from "../../runtime/host/index.js";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { type JsonDocument, readJson } from "../../schemas/formats/read-json.js";
import { isJsonArray, isJsonObject, type JsonTree, memberOf } from "../../schemas/json.js";
import { connectionProperties } from "../../schemas/model/connection-members.js";
import type { ConnectionModel, ConnectorModel } from "../../schemas/model/connector-model.js";
import type { SchemaDocument } from "../../schemas/model/schema-model.js";
import { didYouMean } from "../../schemas/naming/nearest.js";
import { unreadableFinding } from "../system/files.js";
import { textAt } from "../system/read-text.js";
import type { Environment } from "./filled-values.js";
import { filledValues } from "./filled-values.js";
import { settingsPath } from "./settings-file.js";

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
  /** A definition key; the active connection of the settings if it is left out. */
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
    return { diagnostics: [unreadableFinding(file, error)] };
  }
  if (text === undefined)
    return { diagnostics: [diagnostic("settings-missing", { file }, { file: TEST_SETTINGS_FILE })] };
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
  return connectionProperties(definition).find((property) => property.name === name)?.key ?? name;
}

/** Where the configuration of a definition stands in the file. */
export function pathOf(connections: JsonTree | undefined, key: string): (string | number)[] {
  const list = isJsonArray(connections) ? connections : [];
  const index = list.findIndex((entry) => memberOf(entry, "definitionKey") === key);
  const path = [SETTINGS_ROOT, "connections"];
  return index === -1 ? path : [...path, index, "configuration"];
}

function shapeFinding(document: JsonDocument, file: string): Diagnostic | undefined {
  const settings = memberOf(document.tree, SETTINGS_ROOT);
  const wrong = !isJsonObject(settings)
    ? ([SETTINGS_ROOT, "an object"] as const)
    : !isJsonArray(memberOf(settings, "connections"))
      ? (["connections", "a list"] as const)
      : undefined;
  if (wrong === undefined) return undefined;
  const [what, expected] = wrong;
  return diagnostic("settings-shape", { file }, { what, expected, file: TEST_SETTINGS_FILE });
}

/** The definition with this key; `key` may be omitted if there is only one. */
function definitionOf(
  { connections }: ConnectorModel,
  key: unknown,
  place: { readonly file: string },
): ConnectionModel | Diagnostic {
  const [only] = connections;
  if (only === undefined) return diagnostic("settings-connection-none", place, {});
  const isNamed = typeof key === "string" && key !== "";
  if (!isNamed && connections.length === 1) return only;
  const keys = connections.map((connection) => connection.key);
  const name = isNamed ? key : "";
  return (
    connections.find((connection) => connection.key === name) ??
    diagnostic("settings-connection-unknown", place, {
      key: name,
      hint: didYouMean(name, keys),
      keys: keys.join(", "),
    })
  );
}

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

/** Members of the settings that a connection test reads; those of modules count for nothing there. */
const TESTED_MEMBERS = ["activeConnection", "connections", "connectorRegistration"];

/** What the project's file says to a connection test, without any module; all that is wrong with it otherwise. */
export function connectionTestSettings(question: SettingsQuestion): RunSettingsAnswer {
  const reader = openSettings(question, (member) => TESTED_MEMBERS.includes(member));
  const registrationConfiguration = readRegistrationConfiguration(question.model, reader);
  const { connection, diagnostics, secrets } = reader;
  if (connection === undefined || diagnostics.length > 0) return { diagnostics };
  return { settings: { connection, registrationConfiguration, services: {}, secrets }, diagnostics: [] };
}

/** The settings as the project's file has them; all that is wrong with them otherwise. */
export function runSettings(question: SettingsQuestion): RunSettingsAnswer {
  const { model } = question;
  const reader = openSettings(question, () => true);
  const registrationConfiguration = readRegistrationConfiguration(model, reader);
  const services = Object.fromEntries(
    model.modules.map(({ id, services: [actionProcessor, cacheWriter] }) => {
      const path = [id, "serviceConfiguration"];
      return [
        id,
        {
          actionProcessor: reader.values([...path, "actionProcessor"], actionProcessor.configuration),
          cacheWriter: reader.values([...path, "cacheWriter"], cacheWriter.configuration),
        },
      ];
    }),
  );
  const { connection, diagnostics, secrets } = reader;
  if (connection === undefined || diagnostics.length > 0) return { diagnostics };
  return { settings: { connection, registrationConfiguration, services, secrets }, diagnostics: [] };
}

/** All secrets of the settings, of whatever connection; none of what can't be read. */
export function settingsSecrets(question: Omit<SettingsQuestion, "key">): readonly string[] {
  const { model } = question;
  const ofConnections = model.connections.flatMap(
    ({ key }) => connectionSettings({ ...question, key }).settings?.secrets ?? [],
  );
  const reader = openSettings({ ...question, key: undefined }, () => false);
  readRegistrationConfiguration(model, reader);
  return [...ofConnections, ...reader.secrets];
}

/** The settings while they are read: what is wrong, and what is secret, gathers in the lists. */
interface SettingsReader {
  readonly connection: ConnectionSettings | undefined;
  readonly diagnostics: Diagnostic[];
  readonly secrets: string[];
  /** The values of a configuration, at `path` below the root of the settings. */
  values(path: readonly string[], document: SchemaDocument): unknown;
}

/** @param isRead Whether a member of the settings is read; names in it that nothing knows are mistakes then. */
function openSettings(question: SettingsQuestion, isRead: (member: string) => boolean): SettingsReader {
  const { model, environment, root } = question;
  const { settings: connection, diagnostics: found } = connectionSettings(question);
  const diagnostics: Diagnostic[] = [...found];
  const secrets: string[] = [...(connection?.secrets ?? [])];
  const file = settingsPath(root);
  // What can't be read at all is among the findings of the connection.
  const text = connection === undefined ? readableText(file) : textAt(file);
  const { document } = readJson(text ?? "", file, { allowComments: true });
  if (document === undefined) return { connection, diagnostics, secrets, values: () => undefined };
  const shape = settingsShape(model);
  const values = (path: readonly string[], of: SchemaDocument): unknown => {
    const node = path.reduce<SettingsNode>(nodeOf, shape);
    const tree = path.reduce(memberOf, memberOf(document.tree, SETTINGS_ROOT));
    const filled = filledValues({
      ...{ node, document: of, tree },
      ...{ name: path.join("."), environment },
    });
    secrets.push(...filled.secrets);
    for (const { path: below = [], ...finding } of filled.diagnostics) {
      const place = document.place([SETTINGS_ROOT, ...path, ...below]);
      diagnostics.push({ ...finding, file, ...place });
    }
    return filled.value;
  };
  diagnostics.push(...unknownSettings(shape, document, { file, isRead }));
  return { connection, diagnostics, secrets, values };
}

function readRegistrationConfiguration(model: ConnectorModel, reader: SettingsReader): unknown {
  return reader.values(["connectorRegistration"], model.registrationConfiguration);
}

function readableText(file: string): string | undefined {
  try {
    return textAt(file);
  } catch {
    return undefined;
  }
}

/** Names that belong to no part of the connector. A run would pass them over in silence, so they are errors there. */
function unknownSettings(
  shape: SettingsMembers,
  document: JsonDocument,
  { file, isRead }: { readonly file: string; readonly isRead: (member: string) => boolean },
): readonly Diagnostic[] {
  return settingsFindings(shape, document.tree, file)
    .filter(({ code, path: [, member] = [] }) => code === "settings-unknown" && isRead(String(member)))
    .map(({ path = [], ...found }) => ({ ...found, severity: "error", ...document.place(path) }));
}

function nodeOf(node: SettingsNode, name: string): SettingsNode {
  const inner = node.kind === "members" ? node.members.find(([member]) => member === name)?.[1] : undefined;
  if (inner === undefined) throw new Error(`the settings have no member ${name}`);
  return inner;
}
