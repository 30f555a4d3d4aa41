/** Examples of the rules of connections (spec §2.1) and configurations (spec §2.3, §2.8). */
import type { Examples, RuleExample } from "./example.js";

const TITLED = 'title: "API key", description: ""';

export const connectionExamples: Examples = {
  "connection-none": { part: "connector", bad: connector("[]"), good: connector("[Auth]") },
  "connection-title-missing": property('description: "", isSensitive: true', `${TITLED}, isSensitive: true`),
  "connection-description-missing": property(
    'title: "API key", isSensitive: true',
    `${TITLED}, isSensitive: true`,
  ),
  "connection-auth-type-unknown": connection('authType: "Token",', 'authType: "ApiKey",'),
  "connection-secret-not-sensitive": property(
    `${TITLED}, isSensitive: false`,
    `${TITLED}, isSensitive: true`,
  ),
  "connection-sensitivity-unstated": property(TITLED, `${TITLED}, isSensitive: true`),
  "connection-base-url-missing": address("", 'baseUrl: "https://api.sites-platform.com/v1",'),
  "connection-environment-without-address": {
    part: "connection",
    bad: environments('baseUrl: "https://api.sites-platform.com",'),
    good: environments(
      'baseUrl: { Production: "https://api.sites-platform.com", Test: "https://test.sites-platform.com" },',
    ),
  },
  "connection-address-invalid": address(
    'baseUrl: "api.sites-platform.com",',
    'baseUrl: "https://api.sites-platform.com",',
  ),
  "connection-address-credentials": address(
    'baseUrl: "https://reader:secret@api.sites-platform.com",',
    'baseUrl: "https://api.sites-platform.com",',
  ),
  "connection-address-placeholder": address(
    'baseUrl: "https://api.example.com",',
    'baseUrl: "https://api.sites-platform.com",',
  ),
  "connection-address-property-unknown": address(
    'baseUrl: { property: "address" },',
    'baseUrl: { property: "apiKey" },',
  ),
  "registration-credential": setting("clientSecret", "status"),
  "registration-address": setting("baseUrl", "status"),
  "service-credential": {
    part: "cache writer configuration",
    bad: `const Writer = defineConfiguration({
  apiKey: Type.String({ title: "Key", description: "Key of the archive." }),
});`,
    good: `const Writer = defineConfiguration({
  pageSize: Type.Integer({ title: "Page size", description: "Sites that are read at once." }),
});`,
  },
  "switch-missing": {
    part: "cache writer configuration",
    bad: "const Writer = defineConfiguration({}, { complete: true });",
    good: "const Writer = defineConfiguration({});",
  },
};

function connection(bad: string, good: string): RuleExample {
  const code = (authType: string) => `const Auth = defineConnection("ApiKeyAuth", {
  ${authType}
  title: "API key",
  description: "",
  properties: { apiKey: Type.String({ ${TITLED}, isSensitive: true }) },
  baseUrl: "https://api.sites-platform.com",
});`;
  return { part: "connection", bad: code(bad), good: code(good) };
}

function property(bad: string, good: string): RuleExample {
  const code = (options: string) => `const Auth = defineConnection("ApiKeyAuth", {
  authType: "ApiKey",
  title: "API key",
  description: "",
  properties: { apiKey: Type.String({ ${options} }) },
  baseUrl: "https://api.sites-platform.com",
});`;
  return { part: "connection", bad: code(bad), good: code(good) };
}

function address(bad: string, good: string): RuleExample {
  const code = (baseUrl: string) => `const Auth = defineConnection("ApiKeyAuth", {
  authType: "ApiKey",
  title: "API key",
  description: "",
  properties: { apiKey: Type.String({ ${TITLED}, isSensitive: true }) },${baseUrl === "" ? "" : `\n  ${baseUrl}`}
});`;
  return { part: "connection", bad: code(bad), good: code(good) };
}

function environments(baseUrl: string): string {
  return `const Auth = defineConnection("ApiKeyAuth", {
  authType: "ApiKey",
  title: "API key",
  description: "",
  properties: {
    apiKey: Type.String({ ${TITLED}, isSensitive: true }),
    connectionEnvironment: ConnectionEnvironment(),
  },
  ${baseUrl}
});`;
}

function setting(bad: string, good: string): RuleExample {
  const code = (name: string) => `const Registration = defineConfiguration({
  ${name}: Type.String({ title: "Setting", description: "What the workspace wants." }),
});`;
  return { part: "registration configuration", bad: code(bad), good: code(good) };
}

function connector(connections: string): string {
  return `export const connector = defineConnector({
  name: "Sites",
  key: "sites",
  description: "Places where work is done.",
  connections: ${connections},
  modules: [App],
});`;
}
