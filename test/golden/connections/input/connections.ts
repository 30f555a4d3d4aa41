/** One connection an auth type. */
import { ConnectionEnvironment, defineConnection, OptionSet, Type } from "connectorcli";

/** One fixed address. */
export const ApiKeyAuth = defineConnection("ApiKeyAuth", {
  authType: "ApiKey",
  title: "API key",
  description: "",
  properties: { apiKey: Type.String({ title: "API Key", description: "", isSensitive: true }) },
  baseUrl: "https://api.company.com/v1",
});

/** One address an environment: the property connectionEnvironment comes by itself, behind the others. */
export const BasicAuth = defineConnection("BasicAuth", {
  authType: "Basic",
  title: "User & password",
  description: "As for the web site.",
  properties: {
    username: Type.String({ title: "User name", description: "", isSensitive: false }),
    password: Type.String({
      title: "Password",
      description: "At least 8 letters.",
      isSensitive: true,
      minLength: 8,
    }),
  },
  baseUrl: { Production: "https://api.company.com", Test: "https://sandbox.company.com" },
});

/**
 * The environment may be declared, to be worded or placed otherwise. Users are not asked for addresses that the
 * definition says.
 */
export const OAuth2CodeFlow = defineConnection("OAuth2CodeFlow", {
  authType: "OAuth2CodeFlow",
  title: "OAuth 2",
  description: "",
  properties: {
    connectionEnvironment: ConnectionEnvironment({ description: "Which system." }),
    scope: Type.Optional(Type.String({ title: "Scope", description: "", isSensitive: false })),
  },
  baseUrl: { Production: "https://api.company.com", Test: "https://sandbox.company.com" },
  tokenUrl: {
    Production: "https://login.company.com/token",
    Test: "https://login.sandbox.company.com/token",
  },
  authorizationUrl: "https://login.company.com/authorize?access_type=offline",
});

/** The address is what the user enters. */
export const OAuth2ClientCredentials = defineConnection("OAuth2ClientCredentials", {
  authType: "OAuth2ClientCredentials",
  title: "OAuth 2 for services",
  description: "",
  properties: {
    tenantUrl: Type.String({ title: "Address", description: "", isSensitive: false, format: "uri" }),
    clientSecret: Type.String({
      title: "Secret",
      description: "",
      isSensitive: true,
      jsonPropertyName: "client_secret",
    }),
  },
  baseUrl: { property: "tenantUrl" },
});

/** An enum property offers its members, but for the default one of value 0; the key is the author's. */
export const CustomAuth = defineConnection("CompanyToken", {
  authType: "Custom",
  title: "Token",
  description: "",
  key: "customAuth",
  properties: {
    apiToken: Type.String({ title: "Token", description: "", isSensitive: true }),
    region: OptionSet(
      { Unknown: 0, Europe: 1, "North America": 5 },
      { title: "Region", description: "", isSensitive: false },
    ),
  },
});
