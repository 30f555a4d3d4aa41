/** What a reader of the change feed knows who asks again and again from the last number that it saw. */
import type { Store } from "../../runtime/store/store.js";
import { PATH } from "./items.js";

export class Replica {
  #seen = 0;
  readonly #records = new Map<string, unknown>();
  /** How often each key was inserted, updated or deleted. */
  readonly changes = new Map<string, number>();

  /** @throws Error where a change is missing. */
  async follow(store: Store): Promise<void> {
    for await (const { sequence, key, operation, record } of store.changes.since(this.#seen, {
      object: PATH,
    })) {
      if (sequence !== this.#seen + 1) throw new Error(`change ${sequence} came after ${this.#seen}`);
      this.#seen = sequence;
      this.changes.set(key, (this.changes.get(key) ?? 0) + 1);
      if (operation === "delete" || record === null) this.#records.delete(key);
      else this.#records.set(key, record);
    }
  }

  get records(): Readonly<Record<string, unknown>> {
    return Object.fromEntries(this.#records);
  }
}
