/** Where records stand in their list, so that the middle of a long one is found as fast as its beginning. */
import type { Store } from "../../runtime/store/store.js";

/** A store counts off what is left out: so many records take it about two milliseconds. */
const RECORDS_PER_MARK = 10_000;

/** What is known of one state of the cache. */
interface Known {
  /** Number of the last change. */
  readonly last: number;
  readonly counts: Map<string, Promise<number>>;
  /** By data path: the key of every ten-thousandth record; undefined behind the last one. */
  readonly marks: Map<string, Promise<string | undefined>[]>;
}

/** Counts and places of records, kept until the cache changes. */
export class RecordPlaces {
  readonly #store: Pick<Store, "records" | "changes">;
  #known: Known | undefined;

  constructor(store: Pick<Store, "records" | "changes">) {
    this.#store = store;
  }

  /** How many records the cache has of the object. */
  async count(object: string): Promise<number> {
    const { counts } = await this.#current();
    const count = counts.get(object) ?? this.#store.records.count(object);
    counts.set(object, count);
    return this.#unlessFailed(count);
  }

  /**
   * How the record number `offset`, counted from 0, is listed first; undefined if there are not so many. What leads to all
   * others is found meanwhile: whoever jumps once jumps again.
   */
  async startAt(
    object: string,
    offset: number,
  ): Promise<{ readonly after?: string; readonly offset: number } | undefined> {
    const known = await this.#current();
    const marks = known.marks.get(object) ?? [];
    if (!known.marks.has(object)) {
      known.marks.set(object, marks);
      // Closing the store ends it; whoever asks then is told of that.
      this.#findAll(object, marks).catch(() => {});
    }
    const index = Math.floor(offset / RECORDS_PER_MARK);
    if (index === 0) return { offset };
    const after = await this.#unlessFailed(this.#mark(object, marks, index));
    return after === undefined ? undefined : { after, offset: offset % RECORDS_PER_MARK };
  }

  async #findAll(object: string, marks: Promise<string | undefined>[]): Promise<void> {
    for (let index = 1; (await this.#mark(object, marks, index)) !== undefined; index++) {
      // Between two steps others are answered.
      await new Promise(setImmediate);
    }
  }

  /** The key before the record number `index` × RECORDS_PER_MARK. */
  #mark(object: string, marks: Promise<string | undefined>[], index: number): Promise<string | undefined> {
    const known = marks[index];
    if (known !== undefined) return known;
    const before = index === 1 ? Promise.resolve("") : this.#mark(object, marks, index - 1);
    const mark = before.then((after) => (after === undefined ? undefined : this.#keyBehind(object, after)));
    marks[index] = mark;
    return mark;
  }

  async #keyBehind(object: string, after: string): Promise<string | undefined> {
    const place = { after: after === "" ? undefined : after, offset: RECORDS_PER_MARK - 1, limit: 1 };
    for await (const { key } of this.#store.records.list(object, place)) return key;
    return undefined;
  }

  async #current(): Promise<Known> {
    const last = await this.#store.changes.last();
    if (this.#known?.last !== last) this.#known = { last, counts: new Map(), marks: new Map() };
    return this.#known;
  }

  /** What failed once may succeed the next time. */
  async #unlessFailed<Found>(found: Promise<Found>): Promise<Found> {
    try {
      return await found;
    } catch (error) {
      this.#known = undefined;
      throw error;
    }
  }
}
