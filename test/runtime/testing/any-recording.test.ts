import { expect } from "chai";
import fc from "fast-check";
import {
  type AnyReaderDeclaration,
  type DeclaredReader,
  exportJob,
  findings,
  from,
  graphql,
  type RecordType,
} from "../../../runtime/entries/runtime.js";
import {
  type Recording,
  readRecording,
  record,
  recordingText,
  replay,
} from "../../../runtime/entries/testing.js";
import { AUTH_TYPES, closeFakes, fakeOf, readerOf, typeOf } from "../../support/faked-connector.js";
import { type Pages, pageKinds } from "../../support/page-kinds.js";
import { runs, SLOW_TEST_MS } from "../../support/repository.js";

const PAGES = pageKinds(4);

/** Schemas of a property, each with more than a few values. */
const SCHEMAS = [
  { type: "string" },
  { type: "string", minLength: 3, maxLength: 12 },
  { type: "string", pattern: "^EMP-\\d{6}$" },
  { type: "string", pattern: "^[A-Z][a-z]{3,9}$" },
  { type: "string", format: "email", maxLength: 60 },
  { type: "string", format: "date" },
  { type: "string", format: "date-time" },
  { type: "string", format: "time" },
  { type: "string", format: "uri" },
  { type: "string", format: "ipv4" },
  { type: "string", format: "ipv6" },
  { type: "string", format: "uuid" },
  { type: "string", format: "duration" },
  { enum: ["one", "two", "three", null] },
  { type: "integer", minimum: 900, maximum: 90_000 },
  { type: "number", minimum: -5, maximum: 5 },
  { type: "integer", minimum: 0, multipleOf: 25 },
  { type: "boolean" },
  { type: "array", items: { type: "string", format: "email" } },
  {
    type: "object",
    properties: { street: { type: "string" }, number: { type: "integer" } },
    required: ["street"],
  },
  { anyOf: [{ type: "null" }, { type: "string", minLength: 4 }] },
] as const;

interface World {
  readonly kind: string;
  readonly childKind: string;
  readonly auth: keyof typeof AUTH_TYPES;
  readonly schema: number;
  readonly isKeySecret: boolean;
  readonly isReferenceKnown: boolean;
  readonly count: number;
  readonly seed: number;
  readonly isStruck: boolean;
}

function connectorOf({ kind, childKind, schema, isKeySecret, isReferenceKnown }: World) {
  const id = { type: "string", format: "uuid", ...(isKeySecret && { writeOnly: true }) };
  const thing = typeOf(
    "Thing",
    {
      id,
      rank: { type: "integer" },
      name: { type: "string" },
      hidden: { ...SCHEMAS[schema], writeOnly: true },
    },
    { keys: [["id"], ["rank"]] },
  );
  const part = typeOf("Part", {
    id: { type: "integer" },
    rank: { type: "integer" },
    thing_id: { type: "string", format: "uuid", ...(isReferenceKnown ? {} : { writeOnly: true }) },
  });
  const [pages, childPages] = [PAGES[kind], PAGES[childKind]] as [Pages, Pages];
  const things = readerOf(thing, { list: callOf(pages, "/things"), items: "data", pages });
  const parts = readerOf(part, {
    list: callOf(childPages, "/things/{thingId}/parts"),
    path: { thingId: from(things as DeclaredReader<Readonly<Record<string, unknown>>>, "id") },
    items: "data",
    pages: childPages,
  });
  return { readers: { Thing: things, Part: parts }, type: thing };
}

/** A list by POST where something of the paging goes into the body. */
function callOf(pages: Pages, path: string): string {
  const isInBody = "send" in pages && typeof pages.send === "object" && "body" in pages.send;
  return `${isInBody ? "POST" : "GET"} ${path}`;
}

/** The items of all answers to calls whose path ends so. */
function itemsIn({ exchanges }: Recording, end: string): readonly Readonly<Record<string, unknown>>[] {
  return exchanges
    .filter(({ request, response }) => new URL(request.url).pathname.endsWith(end) && response.status === 200)
    .flatMap(({ response }) => JSON.parse(response.text).data ?? []);
}

function scalarsIn(value: unknown): readonly string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(scalarsIn);
  return typeof value === "string" ? [value] : [];
}

interface Masked {
  readonly given: World & { readonly type: RecordType };
  readonly real: readonly Readonly<Record<string, unknown>>[];
  readonly text: string;
}

/** Nothing write-only is left, types are the same, different values are different and equal ones equal. */
function expectMasked(recording: Recording, { given, real, text }: Masked): void {
  const hidden = real.flatMap((thing) => scalarsIn(thing["hidden"]));
  const secret = [...hidden, ...(given.isKeySecret ? real.map(({ id }) => String(id)) : [])];
  // Members of an enumeration stand for each other.
  for (const value of secret.filter((text) => text.length > 7)) expect(text).to.not.include(value);
  const things = itemsIn(recording, "/things");
  const ids = new Set(things.map(({ id }) => id));
  expect(ids.size).to.equal(given.count);
  for (const thing of things) expect(findings(given.type.schema, thing)).to.deep.equal([]);
  const typesOf = (all: Masked["real"]) => all.map((thing) => typeof thing["hidden"]);
  expect(typesOf(things)).to.deep.equal(typesOf(real));
  if (!given.isKeySecret && !given.isReferenceKnown) return;
  for (const part of itemsIn(recording, "/parts")) expect(ids).to.include(part["thing_id"]);
}

describe("a recording of any connector", () => {
  afterEach(closeFakes);

  it("is replayed as it was, with stand-ins that fit, equal where the values were, and with nothing write-only", async function () {
    this.timeout(SLOW_TEST_MS);
    const world: fc.Arbitrary<World> = fc.record({
      kind: fc.constantFrom(...Object.keys(PAGES)),
      childKind: fc.constantFrom(...Object.keys(PAGES)),
      auth: fc.constantFrom(...(Object.keys(AUTH_TYPES) as (keyof typeof AUTH_TYPES)[])),
      schema: fc.nat({ max: SCHEMAS.length - 1 }),
      isKeySecret: fc.boolean(),
      isReferenceKnown: fc.boolean(),
      count: fc.integer({ min: 0, max: 12 }),
      seed: fc.nat(),
      isStruck: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(world, async (given) => {
        const { count, seed, auth, isStruck } = given;
        const { readers, type } = connectorOf(given);
        const { registration, fake } = await fakeOf(
          { readers, auth: AUTH_TYPES[auth], attempts: 3 },
          {
            ...{ records: { Thing: count, Part: count * 2 }, maxPageSize: 4, seed },
            faults: isStruck
              ? [
                  { name: "resetBeforeAnswer", at: [2] },
                  { name: "tooManyRequestsAnyTime", at: [4] },
                ]
              : [],
          },
        );
        const options = {
          ...{ connection: fake.connection, settings: fake.settings, host: { transport: fake.transport } },
          key: String(seed),
          limit: null,
        };
        const recording = await record(registration, { ...options, object: "faked/app/1/part" });
        const text = recordingText(recording);
        const { differences } = await replay(registration, readRecording(text));
        expect(differences).to.deep.equal([]);
        expect(recording.runs[0]?.counts?.rejected).to.equal(0);
        expectMasked(recording, { given: { ...given, type }, real: fake.objectOf("Thing").records(), text });
        await closeFakes();
      }),
      {
        numRuns: runs(16),
        examples: Object.keys(PAGES).map((kind, index) => [
          {
            ...{
              kind,
              childKind: "page",
              auth: "ApiKey",
              schema: index,
              count: 6,
              seed: index,
              isStruck: false,
            },
            ...{ isKeySecret: index % 2 === 0, isReferenceKnown: true },
          },
        ]),
      },
    );
  });

  it("is replayed for exports and for GraphQL", async () => {
    const thing = typeOf("Thing", {
      id: { type: "integer" },
      email: { type: "string", format: "email", writeOnly: true },
    });
    const job = (download: object) =>
      exportJob({
        start: { call: "POST /exports", handle: "job.id" },
        poll: { call: "GET /exports/{handle}", state: "status", ready: "done" },
        download: { call: "GET /exports/{handle}/file", ...download },
      } as never) as unknown as AnyReaderDeclaration;
    const query = graphql({
      document:
        "query ($after: String, $first: Int) { things(after: $after, first: $first) { nodes { id email } pageInfo { endCursor hasNextPage } } }",
      items: "things.nodes",
      pages: { kind: "relay", size: 4 },
    }) as unknown as AnyReaderDeclaration;
    const readers = {
      json: readerOf(thing, job({ format: "json", items: "rows" })),
      csv: readerOf(thing, job({ format: "csv", delimiter: ";" })),
      jsonLines: readerOf(thing, job({ format: "jsonLines" })),
      graphql: readerOf(thing, query),
    };
    for (const [name, reader] of Object.entries(readers)) {
      const { registration, fake } = await fakeOf(
        { readers: { Thing: reader } },
        { records: 9, maxPageSize: 4 },
      );
      const recording = await record(registration, {
        ...{ object: "faked/app/1/thing", connection: fake.connection, settings: fake.settings, key: "k" },
        host: { transport: fake.transport },
      });
      expect(recording.runs[0]?.counts?.inserted, name).to.equal(9);
      const text = recordingText(recording);
      for (const { email } of fake.objectOf("Thing").records()) expect(text).to.not.include(String(email));
      expect((await replay(registration, readRecording(text))).differences, name).to.deep.equal([]);
    }
  });
});
