/** What `test-settings.json` holds for a connector: every setting with its type, before anyone filled it in. */
import type { ConnectionModel, ConnectorModel, OptionModel } from "../../schemas/model/connector-model.js";
import {
  connectionProperties,
  membersForTokens,
  standardMembers,
} from "../../schemas/model/oauth2-members.js";
import type { PropertyModel, SchemaModel } from "../../schemas/model/schema-model.js";

/** An object with these members. */
export interface SettingsMembers {
  readonly kind: "members";
  readonly members: readonly (readonly [name: string, node: SettingsNode])[];
  readonly required: boolean;
  /** Its schema, where it is the value of a configuration property. */
  readonly schema?: SchemaModel;
}

/** A value that the author fills in. */
export interface SettingsValue {
  readonly kind: "value";
  readonly schema: SchemaModel;
  readonly required: boolean;
  /** Not required, but nothing gets an access token without it. */
  readonly isForTokens?: boolean;
  readonly isSensitive: boolean;
  /** Labels of the numbers that may stand here. */
  readonly options: readonly OptionModel[];
}

/** The list of connections: an entry a definition key. */
export interface SettingsConnections {
  readonly kind: "connections";
  readonly entries: readonly (readonly [definitionKey: string, configuration: SettingsMembers])[];
}

export type SettingsNode = SettingsMembers | SettingsValue | SettingsConnections;

/** The settings of a connector, below the member `testSettings`. */
export function settingsShape(model: ConnectorModel): SettingsMembers {
  const distinct = model.connections.filter(
    ({ key }, index) => model.connections.findIndex((one) => one.key === key) === index,
  );
  const keys = distinct.map(({ key }) => key);
  const entries = distinct.map((connection) => [connection.key, connectionShape(connection)] as const);
  const active: SchemaModel = { kind: "enum", members: keys, nullable: false, keywords: [] };
  return members([
    ["activeConnection", { kind: "value", schema: active, required: true, isSensitive: false, options: [] }],
    ["connections", { kind: "connections", entries }],
    ["connectorRegistration", documentNode(model.registrationConfiguration.root)],
    ...model.modules.map(({ id, services: [actionProcessor, cacheWriter] }) => {
      const configuration = members([
        ["actionProcessor", documentNode(actionProcessor.configuration.root)],
        ["cacheWriter", documentNode(cacheWriter.configuration.root)],
      ]);
      return [id, members([["serviceConfiguration", configuration]])] as const;
    }),
  ]);
}

/** Every property of a connection: its own, then the standard ones of OAuth2. */
export function connectionShape(connection: ConnectionModel): SettingsMembers {
  const { authType } = connection;
  const standard = standardMembers(authType);
  const forTokens = membersForTokens(authType);
  return members(
    connectionProperties(connection).map((property) => {
      const { schema, isRequired: required, isSensitive, options } = property;
      const isForTokens = standard.includes(property) && forTokens.includes(property.name);
      return [property.key, { kind: "value", schema, required, isForTokens, isSensitive, options }] as const;
    }),
  );
}

function documentNode(root: SchemaModel): SettingsNode {
  if (root.kind !== "object") return valueNode(root, false);
  return { ...members(root.properties.map(propertyMember)), schema: root };
}

function propertyMember({ jsonName, required, schema }: PropertyModel): readonly [string, SettingsNode] {
  if (schema.kind !== "object" || schema.nullable) return [jsonName, valueNode(schema, required)];
  return [jsonName, { ...members(schema.properties.map(propertyMember)), required, schema }];
}

function valueNode(schema: SchemaModel, required: boolean): SettingsValue {
  const isSensitive =
    schema.kind !== "verbatim" &&
    schema.keywords.some(({ name, value }) => name === "writeOnly" && value === true);
  return { kind: "value", schema, required, isSensitive, options: [] };
}

function members(list: SettingsMembers["members"]): SettingsMembers {
  return { kind: "members", members: list, required: true };
}
