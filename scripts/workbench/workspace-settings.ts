/** The settings of a workspace for whoever only looks at it: what is secret in them, and no value. */
import { connectionDocument } from "../../generators/classes/connection-class.js";
import type { PostgresStores } from "../../runtime/entries/postgres.js";
import { sensitiveValues } from "../../runtime/records/masking.js";
import { StoreError } from "../../runtime/store/store.js";
import type { WorkspaceSettings } from "../../runtime/workspaces/workspaces.js";
import { isJsonObject } from "../../schemas/json.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import type { SchemaDocument } from "../../schemas/model/schema-model.js";
import { isSecretName } from "../../schemas/naming/secret-names.js";
import { typeOf } from "./sensitive-types.js";

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
