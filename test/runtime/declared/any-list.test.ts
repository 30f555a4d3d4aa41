import { expect } from "chai";
import fc from "fast-check";
import type { ReaderContext } from "../../../runtime/entries/runtime.js";
import type { SyncResult } from "../../../runtime/host/index.js";
import { FORMS_BY_NAME, partsReaderOf, readerOf } from "../../support/declared-items.js";
import { type Item, type ItemCache, item, openItemCache } from "../../support/item-cache.js";
import { clientAt, closeServers, fakeClock } from "../../support/loopback.js";
import { FORMS, type ListRequest, type PagedForm, serveList } from "../../support/paged-server.js";
import { runs, SLOW_TEST_MS } from "../../support/repository.js";

/** What happens to the target while it is read. */
interface Event {
  /** Before which request; a cursor expires as soon as one of parts is sent. */
  readonly at: number;
  readonly what: "insert" | "delete" | "delete parent" | "expire" | 429 | 500 | "reset";
  /** Of a record that comes, or the place of one that goes. */
  readonly id: number;
}

const event = fc.record<Event>({
  at: fc.integer({ min: 2, max: 16 }),
  what: fc.constantFrom<Event["what"]>(
    ...(["insert", "insert", "delete", "delete", "delete parent", "expire"] as const),
    ...([429, 500, "reset"] as const),
  ),
  id: fc.integer({ min: 0, max: 30 }),
});

/** How numbers of an answer are wrong: cut off, too high, or those of the page. */
type Lie = { readonly cutAt: number } | { readonly more: number } | "of the page";

const world = fc.record({
  form: fc.constantFrom(...Object.keys(FORMS_BY_NAME)),
  cap: fc.integer({ min: 1, max: 5 }),
  ids: fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { maxLength: 24 }),
  cached: fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { maxLength: 14 }),
  knowsAll: fc.boolean(),
  events: fc.array(event, { maxLength: 4 }),
  parentCount: fc.constantFrom(0, 1, 3, 5),
  concurrency: fc.constantFrom(1, 2, 4),
  retries: fc.boolean(),
  lie: fc.option(
    fc.oneof(
      fc.record({ cutAt: fc.integer({ min: 0, max: 12 }) }),
      fc.record({ more: fc.integer({ min: 1, max: 3 }) }),
      fc.constant("of the page" as const),
    ),
    { freq: 2, nil: undefined },
  ),
  emptyPage: fc.option(fc.integer({ min: 1, max: 3 }), { freq: 2, nil: undefined }),
});

type World = typeof world extends fc.Arbitrary<infer Value> ? Value : never;

describe("any declared list, whatever happens while it is read,", () => {
  afterEach(closeServers);

  it("ends in an error that deletes nothing, or in a clean run that loses no record which the target kept", async function () {
    this.timeout(SLOW_TEST_MS);
    await fc.assert(
      fc.asyncProperty(world, async (any) => {
        const cache = await openItemCache();
        try {
          await readTwice(any, cache);
        } finally {
          await cache.remove();
          await closeServers();
        }
      }),
      { numRuns: runs(80) },
    );
  });
});

/** Reads a list while everything happens, and once more in peace if that failed. */
async function readTwice(any: World, cache: ItemCache): Promise<void> {
  const { ids, events, parentCount } = any;
  const cached = any.knowsAll ? ids : any.cached;
  const target = new ChangingTarget(any);
  const { origin } = await target.serve();
  const { form } = target;
  const read =
    parentCount === 0
      ? readerOf(form, { concurrency: any.concurrency })
      : partsReaderOf(form, { concurrency: any.concurrency, absent: [404] });
  const client = clientAt(origin, { retry: { maxAttempts: any.retries ? 4 : 1 }, clock: fakeClock() });
  let looks = 0;
  const yielded: unknown[] = [];
  const reader = async function* (context: ReaderContext) {
    looks++;
    // What shifts at the second look too, nobody can see.
    target.isCalm = looks > 1;
    for await (const record of read({ ...context, client } as never)) {
      if (looks === 1) yielded.push(record);
      yield record;
    }
  };
  const options = { guard: { maxShare: 1, alwaysAllowed: 100 }, approveDeletes: true };
  if (cached.length > 0) await cache.full(cached.map((id) => item(id)));
  const before = Object.keys(await cache.contents());
  const known = new Set([...before, ...ids.map(keyOf), ...events.map(({ id }) => keyOf(id))]);
  const check = async ({ outcome }: SyncResult) => {
    const after = Object.keys(await cache.contents());
    expect(after.every((key) => known.has(key))).to.equal(true);
    if (outcome !== "succeeded") {
      expect(after).to.include.members(before);
      return;
    }
    const isByPosition = form.pages.kind === "page" || form.pages.kind === "offset";
    // What slips past a read by position and was never met before comes with the next run.
    const mayMiss = isByPosition && target.hasMoved;
    const expected = target.throughout().filter((id) => !mayMiss || cached.includes(id));
    expect(after).to.include.members(expected.map(keyOf));
    if (!target.hasMoved) expect(after).to.have.members(target.throughout().map(keyOf));
  };
  const first = await cache.full(reader, { ...options, resume: false });
  await check(first);
  if (first.outcome === "succeeded") {
    if (!target.hasMoved) expect(yielded).to.deep.equal(target.inOrder());
    return;
  }
  target.isCalm = true;
  await check(await cache.full(reader, options));
}

/** Items, or parts of items, that change while they are asked for. */
class ChangingTarget {
  /** Whether nothing happens any more. */
  isCalm = false;
  /** Whether records have come or gone. */
  hasMoved = false;
  readonly form: PagedForm;
  readonly #world: World;
  readonly #present: Set<number>;
  readonly #throughout: Set<number>;
  readonly #parents: Set<number>;
  /** Those that no page shows. */
  readonly #hidden = new Set<number>();
  #expiring = 0;

  constructor(any: World) {
    this.#world = any;
    this.#present = new Set(any.ids);
    this.#throughout = new Set(any.ids);
    this.#parents = new Set(Array.from({ length: any.parentCount }, (_, id) => id));
    const form = FORMS_BY_NAME[any.form] ?? FORMS.one;
    const moves = any.events.some(({ what }) => typeof what === "string" && what !== "reset");
    // A list that says nothing of its length ends with an empty page. Pages that show nothing while others move, and numbers that are wrong as well, are too much for anybody.
    const hides = any.emptyPage !== undefined && !moves && any.parentCount === 0 && any.form !== "page";
    if (hides) this.#hide(any.emptyPage ?? 0);
    this.form = hides ? showing(form, this.#hidden) : lying(form, any.lie);
  }

  serve() {
    const { cap, events } = this.#world;
    return serveList({
      form: this.form,
      cap: this.form.pages.kind === "one" ? 100 : cap,
      fault: ({ path }, count) => {
        if (this.isCalm) return undefined;
        const now = events.filter(({ at }) => at === count);
        for (const { what, id } of now) this.#happen(what, id);
        if (this.#expiring > 0 && /^\/parts.*after=/.test(path)) {
          this.#expiring--;
          return 404;
        }
        return now.map(({ what }) => what).find(isFault);
      },
      listAt: (path) => this.#listAt(path),
    });
  }

  /** Those that the target had from the beginning to the end, and shows. */
  throughout(): readonly number[] {
    const isThere = (id: number) => this.#world.parentCount === 0 || this.#parents.has(this.#parentOf(id));
    return [...this.#throughout].filter((id) => isThere(id) && !this.#hidden.has(id));
  }

  /** What a reader yields if nothing happens. */
  inOrder(): readonly Item[] {
    const paths = this.#world.parentCount === 0 ? ["/items"] : [...this.#parents].map((id) => `/parts/${id}`);
    return paths.flatMap((path) => this.#listAt(path) ?? []).filter(({ id }) => !this.#hidden.has(id));
  }

  #listAt(path: string): readonly Item[] | undefined {
    const { parentCount } = this.#world;
    if (parentCount > 0 && path === "/items") return [...this.#parents].map((id) => item(id));
    const parent = Number(path.split("/")[2]);
    if (parentCount > 0 && !this.#parents.has(parent)) return undefined;
    return [...this.#present]
      .filter((id) => parentCount === 0 || this.#parentOf(id) === parent)
      .sort((a, b) => a - b)
      .map((id) => item(id));
  }

  #parentOf(id: number): number {
    return id % this.#world.parentCount;
  }

  #happen(what: Event["what"], id: number): void {
    const { parentCount } = this.#world;
    if (what === "insert") this.#present.add(id);
    if (what === "expire") this.#expiring++;
    if (what === "delete") {
      const sorted = [...this.#present].sort((a, b) => a - b);
      const gone = sorted[id % Math.max(1, sorted.length)] ?? id;
      this.#present.delete(gone);
      this.#throughout.delete(gone);
    }
    if (what === "delete parent" && parentCount > 0) this.#parents.delete(this.#parentOf(id));
    this.hasMoved ||= what === "insert" || what === "delete" || what === "delete parent";
  }

  /** Hides the records of a page in the middle. */
  #hide(page: number): void {
    const { cap, ids } = this.#world;
    const sorted = [...ids].sort((a, b) => a - b);
    if (sorted.length <= (page + 1) * cap) return;
    for (const id of sorted.slice(page * cap, (page + 1) * cap)) this.#hidden.add(id);
  }
}

function isFault(what: Event["what"]): what is 429 | 500 | "reset" {
  return what === 429 || what === 500 || what === "reset";
}

interface Body {
  readonly data: readonly Item[];
  readonly total?: number;
  readonly pages?: number;
}

/** The form, without what is hidden on its pages. */
function showing(form: PagedForm, hidden: ReadonlySet<number>): PagedForm {
  return changed(form, (body) => ({ ...body, data: body.data.filter(({ id }) => !hidden.has(id)) }));
}

/** The form, with wrong numbers where it has any. */
function lying(form: PagedForm, lie: Lie | undefined): PagedForm {
  if (lie === undefined) return form;
  const wrong = (right: number, ofPage: number) => {
    if (lie === "of the page") return ofPage;
    return "cutAt" in lie ? Math.min(right, lie.cutAt) : right + lie.more;
  };
  return changed(form, (body) => ({
    ...body,
    ...(body.total === undefined ? {} : { total: wrong(body.total, body.data.length) }),
    ...(body.pages === undefined ? {} : { pages: wrong(body.pages, 1) }),
  }));
}

function changed(form: PagedForm, change: (body: Body) => Body): PagedForm {
  return {
    ...form,
    answer: (request: ListRequest) => {
      const { body, headers = {} } = form.answer(request);
      return { body: change(body as Body), headers };
    },
  };
}

function keyOf(id: number): string {
  return `id/a/${id}`;
}
