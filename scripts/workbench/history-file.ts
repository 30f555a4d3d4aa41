/** What runs and attempts on this machine have asked the target system, kept in a file beside the store. */
import { appendFileSync, existsSync, renameSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import {
  type CommittedPage,
  entriesOf,
  type HistoryEntry,
  type HistoryOfAction,
  type HistoryOfRun,
  historyOfAction,
  historyOfRun,
  type MadeCall,
  type RunHistory,
} from "../../runtime/history/history.js";
import type { ActionEntry, RunSummary } from "../../runtime/store/store.js";
import type { ReportedAttempt } from "../connector-run/run-protocol.js";

/** Bytes after which a file becomes the older one, and the older one is dropped. */
const MAX_BYTES = 4_000_000;

/**
 * A file of lines beside the store's. What is noted comes without secrets. It is for looking at only: where it can't be
 * written nothing is kept, and nobody minds if it is deleted.
 */
export class HistoryFile implements RunHistory {
  readonly #file: string;
  readonly #older: string;
  #bytes: number | undefined;

  /** @param storeFile The store's file. */
  constructor(storeFile: string) {
    this.#file = `${storeFile}-history.jsonl`;
    this.#older = `${storeFile}-history.older.jsonl`;
  }

  noteCall(call: MadeCall): void {
    this.#append({ kind: "call", ...call });
  }

  notePage(page: CommittedPage): void {
    this.#append({ kind: "page", ...page });
  }

  noteAttempt({ id, at, ms, attempts, outcome, dueAt, message }: ReportedAttempt): void {
    this.#append({ kind: "attempt", of: { action: id }, at, ms, attempts, outcome, dueAt, message });
  }

  async ofRun({
    object,
    startedAt,
    endedAt,
  }: Pick<RunSummary, "object" | "startedAt" | "endedAt">): Promise<HistoryOfRun> {
    // One run at a time holds an object.
    const entries = (await this.#entries()).filter(
      ({ of, at }) =>
        of !== null &&
        "object" in of &&
        of.object === object &&
        at >= startedAt &&
        (endedAt === null || at <= endedAt),
    );
    return historyOfRun(entries);
  }

  async ofAction({ id, queuedAt }: Pick<ActionEntry, "id" | "queuedAt">): Promise<HistoryOfAction> {
    // What is older is of an action of a store that was deleted.
    const entries = (await this.#entries()).filter(
      ({ of, at }) => of !== null && "action" in of && of.action === id && at >= queuedAt,
    );
    return historyOfAction(entries);
  }

  #append(entry: HistoryEntry): void {
    const line = `${JSON.stringify(entry)}\n`;
    try {
      this.#bytes ??= statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
      if (this.#bytes > MAX_BYTES) {
        renameSync(this.#file, this.#older);
        this.#bytes = 0;
      }
      appendFileSync(this.#file, line, { mode: 0o600 });
      this.#bytes += Buffer.byteLength(line);
    } catch {
      // A run does not fail because nobody can look back at it.
      this.#bytes = undefined;
    }
  }

  async #entries(): Promise<readonly HistoryEntry[]> {
    const texts = await Promise.all(
      [this.#older, this.#file].filter((file) => existsSync(file)).map((file) => readFile(file, "utf8")),
    );
    return entriesOf(texts.flatMap((text) => text.split("\n")));
  }
}
