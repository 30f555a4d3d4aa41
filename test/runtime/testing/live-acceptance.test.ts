/** Connectors at a real HTTP server that knows nothing of them, sound and with a mistake each. */
import { expect } from "chai";
import type { HttpClient } from "../../../runtime/client/index.js";
import type { ConnectorRegistration, ReaderContext } from "../../../runtime/entries/runtime.js";
import {
  type AcceptanceResult,
  type LiveAcceptanceOptions,
  observedProcess,
  runLiveAcceptance,
} from "../../../runtime/entries/testing.js";
import { readerOf, registrationOf, typeOf } from "../../support/faked-connector.js";
import { answerJson, closeServers, type Loopback, type SeenRequest, serve } from "../../support/loopback.js";

const THING = typeOf("Thing", { id: { type: "integer" }, name: { type: "string" } });
const ENTRY = typeOf("Entry", {
  id: { type: "integer" },
  changedAt: { type: "string", format: "date-time" },
  title: { type: "string" },
});
const KEY = "a-real-key-0815";

interface Row extends Record<string, unknown> {
  readonly id: number;
}

/** A system that others use: what it lists can be changed before any answer. */
interface System {
  readonly server: Loopback;
  things: Row[];
  entries: Row[];
  /** Called before each list is answered, with the number of the request. */
  before: (count: number) => void;
  /** Answers in place of a list with a status. */
  refuse: (count: number) => number | undefined;
}

const PAGE = 3;

async function startSystem(): Promise<System> {
  const things = Array.from({ length: 8 }, (_, index) => ({ id: index + 1, name: `thing ${index + 1}` }));
  const entries = Array.from({ length: 7 }, (_, index) => ({
    ...{ id: index + 1, title: `entry ${index + 1}` },
    changedAt: new Date(Date.UTC(2026, 0, index + 1)).toISOString(),
  }));
  const system = { things, entries, before: () => {}, refuse: () => undefined } as unknown as System;
  const server = await serve((request, response, count) => {
    const { pathname, searchParams } = new URL(request.path, "http://system");
    if (searchParams.get("key") !== KEY) return answerJson(response, { error: "who?" }, 401);
    if (request.method !== "GET" && pathname !== "/search") return answerJson(response, {}, 200);
    if (pathname === "/me") return answerJson(response, {});
    system.before(count);
    const status = system.refuse(count);
    if (status !== undefined) {
      response.setHeader("retry-after", "1");
      return answerJson(response, {}, status);
    }
    const since = searchParams.get("since") ?? "";
    const list = pathname === "/entries" ? system.entries : system.things;
    const after = Number(searchParams.get("after") ?? 0);
    const left = list.filter(({ id, changedAt }) => id > after && String(changedAt ?? "z") >= since);
    const data = left.slice(0, PAGE);
    return answerJson(response, { data, next: left.length > PAGE ? String(data.at(-1)?.id) : null });
  });
  return Object.assign(system, { server });
}

interface Page {
  readonly data: Row[];
  readonly next?: string | null;
}
type Context = ReaderContext<{ readonly http: HttpClient }>;
type Reader = (context: Context) => AsyncGenerator<unknown>;

async function pageOf(
  { client, signal }: Context,
  path: string,
  query: Record<string, string>,
): Promise<Page> {
  const response = await client.http.get(path, { query, signal });
  if (!response.isSuccessful) throw new Error(`status ${response.statusCode}`);
  const page = response.result as Page | null;
  if (!Array.isArray(page?.data)) throw new Error("the answer has no list");
  return page;
}

async function* pages(
  context: Context,
  path: string,
  query: Record<string, string> = {},
): AsyncGenerator<Page> {
  let next: string | null | undefined;
  do {
    const page = await pageOf(context, path, next == null ? query : { ...query, after: next });
    yield page;
    next = page.next;
  } while (next != null);
}

async function* soundThings(context: Context): AsyncGenerator<unknown> {
  for await (const { data } of pages(context, "things")) yield* data;
}

const DECLARED = { items: "data", pages: { kind: "cursor", send: "after", next: "next" } } as const;

/** A connector of the system. `things` is read by code where there is some. */
function connectorAt({ server }: System, things?: Reader, list = "GET /things"): ConnectorRegistration {
  const readers = {
    Thing: readerOf(THING, { ...DECLARED, list } as never),
    Entry: readerOf(ENTRY, {
      ...{ ...DECLARED, list: "GET /entries" },
      since: { property: "changedAt", send: "since" },
    }),
  };
  const registration = registrationOf({ readers, attempts: 3, baseUrl: server.origin });
  const modules = registration.modules.map((module) => ({
    ...module,
    dataObjects: module.dataObjects.map((object) =>
      object.name === "Thing" && things !== undefined ? { ...object, reader: things } : object,
    ),
  }));
  return { ...registration, modules } as unknown as ConnectorRegistration;
}

const SETTINGS = {
  registrationConfiguration: {},
  services: { "app-1": { actionProcessor: {}, cacheWriter: { ThingConfig: { uploadObject: true } } } },
};

function tried(
  registration: ConnectorRegistration,
  options: Partial<LiveAcceptanceOptions> = {},
): Promise<AcceptanceResult> {
  return runLiveAcceptance(registration, {
    connection: { DefinitionKey: "anyAuth", Configuration: JSON.stringify({ apiKey: KEY }) },
    settings: SETTINGS,
    surroundings: observedProcess(process),
    ...options,
  });
}

const codesOf = ({ findings }: AcceptanceResult) =>
  findings.map(({ code }) => code.replace(/^acceptance-/, ""));

const MISTAKES: readonly {
  readonly title: string;
  readonly scenario: string;
  readonly found: string;
  readonly reader: Reader;
}[] = [
  {
    title: "swallows errors",
    async *reader(context) {
      try {
        yield* soundThings(context);
      } catch (error) {
        context.log.warn("no more pages", { error });
      }
    },
    scenario: "faults",
    found: "fault-hidden",
  },
  {
    title: "takes an answer without a list for an empty one",
    async *reader({ client, signal }) {
      const response = await client.http.get("things", { signal });
      if (!response.isSuccessful) throw new Error("no");
      yield* (response.result as Page | null)?.data ?? [];
    },
    scenario: "faults",
    found: "fault-hidden",
  },
  {
    title: "saves a resume point before the page that it stands behind",
    async *reader(context) {
      let next: string | null | undefined = context.resumePoint;
      do {
        const page = await pageOf(context, "things", next == null ? {} : { after: next });
        next = page.next;
        if (next != null) context.saveResumePoint(next);
        yield* page.data;
      } while (next != null);
    },
    scenario: "stopped",
    found: "stop-loses",
  },
  {
    title: "puts the time into records",
    async *reader(context) {
      for await (const { data } of pages(context, "things"))
        for (const record of data) yield { ...record, name: `read at ${performance.now()}` };
    },
    scenario: "again",
    found: "read-not-repeatable",
  },
  {
    title: "skips what does not fit",
    async *reader(context) {
      for await (const { data } of pages(context, "things"))
        yield* data.filter(({ name }) => typeof name === "string");
    },
    scenario: "unfit",
    found: "rejected-lost",
  },
  {
    title: "prints a secret",
    async *reader(context) {
      // biome-ignore lint/suspicious/noConsole: it is the mistake.
      console.error((context.connection as { readonly apiKey?: string }).apiKey);
      yield* soundThings(context);
    },
    scenario: "whole",
    found: "secret-shown",
  },
  {
    title: "changes the target system",
    async *reader(context) {
      await context.client.http.put("things/1", { json: {}, signal: context.signal });
      yield* soundThings(context);
    },
    scenario: "whole",
    found: "reader-writes",
  },
];

describe("the acceptance suite at a real target system", function () {
  this.timeout(60_000);

  let system: System;

  beforeEach(async () => {
    system = await startSystem();
  });
  afterEach(closeServers);

  const writes = () => system.server.requests.filter(({ method }: SeenRequest) => method !== "GET");

  it("finds nothing wrong with sound readers, declared and in code, and only reads", async () => {
    const result = await tried(connectorAt(system, soundThings));
    expect(result.findings).to.deep.equal([]);
    expect(result.notes).to.deep.equal([]);
    const scenarios = new Set(result.tried.map(({ scenario }) => scenario));
    expect([...scenarios]).to.have.members([
      ...["connection", "settings", "whole", "again", "stopped"],
      ...["faults", "rate", "changes", "unfit", "elsewhere"],
    ]);
    expect(writes()).to.deep.equal([]);
    // Most is tried on answers that came once: each list has three pages, and the system can count its calls.
    expect(system.server.requests.length).to.be.below(60);
  });

  for (const { title, scenario, found, reader } of MISTAKES)
    it(`finds that a reader ${title}`, async () => {
      const scenarios = scenario === "whole" ? ["whole"] : [scenario];
      const result = await tried(connectorAt(system, reader), { scenarios, objects: ["Thing"] });
      expect(codesOf(result)).to.include(found);
      expect(writes()).to.deep.equal([]);
    });

  it("tells what others change meanwhile from faults", async () => {
    system.before = (count) => {
      const index = count % system.things.length;
      const [thing] = system.things.splice(index, 1);
      if (thing !== undefined) system.things.push({ id: 100 + count, name: `new ${count}` });
      system.things[0] = { ...(system.things[0] as Row), name: `changed ${count}` };
      system.entries[1] = {
        ...(system.entries[1] as Row),
        title: `changed ${count}`,
        changedAt: new Date().toISOString(),
      };
    };
    const result = await tried(connectorAt(system, soundThings));
    expect(result.findings).to.deep.equal([]);
    expect(result.notes.join("\n")).to.include("changed in the target system between two reads");
  });

  it("finds a list that leaves out what it has had and has again, and names members that never stay", async () => {
    let lists = 0;
    const all = [...system.things];
    system.before = (count) => {
      if (!system.server.requests[count - 1]?.path.includes("after=")) lists++;
      system.things = all
        .filter(({ id }) => lists % 2 === 1 || id !== 5)
        .map((thing) => ({ ...thing, name: `seen ${lists} times` }));
    };
    const { findings, notes } = await tried(connectorAt(system, soundThings), {
      ...{ scenarios: ["again"], objects: ["Thing"] },
    });
    expect(findings.map(({ code }) => code)).to.deep.equal(["acceptance-records-missing"]);
    expect(notes).to.deep.equal([]);
    system.before = () => {
      lists++;
      system.things = all.map((thing) => ({ ...thing, name: `seen ${lists} times` }));
    };
    const restless = await tried(connectorAt(system, soundThings), {
      ...{ scenarios: ["again"], objects: ["Thing"] },
    });
    expect(restless.findings).to.deep.equal([]);
    expect(restless.notes.join("\n")).to.include("name differs in most records").and.to.include("volatile");
  });

  it("refuses a POST that nobody says only reads, and sends that of a declared list", async () => {
    const searching: Reader = async function* ({ client, signal }) {
      const { result } = await client.http.post("search", { json: {}, signal });
      yield* (result as Page | null)?.data ?? [];
    };
    const options = { scenarios: ["again"], objects: ["Thing"] };
    const refused = await tried(connectorAt(system, searching), options);
    expect(refused.findings).to.deep.equal([]);
    expect(refused.notes.join("\n")).to.include("POST /search").and.to.include("fake.ts");
    expect(writes()).to.deep.equal([]);
    const lists = { Thing: { list: "POST /search", items: "data", pages: { kind: "one" } } } as never;
    const sent = await tried(connectorAt(system, searching), { ...options, lists });
    expect(sent.findings).to.deep.equal([]);
    expect(writes().length).to.be.above(0);
  });

  it("waits as long as the target system asks for", async () => {
    let refusedAt = 0;
    let nextAt = 0;
    system.refuse = (count) => {
      if (refusedAt > 0 && nextAt === 0) nextAt = performance.now();
      if (count !== 2) return undefined;
      refusedAt = performance.now();
      return 429;
    };
    const { findings } = await tried(connectorAt(system), { scenarios: ["rate"], objects: ["Thing"] });
    expect(findings).to.deep.equal([]);
    expect(nextAt - refusedAt).to.be.above(950);
  });

  it("finds a connection test that lets wrong credentials in, and one that refuses right ones", async () => {
    const careless = {
      ...connectorAt(system),
      connectionTestHandler: async () => ({
        isSuccessful: true,
        statusCode: 200,
        errorMessage: null,
        result: {},
      }),
    } as unknown as ConnectorRegistration;
    const scenarios = ["connection"];
    expect(codesOf(await tried(careless, { scenarios, objects: ["Thing"] }))).to.include(
      "connection-accepted",
    );
    const connection = { DefinitionKey: "anyAuth", Configuration: '{"apiKey":"not-the-key"}' };
    const result = await tried(connectorAt(system), { scenarios, connection, objects: ["Thing"] });
    expect(codesOf(result)).to.include("connection-refused");
  });

  it("leaves alone what is too large for it, and says so", async () => {
    const { notes, findings } = await tried(connectorAt(system, soundThings), {
      records: 5,
      objects: ["Thing"],
    });
    expect(findings).to.deep.equal([]);
    expect(notes.join("\n")).to.include("Thing has more than 5 records");
  });
});
