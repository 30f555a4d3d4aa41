/** Options of the define… functions: a misspelt or missing one does not compile. */
import {
  defineAction,
  defineConfiguration,
  defineConnection,
  defineConnector,
  defineDataObject,
  defineModule,
  Type,
} from "../../schemas/index.js";

const shape = { id: Type.String() };
const primaryKey = { name: "id", properties: ["id"] } as const;
const Employee = defineDataObject("Employee", shape, { description: "", primaryKey });

// Data objects.
// @ts-expect-error no description
defineDataObject("A", shape, { primaryKey });
// @ts-expect-error misspelt
defineDataObject("A", shape, { description: "", primaryKey, alternatekeys: [] });
// @ts-expect-error no such convention
defineDataObject("A", shape, { description: "", primaryKey, namingConvention: "camelcase" });
// @ts-expect-error no such reader
defineDataObject("A", shape, { description: "", primaryKey, readerType: "delta" });
defineDataObject("A", shape, { description: "", primaryKey, "x-own": [1] });

// Annotations.
Type.String({ writeOnly: true, jsonPropertyName: "a", isSensitive: false });
// @ts-expect-error no boolean
Type.String({ writeOnly: "yes" });
// @ts-expect-error no text
Type.String({ jsonPropertyName: 1 });

// Actions.
defineAction(Employee, "Create", { description: "", input: Type.Omit(Employee.schema, ["id"]) });
// @ts-expect-error no description
defineAction(Employee, "Create", {});
// @ts-expect-error misspelt
defineAction(Employee, "Create", { description: "", inputs: Employee.schema });
// @ts-expect-error properties are no schema
defineAction(Employee, "Create", { description: "", input: shape });
// @ts-expect-error a schema is no data object
defineAction(Employee.schema, "Create", { description: "" });

// Connections.
const properties = { apiUrl: Type.String({ title: "", description: "" }) };
const connection = { authType: "ApiKey", title: "", description: "", properties } as const;
defineConnection("A", { ...connection, baseUrl: "https://api.company.com" });
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
defineConnection("A", { authType: "ApiKey", description: "", properties });

// Configurations, modules, connectors.
const Configuration = defineConfiguration({ level: Type.Integer() }, { title: "" });
// @ts-expect-error misspelt
defineConfiguration({ level: Type.Integer() }, { titel: "" });
const module = { name: "App", key: "app", version: 1, description: "", dataObjects: [Employee] };
const App = defineModule({ ...module, cacheWriter: Configuration });
// @ts-expect-error no version
defineModule({ name: "App", key: "app", description: "", dataObjects: [] });
// @ts-expect-error a schema is no configuration
defineModule({ ...module, cacheWriter: Type.Object({}) });
// @ts-expect-error misspelt
defineModule({ ...module, cachewriter: Configuration });
const connector = { name: "A", key: "a", description: "", connections: [], modules: [App] };
defineConnector({ ...connector, registrationConfiguration: Configuration });
// @ts-expect-error no key
defineConnector({ name: "A", description: "", connections: [], modules: [] });
// @ts-expect-error a data object is no module
defineConnector({ ...connector, modules: [Employee] });
// @ts-expect-error misspelt
defineConnector({ ...connector, registrationconfiguration: Configuration });
