/** The files that reach a target system: definition, auth handler, API client, client helper, connection test. */
import type { AuthType, ConnectionModel, ConnectorModel } from "../../schemas/model/connector-model.js";
import { fileName } from "../../schemas/naming/identifiers.js";
import { lowerFirst } from "../../schemas/naming/words.js";
import type { GeneratedFile } from "../generated-file.js";
import { render } from "../render.js";
import { connectionNames, rootNames } from "../schema-modules/project-names.js";
import { propertyKey, stringLiteral } from "../typescript/literals.js";
import { AUTH_TYPE_FACTS, type NewProperty, type PropertiesRead, valuesOf } from "./auth-types.js";
import { servicesFile, servicesName } from "./module-scaffold.js";
import { namesOfModule } from "./planned-names.js";
import { apiClient, scaffoldFile } from "./scaffold.js";

/** What a connection is called, and where its parts stand. */
export interface ClientNames {
  readonly authType: AuthType;
  /** The definition key. */
  readonly key: string;
  /** The class as it is generated: two definitions may want one name. */
  readonly className: string;
  readonly generatedFile: string;
  readonly definitionFile: string;
  readonly handler: string;
  readonly handlerFile: string;
  /** The definition that is there already. */
  readonly definition: ConnectionModel | undefined;
  /** Names of the properties that the handler reads, where they are not those of the definition. */
  readonly reads?: PropertiesRead;
}

/** Placeholders: a check asks for the real addresses until they are there. */
const PRODUCTION = "https://api.example.com";
const TEST = "https://sandbox.example.com";

export const CLIENT_HELPER_FILE = "client/client-helper.ts";
export const CONNECTION_TEST_FILE = "connections/connection-test-handler.ts";
export const REGISTRATION_FILE = "registration.ts";

/** The names of a connection called `className`, new in `model` or there already. */
export function clientNames(model: ConnectorModel, authType: AuthType, className: string): ClientNames {
  const definition = model.connections.find((one) => one.className === className);
  const wanted: ConnectionModel = definition ?? {
    kind: "connection",
    className,
    key: lowerFirst(className),
    authType,
    type: "Standard",
    title: "",
    description: "",
    attributes: [],
    baseUrl: { kind: "none" },
  };
  const all = definition === undefined ? [...model.connections, wanted] : model.connections;
  const named = connectionNames({ ...model, connections: all }, rootNames()).find(
    (one) => one.model === wanted,
  );
  const file = fileName(className);
  return {
    authType,
    key: wanted.key,
    className: named?.identifier ?? className,
    generatedFile: `generated/${named?.file ?? `connections/${file}.ts`}`,
    definitionFile: `connections/${file}.ts`,
    handler: `${lowerFirst(className)}Handler`,
    handlerFile: `client/${file}-handler.ts`,
    definition,
  };
}

/** The scaffolds of a connection, those of all connections among them. */
export function clientFiles(names: ClientNames): readonly GeneratedFile[] {
  const definition = names.definition === undefined ? [definitionFile(names)] : [];
  return [
    ...definition,
    scaffoldFile(CONNECTION_TEST_FILE, render("connection-test-handler.ts", {})),
    apiClient(),
    handlerFile(names),
    scaffoldFile(CLIENT_HELPER_FILE, render("client-helper.ts", helperView(names))),
  ];
}

/** `registration.ts`, which joins the services of every module to the client. */
export function registrationFile(model: ConnectorModel): GeneratedFile {
  const modules = model.modules.map((module) => {
    const names = namesOfModule(model, module);
    const specifier = stringLiteral(`./${servicesFile(names).replace(/\.ts$/, ".js")}`);
    return { identifier: names.identifier, services: servicesName(names), specifier };
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
  const { lines, ...handler } = facts.handler;
  const view = {
    ...handler,
    className: names.className,
    classSpecifier: stringLiteral(`../${names.generatedFile.replace(/\.ts$/, ".js")}`),
    handler: names.handler,
    lines: lines(valuesOf(facts, names.definition, names.reads)),
  };
  return scaffoldFile(names.handlerFile, render("auth-handler.ts", view));
}

function helperView(names: ClientNames) {
  return {
    className: names.className,
    classSpecifier: stringLiteral(`../${names.generatedFile.replace(/\.ts$/, ".js")}`),
    handler: names.handler,
    handlerSpecifier: stringLiteral(`./${names.handlerFile.slice("client/".length).replace(/\.ts$/, ".js")}`),
    key: propertyKey(names.key),
  };
}
