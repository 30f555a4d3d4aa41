/** Connection definitions: what a user enters so that the connector can reach the target system (spec §2.1). */
import type { TProperties } from "@sinclair/typebox";
import type { Silence } from "../diagnostics/silences.js";
import { createDefinition, type Definition } from "./definition.js";

/** The base address of a connection (§2.1): one that is fixed, one for each environment, or the property that holds it. */
export type BaseUrl<Properties extends TProperties> =
  | string
  | {
      /** Address of the production system. */
      readonly Production: string;
      /** Address of the test system. */
      readonly Test: string;
    }
  | {
      /** Name in code of the property that holds the address. */
      readonly property: keyof Properties & string;
    };

/** Options of {@link defineConnection}. */
export interface ConnectionOptions<Properties extends TProperties = TProperties> {
  /** How the connector signs in; it decides which authentication handler is written (§5.1). */
  readonly authType: "ApiKey" | "Basic" | "OAuth2CodeFlow" | "OAuth2ClientCredentials" | "Custom";
  /** Display name. */
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
  /** The definition key. @default the name with its first letter lowered */
  readonly key?: string;
  /** Findings of this definition that may stand, each with the reason. */
  readonly silence?: Silence;
}

/** What {@link defineConnection} returns. */
export interface ConnectionDefinition extends Definition<"connection", object> {
  /** Name of the connection's class. */
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
): ConnectionDefinition {
  return createDefinition({ kind: "connection", name, options });
}
