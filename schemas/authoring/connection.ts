/** Connection definitions: what a user enters so that the connector can reach the target system (spec §2.1). */
import type { TProperties } from "@sinclair/typebox";
import { type Definition, defined } from "./definition.js";
import type { Silence } from "./silence.js";

/** One fixed address; one address an environment; or the property that holds the address. */
export type BaseUrl<Properties extends TProperties> =
  | string
  | { readonly Production: string; readonly Test: string }
  | { readonly property: keyof Properties & string };

export interface ConnectionOptions<Properties extends TProperties = TProperties> {
  readonly authType: "ApiKey" | "Basic" | "OAuth2CodeFlow" | "OAuth2ClientCredentials" | "Custom";
  readonly title: string;
  /** May be empty. */
  readonly description: string;
  /**
   * What the user enters. Each property carries `title`, `description` and `isSensitive`; it is required unless
   * Type.Optional. Values of an enum property are made with OptionSet.
   */
  readonly properties: Properties;
  /** Where the target system is. Environments bring the property `connectionEnvironment` with them. */
  readonly baseUrl?: BaseUrl<Properties>;
  /** The definition key; otherwise the name with its first letter lowered. */
  readonly key?: string;
  /** Findings of this definition that may stand, each with the reason. */
  readonly silence?: Silence;
}

export interface ConnectionDefinition<Properties extends TProperties = TProperties>
  extends Definition<"connection", ConnectionOptions<Properties>> {
  readonly name: string;
}

/** Any connection, where it does not matter which. */
export interface AnyConnection extends Definition<"connection", object> {
  readonly name: string;
}

/**
 * Defines a connection.
 *
 * @param name The name of its class, such as `ApiKeyAuth`.
 * @example
 * export const ApiKeyAuth = defineConnection("ApiKeyAuth", {
 *   authType: "ApiKey",
 *   title: "API key",
 *   description: "",
 *   properties: { apiKey: Type.String({ title: "API key", description: "", isSensitive: true }) },
 *   baseUrl: { Production: "https://api.company.com", Test: "https://sandbox.company.com" },
 * });
 */
export function defineConnection<Properties extends TProperties>(
  name: string,
  options: ConnectionOptions<Properties>,
): ConnectionDefinition<Properties> {
  return defined({ kind: "connection", name, options });
}
