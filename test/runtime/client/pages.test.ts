import { expect } from "chai";
import {
  type ApiResponse,
  cursors,
  EndlessPagesError,
  linkHeaders,
  offsets,
  type PageIterator,
  pageNumbers,
  RequestRefusedError,
  ResponseError,
} from "../../../runtime/client/index.js";
import { answerJson, clientAt, closeServers, type SeenRequest, serve } from "../../support/loopback.js";
import { bytesInUse } from "../../support/memory.js";
import { rejection } from "../../support/promises.js";
import { longOr, SLOW_TEST_MS } from "../../support/repository.js";

const PAGES = longOr(4_000, 800);
const CALLS = longOr(3_000, 900);

interface Page {
  readonly items: readonly number[];
  readonly next?: string | null;
  readonly total?: number;
}

const itemsOf = ({ items }: Page) => items;

/** Numbers from 0 to below `count`. */
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

async function all(pages: PageIterator<Page>): Promise<readonly number[]> {
  const items: number[] = [];
  for await (const page of pages) items.push(...page.items);
  return items;
}

describe("pages", () => {
  afterEach(closeServers);

  /** A client for a server that gives a page by its query. */
  async function paged(page: (query: URLSearchParams, request: SeenRequest) => Page | number) {
    const server = await serve((request, response) => {
      const result = page(new URL(request.path, "http://x").searchParams, request);
      if (typeof result === "number") response.writeHead(result).end();
      else answerJson(response, result);
    });
    return { server, http: clientAt(server.origin) };
  }

  const slice = (start: number, length: number, count: number): Page => ({
    items: numbers(count).slice(start, start + length),
  });

  it("by number end with the empty one", async () => {
    const { http, server } = await paged((query) => slice((Number(query.get("page")) - 1) * 10, 10, 25));
    const pages = pageNumbers({ read: (page) => http.get<Page>("x", { query: { page } }), itemsOf });
    expect(await all(pages)).to.deep.equal(numbers(25));
    expect(server.requests.length).to.equal(4);
  });

  it("by number end with the page that says so, and begin with the number that is given", async () => {
    const { http, server } = await paged((query) => slice(Number(query.get("page")) * 10, 10, 25));
    const read = (page: number) => http.get<Page>("x", { query: { page } });
    const isLast = ({ items }: Page) => items.length < 10;
    expect(await all(pageNumbers({ read, itemsOf, isLast, first: 0 }))).to.deep.equal(numbers(25));
    expect(server.requests.length).to.equal(3);
  });

  it("by offset read on if the server gives fewer items than it was asked for", async () => {
    const { http } = await paged((query) => slice(Number(query.get("offset")), 7, 25));
    const read = (offset: number) => http.get<Page>("x", { query: { offset, limit: 10 } });
    expect(await all(offsets({ read, itemsOf }))).to.deep.equal(numbers(25));
  });

  it("by offset end with the total, if there is one", async () => {
    const { http, server } = await paged((query) => ({
      ...slice(Number(query.get("offset")), 5, 25),
      total: 25,
    }));
    const read = (offset: number) => http.get<Page>("x", { query: { offset } });
    expect(await all(offsets({ read, itemsOf, totalOf: ({ total }) => total }))).to.deep.equal(numbers(25));
    expect(server.requests.length).to.equal(5);
  });

  it("by cursor end without one, and go on over empty pages", async () => {
    const ends = [null, undefined, ""];
    const { http } = await paged((query) => {
      const at = Number(query.get("after") ?? 0);
      if (at === 30) return { items: [30], ...(ends[0] === undefined ? {} : { next: ends[0] }) };
      return { items: at === 10 ? [] : [at], next: String(at + 10) };
    });
    const read = (after: string | undefined) => http.get<Page>("x", { query: { after } });
    for (; ends.length > 0; ends.shift())
      expect(await all(cursors({ read, cursorOf: ({ next }) => next }))).to.deep.equal([0, 20, 30]);
  });

  it("by cursors that are addresses stay within the origin", async () => {
    const other = await serve((_, response) => answerJson(response, { items: [] }));
    const { http, server } = await paged((query) => ({
      items: [1],
      next: query.has("page") ? `${other.origin}/x` : `${server.origin}/x?page=2`,
    }));
    const read = (address: string | undefined) => http.get<Page>(address ?? "x");
    const error = await rejection(all(cursors({ read, cursorOf: ({ next }) => next })));
    expect(error).to.be.instanceOf(RequestRefusedError);
    expect(error.message).to.include(other.origin).and.to.include(server.origin);
    expect(other.requests).to.deep.equal([]);
  });

  it("by links follow the next one, relative or not, among others and with other parameters", async () => {
    const links: Record<string, string> = {
      "/v2/x?size=2": '</v2/x?p=0>; rel="first prev", <x?p=2>; title="a, b"; rel="next"',
      "/v2/x?p=2": "</v2/x?p=3>;rel=next;type=text",
      "/v2/x?p=3": '<>; rel=self, <ORIGIN/v2/x?p=4>; REL="last NEXT"',
      "/v2/x?p=4": '</v2/x?p=1>; rel="prev"',
    };
    const server = await serve((request, response) => {
      response.setHeader("link", (links[request.path] ?? "").replace("ORIGIN", server.origin));
      answerJson(response, { items: [Number(request.path.slice(-1))] });
    });
    const pages = linkHeaders<Page>(clientAt(`${server.origin}/v2`), "x", { query: { size: 2 } });
    expect(await all(pages)).to.deep.equal([2, 2, 3, 4]);
  });

  it("by links to another origin are refused", async () => {
    const other = await serve((_, response) => answerJson(response, { items: [] }));
    const server = await serve((_, response) => {
      response.setHeader("link", `<${other.origin}/x>; rel="next"`);
      answerJson(response, { items: [1] });
    });
    expect(await rejection(all(linkHeaders(clientAt(server.origin), "x")))).to.be.instanceOf(
      RequestRefusedError,
    );
    expect(other.requests).to.deep.equal([]);
  });

  it("end in an error, never early, if a page is no successful answer", async () => {
    const { http } = await paged((query) => (query.get("page") === "2" ? 500 : slice(0, 10, 10)));
    const read = (page: number) => http.get<Page>("x", { query: { page } });
    expect(await rejection(all(pageNumbers({ read, itemsOf }))))
      .to.be.instanceOf(ResponseError)
      .with.property("statusCode", 500);
    const nothing = await paged(() => 204);
    expect(await rejection(all(linkHeaders(nothing.http, "x")))).to.be.instanceOf(ResponseError);
  });

  it("that come again end in an error, in few requests", async () => {
    const same = await paged(() => slice(0, 10, 10));
    const readPage = (page: number) => same.http.get<Page>("x", { query: { page } });
    expect(await rejection(all(pageNumbers({ read: readPage, itemsOf })))).to.be.instanceOf(
      EndlessPagesError,
    );
    expect(await rejection(all(offsets({ read: readPage, itemsOf })))).to.be.instanceOf(EndlessPagesError);
    expect(same.server.requests.length).to.equal(4);
    const circle = await paged((query) => ({
      items: [],
      next: String((Number(query.get("after") ?? 0) + 1) % 5),
    }));
    const read = (after: string | undefined) => circle.http.get<Page>("x", { query: { after } });
    const error = await rejection(all(cursors({ read, cursorOf: ({ next }) => next })));
    expect(error).to.be.instanceOf(EndlessPagesError);
    expect(circle.server.requests.length).to.be.at.most(15);
    const loop = await serve((_, response) => {
      response.setHeader("link", "<x>; rel=next");
      answerJson(response, { items: [] });
    });
    expect(await rejection(all(linkHeaders(clientAt(loop.origin), "x")))).to.be.instanceOf(EndlessPagesError);
  });

  it("that never end do so at the bound", async () => {
    const { http, server } = await paged((query) => ({ items: [Number(query.get("page"))] }));
    const read = (page: number) => http.get<Page>("x", { query: { page } });
    const error = await rejection(all(pageNumbers({ read, itemsOf, maxPages: 12 })));
    expect(error).to.be.instanceOf(EndlessPagesError);
    expect(error.message).to.equal(
      "The list has not ended after 12 pages. Raise maxPages if it is that long.",
    );
    expect(server.requests.length).to.equal(12);
  });

  it("are asked for one at a time, when the last was taken", async () => {
    const { http, server } = await paged((query) => ({ items: [Number(query.get("page"))] }));
    const pages = pageNumbers({ read: (page) => http.get<Page>("x", { query: { page } }), itemsOf });
    expect(server.requests.length).to.equal(0);
    await pages.next();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(server.requests.length).to.equal(1);
    await pages.return();
    expect(await pages.next()).to.include({ done: true });
    expect(server.requests.length).to.equal(1);
  });

  it(`take constant memory, ${PAGES} of them`, async () => {
    const filler = "x".repeat(40_000);
    const server = await serve((request, response) => {
      const page = Number(request.path.split("=")[1] ?? 0);
      (server.requests as SeenRequest[]).length = 0;
      answerJson(response, { items: [{ page, filler }], next: page === PAGES ? null : String(page + 1) });
    });
    const http = clientAt(server.origin);
    const read = (page: string | undefined): Promise<ApiResponse<{ next: string | null }>> =>
      http.get("x", { query: { page }, signal: new AbortController().signal });
    const heaps: number[] = [];
    let count = 0;
    for await (const _ of cursors({ read, cursorOf: ({ next }) => next })) {
      if (++count % (PAGES / 5) !== 0) continue;
      heaps.push(await bytesInUse());
    }
    expect(count).to.equal(PAGES + 1);
    expect(Math.max(...heaps) - (heaps[0] ?? 0)).to.be.below(50_000_000);
  }).timeout(SLOW_TEST_MS);

  it("take constant memory below a signal that lives as long as the connector", async () => {
    const server = await serve((_, response) => answerJson(response, 1));
    const { signal } = new AbortController();
    const http = clientAt(server.origin, { host: { signal } });
    const heaps: number[] = [];
    for (let count = 1; count <= CALLS; count++) {
      await http.get("x", { signal });
      (server.requests as SeenRequest[]).length = 0;
      if (count % (CALLS / 3) !== 0) continue;
      heaps.push(await bytesInUse());
    }
    expect(Math.max(...heaps) - (heaps[0] ?? 0)).to.be.below(1_000_000);
  }).timeout(SLOW_TEST_MS);
});
