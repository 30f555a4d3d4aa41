/**
 * Members of connections that the platform knows: what every definition of the two OAuth2 types has without declaring
 * it, and the environment property.
 */

import { deepFreeze } from "../json.js";
import type { AttributeModel, AuthType, ConnectionModel, OptionModel } from "./connector-model.js";
import type { SchemaModel } from "./schema-model.js";

interface StandardMember {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly isSensitive?: boolean;
  /** Only definitions of the authorization code flow have it. */
  readonly isCodeFlow?: boolean;
  readonly members?: readonly string[];
}

/** In the order in which they are listed. Names in code and serialized names are the same. */
const MEMBERS: readonly StandardMember[] = [
  { name: "clientId", title: "Client ID", description: "Identifies the client at the authorization server." },
  {
    name: "clientSecret",
    title: "Client secret",
    description: "What the client proves itself with.",
    isSensitive: true,
  },
  { name: "tokenUrl", title: "Token URL", description: "Where tokens are issued." },
  {
    name: "authorizationUrl",
    title: "Authorization URL",
    description: "Where a user signs in and consents.",
    isCodeFlow: true,
  },
  {
    name: "refreshUrl",
    title: "Refresh URL",
    description: "Where tokens are refreshed, if not at the token URL.",
  },
  { name: "scope", title: "Scope", description: "What the client may do, separated by spaces." },
  {
    name: "clientAuthentication",
    title: "Client authentication",
    description: "Where client ID and secret are sent: in a header or in the body.",
    members: ["header", "body"],
  },
  {
    name: "refreshToken",
    title: "Refresh token",
    description: "What new access tokens are asked for with.",
    isSensitive: true,
    isCodeFlow: true,
  },
];

const OF_CODE_FLOW = deepFreeze(MEMBERS.map(attributeOf));
const OF_CLIENT_CREDENTIALS = deepFreeze(
  MEMBERS.filter(({ isCodeFlow }) => isCodeFlow !== true).map(attributeOf),
);

/** The standard members of an auth type, optional all of them; none for those that are not OAuth2. */
export function standardMembers(authType: AuthType): readonly AttributeModel[] {
  switch (authType) {
    case "OAuth2CodeFlow":
      return OF_CODE_FLOW;
    case "OAuth2ClientCredentials":
      return OF_CLIENT_CREDENTIALS;
    default:
      return [];
  }
}

/** The properties that a definition of an auth type declares itself: the interface that it implements (§2.1). */
export function declaredMembers(authType: AuthType): readonly string[] {
  switch (authType) {
    case "ApiKey":
      return ["apiKey"];
    case "Basic":
      return ["username", "password"];
    default:
      return [];
  }
}

/** The standard members that a definition can say itself, for all users. */
export const ADDRESS_MEMBERS = ["tokenUrl", "authorizationUrl"] as const;

export type AddressMember = (typeof ADDRESS_MEMBERS)[number];

/** Whether the definition says what the standard member `name` would hold: nobody is asked for it. */
export function isSaid(connection: ConnectionModel, name: string): boolean {
  return ADDRESS_MEMBERS.some((member) => member === name && connection[member].kind !== "none");
}

/** Whether an address of the definition follows from the environment that the user chooses. */
export function hasEnvironments({
  baseUrl,
  tokenUrl,
  authorizationUrl,
}: Pick<ConnectionModel, "baseUrl" | AddressMember>): boolean {
  return [baseUrl, tokenUrl, authorizationUrl].some(({ kind }) => kind === "environment");
}

/** The names of the standard members that users are asked for, and without which no first token can be asked for. */
export function membersForTokens(connection: ConnectionModel): readonly string[] {
  return neededForTokens(connection.authType).filter((name) => !isSaid(connection, name));
}

function neededForTokens(authType: AuthType): readonly string[] {
  switch (authType) {
    case "OAuth2CodeFlow":
      return ["clientId", "authorizationUrl", "tokenUrl"];
    case "OAuth2ClientCredentials":
      return ["clientId", "clientSecret", "tokenUrl"];
    default:
      return [];
  }
}

/**
 * Every property of a connection: those of its definition, then the standard members that it neither declares again nor
 * says for all users. A key that a file lists twice counts once; the checks say so.
 */
export function connectionProperties(connection: ConnectionModel): readonly AttributeModel[] {
  const { attributes, authType } = connection;
  const declared = attributes.filter(
    ({ key }, index) => attributes.findIndex((other) => other.key === key) === index,
  );
  const inherited = standardMembers(authType).filter(
    (standard) =>
      !isSaid(connection, standard.name) &&
      !declared.some(({ name, key }) => name === standard.name || key === standard.key),
  );
  return [...declared, ...inherited];
}

function attributeOf({
  name,
  title,
  description,
  isSensitive = false,
  members,
}: StandardMember): AttributeModel {
  const schema: SchemaModel =
    members === undefined
      ? { kind: "string", nullable: false, keywords: [] }
      : { kind: "enum", members, nullable: false, keywords: [] };
  return { name, key: name, title, description, isSensitive, isRequired: false, options: [], schema };
}

/** The environment property of connections (spec §2.1): its name in code, which is its key as well. */
export const ENVIRONMENT_PROPERTY = "connectionEnvironment";

/** Whether properties of a connection lead to the production system, on which people work (§2.1). */
export function isOfProduction(properties: Readonly<Record<string, unknown>>): boolean {
  return properties[ENVIRONMENT_PROPERTY] === 1;
}

/** Whether an attribute is that property: its key, with Production 1 and Test 2. */
export function isEnvironment(key: string, options: readonly OptionModel[]): boolean {
  const offered = options.map(({ label, value }) => `${label} ${value}`).join();
  return key === ENVIRONMENT_PROPERTY && offered === "Production 1,Test 2";
}
