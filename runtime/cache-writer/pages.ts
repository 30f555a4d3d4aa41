/** Collects what a reader yields into pages, and commits each before more is read: constant memory, back-pressure. */
import { setImmediate as breath } from "node:timers/promises";
import type { RecordWrite } from "../store/records.js";
import type { RejectedWrite } from "../store/rejected.js";
import type { Run, RunCounts } from "../store/runs.js";
import type { PreparedRecord } from "./prepare-record.js";

/** A resume point is committed at least so often, although the page is not full. */
const LONGEST_UNSAVED_MS = 1_000;

export class Pages {
  counts: RunCounts = { unchanged: 0, inserted: 0, updated: 0, deleted: 0, rejected: 0 };
  read = 0;
  pages = 0;
  /** What the reader yielded last. */
  last: unknown;
  readonly #run: Run;
  readonly #size: number;
  readonly #onCommit: () => void;
  #records: RecordWrite[] = [];
  #rejected: RejectedWrite[] = [];
  #recovered: string[] = [];
  #resumePoint: string | undefined;
  #checkpoint: string | undefined;
  #savedAt = performance.now();

  constructor(run: Run, options: { readonly size: number; readonly onCommit: () => void }) {
    this.#run = run;
    this.#size = options.size;
    this.#onCommit = options.onCommit;
  }

  /**
   * The next record. `recovers` is the identity of a rejected one that it was. What it gives is to be waited for; it
   * gives nothing most of the time, because waiting costs as much as looking at a record.
   */
  add(prepared: PreparedRecord, recovers?: string): Promise<void> | undefined {
    if ("rejected" in prepared) return this.#addRejected(prepared.rejected);
    this.#records.push(prepared.write);
    if (recovers !== undefined) this.#recovered.push(recovers);
    return this.#isDue() ? this.flush() : undefined;
  }

  resumeAt(resumePoint: string): void {
    this.#resumePoint = resumePoint;
  }

  startNextAt(checkpoint: string): void {
    this.#checkpoint = checkpoint;
  }

  /** Commits what there is. */
  async flush(): Promise<void> {
    const page = {
      records: this.#records,
      rejected: this.#rejected,
      recovered: this.#recovered,
      resumePoint: this.#resumePoint,
      checkpoint: this.#checkpoint,
    };
    const isEmpty = this.#records.length + this.#rejected.length === 0;
    if (isEmpty && this.#resumePoint === undefined && this.#checkpoint === undefined) return;
    this.#records = [];
    this.#rejected = [];
    this.#recovered = [];
    this.#resumePoint = undefined;
    this.#checkpoint = undefined;
    this.counts = await this.#run.commit(page);
    this.pages++;
    this.#onCommit();
    // An embedded store never waits: timers and signals get their turn here.
    await breath();
    this.#savedAt = performance.now();
  }

  async #addRejected(rejected: RejectedWrite): Promise<void> {
    const { key } = rejected;
    if (key !== undefined && this.#records.some((record) => record.key === key)) await this.flush();
    this.#rejected.push(rejected);
    if (this.#isDue()) await this.flush();
  }

  #isDue(): boolean {
    if (this.#records.length + this.#rejected.length >= this.#size) return true;
    return this.#resumePoint !== undefined && performance.now() - this.#savedAt > LONGEST_UNSAVED_MS;
  }
}
