/** A connector of one object, for tests that change one thing about it. */

export interface SmallConnector {
  /** Code of the object's properties. */
  readonly properties?: string;
  /** Code of the object's options. */
  readonly options?: string;
  /** Code before the definitions. */
  readonly before?: string;
}

/** `connector.ts` of a connector that has nothing wrong with it, but for what is given. */
export function smallConnector({ properties, options, before = "" }: SmallConnector = {}): string {
  return `import { defineConnection, defineConnector, defineDataObject, defineModule, Nullable, Type } from "connectorcli";
${before}
const Site = defineDataObject("Site", {
  ${properties ?? 'id: Type.String({ description: "Identifier in the target system." }),'}
}, {
  ${options ?? 'description: "A place where work is done.",\n  primaryKey: { name: "id", properties: ["id"] },'}
});

const Auth = defineConnection("ApiKeyAuth", {
  authType: "ApiKey",
  title: "API key",
  description: "",
  properties: { apiKey: Type.String({ title: "API key", description: "", isSensitive: true }) },
  baseUrl: "https://api.sites-platform.com",
});

export const connector = defineConnector({
  name: "Sites",
  key: "sites",
  description: "Places where work is done.",
  connections: [Auth],
  modules: [defineModule({ name: "App", key: "app", version: 1, description: "All of it.", dataObjects: [Site] })],
});

export { Nullable };
`;
}
