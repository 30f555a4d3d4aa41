import { expect } from "chai";
import fc from "fast-check";
import { typedRecord } from "../../../runtime/codegen/index.js";
import { defineReader, type Pages } from "../../../runtime/entries/runtime.js";
import { previewObject } from "../../../runtime/host/index.js";
import { fullObject, ITEM, type Item, item, SILENT } from "../../support/item-cache.js";
import { clientAt, closeServers } from "../../support/loopback.js";
import { FORMS, type PagedForm, serveList } from "../../support/paged-server.js";
import { runs, SLOW_TEST_MS } from "../../support/repository.js";

class ItemClass extends typedRecord<object, Item, object>(ITEM) {}

/** Forms by name, but those whose pages begin elsewhere than their number says: all at once, and by what was read. */
const PAGED = Object.entries(FORMS as Readonly<Record<string, PagedForm>>).filter(
  ([, { pages }]) => pages.kind !== "one",
);

/** The form whose page size is the one that the server gives, where pages are found by it. */
function sized({ pages }: PagedForm, value: number): Pages<unknown> {
  return pages.kind === "offset" ? { ...pages, size: { send: "size", value } } : pages;
}

describe("a reader that is tried", function () {
  this.timeout(SLOW_TEST_MS);
  afterEach(() => closeServers());

  for (const [name, form] of PAGED) {
    it(`shows the records from any page by ${name} on, asks for no more, and knows which page was the last`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 4 }),
          fc.integer({ min: 1, max: 12 }),
          fc.integer({ min: 1, max: 6 }),
          fc.integer({ min: 1, max: 13 }),
          async (cap, count, page, limit) => {
            const list = Array.from({ length: count }, (_, id) => item(id));
            const { origin, requests } = await serveList({ form, cap, listAt: () => list });
            const pages = sized(form, cap);
            const reader = defineReader(ItemClass, { list: "GET /items", items: "data", pages } as never);
            const tried = await previewObject(fullObject(reader as never), {
              client: clientAt(origin),
              connection: {},
              log: SILENT,
              signal: new AbortController().signal,
              ...{ limit, page },
            });
            const before = (page - 1) * cap;
            const records = list.slice(before, before + limit);
            expect(tried.records.map(({ record }) => record)).to.deep.equal(records);
            const isSought = pages.kind !== "page" && pages.kind !== "offset";
            const isPastTheEnd = isSought && page > Math.ceil(count / cap);
            expect(tried.outcome, tried.message ?? "").to.equal(isPastTheEnd ? "failed" : "succeeded");
            const shown = Math.ceil(records.length / cap);
            if (records.length === limit)
              expect(requests).to.have.lengthOf(isSought ? page - 1 + shown : shown);
          },
        ),
        { numRuns: runs(25) },
      );
    });
  }
});
