/** A store that several calls use at the same time: an old one is closed when the last of them has ended. */
import type { ProjectStore } from "../workbench/store.js";

export class KeptStore {
  readonly #store: ProjectStore;
  #users = 0;
  #isOld = false;

  /** @param store Closed when it is retired. */
  constructor(store: ProjectStore) {
    this.#store = store;
  }

  async use<Result>(use: (store: ProjectStore) => Promise<Result>): Promise<Result> {
    this.#users++;
    try {
      return await use(this.#store);
    } finally {
      this.#users--;
      await this.#closeUnused();
    }
  }

  /** Nobody uses it from here on but those who do already. */
  async retire(): Promise<void> {
    if (this.#isOld) return;
    this.#isOld = true;
    await this.#closeUnused();
  }

  async #closeUnused(): Promise<void> {
    if (this.#isOld && this.#users === 0) await this.#store.close();
  }
}
