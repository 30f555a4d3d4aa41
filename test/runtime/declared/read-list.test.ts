import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import {
  from,
  MorePagesError,
  type Pages,
  type ReaderContext,
  type RecordChange,
  setting,
} from "../../../runtime/entries/runtime.js";
import { FORMS_BY_NAME, partsReaderOf, readerOf } from "../../support/declared-items.js";
import { endOf, type Item, type ItemCache, item, openItemCache, SILENT } from "../../support/item-cache.js";
import { answerJson, clientAt, closeServers, serve } from "../../support/loopback.js";
import { FORMS, type PagedForm, type ServedList, serveList } from "../../support/paged-server.js";
import { all, failure } from "../../support/promises.js";

const ITEMS = Array.from({ length: 8 }, (_, id) => item(id));

/** The context of a run against `origin`, and what it saves. */
function contextAt(origin: string, more: { resumePoint?: string; checkpoint?: string } = {}) {
  const saved = { resumePoints: [] as string[], checkpoint: null as string | null };
  const context = {
    client: clientAt(origin),
    connection: { Region: "eu" },
    registrationConfiguration: { Team: "t 1" },
    serviceConfiguration: {},
    settings: {},
    log: SILENT,
    signal: new AbortController().signal,
    ...{ checkpoint: null, resumePoint: null, ...more },
    saveCheckpoint: (checkpoint: string) => {
      saved.checkpoint = checkpoint;
    },
    saveResumePoint: (resumePoint: string) => void saved.resumePoints.push(resumePoint),
  };
  return { context, saved };
}

describe("a declared reader", () => {
  let cache: ItemCache;
  beforeEach(async () => {
    cache = await openItemCache();
  });
  afterEach(async () => {
    await cache.remove();
    await closeServers();
  });

  for (const [name, form] of Object.entries(FORMS_BY_NAME)) {
    it(`reads every record of pages by ${name}, whatever size the server caps them to`, async () => {
      for (const cap of form.pages.kind === "one" ? [8] : [1, 3, 8, 100]) {
        const { origin } = await serveList({ form, cap, listAt: () => ITEMS });
        expect(await all(readerOf(form)(contextAt(origin).context))).to.deep.equal(ITEMS);
      }
      const { origin } = await serveList({ form, listAt: () => [] });
      expect(await all(readerOf(form)(contextAt(origin).context))).to.deep.equal([]);
    });

    it(`reads the list of each parent by ${name}, and goes on where it was interrupted`, async () => {
      const parents = [item(1), item(2), item(3)];
      const listAt = (path: string) => {
        const [, first, parent] = path.split("/");
        return first === "items" ? parents : ITEMS.filter(({ id }) => id % 4 === Number(parent) % 4);
      };
      const served = await serveList({ form, listAt, cap: form.pages.kind === "one" ? 8 : 1 });
      const parent = readerOf(form);
      const child = readerOf(form, {
        list: "GET /parts/{parent}",
        path: { parent: from(parent, "id") },
      });
      const expected = parents.flatMap(({ id }) => listAt(`/parts/${id}`));
      const { context, saved } = contextAt(served.origin);
      expect(await all(child(context))).to.deep.equal(expected);
      expect(saved.resumePoints).to.have.lengthOf.at.least(parents.length);
      for (const resumePoint of saved.resumePoints) {
        const rest = await all(child(contextAt(served.origin, { resumePoint }).context));
        const read = expected.slice(0, expected.length - rest.length);
        expect([...read, ...rest], resumePoint).to.deep.equal(expected);
      }
      expect(
        await all(child(contextAt(served.origin, { resumePoint: saved.resumePoints.at(-1) ?? "" }).context)),
      ).to.deep.equal([]);
    });
  }

  it("begins with a page by its number, of the first parent's list where there are parents", async () => {
    const { origin, requests } = await serveList({
      form: FORMS.page,
      cap: 2,
      listAt: () => ITEMS.slice(0, 4),
    });
    const list = readerOf(FORMS.page);
    const child = readerOf(FORMS.page, { list: "GET /parts/{p}", path: { p: from(list, "id") } });
    const resumePoint = list.resumePointAt(2) ?? "";
    expect(await all(list(contextAt(origin, { resumePoint }).context))).to.deep.equal(ITEMS.slice(2, 4));
    expect(requests[0]?.path).to.include("page=2");
    const read = await all(child(contextAt(origin, { resumePoint: child.resumePointAt(2) ?? "" }).context));
    expect(read).to.have.lengthOf(2 + 3 * 4);
    expect(readerOf(FORMS.linkHeader).resumePointAt(2)).to.equal(undefined);
  });

  it("looks twice before it deletes also where what was read by position is behind the resume point", async () => {
    const parents = [item(1), item(2)];
    const left = new Set([1, 2, 3, 4, 5, 6, 8]);
    let isBroken = true;
    const form: PagedForm = {
      pages: { kind: "offset", send: "skip", more: "more" },
      answer: (request) => {
        const { body } = FORMS.offset.answer(request);
        const more = Number(request.parameters.get("skip")) + body.data.length < body.total;
        return { body: { ...body, more } };
      },
    };
    const { origin } = await serveList({
      form,
      fault: ({ path }) => (isBroken && path.startsWith("/parts/2") ? 500 : undefined),
      listAt: (path) => {
        if (path === "/items") return parents;
        return path === "/parts/1" ? ITEMS.filter(({ id }) => left.has(id) && id < 8) : ITEMS.slice(0, 1);
      },
    });
    await cache.full(ITEMS.filter(({ id }) => id === 0 || left.has(id)).slice(0, 7));
    const read = partsReaderOf(form);
    const run = () =>
      cache.full((context) => read({ ...context, client: clientAt(origin) } as never), {
        guard: { maxShare: 1 },
        onProgress: () => void left.delete(1),
      });
    // When the first page is written, the first record goes: the fourth one slips past the second page.
    expect((await run()).outcome).to.equal("failed");
    isBroken = false;
    const { outcome, resumed, secondLook } = await run();
    expect({ outcome, resumed, secondLook }).to.deep.equal({
      ...{ outcome: "succeeded", resumed: true, secondLook: true },
    });
    expect(Object.keys(await cache.contents())).to.include.members(
      [0, 2, 3, 4, 5, 6].map((id) => `id/a/${id}`),
    );
  });

  it("reads the list of another parent from its beginning, in place of the one that has gone", async () => {
    let parents = [item(1), item(2)];
    const form = FORMS.cursor;
    const listAt = (path: string) => (path === "/items" ? parents : ITEMS);
    const { origin } = await serveList({ form, listAt });
    const read = partsReaderOf(form);
    const { context, saved } = contextAt(origin);
    await all(read(context));
    const [resumePoint = ""] = saved.resumePoints;
    expect(await all(read(contextAt(origin, { resumePoint }).context))).to.have.lengthOf(5 + 8);
    parents = [item(2)];
    expect(await all(read(contextAt(origin, { resumePoint }).context))).to.deep.equal(ITEMS);
  });

  it("starts over if the parents before the resume point are others", async () => {
    const parents = [item(1), item(2)];
    const form = FORMS.linkHeader;
    const { origin } = await serveList({
      form,
      listAt: (path) => (path === "/items" ? parents : ITEMS.slice(0, 2)),
    });
    const child = readerOf(form, { list: "GET /parts/{p}", path: { p: from(readerOf(form), "id") } });
    const { context, saved } = contextAt(origin);
    await all(child(context));
    const resumePoint = saved.resumePoints[0] ?? "";
    expect(await all(child(contextAt(origin, { resumePoint }).context))).to.have.lengthOf(2);
    parents.unshift(item(0));
    expect(await all(child(contextAt(origin, { resumePoint }).context))).to.have.lengthOf(6);
    expect(await all(child(contextAt(origin, { resumePoint: "{broken" }).context))).to.have.lengthOf(6);
  });

  it("asks for every combination of two parents, and takes a grandparent's value from the parent's own", async () => {
    const form = FORMS.one;
    const { origin, requests } = await serveList({ form, listAt: () => [item(1), item(2)] });
    const top = readerOf(form);
    const nested = readerOf(form, { list: "GET /a/{top}/b", path: { top: from(top, "id") } });
    const own = readerOf(form, {
      list: "GET /a/{top}/b/{nested}/c",
      path: { top: from(top, "id"), nested: from(nested, "serial_number") },
    });
    await all(own(contextAt(origin).context));
    const asked = () => requests.map(({ path }) => path).filter((path) => path.endsWith("/c"));
    expect(asked()).to.deep.equal(["/a/1/b/n1/c", "/a/1/b/n2/c", "/a/2/b/n1/c", "/a/2/b/n2/c"]);
    const product = readerOf(form, {
      list: "GET /x/{top}/{other}/c",
      path: { top: from(top, "id"), other: from(readerOf(form), "id") },
    });
    await all(product(contextAt(origin).context));
    expect(asked().slice(4)).to.deep.equal(["/x/1/1/c", "/x/1/2/c", "/x/2/1/c", "/x/2/2/c"]);
  });

  it("reads parents by a reader in code too, and without those that were deleted", async () => {
    const form = FORMS.one;
    const { origin, requests } = await serveList({ form, listAt: () => [item(1)] });
    async function* inCode(): AsyncGenerator<RecordChange<Item>> {
      yield { operation: "upsert", record: item(7) };
      yield { operation: "delete", record: item(8) };
    }
    await all(
      readerOf(form, { list: "GET /c/{p}", path: { p: from(inCode, "id") } })(contextAt(origin).context),
    );
    expect(requests.map(({ path }) => path)).to.deep.equal(["/c/7"]);
  });

  it("sends settings, headers, a body and its pages where the declaration says", async () => {
    const { origin, requests } = await serve((_, response, count) =>
      answerJson(response, { data: count === 1 ? ITEMS : [] }),
    );
    const read = readerOf(
      {
        ...FORMS.page,
        pages: {
          kind: "page",
          send: { body: "paging.page" },
          size: { send: { header: "X-Size" }, value: 5 },
        },
      },
      {
        list: "POST /teams/{team}/search",
        path: { team: setting("Team") },
        query: { state: ["open", "new"], region: setting("Region") },
        headers: { "X-Region": setting("Region") },
        body: { filter: { region: setting("Region") } },
      },
    );
    await all(read(contextAt(origin).context));
    expect(requests.map(({ path, body }) => [path, JSON.parse(body)])).to.deep.equal([
      [
        "/teams/t%201/search?state=open&state=new&region=eu",
        { filter: { region: "eu" }, paging: { page: 1 } },
      ],
      [
        "/teams/t%201/search?state=open&state=new&region=eu",
        { filter: { region: "eu" }, paging: { page: 2 } },
      ],
    ]);
    expect(requests[0]?.headers).to.include({ "x-region": "eu", "x-size": "5" });
  });

  it("asks for what has changed, in the target's own form, and keeps the time of the records", async () => {
    const times: readonly [
      format: "iso" | "isoSeconds" | "date" | "epochSeconds" | "epochMs" | "httpDate",
      at: unknown,
      asked: string,
    ][] = [
      ["iso", "2026-03-01T10:00:00.500Z", "2026-03-01T09:59:00.500Z"],
      ["isoSeconds", "2026-03-01T11:00:00+01:00", "2026-03-01T09:59:00Z"],
      ["date", "2026-03-01T10:00:00Z", "2026-03-01"],
      ["epochSeconds", 1_772_359_200, "1772359140"],
      ["epochMs", 1_772_359_200_000, "1772359140000"],
      ["httpDate", "Sun, 01 Mar 2026 10:00:00 GMT", "Sun, 01 Mar 2026 09:59:00 GMT"],
    ];
    for (const [format, at, asked] of times) {
      const records = [item(1, { at }), item(2, { at: null, gone: true })];
      const { origin, requests } = await serve((_, response) => answerJson(response, { data: records }));
      const read = readerOf(FORMS.one, {
        since: { property: "at", send: "since", format },
        deletedWhen: { property: "gone" },
      });
      const { context, saved } = contextAt(origin);
      expect(await all(read(context))).to.deep.equal([
        { operation: "upsert", record: records[0] },
        { operation: "delete", record: records[1] },
      ]);
      await all(read(contextAt(origin, { checkpoint: saved.checkpoint ?? "" }).context));
      const sent = requests.map(({ path }) => new URL(path, origin).searchParams.get("since"));
      expect(sent, format).to.deep.equal([null, asked]);
    }
  });

  it("never goes back behind its checkpoint, and keeps none that no record has", async () => {
    const { origin } = await serve((_, response) =>
      answerJson(response, { data: [item(1, { at: "2026-03-01T10:00:00Z" })] }),
    );
    const read = readerOf(FORMS.one, { since: { property: "at", send: "since", overlap: "P1D" } });
    const later = contextAt(origin, { checkpoint: "2026-03-01T09:00:00.000Z" });
    await all(read(later.context));
    expect(later.saved.checkpoint).to.equal("2026-03-01T09:00:00.000Z");
    const none = await serve((_, response) => answerJson(response, { data: [] }));
    const { context, saved } = contextAt(none.origin);
    await all(read(context));
    expect(saved.checkpoint).to.equal(null);
  });

  it("reads a second list of what was deleted, and each list asks from what it knew itself", async () => {
    const { origin, requests } = await serve((request, response) => {
      response.setHeader("date", "Sun, 01 Mar 2026 10:00:00 GMT");
      const { pathname, searchParams } = new URL(request.path, "http://localhost");
      if (pathname === "/gone") {
        const isSecond = searchParams.has("after");
        const ids = isSecond ? [{ company: "a", id: 6 }] : [{ company: "a", id: 5 }];
        return answerJson(response, { ids, next: isSecond ? null : "x" });
      }
      if (searchParams.has("after")) return answerJson(response, { data: [item(2)] });
      answerJson(response, { data: [item(1)], next: "b", delta: "d1" });
    });
    const pages = { kind: "cursor", send: "after", next: "next" } as const;
    const deleted = { list: "GET /gone", items: "ids", pages, since: { send: "since" } } as const;
    const read = readerOf(FORMS.cursor, { pages, since: { mark: "delta", send: "delta" }, deleted });
    const first = contextAt(origin);
    const gone = [5, 6].map((id) => ({ operation: "delete", record: { company: "a", id } }));
    expect(await all(read(first.context))).to.deep.equal([
      { operation: "upsert", record: item(1) },
      { operation: "upsert", record: item(2) },
      ...gone,
    ]);
    const checkpoint = first.saved.checkpoint ?? "";
    expect(first.saved.resumePoints).to.have.lengthOf(1);
    await all(read(contextAt(origin, { checkpoint }).context));
    expect(requests.slice(4).map(({ path }) => path)).to.deep.equal([
      ...["/items?delta=d1", "/items?after=b&delta=d1"],
      ...["/gone?since=2026-03-01T09%3A59%3A00.000Z", "/gone?after=x&since=2026-03-01T09%3A59%3A00.000Z"],
    ]);
    const rest = contextAt(origin, { resumePoint: first.saved.resumePoints[0] ?? "" });
    expect(await all(read(rest.context))).to.deep.equal([{ operation: "upsert", record: item(2) }, ...gone]);
    expect(rest.saved.checkpoint).to.equal(checkpoint);
  });

  it("may get a second list later, or lose it, and asks from where its list was", async () => {
    const { origin, requests } = await serve((_, response) =>
      answerJson(response, { data: [], delta: "d2" }),
    );
    const since = { mark: "delta", send: "delta" };
    const deleted = { list: "GET /gone", items: "data", pages: { kind: "one" }, since } as const;
    const [one, two] = [readerOf(FORMS.one, { since }), readerOf(FORMS.one, { since, deleted })];
    const { context, saved } = contextAt(origin, { checkpoint: "d1" });
    await all(two(context));
    await all(one(contextAt(origin, { checkpoint: saved.checkpoint ?? "" }).context));
    expect(requests.map(({ path }) => path)).to.deep.equal(["/items?delta=d1", "/gone", "/items?delta=d2"]);
  });

  it("deletes what its second list names, and at times what a full read does not meet", async () => {
    let present = [1, 2, 3];
    let gone: readonly object[] = [];
    const { origin } = await serve((request, response) =>
      answerJson(response, request.path.startsWith("/gone") ? gone : { data: present.map((id) => item(id)) }),
    );
    const deleted = { list: "GET /gone", items: "$", pages: { kind: "one" } } as const;
    const read = readerOf(FORMS.one, { deleted, full: { every: "PT0S" } });
    const sync = () =>
      cache.incremental(
        Object.assign(
          (context: ReaderContext) => read({ ...context, client: clientAt(origin) } as never) as never,
          { full: read.full },
        ),
      );
    await sync();
    gone = [{ company: "a", id: 3 }];
    expect(endOf(await sync())).to.deep.equal({ outcome: "succeeded", unchanged: 3, deleted: 1 });
    present = [1, 3];
    expect(endOf(await sync())).to.deep.equal({
      outcome: "succeeded",
      inserted: 1,
      unchanged: 1,
      deleted: 2,
    });
    expect(Object.keys(await cache.contents())).to.deep.equal(["id/a/1"]);
  });

  it("asks from what the first answer says, and a run that goes on keeps what the one before it had", async () => {
    const answers = [
      { data: ITEMS.slice(0, 2), next: "b", delta: "d1" },
      { data: ITEMS.slice(2, 4), delta: "d2" },
    ];
    const { origin, requests } = await serve((request, response) => {
      response.setHeader("date", "Sun, 01 Mar 2026 10:00:00 GMT");
      answerJson(response, answers[request.path.includes("after=b") ? 1 : 0]);
    });
    const pages = { kind: "cursor", send: "after", next: "next" } as const;
    const byMark = readerOf(FORMS.cursor, { pages, since: { mark: "delta", send: "delta" } });
    const first = contextAt(origin);
    await all(byMark(first.context));
    expect(first.saved.checkpoint).to.equal("d1");
    await all(byMark(contextAt(origin, { checkpoint: "d1" }).context));
    expect(requests.at(-1)?.path).to.equal("/items?after=b&delta=d1");
    const byDate = readerOf(FORMS.cursor, { pages, since: { send: "since", overlap: "PT1M" } });
    const dated = contextAt(origin);
    await all(byDate(dated.context));
    expect(dated.saved.checkpoint).to.equal("2026-03-01T09:59:00.000Z");
    for (const read of [byMark, byDate]) {
      const { context, saved } = contextAt(origin, { resumePoint: JSON.stringify({ next: "b" }) });
      expect(await all(read(context))).to.have.lengthOf(2);
      expect(saved.checkpoint).to.equal(null);
    }
    const nowhere = readerOf(FORMS.cursor, { pages, since: { mark: "other", send: "delta" } });
    expect(String(await failure(all(nowhere(contextAt(origin).context))))).to.match(
      /since\.mark "other" leads to undefined/,
    );
  });

  it("sends settings as the target system knows them, and leaves out what has no value", async () => {
    const { origin, requests } = await serve((_, response) => answerJson(response, { data: [] }));
    const query = {
      team: setting("Team", { as: { "t 1": "one" } }),
      region: setting("Region", { as: { eu: null } }),
      status: setting("Status", { default: null }),
      size: setting("Size", { default: 5 }),
    };
    await all(
      readerOf(FORMS.one, { query, headers: { "X-Status": query.status } })(contextAt(origin).context),
    );
    expect(requests[0]?.path).to.equal("/items?team=one&size=5");
    expect(requests[0]?.headers).to.not.have.property("x-status");
    const read = readerOf(FORMS.one, { list: "GET /{status}", path: { status: query.status } });
    expect(String(await failure(all(read(contextAt(origin).context))))).to.match(
      /\{status\} in its path has no value/,
    );
  });

  const whole: readonly [what: string, body: object, headers: Record<string, string>, words: RegExp][] = [
    ["a link in a header", {}, { link: '</items?page=2>; rel="next"' }, /kind: "linkHeader"/],
    ["an address", { links: { next: "https://host/items?page=2" } }, {}, /kind: "link", next: "links.next"/],
    [
      "a cursor",
      { paging: { next_page_token: "abc" } },
      {},
      /kind: "cursor".*next: "paging.next_page_token"/,
    ],
    ["more", { has_more: true }, {}, /has_more is true/],
    ["a larger total", { meta: { totalCount: 9 } }, {}, /meta.totalCount is 9/],
    ["more pages", { page: { totalPages: 2 } }, {}, /page.totalPages is 2/],
  ];
  for (const [what, body, headers, words] of whole) {
    it(`of one page stops at ${what}, names the declaration to write, and deletes nothing`, async () => {
      await cache.full(ITEMS);
      const { origin } = await serve((_, response) => {
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
        answerJson(response, { data: ITEMS.slice(0, 7), ...body });
      });
      const read = readerOf(FORMS.one);
      const { outcome, error, message } = await cache.full(() => read(contextAt(origin).context));
      expect(outcome).to.equal("failed");
      expect(error).to.be.instanceOf(MorePagesError);
      expect(message).to.match(words);
      expect(Object.keys(await cache.contents())).to.have.lengthOf(8);
      const ignoring = readerOf({ ...FORMS.one, pages: { kind: "one", ignore: ["link", ...namesIn(body)] } });
      expect((await cache.full(() => ignoring(contextAt(origin).context))).outcome).to.equal("succeeded");
    });
  }

  it("takes the end that a target states for the end", async () => {
    const ends = [
      { total: 8, totalPages: 1, has_more: false, next: null },
      { count: 100, page: 1 },
      { next: "" },
    ];
    for (const end of ends) {
      const { origin } = await serve((_, response) => answerJson(response, { data: ITEMS, ...end }));
      expect(await all(readerOf(FORMS.one)(contextAt(origin).context))).to.have.lengthOf(8);
    }
    const { origin, requests } = await serve((_, response, count) =>
      answerJson(response, { data: ITEMS.slice(0, 2 * count), last: count === 2, pages: 1 }),
    );
    const byFlag = readerOf({ ...FORMS.page, pages: { kind: "page", send: "page", last: "last" } });
    await all(byFlag(contextAt(origin).context));
    const byNumber = readerOf({
      ...FORMS.page,
      pages: { kind: "page", send: "page", first: 0, last: "pages" },
    });
    await all(byNumber(contextAt(origin).context));
    expect(requests.map(({ path }) => path)).to.deep.equal([
      ...["/items?page=1", "/items?page=2"],
      // Behind a full page nobody believes a number.
      ...["/items?page=0", "/items?page=1", "/items?page=2"],
    ]);
  });

  const totals: readonly [name: string, pages: object][] = [
    ["page", { kind: "page", send: "page", total: "total" }],
    ["offset", { kind: "offset", send: "skip", more: "more", total: "total" }],
    ["cursor", { kind: "cursor", send: "after", next: "next", total: "total" }],
    ["link", { kind: "link", next: "link", total: "total" }],
    ["linkHeader", { kind: "linkHeader", total: { header: "X-Total" } }],
  ];
  for (const [name, pages] of totals) {
    it(`by ${name} compares what it has read with the total that it was told, and deletes nothing before`, async () => {
      let total = 8;
      let lost = 0;
      const link = "/items?after=4";
      const { origin } = await serve(({ path }, response) => {
        response.setHeader("x-total", total);
        if (path.includes("page=3")) return answerJson(response, { data: [], total });
        if (/after=4|skip=4|page=2/.test(path))
          return answerJson(response, { data: ITEMS.slice(4, 8 - lost), total, more: false });
        response.setHeader("link", `<${link}>; rel="next"`);
        answerJson(response, { data: ITEMS.slice(0, 4), total, more: true, link, next: 4 });
      });
      const read = readerOf(FORMS.one, { pages: pages as Pages<unknown> });
      expect(await all(read(contextAt(origin).context))).to.have.lengthOf(8);
      await cache.full(ITEMS);
      lost = 1;
      const cut = await cache.full(() => read(contextAt(origin).context));
      expect([cut.outcome, String(cut.error)]).to.deep.equal([
        "failed",
        "MorePagesError: The list of Item ended after 7 records, but its answer says 8 (pages.total). Nothing was deleted.",
      ]);
      expect(Object.keys(await cache.contents())).to.have.lengthOf(8);
      total = 7;
      expect((await cache.full(() => read(contextAt(origin).context))).outcome).to.equal("succeeded");
    });
  }

  it("counts a list that goes on from where it was interrupted as a whole, and forgives what is inserted under way", async () => {
    let isCut = true;
    const { origin } = await serve((request, response) => {
      if (request.path === "/items")
        return answerJson(response, { data: ITEMS.slice(0, 4), next: "b", total: 8 });
      answerJson(response, { data: ITEMS.slice(4, isCut ? 6 : 8), next: null, total: 9 });
    });
    const pages = { ...FORMS.cursor.pages, next: "next", total: "total" };
    const read = readerOf({ ...FORMS.cursor, pages });
    const { context, saved } = contextAt(origin);
    expect(String(await failure(all(read(context))))).to.match(/ended after 6 records.*says 8/);
    isCut = false;
    const resumePoint = saved.resumePoints[0] ?? "";
    expect(await all(read(contextAt(origin, { resumePoint }).context))).to.have.lengthOf(4);
    isCut = true;
    expect(String(await failure(all(read(contextAt(origin, { resumePoint }).context))))).to.match(
      /ended after 6 records/,
    );
  });

  for (const name of ["offset", "pageOfTotal", "pageOfLast"] as const) {
    const form = FORMS[name];
    const long = Array.from({ length: 40 }, (_, id) => item(id));

    it(`asks for several pages by ${name} at once, as many as may be, and yields them in their order`, async () => {
      for (const concurrency of [1, 4]) {
        const { origin, mostAtOnce, requests } = await slowList({ form, listAt: () => long });
        const { context } = contextAt(origin);
        expect(await all(readerOf(form, { concurrency })(context))).to.deep.equal(long);
        expect(mostAtOnce()).to.equal(concurrency);
        expect(requests).to.have.lengthOf(Math.ceil(long.length / 3));
      }
    });

    it(`makes no more calls at once for lists of parents by ${name}, each of several pages`, async () => {
      const listAt = (path: string) => (path === "/items" ? long.slice(0, 7) : long.slice(0, 10));
      const { origin, mostAtOnce } = await slowList({ form, listAt });
      const concurrency = 3;
      const parent = readerOf(form);
      const child = readerOf(form, { list: "GET /c/{p}", path: { p: from(parent, "id") }, concurrency });
      expect(await all(child(contextAt(origin).context))).to.have.lengthOf(70);
      expect(mostAtOnce()).to.equal(concurrency);
    });

    it(`yields what comes before a page by ${name} that fails, though others behind it were answered`, async () => {
      const { origin } = await serveList({
        ...{ form, listAt: () => long },
        fault: ({ path }) => (/(?:skip|page)=(?:9|4)$/.test(path) ? 500 : undefined),
      });
      const read: unknown[] = [];
      const error = await failure(
        (async () => {
          for await (const record of readerOf(form)(contextAt(origin).context)) read.push(record);
        })(),
      );
      expect(String(error)).to.match(/ResponseError.*500/);
      expect(read).to.deep.equal(long.slice(0, 9));
    });

    it(`reads on by ${name} where the number of the answer is cut off at a full page`, async () => {
      const listOf = (count: number): PagedForm => ({
        ...form,
        answer: (request) => {
          const { body } = form.answer(request);
          return { body: { ...body, total: Math.min(count, 6), pages: 2 } };
        },
      });
      for (const count of [6, 8, 9]) {
        const { origin } = await serveList({ form: listOf(count), listAt: () => long.slice(0, count) });
        expect(await all(readerOf(form)(contextAt(origin).context))).to.have.lengthOf(count);
      }
    });

    it(`takes a page by ${name} that is refused behind the last one for the end, and no other error`, async () => {
      for (const [status, words] of [
        [404, undefined],
        [422, undefined],
        [403, /ResponseError.*403/],
      ] as const) {
        const { origin } = await serveList({
          ...{ form, listAt: () => ITEMS.slice(0, 6) },
          fault: (_, count) => (count === 3 ? status : undefined),
        });
        const result = all(readerOf(form)(contextAt(origin).context));
        if (words === undefined) expect(await result).to.have.lengthOf(6);
        else expect(String(await failure(result))).to.match(words);
      }
    });
  }

  it("reads one page after the other where their sizes are not those that the first one promised", async () => {
    const sizes = [3, 3, 2, 3, 1, 3];
    const served = ITEMS.concat(Array.from({ length: 7 }, (_, id) => item(id + 8)));
    const { origin, requests } = await serve(({ path }, response) => {
      const skip = Number(new URL(path, "http://localhost").searchParams.get("skip"));
      let page = { start: 0, end: 0 };
      for (const size of sizes) if (page.end <= skip) page = { start: page.end, end: page.end + size };
      answerJson(response, { data: served.slice(skip, page.end), total: served.length });
    });
    expect(await all(readerOf(FORMS.offset)(contextAt(origin).context))).to.deep.equal(served);
    const asked = requests.map(({ path }) => Number(path.split("=")[1]));
    // 9 and 12 were asked for at once with the third page; the pages behind it begin elsewhere.
    expect(asked.sort((a, b) => a - b)).to.deep.equal([0, 3, 6, 8, 9, 11, 12, 12, 15]);
  });

  it("reads on behind an empty page if the answer says that it is not the last one, else ends in an error", async () => {
    const paged = (more: object) =>
      serve(({ path }, response) => {
        const page = Number(path.split("=")[1]);
        answerJson(response, { data: [1, 3].includes(page) ? [item(page)] : [], page, ...more });
      });
    const pages = { kind: "page", send: "page", last: "last" } as const;
    const known = await paged({ last: 3 });
    expect(await all(readerOf({ ...FORMS.page, pages })(contextAt(known.origin).context))).to.deep.equal([
      item(1),
      item(3),
    ]);
    const counted = await paged({ total: 2 });
    const byTotal = readerOf(FORMS.pageOfTotal)(contextAt(counted.origin).context);
    expect(String(await failure(all(byTotal)))).to.match(/MorePagesError.*ended after 1 records.*says 2/);
    const flagged = await serve(({ path }, response) =>
      answerJson(response, { data: path.endsWith("=0") ? [item(1)] : [], more: true }),
    );
    const byFlag = readerOf({ ...FORMS.offset, pages: { kind: "offset", send: "skip", more: "more" } });
    expect(String(await failure(all(byFlag(contextAt(flagged.origin).context))))).to.match(
      /MorePagesError.*empty page behind 1 records.*\(pages\.more\)/,
    );
  });

  it("takes an absent list for empty, and no list that has begun by cursor for ended", async () => {
    const { origin } = await serve(({ path }, response) =>
      answerJson(response, { data: ITEMS, paging: { next: "b" } }, path.includes("after") ? 404 : 200),
    );
    const read = readerOf(FORMS.cursor, { absent: [404] });
    expect(String(await failure(all(read(contextAt(origin).context))))).to.match(/ResponseError.*404/);
  });

  it("ends in an error where a list says that it goes on, and not how", async () => {
    const { origin } = await serve((_, response) =>
      answerJson(response, { data: ITEMS, more: true, total: 9 }),
    );
    const cursor = readerOf({
      ...FORMS.cursor,
      pages: { kind: "cursor", send: "a", next: "next", more: "more" },
    });
    expect(String(await failure(all(cursor(contextAt(origin).context))))).to.match(
      /MorePagesError.*no cursor/,
    );
    const lastItem = readerOf({
      ...FORMS.cursor,
      pages: { kind: "cursor", send: "a", next: { lastItem: "x" } },
    });
    expect(String(await failure(all(lastItem(contextAt(origin).context))))).to.match(
      /MorePagesError.*no cursor/,
    );
    const link = readerOf({ ...FORMS.link, pages: { kind: "link", next: "more" } });
    expect(String(await failure(all(link(contextAt(origin).context))))).to.match(/no address/);
  });

  it("says what the answer is where its list is not where it was declared, or the target refuses", async () => {
    const { origin } = await serve((request, response) => {
      if (request.path === "/items")
        answerJson(response, { ok: false, error: "User is disabled", result: [] });
      else answerJson(response, { error: "no" }, request.path === "/gone" ? 404 : 403);
    });
    const context = () => contextAt(origin).context;
    expect(String(await failure(all(readerOf(FORMS.one)(context()))))).to.match(
      /no list of Item: items "data" leads to undefined\. The answer is an object with the members "ok", "error", "result"/,
    );
    expect(String(await failure(all(readerOf(FORMS.one)(context()))))).to.include(
      '"result". It says: User is disabled. Change items to',
    );
    const refused = { at: "ok", is: false, message: "error" };
    expect(String(await failure(all(readerOf(FORMS.one, { refused })(context()))))).to.match(
      /User is disabled/,
    );
    const absent = (list: string) => readerOf(FORMS.one, { list: list as never, absent: [404] });
    expect(await all(absent("GET /gone")(context()))).to.deep.equal([]);
    expect(String(await failure(all(absent("GET /forbidden")(context()))))).to.match(/ResponseError.*403/);
  });

  it("says that a list holds no records, and not that it does not end, where the server repeats a list of texts", async () => {
    const { origin } = await serve((_, response) => answerJson(response, { data: ["a", "b"] }));
    for (const form of [FORMS.one, FORMS.offset]) {
      const { context } = contextAt(origin);
      expect(String(await failure(all(readerOf(form)(context))))).to.equal(
        "TypeError: The answer to GET /items has no records of Item: its list holds a string where a record is an object. Change items to where the records stand, or make records of the items with each.",
      );
    }
    const each = (id: string) => item(id.codePointAt(0) ?? 0);
    const { context } = contextAt(origin);
    expect(await all(readerOf(FORMS.one, { each: each as never })(context))).to.have.length(2);
  });

  it("refuses a client that can make no calls, a setting that is nowhere and a parent without the value", async () => {
    const { origin } = await serveList({ form: FORMS.one, listAt: () => [item(1)] });
    const { context } = contextAt(origin);
    const read = readerOf(FORMS.one, { list: "GET /{x}", path: { x: setting("Nowhere") } });
    expect(String(await failure(all(read(context))))).to.match(/has a setting "Nowhere"/);
    const child = readerOf(FORMS.one, { list: "GET /{x}", path: { x: from(readerOf(FORMS.one), "name") } });
    expect(String(await failure(all(child(context))))).to.match(/a parent has undefined at "name"/);
    const none = readerOf(FORMS.one)({ ...context, client: {} as never });
    expect(String(await failure(all(none)))).to.match(/add readonly http: HttpClient/);
  });

  it("is frozen data, and refused if it can't be read", () => {
    const { declaration } = readerOf(FORMS.page);
    expect(Object.isFrozen(declaration) && Object.isFrozen(declaration.pages)).to.equal(true);
    const wrong: readonly [object, RegExp][] = [
      [{ list: "/items" }, /list is a method and a path/],
      [{ list: "GET /{a}" }, /path\.a is a value for \{a\}/],
      [{ path: { b: 1 } }, /path\.b has no variable/],
      [{ items: "" }, /items is a way/],
      [{ pages: { kind: "pages" } }, /pages\.kind is one of one, page/],
      [{ body: {} }, /body needs a list by POST/],
      [{ since: { property: "at", send: "s", format: "unix" } }, /since\.format is one of/],
      [{ full: { every: "P7D" } }, /full is for incremental readers/],
      [{ since: { mark: "m", send: "s" }, full: { every: "weekly" } }, /full\.every is an ISO 8601 duration/],
      [{ deleted: { list: "/gone", items: "$", pages: { kind: "one" } } }, /: deleted\.list is a method and/],
      [{ since: { property: "at", send: "s", overlap: "1m" } }, /since\.overlap is an ISO 8601 duration/],
    ];
    for (const [more, words] of wrong) expect(() => readerOf(FORMS.one, more)).to.throw(TypeError, words);
  });
});

/** A list whose answers take a while, and how many of them were asked for at once. */
async function slowList(list: ServedList) {
  let [now, most] = [0, 0];
  const served = await serveList({
    ...list,
    delay: async () => {
      most = Math.max(most, ++now);
      await sleep(5);
      now--;
    },
  });
  return { ...served, mostAtOnce: () => most };
}

/** Names of members at any depth. */
function namesIn(value: object): readonly string[] {
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === "object" && member !== null ? namesIn(member) : [name],
  );
}
