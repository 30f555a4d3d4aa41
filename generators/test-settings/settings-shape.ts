/** What `test-settings.json` holds for a connector: every setting with its type. */

import {
  connectionProperties,
  membersForTokens,
  standardMembers,
} from "../../schemas/model/connection-members.js";
import type {
  ConnectionModel,
  ConnectorModel,
  DataObjectModel,
  OptionModel,
  ServiceModel,
} from "../../schemas/model/connector-model.js";
import type { PropertyModel, SchemaModel } from "../../schemas/model/schema-model.js";
import { findSwitch, type ServiceSwitch, serviceSwitches } from "../../schemas/model/switches.js";

/** An object with these members. */
export interface SettingsMembers {
  readonly kind: "members";
  readonly members: readonly (readonly [name: string, node: SettingsNode])[];
  readonly required: boolean;
  /** Its schema, if it is the value of a configuration property. */
  readonly schema?: SchemaModel;
}

/** A value that the author fills in. */
export interface SettingsValue {
  readonly kind: "value";
  readonly schema: SchemaModel;
  readonly required: boolean;
  /** Not required by the schema, but no access token can be requested without it. */
  readonly isForTokens?: boolean;
  readonly isSensitive: boolean;
  /** Whether it switches a data object or an action on. @default false */
  readonly isSwitch?: boolean;
  /** Whether it is the platform's own: it may stand in the file, and nothing asks for it. @default false */
  readonly isPlatforms?: boolean;
  /** Labels of the numbers that are allowed here. */
  readonly options: readonly OptionModel[];
}

/** The list of connections, with one entry for each definition key. */
export interface SettingsConnections {
  readonly kind: "connections";
  readonly entries: readonly (readonly [definitionKey: string, configuration: SettingsMembers])[];
}

export type SettingsNode = SettingsMembers | SettingsValue | SettingsConnections;

/** The settings of a connector, below the member `testSettings`. */
export function settingsShape(model: ConnectorModel): SettingsMembers {
  const distinct = model.connections.filter(
    ({ key }, index) => model.connections.findIndex((connection) => connection.key === key) === index,
  );
  const keys = distinct.map(({ key }) => key);
  const entries = distinct.map((connection) => [connection.key, connectionShape(connection)] as const);
  const active: SchemaModel = { kind: "enum", members: keys, nullable: false, keywords: [] };
  return members([
    ["activeConnection", { kind: "value", schema: active, required: true, isSensitive: false, options: [] }],
    ["connections", { kind: "connections", entries }],
    ["connectorRegistration", documentNode(model.registrationConfiguration.root)],
    ...model.modules.map(({ id, services: [actionProcessor, cacheWriter], dataObjects }) => {
      const configuration = members([
        ["actionProcessor", serviceNode(actionProcessor, dataObjects)],
        ["cacheWriter", serviceNode(cacheWriter, dataObjects)],
      ]);
      return [id, members([["serviceConfiguration", configuration]])] as const;
    }),
  ]);
}

/** Every property of a connection: its own, then the standard ones of OAuth2. */
export function connectionShape(connection: ConnectionModel): SettingsMembers {
  const { authType } = connection;
  const standard = standardMembers(authType);
  const forTokens = membersForTokens(connection);
  return members(
    connectionProperties(connection).map((property) => {
      const { schema, isRequired: required, isSensitive, options } = property;
      const isForTokens = standard.includes(property) && forTokens.includes(property.name);
      return [property.key, { kind: "value", schema, required, isForTokens, isSensitive, options }] as const;
    }),
  );
}

/** Whether `test init` asks the author for a setting. */
export function isAsked(node: SettingsNode): boolean {
  return node.kind !== "value" || node.isPlatforms !== true;
}

/** Members of the switches of incremental readers that only the platform writes and reads. */
const PLATFORM_MEMBERS = ["EnableModifiedSince", "Checkpoint"];

/** The configuration of a service: switches are known, and what the platform keeps beside them is not asked for. */
function serviceNode(service: ServiceModel, objects: readonly DataObjectModel[]): SettingsNode {
  const node = documentNode(service.configuration.root);
  if (node.kind !== "members") return node;
  const switches = serviceSwitches(service, objects);
  const marked = node.members.map(([name, inner]): readonly [string, SettingsNode] => {
    const found = switches.find(({ property }) => property?.jsonName === name);
    return [name, found === undefined ? inner : switchNode(inner, found)];
  });
  return { ...node, members: marked };
}

function switchNode(node: SettingsNode, { property, flag, object, action }: ServiceSwitch): SettingsNode {
  if (node.kind !== "members" || property?.schema.kind !== "object") return node;
  const isIncremental = action === undefined && object.readerType === "incremental";
  const { properties } = property.schema;
  const platforms = PLATFORM_MEMBERS.map((name) =>
    isIncremental ? findSwitch(properties, name) : undefined,
  );
  const marked = node.members.map(([name, inner]): readonly [string, SettingsNode] => {
    if (inner.kind !== "value") return [name, inner];
    const isPlatforms = platforms.some((member) => member?.jsonName === name && !member.required);
    return [name, { ...inner, isSwitch: flag?.jsonName === name, isPlatforms }];
  });
  return { ...node, members: marked };
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
