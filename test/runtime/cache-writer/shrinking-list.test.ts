import { expect } from "chai";
import {
  cursors,
  type HttpClient,
  offsets,
  type PageIterator,
  pageNumbers,
} from "../../../runtime/client/index.js";
import { endOf, type Item, type ItemCache, item, openItemCache } from "../../support/item-cache.js";
import { answerJson, clientAt, closeServers, type SeenRequest, serve } from "../../support/loopback.js";

const PAGE_SIZE = 3;
const KEYS = Array.from({ length: 12 }, (_, index) => `id/a/${index + 10}`);

interface Page {
  readonly items: readonly Item[];
  readonly total: number;
  readonly next: string | null;
}

describe("a list that shrinks between two pages", () => {
  let cache: ItemCache;
  let http: HttpClient;
  let items: Item[];
  let requests: readonly SeenRequest[];
  /** Called before a request is answered, with its number; `run` counts from 1. */
  let onRequest: (count: number) => void;
  let isFailing: boolean;

  beforeEach(async () => {
    cache = await openItemCache();
    items = KEYS.map((_, index) => item(index + 10));
    onRequest = () => undefined;
    isFailing = false;
    const server = await serve((request, response, count) => {
      const query = new URL(request.path, "http://x").searchParams;
      onRequest(count);
      const skip = Number(query.get("skip") ?? (Number(query.get("page") ?? 1) - 1) * PAGE_SIZE);
      const after = Number(query.get("after") ?? 0);
      const rest = items.filter(({ id }) => id > after).slice(skip);
      const page = rest.slice(0, PAGE_SIZE);
      const next = rest.length > PAGE_SIZE ? String(page.at(-1)?.id) : null;
      if (isFailing) response.writeHead(400).end();
      else answerJson(response, { items: page, total: items.length, next });
    });
    http = clientAt(server.origin);
    ({ requests } = server);
  });

  afterEach(async () => {
    await closeServers();
    await cache.remove();
  });

  const get = (query: Record<string, string | number | undefined>) => http.get<Page>("items", { query });
  const itemsOf = ({ items: list }: Page) => list;
  const byNumber = () => pageNumbers({ read: (page) => get({ page }), itemsOf });
  const byOffset = () =>
    offsets({ read: (skip) => get({ skip }), itemsOf, totalOf: ({ total }: Page) => total });
  const byCursor = () => cursors({ read: (after) => get({ after }), cursorOf: ({ next }: Page) => next });

  /** A run, and how many requests it took. */
  async function run(pages: () => PageIterator<Page>, options: Parameters<ItemCache["full"]>[1] = {}) {
    const before = requests.length;
    const hook = onRequest;
    onRequest = (count) => hook(count - before);
    const result = await cache.full(async function* () {
      for await (const page of pages()) yield* page.items;
    }, options);
    onRequest = () => undefined;
    return { result, requests: requests.length - before };
  }

  const cached = async () => Object.keys(await cache.contents());
  /** Takes the first record out of the list before the second page is sent. */
  const shrink = () => {
    onRequest = (count) => {
      if (count === 2) items.shift();
    };
  };

  for (const [name, pages] of [
    ["numbers", byNumber],
    ["offsets", byOffset],
  ] as const) {
    it(`by ${name} loses no record: what was not read is looked for again`, async () => {
      await run(pages);
      shrink();
      const { result } = await run(pages);
      expect(endOf(result)).to.deep.equal({ outcome: "succeeded", unchanged: 12 });
      expect(result).to.include({ secondLook: true, read: 11 });
      expect(await cached()).to.deep.equal(KEYS);
      const next = await run(pages);
      expect(endOf(next.result)).to.deep.equal({ outcome: "succeeded", unchanged: 11, deleted: 1 });
      expect(await cached()).to.deep.equal(KEYS.slice(1));
    });
  }

  it("needs no second look where nothing is missing, the list has one page, or it is read by cursor", async () => {
    await run(byNumber);
    expect((await run(byNumber)).requests).to.equal(5);
    shrink();
    const cursor = await run(byCursor);
    expect(cursor.result).to.include({ secondLook: false, deleted: 0 });
    const after = await run(byCursor);
    expect(after.result).to.include({ secondLook: false, deleted: 1 });
    expect(after.requests).to.equal(4);
    items = items.slice(0, PAGE_SIZE);
    const one = await run(byOffset, { approveDeletes: true });
    expect(one.result).to.include({ secondLook: false, deleted: 8 });
    expect(one.requests).to.equal(1);
  });

  it("is not read again where the guard withholds the deletes anyway", async () => {
    await run(byNumber);
    items = items.slice(0, 4);
    const { result, requests: count } = await run(byNumber, { guard: { alwaysAllowed: 0 } });
    expect(result).to.include({ outcome: "needs-approval", secondLook: false, withheldDeletes: 8 });
    expect(count).to.equal(3);
  });

  it("deletes nothing if the second look fails", async () => {
    await run(byNumber);
    items.pop();
    onRequest = (count) => {
      isFailing = count > 5;
    };
    const { result } = await run(byNumber);
    expect(endOf(result)).to.deep.equal({ outcome: "failed", unchanged: 11 });
    expect(await cached()).to.deep.equal(KEYS);
  });

  it("counts what was new, changed or rejected at the second look, and each record once", async () => {
    await run(byNumber);
    onRequest = (count) => {
      if (count === 2) items.shift();
      // The second look begins.
      if (count === 6) {
        items = items.map((record) => (record.id === 13 ? { ...record, name: "x".repeat(21) } : record));
        items.push(item(50), item(51, { name: "x".repeat(21) }));
      }
    };
    const { result } = await run(byNumber);
    expect(endOf(result)).to.deep.equal({
      outcome: "succeeded",
      unchanged: 11,
      inserted: 1,
      rejected: 2,
    });
    expect(result.repeatedKeys).to.deep.equal([]);
    expect(await cached()).to.deep.equal([...KEYS, "id/a/50"]);
  });

  it("is not resumed in the middle of its second look, and keeps its resume point", async () => {
    await run(byNumber);
    items.shift();
    const seen: (string | null)[] = [];
    const result = await cache.full(async function* ({ resumePoint, saveResumePoint }) {
      seen.push(resumePoint);
      for await (const page of byNumber()) {
        yield* page.items;
        saveResumePoint("somewhere");
      }
    });
    expect(seen).to.deep.equal([null, null]);
    expect(endOf(result)).to.deep.equal({ outcome: "succeeded", unchanged: 11, deleted: 1 });
  });
});
