import { expect } from "chai";
import { type RecordMethods, typedRecord } from "../../../runtime/codegen/index.js";
import {
  defineReader,
  from,
  graphql,
  type ReaderContext,
  type RecordChange,
  setting,
} from "../../../runtime/entries/runtime.js";
import {
  ITEM,
  type Item,
  type ItemCache,
  item,
  NO_SETTINGS,
  openItemCache,
  SILENT,
} from "../../support/item-cache.js";
import {
  answerJson,
  clientAt,
  closeServers,
  fakeClock,
  serve,
  type TestClient,
} from "../../support/loopback.js";
import { all, failure } from "../../support/promises.js";

class ItemClass extends typedRecord<object, Item, RecordMethods<Item>>(ITEM) {}

const ITEMS = Array.from({ length: 5 }, (_, id) => item(id));

const QUERY = `query ($team: ID!, $after: String, $first: Int = 50) {
  team(id: $team) { items(after: $after, first: $first) {
    nodes { company id serial_number } edges { node { id } } pageInfo { endCursor hasNextPage } totalCount
  } }
}`;

const relay = {
  document: QUERY,
  variables: { team: setting("Team") },
  items: "team.items.nodes",
  pages: { kind: "relay", size: 2 },
} as const;

interface Asked {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** An endpoint with one list in Relay's pages; `answer` may answer in its place. */
async function endpoint(answer: (asked: Asked, count: number) => object | undefined = () => undefined) {
  const asked: Asked[] = [];
  const server = await serve((request, response, count) => {
    const body: Asked = JSON.parse(request.body);
    asked.push(body);
    const other = answer(body, count);
    if (other !== undefined) return answerJson(response, other);
    const { after = "-1", first = 50 } = body.variables;
    const rest = ITEMS.filter(({ id }) => id > Number(after));
    const nodes = rest.slice(0, Number(first));
    const pageInfo = {
      endCursor: nodes.length === 0 ? null : String(nodes.at(-1)?.id),
      hasNextPage: rest.length > nodes.length,
    };
    const items = { nodes, edges: nodes.map((node) => ({ node })), pageInfo, totalCount: ITEMS.length };
    answerJson(response, { data: { team: { items } } });
  });
  return { ...server, asked };
}

function contextAt(origin: string, more: Partial<ReaderContext> = {}, client: TestClient = {}) {
  const resumePoints: string[] = [];
  const context = {
    ...NO_SETTINGS,
    ...{ client: clientAt(origin, client), connection: { Team: "t1" }, log: SILENT },
    ...{ signal: new AbortController().signal, checkpoint: null, resumePoint: null },
    saveCheckpoint: () => {},
    saveResumePoint: (resumePoint: string) => void resumePoints.push(resumePoint),
    ...more,
  };
  return { context: context as never, resumePoints };
}

describe("a declared reader of a GraphQL query", () => {
  let cache: ItemCache;
  beforeEach(async () => {
    cache = await openItemCache();
  });
  afterEach(async () => {
    await cache.remove();
    await closeServers();
  });

  for (const items of ["team.items.nodes", "team.items.edges"]) {
    it(`reads a connection by its ${items}, page by page, and goes on where it was interrupted`, async () => {
      const { origin, asked, requests } = await endpoint();
      const read = defineReader(ItemClass, graphql({ ...relay, items }));
      const { context, resumePoints } = contextAt(origin);
      expect(await all(read(context))).to.deep.equal(ITEMS);
      expect(requests.map(({ method, path }) => [method, path])).to.deep.equal(
        Array(3).fill(["POST", "/graphql"]),
      );
      expect(asked.map(({ query }) => query)).to.deep.equal(Array(3).fill(QUERY));
      expect(asked.map(({ variables }) => variables)).to.deep.equal([
        { team: "t1", first: 2 },
        { team: "t1", first: 2, after: "1" },
        { team: "t1", first: 2, after: "3" },
      ]);
      expect(resumePoints).to.have.lengthOf(2);
      const rest = contextAt(origin, { resumePoint: resumePoints[1] ?? "" });
      expect(await all(read(rest.context))).to.deep.equal(ITEMS.slice(4));
    });
  }

  it("sends settings, values of parents and what has changed at any depth of its variables", async () => {
    const { origin, asked } = await endpoint(({ query }) =>
      query.includes("changed")
        ? { data: { changed: [item(9, { at: "2026-03-01T10:00:00Z" })] } }
        : undefined,
    );
    const parents = defineReader(ItemClass, graphql(relay));
    const read = defineReader(
      ItemClass,
      graphql({
        document: "query ($filter: Filter!, $since: Int) { changed(filter: $filter, since: $since) { id } }",
        endpoint: "/api/2026-01/graphql.json",
        variables: { filter: { item: from(parents, "id"), tags: [setting("Team"), "b"] } },
        items: "changed",
        pages: { kind: "one" },
        since: { property: "at" as never, send: "since", format: "epochSeconds" },
      }),
    );
    const { context } = contextAt(origin, { checkpoint: "2026-03-01T09:00:00.000Z" });
    const changes = await all(read(context) as AsyncIterable<RecordChange<Item>>);
    expect(changes.map(({ operation, record }) => [operation, record.id])).to.deep.equal(
      Array(5).fill(["upsert", 9]),
    );
    const filters = asked.filter(({ query }) => query.includes("changed"));
    expect(filters.map(({ variables }) => variables)).to.have.deep.members(
      ITEMS.map(({ id }) => ({ filter: { item: id, tags: ["t1", "b"] }, since: 1_772_355_600 })),
    );
  });

  it("reads every other kind of pages by its variables", async () => {
    const document = "query ($n: Int, $size: Int) { items(n: $n, size: $size) { id } }";
    const pages = [
      { kind: "page", send: "n", last: "pages", total: "total" },
      { kind: "offset", send: "n", total: "total", size: { send: "size", value: 2 } },
      { kind: "offset", send: "n", more: "more" },
      { kind: "cursor", send: "n", next: "next", more: "more" },
      { kind: "cursor", send: "n", next: { lastItem: "id" }, more: "more" },
    ] as const;
    for (const form of pages) {
      const startOf = {
        page: (n: number) => (n - 1) * 2,
        offset: (n: number) => n,
        cursor: (n: number) => n + 1,
      };
      const { origin, asked } = await endpoint(({ variables: { n } }) => {
        const start = n === undefined ? 0 : startOf[form.kind](Number(n));
        const items = ITEMS.slice(start, start + 2);
        const more = start + 2 < ITEMS.length;
        return { data: { items, total: 5, pages: 3, more, next: items.at(-1)?.id } };
      });
      const read = defineReader(ItemClass, graphql({ document, items: "items", pages: form }));
      expect(await all(read(contextAt(origin).context)), JSON.stringify(form)).to.deep.equal(ITEMS);
      // Each ends where its answer says so.
      expect(asked, JSON.stringify(form)).to.have.lengthOf(3);
    }
  });

  it("takes errors with a success for errors, also beside half of the data, and deletes nothing", async () => {
    await cache.full(ITEMS);
    const answers: readonly [errors: readonly object[], message: string, retry: string | undefined][] = [
      [
        [{ message: "You may not see items" }],
        "The list of Item was answered with an error: You may not see items.",
        undefined,
      ],
      [
        [{ message: "It broke.", extensions: { code: "INTERNAL_SERVER_ERROR" } }, {}],
        "The list of Item was answered with an error: It broke. It told 2 errors.",
        "later",
      ],
      [[{}], "The list of Item was answered with an error: without a message.", undefined],
    ];
    for (const [errors, message, retry] of answers) {
      const { origin } = await endpoint((_, count) =>
        count === 1
          ? undefined
          : { data: { team: { items: { nodes: [], pageInfo: { hasNextPage: false } } } }, errors },
      );
      const read = defineReader(ItemClass, graphql(relay));
      const result = await cache.full(() => read(contextAt(origin).context));
      expect([result.outcome, result.message]).to.deep.equal(["failed", message]);
      expect(result.error).to.have.property("retry", retry);
    }
    expect(Object.keys(await cache.contents())).to.have.lengthOf(5);
    const none = await endpoint(() => ({ data: { team: null }, errors: [] }));
    const read = defineReader(ItemClass, graphql(relay));
    expect(String(await failure(all(read(contextAt(none.origin).context))))).to.match(
      /no list of Item: items "data.team.items.nodes" leads to undefined/,
    );
  });

  it("waits by the clock of its client as long as it asks too much, and not for ever", async () => {
    const throttled = (extensions: object) => ({
      errors: [{ message: "Throttled", extensions: { code: "THROTTLED" } }],
      extensions,
    });
    const throttleStatus = { currentlyAvailable: 100, restoreRate: 50 };
    const { origin, asked } = await endpoint((_, count) => {
      if (count === 1) return throttled({ cost: { requestedQueryCost: 350, throttleStatus } });
      return count === 2 ? { errors: [{ message: "slow down", type: "RATE_LIMITED" }] } : undefined;
    });
    const clock = fakeClock();
    const read = defineReader(ItemClass, graphql(relay));
    expect(await all(read(contextAt(origin, {}, { clock }).context))).to.deep.equal(ITEMS);
    expect(clock.slept).to.deep.equal([5_000, 2_000]);
    expect(asked).to.have.lengthOf(5);
    const never = await endpoint(() => throttled({}));
    const error = await failure(all(read(contextAt(never.origin, {}, { clock: fakeClock() }).context)));
    expect(error).to.include({ name: "ResponseError", retry: "later" });
    expect(never.asked).to.have.lengthOf(10);
  });

  it("is refused if the document and what is sent do not fit each other", () => {
    const document =
      "query ($after: String, $team: ID!) { items(after: $after) { nodes { id } pageInfo { endCursor } } }";
    const wrong: readonly [object, RegExp][] = [
      [{ document }, /asks for \$team: give it a value in variables\.team/],
      [
        { document, variables: { team: 1, other: 2 } },
        /declares no variable \$other.*query \(\$other: String\)/,
      ],
      [
        { document, variables: { team: 1 }, pages: { kind: "relay", size: 5 } },
        /declares no variable \$first/,
      ],
      [
        { document: "query ($after: String) { a }" },
        /has to ask for pageInfo \{ endCursor hasNextPage \} beside items/,
      ],
      [{ document: "{ items { nodes { id } } }" }, /no variable \$after/],
    ];
    for (const [more, words] of wrong)
      expect(() => graphql({ items: "items.nodes", pages: { kind: "relay" }, ...more } as never)).to.throw(
        TypeError,
        words,
      );
  });
});
