import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import Database from "libsql";
import { type RecordMethods, typedRecord } from "../../../runtime/codegen/index.js";
import {
  defineReader,
  ExportJobError,
  exportJob,
  type FileFormat,
  from,
  type ReaderContext,
  setting,
} from "../../../runtime/entries/runtime.js";
import { syncObject } from "../../../runtime/host/index.js";
import { openSqliteStore } from "../../../runtime/store/sqlite/open-store.js";
import {
  fullObject,
  ITEM,
  type Item,
  type ItemCache,
  item,
  NO_SETTINGS,
  openItemCache,
  PATH,
  SILENT,
} from "../../support/item-cache.js";
import {
  answerJson,
  clientAt,
  closeServers,
  fakeClock,
  type SeenRequest,
  serve,
  type TestClient,
} from "../../support/loopback.js";
import { all, failure } from "../../support/promises.js";

class ItemClass extends typedRecord<object, Item, RecordMethods<Item>>(ITEM) {}

const ITEMS = Array.from({ length: 1_203 }, (_, id) =>
  item(id, { name: id % 2 === 0 ? `"n, ${id}"\né` : null }),
);

const jsonLines = (items: readonly object[]) => items.map((one) => `${JSON.stringify(one)}\r\n`).join("");
const cell = (value: unknown) =>
  typeof value === "string" ? `"${value.replaceAll('"', '""')}"` : String(value ?? "");
const csv = (items: readonly Item[]) =>
  `\uFEFFcompany;id;Serial;name\n${items
    .map(({ company, id, serial_number, name }) => [company, id, serial_number, name].map(cell).join(";"))
    .join("\n")}`;

const FILES: readonly [file: FileFormat, text: (items: readonly Item[]) => string][] = [
  [{ format: "jsonLines" }, jsonLines],
  [
    { format: "json", items: "result.rows" },
    (rows) => JSON.stringify({ at: [1], result: { rows }, end: {} }, null, 1),
  ],
  [{ format: "json", items: "$" }, (rows) => JSON.stringify(rows)],
  [{ format: "csv", delimiter: ";", columns: { Serial: "serial_number" } }, csv],
];

/** What a job answers, by how often it was asked; the last one is repeated. */
type Answers = readonly ((request: SeenRequest, response: ServerResponse) => void)[];

const state =
  (status: string, more: object = {}) =>
  (_: SeenRequest, response: ServerResponse) =>
    answerJson(response, { status, ...more });
const status = (code: number) => (_: SeenRequest, response: ServerResponse) =>
  answerJson(response, { error: "no" }, code);
const text = (content: string | Buffer, headers: Readonly<Record<string, string>> = {}) =>
  ((_, response) => {
    response.writeHead(200, { "content-type": "application/octet-stream", ...headers });
    response.end(content);
  }) satisfies Answers[number];

interface Jobs {
  readonly poll?: Answers;
  readonly file?: Answers;
}

/** Jobs j1, j2, … each with its answers. */
async function exports(...jobs: readonly Jobs[]) {
  const asked = new Map<string, number>();
  let count = 0;
  const server = await serve((request, response) => {
    if (request.method === "POST") return answerJson(response, { job: { id: `j${++count}` } }, 202);
    const [, , id = "", part = "poll"] = request.path.split("/");
    const { poll = [state("done", { rows: 1 })], file = [text(jsonLines([item(1)]))] } =
      jobs[Number(id.slice(1)) - 1] ?? {};
    const answers = part === "file" ? file : poll;
    const times = asked.get(`${id}/${part}`) ?? 0;
    asked.set(`${id}/${part}`, times + 1);
    (answers[times] ?? answers.at(-1))?.(request, response);
  });
  return { ...server, calls: () => server.requests.map(({ method, path }) => `${method} ${path}`) };
}

const JOB = {
  start: { call: "POST /exports", body: { type: "items" }, handle: "job.id" },
  poll: {
    call: "GET /exports/{handle}",
    state: "status",
    ready: ["done"],
    failed: ["error", "cancelled"],
    message: "why",
  },
  download: { call: "GET /exports/{handle}/file", format: "jsonLines" },
} as const;

function contextAt(origin: string, client: TestClient = {}, more: Partial<ReaderContext> = {}) {
  const saved = { resumePoints: [] as string[], checkpoint: null as string | null };
  const context = {
    ...NO_SETTINGS,
    ...{ client: clientAt(origin, client), connection: { Team: "t 1" }, log: SILENT },
    ...{ signal: new AbortController().signal, checkpoint: null, resumePoint: null },
    saveCheckpoint: (checkpoint: string) => {
      saved.checkpoint = checkpoint;
    },
    saveResumePoint: (resumePoint: string) => void saved.resumePoints.push(resumePoint),
    ...more,
  };
  return { context: context as never, saved };
}

describe("a declared reader of an export", () => {
  let cache: ItemCache;
  beforeEach(async () => {
    cache = await openItemCache();
  });
  afterEach(async () => {
    await cache.remove();
    await closeServers();
  });

  for (const [file, write] of FILES) {
    const packings: readonly [string, (text: string) => Answers[number]][] = [
      ["as it is", (content) => text(content)],
      ["compressed", (content) => text(gzipSync(content))],
      ["compressed under way", (content) => text(gzipSync(content), { "content-encoding": "gzip" })],
    ];
    for (const [how, pack] of packings)
      it(`reads a file of ${file.format} ${how}`, async () => {
        const served = await exports({ file: [pack(write(ITEMS))] });
        const read = defineReader(
          ItemClass,
          exportJob({ ...JOB, download: { call: "GET /exports/{handle}/file", ...file } }),
        );
        expect(await all(read(contextAt(served.origin).context))).to.deep.equal(
          ITEMS.map((one) => ({ ...one })),
        );
        expect(served.calls()).to.deep.equal(["POST /exports", "GET /exports/j1", "GET /exports/j1/file"]);
        expect(JSON.parse(served.requests[0]?.body ?? "")).to.deep.equal({ type: "items" });
      });
  }

  it("waits by the clock of its client, as long as the target asks and not longer than declared", async () => {
    const later = (_: SeenRequest, response: ServerResponse) => {
      response.setHeader("retry-after", "30");
      answerJson(response, { status: "running" });
    };
    const { origin } = await exports(
      { poll: [state("queued"), later, state("done")] },
      { poll: [state("running")] },
    );
    const clock = fakeClock();
    const read = defineReader(
      ItemClass,
      exportJob({ ...JOB, poll: { ...JOB.poll, every: "PT10S", longest: "PT1M" } }),
    );
    expect(await all(read(contextAt(origin, { clock }).context))).to.deep.equal([item(1)]);
    expect(clock.slept).to.deep.equal([10_000, 30_000]);
    const error = await failure(all(read(contextAt(origin, { clock }).context)));
    expect(error).to.be.instanceOf(ExportJobError).and.to.include({ retry: "later" });
    expect(String(error)).to.include("is not done after PT1M. The next run asks for the same job");
    expect(clock.slept).to.have.lengthOf(2 + 6);
  });

  it("takes 202 for a job that goes on where no state is declared", async () => {
    const accepted = (_: SeenRequest, response: ServerResponse) => response.writeHead(202).end();
    const { origin } = await exports({ poll: [accepted, state("whatever")] });
    const read = defineReader(ItemClass, exportJob({ ...JOB, poll: { call: "GET /exports/{handle}" } }));
    expect(await all(read(contextAt(origin, { clock: fakeClock() }).context))).to.deep.equal([item(1)]);
  });

  it("follows a handle and a file that are addresses, and shows other origins no credentials", async () => {
    const elsewhere = await serve((_, response) => text(jsonLines([item(1), item(2)]))(_, response));
    const { origin, requests } = await serve((request, response) => {
      if (request.method === "POST") {
        response.setHeader("location", "/operations/7?token=abc");
        return answerJson(response, {}, 202);
      }
      answerJson(response, { status: "done", file: { url: `${elsewhere.origin}/bucket/f?signature=abc` } });
    });
    const read = defineReader(
      ItemClass,
      exportJob({
        start: { ...JOB.start, handle: { header: "Location" } },
        poll: { ...JOB.poll, call: "GET {handle}" },
        download: { address: "file.url", format: "jsonLines" },
      }),
    );
    const auth: TestClient["auth"] = (request, next) =>
      next({ ...request, headers: { ...request.headers, authorization: "Bearer secret" } });
    expect(await all(read(contextAt(origin, { auth }).context))).to.have.lengthOf(2);
    expect(requests.map(({ path, headers }) => [path, headers.authorization])).to.deep.equal([
      ["/exports", "Bearer secret"],
      ["/operations/7?token=abc", "Bearer secret"],
    ]);
    expect(elsewhere.requests.map(({ path }) => path)).to.deep.equal(["/bucket/f?signature=abc"]);
    expect(elsewhere.requests[0]?.headers).to.not.have.property("authorization");
    await elsewhere.close();
    const error = String(await failure(all(read(contextAt(origin, { auth }).context))));
    expect(error)
      .to.match(/NetworkError/)
      .and.not.to.include("signature=abc");
  });

  it("is empty where a job without a file says that it has no records, and only there", async () => {
    const read = defineReader(
      ItemClass,
      exportJob({
        ...JOB,
        poll: { ...JOB.poll, total: "rows" },
        download: { address: "url", format: "jsonLines" },
      }),
    );
    const { origin } = await exports(
      { poll: [state("done", { rows: "0" })] },
      { poll: [state("done", { rows: 1 })] },
    );
    expect(await all(read(contextAt(origin).context))).to.deep.equal([]);
    expect(String(await failure(all(read(contextAt(origin).context))))).to.match(
      /download\.address "url" leads to undefined, which is no address/,
    );
  });

  it("goes on with the same job if its process was killed while it waited", async () => {
    let isAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    const served = await exports({
      poll: [
        (request, response) => {
          isAsked();
          state("running")(request, response);
        },
        state("done"),
      ],
      file: [text(jsonLines([item(1), item(2)]))],
    });
    const read = defineReader(ItemClass, exportJob({ ...JOB, poll: { ...JOB.poll, every: "PT1M" } }));
    const client = clientAt(served.origin);
    const options = { client, connection: {}, log: SILENT, signal: new AbortController().signal };
    const stuck = new AbortController();
    const first = syncObject(fullObject(read as never), {
      ...options,
      store: cache.store,
      signal: stuck.signal,
    });
    await asked;
    await hasResumePoint();
    // Runs that are open end as if their process had been killed.
    await cache.store.close();
    const store = await openSqliteStore({ file: cache.file });
    try {
      const second = await syncObject(fullObject(read as never), { ...options, store });
      expect(second).to.include({ outcome: "succeeded", resumed: true, inserted: 2 });
      expect(served.calls().filter((call) => call.startsWith("POST"))).to.have.lengthOf(1);
    } finally {
      stuck.abort();
      await first;
      await store.close();
    }
  });

  /** Resolves once the run has kept where it goes on. */
  async function hasResumePoint(): Promise<void> {
    const database = new Database(cache.file, { readonly: true });
    const query = database.prepare("SELECT count(resume_point) AS count FROM runs");
    while ((query.get() as { count: number }).count === 0) await sleep(20);
    database.close();
  }

  const lostJobs: readonly [what: string, job: Jobs][] = [
    ["is unknown", { poll: [status(404)] }],
    ["is gone", { poll: [status(410)] }],
    ["has failed", { poll: [state("error", { why: "out of quota" })] }],
    ["has lost its file", { file: [status(410)] }],
  ];
  for (const [what, job] of lostJobs)
    it(`starts a job again that ${what}, if an earlier run had started it`, async () => {
      const { origin, calls } = await exports(job);
      const read = defineReader(ItemClass, exportJob(JOB));
      const first = contextAt(origin);
      const error = await failure(all(read(first.context)));
      expect(error).to.be.instanceOf(ExportJobError);
      if (what === "has failed")
        expect(String(error)).to.equal("ExportJobError: The export of Item has failed: out of quota.");
      const [resumePoint = ""] = first.saved.resumePoints;
      const second = contextAt(origin, {}, { resumePoint });
      expect(await all(read(second.context))).to.deep.equal([item(1)]);
      expect(calls().filter((call) => call.startsWith("POST"))).to.have.lengthOf(2);
      expect(second.saved.resumePoints[0]).to.include("j2");
    });

  const broken: readonly [what: string, file: FileFormat, content: Answers[number], words: RegExp][] = [
    [
      "JSON lines that break off",
      { format: "jsonLines" },
      text(jsonLines(ITEMS).slice(0, -9)),
      /record 1203 is no JSON/,
    ],
    [
      "a JSON text that breaks off",
      { format: "json", items: "$" },
      text(JSON.stringify(ITEMS).slice(0, -5)),
      /breaks off/,
    ],
    [
      "a JSON text without the list",
      { format: "json", items: "rows" },
      text('{"error":"secret"}'),
      /no list at "rows"/,
    ],
    [
      "gzip that breaks off",
      { format: "jsonLines" },
      text(gzipSync(jsonLines(ITEMS)).subarray(0, -30)),
      /breaks off, or its gzip/,
    ],
    [
      "a CSV row that breaks off",
      { format: "csv" },
      text("company,id,serial_number\na,1,n1\na,2"),
      /record 2 can't be read as CSV/,
    ],
    [
      "a CSV text that breaks off",
      { format: "csv" },
      text('company,id\na,1\na,"secret'),
      /can't be read as CSV/,
    ],
    ["an empty file", { format: "csv" }, text(""), /not even the names of columns/],
    [
      "a column that is missing",
      { format: "csv", columns: { Id: "id" } },
      text("company\na"),
      /has no column "Id"/,
    ],
    [
      "a column that comes twice",
      { format: "csv", columns: { Id: "id" } },
      text("Id,id\n1,2"),
      /two of its columns are of "id"/,
    ],
    ["what is no UTF-8", { format: "jsonLines" }, text(Buffer.from([0x22, 0xff, 0x22])), /no UTF-8/],
    [
      "fewer records than the job says",
      { format: "jsonLines" },
      text(jsonLines(ITEMS.slice(1))),
      /ended after 1202 records, but the job says 1203/,
    ],
    ["a list of texts", { format: "jsonLines" }, text('"a"\n'.repeat(1_203)), /no records of Item/],
    [
      "a page for people",
      { format: "csv" },
      text("<html>", { "content-type": "text/html" }),
      /a page for people/,
    ],
    ["a refusal", { format: "csv" }, status(403), /403/],
  ];
  for (const [what, file, content, words] of broken)
    it(`fails and deletes nothing for ${what}`, async () => {
      await cache.full(ITEMS);
      const { origin } = await exports({ poll: [state("done", { rows: 1_203 })], file: [content] });
      const download = { call: "GET /exports/{handle}/file", ...file } as const;
      const read = defineReader(
        ItemClass,
        exportJob({ ...JOB, poll: { ...JOB.poll, total: "rows" }, download }),
      );
      const { outcome, message } = await cache.full(() => read(contextAt(origin).context), {
        guard: { maxShare: 1 },
      });
      expect(outcome).to.equal("failed");
      expect(message).to.match(words).and.not.to.include("secret");
      expect(await cache.store.records.count(PATH)).to.equal(ITEMS.length);
    });

  it("exports what has changed, from what the start has answered, for each parent", async () => {
    const started: unknown[] = [];
    const { origin } = await serve((request, response) => {
      response.setHeader("date", "Sun, 01 Mar 2026 10:00:00 GMT");
      if (request.path === "/teams") return answerJson(response, [item(7), item(8)]);
      if (request.method === "POST") started.push([request.path, JSON.parse(request.body)]);
      if (request.method === "POST") return answerJson(response, { id: 5 });
      if (request.path.includes("file")) return text(jsonLines([item(1, { gone: true })]))(request, response);
      answerJson(response, { status: "done" });
    });
    const teams = defineReader(ItemClass, { list: "GET /teams", items: "$", pages: { kind: "one" } });
    const team = from(teams, "id");
    const read = defineReader(
      ItemClass,
      exportJob({
        start: {
          call: "POST /teams/{team}/exports",
          path: { team },
          body: { of: setting("Team") },
          handle: "id",
        },
        poll: {
          call: "GET /teams/{team}/exports?id={handle}",
          path: { team },
          state: "status",
          ready: "done",
        },
        download: { call: "GET /teams/{team}/exports/{handle}/file", path: { team }, format: "jsonLines" },
        since: { send: { body: "from" }, overlap: "PT0S" },
        deletedWhen: { property: "gone" },
      }),
    );
    const { context, saved } = contextAt(origin, {}, { checkpoint: "2026-02-01T00:00:00.000Z" });
    const operations = (await all(read(context))).map(({ operation }) => operation);
    expect(operations).to.deep.equal(["delete", "delete"]);
    expect(started).to.have.deep.members(
      [7, 8].map((id) => [`/teams/${id}/exports`, { of: "t 1", from: "2026-02-01T00:00:00.000Z" }]),
    );
    expect(saved.checkpoint).to.equal("2026-03-01T10:00:00.000Z");
  });

  it("says where the job or its state is not what was declared", async () => {
    const { origin } = await exports(
      { poll: [state("done")] },
      { poll: [(_, response) => answerJson(response, {})] },
    );
    const noHandle = defineReader(ItemClass, exportJob({ ...JOB, start: { ...JOB.start, handle: "id" } }));
    expect(String(await failure(all(noHandle(contextAt(origin).context))))).to.include(
      'start.handle "id" leads to undefined',
    );
    const read = defineReader(ItemClass, exportJob(JOB));
    expect(String(await failure(all(read(contextAt(origin).context))))).to.include(
      'poll.state "status" leads to undefined, which is no state',
    );
  });

  it("is refused if it can't be read", () => {
    const wrong: readonly [object, RegExp][] = [
      [{ start: { ...JOB.start, call: "/exports" } }, /list is a method and a path/],
      [{ start: { ...JOB.start, handle: undefined } }, /start\.handle is a way/],
      [{ poll: { ...JOB.poll, call: "/x" } }, /poll\.call is a method/],
      [{ poll: { ...JOB.poll, call: "GET /{team}/{handle}" } }, /poll\.path\.team is a value/],
      [{ poll: { ...JOB.poll, ready: undefined } }, /poll\.ready is what poll\.state/],
      [{ poll: { ...JOB.poll, every: "5s" } }, /poll\.every is an ISO 8601 duration/],
      [{ download: { ...JOB.download, format: "xml" } }, /download\.format is one of jsonLines, json, csv/],
      [{ download: { ...JOB.download, format: "json" } }, /download\.items is a way/],
      [{ download: { format: "csv" } }, /download\.call is a method/],
    ];
    for (const [more, words] of wrong)
      expect(() => defineReader(ItemClass, exportJob({ ...JOB, ...more } as never) as never)).to.throw(
        TypeError,
        words,
      );
  });
});
