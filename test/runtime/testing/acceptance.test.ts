/** Connectors with one mistake each at the acceptance suite, and sound ones beside them. */
import { expect } from "chai";
import type { HttpClient } from "../../../runtime/client/index.js";
import type { ConnectorRegistration, ReaderContext } from "../../../runtime/entries/runtime.js";
import { type AcceptanceOptions, runAcceptance } from "../../../runtime/entries/testing.js";
import { type FakedConnector, readerOf, registrationOf, typeOf } from "../../support/faked-connector.js";

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

/** A connector that reads its things, or its entries, by this code. */
function connectorWith(code: { readonly things?: Reader; readonly entries?: Reader }): ConnectorRegistration {
  const connector: FakedConnector = { readers: { Thing: things, Entry: entries }, attempts: 4 };
  const registration = registrationOf(connector);
  const modules = registration.modules.map((module) => ({
    ...module,
    dataObjects: module.dataObjects.map((object) => {
      const reader = object.name === "Thing" ? code.things : code.entries;
      return { ...object, reader: reader ?? object.reader } as typeof object;
    }),
  }));
  return { ...registration, modules } as ConnectorRegistration;
}

/** Codes that the suite finds. */
async function codesOf(
  registration: ConnectorRegistration,
  options: AcceptanceOptions = {},
): Promise<readonly string[]> {
  const lists = { Thing: things.declaration, Entry: entries.declaration };
  const { findings } = await runAcceptance(registration, { fake: { lists }, ...options });
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

const MISTAKES: readonly {
  readonly title: string;
  readonly things?: Reader;
  readonly entries?: Reader;
  readonly scenario: string;
  readonly found: string;
}[] = [
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
];

describe("the acceptance suite", function () {
  this.timeout(60_000);

  beforeEach(() => {
    kept = undefined;
  });

  it("finds nothing wrong with sound readers, declared or in code", async () => {
    expect(await codesOf(connectorWith({}))).to.deep.equal([]);
    expect(await codesOf(connectorWith({ things: soundThings, entries: soundEntries }))).to.deep.equal([]);
  });

  for (const { title, scenario, found, ...code } of MISTAKES)
    it(`finds that a reader ${title}`, async () => {
      const objects = [code.things === undefined ? "Entry" : "Thing"];
      const codes = await codesOf(connectorWith(code), { scenarios: [scenario], objects });
      expect(codes).to.include(found);
    });
});
