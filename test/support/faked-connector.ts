/** A connector whose readers are declared, as a fake target system is made of it, and what it reads there. */
import { randomUUID } from "node:crypto";
import {
  apiKeyHandler,
  basicHandler,
  clientCredentialsHandler,
  codeFlowHandler,
  createClientHelper,
  type HttpClient,
  headerHandler,
  type Middleware,
  servicesOf,
} from "../../runtime/client/index.js";
import { type RecordMethods, type RecordType, typedRecord } from "../../runtime/codegen/index.js";
import {
  type ActionClass,
  type ActionTypes,
  type AnyHandlerDeclaration,
  type AnyReaderDeclaration,
  type ClientHost,
  type ConnectionContainer,
  type ConnectorRegistration,
  type DeclaredHandler,
  type DeclaredReader,
  defineHandler,
  defineReader,
  type Failed,
  findings,
  type RegisteredObject,
  type Succeeded,
} from "../../runtime/entries/runtime.js";
import { type FakeOptions, type FakeTarget, startFake } from "../../runtime/entries/testing.js";
import { connect, startConnector } from "../../runtime/host/index.js";
import { SILENT } from "./item-cache.js";

type Properties = Readonly<Record<string, unknown>>;

/** A record type of an object with these properties; `keys` are serialized names, the primary key first. */
export function typeOf(
  name: string,
  properties: Properties,
  {
    keys = [["id"]],
    required = Object.keys(properties),
  }: { readonly keys?: readonly (readonly string[])[]; readonly required?: readonly string[] } = {},
): RecordType {
  const schema = { type: "object", properties, required };
  return {
    ...{ name, schema, check: (value: unknown) => findings(schema, value).length === 0 },
    keys: keys.map((names, index) => ({
      name: index === 0 ? "id" : `key${index}`,
      isPrimary: index === 0,
      properties: names,
    })),
  };
}

/** A declared reader of records of this type. */
export function readerOf(type: RecordType, declaration: AnyReaderDeclaration): DeclaredReader<unknown> {
  const recordClass = class extends typedRecord<object, object, object>(type) {};
  return defineReader(recordClass as never, declaration as never);
}

/** A class of records of this type. */
function classOf(type: RecordType) {
  return class extends typedRecord<object, object, RecordMethods<object>>(type) {};
}

/** The standard failure, in short. */
const FAILURE = typeOf(
  "StandardFailure",
  { code: { type: "string" }, errors: { type: "array", items: { type: "object" } } },
  { keys: [] },
);

/** An action with its declared handler. */
export interface FakedAction {
  /** The type of the data object that it belongs to. */
  readonly object: RecordType;
  readonly input: RecordType;
  readonly output: RecordType;
  readonly declaration: AnyHandlerDeclaration;
}

/** A declared handler of an action. */
export function handlerOf(
  name: string,
  { object, input, output, declaration }: FakedAction,
): DeclaredHandler<ActionTypes> {
  const [inputClass, outputClass, failureClass, dataObject] = [input, output, FAILURE, object].map(classOf);
  const action = { name, input: inputClass, output: outputClass, failure: failureClass, dataObject };
  return defineHandler(
    action as unknown as ActionClass,
    declaration as never,
  ) as DeclaredHandler<ActionTypes>;
}

/** How a connector proves who it is. */
export interface FakedAuth {
  readonly properties: Properties;
  readonly required?: readonly string[];
  readonly handler: (connection: Readonly<Record<string, string>>, host: ClientHost) => Middleware;
}

const TEXT = { type: "string" };
const SECRET = { type: "string", writeOnly: true };

/** One of each auth type. */
export const AUTH_TYPES = {
  ApiKey: {
    properties: { apiKey: SECRET },
    handler: ({ apiKey = "" }) => apiKeyHandler({ key: apiKey, name: "key", in: "query" }),
  },
  Basic: {
    properties: { username: TEXT, password: SECRET },
    handler: ({ username = "", password = "" }) => basicHandler({ username, password }),
  },
  OAuth2CodeFlow: {
    properties: {
      clientId: TEXT,
      clientSecret: SECRET,
      tokenUrl: TEXT,
      authorizationUrl: TEXT,
      scope: TEXT,
      refreshToken: SECRET,
    },
    required: [],
    handler: ({ tokenUrl, clientId, clientSecret, refreshToken }, host) =>
      codeFlowHandler({ tokenUrl, clientId, clientSecret, refreshToken, clientAuthentication: "body" }, host),
  },
  OAuth2ClientCredentials: {
    properties: {
      clientId: TEXT,
      clientSecret: SECRET,
      tokenUrl: TEXT,
      clientAuthentication: { enum: ["header", "body"] },
    },
    required: [],
    handler: ({ tokenUrl, clientId, clientSecret }, host) =>
      clientCredentialsHandler({ tokenUrl, clientId, clientSecret }, host),
  },
  Custom: {
    properties: { apiToken: { ...SECRET, minLength: 8 }, region: { enum: ["north", "south"] } },
    handler: ({ apiToken }) => headerHandler({ name: "Authorization", value: () => `Token api=${apiToken}` }),
  },
} as const satisfies Readonly<Record<string, FakedAuth>>;

export interface FakedConnector {
  /** By the name of the data object. */
  readonly readers: Readonly<Record<string, DeclaredReader<unknown>>>;
  /** By their names in code. */
  readonly actions?: Readonly<Record<string, FakedAction>>;
  /** @default a key in the query */
  readonly auth?: FakedAuth;
  /** @default an address that nobody has */
  readonly baseUrl?: string;
  readonly configuration?: RecordType;
  /** @default 1 */
  readonly attempts?: number;
}

/** The registration of a connector, as generated code writes it. */
export function registrationOf({
  readers,
  actions = {},
  auth = AUTH_TYPES.ApiKey,
  baseUrl = "https://api.faked.invalid/v2",
  configuration = typeOf("RegistrationConfiguration", {}),
  attempts = 1,
}: FakedConnector): ConnectorRegistration<{ readonly http: HttpClient }> {
  const properties = typeOf("Connection", auth.properties, {
    keys: [],
    required: auth.required ?? Object.keys(auth.properties),
  });
  const connectionClass = class extends typedRecord<object, object, object>(properties) {
    readonly BaseUrl = baseUrl;
  };
  const service = typeOf("Configuration", {});
  const handler = (connection: object, host: ClientHost) => auth.handler(connection as never, host);
  return {
    ...{ name: "Faked", key: "faked", configuration },
    connections: [{ key: "anyAuth", properties }],
    modules: [
      {
        ...{ id: "app-1", actionProcessorConfiguration: service, cacheWriterConfiguration: service },
        actions: Object.entries(actions).map(([name, action]) => ({
          ...{ name, urlPart: name.toLowerCase(), dataObject: action.object.name },
          ...{ input: action.input, output: action.output, failure: FAILURE, switchName: `${name}Config` },
          handler: handlerOf(name, action) as never,
        })),
        dataObjects: Object.entries(readers).map(([name, reader]) => objectOf(name, reader)),
      },
    ],
    clientHelper: createClientHelper({
      definitions: { anyAuth: servicesOf(connectionClass, handler) },
      createClient: (http) => ({ http: http.at(baseUrl) }),
      retry: { maxAttempts: attempts },
    }),
    connectionTestHandler: ({ client }: { readonly client: { readonly http: HttpClient } }) =>
      client.http.get("me"),
  };
}

function objectOf(
  name: string,
  reader: DeclaredReader<unknown>,
): RegisteredObject<{ readonly http: HttpClient }> {
  const { since, deletedWhen } = reader.declaration;
  const readerType = since === undefined && deletedWhen === undefined ? "full" : "incremental";
  const place = { name, urlPart: name.toLowerCase(), dataPath: `faked/app/1/${name.toLowerCase()}` };
  return {
    ...place,
    readerType,
    record: reader.record,
    switchName: `${name}Config`,
    reader: reader as never,
  } as RegisteredObject<{ readonly http: HttpClient }>;
}

export interface FakedRun {
  readonly registration: ConnectorRegistration<{ readonly http: HttpClient }>;
  readonly fake: FakeTarget;
  /** The API client of a connection, by default the one that the fake lets in. */
  client(host?: ClientHost, connection?: ConnectionContainer): { readonly http: HttpClient };
  /** Everything that a reader yields, and the checkpoint that it saves. */
  read(
    reader: DeclaredReader<unknown>,
    checkpoint?: string | null,
    signal?: AbortSignal,
  ): Promise<{ readonly items: readonly unknown[]; readonly checkpoint: string | null }>;
  /** Performs an action once. */
  act(name: string, input: object, key?: string): Promise<Succeeded<unknown> | Failed<unknown>>;
}

const running = new Set<FakeTarget>();

/** A fake target system of a connector. */
export async function fakeOf(connector: FakedConnector, options: FakeOptions = {}): Promise<FakedRun> {
  const registration = registrationOf(connector);
  const fake = await startFake(registration, options);
  running.add(fake);
  const started = startConnector(registration, { ...fake.settings, log: SILENT });
  const open = (host: ClientHost = {}, connection = fake.connection) =>
    connect(started, connection, { transport: fake.transport, ...host });
  const services = open();
  const { signal: never } = new AbortController();
  const settings = {
    registrationConfiguration: started.configuration,
    serviceConfiguration: {},
    settings: {},
  };
  return {
    ...{ registration, fake },
    async act(name, input, key = randomUUID()) {
      const [{ actions = [] } = {}] = registration.modules;
      const handler = actions.find((action) => action.name === name)?.handler;
      const idempotency = { key, previous: null, note: async () => {} };
      const context = { ...services, ...settings, log: SILENT, signal: never, idempotency };
      if (handler === undefined) throw new Error(`there is no action ${name}`);
      return handler(input as never, context as never);
    },
    client: (host, connection) => open(host, connection).client,
    async read(reader, checkpoint = null, signal = never) {
      const items: unknown[] = [];
      let saved = checkpoint;
      const context = {
        ...services,
        ...settings,
        ...{ log: SILENT, signal, checkpoint, resumePoint: null },
        saveCheckpoint: (text: string) => {
          saved = text;
        },
        saveResumePoint: () => {},
      };
      for await (const item of reader(context as never)) items.push(item);
      return { items, checkpoint: saved };
    },
  };
}

/** For `afterEach`. */
export async function closeFakes(): Promise<void> {
  await Promise.all([...running].map((fake) => fake.close()));
  running.clear();
}
