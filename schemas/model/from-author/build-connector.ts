/** The one way from an author's values to the model. Total: a wrong connector still gives a model, and findings. */
import type {
  RegistrationConfigurationOptions,
  ServiceConfigurationOptions,
} from "../../authoring/configuration.js";
import type { ConnectorOptions } from "../../authoring/connector.js";
import { definedAt, type OptionTable } from "../../authoring/definition.js";
import type { ModuleOptions } from "../../authoring/module.js";
import { hasErrors } from "../../diagnostics/diagnostic.js";
import { PART_NAMES } from "../../diagnostics/locations.js";
import type { PlacedSilence } from "../../diagnostics/silences.js";
import { deepFreeze, isJsonObject } from "../../json.js";
import { unique } from "../../naming/identifiers.js";
import {
  configurationDescription,
  configurationTitle,
  moduleId,
  modulePath,
  type ServiceType,
  serviceName,
} from "../../naming/service-names.js";
import { displayName, upperFirst } from "../../naming/words.js";
import type {
  ConfigurationModel,
  ConnectorModel,
  ModuleModel,
  ServiceModel,
  SourceResult,
} from "../connector-model.js";
import { EMPTY_OBJECT, type Keywords, type PropertyModel, type SchemaDocument } from "../schema-model.js";
import { findSwitch, switchesOf } from "../switches.js";
import {
  type AuthorDefinition,
  definitionAt,
  definitionName,
  definitionsIn,
  openDefinition,
  reportOldCall,
  type UnlistedDefinition,
  unlistedAmong,
  valuesIn,
} from "./author-definitions.js";
import { buildConnection } from "./build-connection.js";
import { buildDataObject } from "./build-data-object.js";
import { buildDocument } from "./build-schema.js";
import {
  type BuildLocation,
  describeValue,
  inside,
  noteSilence,
  OptionReader,
  report,
  rootLocation,
  stringOrEmpty,
} from "./option-reader.js";

/** A model that is built of an author's definitions. There always is one. */
export interface BuildResult extends SourceResult {
  readonly model: ConnectorModel;
  /** Where each definition was called, by its pointer: the error of the call, whose stack names file and line. */
  readonly origins: ReadonlyMap<string, Error>;
  /** What the author says of single findings. */
  readonly silences: readonly PlacedSilence[];
  /** Definitions that are part of nothing; none if the connector itself could not be built without an error. */
  readonly unlisted: readonly UnlistedDefinition[];
}

const CONNECTOR_OPTIONS: OptionTable<ConnectorOptions> = {
  title: true,
  key: true,
  urlPart: true,
  description: true,
  namingConvention: true,
  registrationConfiguration: true,
  connections: true,
  modules: true,
};

const MODULE_OPTIONS: OptionTable<ModuleOptions> = {
  title: true,
  key: true,
  urlPart: true,
  description: true,
  version: true,
  dataObjects: true,
  actions: true,
  namingConvention: true,
  actionProcessor: true,
  cacheWriter: true,
};

const CONFIGURATION_OPTIONS: OptionTable<RegistrationConfigurationOptions> = {
  title: true,
  description: true,
  additionalProperties: true,
  minProperties: true,
  maxProperties: true,
  namingConvention: true,
  properties: true,
};

const SERVICE_OPTIONS: OptionTable<ServiceConfigurationOptions> = {
  ...CONFIGURATION_OPTIONS,
  complete: true,
  serviceName: true,
};

const CONFIGURATION_KINDS = {
  "registration configuration": { word: "defineRegistrationConfiguration", options: CONFIGURATION_OPTIONS },
  "service configuration": {
    word: "defineServiceConfiguration",
    options: SERVICE_OPTIONS,
  },
} as const;

/**
 * The model of what `defineConnector` returned.
 *
 * @param definitions All definitions of the author's modules, to find those that are listed nowhere. @default none
 */
export function buildConnectorModel(connector: unknown, definitions: readonly object[] = []): BuildResult {
  const location = rootLocation(PART_NAMES.connector, "camelCase");
  const origin = isJsonObject(connector) ? definedAt(connector) : undefined;
  if (origin !== undefined) location.origins.set("", origin);
  location.listed.add(connector);
  const isDefined = isJsonObject(connector) && connector["kind"] === "connector";
  const value = isDefined ? connector["options"] : undefined;
  if (value === undefined) {
    report(
      location,
      "definition-invalid",
      isDefined
        ? { what: "The options of the connector", expected: "an object", actual: describeValue(value) }
        : {
            what: "The connector",
            expected: "a value that defineConnector made",
            actual: describeValue(connector),
          },
    );
  }
  if (isJsonObject(connector)) reportOldCall(connector, location);
  const options = new OptionReader(value ?? {}, location, CONNECTOR_OPTIONS);
  const name =
    isJsonObject(connector) && value !== undefined ? definitionName(connector, "connector", location) : "";
  noteSilence(options.get("silence"), location, "definition");
  const key = options.string("key") ?? "";
  const conventional = inside(location, { convention: options.convention() });
  const model: ConnectorModel = {
    kind: "connector",
    name,
    title: options.string("title") ?? displayName(name),
    urlPart: options.string("urlPart") ?? key,
    key,
    description: options.string("description") ?? "",
    connections: definitionsIn(
      options,
      "connections",
      "connection",
      "connectionDefinitions",
      conventional,
    ).map(buildConnection),
    registrationConfiguration: buildRegistrationConfiguration(
      options.get("registrationConfiguration"),
      inside(location, {
        what: PART_NAMES.registrationConfiguration,
        pointer: ["configSchema"],
        path: ["registrationConfiguration"],
      }),
    ),
    modules: definitionsIn(options, "modules", "module", "modules", conventional).map((definition) =>
      buildModule(definition, key),
    ),
  };
  return {
    model: deepFreeze(model),
    diagnostics: location.findings,
    origins: location.origins,
    silences: location.silences,
    unlisted: hasErrors(location.findings) ? [] : unlistedAmong(definitions, location.listed),
  };
}

/** The model of one module of the connector with `connectorKey`. */
function buildModule({ value, name, location }: AuthorDefinition, connectorKey: string): ModuleModel {
  const options = new OptionReader(value["options"], location, MODULE_OPTIONS);
  const title = options.string("title") ?? displayName(name);
  const key = options.string("key") ?? "";
  const version = options.integer("version") ?? 1;
  const path = modulePath(connectorKey, key, version);
  const conventional = inside(location, { convention: options.convention() });
  const objects = definitionsIn(options, "dataObjects", "data object", "dataObjects", conventional);
  const actions = actionsByObject(options, objects, conventional, name);
  const dataObjects = objects.map((object) => buildDataObject(object, path, actions.get(object.value) ?? []));
  const service = (type: ServiceType, index: number, option: string) =>
    buildService(
      options.get(option),
      { type, moduleTitle: title, version, path, switches: switchesOf(type, dataObjects) },
      inside(location, { pointer: ["services", index], path: [option] }),
    );
  return {
    kind: "module",
    id: moduleId(key, version),
    name,
    title,
    urlPart: options.string("urlPart") ?? key,
    key,
    description: options.string("description") ?? "",
    version,
    services: [service("ActionProcessor", 0, "actionProcessor"), service("CacheWriter", 1, "cacheWriter")],
    dataObjects,
  };
}

/** The actions of the module, under the definition of the object that each belongs to. */
function actionsByObject(
  options: OptionReader,
  objects: readonly AuthorDefinition[],
  location: BuildLocation,
  module: string,
): ReadonlyMap<unknown, readonly AuthorDefinition[]> {
  const byObject = new Map<unknown, AuthorDefinition[]>(objects.map(({ value }) => [value, []]));
  for (const value of valuesIn(options, "actions", "action", location)) {
    const dataObject = isJsonObject(value["options"]) ? value["options"]["dataObject"] : undefined;
    const owner = objects.find((object) => object.value === dataObject);
    if (owner === undefined) {
      location.listed.add(value);
      const object = isJsonObject(dataObject) ? stringOrEmpty(dataObject["name"]) : "nothing";
      const place = inside(location, { path: ["actions"] });
      report(place, "definition-action-unplaced", { action: stringOrEmpty(value["name"]), object, module });
      continue;
    }
    const list = byObject.get(owner.value) ?? [];
    list.push(definitionAt(value, "action", inside(owner.location, { pointer: ["actions", list.length] })));
  }
  return byObject;
}

/** What a service is made of, beside the author's own configuration. */
interface ServiceParts {
  readonly type: ServiceType;
  readonly moduleTitle: string;
  readonly version: number;
  /** The module's path, as service names begin with. */
  readonly path: string;
  readonly switches: readonly PropertyModel[];
}

/** The model of one service; `value` is the author's configuration, or undefined. */
function buildService(value: unknown, parts: ServiceParts, location: BuildLocation): ServiceModel {
  const what = PART_NAMES.service(parts.type, location.what);
  const own = readConfiguration(
    value,
    "service configuration",
    inside(location, { what, pointer: ["configSchema"] }),
  );
  const document = own?.document ?? EMPTY_OBJECT;
  const isComplete = own?.options.boolean("complete") === true;
  return {
    kind: "service",
    type: parts.type,
    name: own?.options.string("serviceName") ?? serviceName(parts.path, parts.type),
    configuration: {
      name: own?.name ?? `${parts.type}Configuration`,
      ...(isComplete ? document : extendDocument(document, parts)),
    },
  };
}

/** The document with the switches and the usual heading. One that is no object is left as it is. */
function extendDocument({ root, definitions }: SchemaDocument, parts: ServiceParts): SchemaDocument {
  if (root.kind !== "object") return { root, definitions };
  const heading: Keywords = [
    { name: "title", value: configurationTitle(parts.moduleTitle, parts.version, parts.type) },
    { name: "description", value: configurationDescription(parts.type) },
  ];
  const properties = withSwitches(parts.switches, root.properties);
  return { root: { ...root, properties, keywords: withHeading(heading, root.keywords) }, definitions };
}

/** The switches, each replaced by what the author wrote under its name; then what the author added. */
function withSwitches(
  switches: readonly PropertyModel[],
  own: readonly PropertyModel[],
): readonly PropertyModel[] {
  const names = switches.map(({ jsonName }) => jsonName);
  // Two actions may come to one name, which a check reports: they have one switch.
  const distinct = switches.filter(({ jsonName }, index) => names.indexOf(jsonName) === index);
  const kept = distinct.map((entry) => findSwitch(own, entry.jsonName, names) ?? entry);
  const added = own.filter((property) => !kept.includes(property));
  const taken = new Set<string>();
  return [...kept, ...added].map((property) => ({ ...property, name: unique(property.name, taken) }));
}

/** Title and description stand first; what the author says of them wins. */
function withHeading(heading: Keywords, own: Keywords): Keywords {
  const given = (name: string) => own.find((keyword) => keyword.name === name);
  if (heading.every(({ name }) => given(name) !== undefined)) return own;
  const first = heading.map((keyword) => given(keyword.name) ?? keyword);
  return [...first, ...own.filter(({ name }) => !heading.some((keyword) => keyword.name === name))];
}

interface ReadConfiguration {
  /** Undefined for a configuration without a name. */
  readonly name: string | undefined;
  readonly document: SchemaDocument;
  readonly options: OptionReader;
}

/** The registration configuration; an empty object if the author defined none. */
function buildRegistrationConfiguration(value: unknown, location: BuildLocation): ConfigurationModel {
  const own = readConfiguration(value, "registration configuration", location);
  return { name: own?.name ?? "RegistrationConfiguration", ...(own?.document ?? EMPTY_OBJECT) };
}

/** A configuration of `kind`; undefined if `value` is not one. */
function readConfiguration(
  value: unknown,
  kind: keyof typeof CONFIGURATION_KINDS,
  place: BuildLocation,
): ReadConfiguration | undefined {
  if (value === undefined) return undefined;
  if (!isJsonObject(value) || (value["kind"] !== kind && value["kind"] !== "configuration")) {
    report(place, "definition-invalid", {
      what: place.what,
      expected: `a value that ${CONFIGURATION_KINDS[kind].word} made`,
      actual: describeValue(value),
    });
    return undefined;
  }
  const location: BuildLocation = { ...openDefinition(value, place), convention: "PascalCase" };
  if (value["kind"] === "configuration") reportOldCall(value, location, kind, usualName(place));
  const options = new OptionReader(value["options"], location, CONFIGURATION_KINDS[kind].options);
  const convention = options.convention();
  return {
    name: value["kind"] === "configuration" ? undefined : definitionName(value, kind, location),
    document: buildDocument(value["schema"], inside(location, { convention, path: ["properties"] })),
    options,
  };
}

/** `CacheWriterConfiguration` for the option `cacheWriter` of a module. */
function usualName({ path }: BuildLocation): string {
  const option = upperFirst(String(path.at(-1) ?? ""));
  return option.endsWith("Configuration") ? option : `${option}Configuration`;
}
