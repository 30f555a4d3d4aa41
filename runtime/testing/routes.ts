/** What a fake target system can be asked for: the lists and actions that a connector declares, and what tests add. */

import type { IncomingMessage } from "node:http";
import { didYouMean } from "../../schemas/naming/nearest.js";
import { variablesIn } from "../../schemas/naming/path-variables.js";
import type { AnyReaderDeclaration, DeclaredReader, ParentReader } from "../declared/declaration.js";
import type { AnyHandlerDeclaration } from "../declared/handler-declaration.js";
import type { RecordType } from "../records/record-type.js";
import type { ConnectorRegistration, RegisteredObject } from "../registration/registration.js";
import { safeGet } from "../untrusted.js";
import {
  createActing,
  type FakeAction,
  lookedUp,
  operationOf,
  reread,
  rereadCall,
} from "./action-answers.js";
import { createExport } from "./export-answers.js";
import type { FakeConnection } from "./fake-connection.js";
import type { FakeObject, FakeOptions } from "./fake-options.js";
import { createRecordMaker, type FakeRecord, type GenerateValue, keysOf, keyText } from "./fake-records.js";
import type { Strike, StruckBy } from "./faults.js";
import { type HeldObject, type HeldRecord, type ListedObject, parentSources } from "./held-objects.js";
import {
  type AskedList,
  BadRequestError,
  type FakeAnswer,
  type FakeList,
  type FakeLists,
  FIRST_PAGE,
  hasConstants,
  listAnswer,
  pageOf,
} from "./list-answers.js";

const MAX_PAGE_SIZE = 100;

/** A list that a reader or its declaration asks for. */
export interface ListSource extends Pick<FakeList, "declaration" | "isOfDeleted" | "deletedWhen"> {
  readonly type: RecordType;
}

export interface Listed {
  readonly objects: readonly ListedObject[];
  readonly sources: readonly ListSource[];
  readonly typeOfReader: (reader: ParentReader) => RecordType | undefined;
}

/** Every object that is read, and every list that is asked for, those of parents too. */
export function listedObjects(
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

export function notesOf(
  { modules }: ConnectorRegistration,
  sources: readonly ListSource[],
): readonly string[] {
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
export function createObjects({ modules }: ConnectorRegistration, held: ReadonlyMap<RecordType, HeldObject>) {
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
export interface Route {
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
export interface StrikeOfRequest {
  readonly fault: StruckBy;
  readonly strike: Strike;
}

interface RouteOptions extends Pick<Listed, "sources">, FakeLists {
  readonly actions: readonly FakeAction[];
  readonly connection: FakeConnection;
  readonly options: FakeOptions;
  readonly objectOf: (name: string) => FakeObject;
  /** Called with everything that is asked of a list. */
  readonly onList: OnList | undefined;
}

/** Hears of what is asked of a list, before it is answered. */
export type OnList = (list: FakeList, asked: AskedList) => void;

/** In the order in which they are tried. */
export function createRoutes({
  sources,
  actions,
  held,
  typeOfReader,
  connection,
  options,
  objectOf,
  onList,
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
    if (pages.kind !== "export") return [routeOf(call, basePath, answerList(list, { onList }), list)];
    const { start, calls } = createExport(list, pages, basePath);
    return [
      routeOf(call, basePath, answerList(list, { written: start, onList }), list),
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
export function declaredActions(
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
      const [told = "none"] = typeof change === "string" ? [change] : Object.keys(change);
      const changed = typeof change === "string" ? undefined : Object.values(change)[0]?.type;
      const type = changed ?? dataObjects.find(({ name }) => name === dataObject)?.record;
      const object = [...held.values()].find((each) => each.type === type || each.type.name === type?.name);
      if (object === undefined) return [];
      const outputs = createRecordMaker(generate, output, { seed });
      // A target system acts, whether the cache is told of it or not.
      const operation = told === "none" ? operationOf(declaration.call, object) : told;
      const made = { declaration, object, operation: operation as FakeAction["operation"] };
      return [{ ...made, held, typeOfReader, output: () => outputs.next() ?? {} }];
    }),
  );
}

export function isDeclaredHandler(
  handler: unknown,
): handler is { readonly declaration: AnyHandlerDeclaration } {
  return (
    typeof handler === "function" && typeof safeGet(safeGet(handler, "declaration"), "call") === "string"
  );
}

function answerList(
  list: FakeList,
  {
    written = listAnswer,
    onList,
  }: { readonly written?: typeof listAnswer; readonly onList: OnList | undefined },
): Route["answer"] {
  const pages = new Map<string, readonly unknown[]>();
  return (asked, struck) => {
    onList?.(list, asked);
    // Pages of one list differ in their query and body only.
    const place = JSON.stringify(asked.variables);
    // What an earlier read has got as the last page is not the page before the first one.
    if (pageOf(list, asked)?.own === FIRST_PAGE) pages.delete(place);
    const strike = struck && { ...struck.strike, before: pages.get(place) ?? [] };
    if (strike !== undefined) struck?.fault.shift?.(strike);
    const page = pageOf(list, asked);
    if (page === undefined) return NOT_FOUND;
    pages.set(place, page.items);
    const changed = strike === undefined ? page : (struck?.fault.page?.(page, strike) ?? page);
    return written(list, asked, changed);
  };
}

export const NOT_FOUND: FakeAnswer = {
  status: 404,
  headers: {},
  body: errorBody("There is nothing at this address."),
};

/** How an error is told. */
export function errorBody(message: string) {
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

/** The routes of an address, in the order in which they are tried. */
export function callsFor(
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

/** The end of an address, with anything in place of variables. */
export function pathPattern(template: string): RegExp {
  const [path = ""] = template.split("?");
  const source = path
    .replace(/^\/+|\/+$/g, "")
    .split(/\{[^{}]*\}/)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("[^/]+");
  return new RegExp(`(?:^|/)${source}/?$`);
}
