/**
 * The examples of rules: each shows one part of a small connector of sites, wrong and right. All code in the authoring
 * vocabulary that examples share stands here.
 */
import type { ExamplePart, RuleExample } from "./rule.js";

const ID = 'id: Type.String({ description: "Identifier." }),';
const NUMBER = 'number: Type.String({ description: "Number, unique in its company." }),';
const KEY = 'primaryKey: "id",';
/** What people read of a connection property. */
export const TITLED = 'title: "API key", description: ""';
const API_KEY = `apiKey: Type.String({ ${TITLED}, isSensitive: true })`;

/** Examples that differ in one place of the code of a part. */
function examplesOf(part: ExamplePart, code: (different: string) => string) {
  return (wrong: string, right: string): RuleExample => ({ part, wrong: code(wrong), right: code(right) });
}

/** Examples that differ in properties of `Site`. */
export const propertyExample = examplesOf("properties", (properties) => properties);

/** In the silences of a property. */
export const silenceExample = examplesOf(
  "properties",
  (silences) => `officeEmail: Type.String({
  description: "Address of the office.",
  silence: { ${silences} },
}),`,
);

/** In the keys of `Site`, which has the properties `id` and `number`. */
export const keysExample = examplesOf("object", (keys) => siteCode(`${ID}\n  ${NUMBER}`, keys));

/** In the property that the key of `Site` names. */
export const keyPropertyExample = examplesOf("object", (property) => siteCode(property, KEY));

/** In an option of `Site`. */
export const siteOptionExample = examplesOf("object", (option) => siteCode(ID, `${KEY}\n  ${option}`));

/** In an option of an action. */
export const actionExample = examplesOf(
  "action",
  (option) => `const CreateSite = defineAction("Create", {
  dataObject: Site,
  description: "Opens a site.",
  ${option}
});`,
);

/** In the version of a module, and in what stands beside it. */
export const moduleVersionExample = examplesOf("module", (version) => moduleCode('key: "app",', version));

/** In the key of a module. */
export const moduleKeyExample = examplesOf("module", (key) => moduleCode(key, "version: 1,"));

/** In the name of a second data object; names are given with their quotes. */
export const objectNameExample = examplesOf(
  "module",
  (name) => `const Other = defineDataObject(${name}, {
  description: "What is built on a site.",
  ${KEY}
  properties: { ${ID} },
});
const App = defineModule("App", {
  key: "app", version: 1, description: "All of it.",
  dataObjects: [Site, Other],
});`,
);

/** In an option of a second data object beside `Site`. */
export const secondObjectExample = examplesOf(
  "module",
  (option) => `const Building = defineDataObject("Building", {
  description: "What is built on a site.",
  ${option}
  ${KEY}
  properties: { ${ID} },
});
const App = defineModule("App", {
  key: "app", version: 1, description: "All of it.",
  dataObjects: [Site, Building],
});`,
);

/** In the name of an action of `MainSite`, beside the action `CreateMain` of `Site`. */
export const actionNameExample = examplesOf(
  "module",
  (name) => `const MainSite = defineDataObject("MainSite", {
  description: "Where the company sits.",
  ${KEY}
  properties: { ${ID} },
});
const CreateMain = defineAction("CreateMain", { dataObject: Site, description: "Opens a main site." });
const OpenMainSite = defineAction(${name}, { dataObject: MainSite, description: "Opens the main site." });
const App = defineModule("App", {
  key: "app", version: 1, description: "All of it.",
  dataObjects: [Site, MainSite],
  actions: [CreateMain, OpenMainSite],
});`,
);

/** In the auth type of a connection. */
export const authTypeExample = examplesOf("connection", (authType) => connectionCode({ authType }));

/** In the options of a connection property. */
export const connectionPropertyExample = examplesOf("connection", (options) =>
  connectionCode({ properties: `properties: { apiKey: Type.String({ ${options} }) },` }),
);

/** In the properties of a connection. */
export const connectionPropertiesExample = examplesOf("connection", (properties) =>
  connectionCode({ properties: `properties: { ${properties} },` }),
);

/** In the environment of a connection. */
export const environmentExample = examplesOf("connection", (environment) =>
  connectionCode({
    properties: `properties: {
    ${API_KEY},
    connectionEnvironment: ${environment},
  },`,
    baseUrl:
      'baseUrl: { Production: "https://api.sites-platform.com", Test: "https://test.sites-platform.com" },',
  }),
);

/** In the base address of a connection. */
export const baseUrlExample = examplesOf("connection", (baseUrl) => connectionCode({ baseUrl }));

/** In a connection of OAuth 2 that says where tokens are issued. */
export const tokenUrlExample = examplesOf("connection", (properties) =>
  connectionCode({
    authType: 'authType: "OAuth2ClientCredentials",',
    properties,
    baseUrl: `baseUrl: "https://api.sites-platform.com",
  tokenUrl: "https://login.sites-platform.com/token",`,
  }),
);

/** In the base address of a connection whose users choose an environment. */
export const environmentsExample = examplesOf("connection", (baseUrl) =>
  connectionCode({
    properties: `properties: {
    ${API_KEY},
    connectionEnvironment: ConnectionEnvironment(),
  },`,
    baseUrl,
  }),
);

/** In a property of the registration configuration. */
export const registrationExample = examplesOf("registration configuration", registrationCode);

/** In the name of a property of the registration configuration. */
export const settingExample = examplesOf("registration configuration", (name) =>
  registrationCode(`${name}: Type.String({ title: "Setting", description: "What the workspace wants." }),`),
);

/** In the options of the cache writer's configuration. */
export const cacheWriterExample = examplesOf(
  "cache writer configuration",
  (options) => `const Writer = defineServiceConfiguration("CacheWriterConfiguration", {
  ${options}
});`,
);

/** In the list of a connector's connections. */
export const connectionsExample = examplesOf(
  "connector",
  (connections) => `export const connector = defineConnector("Sites", {
  key: "sites",
  description: "Places where work is done.",
  connections: ${connections},
  modules: [App],
});`,
);

/** In statements of the API client. */
export const clientExample = examplesOf("client/api-client.ts", (statements) => statements);

/** In the body of a reader. */
export const readerExample = examplesOf(
  "modules/app/site/site-reader.ts",
  (body) => `export async function* readSites({ client, log, record }) {
${body}
}`,
);

/** In the module of a reader. */
export const readerModuleExample = examplesOf("modules/app/site/site-reader.ts", (module) => module);

/** In members of a declared reader of `Site`. */
export const declaredReaderExample = examplesOf("modules/app/site/site-reader.ts", (members) =>
  declaredCode({ members }),
);

/** In the pages of a declared reader of `Site`. */
export const declaredPagesExample = examplesOf("modules/app/site/site-reader.ts", (pages) =>
  declaredCode({ pages }),
);

/** In members of a declared reader of `Visit`, which is read incrementally. */
export const declaredChangesExample = examplesOf("modules/app/site/site-reader.ts", (members) =>
  declaredCode({ object: "Visit", members }),
);

/** In the list of a second declared reader. */
export const declaredListExample = examplesOf(
  "modules/app/site/site-reader.ts",
  (list) => `${declaredCode({})}
${declaredCode({ object: "Building", list })}`,
);

/** In members of a declared handler. */
export const declaredHandlerExample = examplesOf(
  "modules/app/site/create-site-handler.ts",
  (members) => `export const createSiteHandler = defineHandler(CreateSite, {
  call: "POST /sites",
  record: "$",
  change: "upsert",${lineOf(members)}
});`,
);

/** In the module of a handler. */
export const handlerExample = examplesOf("modules/app/site/create-site-handler.ts", (module) => module);

/** In the severities of package.json. */
export const severitiesExample = examplesOf(
  "package.json",
  (severities) => `{ "connectorcli": { "severities": { ${severities} } } }`,
);

/** The definition of `Site` with a property beside its identifier. */
export function siteWithProperty(property: string): string {
  return siteCode(`${ID}\n  ${property}`, KEY);
}

function siteCode(properties: string, options: string): string {
  return `const Site = defineDataObject("Site", {
  description: "A place where work is done.",${lineOf(options)}
  properties: {
    ${properties.replaceAll("\n  ", "\n    ")}
  },
});`;
}

function registrationCode(property: string): string {
  return `const Registration = defineRegistrationConfiguration("RegistrationConfiguration", {
  properties: {
    ${property}
  },
});`;
}

function moduleCode(key: string, version: string): string {
  return `const App = defineModule("App", {
  ${key}
  ${version}
  description: "All of it.",
  dataObjects: [Site],
});`;
}

function declaredCode({
  object = "Site",
  list = '"GET /sites"',
  pages = '{ kind: "linkHeader", size: { send: "limit", value: 100 } }',
  members = "",
}): string {
  return `export const ${object.toLowerCase()}Reader = defineReader(${object}, {
  list: ${list},
  items: "data",
  pages: ${pages},${lineOf(members)}
});`;
}

function connectionCode({
  authType = 'authType: "ApiKey",',
  properties = `properties: { ${API_KEY} },`,
  baseUrl = 'baseUrl: "https://api.sites-platform.com",',
}): string {
  return `const Auth = defineConnection("ApiKeyAuth", {
  ${authType}
  title: "API key",
  description: "",
  ${properties}${lineOf(baseUrl)}
});`;
}

function lineOf(code: string): string {
  return code === "" ? "" : `\n  ${code}`;
}
