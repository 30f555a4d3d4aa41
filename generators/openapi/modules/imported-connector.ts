/** A plan as the model of a connector: what of it can be read becomes data objects, and what every call needs connections. */

import { isPlaceholderAddress } from "../../../schemas/checks/rules/connections.js";
import type {
  AddressModel,
  AttributeModel,
  BaseUrlModel,
  ConnectionModel,
  ConnectionType,
  ConnectorModel,
  DataObjectModel,
  ModuleModel,
  ServiceModel,
} from "../../../schemas/model/connector-model.js";
import { EMPTY_OBJECT } from "../../../schemas/model/schema-model.js";
import { switchesOf } from "../../../schemas/model/switches.js";
import {
  classIdentifier,
  fileName,
  propertyIdentifier,
  unique,
} from "../../../schemas/naming/identifiers.js";
import { defaultKeyName } from "../../../schemas/naming/key-names.js";
import { isSecretName } from "../../../schemas/naming/secret-names.js";
import {
  configurationDescription,
  configurationTitle,
  moduleId,
  modulePath,
  SERVICE_TYPES,
  type ServiceType,
  serviceName,
} from "../../../schemas/naming/service-names.js";
import {
  displayName,
  lowerFirst,
  propertyTitle,
  upperFirst,
  urlPartOf,
} from "../../../schemas/naming/words.js";
import { AUTH_TYPE_FACTS } from "../../scaffolds/auth-types.js";
import { nounOf, withArticle } from "../../scaffolds/names.js";
import type {
  ImportPlan,
  LeftOut,
  PlannedAuth,
  PlannedConnection,
  PlannedObject,
} from "../inference/plan.js";
import { isDecided } from "../inference/plan.js";
import type { ApiDescription } from "../reading/api-description.js";
import { Shapes } from "../reading/shapes.js";
import { importedActions } from "./imported-actions.js";
import { recordSchema } from "./record-schema.js";

/** A connector as it is imported. */
export interface ImportedConnector {
  readonly model: ConnectorModel;
  /** The plans of its data objects, by their classes. */
  readonly objects: ReadonlyMap<string, PlannedObject>;
  /** Lists that are not taken: those of the plan, and those whose records can't be told apart. */
  readonly leftOut: readonly LeftOut[];
  /** Names of connection properties, by the parameter that they are sent as. */
  readonly settings: ReadonlyMap<string, string>;
}

const MODULE = { name: "App", key: "app", version: 1 } as const;

/** The objects that become data objects: those of which it is known what a record is, and what identifies it. */
export function objectsTaken({ objects }: Pick<ImportPlan, "objects">): readonly PlannedObject[] {
  return objects.filter(({ key, items }) => key.state !== "ask" && items.state !== "ask");
}

/** The connector that a plan of `description` gives. */
export function importedConnector(description: ApiDescription, plan: ImportPlan): ImportedConnector {
  const taken = objectsTaken(plan);
  const unknown = plan.objects.filter((object) => !taken.includes(object));
  const settings = settingsOf(taken.filter(isDecided));
  const title = description.title.trim() === "" ? "API" : description.title.trim();
  const key = fileName(title);
  const connections = connectionsOf(plan, settings);
  const model: ConnectorModel = {
    kind: "connector",
    name: classIdentifier(title),
    title,
    urlPart: key,
    key,
    description: firstSentences(description.description) || `Data objects of ${title}.`,
    connections,
    registrationConfiguration: { name: "RegistrationConfiguration", ...EMPTY_OBJECT },
    modules: [moduleOf(key, dataObjectsOf(key, taken, description))],
  };
  return {
    model,
    objects: new Map(taken.map((object) => [object.name, object])),
    leftOut: [
      ...plan.leftOut,
      ...unknown.map(({ list, key: decided, items }) => ({
        operation: list,
        reason: items.state === "ask" ? items.evidence : `it has no key: ${decided.evidence}`,
      })),
    ],
    settings: new Map([...settings].map(([parameter, { key: name }]) => [parameter, name])),
  };
}

/** Documents describe themselves at length; a connector in a few lines. */
const LONGEST_DESCRIPTION = 400;

function firstSentences(text: string): string {
  const [paragraph = ""] = text.trim().split(/\n\s*\n/);
  const line = paragraph.replace(/\s+/g, " ").trim();
  if (line.length <= LONGEST_DESCRIPTION) return line;
  const cut = line.slice(0, LONGEST_DESCRIPTION);
  const end = cut.lastIndexOf(". ");
  return end > 0 ? cut.slice(0, end + 1) : `${cut.slice(0, cut.lastIndexOf(" "))} …`;
}

function moduleOf(connectorKey: string, dataObjects: readonly DataObjectModel[]): ModuleModel {
  const path = modulePath(connectorKey, MODULE.key, MODULE.version);
  const service = (type: ServiceType): ServiceModel => ({
    kind: "service",
    type,
    name: serviceName(path, type),
    configuration: {
      name: `${type}Configuration`,
      root: {
        kind: "object",
        nullable: false,
        properties: switchesOf(type, dataObjects),
        keywords: [
          { name: "title", value: configurationTitle(MODULE.name, MODULE.version, type) },
          { name: "description", value: configurationDescription(type) },
        ],
      },
      definitions: [],
    },
  });
  const [first, second] = SERVICE_TYPES;
  return {
    kind: "module",
    id: moduleId(MODULE.key, MODULE.version),
    name: MODULE.name,
    title: MODULE.name,
    urlPart: MODULE.key,
    key: MODULE.key,
    version: MODULE.version,
    description: "Data objects of the API.",
    services: [service(first), service(second)],
    dataObjects,
  };
}

function dataObjectsOf(
  connectorKey: string,
  objects: readonly PlannedObject[],
  description: ApiDescription,
): readonly DataObjectModel[] {
  const shapes = new Shapes(description);
  const keys = new Map(
    objects.flatMap(({ record, key }) =>
      record.ref === undefined ? [] : [[record.ref, key.value] as const],
    ),
  );
  const parts = new Set<string>();
  return objects.map((object): DataObjectModel => {
    const { name, record, key, since } = object;
    const root = recordSchema(record, { key: key.value, shapes, keys });
    const urlPart = unique(urlPartOf(name), parts);
    const noun = nounOf(name);
    return {
      kind: "dataObject",
      name,
      title: displayName(name),
      urlPart,
      key: urlPart,
      description:
        firstSentences(shapes.of(record).description) ||
        `${upperFirst(withArticle(noun))} of the target system.`,
      dataPath: `${modulePath(connectorKey, MODULE.key, MODULE.version)}/${urlPart}`,
      createEndpoint: true,
      readerType: since.value === undefined ? "full" : "incremental",
      unknownMembers: "keep",
      schema: { root, definitions: [] },
      keys: [{ name: defaultKeyName(key.value, true), propertyNames: key.value, isPrimary: true }],
      actions: importedActions(object, root, shapes),
    };
  });
}

/** A connection property for each parameter that is the same in every call. */
function settingsOf(objects: readonly PlannedObject[]): ReadonlyMap<string, AttributeModel> {
  const taken = new Set(["baseUrl", "apiKey", "username", "password", "apiToken"]);
  const settings = new Map<string, AttributeModel>();
  for (const { list, values } of objects)
    for (const { value } of values) {
      if (value.source.kind !== "setting" || settings.has(value.name)) continue;
      const name = unique(propertyIdentifier(value.name), taken);
      const parameter = list.parameters.find((candidate) => candidate.name === value.name);
      const description = firstSentences(parameter?.description ?? "");
      settings.set(value.name, attribute(name, { description, isSensitive: isSecretName(name) }));
    }
  return settings;
}

function attribute(
  name: string,
  { description = "", isSensitive = false, title = propertyTitle(name) }: Partial<AttributeModel> = {},
): AttributeModel {
  return {
    name,
    key: name,
    title,
    description,
    isSensitive,
    isRequired: true,
    options: [],
    schema: { kind: "string", nullable: false, keywords: [] },
  };
}

function connectionsOf(
  { connections, address: { value: address } }: ImportPlan,
  settings: ReadonlyMap<string, AttributeModel>,
): readonly ConnectionModel[] {
  const baseUrl: BaseUrlModel =
    address.kind === "fixed"
      ? { kind: "fixed", url: address.url }
      : { kind: "property", property: "baseUrl" };
  const example = address.kind === "property" && address.example !== "" ? `Such as ${address.example}.` : "";
  const shared = [
    ...(address.kind === "property" ? [attribute("baseUrl", { description: example })] : []),
    ...settings.values(),
  ];
  return connections.map((connection): ConnectionModel => {
    const { name, auth } = connection;
    const { value } = auth;
    const scopes =
      "scopes" in value && value.scopes.length > 0 ? `Needs the scopes ${value.scopes.join(" ")}.` : "";
    return {
      kind: "connection",
      name,
      key: lowerFirst(name),
      authType: value.authType,
      type: typeOf(value),
      title: AUTH_TYPE_FACTS[value.authType].title,
      description: scopes,
      attributes: [...credentialsOf(connection), ...shared],
      baseUrl,
      tokenUrl: "tokenUrl" in value ? addressOf(value.tokenUrl) : { kind: "none" },
      authorizationUrl: "authorizationUrl" in value ? addressOf(value.authorizationUrl) : { kind: "none" },
    };
  });
}

function typeOf({ authType }: PlannedAuth): ConnectionType {
  return authType === "OAuth2CodeFlow" || authType === "OAuth2ClientCredentials" ? authType : "Standard";
}

function addressOf(url: string): AddressModel {
  const isUsable = /^https:\/\//i.test(url) && URL.canParse(url) && !isPlaceholderAddress(url);
  return isUsable ? { kind: "fixed", url } : { kind: "none" };
}

/** What a user signs in with. Keys that are used together are properties of one definition. */
function credentialsOf({ auth, schemes }: PlannedConnection): readonly AttributeModel[] {
  const { authType } = auth.value;
  const keys = schemes.flatMap((scheme) => (scheme.kind === "apiKey" ? [scheme] : []));
  if (authType === "Custom" && keys.length > 1) {
    const taken = new Set<string>();
    return keys.map(({ parameter, description }) =>
      attribute(unique(propertyIdentifier(parameter), taken), {
        description: firstSentences(description),
        isSensitive: true,
      }),
    );
  }
  return AUTH_TYPE_FACTS[authType].properties.map(({ name, title, isSensitive }) =>
    attribute(name, { title, isSensitive }),
  );
}
