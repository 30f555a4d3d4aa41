/** The connection of a fake target system: properties that fit, and what the connector was seen to send with them. */
import { isJsonObject } from "../../schemas/json.js";
import { httpOf } from "../declared/calls.js";
import type { CallingClient } from "../declared/declaration.js";
import { sensitiveValues } from "../records/masking.js";
import type { RecordType } from "../records/record-type.js";
import { typedRecord } from "../records/typed-record.js";
import type { ConnectionContainer } from "../registration/connection-contracts.js";
import type { IncomingResponse, OutgoingRequest, Transport } from "../registration/http-messages.js";
import type { ConnectorRegistration } from "../registration/registration.js";
import { safeGet } from "../untrusted.js";
import { createRecordMaker, type FakeRecord, type GenerateValue } from "./fake-records.js";
import { SIGN_IN_PATH, TOKEN_PATH } from "./fake-transport.js";
import type { TokenClient } from "./token-provider.js";

/** What is known of a connector's calls before the first one is made. */
export interface FakeConnection {
  readonly container: ConnectionContainer;
  /** The same with other secrets; undefined if it has none. */
  readonly strange: ConnectionContainer | undefined;
  /** With serialized names. */
  readonly registrationConfiguration: FakeRecord;
  /** The path of the base address, without a trailing `/`. */
  readonly basePath: string;
  /** What every call has to bring; empty if nothing was seen. */
  readonly credentials: readonly Credential[];
  /** Who asks for tokens; undefined if nobody does. */
  readonly tokenClient: Omit<TokenClient, "lifeSeconds"> | undefined;
  /** What the connection test asks for: method and path below the base address. */
  readonly tested: readonly string[];
  /** What could not be found out, for the author. */
  readonly notes: readonly string[];
}

/** A header or a parameter of the query that differs with the connection. */
export interface Credential {
  readonly in: "header" | "query";
  readonly name: string;
  /** Undefined if it differs with each call too, such as a signature. */
  readonly value: string | undefined;
}

/** What was seen of a connection without a call. */
export interface SeenConnection {
  /** The same with other secrets; undefined if it has none. */
  readonly strange: ConnectionContainer | undefined;
  /** What every call brings; empty if nothing was seen. */
  readonly credentials: readonly Credential[];
  /** Whether tokens are asked for. */
  readonly hasTokens: boolean;
}

/** Looks at the calls that a connector makes with a connection; none of them goes to the network. Undefined if nobody can. */
export async function seenConnection(
  registration: ConnectorRegistration,
  container: ConnectionContainer,
  registrationConfiguration: unknown,
): Promise<SeenConnection | undefined> {
  const { key, properties: type } = definitionOf(registration, container.DefinitionKey);
  const properties = JSON.parse(container.Configuration) as FakeRecord;
  const others = withOtherSecrets(type, properties);
  const { configuration, configurationClass } = registration;
  const typed = configurationClass ?? typedRecord<object, object, object>(configuration);
  const settings = typed.from((registrationConfiguration ?? {}) as never) as object;
  const [first, again, other] = await Promise.all(
    [properties, properties, others].map((from) => observed(containerOf(key, from), settings, registration)),
  );
  if (first === undefined) return undefined;
  const hasTokens = first.tokenRequests.length > 0;
  return {
    strange: others === properties ? undefined : containerOf(key, others),
    credentials: hasTokens ? [] : credentialsIn(first, again, other),
    hasTokens,
  };
}

/** @throws TypeError if there is none. */
function definitionOf({ connections }: ConnectorRegistration, wanted: string | undefined) {
  const definition = connections.find(({ key }) => wanted === undefined || key === wanted);
  if (definition !== undefined) return definition;
  const known = connections.map(({ key }) => key).join(", ");
  throw new TypeError(`The connector has no connection definition "${wanted}": it has ${known}.`);
}

export interface FakeConnectionOptions {
  readonly registration: ConnectorRegistration;
  readonly definitionKey: string | undefined;
  /** Properties in place of those that are made. */
  readonly properties: FakeRecord;
  readonly registrationConfiguration: unknown;
  /** Where the fake is. */
  readonly origin: string;
  readonly generate: GenerateValue;
  readonly seed: number;
}

/** Makes a connection and looks at the calls that the connector makes with it; none of them goes to the network. */
export async function createFakeConnection(options: FakeConnectionOptions): Promise<FakeConnection> {
  const { registration, definitionKey, generate, seed } = options;
  const { key: DefinitionKey, properties: type } = definitionOf(registration, definitionKey);
  const settings = settingsOf(options);
  const made = createRecordMaker(generate, type, { seed }).next() ?? {};
  const properties = withAddress(type, connectionProperties(type, made, options), {
    DefinitionKey,
    settings,
    options,
  });
  const others = withOtherSecrets(type, properties);
  const container = containerOf(DefinitionKey, properties);
  const strange = others === properties ? undefined : containerOf(DefinitionKey, others);
  const registrationConfiguration = settings.json;
  const observe = (from: FakeRecord) =>
    observed(containerOf(DefinitionKey, from), settings.typed, registration);
  const [first, again, other] = await Promise.all([properties, properties, others].map(observe));
  if (first === undefined) {
    const note = `The API client has no member "http", so nobody knows what its calls bring: every call is let in.`;
    const { basePath } = openedAt(options, container, settings.typed);
    const nothing = { credentials: [], tokenClient: undefined, tested: [] };
    return { container, strange, registrationConfiguration, basePath, ...nothing, notes: [note] };
  }
  const tokenClient = tokenClientOf(first.tokenRequests[0]);
  const credentials = tokenClient === undefined ? credentialsIn(first, again, other) : [];
  const isOpen = tokenClient === undefined && credentials.length === 0;
  const note = `Calls with other properties of ${DefinitionKey} look the same: every call is let in.`;
  return {
    ...{ container, strange, registrationConfiguration, credentials, tokenClient },
    basePath: first.basePath,
    tested: first.tested,
    notes: isOpen ? [note] : [],
  };
}

/** The registration configuration, as it is given or made. */
interface Settings {
  readonly json: FakeRecord;
  readonly typed: object;
}

function settingsOf({
  registration,
  registrationConfiguration,
  generate,
  seed,
}: FakeConnectionOptions): Settings {
  const { configuration, configurationClass } = registration;
  const json = registrationConfiguration ?? createRecordMaker(generate, configuration, { seed }).next() ?? {};
  const type = configurationClass ?? typedRecord<object, object, object>(configuration);
  return { json: json as FakeRecord, typed: type.from(json) as object };
}

function containerOf(DefinitionKey: string, properties: FakeRecord): ConnectionContainer {
  return { DefinitionKey, Configuration: JSON.stringify(properties) };
}

/** What is said of properties by their standard names; undefined leaves one out. */
function standardValues(origin: string): FakeRecord {
  return {
    connectionEnvironment: 1,
    clientId: "fake-client",
    tokenUrl: origin + TOKEN_PATH,
    authorizationUrl: origin + SIGN_IN_PATH,
    refreshUrl: undefined,
    scope: undefined,
    clientAuthentication: undefined,
  };
}

/** The properties with readable values, where these fit. */
function connectionProperties(
  type: RecordType,
  made: FakeRecord,
  { origin, properties }: FakeConnectionOptions,
): FakeRecord {
  const standard = standardValues(origin);
  let current = made;
  for (const name of Object.keys(membersOf(type))) {
    const candidates = name in standard ? [standard[name]] : [`fake-${name}`];
    const fitting = candidates
      .map((value) => ({ ...current, [name]: value }))
      .find((value) => fits(type, value));
    if (fitting !== undefined) current = fitting;
  }
  return { ...current, ...properties };
}

/** As it is when it was written and read again. */
function fits(type: RecordType, properties: FakeRecord): boolean {
  return type.check(JSON.parse(JSON.stringify(properties)));
}

function membersOf({ schema }: RecordType): FakeRecord {
  const properties = safeGet(schema, "properties");
  return isJsonObject(properties) ? properties : {};
}

/** The address of the fake in the property that holds the base address, if there is one. */
function withAddress(
  type: RecordType,
  properties: FakeRecord,
  {
    DefinitionKey,
    settings,
    options,
  }: { readonly DefinitionKey: string; readonly settings: Settings; readonly options: FakeConnectionOptions },
): FakeRecord {
  const { origin } = options;
  const texts = Object.keys(membersOf(type)).filter((name) => !(name in options.properties));
  for (const name of texts) {
    const moved = { ...properties, [name]: origin };
    if (!fits(type, moved)) continue;
    const base = baseUrlOf(options, containerOf(DefinitionKey, moved), settings.typed);
    if (base?.startsWith(origin) === true) return moved;
  }
  return properties;
}

function openedAt(
  options: FakeConnectionOptions,
  container: ConnectionContainer,
  typed: object,
): { readonly basePath: string } {
  const base = baseUrlOf(options, container, typed);
  return { basePath: base === undefined || !URL.canParse(base) ? "" : pathOf(new URL(base)) };
}

/** The base address of the generated connection class (§2.1). Returns undefined if these properties give none. */
function baseUrlOf(
  { registration }: FakeConnectionOptions,
  container: ConnectionContainer,
  registrationConfiguration: object,
): string | undefined {
  try {
    const { connection } = registration.clientHelper(container, {
      registrationConfiguration: registrationConfiguration as never,
      transport: () => answerNothing,
    });
    const base = safeGet(connection, "BaseUrl");
    return typeof base === "string" ? base : undefined;
  } catch {
    return undefined;
  }
}

function pathOf({ pathname }: URL): string {
  return pathname.replace(/\/+$/, "");
}

/** Other secrets of the same kind: what differs then is a credential. */
function withOtherSecrets(type: RecordType, properties: FakeRecord): FakeRecord {
  let current = properties;
  for (const [name, value] of Object.entries(properties)) {
    const isSecret = sensitiveValues({ [name]: value }, type.schema).length > 0;
    if (!isSecret || typeof value !== "string") continue;
    const turned = value.replace(/[a-z0-9]/gi, (character) => OTHER[character] ?? character);
    const fitting = [`${value}2`, `other-${name}`, turned]
      .map((text) => ({ ...current, [name]: text }))
      .find((candidate) => fits(type, candidate));
    if (fitting !== undefined) current = fitting;
  }
  return current;
}

/** Another letter for a letter, another digit for a digit. */
const OTHER: Readonly<Record<string, string>> = Object.fromEntries(
  ["abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"].flatMap((row) =>
    [...row].map((character, index) => [character, row[(index + 1) % row.length] ?? character]),
  ),
);

/** What a connector was seen to do. */
interface Observed {
  readonly basePath: string;
  /** A call of the root. */
  readonly call: OutgoingRequest | undefined;
  readonly tokenRequests: readonly OutgoingRequest[];
  readonly tested: readonly string[];
}

/** Returns undefined for a client that may not go through the transport: its calls could reach the real system. */
async function observed(
  container: ConnectionContainer,
  registrationConfiguration: object,
  { clientHelper, connectionTestHandler }: ConnectorRegistration,
): Promise<Observed | undefined> {
  const seen: OutgoingRequest[] = [];
  const transport: Transport = () => async (request) => {
    seen.push(request);
    return answerTo(request);
  };
  const settings = registrationConfiguration as never;
  const services = clientHelper(container, { registrationConfiguration: settings, transport });
  const http = clientOf(services.client);
  if (http === undefined) return undefined;
  const base = new URL(http.address(""));
  await http.get("").catch(() => undefined);
  const [call] = seen.filter(({ purpose }) => purpose === "call");
  seen.splice(0, seen.length, ...seen.filter(({ purpose }) => purpose === "token"));
  const { signal } = new AbortController();
  const context = { ...services, registrationConfiguration: settings, signal } as never;
  await Promise.resolve(connectionTestHandler(context)).catch(() => undefined);
  const tested = seen
    .filter(({ purpose }) => purpose === "call")
    .map(({ method, url }) => {
      const path = pathOf(new URL(url));
      return `${method} ${path.startsWith(pathOf(base)) ? path.slice(pathOf(base).length) : path}`;
    });
  return {
    basePath: pathOf(base),
    call,
    tokenRequests: seen.filter(({ purpose }) => purpose === "token"),
    tested: [...new Set(tested)],
  };
}

function clientOf(client: unknown) {
  try {
    return httpOf("fake target", client as CallingClient);
  } catch {
    return undefined;
  }
}

async function answerNothing(request: OutgoingRequest): Promise<IncomingResponse> {
  return answerTo(request);
}

function answerTo({ purpose, url }: OutgoingRequest): IncomingResponse {
  const token = { access_token: "observed", token_type: "Bearer", expires_in: 3_600 };
  const body = Buffer.from(JSON.stringify(purpose === "token" ? token : {}));
  return { url, statusCode: 200, headers: { "content-type": "application/json" }, body, close: () => {} };
}

/** Headers and parameters that are others with other secrets. */
function credentialsIn(
  first: Observed,
  again: Observed | undefined,
  other: Observed | undefined,
): readonly Credential[] {
  const [one, two, three] = [first, again, other].map((each) => placesIn(each?.call));
  const found: Credential[] = [];
  for (const [place, value] of one ?? []) {
    if (three?.get(place) === value) continue;
    const [, kind, name = ""] = /^(header|query) (.*)$/s.exec(place) ?? [];
    const isSame = two?.get(place) === value;
    found.push({ in: kind === "query" ? "query" : "header", name, value: isSame ? value : undefined });
  }
  return found;
}

function placesIn(request: OutgoingRequest | undefined): ReadonlyMap<string, string> {
  if (request === undefined) return new Map();
  const headers = Object.entries(request.headers).map(([name, value]) => [`header ${name}`, value] as const);
  const query = [...new URL(request.url).searchParams].map(
    ([name, value]) => [`query ${name}`, value] as const,
  );
  return new Map([...headers, ...query]);
}

function tokenClientOf(request: OutgoingRequest | undefined): FakeConnection["tokenClient"] {
  if (request === undefined) return undefined;
  const form = new URLSearchParams(typeof request.body === "string" ? request.body : "");
  const [, encoded = ""] = /^Basic (.*)$/i.exec(request.headers["authorization"] ?? "") ?? [];
  const [id = "", secret] = Buffer.from(encoded, "base64").toString("utf8").split(/:(.*)/s);
  const decoded = (text: string) => new URLSearchParams(`text=${text}`).get("text") ?? text;
  return {
    clientId: form.get("client_id") ?? decoded(id),
    clientSecret: form.get("client_secret") ?? (secret === undefined ? undefined : decoded(secret)),
    refreshToken: form.get("refresh_token") ?? undefined,
  };
}
