/** How calls are signed, and where the API is. */

import { isPlaceholderAddress } from "../../../schemas/checks/rules/connections.js";
import { classIdentifier, unique } from "../../../schemas/naming/identifiers.js";
import { isSecretName } from "../../../schemas/naming/secret-names.js";
import type {
  ApiDescription,
  ApiOperation,
  KeyScheme,
  OAuthFlow,
  OAuthScheme,
  SecurityRequirement,
  SecurityScheme,
} from "../reading/api-description.js";
import type { Decision, PlannedAddress, PlannedAuth, PlannedConnection } from "./plan.js";
import { plainName, quoted } from "./words.js";

type AuthDecision = Decision<PlannedAuth>;

/** How the lists of a document are signed. */
export interface Signing {
  readonly connections: readonly PlannedConnection[];
  /** Plain names of parameters that carry credentials: no list has to send them itself. */
  readonly parameters: ReadonlySet<string>;
  /** Whether an operation can be called with each of the connections; else what it needs. */
  missing(operation: ApiOperation): string | undefined;
}

/** Schemes that are used together, by their names. */
interface Alternative {
  readonly id: string;
  readonly requirement: SecurityRequirement;
  /** How many lists can be called with them. */
  readonly count: number;
}

/** The connections by which `lists` can be called. */
export function decideSigning(description: ApiDescription, lists: readonly ApiOperation[]): Signing {
  const alternatives = alternativesOf(description, lists);
  const [main] = [...alternatives].sort((a, b) => b.count - a.count);
  const parameters = new Set(["authorization"]);
  if (main === undefined) {
    const auth = withoutSchemes(description);
    if (auth.value.authType === "ApiKey") parameters.add(plainName(auth.value.parameter));
    const connections = [{ name: `${auth.value.authType}Auth`, auth, schemes: [] }];
    return { connections, parameters, missing: () => undefined };
  }
  const missing = (operation: ApiOperation) =>
    isCallable(operation, main.id, description) ? undefined : requirementWords(operation, description);
  const own = lists.filter((list) => missing(list) === undefined);
  const usable = alternatives.filter(
    ({ id }) => id === main.id || own.every((list) => isCallable(list, id, description)),
  );
  const taken = new Set<string>();
  const connections = usable.flatMap(({ requirement }) =>
    connectionsOf(requirement, { description, own, taken }),
  );
  for (const { schemes } of connections)
    for (const scheme of schemes) if (scheme.kind === "apiKey") parameters.add(plainName(scheme.parameter));
  return { connections, parameters, missing };
}

function securityOf(
  operation: ApiOperation,
  description: ApiDescription,
): readonly SecurityRequirement[] | undefined {
  return operation.security ?? description.security;
}

function idOf(requirement: SecurityRequirement): string {
  return requirement
    .map(({ scheme }) => scheme)
    .sort()
    .join(" + ");
}

/** An operation without security, or with an empty requirement, can be called anyhow. */
function isCallable(operation: ApiOperation, id: string, description: ApiDescription): boolean {
  const security = securityOf(operation, description);
  if (security === undefined || security.length === 0) return true;
  return security.some((requirement) => requirement.length === 0 || idOf(requirement) === id);
}

function requirementWords(operation: ApiOperation, description: ApiDescription): string {
  return (securityOf(operation, description) ?? []).map(idOf).join(" or ");
}

function alternativesOf(description: ApiDescription, lists: readonly ApiOperation[]): readonly Alternative[] {
  const known = new Set(description.schemes.map(({ name }) => name));
  const found = new Map<string, Alternative>();
  const stated = [...(description.security ?? []), ...lists.flatMap(({ security }) => security ?? [])];
  // Without any requirement the schemes themselves are the alternatives.
  const all =
    stated.length > 0 ? stated : description.schemes.map(({ name }) => [{ scheme: name, scopes: [] }]);
  for (const requirement of all) {
    if (requirement.length === 0 || !requirement.every(({ scheme }) => known.has(scheme))) continue;
    const id = idOf(requirement);
    if (found.has(id)) continue;
    const count = lists.filter((list) => isCallable(list, id, description)).length;
    found.set(id, { id, requirement, count });
  }
  return [...found.values()];
}

function connectionsOf(
  requirement: SecurityRequirement,
  place: {
    readonly description: ApiDescription;
    readonly own: readonly ApiOperation[];
    readonly taken: Set<string>;
  },
): readonly PlannedConnection[] {
  const { description, own, taken } = place;
  const schemes = description.schemes.filter(({ name }) => requirement.some(({ scheme }) => scheme === name));
  const at = schemes.map((scheme) => scheme.at);
  const [only, another] = schemes;
  if (only === undefined) return [];
  const named = (auth: AuthDecision): PlannedConnection => ({
    name: unique(connectionName(only.name), taken),
    auth,
    schemes,
  });
  // The flows of one authorization server are often written as several schemes.
  const oauth = schemes.flatMap((scheme) => (scheme.kind === "oauth2" ? [scheme] : []));
  if (oauth.length === schemes.length) return oauthConnections(oauth, { description, own }).map(named);
  if (another !== undefined) {
    const evidence = `${schemes.map(({ name }) => quoted(name)).join(" and ")} are used together`;
    return [named({ state: "sure", value: { authType: "Custom" }, evidence, at })];
  }
  return only.kind === "oauth2" ? [] : [named(ofScheme(only))];
}

/** A decision for each flow that a definition can have; else one that says that there is none. */
function oauthConnections(
  schemes: readonly OAuthScheme[],
  { description, own }: { readonly description: ApiDescription; readonly own: readonly ApiOperation[] },
): readonly AuthDecision[] {
  const found = schemes.flatMap((scheme) => {
    const scopes = scopesOf(scheme.name, own, description);
    return scheme.flows.map((flow) => ofFlow(flow, scopes, scheme)).filter((auth) => auth !== undefined);
  });
  if (found.length > 0) return found;
  const kinds = schemes.flatMap(({ flows }) => flows.map(({ kind }) => kind)).join(", ");
  const evidence = `OAuth 2 by the flow ${kinds === "" ? "that the document does not say" : kinds} has no definition of its own`;
  return [{ state: "middle", value: { authType: "Custom" }, evidence, at: schemes.map(({ at }) => at) }];
}

/** A definition is called as its scheme is, but not so that its handler is called as one of the package's. */
function connectionName(scheme: string): string {
  const name = classIdentifier(scheme);
  return /^(?:basic|apiKey|header|codeFlow|clientCredentials)$/i.test(name) ? `${name}Auth` : name;
}

/** The scopes that the lists which are taken need. */
function scopesOf(
  scheme: string,
  lists: readonly ApiOperation[],
  description: ApiDescription,
): readonly string[] {
  const scopes = lists
    .flatMap((list) => securityOf(list, description) ?? [])
    .flatMap((requirement) => requirement.filter((part) => part.scheme === scheme))
    .flatMap((part) => part.scopes);
  return [...new Set(scopes)].sort();
}

function ofFlow(
  flow: OAuthFlow,
  scopes: readonly string[],
  { name, at }: SecurityScheme,
): AuthDecision | undefined {
  const { kind, authorizationUrl, tokenUrl } = flow;
  const evidence = `${quoted(name)} is OAuth 2 by the flow ${kind}`;
  if (kind === "authorizationCode")
    return {
      state: "sure",
      value: { authType: "OAuth2CodeFlow", authorizationUrl, tokenUrl, scopes },
      evidence,
      at: [at],
    };
  if (kind === "clientCredentials")
    return {
      state: "sure",
      value: { authType: "OAuth2ClientCredentials", tokenUrl, scopes },
      evidence,
      at: [at],
    };
  return undefined;
}

function ofScheme(scheme: Exclude<SecurityScheme, OAuthScheme>): AuthDecision {
  const at = [scheme.at];
  const name = quoted(scheme.name);
  switch (scheme.kind) {
    case "basic":
      return { state: "sure", value: { authType: "Basic" }, evidence: `${name} is HTTP basic`, at };
    case "bearer":
      return { state: "sure", value: BEARER, evidence: `${name} is HTTP bearer`, at };
    case "other":
      return { state: "middle", value: { authType: "Custom" }, evidence: `${name} is ${scheme.what}`, at };
    case "apiKey":
      return ofKey(scheme);
    default:
      return scheme satisfies never;
  }
}

function ofKey({ name: given, in: place, parameter, description, at: stated }: KeyScheme): AuthDecision {
  const at = [stated];
  const name = quoted(given);
  if (place === "cookie")
    return { state: "middle", value: { authType: "Custom" }, evidence: `${name} is a cookie`, at };
  const isBearer =
    place === "header" && plainName(parameter) === "authorization" && /\bbearer\b/i.test(description);
  const evidence = `${name} is a key in the ${place === "query" ? "parameter" : "header"} ${parameter}`;
  if (isBearer)
    return {
      state: "middle",
      value: BEARER,
      evidence: `${evidence}, and its description speaks of Bearer`,
      at,
    };
  return { state: "sure", value: { authType: "ApiKey", in: place, parameter, prefix: "" }, evidence, at };
}

const BEARER: PlannedAuth = {
  authType: "ApiKey",
  in: "header",
  parameter: "Authorization",
  prefix: "Bearer ",
};

/** Four of ten documents have no scheme; some of those have a parameter that looks like one. */
function withoutSchemes({ operations }: ApiDescription): AuthDecision {
  const credential = operations
    .flatMap(({ parameters }) => parameters)
    .find(
      ({ in: place, name }) =>
        (place === "header" || place === "query") &&
        (isSecretName(name) || plainName(name) === "authorization"),
    );
  if (credential === undefined)
    return {
      state: "ask",
      value: { authType: "Custom" },
      evidence: "the document does not say how calls are signed",
      at: [],
    };
  const { name, at, description } = credential;
  const place = credential.in === "query" ? "query" : "header";
  const prefix = plainName(name) === "authorization" && /\bbearer\b/i.test(description) ? "Bearer " : "";
  return {
    state: "middle",
    value: { authType: "ApiKey", in: place, parameter: name, prefix },
    evidence: `the document has no scheme; the parameter ${quoted(name)} looks like one`,
    at: [at],
  };
}

/** Where a document was made, or nowhere. */
const LOCAL = /^https?:\/\/(?:localhost|127\.|0\.0\.0\.0|\[::1\])/i;

/** Where the API is. What differs between users, they enter. */
export function decideAddress({ servers }: ApiDescription): Decision<PlannedAddress> {
  const [first, ...others] = servers;
  if (first === undefined)
    return {
      state: "middle",
      value: { kind: "property", example: "" },
      evidence: "the document names no address, so the user enters it",
      at: [],
    };
  const at = [first.at];
  const url = first.variables.reduce(
    (text, { name, defaultValue }) =>
      defaultValue === "" ? text : text.replaceAll(`{${name}}`, defaultValue),
    first.url,
  );
  const entered = (evidence: string): Decision<PlannedAddress> => ({
    state: "sure",
    value: { kind: "property", example: url },
    evidence: `${evidence}, so the user enters the address`,
    at,
  });
  if (!/^https?:\/\//i.test(first.url) && !first.url.startsWith("{"))
    return entered(`${quoted(first.url)} has no host`);
  if (first.url.includes("{")) return entered(`${quoted(first.url)} differs between users`);
  if (LOCAL.test(first.url) || isPlaceholderAddress(first.url))
    return entered(`${quoted(first.url)} is a placeholder`);
  if (!URL.canParse(first.url)) return entered(`${quoted(first.url)} is no address`);
  if (others.length > 0)
    return {
      state: "middle",
      value: { kind: "fixed", url },
      evidence: `the first of ${servers.length} servers; the others are ${others.map((server) => server.url).join(", ")}`,
      at,
    };
  return { state: "sure", value: { kind: "fixed", url }, evidence: "the only server", at };
}
