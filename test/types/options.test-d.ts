/** Options of the define… functions: a misspelt or missing one does not compile. */
import {
  ConnectionEnvironment,
  defineAction,
  defineConfiguration,
  defineConnection,
  defineConnector,
  defineDataObject,
  defineModule,
  defineRegistrationConfiguration,
  defineServiceConfiguration,
  Nullable,
  Type,
} from "../../schemas/entries/vocabulary.js";

const properties = { id: Type.String() };
const object = { description: "", primaryKey: "id", properties } as const;
const Employee = defineDataObject("Employee", object);

// Data objects.
// @ts-expect-error no description
defineDataObject("A", { primaryKey: "id", properties });
// @ts-expect-error misspelt
defineDataObject("A", { ...object, alternatekeys: [] });
// @ts-expect-error no such convention
defineDataObject("A", { ...object, namingConvention: "camelcase" });
// @ts-expect-error no such reader
defineDataObject("A", { ...object, readerType: "delta" });
defineDataObject("A", { ...object, unknownMembers: "drop" });
// @ts-expect-error no such word
defineDataObject("A", { ...object, unknownMembers: "ignore" });
// @ts-expect-error no name
defineDataObject(object);
defineDataObject("A", { ...object, "x-own": [1] });

// Annotations.
Type.String({ writeOnly: true, jsonPropertyName: "a", isSensitive: false });
// @ts-expect-error no boolean
Type.String({ writeOnly: "yes" });
// @ts-expect-error no text
Type.String({ jsonPropertyName: 1 });

// Actions.
const action = { dataObject: Employee, description: "" };
defineAction("Create", { ...action, input: Type.Omit(Employee.schema, ["id"]) });
// @ts-expect-error no description
defineAction("Create", { dataObject: Employee });
// @ts-expect-error no data object
defineAction("Create", { description: "" });
// @ts-expect-error misspelt
defineAction("Create", { ...action, inputs: Employee.schema });
// @ts-expect-error properties are no schema
defineAction("Create", { ...action, input: properties });
// @ts-expect-error a schema is no data object
defineAction("Create", { ...action, dataObject: Employee.schema });

// Connections.
const text = Type.String({ title: "", description: "" });
const attributes = { apiKey: text, apiUrl: text };
const connection = { authType: "ApiKey", title: "", description: "", properties: attributes } as const;
const Auth = defineConnection("A", { ...connection, baseUrl: "https://api.company.com" });
defineConnection("A", { ...connection, baseUrl: { property: "apiUrl" } });
// @ts-expect-error names no property
defineConnection("A", { ...connection, baseUrl: { property: "apiURL" } });
// @ts-expect-error an environment without its address
defineConnection("A", { ...connection, baseUrl: { Production: "https://api.company.com" } });
// @ts-expect-error no such auth type
defineConnection("A", { ...connection, authType: "Apikey" });
// @ts-expect-error misspelt
defineConnection("A", { ...connection, baseURL: "https://api.company.com" });
// @ts-expect-error no title
defineConnection("A", { authType: "ApiKey", description: "", properties: attributes });

// What an auth type signs in with.
const of = { title: "", description: "" };
defineConnection("A", { ...of, authType: "Basic", properties: { username: text, password: text } });
defineConnection("A", { ...of, authType: "Custom", properties: { token: Type.Optional(text) } });
defineConnection("A", { ...of, authType: "OAuth2ClientCredentials", properties: {} });
defineConnection("A", { ...of, authType: "OAuth2CodeFlow", properties: { scope: Type.Optional(text) } });
// @ts-expect-error no key
defineConnection("A", { ...of, authType: "ApiKey", properties: { foo: text } });
// @ts-expect-error no password
defineConnection("A", { ...of, authType: "Basic", properties: { username: text } });
// @ts-expect-error no text
defineConnection("A", { ...of, authType: "ApiKey", properties: { apiKey: Type.Integer() } });
// @ts-expect-error may be null
defineConnection("A", { ...of, authType: "ApiKey", properties: { apiKey: Nullable(text) } });
// @ts-expect-error may be left out
defineConnection("A", { ...of, authType: "ApiKey", properties: { apiKey: Type.Optional(text) } });
// @ts-expect-error no text
defineConnection("A", { ...of, authType: "OAuth2CodeFlow", properties: { clientId: Type.Integer() } });

// Addresses for tokens, of the types of OAuth 2.
const tokenUrl = "https://login.company.com/token";
defineConnection("A", { ...of, authType: "OAuth2ClientCredentials", properties: {}, tokenUrl });
const both = { tokenUrl, authorizationUrl: { Production: tokenUrl, Test: tokenUrl } };
defineConnection("A", { ...of, authType: "OAuth2CodeFlow", properties: {}, ...both });
// @ts-expect-error nobody signs in
defineConnection("A", { ...of, authType: "OAuth2ClientCredentials", properties: {}, ...both });
// @ts-expect-error asks for no token
defineConnection("A", { ...connection, tokenUrl });
const ofProperty = { tokenUrl: { property: "scope" } };
// @ts-expect-error what the user enters is tokenUrl already
defineConnection("A", { ...of, authType: "OAuth2CodeFlow", properties: { scope: text }, ...ofProperty });

// The environment.
const environments = { Production: "https://api.company.com", Test: "https://test.company.com" };
const chosen = { ...attributes, connectionEnvironment: ConnectionEnvironment({ title: "System" }) };
defineConnection("A", { ...connection, properties: chosen, baseUrl: environments });
const left = { ...attributes, connectionEnvironment: Type.Optional(ConnectionEnvironment()) };
// @ts-expect-error may be left out
defineConnection("A", { ...connection, properties: left, baseUrl: environments });
// @ts-expect-error a third one
defineConnection("A", { ...connection, baseUrl: { ...environments, Staging: "https://s.company.com" } });

// Configurations: each kind takes its own options, and stands in its own place.
const level = { level: Type.Integer() };
const Settings = defineRegistrationConfiguration("Settings", { title: "", properties: level });
const Writer = defineServiceConfiguration("Writer", { complete: true, serviceName: "", properties: level });
// @ts-expect-error misspelt
defineRegistrationConfiguration("Settings", { titel: "", properties: level });
// @ts-expect-error only a service has a name
defineRegistrationConfiguration("Settings", { serviceName: "", properties: level });
// @ts-expect-error only switches can be complete
defineRegistrationConfiguration("Settings", { complete: true, properties: level });
// @ts-expect-error no properties
defineServiceConfiguration("Writer", { complete: true });

// Modules, connectors.
const module = { key: "app", version: 1, description: "", dataObjects: [Employee] };
const App = defineModule("App", { ...module, title: "The App", cacheWriter: Writer });
// @ts-expect-error no version
defineModule("App", { key: "app", description: "", dataObjects: [] });
// @ts-expect-error a schema is no configuration
defineModule("App", { ...module, cacheWriter: Type.Object({}) });
// @ts-expect-error the settings of a workspace configure no service
defineModule("App", { ...module, cacheWriter: Settings });
// @ts-expect-error misspelt
defineModule("App", { ...module, cachewriter: Writer });
const connector = { key: "a", description: "", connections: [Auth], modules: [App] };
defineConnector("Company", { ...connector, title: "The Company", registrationConfiguration: Settings });
// @ts-expect-error no key
defineConnector("Company", { description: "", connections: [], modules: [] });
// @ts-expect-error a data object is no module
defineConnector("Company", { ...connector, modules: [Employee] });
// @ts-expect-error a service's configuration holds no settings of a workspace
defineConnector("Company", { ...connector, registrationConfiguration: Writer });
// @ts-expect-error misspelt
defineConnector("Company", { ...connector, registrationconfiguration: Settings });

// Calls of the older shape.
const shape = { id: Type.String() };
const key = { name: "id", properties: ["id"] } as const;
// @ts-expect-error properties and options apart
defineDataObject("A", shape, { description: "", primaryKey: key });
// @ts-expect-error the data object first
defineAction(Employee, "Create", { description: "" });
// @ts-expect-error the name among the options
defineModule({ ...module, name: "App" });
// @ts-expect-error the name among the options
defineConnector({ ...connector, name: "Company" });
// @ts-expect-error one word for two kinds
defineConfiguration(level);
// @ts-expect-error one word for two kinds
defineConfiguration(level, { title: "" });
