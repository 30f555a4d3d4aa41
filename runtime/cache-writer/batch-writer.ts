/** Collects what a reader yields into pages, and commits each before more is read: constant memory, back-pressure. */
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { RecordWrite, RejectedWrite, Run, RunCounts } from "../store/store.js";
import type { PreparedRecord } from "./prepare-record.js";

/** A resume point is committed this soon, although the page is not full and its reader may wait for long. */
const MAX_UNSAVED_MS = 1_000;

export interface BatchWriterOptions {
  /** Records per page. */
  readonly pageSize: number;
  /** Called after every page. */
  readonly onCommit: () => void;
}

export class BatchWriter {
  /** The counts of the run, pages of its earlier parts included. */
  counts: RunCounts;
  /** Pages that this writer has committed. */
  pages = 0;
  readonly #run: Run;
  readonly #options: BatchWriterOptions;
  #records: RecordWrite[] = [];
  #rejected: RejectedWrite[] = [];
  #recovered: string[] = [];
  #resumePoint: string | undefined;
  #checkpoint: string | undefined;
  #savedAt = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #flushed: Promise<void> = Promise.resolve();

  constructor(run: Run, options: BatchWriterOptions) {
    this.#run = run;
    this.counts = run.counts;
    this.#options = options;
  }

  /**
   * Adds a record, and commits the page if it is full. Most calls return nothing: to wait for a promise costs as much as
   * to look at a record.
   * @param recoveredIdentity Identity of the rejected record that this one was, if it was one.
   */
  add(prepared: PreparedRecord, recoveredIdentity?: string): Promise<void> | undefined {
    if ("rejected" in prepared) return this.#addRejected(prepared.rejected);
    this.#records.push(prepared.write);
    if (recoveredIdentity !== undefined) this.#recovered.push(recoveredIdentity);
    return this.#isDue() ? this.flush() : undefined;
  }

  setResumePoint(resumePoint: string): void {
    this.#resumePoint = resumePoint;
    // What fails here fails again where the reader's next page is committed.
    this.#timer ??= setTimeout(() => void this.flush().catch(() => {}), MAX_UNSAVED_MS).unref();
  }

  setCheckpoint(checkpoint: string): void {
    this.#checkpoint = checkpoint;
  }

  /** Commits what there is, behind what is being committed. After a failure it fails in the same way. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flushed = this.#flushed.then(() => this.#commit());
    return this.#flushed;
  }

  async #commit(): Promise<void> {
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
    this.#options.onCommit();
    // An embedded store never waits: timers and signals get their turn here.
    await yieldToEventLoop();
    this.#savedAt = performance.now();
  }

  async #addRejected(rejected: RejectedWrite): Promise<void> {
    const { identity } = rejected;
    if (this.#records.some(({ key }) => key === identity)) await this.flush();
    this.#rejected.push(rejected);
    if (this.#isDue()) await this.flush();
  }

  #isDue(): boolean {
    if (this.#records.length + this.#rejected.length >= this.#options.pageSize) return true;
    return this.#resumePoint !== undefined && performance.now() - this.#savedAt > MAX_UNSAVED_MS;
  }
}
