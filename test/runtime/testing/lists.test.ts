import { expect } from "chai";
import fc from "fast-check";
import {
  type AnyReaderDeclaration,
  type DeclaredReader,
  exportJob,
  from,
  graphql,
  setting,
} from "../../../runtime/entries/runtime.js";
import { closeFakes, fakeOf, readerOf, typeOf } from "../../support/faked-connector.js";
import { type Pages, pageKinds } from "../../support/page-kinds.js";
import { runs, SLOW_TEST_MS } from "../../support/repository.js";

const PAGES = pageKinds(7);

const THING = typeOf(
  "Thing",
  {
    id: { type: "string", format: "uuid" },
    rank: { type: "integer" },
    name: { type: "string" },
    changed_at: { type: "string", format: "date-time" },
  },
  { keys: [["id"], ["rank"]] },
);
const PART = typeOf(
  "Part",
  {
    id: { type: "integer" },
    rank: { type: "integer" },
    thing_id: { type: "string", format: "uuid" },
    name: { type: "string" },
  },
  { keys: [["id"], ["rank"]] },
);

/** The identifier of each thing. */
function parentOf(reader: DeclaredReader<unknown>) {
  return from(reader as DeclaredReader<Readonly<Record<string, unknown>>>, "id");
}

/** A list by POST where something of the paging goes into the body. */
function listOf(pages: Pages, path: string): string {
  const isInBody = "send" in pages && typeof pages.send === "object" && "body" in pages.send;
  return `${isInBody ? "POST" : "GET"} ${path}`;
}

describe("a list of a fake target system", () => {
  afterEach(closeFakes);

  it("is read by its declaration as what is held, with pages of every kind, below parents and not", async function () {
    this.timeout(SLOW_TEST_MS);
    const world = fc.record({
      kind: fc.constantFrom(...Object.keys(PAGES)),
      childKind: fc.constantFrom(...Object.keys(PAGES)),
      items: fc.constantFrom("data", "result.list", "$"),
      count: fc.nat({ max: 40 }),
      childCount: fc.nat({ max: 40 }),
      maxPageSize: fc.integer({ min: 1, max: 9 }),
      seed: fc.nat(),
    });
    await fc.assert(
      fc.asyncProperty(world, async ({ kind, childKind, items, count, childCount, maxPageSize, seed }) => {
        const [pages = PAGES["one"], childPages = PAGES["one"]] = [PAGES[kind], PAGES[childKind]];
        if (pages === undefined || childPages === undefined) return;
        const way = saysInBody(pages) ? items.replace("$", "data") : items;
        const things = readerOf(THING, { list: listOf(pages, "/things"), items: way, pages });
        const parts = readerOf(PART, {
          list: listOf(childPages, "/things/{thingId}/parts"),
          path: { thingId: parentOf(things) },
          items: "data",
          pages: childPages,
        });
        const { fake, read } = await fakeOf(
          { readers: { Thing: things, Part: parts } },
          { records: { Thing: count, Part: childCount }, maxPageSize, seed },
        );
        const held = fake.objectOf("Thing").records();
        expect((await read(things)).items).to.deep.equal(held);
        expect(held).to.have.length(count);
        const { items: readParts } = await read(parts);
        const order = (left: unknown, right: unknown) => idOf(left) - idOf(right);
        const children = fake.objectOf("Part").records();
        expect([...readParts].sort(order)).to.deep.equal([...children].sort(order));
        expect(children).to.have.length(count === 0 ? 0 : childCount);
        const ids = new Set(held.map(({ id }) => id));
        expect(children.every(({ thing_id: id }) => ids.has(id))).to.equal(true);
        await closeFakes();
      }),
      {
        numRuns: runs(60),
        examples: Object.keys(PAGES).map((kind) => [
          { kind, childKind: kind, items: "$", count: 23, childCount: 31, maxPageSize: 5, seed: 1 },
        ]),
      },
    );
  });

  it("tells by a time what was changed, added and deleted", async () => {
    for (const [property, type, format] of [
      ["changed_at", { type: "string", format: "date-time" }, undefined],
      ["changed_at", { type: "integer" }, "epochSeconds"],
      ["changed_at", { type: "number" }, "epochMs"],
      [undefined, { type: "string" }, "isoSeconds"],
    ] as const) {
      const thing = typeOf("Thing", {
        id: { type: "integer" },
        name: { type: "string" },
        changed_at: type,
        gone: { type: "boolean" },
      });
      const reader = readerOf(thing, {
        list: "GET /things",
        items: "data",
        pages: { kind: "cursor", send: "after", next: "next" },
        since: { send: "since", overlap: "PT0S", ...(property && { property }), ...(format && { format }) },
        deletedWhen: { property: "gone" },
      });
      const { fake, read } = await fakeOf({ readers: { Thing: reader } }, { records: 25, maxPageSize: 10 });
      const object = fake.objectOf("Thing");
      const first = await read(reader);
      expect(first.items).to.deep.equal(object.records().map((record) => ({ operation: "upsert", record })));
      const [one, two, three] = object.records();
      await new Promise((resolve) => setTimeout(resolve, property === undefined ? 1_100 : 5));
      const changed = object.change(`id/${one?.["id"]}`, { name: "changed" });
      object.remove(`id/${two?.["id"]}`);
      const added = object.insert({ name: "added" });
      const second = await read(reader, first.checkpoint);
      const names = second.items.map((item) => {
        const { operation, record } = item as { operation: string; record: { id: number } };
        return `${operation} ${record.id}`;
      });
      expect(names).to.include.members([
        `upsert ${changed["id"]}`,
        `delete ${two?.["id"]}`,
        `upsert ${added["id"]}`,
      ]);
      expect(names).to.not.include(`upsert ${three?.["id"]}`);
      await closeFakes();
    }
  });

  it("holds the key of its parent where both call it the same, and a key of its own where that is its key", async () => {
    const uuid = { type: "string", format: "uuid" };
    const above = typeOf("Site", { siteId: uuid, id: uuid }, { keys: [["siteId"], ["id"]] });
    const below = typeOf("Visit", { id: uuid, siteId: uuid });
    const sites = readerOf(above, { list: "GET /sites", items: "data", pages: { kind: "one" } });
    const parent = sites as DeclaredReader<Readonly<Record<string, unknown>>>;
    const visits = readerOf(below, {
      list: "GET /sites/{siteId}/{id}/visits",
      path: { siteId: from(parent, "siteId"), id: from(parent, "id") },
      items: "data",
      pages: { kind: "one" },
    });
    const { fake } = await fakeOf(
      { readers: { Site: sites, Visit: visits } },
      { records: { Site: 2, Visit: 6 } },
    );
    const known = fake.objectOf("Site").records();
    const [siteIds, ids] = ["siteId", "id"].map((name) => known.map((record) => record[name]));
    for (const visit of fake.objectOf("Visit").records()) {
      expect(siteIds).to.include(visit["siteId"]);
      expect(ids).to.not.include(visit["id"]);
    }
  });

  it("refuses a time in another form than is declared", async () => {
    const thing = typeOf("Thing", { id: { type: "integer" }, changed_at: { type: "integer" } });
    for (const [format, right, wrong] of [
      ["iso", "2026-02-03T04:05:06Z", "1770091506000"],
      ["isoSeconds", "2026-02-03", "Tue, 03 Feb 2026 04:05:06 GMT"],
      ["epochSeconds", "1770091506", "2026-02-03T04:05:06Z"],
      ["httpDate", "Tue, 03 Feb 2026 04:05:06 GMT", "2026-02-03T04:05:06Z"],
    ] as const) {
      const since = { property: "changed_at", send: "since", format } as const;
      const reader = readerOf(thing, { list: "GET /things", items: "data", pages: { kind: "one" }, since });
      const { fake } = await fakeOf({ readers: { Thing: reader } }, { records: 1 });
      const statusOf = async (time: string) =>
        (await fetch(`${fake.origin}/v2/things?key=fake-apiKey&since=${encodeURIComponent(time)}`)).status;
      expect([await statusOf(right), await statusOf(wrong)]).to.deep.equal([200, 400]);
      await closeFakes();
    }
  });

  it("has records of every value of the member by which deleted ones are told, but that one", async () => {
    const state = { type: "string", enum: ["draft", "placed", "shipped", "deleted"] };
    const thing = typeOf("Thing", { id: { type: "integer" }, state });
    const reader = readerOf(thing, {
      list: "GET /things",
      items: "data",
      pages: { kind: "one" },
      since: { send: "since" },
      deletedWhen: { property: "state", is: "deleted" },
    });
    const { fake } = await fakeOf({ readers: { Thing: reader } }, { records: 40 });
    const states = fake
      .objectOf("Thing")
      .records()
      .map((record) => record["state"]);
    expect([...new Set(states)].sort()).to.deep.equal(["draft", "placed", "shipped"]);
  });

  it("tells by a mark what was changed", async () => {
    const thing = typeOf("Thing", { id: { type: "integer" }, name: { type: "string" } });
    const reader = readerOf(thing, {
      list: "GET /things/changes",
      items: "data",
      pages: { kind: "link", next: "next" },
      since: { mark: "meta.delta", send: "delta" },
    });
    const { fake, read } = await fakeOf({ readers: { Thing: reader } }, { records: 12, maxPageSize: 5 });
    const first = await read(reader);
    expect(first.items).to.have.length(12);
    const { checkpoint, items } = await read(reader, first.checkpoint);
    expect(items).to.deep.equal([]);
    fake.objectOf("Thing").change("id/3", { name: "changed" });
    expect((await read(reader, checkpoint)).items).to.deep.equal([
      { operation: "upsert", record: { ...fake.objectOf("Thing").records()[2] } },
    ]);
  });

  it("tells in a second list what was deleted", async () => {
    const thing = typeOf("Thing", {
      id: { type: "integer" },
      changed_at: { type: "string", format: "date-time" },
    });
    const pages = { kind: "cursor", send: "after", next: "next" } as const;
    const reader = readerOf(thing, {
      ...{ list: "GET /things", items: "data", pages },
      since: { property: "changed_at", send: "since", overlap: "PT0S" },
      deleted: {
        ...{ list: "GET /things/deleted", items: "data", pages: { kind: "page", send: "page" } },
        since: { property: "deleted_at", send: "from", format: "epochMs", overlap: "PT0S" },
      },
    } as never);
    const { fake, read } = await fakeOf({ readers: { Thing: reader } }, { records: 12, maxPageSize: 5 });
    const first = await read(reader);
    expect(first.items).to.have.length(12);
    await new Promise((resolve) => setTimeout(resolve, 5));
    fake.objectOf("Thing").remove("id/3");
    const second = await read(reader, first.checkpoint);
    expect(second.items.filter((item) => operationOf(item) === "delete").map(keyOf)).to.deep.equal([3]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    fake.objectOf("Thing").remove("id/4");
    const third = await read(reader, second.checkpoint);
    expect(third.items.filter((item) => operationOf(item) === "delete").map(keyOf)).to.include(4);
    const { items } = await read(reader);
    expect(items.filter((item) => operationOf(item) === "upsert")).to.have.length(10);
  });

  for (const [what, download, poll, handle] of [
    [
      "lines of JSON",
      { call: "GET /exports/{handle}/file", format: "jsonLines" },
      { call: "GET /exports/{handle}", state: "status", ready: ["ok", "done"], total: "count" },
      "job.id",
    ],
    [
      "JSON at an address that the job tells",
      { address: "file.url", format: "json", items: "rows" },
      { call: "GET {handle}" },
      { header: "Location" },
    ],
    [
      "CSV",
      { call: "GET /exports/{handle}/file", format: "csv", delimiter: ";", columns: { Name: "name" } },
      { call: "POST /exports/{handle}", state: "state", ready: "ready" },
      "id",
    ],
  ] as const)
    it(`comes as a file of ${what}, below parents and not`, async () => {
      const start = { call: "POST /exports", body: { type: "thing" }, handle };
      const things = readerOf(
        THING,
        exportJob({ start, poll, download } as never) as unknown as AnyReaderDeclaration,
      );
      const parts = readerOf(
        PART,
        exportJob({
          start: {
            ...start,
            call: "POST /things/{thingId}/parts/exports",
            path: { thingId: parentOf(things) },
          },
          poll: { ...poll, call: poll.call.replace("/exports", "/parts-exports") },
          download: { ...download, ...("call" in download && { call: "GET /parts-exports/{handle}/file" }) },
        } as never) as unknown as AnyReaderDeclaration,
      );
      const { fake, read } = await fakeOf(
        { readers: { Thing: things, Part: parts } },
        { records: { Thing: 6, Part: 20 } },
      );
      expect((await read(things)).items).to.deep.equal(fake.objectOf("Thing").records());
      const { items } = await read(parts);
      expect(items).to.have.deep.members(fake.objectOf("Part").records() as unknown[]);
    });

  it("is one of several at one address, told apart by what is sent: GraphQL, nodes and edges", async () => {
    const declared = (name: string, items: string, selection: string) =>
      graphql({
        document: `query ($after: String, $first: Int, $region: String) { ${name}(after: $after, first: $first) { ${selection} pageInfo { endCursor hasNextPage } } }`,
        variables: { region: setting("Region", { default: "north" }) },
        items,
        pages: { kind: "relay", size: 7 },
      }) as unknown as AnyReaderDeclaration;
    const readers = {
      Thing: readerOf(THING, declared("things", "things.nodes", "nodes { id }")),
      Part: readerOf(PART, declared("parts", "parts.edges", "edges { node { id } }")),
    };
    const { fake, read } = await fakeOf({ readers }, { records: 20, maxPageSize: 5 });
    expect((await read(readers.Thing)).items).to.deep.equal(fake.objectOf("Thing").records());
    expect((await read(readers.Part)).items).to.deep.equal(fake.objectOf("Part").records());
    const things = new Set(
      fake
        .objectOf("Thing")
        .records()
        .map(({ id }) => id),
    );
    expect(
      fake
        .objectOf("Part")
        .records()
        .every(({ thing_id: id }) => things.has(id)),
    ).to.equal(true);
  });

  it("has the records only that fit a parameter which is called as a member of them", async () => {
    const thing = typeOf("Thing", { id: { type: "integer" }, status: { enum: ["Open", "Closed"] } });
    const reader = readerOf(thing, {
      list: "GET /things",
      query: { status: setting("ThingStatus"), fields: "id,status" },
      items: "$",
      pages: { kind: "page", send: "page" },
    });
    const configuration = typeOf(
      "RegistrationConfiguration",
      { ThingStatus: { enum: ["Open"] } },
      { keys: [] },
    );
    const { fake, read } = await fakeOf({ readers: { Thing: reader }, configuration }, { records: 30 });
    const open = fake
      .objectOf("Thing")
      .records()
      .filter(({ status }) => status === "Open");
    expect(open.length).to.be.greaterThan(0).and.lessThan(30);
    expect((await read(reader)).items).to.deep.equal(open);
  });

  it("is asked for by members of parents that tell these apart, be they no key", async () => {
    const things = readerOf(THING, { list: "GET /things", items: "data", pages: { kind: "one" } });
    const parts = readerOf(PART, {
      list: "GET /things/{name}/parts",
      path: { name: from(things as DeclaredReader<Readonly<Record<string, unknown>>>, "name") },
      items: "data",
      pages: { kind: "one" },
    });
    const { fake, read } = await fakeOf(
      { readers: { Part: parts, Thing: things } },
      { records: { Thing: 60, Part: 60 } },
    );
    const names = fake
      .objectOf("Thing")
      .records()
      .map(({ name }) => name);
    expect(new Set(names).size).to.equal(60);
    expect(names).to.not.include("");
    expect((await read(parts)).items).to.have.length(60);
  });

  it("answers 404 below a parent that is gone, and an empty list below one without children", async () => {
    const things = readerOf(THING, { list: "GET /things", items: "data", pages: { kind: "one" } });
    const parts = readerOf(PART, {
      list: "GET /things/{id}/parts",
      path: { id: parentOf(things) },
      items: "data",
      pages: { kind: "one" },
    });
    const { fake, client } = await fakeOf(
      { readers: { Part: parts, Thing: things } },
      { records: { Thing: 3, Part: 2 } },
    );
    const { http } = client();
    const [first, , third] = fake.objectOf("Thing").records();
    expect(
      fake
        .objectOf("Part")
        .records()
        .map(({ thing_id: id }) => id),
    ).to.include(first?.["id"]);
    expect(await http.get(`things/${third?.["id"]}/parts`)).to.deep.include({
      statusCode: 200,
      result: { data: [] },
    });
    fake.objectOf("Thing").remove(`id/${first?.["id"]}`);
    expect(await http.get(`things/${first?.["id"]}/parts`)).to.include({ statusCode: 404 });
    expect(await http.get("things/nobody/parts")).to.include({ statusCode: 404 });
    expect(await http.get("elsewhere")).to.include({ statusCode: 404 });
  });
});

/** Whether an answer says something of its pages in its body. */
function saysInBody(pages: Pages): boolean {
  const ways = ["last", "total", "more", "next"].map((name) => Reflect.get(pages, name));
  return ways.some((way) => typeof way === "string");
}

function operationOf(item: unknown): string {
  return (item as { readonly operation: string }).operation;
}

/** The identifier of a changed record. */
function keyOf(item: unknown): number {
  return idOf((item as { readonly record: unknown }).record);
}

function idOf(record: unknown): number {
  return (record as { readonly id: number }).id;
}
