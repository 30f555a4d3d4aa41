/** Runs of the cache writer in the embedded store: one at a time for an object, held by a lock of the system. */
import type { PageDiff } from "../diff-page.js";
import { keysOfSeveral, MAX_REPEATED_KEYS } from "../repeated-keys.js";
import { RUN_COLUMNS, toResumedRun, toSummary, toText } from "../rows.js";
import { addCounts, MetRows, NO_COUNTS, stallsIfResumed } from "../run-progress.js";
import type {
  AlternateKeyWrite,
  NotReadCount,
  PageWrite,
  RecordWrite,
  RejectedWrite,
  Run,
  RunCounts,
  RunKind,
  RunStore,
  RunSummary,
  StartRunOptions,
  UnfitRecord,
} from "../store.js";
import { type Connection, IN_MEMORY, type Lock, lockFile } from "./connection.js";
import { createStoreError } from "./errors.js";
import { rejectedRows } from "./reads.js";
import {
  deleteRecords,
  findObject,
  findOrInsertObject,
  lastSequence,
  lookUp,
  replaceAlternateKeys,
  takeOutRecords,
  type WriteContext,
  writeRecords,
  writeRejected,
} from "./write-batch.js";

const RUNS_KEPT = 100;

export class SqliteRuns implements RunStore {
  readonly #connection: Connection;
  readonly #open = new Set<SqliteRun>();
  /** Objects that have a run, where no other process can have one. */
  readonly #held = new Set<number>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async start(options: StartRunOptions): Promise<Run | undefined> {
    const connection = this.#connection;
    const object = connection.transaction(() => findOrInsertObject(connection, options.object));
    const lock = this.#lock(object);
    if (lock === undefined) return undefined;
    try {
      const start = connection.transaction(() => startOrResumeRun(connection, object, options));
      const run: SqliteRun = new SqliteRun(connection, start, () => {
        this.#open.delete(run);
        lock.release();
      });
      this.#open.add(run);
      return run;
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  #lock(object: number): Lock | undefined {
    const { file } = this.#connection;
    if (file !== IN_MEMORY) return lockFile(`${file}-run-${object}`);
    if (this.#held.has(object)) return undefined;
    this.#held.add(object);
    return { release: () => void this.#held.delete(object) };
  }

  async list(object: string, limit: number): Promise<readonly RunSummary[]> {
    const id = findObject(this.#connection, object);
    if (id === undefined) return [];
    const sql = `SELECT ${RUN_COLUMNS} FROM runs WHERE object = ? ORDER BY id DESC LIMIT ?`;
    return this.#connection.rows(sql, id, limit).map((row) => toSummary(object, row));
  }

  async checkpoint(object: string): Promise<string | null> {
    return toText(this.#connection.row("SELECT checkpoint FROM objects WHERE path = ?", object)?.[0]);
  }

  async fullyReadAt(object: string): Promise<string | null> {
    const [at] = this.#connection.row("SELECT fully_read_at FROM objects WHERE path = ?", object) ?? [];
    return typeof at === "string" ? at : null;
  }

  /** Releases all objects, as if the process had ended. */
  abandon(): void {
    for (const run of this.#open) run.release();
  }
}

/** What is known of a run when it starts or is resumed. */
interface RunStart {
  readonly id: number;
  /** Row of the object. */
  readonly object: number;
  readonly kind: RunKind;
  /** Number of the last change before the run. */
  readonly startedAfter: number;
  readonly checkpoint: string | null;
  readonly resumePoint: string | null;
  /** Rows that the run has written. */
  readonly written: number;
  readonly counts: RunCounts;
  readonly alternateKeysVersion: string;
  readonly needsIndexing: boolean;
  readonly schemaVersion: string;
  readonly needsValidation: boolean;
}

class SqliteRun implements Run {
  readonly id: number;
  readonly checkpoint: string | null;
  readonly resumePoint: string | null;
  readonly needsIndexing: boolean;
  readonly needsValidation: boolean;
  readonly #release: () => void;
  /** Whether the object was released: it may be another run's since, also under the number of this one. */
  #isReleased = false;
  readonly #connection: Connection;
  readonly #start: RunStart;
  readonly #met: MetRows;
  readonly #repeatedKeys = new Set<string>();
  #counts: RunCounts;
  #canResume: boolean;

  constructor(connection: Connection, start: RunStart, release: Lock["release"]) {
    this.id = start.id;
    this.checkpoint = start.checkpoint;
    this.resumePoint = start.resumePoint;
    this.needsIndexing = start.needsIndexing;
    this.needsValidation = start.needsValidation;
    this.#release = release;
    this.#connection = connection;
    this.#start = start;
    this.#met = new MetRows(start.startedAfter, start.written);
    this.#counts = start.counts;
    this.#canResume = start.resumePoint !== null;
    if (this.#canResume) this.#loadMetRows();
  }

  get counts(): RunCounts {
    return this.#counts;
  }

  get repeatedKeys(): readonly string[] {
    return [...this.#repeatedKeys];
  }

  async indexAlternateKeys(records: readonly AlternateKeyWrite[], isLast: boolean): Promise<void> {
    const { object, alternateKeysVersion } = this.#start;
    this.#transaction(() => {
      replaceAlternateKeys(this.#connection, object, records);
      if (isLast) setVersion(this.#connection, object, "alternate_keys_version", alternateKeysVersion);
    });
  }

  async takeOut(records: readonly UnfitRecord[], isLast: boolean): Promise<RunCounts> {
    const { object, schemaVersion, kind } = this.#start;
    this.#transaction((context) => {
      const { deletes, rejected } = takeOutRecords(this.#connection, records, context);
      if (kind === "full") this.#met.remove(deletes);
      this.#counts = addCounts(this.#counts, { deleted: deletes.length, rejected });
      if (this.#canResume) this.#saveMetRows();
      this.#save({});
      if (isLast) setVersion(this.#connection, object, "schema_version", schemaVersion);
    });
    return this.#counts;
  }

  async *previouslyRejected(): AsyncIterable<RejectedWrite> {
    const { object } = this.#start;
    for (const { rejected } of rejectedRows(this.#connection, object, this.id)) yield rejected;
  }

  async commit(page: PageWrite): Promise<RunCounts> {
    const { records, rejected, recovered = [] } = page;
    this.#transaction((context) => {
      const keys = records.map(({ key }) => key);
      const stillThere = writeRejected(this.#connection, { rejected, recovered, keys }, context);
      const diff = writeRecords(this.#connection, records, context);
      if (this.#start.kind === "full") {
        // A record that is there but not valid is not gone.
        for (const version of stillThere) this.#met.addFound(version);
        this.#noteRepeatedKeys(records, diff);
        this.#met.add(diff);
      }
      this.#counts = addCounts(this.#counts, { ...diff.counts, rejected: rejected.length });
      this.#canResume ||= page.resumePoint !== undefined;
      if (this.#canResume) this.#saveMetRows();
      this.#save(page);
    });
    return this.#counts;
  }

  async notMet(identities: readonly string[]): Promise<ReadonlySet<string>> {
    const { object, startedAfter } = this.#start;
    const versions = lookUp(this.#connection, object, identities);
    const rejected = this.#connection.rows(REJECTED_HERE, object, this.id, JSON.stringify(identities));
    const isRejected = new Set(rejected.map(([identity]) => String(identity)));
    return new Set(
      identities.filter((identity, index) => {
        const version = versions[index];
        const isMet =
          version !== undefined && (version.sequence > startedAfter || this.#met.hasFound(version.row));
        return !isMet && !isRejected.has(identity);
      }),
    );
  }

  async countNotRead(): Promise<NotReadCount> {
    const { object, startedAfter } = this.#start;
    const connection = this.#connection;
    const cached = Number(connection.row("SELECT COUNT(*) FROM records WHERE object = ?", object)?.[0]);
    const sql = "SELECT 1 FROM changes WHERE sequence > ? AND object = ? AND run IS NOT ? LIMIT 1";
    const [rejected] = connection.row(UNIDENTIFIED, object, this.id) ?? [];
    const unidentified = Number(rejected);
    const isShared = connection.row(sql, startedAfter, object, this.id) !== undefined;
    if (!isShared && cached === this.#met.count) return { notRead: 0, cached, unidentified };
    let notRead = 0;
    for (const rows of this.#pagesNotRead()) notRead += rows.length;
    return { notRead, cached, unidentified };
  }

  async deleteNotRead(): Promise<RunCounts> {
    for (const rows of this.#pagesNotRead()) {
      this.#transaction((context) => {
        deleteRecords(this.#connection, rows, context);
        this.#counts = addCounts(this.#counts, { deleted: rows.length });
        this.#save({});
      });
    }
    return this.#counts;
  }

  async end(state: "succeeded" | "failed" | "needs-approval", message?: string): Promise<RunCounts> {
    const connection = this.#connection;
    const { kind } = this.#start;
    try {
      this.#transaction(({ at }) => {
        const sql = "UPDATE runs SET state = ?, ended_at = ?, message = ? WHERE id = ?";
        connection.run(sql, state, at, message === undefined ? null : JSON.stringify(message), this.id);
        if (state !== "failed") this.#saveCheckpoint();
        if (state === "succeeded" && kind === "full") this.#noteFullRead();
        if (state !== "failed" || !this.#canResume)
          connection.run("DELETE FROM marks WHERE run = ?", this.id);
      });
    } finally {
      this.release();
    }
    return this.#counts;
  }

  /** Lets others have the object. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#release();
  }

  /** Does `work` in a transaction if the run still holds its object. */
  #transaction(work: (context: WriteContext) => void): void {
    if (this.#isReleased) throw createStoreError("superseded", `Run ${this.id}`);
    const context = { object: this.#start.object, at: new Date().toISOString(), run: this.id };
    this.#connection.transaction(() => {
      const sql = "UPDATE runs SET paged_at = ? WHERE id = ? AND state = 'running'";
      if (this.#connection.run(sql, context.at, this.id) !== 1)
        throw createStoreError("superseded", `Run ${this.id}`);
      work(context);
    });
  }

  #save({ resumePoint, checkpoint }: Pick<PageWrite, "resumePoint" | "checkpoint">): void {
    const { unchanged, inserted, updated, deleted, rejected } = this.#counts;
    const sql = `UPDATE runs SET resume_point = coalesce(?, resume_point), checkpoint = coalesce(?, checkpoint),
      written = ?, unchanged = ?, inserted = ?, updated = ?, deleted = ?, rejected = ? WHERE id = ?`;
    const texts = [resumePoint, checkpoint].map((text) => (text === undefined ? null : JSON.stringify(text)));
    const numbers = [this.#met.written, unchanged, inserted, updated, deleted, rejected, this.id];
    this.#connection.run(sql, ...texts, ...numbers);
  }

  /** Takes in the keys of records that the run has met with another content, in this page or before it. */
  #noteRepeatedKeys(records: readonly RecordWrite[], { updates }: PageDiff): void {
    const { object, startedAfter } = this.#start;
    const sql = "SELECT 1 FROM changes WHERE sequence = ? AND object = ? AND run = ?";
    const isOwn = (sequence: number) =>
      sequence > startedAfter && this.#connection.row(sql, sequence, object, this.id) !== undefined;
    for (const { write, stored } of updates) {
      if (this.#repeatedKeys.size >= MAX_REPEATED_KEYS) return;
      if (this.#met.hasFound(stored.row) || isOwn(stored.sequence)) this.#repeatedKeys.add(write.key);
    }
    for (const key of keysOfSeveral(records).slice(0, MAX_REPEATED_KEYS - this.#repeatedKeys.size))
      this.#repeatedKeys.add(key);
  }

  #saveCheckpoint(): void {
    const sql = `UPDATE objects SET checkpoint = coalesce((SELECT checkpoint FROM runs WHERE id = ?), checkpoint)
      WHERE id = ?`;
    this.#connection.run(sql, this.id, this.#start.object);
  }

  #noteFullRead(): void {
    const { object } = this.#start;
    this.#connection.run("DELETE FROM rejected WHERE object = ? AND run <> ?", object, this.id);
    const sql = "UPDATE objects SET fully_read_at = (SELECT started_at FROM runs WHERE id = ?) WHERE id = ?";
    this.#connection.run(sql, this.id, object);
  }

  #loadMetRows(): void {
    for (const [chunk, bits] of this.#connection.rows(
      "SELECT chunk, bits FROM marks WHERE run = ?",
      this.id,
    )) {
      if (bits instanceof Uint8Array) this.#met.load(Number(chunk), bits);
    }
  }

  #saveMetRows(): void {
    const sql = `INSERT INTO marks (run, chunk, bits) VALUES (?, ?, ?)
      ON CONFLICT (run, chunk) DO UPDATE SET bits = excluded.bits`;
    for (const [chunk, bits] of this.#met.takeUnsaved())
      this.#connection.run(sql, this.id, chunk, Buffer.from(bits));
  }

  /** The rows that the run has not met, with their keys. A page may be deleted before the next one is asked for. */
  *#pagesNotRead(): Iterable<readonly (readonly [row: number, key: string])[]> {
    const { object, startedAfter } = this.#start;
    for (let last = ""; ; ) {
      const [ids, key] = this.#connection.row(NEXT_ROWS, object, last) ?? [];
      if (typeof ids !== "string" || typeof key !== "string") return;
      const candidates = (JSON.parse(ids) as number[]).filter((row) => !this.#met.hasFound(row));
      const rows =
        candidates.length === 0
          ? []
          : this.#connection.rows(OLDER_ROWS, JSON.stringify(candidates), startedAfter);
      if (rows.length > 0) yield rows.map(([row, name]) => [Number(row), String(name)] as const);
      last = key;
    }
  }
}

const REJECTED_HERE = `SELECT identity FROM rejected
  WHERE object = ? AND run = ? AND identity IN (SELECT value FROM json_each(?))`;
const UNIDENTIFIED = "SELECT COUNT(*) FROM rejected WHERE object = ? AND run = ? AND key IS NULL";
const ROWS_PER_SCAN = 10_000;
const NEXT_ROWS = `SELECT json_group_array(id), max(key) FROM
  (SELECT id, key FROM records WHERE object = ?1 AND key > ?2 ORDER BY key LIMIT ${ROWS_PER_SCAN})`;
/** Rows with a later change were written during the run, by it or by an action. */
const OLDER_ROWS = `SELECT id, key FROM records
  WHERE id IN (SELECT value FROM json_each(?)) AND sequence <= ? ORDER BY id`;

/** The run to begin or to resume, as a part of the transaction. */
function startOrResumeRun(connection: Connection, object: number, options: StartRunOptions): RunStart {
  const { kind, alternateKeysVersion, schemaVersion } = options;
  const [checkpoint] = connection.row("SELECT checkpoint FROM objects WHERE id = ?", object) ?? [];
  const facts = {
    ...{ object, kind, checkpoint: toText(checkpoint), alternateKeysVersion, schemaVersion },
    needsIndexing: isOutdated(connection, object, "alternate_keys_version", alternateKeysVersion),
    needsValidation: isOutdated(connection, object, "schema_version", schemaVersion),
  };
  const sql = `SELECT ${RUN_COLUMNS} FROM runs WHERE object = ? ORDER BY id DESC LIMIT 1`;
  const row = connection.row(sql, object);
  const last = row === undefined ? undefined : toResumedRun(row);
  const stalls = last === undefined ? undefined : stallsIfResumed(last, options);
  if (last === undefined || stalls === undefined) return { ...facts, ...insertRun(connection, object, kind) };
  const resume = `UPDATE runs SET state = 'running', ended_at = NULL, message = NULL, resumed_from = resume_point,
    stalls = ? WHERE id = ?`;
  connection.run(resume, stalls, last.id);
  return {
    ...facts,
    id: last.id,
    startedAfter: last.startedAfter,
    resumePoint: last.resumePoint,
    written: last.written,
    counts: last.counts,
  };
}

/** What is kept of the schema by which the records of an object were written. */
type VersionColumn = "alternate_keys_version" | "schema_version";

/** Whether cached records were written by another version. An object without records is of any version at once. */
function isOutdated(connection: Connection, object: number, column: VersionColumn, version: string): boolean {
  const [known] = connection.row(`SELECT ${column} FROM objects WHERE id = ?`, object) ?? [];
  if (known === version) return false;
  if (connection.row("SELECT 1 FROM records WHERE object = ? LIMIT 1", object) !== undefined) return true;
  setVersion(connection, object, column, version);
  return false;
}

function setVersion(connection: Connection, object: number, column: VersionColumn, version: string): void {
  connection.run(`UPDATE objects SET ${column} = ? WHERE id = ?`, version, object);
}

function insertRun(
  connection: Connection,
  object: number,
  kind: RunKind,
): Pick<RunStart, "id" | "startedAfter" | "resumePoint" | "written" | "counts"> {
  connection.run("UPDATE runs SET state = 'abandoned' WHERE object = ? AND state = 'running'", object);
  connection.run("DELETE FROM marks WHERE run IN (SELECT id FROM runs WHERE object = ?)", object);
  const oldest = `SELECT id FROM runs WHERE object = ? ORDER BY id DESC LIMIT 1 OFFSET ${RUNS_KEPT}`;
  connection.run(`DELETE FROM runs WHERE object = ? AND id <= (${oldest})`, object, object);
  const startedAfter = lastSequence(connection);
  const now = new Date().toISOString();
  const sql =
    "INSERT INTO runs (object, kind, state, started_at, paged_at, before) VALUES (?, ?, 'running', ?, ?, ?)";
  connection.run(sql, object, kind, now, now, startedAfter);
  const id = Number(connection.row("SELECT max(id) FROM runs")?.[0]);
  return { id, startedAfter, resumePoint: null, written: 0, counts: NO_COUNTS };
}
