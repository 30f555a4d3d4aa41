/** The history in the store, where workers on all machines note what they do and anybody looks back. */
import type { HistoryStore, HistorySubject } from "../store/history.js";
import type { ActionEntry, RunSummary } from "../store/store.js";
import {
  entriesOf,
  type HistoryEntry,
  type HistoryOfAction,
  type HistoryOfRun,
  historyOfAction,
  historyOfRun,
  type RunHistory,
} from "./history.js";

export class StoredHistory implements RunHistory {
  readonly #store: HistoryStore;

  constructor(store: HistoryStore) {
    this.#store = store;
  }

  note(subject: HistorySubject, entry: HistoryEntry): void {
    this.#store.note(subject, JSON.stringify(entry));
  }

  async ofRun({ id }: Pick<RunSummary, "id">): Promise<HistoryOfRun> {
    return historyOfRun(entriesOf(await this.#store.list(`run/${id}`)));
  }

  async ofAction({ id }: Pick<ActionEntry, "id">): Promise<HistoryOfAction> {
    return historyOfAction(entriesOf(await this.#store.list(`action/${id}`)));
  }
}
