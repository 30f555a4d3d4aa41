/** A target system that is made from a connector alone: a real HTTP server on loopback, for tests. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isJsonObject } from "../../schemas/json.js";
import { didYouMean } from "../../schemas/naming/nearest.js";
import { variablesIn } from "../declared/calls.js";
import type { AnyReaderDeclaration, DeclaredReader, ParentReader } from "../declared/declaration.js";
import type { AnyHandlerDeclaration } from "../declared/handler-declaration.js";
import type { RecordType } from "../records/record-type.js";
import type { ConnectionContainer } from "../registration/connection-contracts.js";
import type { Transport } from "../registration/http-messages.js";
import type { ConnectorRegistration, RegisteredObject } from "../registration/registration.js";
import { errorMessage, safeGet } from "../untrusted.js";
import { createActing, type FakeAction, lookedUp, reread, rereadCall } from "./action-answers.js";
import { createExport } from "./export-answers.js";
import { createFakeConnection, type FakeConnection } from "./fake-connection.js";
import {
  createRecordMaker,
  type FakeRecord,
  type FakeValues,
  type GenerateValue,
  keysOf,
  keyText,
  loadGenerator,
  seedOf,
} from "./fake-records.js";
import { type FakeSettings, fakeServices } from "./fake-settings.js";
import { FACTS_PATH, SIGN_IN_PATH, TOKEN_PATH, transportTo } from "./fake-transport.js";
import type { FaultName, FaultPlan } from "./fault-names.js";
import { createFaults, type Strike, type StruckBy, send, type WrittenAnswer } from "./faults.js";
import {
  createHeldObjects,
  type HeldObject,
  type HeldRecord,
  type ListedObject,
  parentSources,
  TakenKeyError,
} from "./held-objects.js";
import {
  type AskedList,
  BadRequestError,
  type FakeAnswer,
  type FakeList,
  type FakeLists,
  hasConstants,
  listAnswer,
  pageOf,
} from "./list-answers.js";
import { createRateWindow, type FakeRate } from "./rate-window.js";
import { startTokenProvider, type TokenProvider } from "./token-provider.js";

/** How a fake target system is started. */
export interface FakeOptions {
  /**
   * The port on 127.0.0.1.
   * @default 0: any that is free
   */
  readonly port?: number | undefined;
  /**
   * How many records each data object has, or by the name of its class; a list below parents has as many over all of them.
   * @default 1000
   */
  readonly records?: number | Readonly<Record<string, number>> | undefined;
  /**
   * The same seed makes the same records and the same faults.
   * @default 1
   */
  readonly seed?: number | undefined;
  /**
   * The most records that a page has, whatever is asked for.
   * @default 100
   */
  readonly maxPageSize?: number | undefined;
  /**
   * How the lists of readers in code are asked for, by the name of the data object's class, as a declared reader says it.
   * @default none: such a list answers 404
   */
  readonly lists?: Readonly<Record<string, AnyReaderDeclaration>> | undefined;
  /**
   * Answers to other calls, by method and path below the base address: `GET /me`. They go before lists.
   * @default none: the call of the connection test answers 200
   */
  readonly routes?: Readonly<Record<string, FakeRoute>> | undefined;
  /**
   * Values of properties that can't be made from their schemas, by the name of the data object's class.
   * @default none
   */
  readonly values?: Readonly<Record<string, FakeValues>> | undefined;
  /**
   * The definition key of the connection.
   * @default the first one of the connector
   */
  readonly connection?: string | undefined;
  /**
   * Properties of the connection, by serialized name, in place of those that are made.
   * @default none
   */
  readonly properties?: object | undefined;
  /**
   * The registration configuration, with serialized names.
   * @default one that is made from its schema
   */
  readonly registrationConfiguration?: unknown;
  /**
   * How many requests are answered in a window of time; any more answer 429.
   * @default all
   */
  readonly rate?: FakeRate | undefined;
  /**
   * What goes wrong.
   * @default nothing
   */
  readonly faults?: readonly (FaultName | FaultPlan)[] | undefined;
  /**
   * How long access tokens live, in seconds.
   * @default 3600
   */
  readonly tokenLifeSeconds?: number | undefined;
  /** Called with each request when it was answered, or when its connection has ended. */
  readonly onRequest?: ((request: FakeRequest) => void) | undefined;
  /**
   * The time, in milliseconds since 1970.
   * @default Date.now
   */
  readonly now?: (() => number) | undefined;
}

/** Answers a call. */
export type FakeRoute = (call: FakeCall) => FakeReply | Promise<FakeReply>;

/** A call that came with the right credentials. */
export interface FakeCall {
  /** Values of the variables of the path. */
  readonly variables: Readonly<Record<string, string>>;
  /** The query. */
  readonly query: URLSearchParams;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** What was sent as JSON or as a form; undefined for nothing. */
  readonly body: unknown;
  /** What the target system holds of a data object, by the name of its class. @throws TypeError if there is none. */
  objectOf(name: string): FakeObject;
}

/** What is answered. */
export interface FakeReply {
  /**
   * HTTP status.
   * @default 200
   */
  readonly status?: number | undefined;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Written as JSON; undefined for an answer without a body. */
  readonly body?: unknown;
}

/** What a fake target system holds of a data object. */
export interface FakeObject {
  /** The records that exist, in the order of the list. */
  records(): readonly FakeRecord[];
  /** Adds a record; what is required and not given is made. @throws TakenKeyError for a key that another record has. */
  insert(given?: object): FakeRecord;
  /** Changes members of the record with this key, such as `id/7`. @throws RangeError if there is none. */
  change(key: string, members: object): FakeRecord;
  /** Deletes the record with this key, such as `id/7`. @throws RangeError if there is none. */
  remove(key: string): void;
}

/** A request that came. */
export interface FakeRequest {
  /** Counts the requests from 1 on; 0 for what is asked beside the API, such as a token. */
  readonly number: number;
  /** HTTP method. */
  readonly method: string;
  /** Path and query as they came. */
  readonly path: string;
  /** By lower-case name, credentials included. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** What was sent, as text. */
  readonly body: string;
  /** Status that was answered; 0 if there was no whole answer. */
  readonly status: number;
  /** The fault that struck it. */
  readonly fault: FaultName | undefined;
}

/** A fake target system that runs. */
export interface FakeTarget {
  /** `http://127.0.0.1:port`. */
  readonly origin: string;
  /** A connection that it lets in, for `connect` and `testConnection`; with the newest refresh token, if it has one. */
  readonly connection: ConnectionContainer;
  /** The configurations that belong to it, for `startConnector`: every data object and action is switched on. */
  readonly settings: FakeSettings;
  /**
   * Sends every call to it, whatever the base address of the connection is: give it to `connect` as `transport`. A
   * connection whose base address is a property needs none.
   */
  readonly transport: Transport;
  /** What it holds of a data object, by the name of its class. @throws TypeError if there is none. */
  objectOf(name: string): FakeObject;
  /** Everything that it answers: method and path, with variables. */
  readonly calls: readonly string[];
  /** What came so far, in order. */
  readonly requests: readonly FakeRequest[];
  /** Lets something go wrong from now on. */
  strike(plan: FaultPlan): void;
  /** The number that the next request will have. */
  nextNumber(): number;
  /** What can't be made or found out from the connector, a sentence each. */
  notes(): readonly string[];
  /** Ends all connections. */
  close(): Promise<void>;
}

const RECORDS = 1_000;
const MAX_PAGE_SIZE = 100;
const TOKEN_LIFE_SECONDS = 3_600;

/**
 * What `connectorcli fake start` starts with, from `fake.ts` of a project: the answers that nobody can know from the
 * connector alone.
 * @example
 * export const fake = defineFake({
 *   lists: { Project: { list: "GET /projects", items: "$", pages: { kind: "page", send: "page" } } },
 * });
 */
export function defineFake(options: FakeOptions): FakeOptions {
  return Object.freeze(options);
}

/**
 * Starts a target system on a loopback address, made from a connector alone: its declared readers, schemas and connection
 * definition. No call of the connector leaves the machine.
 * @throws TypeError for a name that the connector does not have; Error if OAuth 2 needs a package that is not installed.
 * @example
 * const fake = await startFake(registration, { records: 250, seed: 7, faults: [{ name: "resetInBody", at: [3] }] });
 * const connector = startConnector(registration, fake.settings);
 * const services = connect(connector, fake.connection, { transport: fake.transport });
 */
export async function startFake<Client>(
  registration: ConnectorRegistration<Client>,
  options: FakeOptions = {},
): Promise<FakeTarget> {
  const { seed = 1, now = Date.now, port = 0, lists = {}, records = RECORDS } = options;
  const connector = registration as ConnectorRegistration;
  const generate = await loadGenerator();
  const { objects, sources, typeOfReader } = listedObjects(connector, lists);
  const held = createHeldObjects({
    ...{ objects, typeOfReader, generate, seed, now },
    countOf: ({ name }) => (typeof records === "object" ? (records[name] ?? RECORDS) : records),
    valuesOf: ({ name }) => options.values?.[name],
  });
  let answer: Answering | undefined;
  const server = createServer((request, response) => void answer?.(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let tokens: TokenProvider | undefined;
  const close = async () => {
    tokens?.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  try {
    const connection = await createFakeConnection({
      ...{ registration: connector, origin, generate, seed },
      definitionKey: options.connection,
      properties: (options.properties ?? {}) as FakeRecord,
      registrationConfiguration: options.registrationConfiguration,
    });
    const { tokenClient } = connection;
    if (tokenClient !== undefined) {
      const { tokenLifeSeconds = TOKEN_LIFE_SECONDS } = options;
      tokens = await startTokenProvider({ ...tokenClient, lifeSeconds: tokenLifeSeconds });
    }
    const settings = {
      registrationConfiguration: connection.registrationConfiguration,
      services: fakeServices(connector, { generate, seed }),
    };
    const faults = createFaults(options.faults ?? [], seed);
    const requests: FakeRequest[] = [];
    const objectOf = createObjects(connector, held);
    const actions = declaredActions(connector, { held, typeOfReader, generate, seed });
    const routes = createRoutes({ sources, actions, held, typeOfReader, connection, options, objectOf });
    let number = 0;
    const currentConnection = () => withNewestToken(connection.container, tokens?.newestRefreshToken());
    answer = createAnswering({
      ...{ routes, connection, tokens, faults, requests, seed, now },
      rate: options.rate === undefined ? undefined : createRateWindow(options.rate, now),
      nextNumber: () => ++number,
      onRequest: options.onRequest,
      facts: () => ({ connection: currentConnection(), settings }),
    });
    return {
      ...{ origin, requests, objectOf, close },
      get connection() {
        return currentConnection();
      },
      settings,
      calls: [...new Set(routes.map(({ method, path }) => `${method} ${path}`))],
      transport: transportTo(origin),
      strike: faults.add,
      nextNumber: () => number + 1,
      notes: () => [
        ...connection.notes,
        ...notesOf(connector, sources),
        ...[...held.values()].flatMap(({ leftOut }) =>
          leftOut().map((text) => `${text} can't be made: it is left out.`),
        ),
      ],
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A connection whose refresh token was used holds the one that came in its place. */
function withNewestToken(container: ConnectionContainer, token: string | undefined): ConnectionContainer {
  const properties = JSON.parse(container.Configuration) as FakeRecord;
  if (token === undefined || typeof properties["refreshToken"] !== "string") return container;
  return { ...container, Configuration: JSON.stringify({ ...properties, refreshToken: token }) };
}

/** A list that a reader or its declaration asks for. */
interface ListSource extends Pick<FakeList, "declaration" | "isOfDeleted" | "deletedWhen"> {
  readonly type: RecordType;
}

interface Listed {
  readonly objects: readonly ListedObject[];
  readonly sources: readonly ListSource[];
  readonly typeOfReader: (reader: ParentReader) => RecordType | undefined;
}

/** Every object that is read, and every list that is asked for, those of parents too. */
function listedObjects(
  { modules }: ConnectorRegistration,
  lists: Readonly<Record<string, AnyReaderDeclaration>>,
): Listed {
  const registered = modules.flatMap(({ dataObjects }) => dataObjects);
  checkNames(Object.keys(lists), registered, "lists");
  const types = new Map<ParentReader, RecordType>();
  const objects = new Map<RecordType, ListedObject>();
  const sources: ListSource[] = [];
  const meet = (
    reader: ParentReader,
    type: RecordType | undefined,
    declaration: AnyReaderDeclaration | undefined,
  ) => {
    if (type === undefined || types.has(reader)) return;
    types.set(reader, type);
    if (objects.get(type)?.declaration === undefined) objects.set(type, { type, declaration });
    if (declaration === undefined) return;
    const { deletedWhen, deleted } = declaration;
    sources.push({ type, declaration, deletedWhen, isOfDeleted: false });
    if (deleted !== undefined)
      sources.push({ type, declaration: deleted, deletedWhen: undefined, isOfDeleted: true });
    for (const { source } of parentSources(declaration)) meetDeclared(source.reader);
  };
  const meetDeclared = (reader: ParentReader) => {
    if (isDeclared(reader)) meet(reader, reader.record, reader.declaration);
  };
  for (const { name, reader, record } of registered) {
    const declared = isDeclared(reader) ? reader.declaration : undefined;
    meet(reader, record, lists[name] ?? declared);
  }
  return { objects: [...objects.values()], sources, typeOfReader: (reader) => types.get(reader) };
}

function isDeclared(reader: ParentReader): reader is DeclaredReader<unknown> {
  return "declaration" in reader && "record" in reader;
}

function checkNames(names: readonly string[], objects: readonly RegisteredObject[], member: string): void {
  const known = objects.map(({ name }) => name);
  for (const name of names)
    if (!known.includes(name))
      throw new TypeError(`${member}: the connector has no data object "${name}".${didYouMean(name, known)}`);
}

function notesOf({ modules }: ConnectorRegistration, sources: readonly ListSource[]): readonly string[] {
  const inCode = modules.flatMap(({ actions }) =>
    actions
      .filter(({ handler }) => !isDeclaredHandler(handler))
      .map(
        ({ name, dataObject }) =>
          `${name} of ${dataObject} is performed by code: answer its calls in routes.`,
      ),
  );
  const ofLists = modules.flatMap(({ dataObjects }) =>
    dataObjects.flatMap(({ name, record, reader }) => {
      const source = sources.find(({ type }) => type === record);
      if (source === undefined)
        return [`${name} is read by code: say in lists how its list is asked for, or answer it in routes.`];
      const isChanged = isDeclared(reader) && reader.declaration.each !== undefined;
      return isChanged
        ? [`The reader of ${name} has each: its items are answered as the records that it yields.`]
        : [];
    }),
  );
  return [...ofLists, ...inCode];
}

/** What tests and routes see of the objects. */
function createObjects({ modules }: ConnectorRegistration, held: ReadonlyMap<RecordType, HeldObject>) {
  const registered = modules.flatMap(({ dataObjects }) => dataObjects);
  return (name: string): FakeObject => {
    checkNames([name], registered, "objectOf");
    const type = registered.find((object) => object.name === name)?.record;
    const object = type === undefined ? undefined : held.get(type);
    if (object === undefined) throw new TypeError(`Nothing is held of ${name}.`);
    const find = (key: string) => {
      const found = existing(object).find(({ record }) =>
        keysOf(object.type).some((each) => keyText(each, record) === key),
      );
      if (found === undefined) throw new RangeError(`No ${name} has the key ${key}.`);
      return found.ordinal;
    };
    return {
      records: () => existing(object).map(({ record }) => record),
      insert: (given = {}) => object.insert(given as FakeRecord).record,
      change: (key, members) => object.change(find(key), members as FakeRecord).record,
      remove: (key) => void object.remove(find(key)),
    };
  };
}

function existing(object: HeldObject): readonly HeldRecord[] {
  return object.all().filter(({ isDeleted }) => !isDeleted);
}

/** A call that is answered. */
interface Route {
  readonly method: string;
  /** With variables. */
  readonly path: string;
  readonly pattern: RegExp;
  readonly variables: readonly string[];
  /** Undefined for a route that lists nothing. */
  readonly list: FakeList | undefined;
  /** Whether a call to this address means this route; others may have the same address. */
  readonly isMeant: (asked: AskedList) => boolean;
  readonly answer: (
    asked: AskedList,
    strike: StrikeOfRequest | undefined,
  ) => FakeAnswer | Promise<FakeAnswer>;
}

/** What strikes a request, and what it strikes. */
interface StrikeOfRequest {
  readonly fault: StruckBy;
  readonly strike: Strike;
}

interface RouteOptions extends Pick<Listed, "sources">, FakeLists {
  readonly actions: readonly FakeAction[];
  readonly connection: FakeConnection;
  readonly options: FakeOptions;
  readonly objectOf: (name: string) => FakeObject;
}

/** In the order in which they are tried. */
function createRoutes({
  sources,
  actions,
  held,
  typeOfReader,
  connection,
  options,
  objectOf,
}: RouteOptions): readonly Route[] {
  const { basePath, tested } = connection;
  const own = Object.entries(options.routes ?? {}).map(([call, reply]) =>
    routeOf(call, basePath, async (asked) => {
      const { status = 200, headers = {}, body } = await reply({ ...asked, objectOf });
      return { status, headers, body };
    }),
  );
  const lists = sources.flatMap(({ type, ...source }) => {
    const object = held.get(type);
    if (object === undefined) return [];
    const { maxPageSize = MAX_PAGE_SIZE } = options;
    const list: FakeList = { ...source, object, held, typeOfReader, maxPageSize };
    const { list: call, pages } = source.declaration;
    if (pages.kind !== "export") return [routeOf(call, basePath, answerList(list), list)];
    const { start, calls } = createExport(list, pages, basePath);
    return [
      routeOf(call, basePath, answerList(list, start), list),
      ...calls.map(([other, reply]) => routeOf(other, basePath, reply)),
    ];
  });
  const acting = actions.flatMap((action) => actionRoutes(action, basePath));
  // What has fewer variables says more.
  const ordered = [...acting, ...lists].sort((a, b) => a.variables.length - b.variables.length);
  const probes = tested.map((call) =>
    routeOf(call, basePath, () => ({ status: 200, headers: {}, body: {} })),
  );
  return [...own, ...ordered, ...probes];
}

/** The call of an action, and those by which its handler looks up and reads what it has changed. */
function actionRoutes(action: FakeAction, basePath: string): readonly Route[] {
  const { call, idempotency } = action.declaration;
  const lookUp = idempotency !== undefined && "lookUp" in idempotency ? idempotency.lookUp : undefined;
  const readCall = rereadCall(action);
  return [
    {
      ...routeOf(call, basePath, createActing(action)),
      isMeant: (asked: AskedList) => hasConstants(action.declaration, asked),
    },
    ...(lookUp === undefined
      ? []
      : [
          {
            ...routeOf(lookUp.call, basePath, (asked) => lookedUp(action, lookUp, asked)),
            isMeant: ({ query }: AskedList) =>
              Object.keys(lookUp.query ?? {}).every((name) => query.has(name)),
          },
        ]),
    ...(readCall === undefined ? [] : [routeOf(readCall, basePath, (asked) => reread(action, asked))]),
  ];
}

/** The actions whose handlers are declared. */
function declaredActions(
  { modules }: ConnectorRegistration,
  {
    held,
    typeOfReader,
    generate,
    seed,
  }: FakeLists & { readonly generate: GenerateValue; readonly seed: number },
): readonly FakeAction[] {
  return modules.flatMap(({ dataObjects, actions }) =>
    actions.flatMap(({ dataObject, handler, output }) => {
      if (!isDeclaredHandler(handler)) return [];
      const { declaration } = handler;
      const { change = "none" } = declaration;
      const [operation = "none"] = typeof change === "string" ? [change] : Object.keys(change);
      const changed = typeof change === "string" ? undefined : Object.values(change)[0]?.type;
      const type = changed ?? dataObjects.find(({ name }) => name === dataObject)?.record;
      const object = [...held.values()].find((each) => each.type === type || each.type.name === type?.name);
      if (object === undefined) return [];
      const outputs = createRecordMaker(generate, output, { seed });
      const made = { declaration, object, operation: operation as FakeAction["operation"] };
      return [{ ...made, held, typeOfReader, output: () => outputs.next() ?? {} }];
    }),
  );
}

function isDeclaredHandler(handler: unknown): handler is { readonly declaration: AnyHandlerDeclaration } {
  return (
    typeof handler === "function" && typeof safeGet(safeGet(handler, "declaration"), "call") === "string"
  );
}

function answerList(list: FakeList, written: typeof listAnswer = listAnswer): Route["answer"] {
  const pages = new Map<string, readonly unknown[]>();
  return (asked, struck) => {
    // Pages of one list differ in their query and body only.
    const place = JSON.stringify(asked.variables);
    const strike = struck && { ...struck.strike, before: pages.get(place) ?? [] };
    if (strike !== undefined) struck?.fault.shift?.(strike);
    const page = pageOf(list, asked);
    if (page === undefined) return NOT_FOUND;
    pages.set(place, page.items);
    const changed = strike === undefined ? page : (struck?.fault.page?.(page, strike) ?? page);
    return written(list, asked, changed);
  };
}

const NOT_FOUND: FakeAnswer = {
  status: 404,
  headers: {},
  body: errorBody("There is nothing at this address."),
};

function errorBody(message: string) {
  return { error: { message } };
}

/** @param call Method and path below the base address, with variables. */
function routeOf(call: string, basePath: string, answer: Route["answer"], list?: FakeList): Route {
  const [method = "", template = ""] = call.split(/ (.*)/s);
  const [path = ""] = template.split("?");
  const whole = `${basePath}/${path.replace(/^\/+|\/+$/g, "")}`;
  const source = whole
    .split(/\{[^{}]*\}/)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("([^/]+)");
  return {
    method,
    path: whole,
    pattern: new RegExp(`^${source.replace(/\/$/, "")}/?$`),
    variables: variablesIn(path),
    list,
    isMeant: (asked) => list === undefined || hasConstants(list.declaration, asked),
    answer,
  };
}

type Answering = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

interface AnsweringOptions {
  readonly routes: readonly Route[];
  readonly connection: FakeConnection;
  readonly tokens: TokenProvider | undefined;
  readonly faults: ReturnType<typeof createFaults>;
  readonly requests: FakeRequest[];
  readonly seed: number;
  readonly now: () => number;
  readonly rate: ReturnType<typeof createRateWindow> | undefined;
  readonly nextNumber: () => number;
  readonly onRequest: FakeOptions["onRequest"];
  /** What it tells of itself. */
  readonly facts: () => object;
}

/** The order of a target system: rates, credentials, then what is asked for. */
function createAnswering(options: AnsweringOptions): Answering {
  const { faults, requests, seed, now, rate, nextNumber } = options;
  return async (request, response) => {
    const body = await textOf(request);
    const { method = "GET", url = "/", headers } = request;
    const beside = await answerBeside(options, request, body);
    const number = beside === undefined ? nextNumber() : 0;
    const fault = beside === undefined ? faults.at(number) : undefined;
    const seen = { number, method, path: url, headers, body, fault: fault?.name };
    const place = requests.push({ ...seen, status: 0 }) - 1;
    response.once("finish", () => {
      const request = { ...seen, status: response.statusCode };
      requests[place] = request;
      options.onRequest?.(request);
    });
    response.once("close", () => {
      if (!response.writableFinished) options.onRequest?.({ ...seen, status: 0 });
    });
    if (beside !== undefined) return send(response, beside);
    const verdict = rate?.();
    let picks = 0;
    const pick = (limit: number) => (limit < 1 ? 0 : seedOf(seed, number, picks++) % limit);
    const answer: FakeAnswer = await (verdict?.isRefused === true
      ? { status: 429, headers: {}, body: errorBody("Too many requests.") }
      : answerTo({ ...options, request, text: body, fault, pick }));
    const common = { date: new Date(now()).toUTCString(), ...verdict?.headers };
    const { body: content, file = fileOf(content) } = answer;
    const text = file?.text ?? "";
    const type = file === undefined ? {} : { "content-type": file.type };
    const written = { status: answer.status, headers: { ...common, ...type, ...answer.headers }, text };
    await (fault?.write ?? send)(response, written);
  };
}

/** Answers what is asked beside the API itself: the facts of the fake, a sign-in, a token. */
async function answerBeside(
  { tokens, facts }: AnsweringOptions,
  { method, url = "/", headers }: IncomingMessage,
  body: string,
): Promise<WrittenAnswer | undefined> {
  const json = { "content-type": "application/json" };
  if (url === FACTS_PATH) return { status: 200, headers: json, text: JSON.stringify(facts()) };
  if (tokens === undefined) return undefined;
  const [path = "", query = ""] = url.split("?");
  if (path === SIGN_IN_PATH)
    return { status: 302, headers: { location: `${tokens.authorizationUrl}?${query}` }, text: "" };
  if (method !== "POST" || path !== TOKEN_PATH) return undefined;
  const { status, text } = await tokens.grant(body, headers.authorization);
  return { status, headers: json, text };
}

function fileOf(content: unknown): FakeAnswer["file"] {
  return content === undefined ? undefined : { type: "application/json", text: JSON.stringify(content) };
}

interface AskedRequest extends AnsweringOptions {
  readonly request: IncomingMessage;
  readonly text: string;
  readonly fault: StruckBy | undefined;
  readonly pick: Strike["pick"];
}

async function answerTo(asked: AskedRequest): Promise<FakeAnswer> {
  const { request, fault, tokens, routes, pick } = asked;
  const address = addressOf(request);
  const bearer = /^Bearer (.*)$/i.exec(request.headers.authorization ?? "")?.[1] ?? "";
  if (fault?.endsToken === true) {
    if (tokens === undefined) return UNAUTHORIZED;
    await tokens.end(bearer);
  }
  const isLetIn = tokens === undefined ? hasCredentials(asked, address) : await tokens.isValid(bearer);
  if (!isLetIn) return UNAUTHORIZED;
  if (fault?.answer !== undefined) return fault.answer(address.href);
  try {
    const body = bodyOf(request, asked.text);
    const calls = callsFor(routes, request, { address, body });
    const found =
      calls.find(({ route, call }) => route.isMeant(call)) ??
      calls.find(({ route }) => route.list !== undefined);
    if (found === undefined) return NOT_FOUND;
    const { route, call } = found;
    const strike: Strike = { pick, object: route.list?.object, before: [] };
    const answer = await route.answer(call, fault && { fault, strike });
    return fault?.change?.(answer, strike) ?? answer;
  } catch (error) {
    if (error instanceof BadRequestError) return { status: 400, headers: {}, body: errorBody(error.message) };
    if (error instanceof TakenKeyError) return { status: 409, headers: {}, body: errorBody(error.message) };
    return { status: 500, headers: {}, body: errorBody(`The fake has failed: ${errorMessage(error)}`) };
  }
}

const UNAUTHORIZED: FakeAnswer = {
  status: 401,
  headers: { "www-authenticate": "Bearer" },
  body: errorBody("These credentials are not known."),
};

function hasCredentials({ connection, request }: AskedRequest, { searchParams }: URL): boolean {
  return connection.credentials.every(({ in: place, name, value }) => {
    const sent = place === "header" ? request.headers[name] : (searchParams.get(name) ?? undefined);
    return value === undefined ? sent !== undefined : sent === value;
  });
}

/** The address as the client knows it, by what the transport says. */
function addressOf({ url = "/", headers }: IncomingMessage): URL {
  const { host = "127.0.0.1", "x-forwarded-host": outerHost, "x-forwarded-proto": outerScheme } = headers;
  return new URL(url, `${outerScheme ?? "http"}://${outerHost ?? host}`);
}

/** The routes of an address, in the order in which they are tried. */
function callsFor(
  routes: readonly Route[],
  { method, headers }: IncomingMessage,
  { address, body }: { readonly address: URL; readonly body: unknown },
): readonly { readonly route: Route; readonly call: AskedList }[] {
  return routes.flatMap((route) => {
    const values = route.method === method ? route.pattern.exec(address.pathname)?.slice(1) : undefined;
    if (values === undefined) return [];
    const variables = Object.fromEntries(
      route.variables.map((name, index) => [name, decoded(values[index] ?? "")]),
    );
    return [
      { route, call: { variables, query: address.searchParams, headers, body, address: address.href } },
    ];
  });
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new BadRequestError("The path is not encoded well.");
  }
}

function bodyOf({ headers }: IncomingMessage, text: string): unknown {
  if (text === "") return undefined;
  if (headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true)
    return Object.fromEntries(new URLSearchParams(text));
  try {
    const body: unknown = JSON.parse(text);
    return isJsonObject(body) || Array.isArray(body) ? body : undefined;
  } catch {
    throw new BadRequestError("The body is no JSON.");
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
