/** The model as an author's project: the importer's sink. Extracting what is written gives the model's connector.json. */
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import type { SchemaDocument } from "../../schemas/model/schema-model.js";
import { standardFailure } from "../../schemas/model/standard-failure.js";
import type { NamingConvention } from "../../schemas/naming/conventions.js";
import type { GeneratedFile } from "../generated-file.js";
import { type Code, call, type Entry, layOut, list, object } from "../typescript/code.js";
import { stringLiteral } from "../typescript/literals.js";
import { stateRegistration, stateService } from "./configuration-module.js";
import { connectionModule } from "./connection-module.js";
import { findConstants, type PlacedDocument } from "./constants.js";
import { stateConstants } from "./constants-code.js";
import { dataObjectModule, type ModulePlace } from "./data-object-module.js";
import { fittingConvention } from "./naming-convention.js";
import {
  connectionNames,
  type ModuleNames,
  moduleNames,
  type ObjectNames,
  REGISTRATION,
  rootNames,
} from "./project-names.js";
import { SourceModule } from "./source-module.js";

const REGISTRATION_FILE = "schemas/registration-configuration.ts";

/** The schema modules of a connector, root module first. */
export function schemaModules(model: ConnectorModel): readonly GeneratedFile[] {
  const identifiers = rootNames();
  const connections = connectionNames(model, identifiers);
  const modules = moduleNames(model, identifiers);
  const registration = new SourceModule(
    REGISTRATION_FILE,
    "The registration configuration: settings of a workspace.",
  );
  const hasRegistration = stateRegistration(model.registrationConfiguration, REGISTRATION, registration);

  const root = new SourceModule("connector.ts", "The connector: start reading here.");
  root.uses.add("defineConnector");
  if (hasRegistration) root.import(REGISTRATION, REGISTRATION_FILE);
  for (const { identifier, file } of [...connections, ...modules]) root.import(identifier, file);
  const entries: readonly Entry[] = [
    { key: "name", value: stringLiteral(model.name) },
    { key: "key", value: stringLiteral(model.key) },
    ...(model.urlPart === model.key ? [] : [{ key: "urlPart", value: stringLiteral(model.urlPart) }]),
    { key: "description", value: stringLiteral(model.description) },
    ...(hasRegistration ? [{ key: "registrationConfiguration", value: REGISTRATION }] : []),
    { key: "connections", value: list(connections.map(({ identifier }) => identifier)) },
    { key: "modules", value: list(modules.map(({ identifier }) => identifier)) },
  ];
  root.state(definition("connector", "defineConnector", entries));
  return [
    root.file(),
    ...connections.map((connection) =>
      connectionModule(connection.model, connection.identifier, connection.file),
    ),
    ...(hasRegistration ? [registration.file()] : []),
    ...modules.flatMap((names) => filesOfModule(names, model.key)),
  ];
}

function filesOfModule(names: ModuleNames, connectorKey: string): readonly GeneratedFile[] {
  const conventions = new Map(names.objects.map(({ model }) => [model, conventionOf(documentsOf(model))]));
  const documents = names.objects.flatMap(({ model, file }) =>
    documentsOf(model).map(
      (document): PlacedDocument => ({ file, document, convention: conventions.get(model) ?? "camelCase" }),
    ),
  );
  const constants = findConstants(documents, names.taken);
  const place: ModulePlace = { names, constants, conventions };
  const shared = new SourceModule(names.sharedFile, "Values that several data objects of the module hold.");
  stateConstants(constants, undefined, shared, names.sharedFile);
  const hasShared = constants.all.some(({ file }) => file === undefined);
  return [
    ...moduleFiles(names, connectorKey),
    ...(hasShared ? [shared.file()] : []),
    ...names.objects.map((object) => dataObjectModule(object, place)),
  ];
}

/** The documents of an object that its naming convention reaches. */
function documentsOf(model: ObjectNames["model"]): readonly SchemaDocument[] {
  const standard = JSON.stringify(standardFailure());
  const payloads = model.actions.flatMap(({ input, output, failure }) => [input, output, failure]);
  return [model.schema, ...payloads.filter((document) => JSON.stringify(document) !== standard)];
}

function conventionOf(documents: readonly SchemaDocument[]): NamingConvention {
  return fittingConvention(documents, "camelCase");
}

/** The module's own file, and that of its configurations where they say more than is usual. */
function moduleFiles(names: ModuleNames, connectorKey: string): readonly GeneratedFile[] {
  const { model } = names;
  const configuration = new SourceModule(
    names.configurationFile,
    `The service configurations of ${names.identifier}.`,
  );
  const source = new SourceModule(
    names.file,
    `${names.identifier}: its data objects and actions, in the platform's order.`,
  );
  source.uses.add("defineModule");
  const configured = model.services.flatMap((service): Entry[] => {
    const identifier = `${service.type}Configuration`;
    if (!stateService(service, model, connectorKey, identifier, configuration)) return [];
    source.import(identifier, names.configurationFile);
    return [{ key: service.type === "CacheWriter" ? "cacheWriter" : "actionProcessor", value: identifier }];
  });
  for (const { identifier, file, actions } of names.objects) {
    for (const name of [identifier, ...actions.map((action) => action.identifier)]) source.import(name, file);
  }
  const actions: Code[] = names.objects.flatMap((object) =>
    object.actions.map(({ identifier }) => identifier),
  );
  source.state(
    definition(names.identifier, "defineModule", [
      { key: "name", value: stringLiteral(model.name) },
      { key: "key", value: stringLiteral(model.key) },
      ...(model.urlPart === model.key ? [] : [{ key: "urlPart", value: stringLiteral(model.urlPart) }]),
      { key: "version", value: String(model.version) },
      { key: "description", value: stringLiteral(model.description) },
      ...configured,
      { key: "dataObjects", value: list(names.objects.map(({ identifier }) => identifier)) },
      ...(actions.length === 0 ? [] : [{ key: "actions", value: list(actions) }]),
    ]),
  );
  return [source.file(), ...(configured.length === 0 ? [] : [configuration.file()])];
}

function definition(identifier: string, callee: string, entries: readonly Entry[]): string {
  return `${layOut(call(`export const ${identifier} = ${callee}`, object(entries)))};`;
}
