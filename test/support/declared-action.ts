/** An action of items for declared handlers, and the context of its attempts, which keeps notes from one to the next. */
import { setTimeout as sleep } from "node:timers/promises";
import type { HttpClient } from "../../runtime/client/index.js";
import { type ActionClass, type RecordMethods, typedRecord } from "../../runtime/codegen/index.js";
import {
  type ActionTypes,
  type AnyHandlerDeclaration,
  actionKey,
  type CacheChange,
  type DeclaredActionContext,
  type DeclaredHandler,
  defineHandler,
  type IdempotencyNote,
  input,
  rest,
} from "../../runtime/entries/runtime.js";
import {
  type ActionEntry,
  type AttemptReport,
  enqueueAction,
  type ProcessorOptions,
  runActionProcessor,
  type StartedModule,
  type Store,
} from "../../runtime/host/index.js";
import { actionOf, FAST, type Handler, moduleOf } from "./action-processor.js";
import { ITEM, type Item, SILENT } from "./item-cache.js";
import { answerJson, clientAt, type SeenRequest, serve } from "./loopback.js";
import { objectSchema, recordType } from "./registration.js";

/** What the action is given. */
export type NewItem = {
  readonly company: string;
  readonly serial_number: string;
  readonly id?: number;
  readonly name?: string | null;
  readonly tags?: readonly string[];
  readonly address?: { readonly city?: string; readonly street?: string };
  readonly secret?: string;
};

/** What it gives. */
export interface NewItemOutput {
  readonly id: number;
  readonly company?: string;
  readonly name?: string | null;
}

/** Why it was refused. */
export interface NewItemFailure {
  readonly code?: string;
  readonly errors?: { readonly text?: string }[];
}

const TEXT = { type: "string" };

export class ItemClass extends typedRecord<object, Item, RecordMethods<Item>>(ITEM) {}
export class InputClass extends typedRecord<object, NewItem, RecordMethods<NewItem>>(
  recordType(
    "CreateItemInput",
    objectSchema(
      {
        company: TEXT,
        serial_number: TEXT,
        id: { type: "integer" },
        name: { type: ["string", "null"] },
        tags: { type: "array", items: TEXT },
        address: objectSchema({ city: TEXT, street: TEXT }),
        secret: { type: "string", writeOnly: true },
      },
      ["company", "serial_number"],
    ),
    { properties: [["serialNumber", "serial_number"]] },
  ),
) {}
export class OutputClass extends typedRecord<object, NewItemOutput, RecordMethods<NewItemOutput>>(
  recordType(
    "CreateItemOutput",
    objectSchema({ id: { type: "integer" }, company: TEXT, name: { type: ["string", "null"] } }, ["id"]),
  ),
) {}
export class FailureClass extends typedRecord<object, NewItemFailure, RecordMethods<NewItemFailure>>(
  recordType(
    "CreateItemFailure",
    objectSchema({ code: TEXT, errors: { type: "array", items: objectSchema({ text: TEXT }) } }),
  ),
) {}

/** As generated code has it. */
export const CreateItem: ActionClass<{
  input: NewItem;
  output: NewItemOutput;
  failure: NewItemFailure;
  dataObject: "Item";
  record: Item;
}> = Object.freeze({
  name: "CreateItem",
  input: InputClass,
  output: OutputClass,
  failure: FailureClass,
  dataObject: ItemClass,
});

export function newItem(id: number, more: Partial<NewItem> = {}): NewItem {
  return { company: "a", serial_number: `n${id}`, ...more };
}

/** The key of the action in every context. */
export const KEY = "0b4f1c1e-1111-8111-8111-0123456789ab";

/** An action whose attempts are made against `origin`. */
export function attemptsAt(origin: string, options: Parameters<typeof clientAt>[1] = {}) {
  const notes: IdempotencyNote[] = [];
  const warnings: string[] = [];
  const controller = new AbortController();
  return {
    notes,
    warnings,
    controller,
    /** The context of every attempt. */
    context: {
      client: clientAt(origin, options),
      connection: { Region: "eu 1" },
      registrationConfiguration: { Team: "t/1" },
      serviceConfiguration: {},
      settings: {},
      log: { ...SILENT, warn: (message) => void warnings.push(message) },
      signal: controller.signal,
      idempotency: {
        key: KEY,
        get previous() {
          return notes.at(-1) ?? null;
        },
        note: async (stage, detail) => {
          // As long as a store takes: who does not wait for it is seen.
          await sleep(2);
          notes.push({ stage, detail: detail ?? null });
        },
      },
    } satisfies DeclaredActionContext as DeclaredActionContext,
  };
}

/** A declared handler of any action. */
export type AnyHandler = DeclaredHandler<ActionTypes, CacheChange>;

/** The module whose one action is performed by `handler`. */
export function declaredModule(handler: AnyHandler): StartedModule {
  const module = moduleOf(handler as unknown as Handler);
  const { input, output, failure } = CreateItem;
  const types = { input: input.type, output: output.type, failure: failure.type };
  const action = { ...actionOf(module), ...types, inputClass: InputClass };
  return { ...module, actionProcessor: { ...module.actionProcessor, actions: [action] } };
}

/** Puts an action into the queue. */
export async function queueItem(store: Store, given: NewItem): Promise<ActionEntry> {
  const { outcome, ...queued } = await enqueueAction(actionOf(declaredModule(NOBODY)), given, {
    ledger: store.ledger,
  });
  if (outcome === "refused" || !("action" in queued)) throw new Error("it was refused");
  return queued.action;
}

const NOBODY = defineHandler(CreateItem, { call: "POST /nobody" });

/** Runs until nothing is due, with the real client. */
export async function performDeclared(
  store: Store,
  handler: AnyHandler,
  { client, ...options }: Partial<ProcessorOptions<HttpClient>> & { readonly client: HttpClient },
): Promise<readonly AttemptReport[]> {
  const attempts: AttemptReport[] = [];
  await runActionProcessor([declaredModule(handler)] as readonly StartedModule<HttpClient>[], {
    ...{ store, client, connection: {}, log: SILENT, signal: new AbortController().signal, retry: FAST },
    onAttempt: (attempt) => void attempts.push(attempt),
    ...options,
  });
  return attempts;
}

/** How a handler keeps from acting twice. */
export type OnceKind = "key" | "lookUp" | "alternateKey" | "put";
export const ONCE_KINDS: readonly OnceKind[] = ["key", "lookUp", "alternateKey", "put"];

const ONCE: Readonly<Record<OnceKind, AnyHandlerDeclaration>> = {
  key: { record: "$", change: "upsert", call: "POST /items", idempotency: { header: "Idempotency-Key" } },
  lookUp: {
    record: "$",
    change: "upsert",
    call: "POST /items",
    body: { ...rest, reference: actionKey },
    idempotency: {
      lookUp: {
        call: "GET /items",
        query: { reference: actionKey },
        items: "data",
        where: { reference: actionKey },
      },
    },
  },
  alternateKey: {
    record: "$",
    change: "upsert",
    call: "POST /items",
    idempotency: {
      lookUp: { call: "GET /items", items: "data", where: { serial_number: input("serial_number") } },
    },
  },
  put: {
    record: "$",
    change: "upsert",
    call: "PUT /items/{number}",
    path: { number: input("serial_number") },
    body: input("$"),
  },
};

/** A handler that creates an item, and never two for one action. */
export function onceHandler(kind: OnceKind): AnyHandler {
  return defineHandler(CreateItem, ONCE[kind] as never);
}

/** How a target system answers a request that changes something. */
export type Fault =
  /** It acts, and its answer arrives. */
  | "none"
  /** It acts, and its answer does not arrive. */
  | "acts, then breaks off"
  /** It acts, and says that it is overloaded. */
  | "acts, then 503"
  | "breaks off"
  | 401
  | 429
  | 503;

/** A target system over HTTP that creates and deletes items, and knows the keys that it has met. */
export async function serveItems(
  faultAt: (count: number) => Fault = () => "none",
  pause: () => Promise<unknown> = async () => {},
) {
  const items: Item[] = [];
  const answers = new Map<string, Item>();
  let writes = 0;
  let last = 0;
  const put = (request: SeenRequest): Item => {
    const key = String(request.headers["idempotency-key"] ?? "");
    const known = answers.get(key);
    if (known !== undefined) return known;
    const number =
      request.method === "PUT" ? decodeURIComponent(request.path.split("/")[2] ?? "") : undefined;
    const index = items.findIndex((each) => number !== undefined && each.serial_number === number);
    const created: Item = { ...(JSON.parse(request.body) as NewItem), id: items[index]?.id ?? ++last };
    items.splice(index === -1 ? items.length : index, index === -1 ? 0 : 1, created);
    if (key !== "") answers.set(key, created);
    return created;
  };
  const remove = ({ path }: SeenRequest): boolean => {
    const index = items.findIndex(({ id }) => String(id) === path.split("/")[2]);
    if (index !== -1) items.splice(index, 1);
    return index !== -1;
  };
  const loopback = await serve((request, response) => {
    if (request.method === "GET") return answerJson(response, { data: items });
    const fault = faultAt(++writes);
    if (fault === "breaks off") return void response.socket?.destroy();
    if (typeof fault === "number") return answerJson(response, {}, fault);
    const done = request.method === "DELETE" ? remove(request) : put(request);
    void pause().then(() => {
      if (fault === "acts, then breaks off") return void response.socket?.destroy();
      if (fault === "acts, then 503") return answerJson(response, {}, 503);
      if (done === false) return answerJson(response, { message: "There is no such item." }, 404);
      if (done === true) return void response.writeHead(204).end();
      answerJson(response, done, 201);
    });
  });
  return { ...loopback, items };
}
