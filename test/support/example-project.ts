/** The small project around an example of a rule: what the example does not define is as it should be. */
import type { RuleExample } from "../../schemas/diagnostics/examples/example.js";
import type { SourceFile } from "./author-projects.js";

const IMPORTS = `import {
  ConnectionEnvironment, defineAction, defineConfiguration, defineConnection, defineConnector, defineDataObject,
  defineModule, Nullable, StringEnum, type TSchema, Type,
} from "connectorcli";`;

const AUTH = `const Auth = defineConnection("ApiKeyAuth", {
  authType: "ApiKey",
  title: "API key",
  description: "",
  properties: { apiKey: Type.String({ title: "API key", description: "", isSensitive: true }) },
  baseUrl: "https://api.sites-platform.com",
});`;

/** The files of the project with `code` as its `part`. */
export function exampleProject(part: RuleExample["part"], code: string): readonly SourceFile[] {
  const isFile = /[./]/.test(part);
  const connector = {
    path: "connector.ts",
    content: connectorWith(isFile ? "properties" : part, isFile ? "" : code),
  };
  return isFile ? [connector, { path: part, content: code }] : [connector];
}

function connectorWith(part: RuleExample["part"], code: string): string {
  const site = `const Site = defineDataObject("Site", {
  id: Type.String({ description: "Identifier." }),
  ${part === "properties" ? code : ""}
}, { description: "A place where work is done.", primaryKey: { name: "id", properties: ["id"] } });`;
  const app = `const App = defineModule({
  name: "App", key: "app", version: 1, description: "All of it.", dataObjects: [Site],
  ${part === "action" ? "actions: [CreateSite]," : ""}
  ${part === "cache writer configuration" ? "cacheWriter: Writer," : ""}
});`;
  const connector = `export const connector = defineConnector({
  name: "Sites", key: "sites", description: "Places where work is done.", connections: [Auth], modules: [App],
  ${part === "registration configuration" ? "registrationConfiguration: Registration," : ""}
});`;
  return [
    IMPORTS,
    part === "object" ? code : site,
    part === "connection" ? code : AUTH,
    /action|configuration/.test(part) ? code : "",
    part === "module" ? code : app,
    part === "connector" ? code : connector,
    "export const used: unknown = [ConnectionEnvironment, defineAction, defineConfiguration, Nullable, StringEnum];",
    "export type Used = TSchema;",
  ].join("\n\n");
}
