/** What differs between the auth types: the properties of a definition, and the handler that reads them (§5.1). */

import { isEnvironment } from "../../schemas/model/connection-members.js";
import type { AuthType, ConnectionModel } from "../../schemas/model/connector-model.js";
import { propertyKey, stringLiteral } from "../typescript/literals.js";

export interface NewProperty {
  readonly name: string;
  readonly title: string;
  readonly isSensitive: boolean;
}

/** How a new connection of one auth type is defined and authenticated. */
export interface AuthTypeFacts {
  /** The class name if the author chooses none. */
  readonly className: string;
  readonly title: string;
  readonly properties: readonly NewProperty[];
  readonly handler: HandlerFacts;
}

export interface HandlerFacts {
  /** The function of `connectorcli/client` that creates it. */
  readonly maker: string;
  /** What it does; the end of a sentence. */
  readonly does: string;
  /** Whether it takes the host, which saves properties that change. */
  readonly host: boolean;
  /** Lines of the function's body. `secret` and `user` are code that reads the connection. */
  readonly lines: (values: { readonly secret: string; readonly user: string }) => readonly string[];
}

const BASIC = { name: "username", title: "User name", isSensitive: false } as const;

export const AUTH_TYPE_FACTS: Readonly<Record<AuthType, AuthTypeFacts>> = {
  ApiKey: {
    className: "ApiKeyAuth",
    title: "API key",
    properties: [{ name: "apiKey", title: "API key", isSensitive: true }],
    handler: {
      maker: "apiKeyHandler",
      does: "the key goes into the header X-Api-Key",
      host: false,
      lines: ({ secret }) => [
        '// Another header: name: "Api-Key"; in the address: in: "query", name: "key".',
        `return apiKeyHandler({ key: ${secret} });`,
      ],
    },
  },
  Basic: {
    className: "BasicAuth",
    title: "User name and password",
    properties: [BASIC, { name: "password", title: "Password", isSensitive: true }],
    handler: {
      maker: "basicHandler",
      does: "user name and password go into the header Authorization",
      host: false,
      lines: ({ secret, user }) => [`return basicHandler({ username: ${user}, password: ${secret} });`],
    },
  },
  OAuth2CodeFlow: {
    className: "OAuth2CodeFlow",
    title: "OAuth 2",
    properties: [],
    handler: {
      maker: "codeFlowHandler",
      does: "access tokens come from the refresh token of the user who signed in",
      host: true,
      lines: () => [
        "const { tokenUrl, refreshUrl, clientId, clientSecret, refreshToken } = connection;",
        "const { scope, clientAuthentication } = connection;",
        "return codeFlowHandler(",
        "  { tokenUrl, refreshUrl, clientId, clientSecret, refreshToken, scope, clientAuthentication },",
        "  host,",
        ");",
      ],
    },
  },
  OAuth2ClientCredentials: {
    className: "OAuth2ClientCredentials",
    title: "OAuth 2 for services",
    properties: [],
    handler: {
      maker: "clientCredentialsHandler",
      does: "access tokens come from client ID and secret",
      host: true,
      lines: () => [
        "const { tokenUrl, clientId, clientSecret, scope, clientAuthentication } = connection;",
        "return clientCredentialsHandler({ tokenUrl, clientId, clientSecret, scope, clientAuthentication }, host);",
      ],
    },
  },
  Custom: {
    className: "CustomAuth",
    title: "API token",
    properties: [{ name: "apiToken", title: "API token", isSensitive: true }],
    handler: {
      maker: "headerHandler",
      does: "the token goes into the header Authorization, in the place of any that is there",
      host: false,
      lines: ({ secret }) => [
        `return headerHandler({ name: "Authorization", value: () => \`Token api=\${${secret}}\` });`,
      ],
    },
  },
};

/** Names of the properties that hold the secret and the user name. */
export interface PropertiesRead {
  readonly secret?: string;
  readonly user?: string;
}

/** Code that reads the secret and the user name of a connection, whose definition exists or is new. */
export function valuesOf(
  { properties }: AuthTypeFacts,
  definition: ConnectionModel | undefined,
  reads: PropertiesRead = {},
): { readonly secret: string; readonly user: string } {
  const given =
    definition?.attributes.filter(({ key, options }) => !isEnvironment(key, options)) ?? properties;
  const read = (isSensitive: boolean) => {
    const known = isSensitive ? reads.secret : reads.user;
    const name = known ?? given.find((property) => property.isSensitive === isSensitive)?.name;
    const wanted = name ?? properties.find((property) => property.isSensitive === isSensitive)?.name ?? "";
    const key = propertyKey(wanted);
    return key === wanted ? `connection.${wanted}` : `connection[${stringLiteral(wanted)}]`;
  };
  return { secret: read(true), user: read(false) };
}
