/** A run of the cache writer in the embedded store. */

import type { AlternateKeys } from "../records.js";
import type { RejectedWrite } from "../rejected.js";
import type { PageWrite, Run, RunCounts, RunKind, Unseen } from "../runs.js";
import type { Connection } from "./connection.js";
import { problem } from "./errors.js";
import type { Lock } from "./lock.js";
import { Marks } from "./marks.js";
import { clearRejected, keepRejected, rejectedBefore } from "./rejected.js";
import { unseenRows } from "./unseen.js";
import { applyWrites, deleteRows } from "./writes.js";

/** What the store knows of a run when it starts or goes on. */
export interface RunStart {
  readonly id: number;
  /** Row of the object. */
  readonly object: number;
  readonly kind: RunKind;
  readonly alternateKeys: AlternateKeys;
  /** Number of the last change before the run. */
  readonly before: number;
  readonly checkpoint: string | null;
  readonly resumePoint: string | null;
  /** Rows that the run has inserted, and others that it has updated. */
  readonly written: number;
  readonly counts: RunCounts;
}

export class SqliteRun implements Run {
  readonly id: number;
  readonly checkpoint: string | null;
  readonly resumePoint: string | null;
  readonly #connection: Connection;
  readonly #start: RunStart;
  readonly #lock: Lock;
  readonly #marks = new Marks();
  #counts: RunCounts;
  #written: number;
  #canResume: boolean;

  constructor(connection: Connection, start: RunStart, lock: Lock) {
    this.id = start.id;
    this.checkpoint = start.checkpoint;
    this.resumePoint = start.resumePoint;
    this.#connection = connection;
    this.#start = start;
    this.#lock = lock;
    this.#counts = start.counts;
    this.#written = start.written;
    this.#canResume = start.resumePoint !== null;
    if (this.#canResume) this.#marks.load(connection, start.id);
  }

  async *retries(): AsyncIterable<RejectedWrite> {
    yield* rejectedBefore(this.#connection, this.#start.object, this.id);
  }

  async commit(page: PageWrite): Promise<RunCounts> {
    const at = new Date().toISOString();
    this.#connection.transaction(() => {
      this.#hold(at);
      this.#setAside(page, at);
      const { unchanged, inserted, updated, deleted } = this.#apply(page, at);
      this.#written += inserted;
      this.#counts = {
        unchanged: this.#counts.unchanged + unchanged,
        inserted: this.#counts.inserted + inserted,
        updated: this.#counts.updated + updated,
        deleted: this.#counts.deleted + deleted,
        rejected: this.#counts.rejected + page.rejected.length,
      };
      this.#canResume ||= page.resumePoint !== undefined;
      if (this.#canResume) this.#marks.save(this.#connection, this.id);
      this.#keep(page);
    });
    return this.#counts;
  }

  async unseen(): Promise<Unseen> {
    const { object, before } = this.#start;
    const connection = this.#connection;
    const rows = Number(connection.row("SELECT COUNT(*) FROM records WHERE object = ?", object)?.[0]);
    const sql = "SELECT 1 FROM changes WHERE sequence > ? AND object = ? AND run IS NOT ? LIMIT 1";
    const others = connection.row(sql, before, object, this.id) !== undefined;
    if (!others && rows === this.#marks.count + this.#written) return { unseen: 0, rows };
    let unseen = 0;
    for (const page of unseenRows(connection, { object, before, marks: this.#marks })) unseen += page.length;
    return { unseen, rows };
  }

  async deleteUnseen(): Promise<RunCounts> {
    const { object, before } = this.#start;
    const connection = this.#connection;
    for (const page of unseenRows(connection, { object, before, marks: this.#marks })) {
      const at = new Date().toISOString();
      connection.transaction(() => {
        this.#hold(at);
        deleteRows(connection, page, { object, at, run: this.id });
        this.#counts = { ...this.#counts, deleted: this.#counts.deleted + page.length };
        this.#keep({});
      });
    }
    return this.#counts;
  }

  async end(state: "succeeded" | "failed" | "needs-approval", message?: string): Promise<RunCounts> {
    const connection = this.#connection;
    const { object, kind } = this.#start;
    const at = new Date().toISOString();
    try {
      connection.transaction(() => {
        this.#hold(at);
        const sql = "UPDATE runs SET state = ?, ended_at = ?, message = ? WHERE id = ?";
        connection.run(sql, state, at, message === undefined ? null : JSON.stringify(message), this.id);
        if (state === "succeeded") this.#saveCheckpoint();
        if (state === "succeeded" && kind === "full") clearRejected(connection, object, this.id);
        if (state !== "failed" || !this.#canResume)
          connection.run("DELETE FROM marks WHERE run = ?", this.id);
      });
    } finally {
      this.#lock.release();
    }
    return this.#counts;
  }

  /** Lets go of the object as a killed run does. */
  abandon(): void {
    this.#lock.release();
  }

  #hold(at: string): void {
    const sql = "UPDATE runs SET paged_at = ? WHERE id = ? AND state = 'running'";
    if (this.#connection.run(sql, at, this.id) !== 1) throw problem("superseded", `Run ${this.id}`);
  }

  #setAside({ rejected, records, recovered }: PageWrite, at: string): void {
    const { object } = this.#start;
    const keys = records.map(({ key }) => key);
    const rows = keepRejected(this.#connection, { object, run: this.id, at, rejected, recovered, keys });
    // A record that is there but not valid is no record that is gone.
    for (const [row, sequence] of rows) this.#seen(row, sequence);
  }

  #apply({ records }: PageWrite, at: string) {
    const { object, alternateKeys, before } = this.#start;
    return applyWrites(this.#connection, records, {
      object,
      alternateKeys,
      at,
      run: this.id,
      onUnchanged: (row, sequence) => this.#seen(row, sequence),
      onReplaced: (row, sequence) => {
        if (sequence > before) return;
        this.#marks.unmark(row);
        this.#written++;
      },
    });
  }

  #seen(row: number, sequence: number): void {
    if (this.#start.kind === "full" && sequence <= this.#start.before) this.#marks.mark(row);
  }

  #keep({ resumePoint, checkpoint }: Pick<PageWrite, "resumePoint" | "checkpoint">): void {
    const { unchanged, inserted, updated, deleted, rejected } = this.#counts;
    const sql = `UPDATE runs SET resume_point = coalesce(?, resume_point), checkpoint = coalesce(?, checkpoint),
      written = ?, unchanged = ?, inserted = ?, updated = ?, deleted = ?, rejected = ? WHERE id = ?`;
    const texts = [resumePoint, checkpoint].map((text) => (text === undefined ? null : JSON.stringify(text)));
    const numbers = [this.#written, unchanged, inserted, updated, deleted, rejected, this.id];
    this.#connection.run(sql, ...texts, ...numbers);
  }

  #saveCheckpoint(): void {
    const sql = `UPDATE objects SET checkpoint = coalesce((SELECT checkpoint FROM runs WHERE id = ?), checkpoint)
      WHERE id = ?`;
    this.#connection.run(sql, this.id, this.#start.object);
  }
}
