/** Rules of connection definitions (§1.3, §2.1): there is one, its secrets are sensitive, its address is whole and real. */
import type { CheckRules } from "../../diagnostics/codes.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { CONNECTOR_LOCATION, findingsOf, type Location, within } from "../../diagnostics/locations.js";
import {
  baseUrlExample,
  connectionPropertiesExample,
  connectionPropertyExample,
  connectionsExample,
  environmentExample,
  environmentsExample,
  TITLED,
  tokenUrlExample,
} from "../../diagnostics/rules/example-code.js";
import { memberOf } from "../../json.js";
import {
  ADDRESS_MEMBERS,
  declaredMembers,
  ENVIRONMENT_PROPERTY,
  hasEnvironments,
  isEnvironment,
  standardMembers,
} from "../../model/connection-members.js";
import type {
  AttributeModel,
  BaseUrlModel,
  ConnectionModel,
  ConnectorModel,
} from "../../model/connector-model.js";
import { didYouMean } from "../../naming/nearest.js";
import { CONNECTION_SECRET_NAMES, matchedPhrase, SECRET_NAMES } from "../../naming/secret-names.js";
import { attributeLocation, connectionsOf, type LocatedConnection } from "../visit/model-parts.js";

export const CONNECTION_RULES = {
  "connection-none": {
    severity: "warning",
    section: "§1.3",
    message: "The connector defines no connection.",
    fix: "Define one with defineConnection and list it under connections.",
    example: connectionsExample("[]", "[Auth]"),
  },
  "connection-secret-not-sensitive": {
    severity: "error",
    section: "§2.1",
    message: '{what} is a secret (its name says "{words}"), but isSensitive is false.',
    fix: "Set isSensitive: true.",
    isSilenceable: true,
    example: connectionPropertyExample(`${TITLED}, isSensitive: false`, `${TITLED}, isSensitive: true`),
  },
  "connection-member-missing": {
    severity: "error",
    section: "§2.1",
    message: 'Connection "{connection}" has the auth type {authType}, but no property "{member}".{hint}',
    fix: "Declare it, as text that the user must enter; a connection that signs in with other properties has the auth type Custom.",
    example: connectionPropertiesExample(
      `secret: Type.String({ ${TITLED}, isSensitive: true })`,
      `apiKey: Type.String({ ${TITLED}, isSensitive: true })`,
    ),
  },
  "connection-member-invalid": {
    severity: "error",
    section: "§2.1",
    message: "{what} {problem}, but a connection of the auth type {authType} signs in with it.",
    fix: "Declare it as Type.String(…), and as optional only if it is a member of OAuth 2; or use the auth type Custom.",
    example: connectionPropertiesExample(
      `apiKey: Type.Optional(Type.String({ ${TITLED}, isSensitive: true }))`,
      `apiKey: Type.String({ ${TITLED}, isSensitive: true })`,
    ),
  },
  "connection-base-url-missing": {
    severity: "warning",
    section: "§2.1",
    message: 'Connection "{connection}" has no base address.',
    fix: "Set baseUrl to an address, to one address for each environment, or to a property that holds it.",
    example: baseUrlExample("", 'baseUrl: "https://api.sites-platform.com/v1",'),
  },
  "connection-environment-without-address": {
    severity: "warning",
    section: "§2.1",
    message: 'Connection "{connection}" asks for an environment, but no address belongs to {environments}.',
    fix: "Set baseUrl to an object with one address for Production and one for Test.",
    example: environmentsExample(
      'baseUrl: "https://api.sites-platform.com",',
      'baseUrl: { Production: "https://api.sites-platform.com", Test: "https://test.sites-platform.com" },',
    ),
  },
  "connection-environment-invalid": {
    severity: "error",
    section: "§2.1",
    message: "{what} {problem}.",
    fix: "Write ConnectionEnvironment(), which is required; or leave it out, for baseUrl brings it.",
    example: environmentExample("Type.Optional(ConnectionEnvironment())", "ConnectionEnvironment()"),
  },
  "connection-environment-sensitive": {
    severity: "warning",
    section: "§2.1",
    message: "{what} is sensitive, although an environment is no secret: nobody sees which one is chosen.",
    fix: "Set isSensitive: false.",
    example: environmentExample(
      "ConnectionEnvironment({ isSensitive: true })",
      "ConnectionEnvironment({ isSensitive: false })",
    ),
  },
  "connection-address-invalid": {
    severity: "error",
    section: "§2.1",
    message: 'The address "{address}" of connection "{connection}" is not an absolute {schemes} address.',
    fix: "Write the whole address, such as https://api.company.com/v1.",
    example: baseUrlExample(
      'baseUrl: "api.sites-platform.com",',
      'baseUrl: "https://api.sites-platform.com",',
    ),
  },
  "connection-address-credentials": {
    severity: "error",
    section: "§1.3",
    message: 'An address of connection "{connection}" carries a credential.',
    fix: "Remove it from the address; credentials belong in connection properties.",
    example: baseUrlExample(
      'baseUrl: "https://reader:secret@api.sites-platform.com",',
      'baseUrl: "https://api.sites-platform.com",',
    ),
  },
  "connection-address-placeholder": {
    severity: "error",
    section: "§2.1",
    message: 'The address "{address}" of connection "{connection}" is a placeholder.',
    fix: "Put the target system's own address in its place.",
    isSilenceable: true,
    example: baseUrlExample(
      'baseUrl: "https://api.example.com",',
      'baseUrl: "https://api.sites-platform.com",',
    ),
  },
  "connection-address-property-unknown": {
    severity: "error",
    section: "§2.1",
    message:
      'Connection "{connection}" takes its base address from "{property}", which it does not have.{hint}',
    fix: "Name one of its properties.",
    example: baseUrlExample('baseUrl: { property: "address" },', 'baseUrl: { property: "apiKey" },'),
  },
  "connection-address-unused": {
    severity: "error",
    section: "§2.1",
    message:
      'Connection "{connection}" has the option {option}, of which the auth type {authType} makes no use.',
    fix: "Remove it: tokenUrl is for the two auth types of OAuth 2, and authorizationUrl for OAuth2CodeFlow.",
    example: baseUrlExample(
      'baseUrl: "https://api.sites-platform.com",\n  tokenUrl: "https://login.sites-platform.com/token",',
      'baseUrl: "https://api.sites-platform.com",',
    ),
  },
  "connection-address-asked": {
    severity: "error",
    section: "§2.1",
    message: "{what} is what a user enters, but the definition says {option} for all users.",
    fix: "Remove the property, or the option of that name.",
    example: tokenUrlExample(
      `properties: { tokenUrl: Type.String({ title: "Token URL", description: "", isSensitive: false }) },`,
      "properties: {},",
    ),
  },
} as const satisfies CheckRules;

const findingAt = findingsOf(CONNECTION_RULES);

/** Checks that there is a connection, and each one. */
export function checkConnections(model: ConnectorModel): readonly Diagnostic[] {
  const connections = connectionsOf(model);
  if (connections.length === 0) {
    const location = within(CONNECTOR_LOCATION, {
      pointer: ["connectionDefinitions"],
      path: ["connections"],
    });
    return [findingAt("connection-none", location, {})];
  }
  return connections.flatMap((located) => [
    ...checkMembers(located),
    ...checkSecrets(located),
    ...checkEnvironment(located),
    ...checkBaseUrl(located),
    ...checkTokenAddresses(located),
  ]);
}

/** Checks that a connection has what its auth type signs in with, as text. */
function checkMembers(located: LocatedConnection): readonly Diagnostic[] {
  const { name: connection, authType, attributes } = located.connection;
  const names = attributes.map(({ name }) => name);
  const declared = declaredMembers(authType);
  const missing = declared
    .filter((member) => !names.includes(member))
    .map((member) => {
      const location = within(located.location, { path: ["properties"] });
      const hint = didYouMean(member, names);
      return findingAt("connection-member-missing", location, { connection, authType, member, hint });
    });
  const standard = standardMembers(authType).map(({ name }) => name);
  const invalid = attributes.flatMap((attribute, index) => {
    const { name, isRequired } = attribute;
    const isDeclared = declared.includes(name);
    if (!isDeclared && !standard.includes(name)) return [];
    const problem = !isText(attribute)
      ? "is no text"
      : isDeclared && !isRequired
        ? "may be left out"
        : undefined;
    if (problem === undefined) return [];
    const location = attributeLocation(located, index);
    return [findingAt("connection-member-invalid", location, { what: location.what, authType, problem })];
  });
  return [...missing, ...invalid];
}

function isText({ schema }: AttributeModel): boolean {
  switch (schema.kind) {
    case "string":
    case "enum":
      return !schema.nullable;
    case "verbatim":
      return memberOf(schema.json, "type") === "string";
    default:
      return false;
  }
}

function checkSecrets(located: LocatedConnection): readonly Diagnostic[] {
  return located.connection.attributes.flatMap(({ name, key, isSensitive, options, schema }, index) => {
    if (isSensitive || options.length > 0 || schema.kind === "boolean") return [];
    const words = matchedPhrase(name, CONNECTION_SECRET_NAMES) ?? matchedPhrase(key, CONNECTION_SECRET_NAMES);
    if (words === undefined) return [];
    const location = attributeLocation(located, index);
    return [findingAt("connection-secret-not-sensitive", location, { what: location.what, words })];
  });
}

/** Checks the property that a user chooses the environment with. */
function checkEnvironment(located: LocatedConnection): readonly Diagnostic[] {
  const { attributes } = located.connection;
  const isNeeded = hasEnvironments(located.connection);
  return attributes.flatMap(({ key, options, isRequired, isSensitive }, index) => {
    if (!isEnvironmentKey(key)) return [];
    const isOther = isNeeded && !isEnvironment(key, options);
    const problems = [
      ...(isOther ? ["does not offer Production (1) and Test (2), which the addresses belong to"] : []),
      ...(isRequired ? [] : ["may be left out, although the base address follows from it"]),
    ];
    const location = attributeLocation(located, index);
    const { what } = location;
    return [
      ...problems.map((problem) => findingAt("connection-environment-invalid", location, { what, problem })),
      ...(isSensitive ? [findingAt("connection-environment-sensitive", location, { what })] : []),
    ];
  });
}

function isEnvironmentKey(key: string): boolean {
  return key.toLowerCase() === ENVIRONMENT_PROPERTY.toLowerCase();
}

/** Checks where a connection takes its base address from. */
function checkBaseUrl({
  connection,
  location: connectionLocation,
}: LocatedConnection): readonly Diagnostic[] {
  const { baseUrl, name, attributes } = connection;
  const location = within(connectionLocation, { path: ["baseUrl"] });
  const environmentNames = environmentsWithoutAddress(connection);
  if (environmentNames.length > 0) {
    const environments = environmentNames.join(", ");
    return [
      findingAt("connection-environment-without-address", location, { connection: name, environments }),
      ...checkAddresses(baseUrl, name, location),
    ];
  }
  switch (baseUrl.kind) {
    case "none":
      return [findingAt("connection-base-url-missing", connectionLocation, { connection: name })];
    case "fixed":
    case "environment":
      return checkAddresses(baseUrl, name, location);
    case "property": {
      const { property } = baseUrl;
      const names = attributes.map(({ name }) => name);
      if (names.includes(property)) return [];
      const hint = property.length > MAX_COMPARED_LENGTH ? "" : didYouMean(property, names);
      return [
        findingAt("connection-address-property-unknown", location, { connection: name, property, hint }),
      ];
    }
    default:
      return baseUrl satisfies never;
  }
}

/** Checks the addresses at which a connection gets tokens, if its definition says them. */
function checkTokenAddresses(located: LocatedConnection): readonly Diagnostic[] {
  const { name: connection, authType, attributes } = located.connection;
  const standard = standardMembers(authType).map(({ name }) => name);
  return ADDRESS_MEMBERS.flatMap((option) => {
    const address = located.connection[option];
    if (address.kind === "none") return [];
    const location = within(located.location, { path: [option] });
    if (!standard.includes(option))
      return [findingAt("connection-address-unused", location, { connection, option, authType })];
    const asked = attributes.flatMap(({ name, key }, index) => {
      if (name !== option && key !== option) return [];
      const place = attributeLocation(located, index);
      return [findingAt("connection-address-asked", place, { what: place.what, option })];
    });
    return [...asked, ...checkAddresses(address, connection, location, "https")];
  });
}

/** What an address begins with. Where secrets are sent, plain http is for the own machine only. */
type Schemes = "http or https" | "https";

/** Checks the addresses that stand in the code. */
function checkAddresses(
  address: BaseUrlModel,
  connection: string,
  location: Location,
  schemes: Schemes = "http or https",
): readonly Diagnostic[] {
  if (address.kind === "fixed") return checkAddress(address.url, connection, location, schemes);
  if (address.kind !== "environment") return [];
  return [
    ...checkAddress(address.production, connection, within(location, { path: ["Production"] }), schemes),
    ...checkAddress(address.test, connection, within(location, { path: ["Test"] }), schemes),
  ];
}

/** Names longer than this are not compared with others. */
const MAX_COMPARED_LENGTH = 100;

/** The environments that a user can choose and that have no address. */
function environmentsWithoutAddress(connection: ConnectionModel): readonly string[] {
  const { attributes, baseUrl } = connection;
  // The address of a property is what the user enters, whatever the environment is.
  if (baseUrl.kind === "property" || hasEnvironments(connection)) return [];
  const environment = attributes.find(({ key }) => isEnvironmentKey(key));
  return environment?.options.map(({ label }) => label) ?? [];
}

function checkAddress(
  address: string,
  connection: string,
  location: Location,
  schemes: Schemes,
): readonly Diagnostic[] {
  const parameters = { connection, address: redactedAddress(address) };
  const credentials = carriesCredentials(address)
    ? [findingAt("connection-address-credentials", location, { connection })]
    : [];
  // A placeholder is often not a valid address either: one finding is enough.
  if (isPlaceholderAddress(address)) {
    return [...credentials, findingAt("connection-address-placeholder", location, parameters)];
  }
  return isAddress(address) && (schemes !== "https" || isForSecrets(new URL(address)))
    ? credentials
    : [...credentials, findingAt("connection-address-invalid", location, { ...parameters, schemes })];
}

/** Whether the client sends secrets to the address. */
function isForSecrets({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Whether `address` is an absolute http or https address of a host. */
function isAddress(address: string): boolean {
  return /^https?:\/\/[^/?#]/i.test(address) && !/\s/.test(address) && URL.canParse(address);
}

const PLACEHOLDERS: readonly RegExp[] = [
  // Hosts that are kept for documentation (RFC 2606), and a host that starts like one.
  /^(?:[a-z]+:\/\/)?(?:[^/@]*@)?(?:[^/?#]*\.)?example(?:\.(?:com|org|net|edu))?\.?(?::\d+)?(?:[/?#]|$)/i,
  /^(?:[a-z]+:\/\/)?(?:[^/@]*@)?(?:api|www)\.example\./i,
  /\b(?:your|my)[-_.]?(?:domain|host|company|server|tenant|instance|subdomain|api|organi[sz]ation)\b/i,
  /\b(?:todo|fixme|changeme|change-me|placeholder|replace-?me|insert-here)\b/i,
  /<[^>]*>|\{[^}]*\}|%7B|\$\{/i,
  /^(?:https?:\/\/)?(?:x{3,}|\.{3,}|…)/i,
];

/** Whether `address` must still be replaced. `localhost` is an address to develop against. */
export function isPlaceholderAddress(address: string): boolean {
  return PLACEHOLDERS.some((pattern) => pattern.test(address.slice(0, MAX_ADDRESS_LENGTH)));
}

const MAX_ADDRESS_LENGTH = 2_000;

/** Whether `address` contains a user name, a password or a secret parameter. */
function carriesCredentials(address: string): boolean {
  if (USER_INFO.test(address)) return true;
  if (!URL.canParse(address)) return false;
  return [...new URL(address).searchParams.keys()].some(
    (name) => matchedPhrase(name, SECRET_NAMES) !== undefined,
  );
}

/** The address without user name, parameters and fragment, which may be secret. */
function redactedAddress(address: string): string {
  return address.replace(USER_INFO, "//…@").replace(/[?#].*$/s, "");
}

const USER_INFO = /\/\/[^/?#]*@/;
