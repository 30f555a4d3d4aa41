/** What runs and attempts have asked the target system, for whoever looks back: kept beside the store of this machine. */
import { appendFileSync, existsSync, renameSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { CommittedPage, MadeCall, ReportedAttempt } from "../connector-run/run-protocol.js";

/** Bytes after which a file becomes the older one, and the older one is dropped. */
const MAX_BYTES = 4_000_000;

/** An attempt that has ended. */
export type AttemptEntry = Pick<
  ReportedAttempt,
  "at" | "ms" | "attempts" | "outcome" | "dueAt" | "message"
> & {
  readonly of: { readonly action: number };
};

type Entry =
  | ({ readonly kind: "call" } & MadeCall)
  | ({ readonly kind: "page" } & CommittedPage)
  | ({ readonly kind: "attempt" } & AttemptEntry);

/** What is known of a run, each in the order in which it began. */
export interface HistoryOfRun {
  /** Its requests, those for tokens included. */
  readonly calls: readonly MadeCall[];
  /** The pages that were committed. */
  readonly pages: readonly CommittedPage[];
}

/** What is known of an action, each in the order in which it began. */
export interface HistoryOfAction {
  /** Its requests. */
  readonly calls: readonly MadeCall[];
  /** Its attempts that have ended. */
  readonly attempts: readonly AttemptEntry[];
}

/**
 * A file of lines beside the store's. What is noted comes without secrets. It is for looking at only: where it can't be
 * written nothing is kept, and nobody minds if it is deleted.
 */
export class RunHistory {
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

  /** @param endedAt Null for a run that is under way. */
  async ofRun(object: string, startedAt: string, endedAt: string | null): Promise<HistoryOfRun> {
    // One run at a time holds an object.
    const entries = (await this.#entries()).filter(
      ({ of, at }) =>
        of !== null &&
        "object" in of &&
        of.object === object &&
        at >= startedAt &&
        (endedAt === null || at <= endedAt),
    );
    return { calls: entries.filter(isCall), pages: entries.filter(isPage) };
  }

  /** @param queuedAt What is older is of an action of a store that was deleted. */
  async ofAction(id: number, queuedAt: string): Promise<HistoryOfAction> {
    const entries = (await this.#entries()).filter(
      ({ of, at }) => of !== null && "action" in of && of.action === id && at >= queuedAt,
    );
    return { calls: entries.filter(isCall), attempts: entries.filter(isAttempt) };
  }

  #append(entry: Entry): void {
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

  async #entries(): Promise<readonly Entry[]> {
    const texts = await Promise.all(
      [this.#older, this.#file].filter((file) => existsSync(file)).map((file) => readFile(file, "utf8")),
    );
    return texts
      .flatMap((text) => text.split("\n").flatMap(entryOf))
      .sort((left, right) => (left.at < right.at ? -1 : left.at > right.at ? 1 : 0));
  }
}

/** None if the line is empty, or was torn when its process was killed. */
function entryOf(line: string): readonly Entry[] {
  try {
    return line === "" ? [] : [JSON.parse(line) as Entry];
  } catch {
    return [];
  }
}

function isCall(entry: Entry): entry is Extract<Entry, { kind: "call" }> {
  return entry.kind === "call";
}

function isPage(entry: Entry): entry is Extract<Entry, { kind: "page" }> {
  return entry.kind === "page";
}

function isAttempt(entry: Entry): entry is Extract<Entry, { kind: "attempt" }> {
  return entry.kind === "attempt";
}
