/**
 * Names and places of the files of an author's project, decided before a line is written.
 * Emitters and scaffolds take a `Layout`; nothing else makes a file name out of a model.
 */
import { posix } from "node:path";
import type {
  ActionModel,
  ConnectionModel,
  ConnectorModel,
  DataObjectModel,
  ModuleModel,
} from "../schemas/model/connector-model.js";
import { applyConvention } from "../schemas/naming/conventions.js";
import { classIdentifier, fileName, isReserved, unique } from "../schemas/naming/identifiers.js";
import type { ServiceType } from "../schemas/naming/service-names.js";
import { lowerFirst } from "../schemas/naming/words.js";

/** The file that defines the connector, as the tool writes it. */
export const ROOT_MODULE = "connector.ts";
/** The file names that a root module may have, in the order in which they are looked for. */
export const ROOT_MODULES: readonly string[] = [
  ROOT_MODULE,
  "connector.mts",
  "connector.js",
  "connector.mjs",
];
/** The extracted connector document. */
export const CONNECTOR_JSON = "connector.json";
/** Joins the services of every module to the client. The author's. */
export const REGISTRATION_FILE = "registration.ts";

/** What a fake target system of the connector answers beside what is declared. */
export const FAKE_FILE = "fake.ts";
export const API_CLIENT_FILE = "client/api-client.ts";
export const CLIENT_HELPER_FILE = "client/client-helper.ts";
export const CONNECTION_TEST_FILE = "connections/connection-test-handler.ts";
/** The folder of what target systems answered, masked. Committed. */
export const RECORDINGS_FOLDER = "recordings";
/** Settings and credentials for local runs. Not committed. */
export const TEST_SETTINGS_FILE = "test-settings.json";

/** The folder of the generated classes. The tool owns every file in it. */
export const GENERATED_FOLDER = "generated";
/** The generated wiring of the connector. */
export const GENERATED_REGISTRATION_FILE = "generated/registration.ts";
/** The generated types of what client helper, auth handlers and connection test are called with. */
export const GENERATED_CONTEXTS_FILE = "generated/contexts.ts";
export const GENERATED_STANDARD_FAILURE_FILE = "generated/standard-failure.ts";

/** The registration configuration, which a connector has at most once. */
export const REGISTRATION_CONFIGURATION = {
  identifier: "RegistrationConfiguration",
  file: "schemas/registration-configuration.ts",
  generatedFile: "generated/registration-configuration.ts",
} as const;

/** Every path is relative to the project's folder, with `/` on every system. */
export interface Layout {
  /** The generated class of the registration configuration. */
  readonly registrationConfigurationName: string;
  /** Its connections, in the order of the model. */
  readonly connections: readonly ConnectionLayout[];
  /** Its modules, in the order of the model. */
  readonly modules: readonly ModuleLayout[];
}

/** Names and places of one connection. */
export interface ConnectionLayout {
  /** The connection itself. */
  readonly model: ConnectionModel;
  /** Of the definition and of the generated class. */
  readonly identifier: string;
  /** The definition: `connections/basic.ts`. */
  readonly file: string;
  /** The generated class: `generated/connections/basic.ts`. */
  readonly generatedFile: string;
  /** The function that signs requests: `basicHandler`. */
  readonly handlerName: string;
  /** Its file: `client/basic-handler.ts`. */
  readonly handlerFile: string;
}

/** Names and places of one module. */
export interface ModuleLayout {
  /** The module itself. */
  readonly model: ModuleModel;
  /** Its name in code: `AppModule`. */
  readonly identifier: string;
  /** The schema module: `schemas/app/module.ts`. */
  readonly file: string;
  /** The definitions of the service configurations: `schemas/app/configuration.ts`. */
  readonly configurationFile: string;
  /** Values that several data objects share: `schemas/app/shared.ts`. */
  readonly sharedFile: string;
  /** The generated classes of the service configurations: `generated/app/configuration.ts`. */
  readonly generatedConfigurationFile: string;
  /** The generated types of what readers and handlers are called with: `generated/app/contexts.ts`. */
  readonly generatedContextsFile: string;
  /** The names of these classes: `CacheWriterConfiguration`. */
  readonly configurationNames: Readonly<Record<ServiceType, string>>;
  /** The constant that lists readers and handlers: `appModuleServices`. */
  readonly servicesName: string;
  /** Its file: `modules/app/services.ts`. */
  readonly servicesFile: string;
  /** Its data objects, in the order of the model. */
  readonly objects: readonly DataObjectLayout[];
  /** Every identifier of the module. An emitter that declares more adds them to a copy. */
  readonly identifiers: ReadonlySet<string>;
}

/** Names and places of one data object. */
export interface DataObjectLayout {
  /** The data object itself. */
  readonly model: DataObjectModel;
  /** Its name in code, and that of its generated class: `Employee`. */
  readonly identifier: string;
  /** The schema module of the object and its actions: `schemas/app/employee.ts`. */
  readonly file: string;
  /** Their generated classes: `generated/app/employee.ts`. */
  readonly generatedFile: string;
  /** The generated types of what its reader and handlers are called with: `generated/app/contexts.ts`. */
  readonly generatedContextsFile: string;
  /** The reader in code: `readEmployee`. */
  readonly readerName: string;
  /** The declared reader: `employeeReader`. */
  readonly declaredReaderName: string;
  /** Its file: `modules/app/employee/employee-reader.ts`. */
  readonly readerFile: string;
  /** Its actions, in the order of the model. */
  readonly actions: readonly ActionLayout[];
}

/** Names and places of one action. */
export interface ActionLayout {
  /** The action itself. */
  readonly model: ActionModel;
  /** Its name in code, that of its generated value, with which its payload classes begin: `CreateEmployee`. */
  readonly identifier: string;
  /** The handler in code: `createEmployee`. */
  readonly handlerName: string;
  /** The declared handler: `createEmployeeHandler`. */
  readonly declaredHandlerName: string;
  /** Its file: `modules/app/employee/create-employee-handler.ts`. */
  readonly handlerFile: string;
}

/** What the vocabulary exports: no value of the author's may hide it. */
const VOCABULARY = [
  "CacheWriterObjectConfig",
  "ConnectionEnvironment",
  "DefaultActionHandlerConfig",
  "ExactJson",
  "IncrementalObjectConfig",
  "Nullable",
  "OptionSet",
  "StandardFailure",
  "StringEnum",
  "Type",
];

/** The layout of a connector's project. Equal models give equal layouts. */
export function projectLayout(model: ConnectorModel): Layout {
  const identifiers = new Set(VOCABULARY);
  const { name } = model.registrationConfiguration;
  const registrationConfigurationName = unique(classIdentifier(name), identifiers);
  const connections = connectionLayouts(model.connections, identifiers);
  return { registrationConfigurationName, connections, modules: moduleLayouts(model.modules, identifiers) };
}

/** Names of the generated types of readers and handlers in `generatedContextsFile`. Their endings keep them apart. */
export const contextNames = {
  /** What a reader is called with. */
  reader: ({ identifier }: DataObjectLayout) => `${identifier}ReaderContext`,
  /** What a handler is called with. */
  action: ({ identifier }: ActionLayout) => `${identifier}ActionContext`,
  /** What a handler returns. */
  result: ({ identifier }: ActionLayout) => `${identifier}ActionResult`,
};

/** How a module of the project imports another: `./employee.js`, `../shared.js`. */
export function relativeSpecifier(from: string, to: string): string {
  const relative = posix.relative(posix.dirname(from), to).replace(/\.(m?)ts$/, ".$1js");
  return relative.startsWith(".") ? relative : `./${relative}`;
}

function connectionLayouts(
  connections: readonly ConnectionModel[],
  identifiers: Set<string>,
): readonly ConnectionLayout[] {
  const files = new Set<string>();
  return connections.map((model) => {
    const stem = unique(fileName(model.name), files);
    const file = `connections/${stem}.ts`;
    return {
      model,
      identifier: unique(classIdentifier(model.name), identifiers),
      file,
      generatedFile: `${GENERATED_FOLDER}/${file}`,
      handlerName: `${lowerFirst(model.name)}Handler`,
      handlerFile: `client/${stem}-handler.ts`,
    };
  });
}

function moduleLayouts(
  modules: readonly ModuleModel[],
  rootIdentifiers: Set<string>,
): readonly ModuleLayout[] {
  const folders = new Set<string>(["registration-configuration"]);
  return modules.map((model) => {
    const folder = unique(fileName(model.key || model.name), folders);
    const identifier = unique(`${classIdentifier(model.name)}Module`, rootIdentifiers);
    const identifiers = new Set([...VOCABULARY, identifier]);
    const [actionProcessor, cacheWriter] = model.services;
    const configurationNames = {
      ActionProcessor: unique(classIdentifier(actionProcessor.configuration.name), identifiers),
      CacheWriter: unique(classIdentifier(cacheWriter.configuration.name), identifiers),
    };
    const stems = new Set(["module", "configuration", "contexts", "shared"]);
    return {
      model,
      identifier,
      file: `schemas/${folder}/module.ts`,
      configurationFile: `schemas/${folder}/configuration.ts`,
      sharedFile: `schemas/${folder}/shared.ts`,
      generatedConfigurationFile: `${GENERATED_FOLDER}/${folder}/configuration.ts`,
      generatedContextsFile: `${GENERATED_FOLDER}/${folder}/contexts.ts`,
      configurationNames,
      servicesName: `${applyConvention(identifier, "camelCase")}Services`,
      servicesFile: `modules/${folder}/services.ts`,
      objects: model.dataObjects.map((object) => dataObjectLayout(object, folder, stems, identifiers)),
      identifiers,
    };
  });
}

function dataObjectLayout(
  model: DataObjectModel,
  folder: string,
  stems: Set<string>,
  identifiers: Set<string>,
): DataObjectLayout {
  const identifier = unique(classIdentifier(model.name), identifiers);
  const stem = unique(fileName(model.name), stems);
  const services = `modules/${folder}/${stem}`;
  const handlerStems = new Set<string>();
  const declared = new Set([identifier]);
  return {
    model,
    identifier,
    file: `schemas/${folder}/${stem}.ts`,
    generatedFile: `${GENERATED_FOLDER}/${folder}/${stem}.ts`,
    generatedContextsFile: `${GENERATED_FOLDER}/${folder}/contexts.ts`,
    readerName: `read${identifier}`,
    declaredReaderName: `${applyConvention(identifier, "camelCase")}Reader`,
    readerFile: `${services}/${stem}-reader.ts`,
    actions: model.actions.map((action) => {
      const name = actionIdentifier(classIdentifier(`${action.name}${identifier}`), declared, identifiers);
      return {
        model: action,
        identifier: name,
        handlerName: handlerName(name),
        declaredHandlerName: `${applyConvention(name, "camelCase")}Handler`,
        handlerFile: `${services}/${unique(`${fileName(action.name)}-${stem}`, handlerStems)}-handler.ts`,
      };
    }),
  };
}

/** The generated classes of an action's payloads. */
export const payloadNames = (identifier: string) => ({
  input: `${identifier}Input`,
  output: `${identifier}Output`,
  failure: `${identifier}Failure`,
});

/**
 * As `unique`, among the identifiers of the module; and apart from what the generated file of the data object declares: an
 * action `CreateInput` of the data object `Input` would be called like the input of its action `Create`.
 */
function actionIdentifier(wanted: string, declared: Set<string>, identifiers: Set<string>): string {
  const taken = new Set(identifiers);
  for (;;) {
    const name = unique(wanted, taken);
    const names = [name, ...Object.values(payloadNames(name))];
    if (names.some((each) => declared.has(each))) continue;
    for (const each of names) declared.add(each);
    identifiers.add(name);
    return name;
  }
}

function handlerName(identifier: string): string {
  const name = applyConvention(identifier, "camelCase");
  return isReserved(name) ? `${name}Action` : name;
}
