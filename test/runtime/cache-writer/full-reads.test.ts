import { expect } from "chai";
import type { ReaderContext, RecordChange } from "../../../runtime/entries/runtime.js";
import { noteReadByPosition } from "../../../runtime/read-by-position.js";
import { endOf, type Item, type ItemCache, item, openItemCache, PATH } from "../../support/item-cache.js";

const DAY_MS = 86_400_000;
const realNow = Date.now;

/** A target system whose list of changes tells of no deletes. */
class Target {
  readonly items = new Map<number, Item>();
  /** What each call of the reader was given. */
  readonly calls: (readonly [checkpoint: string | null, resumePoint: string | null])[] = [];
  /** Called before each record is yielded. */
  beforeEach: (id: number) => void = () => {};
  #changes: number[] = [];

  put(id: number, more: Partial<Item> = {}): void {
    this.items.set(id, item(id, more));
    this.#changes.push(id);
  }

  /** Everything without a checkpoint, else what has changed since; full reads once in seven days. */
  readonly reader = Object.assign(
    (context: ReaderContext): AsyncIterable<RecordChange<Item>> => this.#read(context),
    { full: { every: "P7D" } },
  );

  async *#read({ checkpoint, resumePoint, ...context }: ReaderContext): AsyncGenerator<RecordChange<Item>> {
    this.calls.push([checkpoint, resumePoint]);
    context.saveCheckpoint(String(this.#changes.length));
    const ids =
      checkpoint === null ? [...this.items.keys()] : new Set(this.#changes.slice(Number(checkpoint)));
    for (const id of ids) {
      if (resumePoint !== null && id <= Number(resumePoint)) continue;
      this.beforeEach(id);
      const record = this.items.get(id);
      if (record !== undefined) yield { operation: "upsert", record };
      context.saveResumePoint(String(id));
    }
  }
}

describe("an incremental reader with full reads", () => {
  let cache: ItemCache;
  let target: Target;
  let now: number;
  beforeEach(async () => {
    cache = await openItemCache();
    target = new Target();
    for (const id of [1, 2, 3, 4]) target.put(id);
    now = realNow();
    Date.now = () => now;
  });
  afterEach(async () => {
    Date.now = realNow;
    await cache.remove();
  });

  const sync = (options = {}) =>
    cache.incremental(target.reader, { resumeWithinMs: Number.MAX_SAFE_INTEGER, ...options });
  const cached = async () => Object.keys(await cache.contents()).map((key) => Number(key.split("/")[2]));
  const kinds = async () => (await cache.store.runs.list(PATH, 10)).map(({ kind }) => kind).reverse();

  it("is asked for everything when it is due, and what it does not yield then is deleted", async () => {
    expect(endOf(await sync())).to.deep.equal({ outcome: "succeeded", inserted: 4 });
    target.items.delete(2);
    target.put(5);
    expect(endOf(await sync())).to.deep.equal({ outcome: "succeeded", inserted: 1 });
    now += 7 * DAY_MS - 60_000;
    await sync();
    expect(await cached()).to.deep.equal([1, 2, 3, 4, 5]);
    now += 120_000;
    expect(endOf(await sync())).to.deep.equal({ outcome: "succeeded", unchanged: 4, deleted: 1 });
    expect(await cached()).to.deep.equal([1, 3, 4, 5]);
    expect(target.calls.map(([checkpoint]) => checkpoint)).to.deep.equal([null, "4", "5", null]);
    expect(await kinds()).to.deep.equal(["full", "incremental", "incremental", "full"]);
    target.put(6);
    now = realNow();
    expect(endOf(await sync())).to.deep.equal({ outcome: "succeeded", inserted: 1 });
    expect(target.calls.at(-1)).to.deep.equal(["5", null]);
  });

  it("is read in full by a store that it was read into before it was one, and by a clock that was set right", async () => {
    await cache.incremental((context) => target.reader(context));
    target.items.delete(2);
    expect(endOf(await sync())).to.include({ outcome: "succeeded", deleted: 1 });
    now -= 8 * DAY_MS;
    await sync();
    expect(await kinds()).to.deep.equal(["incremental", "full", "full"]);
  });

  it("deletes no more than the guard allows, and stays due until it may", async () => {
    await sync();
    for (const id of [1, 2, 3]) target.items.delete(id);
    now += 8 * DAY_MS;
    const guard = { alwaysAllowed: 1 };
    for (const _ of [1, 2]) {
      const withheld = await sync({ guard });
      expect(withheld).to.include({ outcome: "needs-approval", withheldDeletes: 3, deleted: 0 });
    }
    expect(await cached()).to.deep.equal([1, 2, 3, 4]);
    expect(endOf(await sync({ guard, approveDeletes: true }))).to.include({ deleted: 3 });
    now = realNow();
    await sync();
    expect(await kinds()).to.deep.equal(["full", "full", "full", "full", "incremental"]);
  });

  it("goes on where it was interrupted, and deletes only what neither part has met", async () => {
    await sync();
    now += 8 * DAY_MS;
    target.items.delete(2);
    target.beforeEach = (id) => {
      if (id === 4) throw new Error("the target system went away");
    };
    expect(await sync({ pageSize: 1 })).to.include({ outcome: "failed", deleted: 0 });
    target.beforeEach = () => {};
    expect(await sync()).to.include({ outcome: "succeeded", resumed: true, unchanged: 3, deleted: 1 });
    expect(target.calls.slice(1)).to.deep.equal([
      [null, null],
      [null, "3"],
    ]);
    expect(await cached()).to.deep.equal([1, 3, 4]);
  });

  it("keeps the checkpoint of the first read if the list is read twice", async () => {
    await sync();
    now += 8 * DAY_MS;
    target.items.delete(2);
    let isSecond = false;
    target.beforeEach = (id) => {
      noteReadByPosition();
      if (id !== 4 || isSecond) return;
      isSecond = true;
      target.put(1, { name: "changed under way" });
    };
    expect(await sync()).to.include({ outcome: "succeeded", secondLook: true, deleted: 1 });
    now = realNow();
    expect(endOf(await sync())).to.deep.equal({ outcome: "succeeded", updated: 1 });
  });

  it("fails with the fix if nobody can read how often", async () => {
    const reader = Object.assign((context: ReaderContext) => target.reader(context), {
      full: { every: "7d" },
    });
    expect(await cache.incremental(reader)).to.include({
      outcome: "failed",
      message: 'Item: full.every of its reader is an ISO 8601 duration, such as "P7D" or "PT12H".',
    });
  });
});
