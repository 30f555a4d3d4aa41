/** Sources of small connectors, as text, for tests that change one thing about them. */
import type { RuleExample } from "../../schemas/diagnostics/rules/rule.js";
import type { SourceFile } from "./author-project.js";

export interface SmallConnector {
  /** Code of the object's properties. */
  readonly properties?: string;
  /** Code of the object's options but the properties. */
  readonly options?: string;
  /** Code before the definitions. */
  readonly before?: string;
}

/** `connector.ts` of a connector that has nothing wrong with it, but for what is given. */
export function smallConnector({ properties, options, before = "" }: SmallConnector = {}): string {
  return `import { defineConnection, defineConnector, defineDataObject, defineModule, Nullable, Type } from "connectorcli";
${before}
const Site = defineDataObject("Site", {
  ${options ?? 'description: "A place where work is done.",\n  primaryKey: "id",'}
  properties: {
  ${properties ?? 'id: Type.String({ description: "Identifier in the target system." }),'}
  },
});

const Auth = defineConnection("ApiKeyAuth", {
  authType: "ApiKey",
  title: "API key",
  description: "",
  properties: { apiKey: Type.String({ title: "API key", description: "", isSensitive: true }) },
  baseUrl: "https://api.sites-platform.com",
});

export const connector = defineConnector("Sites", {
  key: "sites",
  description: "Places where work is done.",
  connections: [Auth],
  modules: [defineModule("App", { key: "app", version: 1, description: "All of it.", dataObjects: [Site] })],
});

export { Nullable };
`;
}

const MEMBERS = 15;

/** The files of a project with `count` data objects and one more. */
export function manyObjects(count: number): Readonly<Record<string, string>> {
  const names = Array.from({ length: count }, (_, index) => `Thing${index}`);
  const modules = names.map((name) => [`schemas/app/${name.toLowerCase()}.ts`, objectModule(name)] as const);
  const imports = names.map((name) => `import { ${name} } from "./schemas/app/${name.toLowerCase()}.js";`);
  const connector = smallConnector({ before: imports.join("\n") });
  return {
    ...Object.fromEntries(modules),
    "connector.ts": connector.replace("dataObjects: [Site]", `dataObjects: [Site, ${names.join(", ")}]`),
  };
}

function objectModule(name: string): string {
  const properties = Array.from(
    { length: MEMBERS },
    (_, index) =>
      `  member${index}: Nullable(Type.String({ description: "What it says of it.", maxLength: 99 })),`,
  );
  return `import { defineDataObject, Nullable, Type } from "connectorcli";
export const ${name} = defineDataObject("${name}", {
  description: "A thing of the company.",
  primaryKey: "id",
  properties: {
    id: Type.String({ description: "What it is known by." }),
${properties.join("\n")}
  },
});
`;
}

const IMPORTS = `import {
  ConnectionEnvironment, defineAction, defineConnection, defineConnector, defineDataObject,
  defineModule, defineRegistrationConfiguration, defineServiceConfiguration, Nullable, StringEnum, type TSchema, Type,
} from "connectorcli";`;

const AUTH = `const Auth = defineConnection("ApiKeyAuth", {
  authType: "ApiKey",
  title: "API key",
  description: "",
  properties: { apiKey: Type.String({ title: "API key", description: "", isSensitive: true }) },
  baseUrl: "https://api.sites-platform.com",
});`;

/** Beside `Site`, for examples of code: an incremental data object, another one, an action, a setting of the workspace. */
const FOR_CODE = `const Visit = defineDataObject("Visit", {
  description: "A visit to a site.",
  readerType: "incremental",
  primaryKey: "id",
  properties: {
    id: Type.String({ description: "Identifier." }),
    changedOn: Type.String({ description: "When it was changed." }),
    deletedOn: Type.Optional(Type.String({ description: "When it was deleted." })),
  },
});

const Building = defineDataObject("Building", {
  description: "What is built on a site.",
  primaryKey: "id",
  properties: { id: Type.String({ description: "Identifier." }) },
});

const CreateSite = defineAction("Create", { dataObject: Site, description: "Opens a site." });

const Registration = defineRegistrationConfiguration("RegistrationConfiguration", {
  properties: { siteStatus: Type.String({ title: "Status", description: "Which sites the workspace wants." }) },
});`;

/** The files of the project with `code` as its `part`. */
export function exampleProject(part: RuleExample["part"], code: string): readonly SourceFile[] {
  const isFile = /[./]/.test(part);
  const connector = {
    path: "connector.ts",
    content: connectorWith(part, isFile ? "" : code),
  };
  return isFile ? [connector, { path: part, content: code }] : [connector];
}

function connectorWith(part: RuleExample["part"], code: string): string {
  const site = `const Site = defineDataObject("Site", {
  description: "A place where work is done.",
  primaryKey: "id",
  properties: {
    id: Type.String({ description: "Identifier." }),
    ${part === "properties" ? code : ""}
  },
});`;
  const isFile = /[./]/.test(part);
  const app = `const App = defineModule("App", {
  key: "app", version: 1, description: "All of it.", dataObjects: [Site${isFile ? ", Visit, Building" : ""}],
  ${isFile || part === "action" ? "actions: [CreateSite]," : ""}
  ${part === "cache writer configuration" ? "cacheWriter: Writer," : ""}
});`;
  const connector = `export const connector = defineConnector("Sites", {
  key: "sites", description: "Places where work is done.", connections: [Auth], modules: [App],
  ${isFile || part === "registration configuration" ? "registrationConfiguration: Registration," : ""}
});`;
  return [
    IMPORTS,
    part === "object" ? code : site,
    part === "connection" ? code : AUTH,
    isFile ? FOR_CODE : /action|configuration/.test(part) ? code : "",
    part === "module" ? code : app,
    part === "connector" ? code : connector,
    "export const used: unknown = [ConnectionEnvironment, defineAction, Nullable, StringEnum, defineRegistrationConfiguration,\n  defineServiceConfiguration];",
    "export type Used = TSchema;",
  ].join("\n\n");
}
