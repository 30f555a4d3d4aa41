import { expect } from "chai";
import fc from "fast-check";
import { type RecordMethods, typedRecord } from "../../../runtime/codegen/index.js";
import { defineReader, type ReaderContext } from "../../../runtime/entries/runtime.js";
import { ITEM, type Item, item, openItemCache, PATH } from "../../support/item-cache.js";
import { answerJson, clientAt, closeServers, serve } from "../../support/loopback.js";
import { runs, SLOW_TEST_MS } from "../../support/repository.js";

class ItemClass extends typedRecord<object, Item, RecordMethods<Item>>(ITEM) {}

interface Step {
  readonly do: "put" | "delete" | "run";
  readonly id: number;
  /** Number of the request of the run that fails, if it comes so far. */
  readonly failsAt: number;
  readonly isFullDue: boolean;
}

const step = fc.record<Step>({
  do: fc.constantFrom("put", "delete", "run"),
  id: fc.integer({ min: 0, max: 11 }),
  failsAt: fc.constantFrom(2, 3, 4, 5, 100),
  isFullDue: fc.boolean(),
});

/** What is there, what has gone, and when each of them has changed, by a count of all changes. */
class Target {
  readonly present = new Map<number, number>();
  readonly gone = new Map<number, number>();
  mark = 0;

  put(key: number): void {
    this.present.set(key, ++this.mark);
    this.gone.delete(key);
  }

  delete(key: number): void {
    if (this.present.delete(key)) this.gone.set(key, ++this.mark);
  }

  get items(): readonly Item[] {
    return [...this.present].sort(([a], [b]) => a - b).map(([key, mark]) => item(key, { name: `${mark}` }));
  }
}

/** Lists of two records a page, of what has changed since a mark. */
function serveTarget(target: Target, isFailing: () => boolean) {
  return serve((request, response) => {
    if (isFailing()) return answerJson(response, { error: "not now" }, 400);
    const { pathname, searchParams } = new URL(request.path, "http://localhost");
    const after = Number(searchParams.get("after") ?? -1);
    const since = Number(searchParams.get("since") ?? 0);
    const changes = pathname === "/gone" ? target.gone : target.present;
    const found = [...changes].filter(([key, mark]) => key > after && mark > since).sort(([a], [b]) => a - b);
    const data = found.slice(0, 2).map(([key, mark]) => item(key, { name: `${mark}` }));
    answerJson(response, { data, next: found.length > 2 ? data.at(-1)?.id : null, mark: target.mark });
  });
}

const pages = { kind: "cursor", send: "after", next: "next" } as const;
const list = { items: "data", pages, since: { mark: "mark", send: "since" } } as const;
const deleted = { ...list, list: "GET /gone" } as const;

/** A target, and a cache that is brought to what it has. */
async function openWorld(hasSecondList: boolean) {
  const target = new Target();
  for (let key = 0; key < 10; key++) target.put(key);
  const cache = await openItemCache();
  let left = 0;
  const { origin, close } = await serveTarget(target, () => --left === 0);
  const client = clientAt(origin);
  const sync = async ({ failsAt, isFullDue }: Pick<Step, "failsAt" | "isFullDue">) => {
    left = failsAt;
    const full = { every: isFullDue ? "PT0S" : "P7D" };
    const second = hasSecondList ? { deleted } : {};
    const read = defineReader(ItemClass, { ...list, list: "GET /items", full, ...second });
    const reader = (context: ReaderContext) => read({ ...context, client } as never);
    const result = await cache.incremental(Object.assign(reader as never, { full }), {
      ...{ pageSize: 1, approveDeletes: true },
    });
    const [run] = await cache.store.runs.list(PATH, 1);
    return { ...result, kind: run?.kind };
  };
  const remove = async () => {
    await close();
    await cache.remove();
  };
  return { target, cache, sync, remove };
}

describe("any history of changes, deletes and interrupted runs", () => {
  afterEach(closeServers);

  for (const hasSecondList of [true, false])
    it(`is in the cache after a clean run, ${hasSecondList ? "with a second list" : "with full reads"}`, async function () {
      this.timeout(SLOW_TEST_MS);
      const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const { target, cache, sync, remove } = await openWorld(hasSecondList);
        for (const next of steps) {
          if (next.do === "put") target.put(next.id);
          else if (next.do === "delete") target.delete(next.id);
          else await checkRun(next);
        }
        await remove();

        async function checkRun(next: Step): Promise<void> {
          const { outcome, resumed, kind } = await sync(next);
          // What has changed behind a run that went on comes with the next one.
          if (outcome !== "succeeded" || resumed) return;
          const expected = Object.fromEntries(target.items.map((one) => [`id/a/${one.id}`, one]));
          const contents = await cache.contents();
          if (hasSecondList || kind === "full") expect(contents).to.deep.equal(expected);
          else expect(contents).to.deep.include(expected);
        }
      });
      await fc.assert(property, { numRuns: runs(20) });
    });
});
