/** The model as an author's project: the importer's sink. Extracting what is written gives the model's connector.json. */
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import type { SchemaDocument } from "../../schemas/model/schema-model.js";
import { isStandardFailure } from "../../schemas/model/standard-failure.js";
import type { NamingConvention } from "../../schemas/naming/conventions.js";
import { displayName } from "../../schemas/naming/words.js";
import type { GeneratedFile } from "../generated-file.js";
import {
  type DataObjectLayout,
  type ModuleLayout,
  projectLayout,
  REGISTRATION_CONFIGURATION,
  ROOT_MODULE,
} from "../layout.js";
import { type Code, type Entry, list, valueSymbol } from "../typescript/code.js";
import { stringLiteral } from "../typescript/literals.js";
import { ModulePrinter } from "../typescript/module-printer.js";
import { printRegistration, printService } from "./configuration-module.js";
import { connectionModule } from "./connection-module.js";
import { findConstants, isSameShape, type PlacedDocument, printConstants } from "./constants.js";
import { dataObjectModule, type ModulePlace } from "./data-object-module.js";
import { fittingConvention } from "./naming-convention.js";
import { printDefinition } from "./schema-expression.js";

/** The schema modules of a connector, root module first. */
export function schemaModules(model: ConnectorModel): readonly GeneratedFile[] {
  const { connections, modules } = projectLayout(model);
  const { identifier: configuration, file: configurationFile } = REGISTRATION_CONFIGURATION;
  const registration = new ModulePrinter(
    configurationFile,
    "The registration configuration: settings of a workspace.",
  );
  const hasRegistration = printRegistration(model.registrationConfiguration, configuration, registration);

  const root = new ModulePrinter(ROOT_MODULE, "The connector: start reading here.");
  const entries: readonly Entry[] = [
    ...titleEntries(model),
    { key: "key", value: stringLiteral(model.key) },
    ...(model.urlPart === model.key ? [] : [{ key: "urlPart", value: stringLiteral(model.urlPart) }]),
    { key: "description", value: stringLiteral(model.description) },
    ...(hasRegistration
      ? [{ key: "registrationConfiguration", value: valueSymbol(configurationFile, configuration) }]
      : []),
    { key: "connections", value: list(connections.map(symbolOf)) },
    { key: "modules", value: list(modules.map(symbolOf)) },
  ];
  printDefinition(root, "connector", "defineConnector", model.name, entries);
  return [
    root.scaffoldFile(),
    ...connections.map((connection) =>
      connectionModule(connection.model, connection.identifier, connection.file),
    ),
    ...(hasRegistration ? [registration.scaffoldFile()] : []),
    ...modules.flatMap((names) => filesOfModule(names, model.key)),
  ];
}

function filesOfModule(names: ModuleLayout, connectorKey: string): readonly GeneratedFile[] {
  const conventions = new Map(names.objects.map(({ model }) => [model, conventionOf(documentsOf(model))]));
  const documents = names.objects.flatMap(({ model, file, identifier: owner }): readonly PlacedDocument[] => {
    const convention = conventions.get(model) ?? "camelCase";
    return [
      { file, owner, convention, document: model.schema },
      ...payloadsOf(model)
        .filter(({ document }) => !isSameShape(document, model.schema, convention))
        .map(({ role, document }) => ({ file, owner, convention, document, rootName: `${owner}${role}` })),
    ];
  });
  const taken = new Set(names.identifiers);
  const constants = findConstants(documents, taken);
  const place: ModulePlace = { names, taken, constants, conventions };
  const shared = new ModulePrinter(names.sharedFile, "Values that several data objects of the module hold.");
  printConstants(constants, "shared", shared, names.sharedFile);
  const hasShared = constants.all.some(({ file }) => file === undefined);
  return [
    ...moduleFiles(names, connectorKey),
    ...(hasShared ? [shared.scaffoldFile()] : []),
    ...names.objects.map((object) => dataObjectModule(object, place)),
  ];
}

/** The documents of an object that its naming convention reaches. */
function documentsOf(model: DataObjectLayout["model"]): readonly SchemaDocument[] {
  return [model.schema, ...payloadsOf(model).map(({ document }) => document)];
}

/** Payloads of its actions that are written out. */
function payloadsOf(model: DataObjectLayout["model"]) {
  return model.actions
    .flatMap(({ input, output, failure }) => [
      { role: "Input", document: input },
      { role: "Output", document: output },
      { role: "Failure", document: failure },
    ])
    .filter(({ document }) => !isStandardFailure(document));
}

function conventionOf(documents: readonly SchemaDocument[]): NamingConvention {
  return fittingConvention(documents, "camelCase");
}

/** The module's own file, and that of its configurations where they say more than is usual. */
function moduleFiles(names: ModuleLayout, connectorKey: string): readonly GeneratedFile[] {
  const { model } = names;
  const configuration = new ModulePrinter(
    names.configurationFile,
    `The service configurations of ${names.identifier}.`,
  );
  const source = new ModulePrinter(
    names.file,
    `${names.identifier}: its data objects and actions, in the platform's order.`,
  );
  const configured = model.services.flatMap((service): Entry[] => {
    const identifier = `${service.type}Configuration`;
    if (!printService(service, model, connectorKey, identifier, configuration)) return [];
    const value = valueSymbol(names.configurationFile, identifier);
    return [{ key: service.type === "CacheWriter" ? "cacheWriter" : "actionProcessor", value }];
  });
  const actions: readonly Code[] = names.objects.flatMap((object) =>
    object.actions.map(({ identifier }) => valueSymbol(object.file, identifier)),
  );
  printDefinition(source, names.identifier, "defineModule", model.name, [
    ...titleEntries(model),
    { key: "key", value: stringLiteral(model.key) },
    ...(model.urlPart === model.key ? [] : [{ key: "urlPart", value: stringLiteral(model.urlPart) }]),
    { key: "version", value: String(model.version) },
    { key: "description", value: stringLiteral(model.description) },
    ...configured,
    { key: "dataObjects", value: list(names.objects.map(symbolOf)) },
    ...(actions.length === 0 ? [] : [{ key: "actions", value: list(actions) }]),
  ]);
  return [source.scaffoldFile(), ...(configured.length === 0 ? [] : [configuration.scaffoldFile()])];
}

/** The display name, if it is not the name in words. */
function titleEntries({ name, title }: { readonly name: string; readonly title: string }): readonly Entry[] {
  return title === displayName(name) ? [] : [{ key: "title", value: stringLiteral(title) }];
}

function symbolOf({ identifier, file }: { readonly identifier: string; readonly file: string }): Code {
  return valueSymbol(file, identifier);
}
