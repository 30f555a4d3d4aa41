/** A new client: everything that reaches the target system with one auth type, and the lines that join it to the rest. */

import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type {
  AuthType,
  BaseUrlModel,
  ConnectionModel,
  ConnectorModel,
} from "../../schemas/model/connector-model.js";
import { lowerFirst } from "../../schemas/naming/words.js";
import type { GeneratedFile } from "../generated-file.js";
import {
  CLIENT_HELPER_FILE,
  CONNECTION_TEST_FILE,
  type DataObjectLayout,
  type ModuleLayout,
  projectLayout,
  REGISTRATION_FILE,
} from "../layout.js";
import { render } from "../render.js";
import {
  addProperty,
  appendElement,
  type Edit,
  importedName,
  locate,
  type SourceFiles,
} from "../source-edits/index.js";
import { propertyKey, stringLiteral } from "../typescript/literals.js";
import {
  AUTH_TYPE_FACTS,
  type HandlerFacts,
  type NewProperty,
  type PropertiesRead,
  valuesOf,
} from "./auth-types.js";
import { declaredHandler } from "./handler-scaffold.js";
import { plannedList } from "./list-request.js";
import { declaredReader } from "./reader-scaffold.js";
import {
  apiClient,
  changedFiles,
  namesOfModule,
  problemsOf,
  rootModule,
  type Scaffold,
  type ScaffoldSource,
  scaffoldFile,
  specifierIn,
} from "./scaffold.js";
import { registerService, servicesScaffold } from "./services-scaffold.js";

/** What a new client is made from. */
export interface NewClient {
  /** How the client signs in (§5.1). */
  readonly authType: AuthType;
  /** The class name of the definition. @default the definition of this auth type that exists, or the usual name */
  readonly name: string | undefined;
}

/** The names of the wanted connection, or a sentence that says why there can be none. */
export function namesOfClient(model: ConnectorModel, { authType, name }: NewClient): ClientNames | string {
  const { className: usual } = AUTH_TYPE_FACTS[authType];
  const ofType = model.connections.filter((connection) => connection.authType === authType);
  const present = ofType.find((connection) => connection.name === usual) ?? ofType[0];
  const className = name ?? present?.name ?? usual;
  const same = model.connections.find((connection) => connection.name === className);
  if (same !== undefined && same.authType !== authType)
    return `The connection "${className}" has the auth type ${same.authType}. Choose another --name.`;
  const names = clientNames(model, authType, className);
  const sameKey = model.connections.find(({ key }) => key === names.key);
  if (sameKey !== undefined && sameKey !== names.definition)
    return `The definition key "${names.key}" belongs to "${sameKey.name}". Choose another --name.`;
  return names;
}

/** The files of a client. Files that exist are kept; only lists in them get a new line. */
export function clientScaffold(names: ClientNames, source: ScaffoldSource): Scaffold {
  const { model, files } = source;
  const problems = editForClient(files, names);
  const isJoined = files.text(REGISTRATION_FILE) !== undefined;
  const services = isJoined ? { files: [], diagnostics: [] } : missingServices(source);
  const changed = changedFiles(files.changes());
  const edited = new Set(changed.map(({ path }) => path));
  const scaffolds = [...clientFiles(names), registrationFile(model), ...services.files];
  return {
    files: [...scaffolds.filter(({ path }) => !edited.has(path)), ...changed],
    diagnostics: [...problems, ...services.diagnostics],
  };
}

/** Adds readers and handlers to every module that has no services. The lists are edits of `files`; new files are returned. */
export function missingServices({ model, files }: ScaffoldSource): Scaffold {
  const missing = model.modules
    .map((module) => namesOfModule(model, module))
    .filter((names) => files.text(names.servicesFile) === undefined);
  const made = missing.map((names) => servicesOf(names, { model, files }));
  return {
    files: made.flatMap((scaffold) => scaffold.files),
    diagnostics: made.flatMap(({ diagnostics }) => diagnostics),
  };
}

function servicesOf(names: ModuleLayout, source: ScaffoldSource): Scaffold {
  const { files } = source;
  files.set(names.servicesFile, servicesScaffold(names).content);
  const parts = names.objects.flatMap((object) => partsOf(object, names, source));
  const diagnostics = parts.flatMap(({ file, ...service }): readonly Diagnostic[] =>
    registerService(files, names, { ...service, file: file.path }),
  );
  return { files: parts.map(({ file }) => file), diagnostics };
}

interface Part {
  readonly list: "readers" | "handlers";
  readonly key: string;
  readonly name: string;
  readonly file: GeneratedFile;
}

function partsOf(object: DataObjectLayout, module: ModuleLayout, source: ScaffoldSource): readonly Part[] {
  const { identifier, declaredReaderName, model } = object;
  const list = plannedList(model.name, {}, module, source);
  const reader = declaredReader(object, model.readerType, { list, module, files: source.files });
  return [
    { list: "readers", key: identifier, name: declaredReaderName, file: reader },
    ...object.actions.map((action): Part => {
      const file = declaredHandler(object, action);
      return { list: "handlers", key: action.identifier, name: action.declaredHandlerName, file };
    }),
  ];
}

/** The names of a connection and the files of its parts. */
export interface ClientNames {
  readonly authType: AuthType;
  /** The definition key. */
  readonly key: string;
  /** The generated class. It differs from the definition's name if two definitions have one name. */
  readonly className: string;
  readonly generatedFile: string;
  readonly definitionFile: string;
  readonly handler: string;
  readonly handlerFile: string;
  /** The definition in the model; undefined for a new connection. */
  readonly definition: ConnectionModel | undefined;
  /** Names of the properties that the handler reads if they are not those of the definition. */
  readonly reads?: PropertiesRead;
  /** How the handler signs, if that is known. @default as is usual for the auth type */
  readonly signs?: HandlerFacts;
  /** What the connection test calls. @default a placeholder */
  readonly testCall?: TestCall;
}

/** A read of the target system, as code: its members read `connection`. */
export interface TestCall {
  /** An expression. */
  readonly path: string;
  /** Members of the options, each with a comma and a space behind it. */
  readonly options: string;
}

/** Placeholders. `check` reports them until the author replaces them. */
const PRODUCTION = "https://api.example.com";
const TEST = "https://sandbox.example.com";

/** Whether the addresses are those of a scaffold, which nobody has replaced. */
export function isPlaceholder(baseUrl: BaseUrlModel): boolean {
  return baseUrl.kind === "environment" && baseUrl.production === PRODUCTION && baseUrl.test === TEST;
}

/** The names of the connection `className`, which may be new in `model`. */
export function clientNames(model: ConnectorModel, authType: AuthType, className: string): ClientNames {
  const definition = model.connections.find((connection) => connection.name === className);
  const wanted: ConnectionModel = definition ?? {
    kind: "connection",
    name: className,
    key: lowerFirst(className),
    authType,
    type: "Standard",
    title: "",
    description: "",
    attributes: [],
    baseUrl: { kind: "none" },
    tokenUrl: { kind: "none" },
    authorizationUrl: { kind: "none" },
  };
  const all = definition === undefined ? [...model.connections, wanted] : model.connections;
  const layout = projectLayout({ ...model, connections: all }).connections.find(
    (connection) => connection.model === wanted,
  );
  if (layout === undefined) throw new Error("The connection is not in the layout that it was put into.");
  return {
    authType,
    key: wanted.key,
    className: layout.identifier,
    generatedFile: layout.generatedFile,
    definitionFile: layout.file,
    handler: layout.handlerName,
    handlerFile: layout.handlerFile,
    definition,
  };
}

function testView({ path, options }: TestCall = { path: stringLiteral("projects"), options: "" }) {
  return { path, options, readsConnection: `${path}${options}`.includes("connection.") };
}

/** The scaffolds of a connection, with those that all connections share. */
export function clientFiles(names: ClientNames): readonly GeneratedFile[] {
  const definition = names.definition === undefined ? [definitionFile(names)] : [];
  return [
    ...definition,
    scaffoldFile(CONNECTION_TEST_FILE, render("connection-test-handler.ts", testView(names.testCall))),
    apiClient(),
    handlerFile(names),
    scaffoldFile(CLIENT_HELPER_FILE, render("client-helper.ts", helperView(names))),
  ];
}

/** `registration.ts`, which joins the services of every module to the client. */
export function registrationFile(model: ConnectorModel): GeneratedFile {
  const modules = model.modules.map((module) => {
    const names = namesOfModule(model, module);
    const specifier = specifierIn(REGISTRATION_FILE, names.servicesFile);
    return { identifier: names.identifier, services: names.servicesName, specifier };
  });
  const entries = modules.map(({ identifier, services }) => `${identifier}: ${services}`).join(", ");
  return scaffoldFile(REGISTRATION_FILE, render("author-registration.ts", { modules, entries }));
}

function definitionFile({ authType, className, definitionFile: path }: ClientNames): GeneratedFile {
  const { title, properties } = AUTH_TYPE_FACTS[authType];
  const view = {
    className,
    classText: stringLiteral(className),
    authType: stringLiteral(authType),
    title: stringLiteral(title),
    description: stringLiteral(""),
    properties: properties.map(propertyCode),
    isCodeFlow: authType === "OAuth2CodeFlow",
    production: stringLiteral(PRODUCTION),
    test: stringLiteral(TEST),
  };
  return scaffoldFile(path, render("connection-definition.ts", view));
}

function propertyCode({ name, title, isSensitive }: NewProperty): string {
  return `${name}: Type.String({ title: ${stringLiteral(title)}, description: "", isSensitive: ${isSensitive} })`;
}

function handlerFile(names: ClientNames): GeneratedFile {
  const facts = AUTH_TYPE_FACTS[names.authType];
  const { lines, ...handler } = names.signs ?? facts.handler;
  const view = {
    ...handler,
    className: names.className,
    classSpecifier: specifierIn(names.handlerFile, names.generatedFile),
    handler: names.handler,
    lines: lines(valuesOf(facts, names.definition, names.reads)),
  };
  return scaffoldFile(names.handlerFile, render("auth-handler.ts", view));
}

function helperView(names: ClientNames) {
  return {
    className: names.className,
    classSpecifier: specifierIn(CLIENT_HELPER_FILE, names.generatedFile),
    handler: names.handler,
    handlerSpecifier: specifierIn(CLIENT_HELPER_FILE, names.handlerFile),
    key: propertyKey(names.key),
  };
}

/** Edits `files` for the connection. The findings name what has to be written by hand. */
export function editForClient(files: SourceFiles, names: ClientNames): readonly Diagnostic[] {
  const listing = names.definition === undefined ? [listingEdit(files, names)] : [];
  return problemsOf([...listing, ...helperEdits(files, names)]);
}

function listingEdit(files: SourceFiles, { className, definitionFile }: ClientNames): Edit {
  const place = { start: { file: rootModule(files), call: "defineConnector" }, steps: [1, "connections"] };
  return appendElement(files, place, importedName(className, { file: definitionFile }));
}

/** Nothing to edit if there is no helper yet: it is a new file then. */
function helperEdits(files: SourceFiles, names: ClientNames): readonly Edit[] {
  if (files.text(CLIENT_HELPER_FILE) === undefined) return [];
  const start = { file: CLIENT_HELPER_FILE, call: "createClientHelper" };
  const steps = [0, "definitions"];
  if (locate(files, start, [...steps, names.key]).spot !== undefined) return [];
  const imports = [
    { name: "servicesOf", from: { package: "connectorcli/client" } },
    { name: names.className, from: { file: names.generatedFile } },
    { name: names.handler, from: { file: names.handlerFile } },
  ];
  const code = (services = "", type = "", handler = "") => `${services}(${type}, ${handler})`;
  return [addProperty(files, { start, steps }, names.key, { imports, code })];
}
