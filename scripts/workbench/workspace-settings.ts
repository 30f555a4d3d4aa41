/** The settings of a workspace: for whoever only looks at it, what is secret in them; for a run, all of them. */
import { connectionDocument } from "../../generators/classes/connection-class.js";
import type { PostgresStores } from "../../runtime/entries/postgres.js";
import { sensitiveValues } from "../../runtime/records/masking.js";
import { StoreError } from "../../runtime/store/store.js";
import type { WorkspaceSettings, WorkTables } from "../../runtime/workspaces/workspaces.js";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { isJsonObject } from "../../schemas/json.js";
import type { ConnectionModel, ConnectorModel } from "../../schemas/model/connector-model.js";
import type { SchemaDocument } from "../../schemas/model/schema-model.js";
import { isSecretName } from "../../schemas/naming/secret-names.js";
import type { OpenSettings, OpenSettingsAnswer } from "../test-settings/open-settings.js";
import { changedProperties, type LockedProperties } from "../test-settings/property-lock.js";
import { keyOf, type RunSettings } from "../test-settings/read-settings.js";
import { chosenWorkspace, type DatabaseOptions, type OpenStores, openToLook } from "./database.js";
import { typeOf } from "./sensitive-types.js";
import { storeFindingOf } from "./store-file.js";

/** The settings of a workspace: as they are, sealed by a key that was not given, or none. */
export async function lookIntoSettings(
  { workspaces }: Pick<PostgresStores, "workspaces">,
  name: string,
): Promise<WorkspaceSettings | "sealed" | undefined> {
  try {
    return await workspaces.get(name);
  } catch (error) {
    if (error instanceof StoreError && error.problem === "sealed") return "sealed";
    throw error;
  }
}

/** Every text in the settings that nobody may see: of write-only properties, and of members with the name of a secret. */
export function workspaceSecrets(
  model: ConnectorModel,
  { connection, registrationConfiguration, services = {} }: WorkspaceSettings,
): readonly string[] {
  const definition = model.connections.find(({ key }) => key === connection.definitionKey);
  const parts: readonly (readonly [value: unknown, document: SchemaDocument | undefined])[] = [
    [connection.properties, definition && connectionDocument(definition)],
    [registrationConfiguration, model.registrationConfiguration],
    ...model.modules.flatMap(({ id, services: [actionProcessor, cacheWriter] }) => {
      const given = services[id];
      return [
        [given?.actionProcessor, actionProcessor.configuration],
        [given?.cacheWriter, cacheWriter.configuration],
      ] as const;
    }),
  ];
  const isSecret = (name: string) => isSecretName(name);
  return parts.flatMap(([value, document]) =>
    isJsonObject(value)
      ? // What nothing describes may be secret all of it.
        sensitiveValues(value, document === undefined ? { writeOnly: true } : typeOf(document).schema, {
          isSecret,
        })
      : [],
  );
}

/** What a workspace is connected with, or in a sentence why nothing can be. */
export type WorkspaceConnection =
  | {
      readonly settings: WorkspaceSettings;
      readonly definition: ConnectionModel;
      readonly problem?: undefined;
    }
  | { readonly settings?: undefined; readonly definition?: undefined; readonly problem: string };

/** @param name Of a workspace that is there. */
export async function workspaceConnection(
  stores: Pick<PostgresStores, "workspaces">,
  name: string,
  { connections }: ConnectorModel,
): Promise<WorkspaceConnection> {
  const settings = await lookIntoSettings(stores, name);
  if (settings === undefined)
    return { problem: `The workspace ${name} has no settings: npx connectorcli workspace add gives it some` };
  if (settings === "sealed") {
    const advice = "give it with --key-file or the variable CONNECTORCLI_KEY";
    return { problem: `The settings of ${name} are sealed, and can't be read without their key: ${advice}` };
  }
  const { definitionKey } = settings.connection;
  const definition = connections.find(({ key }) => key === definitionKey);
  if (definition !== undefined) return { settings, definition };
  const keys = connections.map(({ key }) => key).join(", ");
  return { problem: `${name} has a connection "${definitionKey}", and the connector has ${keys || "none"}` };
}

/** The settings of a workspace for a run, which keeps what it changes there; what is wrong with them otherwise. */
export async function openWorkspaceSettings(
  options: DatabaseOptions,
  { workspace, model }: { readonly workspace: string | undefined; readonly model: ConnectorModel },
): Promise<OpenSettingsAnswer> {
  let stores: OpenStores | undefined;
  try {
    stores = await openToLook(options);
    const name = await chosenWorkspace(stores, workspace);
    // What is changed between the two is found by the version, not overlooked.
    const version = await stores.work.version(name, { ifPaused: true });
    const connection = await workspaceConnection(stores, name, model);
    if (connection.settings !== undefined) {
      const { settings, definition } = connection;
      const given = { name, version: version ?? "", settings, definition, model };
      const { work, close } = stores;
      return { opened: new OpenWorkspaceSettings({ ...given, work, close }), diagnostics: [] };
    }
    await stores.close();
    return { diagnostics: [refusal(connection.problem)] };
  } catch (error) {
    await stores?.close();
    return { diagnostics: [storeFindingOf(error)] };
  }
}

function refusal(reason: string): Diagnostic {
  return diagnostic("workspace-refused", {}, { reason });
}

interface OpenWorkspace {
  readonly name: string;
  /** The settings had it before they were read. */
  readonly version: string;
  readonly settings: WorkspaceSettings;
  readonly definition: ConnectionModel;
  readonly model: ConnectorModel;
  readonly work: WorkTables;
  readonly close: () => Promise<void>;
}

class OpenWorkspaceSettings implements OpenSettings {
  readonly settings: RunSettings;
  readonly place = {};
  readonly close: () => Promise<void>;
  readonly #workspace: OpenWorkspace;

  constructor(workspace: OpenWorkspace) {
    const { settings, definition, model } = workspace;
    const { connection, registrationConfiguration = {}, services = {} } = settings;
    const secrets = workspaceSecrets(model, settings);
    this.#workspace = workspace;
    this.close = workspace.close;
    this.settings = {
      connection: { definition, properties: connection.properties, secrets },
      ...{ registrationConfiguration, services, secrets },
    };
  }

  lockProperties(): Promise<LockedProperties> {
    const { work, name, settings, definition, model } = this.#workspace;
    const { definitionKey, properties: known } = settings.connection;
    return new Promise((resolve, reject) => {
      const lent = (properties: Readonly<Record<string, unknown>>) =>
        new Promise<void>((release) => {
          resolve({
            properties: changedProperties(definition, { known, properties }),
            secrets: workspaceSecrets(model, { connection: { definitionKey, properties } }),
            release,
          });
        });
      work.lockProperties(name, lent).catch(reject);
    });
  }

  async saveProperties(properties: Readonly<Record<string, string>>): Promise<readonly Diagnostic[]> {
    const { work, name } = this.#workspace;
    try {
      await work.saveProperties(name, this.#byKey(properties));
      return [];
    } catch (error) {
      const { message } = storeFindingOf(error);
      const parameters = { what: Object.keys(properties).join(", "), reason: message.replace(/\.$/, "") };
      return [diagnostic("settings-not-kept", {}, parameters)];
    }
  }

  async saveSignIn(properties: Readonly<Record<string, string>>): Promise<readonly Diagnostic[]> {
    const { work, name, version } = this.#workspace;
    try {
      if (await work.changeProperties(name, this.#byKey(properties), version)) return [];
      const reason = `The settings of ${name} were changed meanwhile, and stay as they are: sign in again`;
      return [refusal(reason)];
    } catch (error) {
      return [storeFindingOf(error)];
    }
  }

  emptyFinding(property: string): Diagnostic {
    const { name, definition } = this.#workspace;
    const key = keyOf(definition, property);
    const reason =
      property === "refreshToken"
        ? `The connection of ${name} has no ${key}: somebody has to sign in`
        : `The connection of ${name} has no ${key}, which signing in needs`;
    return refusal(reason);
  }

  #byKey(properties: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const { definition } = this.#workspace;
    return Object.fromEntries(
      Object.entries(properties).map(([name, value]) => [keyOf(definition, name), value]),
    );
  }
}
