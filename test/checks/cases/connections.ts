/** Rules of connections and configurations. */
import type { TProperties, TSchema } from "@sinclair/typebox";
import {
  ConnectionEnvironment,
  type ConnectionOptions,
  defineServiceConfiguration,
  Nullable,
  OptionSet,
  Type,
} from "../../../schemas/entries/vocabulary.js";
import {
  actionOf,
  attributeFindings,
  type CheckCase,
  connectionFindings,
  connectionOf,
  connectorFindings,
  moduleFindings,
  objectOf,
  registrationFindings,
} from "../../support/checks.js";

const said = { title: "Value", description: "" };
const attribute = (options: object, name = "value") => attributeFindings(Type.String({ ...options }), name);
const address = (baseUrl: string) => connectionFindings({ baseUrl });
const setting = (name: string, type = Type.String) =>
  registrationFindings({ [name]: type({ title: "Setting", description: "A setting of the workspace." }) });
const properties = { connectionEnvironment: ConnectionEnvironment() };

const DEFINITIONS: readonly CheckCase[] = [
  {
    reports: "a connector without a connection",
    code: "connection-none",
    wrong: () => connectorFindings({ connections: [] }),
    fine: () => connectorFindings({ connections: [connectionOf()] }),
  },
  {
    reports: "a connection without a title",
    code: "connection-title-missing",
    wrong: () => attribute({ description: "", isSensitive: true }),
    fine: () => attribute({ ...said, isSensitive: true }),
  },
  {
    reports: "a connection property without a description",
    code: "connection-description-missing",
    wrong: () => attribute({ title: "Value", isSensitive: true }),
    fine: () => attribute({ ...said, isSensitive: true }),
  },
  {
    reports: "an auth type that does not exist",
    code: "connection-auth-type-unknown",
    wrong: () => connectionFindings({ authType: "ApiKeys" as never }),
    fine: () => connectionFindings({ authType: "Custom" }),
  },
  {
    reports: "a property that leaves its sensitivity out",
    code: "connection-sensitivity-unstated",
    wrong: () => attribute(said),
    fine: () => attribute({ ...said, isSensitive: false }),
  },
  ...(
    [
      ["apiKey", "apiVersion"],
      ["clientSecret", "clientId"],
      ["access_token", "tokenUrl"],
      ["Password", "passwordPolicy"],
      ["privateKey", "tokenEndpoint"],
      ["clientKey", "clientCertificate"],
      ["tlsKeyPem", "tlsCertificatePem"],
      ["certificate_key", "certificateAuthority"],
      ["keyPassphrase", "keyUsage"],
    ] as const
  ).map(
    ([secret, plain]): CheckCase => ({
      reports: `the secret ${secret} that is not sensitive, and lets ${plain} be seen`,
      code: "connection-secret-not-sensitive",
      wrong: () => attribute({ ...said, isSensitive: false }, secret),
      fine: () => attribute({ ...said, isSensitive: false }, plain),
    }),
  ),
];

const text = Type.String({ ...said, isSensitive: true });
const typed = (authType: ConnectionOptions["authType"], of: TProperties) =>
  connectionFindings({ authType, properties: of });

const MEMBERS: readonly CheckCase[] = [
  {
    reports: "a connection of ApiKey without a key",
    code: "connection-member-missing",
    wrong: () => typed("ApiKey", { foo: text }),
    fine: () => typed("Custom", { foo: text }),
  },
  {
    reports: "a connection of Basic without a user name",
    code: "connection-member-missing",
    wrong: () => typed("Basic", { password: text }),
    fine: () => typed("Basic", { username: text, password: text }),
  },
  {
    reports: "a key that is no text",
    code: "connection-member-invalid",
    wrong: () => typed("ApiKey", { apiKey: Type.Integer({ ...said, isSensitive: true }) }),
    fine: () => typed("ApiKey", { apiKey: Type.Unsafe({ type: "string", ...said }) }),
  },
  {
    reports: "a password that may be null",
    code: "connection-member-invalid",
    wrong: () => typed("Basic", { username: text, password: Nullable(text) }),
    fine: () => typed("Custom", { username: text, password: Nullable(text) }),
  },
  {
    reports: "a key that may be left out",
    code: "connection-member-invalid",
    wrong: () => typed("ApiKey", { apiKey: Type.Optional(text) }),
    fine: () => typed("OAuth2CodeFlow", { clientSecret: Type.Optional(text) }),
  },
  {
    reports: "a member of OAuth 2 that is no text",
    code: "connection-member-invalid",
    wrong: () => typed("OAuth2ClientCredentials", { scope: Type.Array(text, said) }),
    fine: () => typed("OAuth2ClientCredentials", {}),
  },
];

const shown = Type.String({ ...said, isSensitive: false });
const environments = { Production: "https://a.com", Test: "https://b.com" };
const environment = (connectionEnvironment: TSchema) =>
  connectionFindings({ baseUrl: environments, properties: { apiKey: text, connectionEnvironment } });

const ENVIRONMENTS: readonly CheckCase[] = [
  {
    reports: "an environment that may be left out",
    code: "connection-environment-invalid",
    wrong: () => environment(Type.Optional(ConnectionEnvironment())),
    fine: () => environment(ConnectionEnvironment({ title: "System" })),
  },
  {
    reports: "an environment that is sensitive",
    code: "connection-environment-sensitive",
    wrong: () => environment(ConnectionEnvironment({ isSensitive: true })),
    fine: () => environment(ConnectionEnvironment({ isSensitive: false })),
  },
  {
    reports: "an environment that is a text",
    code: "connection-environment-invalid",
    wrong: () => environment(text),
    fine: () => connectionFindings({ properties: { apiKey: text, connectionEnvironment: shown } }),
  },
  {
    reports: "the address of a third environment",
    code: "definition-option-unknown",
    wrong: () => connectionFindings({ baseUrl: { ...environments, Staging: "https://c.com" } as never }),
    fine: () => connectionFindings({ baseUrl: environments }),
  },
];

const BASE_URLS: readonly CheckCase[] = [
  {
    reports: "a connection without a base address",
    code: "connection-base-url-missing",
    wrong: () => connectionFindings({ baseUrl: undefined as never }),
    fine: () => address("https://api.company.com"),
  },
  {
    reports: "an environment property without addresses",
    code: "connection-environment-without-address",
    wrong: () => connectionFindings({ baseUrl: undefined as never, properties }),
    fine: () =>
      connectionFindings({ baseUrl: { Production: "https://a.com", Test: "https://b.com" }, properties }),
  },
  {
    reports: "an environment that no address belongs to",
    code: "connection-environment-invalid",
    wrong: () =>
      connectionFindings({
        baseUrl: { Production: "https://a.com", Test: "https://b.com" },
        properties: {
          connectionEnvironment: OptionSet({ Production: 1, Staging: 3 }, { ...said, isSensitive: false }),
        },
      }),
    fine: () => connectionFindings({ baseUrl: { Production: "https://a.com", Test: "https://b.com" } }),
  },
  ...["api.company.com", "ftp://company.com"].map(
    (wrong): CheckCase => ({
      reports: `the address "${wrong}" also where an environment has no address`,
      code: "connection-address-invalid",
      wrong: () => connectionFindings({ baseUrl: wrong, properties }),
      fine: () => connectionFindings({ baseUrl: "https://company.com", properties }),
    }),
  ),
  {
    reports: "a placeholder also where an environment has no address",
    code: "connection-address-placeholder",
    wrong: () => connectionFindings({ baseUrl: "https://api.example.com", properties }),
    fine: () => connectionFindings({ baseUrl: "https://api.company.com", properties }),
  },
  ...["api.company.com", "ftp://company.com", "https://", "https://a b.com"].map(
    (wrong): CheckCase => ({
      reports: `the address "${wrong}" as no address`,
      code: "connection-address-invalid",
      wrong: () => address(wrong),
      fine: () => address("http://localhost:8080/v1"),
    }),
  ),
  {
    reports: "an environment whose address is empty",
    code: "connection-address-invalid",
    wrong: () => connectionFindings({ baseUrl: { Production: "https://a.com", Test: "" } }),
    fine: () => connectionFindings({ baseUrl: { Production: "https://a.com", Test: "http://10.0.0.1" } }),
  },
  {
    reports: "a password in an address",
    code: "connection-address-credentials",
    wrong: () => address("https://user:hunter2@company.com"),
    fine: () => address("https://company.com/@user"),
  },
  {
    reports: "a secret among the parameters of an address",
    code: "connection-address-credentials",
    wrong: () => address("https://company.com/v1?api_key=hunter2"),
    fine: () => address("https://company.com/v1?version=2"),
  },
  ...(
    [
      ["https://api.example.com/v1", "https://examples.com"],
      ["https://your-domain.com", "https://domain.com"],
      ["https://api.example", "https://apiexample.io"],
      ["TODO", "https://todoist.com"],
      ["https://<tenant>.company.com", "https://tenant.company.com"],
      ["https://{tenant}.company.com", "https://tenants.company.com"],
    ] as const
  ).map(
    ([placeholder, real]): CheckCase => ({
      reports: `the placeholder ${placeholder}, and lets ${real} pass`,
      code: "connection-address-placeholder",
      wrong: () => address(placeholder),
      fine: () => address(real),
    }),
  ),
  {
    reports: "a base address from a property that does not exist",
    code: "connection-address-property-unknown",
    wrong: () => connectionFindings({ baseUrl: { property: "apiKeys" } }),
    fine: () => connectionFindings({ baseUrl: { property: "apiKey" } }),
  },
];

const TOKENS = "https://login.company.com/token";
const tokens = (options: Partial<ConnectionOptions>) =>
  connectionFindings({ authType: "OAuth2ClientCredentials", properties: {}, ...options });

const TOKEN_URLS: readonly CheckCase[] = [
  {
    reports: "the token address of a connection that asks for no token",
    code: "connection-address-unused",
    wrong: () => connectionFindings({ tokenUrl: TOKENS }),
    fine: () => tokens({ tokenUrl: TOKENS }),
  },
  {
    reports: "the authorization address of a connection at which nobody signs in",
    code: "connection-address-unused",
    wrong: () => tokens({ authorizationUrl: TOKENS }),
    fine: () => tokens({ authType: "OAuth2CodeFlow", authorizationUrl: TOKENS }),
  },
  {
    reports: "an address that is said and asked for",
    code: "connection-address-asked",
    wrong: () => tokens({ tokenUrl: TOKENS, properties: { tokenUrl: shown } }),
    fine: () => tokens({ tokenUrl: TOKENS, properties: { refreshUrl: shown } }),
  },
  {
    reports: "an address that is said and asked for by its key",
    code: "connection-address-asked",
    wrong: () =>
      tokens({
        tokenUrl: TOKENS,
        properties: { issuer: Type.String({ ...said, isSensitive: false, jsonPropertyName: "tokenUrl" }) },
      }),
    fine: () => tokens({ tokenUrl: TOKENS, properties: { issuer: shown } }),
  },
  ...["http://login.company.com/token", "login.company.com/token"].map(
    (wrong): CheckCase => ({
      reports: `secrets that would be sent to ${wrong}`,
      code: "connection-address-invalid",
      wrong: () => tokens({ tokenUrl: { Production: TOKENS, Test: wrong } }),
      fine: () => tokens({ tokenUrl: { Production: TOKENS, Test: "http://127.0.0.1:8080/token" } }),
    }),
  ),
  {
    reports: "a placeholder among the addresses for tokens",
    code: "connection-address-placeholder",
    wrong: () => tokens({ tokenUrl: "https://login.example.com/token" }),
    fine: () => tokens({ tokenUrl: TOKENS }),
  },
  {
    reports: "the third environment of a token address",
    code: "definition-option-unknown",
    wrong: () => tokens({ tokenUrl: { ...environments, Staging: "https://c.com" } as never }),
    fine: () => tokens({ tokenUrl: environments }),
  },
  {
    reports: "a token address that is taken from a property",
    code: "definition-invalid",
    wrong: () => tokens({ tokenUrl: { property: "scope" } as never }),
    fine: () => tokens({}),
  },
  {
    reports: "an environment without addresses, but not where that of the tokens follows from it",
    code: "connection-environment-without-address",
    wrong: () => tokens({ properties, tokenUrl: TOKENS }),
    fine: () => tokens({ properties, tokenUrl: environments }),
  },
];

const object = objectOf();
const flag = Type.Object({ ProcessQueuedEvent: Type.Optional(Type.Boolean()) });

/** Findings of a cache writer configuration with these properties, in camelCase and without any that are added. */
function switchFindings(properties: TProperties) {
  return moduleFindings({
    dataObjects: [object],
    cacheWriter: defineServiceConfiguration("CacheWriterConfiguration", {
      namingConvention: "camelCase",
      complete: true,
      properties,
    }),
  });
}

/** Findings of the action `CreateMain` of `Employee` beside the action `name` of `MainEmployee`. */
function twoActions(name: string) {
  const main = objectOf(undefined, {}, "MainEmployee");
  return moduleFindings({
    dataObjects: [object, main],
    actions: [actionOf(object, {}, "CreateMain"), actionOf(main, {}, name)],
  });
}

const CONFIGURATIONS: readonly CheckCase[] = [
  ...(
    [
      ["clientId", "clientCount"],
      ["ClientSecret", "secretsPerPage"],
      ["user_name", "userGroup"],
    ] as const
  ).map(
    ([credential, plain]): CheckCase => ({
      reports: `the credential ${credential} in the registration configuration, and lets ${plain} be there`,
      code: "registration-credential",
      wrong: () => setting(credential),
      fine: () => setting(plain),
    }),
  ),
  ...(
    [
      ["BaseUrl", "basePrice"],
      ["TokenEndpoint", "tokenLifetime"],
      ["host", "webhookUrl"],
    ] as const
  ).map(
    ([wrong, plain]): CheckCase => ({
      reports: `the address ${wrong} in the registration configuration, and lets ${plain} be there`,
      code: "registration-address",
      wrong: () => setting(wrong),
      fine: () => setting(plain),
    }),
  ),
  {
    reports: "a yes or no of the registration configuration as no credential, but a text",
    code: "registration-credential",
    wrong: () => setting("token"),
    fine: () => setting("token", Type.Boolean as never),
  },
  {
    reports: "a secret in a service configuration",
    code: "service-credential",
    wrong: () =>
      moduleFindings({
        cacheWriter: defineServiceConfiguration("CacheWriterConfiguration", {
          properties: { apiKey: Type.String() },
        }),
      }),
    fine: () =>
      moduleFindings({
        cacheWriter: defineServiceConfiguration("CacheWriterConfiguration", {
          properties: { apiKeyName: Type.String() },
        }),
      }),
  },
  {
    reports: "an action without a switch",
    code: "switch-missing",
    wrong: () =>
      moduleFindings({
        dataObjects: [object],
        actions: [actionOf(object)],
        actionProcessor: defineServiceConfiguration("ActionProcessorConfiguration", {
          complete: true,
          properties: { createPersonConfig: flag },
        }),
      }),
    fine: () =>
      moduleFindings({
        dataObjects: [object],
        actions: [actionOf(object)],
        actionProcessor: defineServiceConfiguration("ActionProcessorConfiguration", {
          complete: true,
          properties: { createEmployeeConfig: flag },
        }),
      }),
  },
  ...(
    [
      ["is of another type", Type.String()],
      ["has a flag of another type", Type.Object({ UploadObject: Type.String() })],
      ["has no flag", Type.Object({ PageSize: Type.Integer() })],
    ] as const
  ).map(
    ([what, wrong]): CheckCase => ({
      reports: `a switch that ${what}`,
      code: "switch-invalid",
      wrong: () => switchFindings({ employeeConfig: wrong }),
      fine: () => switchFindings({ employeeConfig: Type.Object({ uploadObject: Type.Boolean() }) }),
    }),
  ),
  {
    reports: "a switch that two actions would share",
    code: "switch-shared",
    wrong: () => twoActions("Create"),
    fine: () => twoActions("Open"),
  },
  {
    reports: "a data object without a switch",
    code: "switch-missing",
    wrong: () =>
      moduleFindings({
        cacheWriter: defineServiceConfiguration("CacheWriterConfiguration", {
          complete: true,
          properties: {},
        }),
      }),
    fine: () =>
      moduleFindings({
        cacheWriter: defineServiceConfiguration("CacheWriterConfiguration", { properties: {} }),
      }),
  },
];

export const CONNECTION_CASES: readonly CheckCase[] = [
  ...DEFINITIONS,
  ...MEMBERS,
  ...ENVIRONMENTS,
  ...BASE_URLS,
  ...TOKEN_URLS,
  ...CONFIGURATIONS,
];
