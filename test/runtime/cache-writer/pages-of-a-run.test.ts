import { expect } from "chai";
import type { ReaderContext } from "../../../runtime/entries/runtime.js";
import { type PageWrite, type Run, type Store, StoreError } from "../../../runtime/host/index.js";
import { endOf, type ItemCache, item, openItemCache, PATH } from "../../support/item-cache.js";

const invalid = (id: number) => item(id, { name: "x".repeat(21) });

describe("the pages of a run", () => {
  let cache: ItemCache;
  beforeEach(async () => {
    cache = await openItemCache();
  });
  afterEach(() => cache.remove());

  /** The store, with `commit` in place of the one of its runs. */
  function committing(commit: (run: Run, page: PageWrite) => ReturnType<Run["commit"]>): Store {
    const { store } = cache;
    const start: Store["runs"]["start"] = async (options) => {
      const run = await store.runs.start(options);
      if (run === undefined) return undefined;
      return new Proxy(run, {
        get: (_, name) => {
          if (name === "commit") return (page: PageWrite) => commit(run, page);
          const member: unknown = Reflect.get(run, name, run);
          return typeof member === "function" ? member.bind(run) : member;
        },
      });
    };
    const runs = new Proxy(store.runs, {
      get: (target, name) => (name === "start" ? start : Reflect.get(target, name, target)),
    });
    return new Proxy(store, {
      get: (target, name) => (name === "runs" ? runs : Reflect.get(target, name, target)),
    });
  }

  it("are filled by rejected records as by valid ones", async () => {
    const sizes: number[] = [];
    const store = committing((run, page) => {
      sizes.push(page.records.length + page.rejected.length);
      return run.commit(page);
    });
    const records = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => (id === 4 ? item(id) : invalid(id)));
    await cache.full(records, { store, rejectedLimit: { maxShare: 1 } });
    expect(sizes).to.deep.equal([3, 3, 2]);
  });

  it("end with the one in which more records were rejected than the limit, and no more is read", async () => {
    let yielded = 0;
    const endless = async function* () {
      while (yielded < 1_000) yield invalid(++yielded);
    };
    const result = await cache.full(endless, { rejectedLimit: { maxCount: 4 } });
    expect(endOf(result)).to.deep.equal({ outcome: "failed", rejected: 6 });
    expect(yielded).to.equal(6);
  });

  it("are committed for their resume point while the reader waits", async () => {
    let committed = (_: PageWrite) => {};
    const isCommitted = new Promise<PageWrite>((resolve) => {
      committed = resolve;
    });
    const store = committing((run, page) => {
      committed(page);
      return run.commit(page);
    });
    const waiting: (context: ReaderContext) => AsyncIterable<unknown> = async function* ({
      saveResumePoint,
    }) {
      yield item(1);
      saveResumePoint("job 7");
      const { resumePoint, records } = await isCommitted;
      expect([resumePoint, records.length]).to.deep.equal(["job 7", 1]);
      yield item(2);
    };
    expect(endOf(await cache.full(waiting, { store }))).to.deep.equal({ outcome: "succeeded", inserted: 2 });
  });

  it("fail the run if they could not be committed meanwhile", async () => {
    let failed = () => {};
    const hasFailed = new Promise<void>((resolve) => {
      failed = resolve;
    });
    const store = committing(() => {
      failed();
      throw new StoreError("full", "no space is left");
    });
    const waiting: (context: ReaderContext) => AsyncIterable<unknown> = async function* ({
      saveResumePoint,
    }) {
      yield item(1);
      saveResumePoint("job 7");
      await hasFailed;
    };
    expect(await cache.full(waiting, { store })).to.include({
      outcome: "failed",
      message: "no space is left",
    });
  });

  it("are committed a second after the last one, although they are not full, if there is a resume point", async () => {
    const { now } = performance;
    let time = 0;
    performance.now = () => time;
    try {
      const stored: number[] = [];
      await cache.full(
        async function* ({ saveResumePoint }) {
          for (let id = 1; id <= 5; id++) {
            saveResumePoint(String(id));
            yield item(id);
            stored.push(await cache.store.records.count(PATH));
            time += id === 1 ? 1_000 : 1;
          }
        },
        { pageSize: 1_000 },
      );
      // Exactly a second is not yet more than one.
      expect(stored).to.deep.equal([0, 0, 3, 3, 3]);
    } finally {
      performance.now = now;
    }
  });

  it("end in a failed run, whose object is free, where the store fails after the reader", async () => {
    const problem = new StoreError("full", "There is no space left.");
    const store = committing(async () => {
      throw problem;
    });
    const result = await cache.full(
      async function* () {
        yield item(1);
        throw new Error("the target system went away");
      },
      { store },
    );
    expect(result).to.include({ outcome: "failed", error: problem, message: problem.message });
    expect(endOf(await cache.full([item(1)]))).to.deep.equal({ outcome: "succeeded", inserted: 1 });
  });
});
