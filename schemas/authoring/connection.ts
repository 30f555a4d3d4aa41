/** Connection definitions: what a user enters so that the connector can reach the target system (spec §2.1). */
import type { TOptional, TProperties, TSchema } from "@sinclair/typebox";
import type { Silence } from "../diagnostics/silences.js";
import { createDefinition, type Definition } from "./definition.js";

/** An address that is the same for all users: one, or one for each environment. */
export type ConnectionAddress =
  | string
  | {
      /** Address of the production system. */
      readonly Production: string;
      /** Address of the test system. */
      readonly Test: string;
    };

/** The base address of a connection (§2.1): one that is fixed, one for each environment, or the property that holds it. */
export type BaseUrl<Properties extends TProperties> =
  | ConnectionAddress
  | {
      /** Name in code of the property that holds the address. */
      readonly property: keyof Properties & string;
    };

/** How a connector signs in (§5.1). */
type AuthType = "ApiKey" | "Basic" | "OAuth2CodeFlow" | "OAuth2ClientCredentials" | "Custom";

/** A text, of any TypeBox type. */
type TextProperty = TSchema & { readonly static: string };

interface ClientCredentials {
  readonly clientId?: TextProperty;
  readonly clientSecret?: TextProperty;
  readonly tokenUrl?: TextProperty;
  readonly refreshUrl?: TextProperty;
  readonly scope?: TextProperty;
  readonly clientAuthentication?: TextProperty;
}

/** The interface that a definition of each auth type implements: members of OAuth 2 come by themselves (§2.1). */
interface AuthInterfaces {
  readonly ApiKey: { readonly apiKey: TextProperty };
  readonly Basic: { readonly username: TextProperty; readonly password: TextProperty };
  readonly OAuth2CodeFlow: ClientCredentials & {
    readonly authorizationUrl?: TextProperty;
    readonly refreshToken?: TextProperty;
  };
  readonly OAuth2ClientCredentials: ClientCredentials;
  readonly Custom: unknown;
}

/** The members that the user must fill in: those without a question mark, and the environment. */
type RequiredNames<Type extends AuthType> =
  | { ApiKey: "apiKey"; Basic: "username" | "password" }[Type & ("ApiKey" | "Basic")]
  | "connectionEnvironment";

/** Refuses a required member that is declared as optional. */
type NoneOptional<Properties, Names> = string extends keyof Properties
  ? unknown
  : {
      readonly [Name in Names & keyof Properties]: Properties[Name] extends TOptional<TSchema>
        ? never
        : unknown;
    };

/** Options of {@link defineConnection}. */
export interface ConnectionOptions<
  Properties extends TProperties = TProperties,
  Type extends AuthType = AuthType,
> {
  /** How the connector signs in; it decides which authentication handler is written (§5.1). */
  readonly authType: Type;
  /** Display name. */
  readonly title: string;
  /** May be empty. */
  readonly description: string;
  /**
   * What the user enters. Each property carries `title`, `description` and `isSensitive`; it is required unless
   * Type.Optional. Values of an enum property are made with OptionSet.
   *
   * The auth type asks for its own members: `apiKey` for ApiKey, `username` and `password` for Basic. Members of
   * OAuth 2, such as `clientId`, come by themselves; Custom asks for none.
   */
  readonly properties: Properties & AuthInterfaces[Type] & NoneOptional<Properties, RequiredNames<Type>>;
  /** Where the target system is. Environments bring the property `connectionEnvironment` with them. */
  readonly baseUrl?: BaseUrl<Properties>;
  /**
   * Where tokens are issued: https, or http on the own machine. Users are not asked for it then. For the two types of
   * OAuth 2. Environments bring the property `connectionEnvironment` with them.
   * @default what the user enters
   */
  readonly tokenUrl?: Type extends "OAuth2CodeFlow" | "OAuth2ClientCredentials" ? ConnectionAddress : never;
  /**
   * Where a user signs in and consents: https, or http on the own machine. Users are not asked for it then. For
   * OAuth2CodeFlow. Environments bring the property `connectionEnvironment` with them.
   * @default what the user enters
   */
  readonly authorizationUrl?: Type extends "OAuth2CodeFlow" ? ConnectionAddress : never;
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
export function defineConnection<Properties extends TProperties, Type extends AuthType>(
  name: string,
  options: ConnectionOptions<Properties, Type>,
): ConnectionDefinition {
  return createDefinition({ kind: "connection", name, options });
}
