import { expect } from "chai";
import type { PlannedPages, State } from "../../generators/openapi/inference/plan.js";
import { listDocument, listOf, objectOf, onlyObject } from "../support/openapi.js";

const PROJECT = objectOf("id", "name");
const ROOT = listOf(PROJECT);
const NUMBER = { type: "integer" };
const TEXT = { type: "string" };

interface Row {
  readonly parameters?: readonly (string | object)[];
  /** Members beside the records; none for an answer that is the list. */
  readonly beside?: Readonly<Record<string, object>>;
  readonly headers?: object;
  /** Schema of a record, if it is not that of a project. */
  readonly record?: object;
  readonly more?: object;
  readonly pages: PlannedPages | PlannedPages["kind"];
  readonly state: State;
}

function parameter(name: string, schema: object, description = ""): object {
  return { name, in: "query", schema, description };
}

/** A mark of Stainless's extension. */
function purpose(name: string, header?: string): object {
  return { "x-stainless-pagination-property": { purpose: name, ...(header && { from_header: header }) } };
}

/** What decides how a list comes in pages, and what is asked. */
const ROWS: Readonly<Record<string, Row>> = {
  "nothing speaks of pages": { pages: { kind: "one" }, state: "sure" },
  "the address of the next page": {
    parameters: ["page"],
    beside: { next: { type: "string", format: "uri", nullable: true }, count: NUMBER },
    pages: { kind: "link", next: "next" },
    state: "sure",
  },
  "a link among links": {
    parameters: ["offset", "limit"],
    beside: { _links: objectOf({ next: objectOf("href") }) },
    pages: { kind: "link", next: "_links.next.href" },
    state: "sure",
  },
  "Microsoft's link": {
    beside: { "@odata.nextLink": TEXT },
    pages: { kind: "link", next: "@odata.nextLink" },
    state: "sure",
  },
  "a number of pages": {
    parameters: [
      parameter("page", { ...NUMBER, default: 0 }),
      parameter("per_page", { ...NUMBER, maximum: 5000 }),
    ],
    beside: { meta: objectOf({ total_pages: NUMBER }) },
    pages: { kind: "page", send: "page", first: 0, size: { send: "per_page", value: 1000 } },
    state: "sure",
  },
  "the last page of pages that count from 1": {
    parameters: ["page"],
    beside: { pagination: objectOf({ pageCount: NUMBER }) },
    pages: { kind: "page", send: "page", first: 1, last: "pagination.pageCount" },
    state: "sure",
  },
  "a page and nothing else": {
    parameters: [parameter("page", NUMBER), parameter("limit", NUMBER, "At most 250")],
    pages: { kind: "page", send: "page", first: 1, size: { send: "limit", value: 250 } },
    state: "middle",
  },
  "pages that may count from 0": { parameters: ["pageIndex"], pages: "page", state: "ask" },
  "pages that say that they count from 0": {
    parameters: [parameter("pageIndex", NUMBER, "Zero-based")],
    pages: { kind: "page", send: "pageIndex", first: 0 },
    state: "middle",
  },
  "pages that begin at 0 by default": {
    parameters: [parameter("page", NUMBER, "Page to retrieve (starts at and defaults to 0)")],
    pages: { kind: "page", send: "page", first: 0 },
    state: "middle",
  },
  "pages of which 0 is none": {
    parameters: [parameter("page", NUMBER, "Which page. Must be a number greater than 0.")],
    pages: { kind: "page", send: "page", first: 1 },
    state: "middle",
  },
  "pages whose description names 0": {
    parameters: [parameter("page", NUMBER, "Which page, 0 for the newest.")],
    pages: "page",
    state: "ask",
  },
  "a number that is taken where nothing is sent": {
    parameters: [parameter("return_count", { ...NUMBER, default: 100 })],
    pages: "one",
    state: "ask",
  },
  "an offset and a total": {
    parameters: ["offset", "limit"],
    beside: { total_count: NUMBER },
    pages: { kind: "offset", send: "offset", total: "total_count" },
    state: "sure",
  },
  "an offset that begins at 1": { parameters: ["startIndex", "count"], pages: "offset", state: "ask" },
  "an offset without a size": { parameters: ["offset"], pages: "offset", state: "ask" },
  "an offset that is a token": {
    parameters: [parameter("offset", TEXT), "limit"],
    beside: { next_offset: TEXT },
    pages: { kind: "cursor", send: "offset", next: "next_offset" },
    state: "sure",
  },
  "an offset that is the text of a number": {
    parameters: [parameter("offset", { ...TEXT, default: "0" }), "limit"],
    beside: { total: NUMBER },
    pages: { kind: "offset", send: "offset", total: "total" },
    state: "sure",
  },
  "a cursor among cursors": {
    parameters: [parameter("after", TEXT), "limit"],
    beside: { paging: objectOf({ next: objectOf("after") }) },
    pages: { kind: "cursor", send: "after", next: "paging.next.after" },
    state: "sure",
  },
  "a cursor beside a link": {
    parameters: [parameter("cursor", TEXT)],
    beside: { meta: objectOf({ cursors: objectOf("next") }), links: objectOf("next") },
    pages: { kind: "cursor", send: "cursor", next: "meta.cursors.next" },
    state: "sure",
  },
  "a next that nobody calls a token": {
    parameters: [parameter("cursor", TEXT)],
    beside: { next: TEXT, pagination: objectOf("next") },
    pages: "cursor",
    state: "ask",
  },
  "a next that is called a token": {
    parameters: [parameter("cursor", TEXT)],
    beside: { next: { ...TEXT, description: "The cursor of the next page." } },
    pages: { kind: "cursor", send: "cursor", next: "next" },
    state: "sure",
  },
  "a cursor and a list without anything round it": {
    parameters: [parameter("after", TEXT)],
    pages: { kind: "linkHeader" },
    state: "ask",
  },
  "a cursor, a list, and words of the header Link": {
    parameters: [parameter("after", TEXT, "Take it from the `Link` header of the answer.")],
    pages: { kind: "linkHeader" },
    state: "middle",
  },
  "a page with its size, beside an offset with its own": {
    parameters: [
      "page",
      parameter("page_size", { ...NUMBER, maximum: 50 }),
      "offset",
      parameter("limit", { ...NUMBER, maximum: 20 }),
    ],
    pages: { kind: "offset", send: "offset", size: { send: "limit", value: 20 } },
    state: "middle",
  },
  "a total that has to be asked for": {
    parameters: ["start", "maxResults", parameter("getTotalCount", { type: "boolean", default: false })],
    beside: { totalCount: NUMBER },
    pages: { kind: "offset", send: "start" },
    state: "middle",
  },
  "a link that may be an object": {
    beside: { links: objectOf({ next: { anyOf: [TEXT, objectOf("href")] } }) },
    pages: { kind: "link", next: "links.next.href" },
    state: "ask",
  },
  "a parameter in words of its own": { parameters: ["paginate_page"], pages: "one", state: "ask" },
  "a number of pages in words of its own": { parameters: ["listPage"], pages: "one", state: "ask" },
  "a description of a parameter": {
    parameters: [parameter("from", NUMBER, "The first pagination index.")],
    pages: "one",
    state: "ask",
  },
  "a page and its size in brackets": {
    parameters: ["page[number]", parameter("page[size]", { ...NUMBER, maximum: 30 })],
    pages: { kind: "page", send: "page[number]", first: 1, size: { send: "page[size]", value: 30 } },
    state: "middle",
  },
  "members of one parameter that are sent in brackets": {
    parameters: [
      {
        ...parameter("page", objectOf({ number: NUMBER, size: { ...NUMBER, maximum: 30 } })),
        style: "deepObject",
        required: true,
      },
    ],
    pages: { kind: "page", send: "page[number]", first: 1, size: { send: "page[size]", value: 30 } },
    state: "middle",
  },
  "one parameter whose members nobody knows how to send": {
    parameters: [parameter("page", objectOf({ number: NUMBER, size: NUMBER }))],
    pages: "one",
    state: "ask",
  },
  "filters in brackets that are called as paging is": {
    parameters: [
      parameter("filter[page]", TEXT),
      parameter("filter[state]", TEXT),
      parameter("filter[start]", TEXT),
    ],
    pages: { kind: "one" },
    state: "sure",
  },
  "a header that is sent": {
    parameters: [{ name: "X-Next-Token", in: "header", schema: TEXT }],
    pages: "one",
    state: "ask",
  },
  "a header of the answer": { headers: { "X-Total-Count": { schema: NUMBER } }, pages: "one", state: "ask" },
  "headers that say nothing of pages": {
    parameters: [{ name: "X-Request-Id", in: "header", schema: TEXT }],
    headers: { "X-Rate-Limit": { schema: NUMBER }, "X-Rate-Remaining": { schema: NUMBER } },
    pages: { kind: "one" },
    state: "sure",
  },
  "a member in words of its own": { beside: { load_more_projects: TEXT }, pages: "one", state: "ask" },
  "a description of the operation": {
    more: { description: "Lists all projects. Results are paginated." },
    pages: "one",
    state: "ask",
  },
  "a description that says that there are none": {
    more: { description: "Lists all projects. It is not paginated." },
    pages: { kind: "one" },
    state: "sure",
  },
  "a date that is called as a cursor is": {
    parameters: [parameter("after", { ...TEXT, format: "date-time" })],
    pages: { kind: "one" },
    state: "sure",
  },
  "the header Link": {
    parameters: ["page", "per_page"],
    headers: { Link: { schema: TEXT } },
    pages: { kind: "linkHeader" },
    state: "sure",
  },
  "the key of the last record": {
    parameters: [parameter("starting_after", TEXT), "limit"],
    beside: { has_more: { type: "boolean" } },
    pages: { kind: "cursor", send: "starting_after", next: { lastItem: "id" }, more: "has_more" },
    state: "sure",
  },
  "a size alone": { parameters: ["limit"], pages: "one", state: "ask" },
  "a total alone": { beside: { total: NUMBER }, pages: "one", state: "ask" },
  "a next alone": { beside: { next: TEXT }, pages: "one", state: "ask" },
  "more alone": { beside: { has_more: { type: "boolean" } }, pages: "one", state: "ask" },
  "a cursor alone": {
    parameters: [parameter("cursor", TEXT)],
    beside: { ok: { type: "boolean" } },
    pages: "cursor",
    state: "ask",
  },
  "names that hold the names of paging": {
    parameters: ["startYear", "token", "since", "landing_page_id", parameter("pageColor", TEXT)],
    beside: { count: NUMBER, size: NUMBER },
    pages: { kind: "one" },
    state: "sure",
  },
  "what Microsoft's extension says": {
    more: { "x-ms-pageable": { nextLinkName: "more" } },
    beside: { more: TEXT },
    pages: { kind: "link", next: "more" },
    state: "sure",
  },
  "a page of Speakeasy's extension": {
    more: {
      "x-speakeasy-pagination": {
        type: "offsetLimit",
        inputs: [{ name: "nr", in: "parameters", type: "page" }],
        outputs: { results: "$.data", numPages: "$.info.all" },
      },
    },
    parameters: ["nr"],
    beside: { info: objectOf({ all: NUMBER }) },
    pages: { kind: "page", send: "nr", first: 1, last: "info.all" },
    state: "sure",
  },
  "an offset of Speakeasy's extension": {
    more: {
      "x-speakeasy-pagination": {
        type: "offsetLimit",
        inputs: [
          { name: "from", in: "parameters", type: "offset" },
          { name: "many", in: "parameters", type: "limit" },
        ],
        outputs: { results: "$.data" },
      },
    },
    parameters: ["from", parameter("many", { ...NUMBER, maximum: 40 }), "limit"],
    beside: { total: NUMBER },
    pages: { kind: "offset", send: "from", total: "total", size: { send: "many", value: 40 } },
    state: "sure",
  },
  "a cursor of Speakeasy's extension": {
    more: {
      "x-speakeasy-pagination": {
        type: "cursor",
        inputs: [{ name: "since", in: "parameters", type: "cursor" }],
        outputs: { results: "$.data", nextCursor: "$.data[-1].id" },
      },
    },
    parameters: [parameter("since", TEXT)],
    beside: { has_more: { type: "boolean" } },
    pages: { kind: "cursor", send: "since", next: { lastItem: "id" }, more: "has_more" },
    state: "sure",
  },
  "an address of Speakeasy's extension": {
    more: { "x-speakeasy-pagination": { type: "url", outputs: { nextUrl: "$.on.ward" } } },
    beside: { on: objectOf("ward") },
    pages: { kind: "link", next: "on.ward" },
    state: "sure",
  },
  "a body that Speakeasy's extension sends": {
    more: {
      "x-speakeasy-pagination": {
        type: "cursor",
        inputs: [{ name: "c", in: "requestBody", type: "cursor" }],
      },
    },
    beside: { has_more: { type: "boolean" } },
    pages: "one",
    state: "ask",
  },
  "a page of Fern's extension": {
    more: { "x-fern-pagination": { offset: "$request.nr", results: "$response.data" } },
    parameters: ["nr"],
    beside: { a: NUMBER },
    pages: { kind: "page", send: "nr", first: 1 },
    state: "middle",
  },
  "an offset of Fern's extension": {
    more: {
      "x-fern-pagination": { offset: "$request.nr", step: "$request.many", results: "$response.data" },
    },
    parameters: ["nr", "many"],
    beside: { a: NUMBER },
    pages: { kind: "offset", send: "nr" },
    state: "middle",
  },
  "a cursor of Fern's extension": {
    more: {
      "x-fern-pagination": {
        cursor: "$request.at",
        next_cursor: "$response.meta.then",
        "has-next-page": "$response.meta.any",
        results: "$response.data",
      },
    },
    parameters: [parameter("at", TEXT)],
    beside: { meta: objectOf("then", "any") },
    pages: { kind: "cursor", send: "at", next: "meta.then", more: "meta.any" },
    state: "sure",
  },
  "a cursor of Stainless's extension, in words that no rule knows": {
    parameters: [parameter("from_here", { ...TEXT, ...purpose("next_cursor_param") }), "page"],
    beside: {
      result_info: objectOf({ onward: { ...TEXT, ...purpose("next_cursor_field") } }),
      rest: { type: "boolean", ...purpose("has_next_page") },
    },
    pages: { kind: "cursor", send: "from_here", next: "result_info.onward", more: "rest" },
    state: "sure",
  },
  "a parameter that Stainless's extension calls a cursor, and the token that goes with it": {
    parameters: [{ ...parameter("from_here", TEXT), ...purpose("next_cursor_param") }],
    beside: { paging: objectOf("after") },
    pages: { kind: "cursor", send: "from_here", next: "paging.after" },
    state: "sure",
  },
  "a header of Stainless's extension": {
    parameters: [parameter("after", { ...TEXT, ...purpose("next_cursor_param") })],
    beside: { end: { ...TEXT, ...purpose("next_cursor_field", "X-Next-Cursor") } },
    pages: { kind: "cursor", send: "after", next: { header: "X-Next-Cursor" } },
    state: "sure",
  },
  "a page of Stainless's extension": {
    parameters: [{ ...parameter("nr", NUMBER), ...purpose("page_number_param") }, "per_page"],
    beside: { info: objectOf({ all: { ...NUMBER, ...purpose("total_page_count_field") } }) },
    pages: { kind: "page", send: "nr", first: 1, last: "info.all" },
    state: "sure",
  },
  "an offset of Stainless's extension": {
    parameters: [{ ...parameter("from", NUMBER), ...purpose("offset_count_param") }, "limit"],
    beside: { info: objectOf({ whole: { ...NUMBER, ...purpose("offset_total_count_field") } }) },
    pages: { kind: "offset", send: "from", total: "info.whole" },
    state: "sure",
  },
  "the last record of Stainless's extension": {
    parameters: [parameter("nr", { ...TEXT, ...purpose("next_cursor_id_param") })],
    beside: { more: { type: "boolean", ...purpose("has_next_page") } },
    record: objectOf({ id: { ...TEXT, ...purpose("cursor_item_id") } }),
    pages: { kind: "cursor", send: "nr", next: { lastItem: "id" }, more: "more" },
    state: "sure",
  },
  "an address of Stainless's extension": {
    beside: { onward: { ...TEXT, ...purpose("cursor_url_field") } },
    pages: { kind: "link", next: "onward" },
    state: "sure",
  },
  "a cursor of Stainless's extension that nothing gives": {
    parameters: [parameter("from_here", { ...TEXT, ...purpose("next_cursor_param") }), "limit"],
    beside: { a: NUMBER },
    pages: "one",
    state: "ask",
  },
  "purposes of Stainless's extension that are of other pages, and what is none": {
    parameters: [
      parameter("back", { ...TEXT, ...purpose("previous_cursor_param") }),
      parameter("odd", { ...TEXT, "x-stainless-pagination-property": "next_cursor_param" }),
    ],
    beside: { a: NUMBER },
    pages: { kind: "one" },
    state: "sure",
  },
  "an extension that names what is not there": {
    more: { "x-fern-pagination": { cursor: "$request.at", next_cursor: "$response.gone" } },
    parameters: ["limit"],
    beside: { a: NUMBER },
    pages: "one",
    state: "ask",
  },
  "one page by Microsoft's extension": {
    more: { "x-ms-pageable": { nextLinkName: null } },
    parameters: ["limit"],
    pages: { kind: "one" },
    state: "sure",
  },
};

describe("the pages of a list", () => {
  for (const [title, row] of Object.entries(ROWS))
    it(`are ${row.state === "ask" ? "asked for" : "decided"} by ${title}`, () => {
      const { parameters = [], beside, headers = {}, more = {} } = row;
      const list = row.record === undefined ? ROOT : listOf(row.record);
      const answer = beside === undefined ? list : objectOf({ data: list }, beside);
      const document = listDocument({ parameters, answer, headers });
      const { pages } = onlyObject(withMembers(document, more));
      expect(pages.state, pages.evidence).to.equal(row.state);
      if (typeof row.pages === "string") expect(pages.value.kind).to.equal(row.pages);
      else expect(pages.value).to.deep.equal(row.pages);
      expect(pages.at).to.not.deep.equal([]);
    });
});

/** The document with more members in its one operation. */
function withMembers(document: object, more: object): object {
  const text = JSON.stringify(document);
  return JSON.parse(
    text.replace(
      '"get":{',
      `"get":{${JSON.stringify(more).slice(1, -1)}${Object.keys(more).length > 0 ? "," : ""}`,
    ),
  );
}
