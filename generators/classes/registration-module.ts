/** The wiring of a connector: every data object wants its reader, every action its handler, or it does not compile. */
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { type ServiceSwitch, serviceSwitches } from "../../schemas/model/switches.js";
import { propertyIdentifier } from "../../schemas/naming/identifiers.js";
import type { ServiceType } from "../../schemas/naming/service-names.js";
import type { GeneratedFile } from "../generated-file.js";
import {
  type ActionLayout,
  contextNames,
  type DataObjectLayout,
  GENERATED_REGISTRATION_FILE,
  type Layout,
  type ModuleLayout,
  REGISTRATION_CONFIGURATION,
} from "../layout.js";
import { type Code, type Entry, list, object, ts, typeSymbol, valueSymbol } from "../typescript/code.js";
import { codegenType } from "../typescript/codegen-symbols.js";
import { stringLiteral } from "../typescript/literals.js";
import { ModulePrinter } from "../typescript/module-printer.js";
import { CONTEXT_TYPES, payloadSymbols, recordSymbols } from "./contexts-module.js";

/** `generated/registration.ts`. */
export function registrationModule(model: ConnectorModel, layout: Layout): GeneratedFile {
  const { connections, modules, registrationConfigurationName } = layout;
  const module = new ModulePrinter(
    GENERATED_REGISTRATION_FILE,
    "The wiring of the connector: readers and handlers.",
  );
  for (const each of modules) module.print(moduleServices(each));
  const services = modules.map(
    ({ identifier }) => `  readonly ${identifier}: ${identifier}Services<Client>;\n`,
  );
  module.print(
    `/** The readers and handlers of every module. */\nexport interface ConnectorServices${clientParameter(modules.length > 0)} {\n${services.join("")}}`,
  );
  // A connector without data objects needs nothing of its author.
  const parameter = modules.some(({ objects }) => objects.length > 0) ? "services" : "_services";
  const configuration = valueSymbol(REGISTRATION_CONFIGURATION.generatedFile, registrationConfigurationName);
  const registration = object([
    { value: "...client" },
    { key: "name", value: stringLiteral(model.title) },
    { key: "key", value: stringLiteral(model.key) },
    { key: "configuration", value: ts`${configuration}.type` },
    { key: "configurationClass", value: configuration },
    {
      key: "connections",
      value: list(
        connections.map(({ model: { key }, identifier, generatedFile }) =>
          object([
            { key: "key", value: stringLiteral(key) },
            { key: "properties", value: ts`${valueSymbol(generatedFile, identifier)}.type` },
          ]),
        ),
      ),
    },
    { key: "modules", value: list(modules.map(moduleRegistration)) },
  ]);
  module.print(ts`/** Joins every data object to its reader, every action to its handler, and the connector to its client. */
export function registerConnector<Client>(
  ${parameter}: ConnectorServices<Client>,
  client: ${codegenType("ConnectorClient")}<Client, ${CONTEXT_TYPES.connection}, ${configuration}>,
): ${codegenType("ConnectorRegistration")}<Client> {
  return ${registration};
}`);
  return module.generatedFile();
}

/** The interface of a module's readers and handlers. */
function moduleServices(layout: ModuleLayout): Code {
  const { identifier, objects, generatedContextsFile: file } = layout;
  const contexts = (name: string) => typeSymbol(file, name, `${identifier}_${name}`);
  const readers = objects.map((dataObject) => {
    const { record, recordJson } = recordSymbols(layout, dataObject);
    const item = ts`${record} | ${recordJson}`;
    const isFull = dataObject.model.readerType === "full";
    const yielded = isFull ? item : ts`${codegenType("RecordChange")}<${item}>`;
    const context = contexts(contextNames.reader(dataObject));
    return ts`    readonly ${dataObject.identifier}: (
      context: ${context}<Client>,
    ) => AsyncIterable<${yielded}>;\n`;
  });
  const handlers = objects.flatMap((dataObject) =>
    dataObject.actions.map((action) => {
      const { input } = payloadSymbols(layout, dataObject, action);
      return ts`    readonly ${action.identifier}: (
      input: ${input},
      context: ${contexts(contextNames.action(action))}<Client>,
    ) => Promise<${contexts(contextNames.result(action))}>;\n`;
    }),
  );
  return ts`/** Readers and handlers of ${identifier}. */
export interface ${identifier}Services${clientParameter(objects.length > 0)} {
  readonly readers: {
${readers}  };
  readonly handlers: {
${handlers}  };
}`;
}

/** The type parameter for the API client. One that nothing uses compiles only if its name starts with `_`. */
function clientParameter(isUsed: boolean): string {
  return isUsed ? "<Client>" : "<_Client>";
}

function moduleRegistration(layout: ModuleLayout): Code {
  const { model, identifier, objects, generatedConfigurationFile } = layout;
  const configuration = (type: ServiceType) => {
    const alias = `${identifier}${type}Configuration`;
    return valueSymbol(generatedConfigurationFile, layout.configurationNames[type], alias);
  };
  const [actionProcessor, cacheWriter] = model.services;
  const objectModels = objects.map((object) => object.model);
  const actionSwitches = serviceSwitches(actionProcessor, objectModels);
  const objectSwitches = serviceSwitches(cacheWriter, objectModels);
  return object([
    { key: "id", value: stringLiteral(model.id) },
    { key: "actionProcessorConfiguration", value: ts`${configuration("ActionProcessor")}.type` },
    { key: "actionProcessorClass", value: configuration("ActionProcessor") },
    { key: "cacheWriterConfiguration", value: ts`${configuration("CacheWriter")}.type` },
    { key: "cacheWriterClass", value: configuration("CacheWriter") },
    {
      key: "dataObjects",
      value: list(objects.map((dataObject) => dataObjectRegistration(layout, dataObject, objectSwitches))),
    },
    {
      key: "actions",
      value: list(
        objects.flatMap((dataObject) =>
          dataObject.actions.map((action) =>
            actionRegistration(layout, { dataObject, action, switches: actionSwitches }),
          ),
        ),
      ),
    },
  ]);
}

function dataObjectRegistration(
  layout: ModuleLayout,
  dataObject: DataObjectLayout,
  switches: readonly ServiceSwitch[],
): Code {
  const { model, identifier } = dataObject;
  return object([
    { key: "name", value: stringLiteral(model.name) },
    { key: "urlPart", value: stringLiteral(model.urlPart) },
    { key: "dataPath", value: stringLiteral(model.dataPath) },
    { key: "readerType", value: stringLiteral(model.readerType) },
    { key: "record", value: ts`${recordSymbols(layout, dataObject).record}.type` },
    ...switchEntries(switches.find(({ object }) => object === model)),
    { key: "reader", value: `services.${layout.identifier}.readers.${identifier}` },
  ]);
}

interface ActionSource {
  readonly dataObject: DataObjectLayout;
  readonly action: ActionLayout;
  readonly switches: readonly ServiceSwitch[];
}

function actionRegistration(layout: ModuleLayout, { dataObject, action, switches }: ActionSource): Code {
  const { input, output, failure } = payloadSymbols(layout, dataObject, action);
  const { name, urlPart } = action.model;
  return object([
    { key: "name", value: stringLiteral(name) },
    { key: "urlPart", value: stringLiteral(urlPart) },
    { key: "dataObject", value: stringLiteral(dataObject.model.name) },
    { key: "input", value: ts`${input}.type` },
    { key: "inputClass", value: input },
    { key: "output", value: ts`${output}.type` },
    { key: "failure", value: ts`${failure}.type` },
    ...switchEntries(switches.find((own) => own.action === action.model)),
    { key: "handler", value: `services.${layout.identifier}.handlers.${action.identifier}` },
  ]);
}

/** Where the configuration of the service switches a data object or an action, by names as in code. */
function switchEntries(found: ServiceSwitch | undefined): readonly Entry[] {
  const { switchName = "", flagName = "", property, flag } = found ?? {};
  return [
    { key: "switchName", value: stringLiteral(property?.name ?? propertyIdentifier(switchName)) },
    { key: "flagName", value: stringLiteral(flag?.name ?? propertyIdentifier(flagName)) },
  ];
}
