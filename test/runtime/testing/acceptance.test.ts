/** Connectors with one mistake each at the acceptance suite, and sound ones beside them. */
import { setImmediate as eventLoopTurn } from "node:timers/promises";
import { expect } from "chai";
import type { HttpClient } from "../../../runtime/client/index.js";
import {
  type ActionContext,
  type ConnectorRegistration,
  failed,
  type ReaderContext,
  succeeded,
} from "../../../runtime/entries/runtime.js";
import {
  type AcceptanceOptions,
  type FakeOptions,
  observedProcess,
  runAcceptance,
  TakenKeyError,
} from "../../../runtime/entries/testing.js";
import { type FakedConnector, readerOf, registrationOf, typeOf } from "../../support/faked-connector.js";
import { SLOW_TEST_MS } from "../../support/repository.js";

const THING = typeOf("Thing", {
  id: { type: "integer" },
  name: { type: "string" },
  weight: { type: "number" },
});
const ENTRY = typeOf("Entry", {
  id: { type: "string" },
  changedAt: { type: "string", format: "date-time" },
  title: { type: "string", maxLength: 40 },
  gone: { type: "boolean" },
});

const things = readerOf(THING, {
  list: "GET /things",
  items: "data",
  pages: { kind: "cursor", send: "after", next: "next" },
});
const entries = readerOf(ENTRY, {
  list: "GET /entries",
  items: "data",
  pages: { kind: "cursor", send: "after", next: "next" },
  since: { property: "changedAt", send: "since" },
  deletedWhen: { property: "gone" },
});

interface Page {
  readonly data: Record<string, unknown>[];
  readonly next?: string | null;
}
type Context = ReaderContext<{ readonly http: HttpClient }>;
type Reader = (context: Context) => AsyncGenerator<unknown>;

type Client = { readonly http: HttpClient };
type Handler = (input: object, context: ActionContext<Client>) => Promise<unknown>;

interface Code {
  readonly things?: Reader;
  readonly entries?: Reader;
  /** Creates a thing. */
  readonly create?: Handler;
}

const INPUT = typeOf("CreateThingInput", { name: { type: "string" } }, { keys: [] });
const OUTPUT = typeOf("CreateThingOutput", { id: { type: "integer" } }, { keys: [] });
const FAILURE = typeOf(
  "StandardFailure",
  { code: { type: "string" }, errors: { type: "array", items: { type: "object" } } },
  { keys: [] },
);

/** A connector that does by this code what it does else by declarations. */
function connectorWith(code: Code, connector: Partial<FakedConnector> = {}): ConnectorRegistration {
  const readers = { Thing: things, Entry: entries };
  const registration = registrationOf({ readers, attempts: 4, ...connector });
  const modules = registration.modules.map((module) => ({
    ...module,
    dataObjects: module.dataObjects.map((object) => {
      const reader = object.name === "Thing" ? code.things : code.entries;
      return { ...object, reader: reader ?? object.reader } as typeof object;
    }),
    actions:
      code.create === undefined
        ? []
        : [
            {
              ...{
                name: "CreateThing",
                urlPart: "create",
                dataObject: "Thing",
                switchName: "CreateThingConfig",
              },
              ...{ input: INPUT, output: OUTPUT, failure: FAILURE, handler: code.create as never },
            },
          ],
  }));
  return { ...registration, modules } as ConnectorRegistration;
}

/** Answers calls that make a thing; the key of a call makes it once. */
function thingRoutes(): FakeOptions["routes"] {
  const made = new Map<string, object>();
  return {
    "POST /things": ({ body, headers, objectOf }) => {
      const key = String(headers["idempotency-key"] ?? made.size);
      try {
        const thing = made.get(key) ?? objectOf("Thing").insert(body as object);
        made.set(key, thing);
        return { status: 201, body: thing };
      } catch (error) {
        if (error instanceof TakenKeyError) return { status: 409, body: { message: error.message } };
        throw error;
      }
    },
  };
}

/** Codes that the suite finds. */
async function codesOf(
  registration: ConnectorRegistration,
  options: AcceptanceOptions = {},
): Promise<readonly string[]> {
  const lists = { Thing: things.declaration, Entry: entries.declaration };
  const fake = { lists, routes: thingRoutes() };
  const { findings } = await runAcceptance(registration, {
    fake,
    surroundings: observedProcess(process),
    // Two pages still.
    records: 6,
    ...options,
  });
  return findings.map(({ code }) => code.replace(/^acceptance-/, ""));
}

async function pageOf(
  { client, signal }: Context,
  path: string,
  query: Readonly<Record<string, string | undefined>> = {},
): Promise<Page> {
  const sent = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
  const response = await client.http.get(path, { query: sent as Record<string, string>, signal });
  if (!response.isSuccessful) throw new Error(`status ${response.statusCode}`);
  const page = response.result as Page | null | undefined;
  if (!Array.isArray(page?.data)) throw new Error("the answer has no list");
  return page;
}

/** Every page behind a cursor, as it should be read. */
async function* pages(
  context: Context,
  path: string,
  query: Readonly<Record<string, string>> = {},
): AsyncGenerator<Page> {
  let after: string | undefined;
  do {
    const page = await pageOf(context, path, { ...query, after });
    yield page;
    if (page.next === after) throw new Error("the cursor repeats itself");
    after = page.next ?? undefined;
  } while (after !== undefined);
}

async function* soundThings(context: Context): AsyncGenerator<unknown> {
  for await (const { data } of pages(context, "things")) yield* data;
}

async function* soundEntries(context: Context): AsyncGenerator<unknown> {
  let latest = context.checkpoint ?? "";
  const query = context.checkpoint === null ? {} : { since: context.checkpoint };
  for await (const { data } of pages(context, "entries", query)) {
    for (const record of data) {
      const { changedAt, gone } = record;
      if (String(changedAt) > latest) latest = String(changedAt);
      yield { operation: gone === true ? "delete" : "upsert", record };
    }
  }
  if (latest !== "") context.saveCheckpoint(latest);
}

let kept: string | undefined;
let keptList: readonly Record<string, unknown>[] | undefined;

/** Makes a thing, as it should be made. */
const soundCreate: Handler = (input, context) => created(input, context);

async function created(
  input: object,
  { client, idempotency, signal }: ActionContext<Client>,
  headers: Readonly<Record<string, string>> = { "idempotency-key": idempotency.key },
) {
  const response = await client.http.post("things", { json: input, headers, signal });
  if (response.statusCode >= 400 && response.statusCode < 500 && response.statusCode !== 429)
    return failed({ code: String(response.statusCode), errors: [] });
  if (!response.isSuccessful) throw new Error("no answer", { cause: { statusCode: response.statusCode } });
  const record = response.result as { readonly id: number };
  return succeeded({ id: record.id }, [{ dataObject: "Thing", operation: "upsert", record }]);
}

const MISTAKES: readonly (Code & {
  readonly title: string;
  readonly scenario: string;
  readonly found: string;
})[] = [
  {
    title: "stops at a page that is shorter than asked for",
    async *things(context) {
      let after: string | undefined;
      for (;;) {
        const { data, next } = await pageOf(context, "things", { after, limit: "100" });
        yield* data;
        if (data.length < 100) return;
        after = next ?? undefined;
      }
    },
    scenario: "whole",
    found: "records-missing",
  },
  {
    title: "reads ten pages at most",
    async *things(context) {
      let count = 0;
      for await (const { data } of pages(context, "things")) {
        yield* data;
        if (++count === 10) return;
      }
    },
    scenario: "whole",
    found: "records-missing",
  },
  {
    title: "takes the key from another member",
    async *things(context) {
      for await (const { data } of pages(context, "things"))
        for (const record of data) yield { ...record, id: Math.round(Number(record["weight"])) };
    },
    scenario: "whole",
    found: "records-missing",
  },
  {
    title: "cuts numbers",
    async *things(context) {
      for await (const { data } of pages(context, "things"))
        for (const record of data) yield { ...record, weight: Math.trunc(Number(record["weight"])) };
    },
    scenario: "whole",
    found: "records-altered",
  },
  {
    title: "yields one object again and again",
    async *things(context) {
      const shared = {};
      for await (const { data } of pages(context, "things")) {
        for (const record of data) Object.assign(shared, record);
        yield shared;
      }
    },
    scenario: "whole",
    found: "records-missing",
  },
  {
    title: "puts the time into records",
    async *things(context) {
      for await (const { data } of pages(context, "things"))
        for (const record of data) yield { ...record, readAt: performance.now() };
    },
    scenario: "again",
    found: "read-not-repeatable",
  },
  {
    title: "keeps its cursor outside the reader",
    async *things(context) {
      do {
        const page = await pageOf(context, "things", { after: kept });
        kept = page.next ?? undefined;
        yield* page.data;
      } while (kept !== undefined);
    },
    scenario: "stopped",
    found: "stop-loses",
  },
  {
    title: "swallows errors",
    async *things(context) {
      try {
        yield* soundThings(context);
      } catch (error) {
        context.log.warn("no more pages", { error });
      }
    },
    scenario: "faults",
    found: "fault-deletes",
  },
  {
    title: "takes an answer without a list for an empty one",
    async *things({ client, signal }) {
      let after: string | undefined;
      do {
        const query = after === undefined ? {} : { after };
        const response = await client.http.get("things", { query, signal });
        if (!response.isSuccessful) throw new Error(`status ${response.statusCode}`);
        const page = response.result as Partial<Page> | null;
        yield* page?.data ?? [];
        after = page?.next ?? undefined;
      } while (after !== undefined);
    },
    scenario: "faults",
    found: "fault-deletes",
  },
  {
    title: "says what has changed without looking at errors",
    async *entries(context) {
      try {
        yield* soundEntries(context);
      } catch {
        context.saveCheckpoint(new Date().toISOString());
      }
    },
    scenario: "faults",
    found: "fault-hidden",
  },
  {
    title: "follows its cursor without end",
    async *things(context) {
      let after: string | undefined;
      do {
        const page = await pageOf(context, "things", { after });
        after = page.next ?? undefined;
        yield* page.data;
      } while (after !== undefined);
    },
    scenario: "faults",
    found: "endless",
  },
  {
    title: "tries again without end, whatever goes wrong",
    async *things(context) {
      let after: string | undefined;
      for (;;) {
        try {
          const { data, next } = await pageOf(context, "things", { after });
          yield* data;
          after = next ?? undefined;
          if (after === undefined) return;
        } catch (error) {
          context.log.warn("once more", { error });
        }
      }
    },
    scenario: "faults",
    found: "endless",
  },
  {
    title: "gives its first page without end",
    async *things(context) {
      const { data } = await pageOf(context, "things");
      for (;;) yield* data;
    },
    scenario: "whole",
    found: "endless",
  },
  {
    title: "waits for what never comes",
    async *things(context) {
      yield* soundThings(context);
      await new Promise(() => {});
    },
    scenario: "whole",
    found: "endless",
  },
  {
    title: "takes its checkpoint from the clock of the machine",
    async *entries(context) {
      const start = new Date().toISOString();
      const query = context.checkpoint === null ? {} : { since: context.checkpoint };
      for await (const { data } of pages(context, "entries", query))
        for (const record of data) yield { operation: record["gone"] === true ? "delete" : "upsert", record };
      context.saveCheckpoint(start);
    },
    scenario: "changes",
    found: "change-missed",
  },
  {
    title: "asks for everything each time",
    entries: (context) => soundEntries({ ...context, checkpoint: null }),
    scenario: "changes",
    found: "since-ignored",
  },
  {
    title: "does not tell what was deleted",
    async *entries(context) {
      for await (const change of soundEntries(context)) {
        const { record } = change as { readonly record: object };
        yield { operation: "upsert", record };
      }
    },
    scenario: "changes",
    found: "change-missed",
  },
  {
    title: "makes texts of everything",
    async *things(context) {
      for await (const { data } of pages(context, "things"))
        for (const record of data) yield { ...record, name: String(record["name"]) };
    },
    scenario: "unfit",
    found: "records-altered",
  },
  {
    title: "lets a record stop the others",
    async *things(context) {
      for await (const { data } of pages(context, "things"))
        for (const record of data) {
          (record["name"] as string).trim();
          yield record;
        }
    },
    scenario: "unfit",
    found: "rejected-lost",
  },
  {
    title: "takes a refusal for an empty list",
    async *things(context) {
      const { statusCode } = await context.client.http.get("things", { signal: context.signal });
      if (statusCode !== 403) yield* soundThings(context);
    },
    scenario: "faults",
    found: "fault-hidden",
  },
  {
    title: "saves a resume point before the page that it stands behind",
    async *things(context) {
      let after = context.resumePoint ?? undefined;
      do {
        const page = await pageOf(context, "things", { after });
        after = page.next ?? undefined;
        if (after !== undefined) context.saveResumePoint(after);
        yield* page.data;
      } while (after !== undefined);
    },
    scenario: "stopped",
    found: "stop-loses",
  },
  {
    title: "keeps its list for all tenants",
    async *things(context) {
      if (keptList === undefined) {
        const all: Record<string, unknown>[] = [];
        for await (const { data } of pages(context, "things")) all.push(...data);
        keptList = all;
      }
      yield* keptList;
    },
    scenario: "beside",
    found: "state-shared",
  },
  {
    title: "asks for all pages at once",
    async *things(context) {
      const first = await pageOf(context, "things");
      await Promise.all(Array.from({ length: 20 }, () => pageOf(context, "things")));
      yield* first.data;
      if (first.next !== null) for await (const { data } of pages(context, "things")) yield* data;
    },
    scenario: "whole",
    found: "too-many-at-once",
  },
  {
    title: "does not wait for a call",
    async *things(context) {
      void pageOf(context, "things").catch(() => {});
      yield* soundThings(context);
      void pageOf(context, "things").catch(() => {});
    },
    scenario: "whole",
    found: "call-left",
  },
  {
    title: "looks away from a promise that is rejected",
    async *things(context) {
      void Promise.reject(new Error("nobody looks"));
      yield* soundThings(context);
    },
    scenario: "whole",
    found: "call-left",
  },
  {
    title: "changes the target system",
    async *things(context) {
      await context.client.http.put("things", { json: {}, signal: context.signal });
      yield* soundThings(context);
    },
    scenario: "whole",
    found: "reader-writes",
  },
  {
    title: "prints a secret",
    async *things(context) {
      const { apiKey } = context.connection as { readonly apiKey?: string };
      // biome-ignore lint/suspicious/noConsole: it is the mistake.
      console.error(`reading with ${apiKey}`);
      yield* soundThings(context);
    },
    scenario: "whole",
    found: "secret-shown",
  },
  {
    title: "writes times in the zone of the machine",
    async *entries(context) {
      for await (const change of soundEntries({
        ...context,
        saveCheckpoint: (text) => context.saveCheckpoint(localTime(text)),
      }))
        yield change;
    },
    scenario: "changes",
    found: "change-missed",
  },
  {
    title: "makes a second record when it is tried again",
    create: (input, context) => created(input, context, {}),
    scenario: "twice",
    found: "action-twice",
  },
  {
    title: "sends the same key with every action",
    create: (input, context) => created(input, context, { "idempotency-key": "one" }),
    scenario: "twice",
    found: "action-without-effect",
  },
  {
    title: "leaves the cache as it is",
    create: async (input, context) => {
      const result = await created(input, context);
      return result.outcome === "succeeded" ? succeeded(result.output) : result;
    },
    scenario: "performed",
    found: "action-not-cached",
  },
  {
    title: "keeps what was entered in place of the answer",
    create: async (input, context) => {
      const result = await created(input, context);
      if (result.outcome === "failed") return result;
      const record = { ...input, id: result.output.id, weight: 0.5 };
      return succeeded(result.output, [{ dataObject: "Thing", operation: "upsert", record }]);
    },
    scenario: "performed",
    found: "action-not-cached",
  },
  {
    title: "sends something else than was entered",
    create: (input, context) => created({ ...input, name: "a name" }, context),
    scenario: "performed",
    found: "action-without-effect",
  },
  {
    title: "says that it has succeeded before it has",
    create: async (input, context) => {
      void created(input, context).catch(() => {});
      await eventLoopTurn();
      return succeeded({ id: 1 });
    },
    scenario: "performed",
    found: "action-not-cached",
  },
  {
    title: "calls every answer a success",
    create: async (input, { client, signal }) => {
      await client.http.post("things", { json: input, signal });
      return succeeded({ id: 1 });
    },
    scenario: "refused",
    found: "failure-hidden",
  },
  {
    title: "gives up at once",
    create: async (input, context) => {
      try {
        return await created(input, context);
      } catch {
        return failed({ code: "busy", errors: [] });
      }
    },
    scenario: "busy",
    found: "action-given-up",
  },
];

/** A time as it is on the clock on the wall, said to be UTC. */
function localTime(text: string): string {
  const time = new Date(text);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString();
}

describe("the acceptance suite", function () {
  this.timeout(SLOW_TEST_MS);

  beforeEach(() => {
    kept = undefined;
    keptList = undefined;
  });

  it("finds nothing wrong with sound readers and handlers, declared or in code", async () => {
    const code = { things: soundThings, entries: soundEntries, create: soundCreate };
    expect(await codesOf(connectorWith(code), { seed: 3 })).to.deep.equal([]);
    const quick = ["connection", "whole", "again", "changes", "settings"];
    expect(await codesOf(connectorWith({}), { scenarios: quick })).to.deep.equal([]);
  });

  it("finds that a client gives up where it is asked to wait", async () => {
    const impatient = connectorWith({}, { attempts: 1 });
    expect(await codesOf(impatient, { scenarios: ["rate"], objects: ["Thing"] })).to.deep.equal([
      "rate-ignored",
    ]);
  });

  for (const { title, scenario, found, ...code } of MISTAKES)
    it(`finds that a ${code.create === undefined ? "reader" : "handler"} ${title}`, async () => {
      const objects = [code.entries === undefined ? "Thing" : "Entry"];
      const codes = await codesOf(connectorWith(code), { scenarios: [scenario], objects, stuckSeconds: 1 });
      expect(codes).to.include(found);
    });
});
