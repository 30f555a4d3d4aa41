/** Runs of the cache writer on PostgreSQL: one at a time for an object, held by a lease that a living process renews. */
import { randomUUID } from "node:crypto";
import { diffPage, type PageDiff } from "../diff-page.js";
import { keysOfSeveral, MAX_REPEATED_KEYS } from "../repeated-keys.js";
import { RUN_COLUMNS, toIso, toResumedRun, toSummary, toText } from "../rows.js";
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
import type { Database, LoneConnection, Queries, Row, Transaction } from "./database.js";
import { createStoreError, isDuplicate } from "./errors.js";
import { rejectedRows } from "./reads.js";
import {
  deleteRecords,
  findObject,
  findOrInsertObject,
  hasRejected,
  lastPosition,
  lookUp,
  replaceAlternateKeys,
  takeNumbers,
  takeOutRecords,
  toVersions,
  versionsOf,
  type WriteContext,
  writePage,
  writeRejected,
} from "./write-page.js";

const RUNS_KEPT = 100;
/** How long a process that stands still keeps an object. */
const LEASE_SECONDS = 30;
const RENEWED_EVERY_MS = 10_000;
/** A page that changes nothing is noted within this time, with those that come meanwhile. */
const NOTED_WITHIN_MS = 1_000;

const LEASE = `now() + interval '${LEASE_SECONDS} seconds'`;
/** A process that was killed is seen at once: its connection has gone. One that stands still has its lease. */
const TAKE = `UPDATE connectorcli.objects SET run_token = $2, leased_until = ${LEASE}, holder_pid = $3, holder_start =
    (SELECT backend_start FROM pg_stat_activity WHERE pid = $3)
  WHERE id = $1 AND (run_token IS NULL OR leased_until < now() OR NOT EXISTS
    (SELECT 1 FROM pg_stat_activity a WHERE a.pid = holder_pid AND a.backend_start = holder_start))`;
const IS_RUNNING =
  "EXISTS (SELECT 1 FROM connectorcli.runs WHERE workspace = $3 AND id = $4 AND state = 'running')";
const HOLD = `UPDATE connectorcli.objects SET leased_until = ${LEASE}
  WHERE id = $1 AND run_token = $2 AND ${IS_RUNNING}`;
/** What is stored under keys, and up to which change of the workspace that is so; nothing if the run does not hold the object. */
const LOOK_UP_IF_HELD = `SELECT w.position, ${versionsOf("$5")} FROM connectorcli.objects o, connectorcli.workspaces w
  WHERE o.id = $1 AND o.run_token = $2 AND ${IS_RUNNING} AND w.id = $3`;
const SINCE = "SELECT 1 FROM connectorcli.changes WHERE workspace = $1 AND last > $2 AND object = $3";
/** Something too if that part of the feed is gone by now: nobody knows then. */
const WRITTEN_SINCE = `(${SINCE} LIMIT 1)
  UNION ALL (SELECT 1 FROM connectorcli.workspaces WHERE id = $1 AND removed_to > $2) LIMIT 1`;
const WRITTEN_SINCE_BY_OTHERS = `${SINCE} AND run IS DISTINCT FROM $4 LIMIT 1`;
const RELEASE = `UPDATE connectorcli.objects SET run_token = NULL, leased_until = NULL
  WHERE run_token = ANY ($1::uuid[])`;

export class PostgresRuns implements RunStore {
  readonly #database: Database;
  readonly #workspace: number;
  readonly #keptBefores: number;
  /** The runs that are open, by their tokens. */
  readonly #open = new Map<string, PostgresRun>();
  /** The connection whose end says that this process is gone. */
  #presence: Promise<LoneConnection> | undefined;
  #renewal: NodeJS.Timeout | undefined;

  constructor(
    database: Database,
    { workspace, keptBefores }: Pick<WriteContext, "workspace" | "keptBefores">,
  ) {
    this.#database = database;
    this.#workspace = workspace;
    this.#keptBefores = keptBefores;
  }

  async start(options: StartRunOptions): Promise<Run | undefined> {
    const [workspace, keptBefores] = [this.#workspace, this.#keptBefores];
    const object = await findOrInsertObject(this.#database, workspace, options.object);
    const token = randomUUID();
    const backend = await this.#backend();
    const start = await this.#database.transaction(async (transaction) => {
      if ((await transaction.run(TAKE, object, token, backend)) !== 1) return undefined;
      return startOrResumeRun(transaction, { workspace, object, token, keptBefores }, options);
    });
    if (start === undefined) return undefined;
    const run = new PostgresRun(this.#database, start, () => void this.#open.delete(token));
    this.#open.set(token, run);
    this.#renewal ??= setInterval(() => void this.#renew(), RENEWED_EVERY_MS).unref();
    await run.load();
    return run;
  }

  async list(object: string, limit: number): Promise<readonly RunSummary[]> {
    const id = await findObject(this.#database, this.#workspace, object);
    if (id === undefined) return [];
    const sql = `SELECT ${RUN_COLUMNS} FROM connectorcli.runs WHERE object = $1 ORDER BY id DESC LIMIT $2`;
    return (await this.#database.rows(sql, id, limit)).map((row) => toSummary(object, row));
  }

  async checkpoint(object: string): Promise<string | null> {
    const sql = "SELECT checkpoint FROM connectorcli.objects WHERE workspace = $1 AND path = $2";
    return toText((await this.#database.row(sql, this.#workspace, object))?.[0]);
  }

  async fullyReadAt(object: string): Promise<string | null> {
    const sql = "SELECT fully_read_at FROM connectorcli.objects WHERE workspace = $1 AND path = $2";
    const [at] = (await this.#database.row(sql, this.#workspace, object)) ?? [];
    return at instanceof Date ? toIso(at) : null;
  }

  /** Releases all objects, as if the process had ended. */
  async abandon(): Promise<void> {
    clearInterval(this.#renewal);
    // What can't be noted is read again.
    await Promise.allSettled([...this.#open.values()].map((run) => run.note()));
    if (this.#open.size > 0)
      await this.#database.run(RELEASE, [...this.#open.keys()]).catch(() => {
        // The end of the process' connection says the same.
      });
    const presence = await this.#presence?.catch(() => undefined);
    await presence?.end();
  }

  /** Number of the server's process behind the connection that stays open as long as this process lives. */
  async #backend(): Promise<number> {
    this.#presence ??= this.#database.connectAlone(() => {
      // It was lost. Leases of runs that are open are renewed by the next one.
      this.#presence = undefined;
    });
    const { backend } = await this.#presence;
    return backend;
  }

  async #renew(): Promise<void> {
    if (this.#open.size === 0) return;
    const backend = await this.#backend().catch(() => undefined);
    if (backend === undefined) return;
    const sql = `UPDATE connectorcli.objects SET leased_until = ${LEASE}, holder_pid = $2, holder_start =
      (SELECT backend_start FROM pg_stat_activity WHERE pid = $2) WHERE run_token = ANY ($1::uuid[])`;
    await this.#database.run(sql, [...this.#open.keys()], backend).catch(() => {
      // The next page says whether the object is still this run's.
    });
  }
}

/** What is known of a run when it starts or is resumed. */
interface RunStart {
  readonly id: number;
  /** Row of the workspace. */
  readonly workspace: number;
  /** Row of the object. */
  readonly object: number;
  /** By it the run holds the object. */
  readonly token: string;
  /** Of how many of the latest changes the record before is kept. */
  readonly keptBefores: number;
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
  readonly hasRecords: boolean;
  readonly hasRejected: boolean;
}

/** What a page is going to change. */
interface PagePlan {
  readonly diff: PageDiff;
  /** Number of the last change of the workspace by then. */
  readonly plannedAt: number;
}

/** How far a run has come, beside its counts. */
type Progress = Pick<PageWrite, "resumePoint" | "checkpoint">;

class PostgresRun implements Run {
  readonly id: number;
  readonly checkpoint: string | null;
  readonly resumePoint: string | null;
  readonly needsIndexing: boolean;
  readonly needsValidation: boolean;
  readonly #database: Database;
  readonly #start: RunStart;
  readonly #forget: () => void;
  readonly #met: MetRows;
  readonly #repeatedKeys = new Set<string>();
  #counts: RunCounts;
  #canResume: boolean;
  /** Whether a rejected record of the object may be kept. */
  #hasRejected: boolean;
  /** Whether there was no record, and every one that came was another: what comes is expected to be new. */
  #isFirst: boolean;
  /** When the progress of the run was noted last. */
  #notedAt = performance.now();
  /** What pages that changed nothing have said since. */
  #unnoted: Progress | undefined;
  /** Notes that if no page comes. */
  #timer: NodeJS.Timeout | undefined;
  #noting: Promise<void> = Promise.resolve();

  /** @param forget Called when the run has ended. */
  constructor(database: Database, start: RunStart, forget: () => void) {
    this.id = start.id;
    this.checkpoint = start.checkpoint;
    this.resumePoint = start.resumePoint;
    this.needsIndexing = start.needsIndexing;
    this.needsValidation = start.needsValidation;
    this.#database = database;
    this.#start = start;
    this.#forget = forget;
    this.#met = new MetRows(start.startedAfter, start.written);
    this.#counts = start.counts;
    this.#canResume = start.resumePoint !== null;
    this.#hasRejected = start.hasRejected;
    this.#isFirst = !start.hasRecords;
  }

  get counts(): RunCounts {
    return this.#counts;
  }

  get repeatedKeys(): readonly string[] {
    return [...this.#repeatedKeys];
  }

  /** Loads what a run that is resumed had met. */
  async load(): Promise<void> {
    if (!this.#canResume) return;
    const sql = "SELECT chunk, bits FROM connectorcli.marks WHERE workspace = $1 AND run = $2";
    for (const [chunk, bits] of await this.#database.rows(sql, this.#start.workspace, this.id))
      if (bits instanceof Uint8Array) this.#met.load(Number(chunk), bits);
  }

  async indexAlternateKeys(records: readonly AlternateKeyWrite[], isLast: boolean): Promise<void> {
    const { object, alternateKeysVersion } = this.#start;
    await this.#notedTransaction(nothing, async (transaction) => {
      await replaceAlternateKeys(transaction, object, records);
      if (isLast) await setVersion(transaction, object, "alternate_keys_version", alternateKeysVersion);
    });
  }

  async takeOut(records: readonly UnfitRecord[], isLast: boolean): Promise<RunCounts> {
    const { object, schemaVersion, kind } = this.#start;
    await this.#notedTransaction(nothing, async (transaction) => {
      const { deletes, rejected } = await takeOutRecords(transaction, records, this.#context);
      this.#hasRejected ||= rejected > 0;
      if (kind === "full") this.#met.remove(deletes);
      this.#counts = addCounts(this.#counts, { deleted: deletes.length, rejected });
      if (isLast) await setVersion(transaction, object, "schema_version", schemaVersion);
    });
    return this.#counts;
  }

  async *previouslyRejected(): AsyncIterable<RejectedWrite> {
    for await (const { rejected } of rejectedRows(this.#database, this.#start.object, this.id))
      yield rejected;
  }

  async commit(page: PageWrite): Promise<RunCounts> {
    const { records, rejected } = page;
    await this.#stopTimer();
    if (this.#isFirst && records.every(({ operation }) => operation === "upsert")) {
      try {
        // What is expected to be new is not looked up.
        return await this.#write(page);
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        this.#isFirst = false;
      }
    }
    const plan = await this.#plan(records);
    const changesNothing = plan.diff.changes.length === 0 && rejected.length === 0 && !this.#hasRejected;
    if (!changesNothing || performance.now() - this.#notedAt >= NOTED_WITHIN_MS)
      return this.#write(page, plan);
    await this.#meet(this.#database, page, plan.diff);
    this.#unnoted = { ...this.#unnoted, ...progressOf(page) };
    this.#timer = setTimeout(() => {
      // What stands in the way is told to the next page.
      this.#noting = this.#note().catch(() => {});
    }, NOTED_WITHIN_MS).unref();
    return this.#counts;
  }

  /** Notes what pages that changed nothing have said. */
  async note(): Promise<void> {
    await this.#stopTimer();
    await this.#note();
  }

  async #note(): Promise<void> {
    if (this.#unnoted !== undefined) await this.#notedTransaction(nothing, nothing);
  }

  /** Nothing is noted from now on but what the caller notes. */
  #stopTimer(): Promise<void> {
    clearTimeout(this.#timer);
    return this.#noting;
  }

  /** Compares records with what is stored. Nobody is kept from writing meanwhile. */
  async #plan(records: readonly RecordWrite[]): Promise<PagePlan> {
    const { workspace, object, token } = this.#start;
    const keys = records.map(({ key }) => key);
    const looks = halvesOf(keys).map(async (half) => {
      const row = await this.#database.row(LOOK_UP_IF_HELD, object, token, workspace, this.id, half);
      if (row === undefined) throw createStoreError("superseded", `Run ${this.id}`);
      return { position: Number(row[0]), versions: half.length === 0 ? [] : toVersions(row[1]) };
    });
    const found = await Promise.all(looks);
    return {
      diff: diffPage(
        records,
        found.flatMap(({ versions }) => versions),
      ),
      plannedAt: Math.min(...found.map(({ position }) => position)),
    };
  }

  /**
   * Writes a page as it is planned, or by another plan if the object was written to meanwhile. Without a plan, all of it
   * is taken to be new.
   */
  async #write(page: PageWrite, plan?: PagePlan): Promise<RunCounts> {
    const { records, rejected, recovered = [] } = page;
    const { workspace, object, kind } = this.#start;
    const keysOfAll = () => records.map(({ key }) => key);
    const look = async (transaction: Transaction) => {
      const lookingUp = lookUp(
        transaction,
        object,
        rejected.map(({ identity }) => identity),
      );
      // The server takes hold of the object meanwhile.
      const planned = plan?.diff ?? diffPage(records, []);
      const [ofRejected, taken, since] = await Promise.all([
        lookingUp,
        plan === undefined ? takeNumbers(transaction, planned, this.#context) : undefined,
        plan && transaction.row(WRITTEN_SINCE, workspace, plan.plannedAt, object),
      ]);
      return { planned, ofRejected, taken, since };
    };
    const work = async (
      transaction: Transaction,
      { planned, ofRejected, taken, since }: Awaited<ReturnType<typeof look>>,
    ) => {
      this.#hasRejected ||= rejected.length > 0;
      if (this.#hasRejected)
        await writeRejected(transaction, { rejected, recovered, keys: keysOfAll() }, this.#context);
      const diff =
        since === undefined ? planned : diffPage(records, await lookUp(transaction, object, keysOfAll()));
      const numbers = taken ?? (await takeNumbers(transaction, diff, this.#context));
      await writePage(transaction, diff, { ...this.#context, numbers });
      if (kind === "full")
        // A record that is there but not valid is not gone.
        for (const version of ofRejected) if (version !== undefined) this.#met.addFound(version);
      await this.#meet(transaction, page, diff);
    };
    try {
      await this.#notedTransaction(look, work, page);
    } catch (error) {
      // What was met may be more than what is stored now, unless the page is written once more.
      if (!isDuplicate(error)) this.#unnoted = undefined;
      throw error;
    }
    return this.#counts;
  }

  /** Takes in what a page has met. */
  async #meet(
    queries: Queries,
    { records, rejected, resumePoint }: PageWrite,
    diff: PageDiff,
  ): Promise<void> {
    if (this.#start.kind === "full") {
      await this.#noteRepeatedKeys(queries, records, diff);
      this.#met.add(diff);
    }
    this.#counts = addCounts(this.#counts, { ...diff.counts, rejected: rejected.length });
    this.#canResume ||= resumePoint !== undefined;
  }

  async notMet(identities: readonly string[]): Promise<ReadonlySet<string>> {
    const { object, startedAfter } = this.#start;
    const versions = await lookUp(this.#database, object, identities);
    const rejected = await this.#database.rows(REJECTED_HERE, object, this.id, identities);
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
    const { workspace, object, startedAfter } = this.#start;
    const database = this.#database;
    const cached = await this.#countRecords();
    const [rejected] = (await database.row(UNIDENTIFIED, object, this.id)) ?? [];
    const unidentified = Number(rejected);
    const isShared =
      (await database.row(WRITTEN_SINCE_BY_OTHERS, workspace, startedAfter, object, this.id)) !== undefined;
    if (!isShared && cached === this.#met.count) return { notRead: 0, cached, unidentified };
    let notRead = 0;
    for await (const keys of this.#pagesNotRead()) notRead += keys.length;
    return { notRead, cached, unidentified };
  }

  /** How many records of the object are cached, without a look at each if it was counted before. */
  async #countRecords(): Promise<number> {
    const { workspace, object } = this.#start;
    const [known = null] = (await this.#database.row(COUNT_BY_FEED, object, workspace)) ?? [];
    if (known !== null) return Number(known);
    let counted: Row | undefined;
    await this.#transaction(nothing, async (transaction) => {
      counted = await transaction.row(COUNT, object, workspace);
    });
    return Number(counted?.[0]);
  }

  async deleteNotRead(): Promise<RunCounts> {
    await this.#stopTimer();
    for await (const keys of this.#pagesNotRead()) {
      // An action may have written one of them meanwhile.
      const look = (transaction: Transaction) => lookUp(transaction, this.#start.object, keys);
      await this.#notedTransaction(look, async (transaction, versions) => {
        const old = keys.filter(
          (_, index) => (versions[index]?.sequence ?? Infinity) <= this.#start.startedAfter,
        );
        await deleteRecords(transaction, old, this.#context);
        this.#counts = addCounts(this.#counts, { deleted: old.length });
      });
    }
    return this.#counts;
  }

  async end(state: "succeeded" | "failed" | "needs-approval", message?: string): Promise<RunCounts> {
    const { workspace, object, kind, token } = this.#start;
    try {
      await this.note();
      await this.#transaction(nothing, async (transaction) => {
        const sql = `UPDATE connectorcli.runs SET state = $3, ended_at = now(), paged_at = now(), message = $4
          WHERE workspace = $1 AND id = $2`;
        const text = message === undefined ? null : JSON.stringify(message);
        await transaction.run(sql, workspace, this.id, state, text);
        if (state !== "failed") await transaction.run(SAVE_CHECKPOINT, workspace, this.id, object);
        if (state === "succeeded" && kind === "full") await this.#noteFullRead(transaction);
        if (state !== "failed" || !this.#canResume)
          await transaction.run(
            "DELETE FROM connectorcli.marks WHERE workspace = $1 AND run = $2",
            workspace,
            this.id,
          );
        await transaction.run(RELEASE, [token]);
      });
    } finally {
      this.#forget();
    }
    return this.#counts;
  }

  async #noteFullRead(transaction: Transaction): Promise<void> {
    const { workspace, object } = this.#start;
    await transaction.run(
      "DELETE FROM connectorcli.rejected WHERE object = $1 AND run <> $2",
      object,
      this.id,
    );
    await transaction.run(NOTE_FULL_READ, object, workspace, this.id);
  }

  get #context() {
    const { workspace, object, keptBefores } = this.#start;
    return { workspace, object, run: this.id, keptBefores };
  }

  /**
   * Does `work` in a transaction if the run still holds its object, which nobody else writes to meanwhile.
   * @param look Reads what is as it is once the object is held, on the same way to the server.
   */
  async #transaction<Found>(
    look: (transaction: Transaction) => Promise<Found>,
    work: (transaction: Transaction, found: Found) => Promise<void>,
  ): Promise<void> {
    const { workspace, object, token } = this.#start;
    const counts = this.#counts;
    try {
      await this.#database.transaction(async (transaction) => {
        const holding = transaction.run(HOLD, object, token, workspace, this.id);
        const [held, found] = await Promise.all([holding, look(transaction)]);
        if (held !== 1) throw createStoreError("superseded", `Run ${this.id}`);
        await work(transaction, found);
      });
    } catch (error) {
      this.#counts = counts;
      throw error;
    }
  }

  /** As {@link #transaction}; notes in it how far the run has come. */
  async #notedTransaction<Found>(
    look: (transaction: Transaction) => Promise<Found>,
    work: (transaction: Transaction, found: Found) => Promise<void>,
    page: Progress = {},
  ): Promise<void> {
    await this.#transaction(look, async (transaction, found) => {
      await work(transaction, found);
      if (this.#canResume) this.#saveMetRows(transaction);
      this.#saveProgress(transaction, { ...this.#unnoted, ...progressOf(page) });
    });
    this.#unnoted = undefined;
    this.#notedAt = performance.now();
  }

  #saveProgress(transaction: Transaction, { resumePoint, checkpoint }: Progress): void {
    const { unchanged, inserted, updated, deleted, rejected } = this.#counts;
    const sql = `UPDATE connectorcli.runs SET paged_at = now(), resume_point = coalesce($3, resume_point),
      checkpoint = coalesce($4, checkpoint), written = $5, unchanged = $6, inserted = $7, updated = $8, deleted = $9,
      rejected = $10 WHERE workspace = $1 AND id = $2`;
    const texts = [resumePoint, checkpoint].map((text) => (text === undefined ? null : JSON.stringify(text)));
    const numbers = [this.#met.written, unchanged, inserted, updated, deleted, rejected];
    transaction.later(sql, this.#start.workspace, this.id, ...texts, ...numbers);
  }

  /** Takes in the keys of records that the run has met with another content, in this page or before it. */
  async #noteRepeatedKeys(
    queries: Queries,
    records: readonly RecordWrite[],
    { updates }: PageDiff,
  ): Promise<void> {
    const { workspace, startedAfter } = this.#start;
    const later = updates.map(({ stored }) => stored.sequence).filter((sequence) => sequence > startedAfter);
    const writers = later.length === 0 ? [] : await queries.rows(WRITERS, workspace, later);
    const own = new Set(later.filter((_, index) => Number(writers[index]?.[0] ?? 0) === this.id));
    for (const { write, stored } of updates) {
      if (this.#repeatedKeys.size >= MAX_REPEATED_KEYS) return;
      if (this.#met.hasFound(stored.row) || own.has(stored.sequence)) this.#repeatedKeys.add(write.key);
    }
    for (const key of keysOfSeveral(records).slice(0, MAX_REPEATED_KEYS - this.#repeatedKeys.size))
      this.#repeatedKeys.add(key);
  }

  #saveMetRows(transaction: Transaction): void {
    const sql = `INSERT INTO connectorcli.marks (workspace, run, chunk, bits) VALUES ($1, $2, $3, $4)
      ON CONFLICT (workspace, run, chunk) DO UPDATE SET bits = excluded.bits`;
    for (const [chunk, bits] of this.#met.takeUnsaved())
      transaction.later(sql, this.#start.workspace, this.id, chunk, Buffer.from(bits));
  }

  /** Keys of the records that the run has not met. A page may be deleted before the next one is asked for. */
  async *#pagesNotRead(): AsyncGenerator<readonly string[]> {
    const { object, startedAfter } = this.#start;
    for (let last = ""; ; ) {
      const rows = await this.#database.rows(NEXT_ROWS, object, last);
      if (rows.length === 0) return;
      const keys = rows
        .filter(([, row, position]) => Number(position) <= startedAfter && !this.#met.hasFound(Number(row)))
        .map(([key]) => String(key));
      if (keys.length > 0) yield keys;
      last = String(rows.at(-1)?.[0]);
    }
  }
}

/**
 * The count of an object at some position of the feed, and what the feed has made of it since: whoever writes records
 * writes the feed, too, workers of an older version like others. Nothing if it was never counted, or if that part of the
 * feed is gone.
 */
const COUNT_BY_FEED = `SELECT o.counted + coalesce((
    SELECT sum(length(translate(c.operations, 'ud', '')) - length(translate(c.operations, 'ui', '')))
    FROM connectorcli.changes c WHERE c.workspace = $2 AND c.object = $1 AND c.last > o.counted_at), 0)
  FROM connectorcli.objects o, connectorcli.workspaces w
  WHERE o.id = $1 AND w.id = $2 AND o.counted_at >= w.removed_to`;
const HERE = "(SELECT position FROM connectorcli.workspaces WHERE id = $2)";
/** As long as a transaction holds the object, its count is that of the last position. */
const COUNT = `UPDATE connectorcli.objects SET counted_at = ${HERE},
  counted = (SELECT count(*) FROM connectorcli.records WHERE object = $1) WHERE id = $1 RETURNING counted`;
/** The next count has less of the feed to read. */
const NOTE_FULL_READ = `UPDATE connectorcli.objects SET counted_at = ${HERE}, counted = (${COUNT_BY_FEED}),
  fully_read_at = (SELECT started_at FROM connectorcli.runs WHERE workspace = $2 AND id = $3) WHERE id = $1`;
const REJECTED_HERE = `SELECT identity FROM connectorcli.rejected
  WHERE object = $1 AND run = $2 AND identity = ANY ($3::text[])`;
const UNIDENTIFIED =
  "SELECT count(*) FROM connectorcli.rejected WHERE object = $1 AND run = $2 AND key IS NULL";
const ROWS_PER_SCAN = 10_000;
const NEXT_ROWS = `SELECT key, row, position FROM connectorcli.records
  WHERE object = $1 AND key > $2 ORDER BY key LIMIT ${ROWS_PER_SCAN}`;
/** The run that made each of some changes; nothing for those of actions. */
const WRITERS = `SELECT (SELECT c.run FROM connectorcli.changes c WHERE c.workspace = $1 AND c.last >= s
  ORDER BY c.last LIMIT 1) FROM unnest($2::bigint[]) s`;
const SAVE_CHECKPOINT = `UPDATE connectorcli.objects SET checkpoint = coalesce(
  (SELECT checkpoint FROM connectorcli.runs WHERE workspace = $1 AND id = $2), checkpoint) WHERE id = $3`;

async function nothing(): Promise<void> {}

/** Below so many keys, one look is as fast as two. */
const KEYS_TO_HALVE = 200;

/** A look goes through the index key by key. Two processes of the server do it for a half of a large page each. */
function halvesOf(keys: readonly string[]): readonly (readonly string[])[] {
  if (keys.length < KEYS_TO_HALVE) return [keys];
  const middle = keys.length >> 1;
  return [keys.slice(0, middle), keys.slice(middle)];
}

/** What a page says of the progress, without what it leaves as it was. */
function progressOf({ resumePoint, checkpoint }: Progress): Progress {
  return {
    ...(resumePoint !== undefined && { resumePoint }),
    ...(checkpoint !== undefined && { checkpoint }),
  };
}

/** The run to begin or to resume, as a part of the transaction. */
async function startOrResumeRun(
  transaction: Transaction,
  { workspace, object, ...held }: Pick<RunStart, "workspace" | "object" | "token" | "keptBefores">,
  options: StartRunOptions,
): Promise<RunStart> {
  const { kind, alternateKeysVersion, schemaVersion } = options;
  const saved = await transaction.row("SELECT checkpoint FROM connectorcli.objects WHERE id = $1", object);
  const facts = {
    ...{ workspace, object, ...held, kind, checkpoint: toText(saved?.[0]) },
    ...{ alternateKeysVersion, schemaVersion },
    hasRecords: await hasRecords(transaction, object),
    hasRejected: await hasRejected(transaction, object),
    needsIndexing: await isOutdated(transaction, object, "alternate_keys_version", alternateKeysVersion),
    needsValidation: await isOutdated(transaction, object, "schema_version", schemaVersion),
  };
  if (!facts.hasRecords) await transaction.run(COUNT, object, workspace);
  const sql = `SELECT ${RUN_COLUMNS} FROM connectorcli.runs WHERE object = $1 ORDER BY id DESC LIMIT 1`;
  const row = await transaction.row(sql, object);
  const last = row === undefined ? undefined : toResumedRun(row);
  const stalls = last === undefined ? undefined : stallsIfResumed(last, options);
  if (last === undefined || stalls === undefined)
    return { ...facts, ...(await insertRun(transaction, workspace, object, kind)) };
  const resume = `UPDATE connectorcli.runs SET state = 'running', ended_at = NULL, message = NULL,
    resumed_from = resume_point, stalls = $3 WHERE workspace = $1 AND id = $2`;
  await transaction.run(resume, workspace, last.id, stalls);
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
async function isOutdated(
  transaction: Transaction,
  object: number,
  column: VersionColumn,
  version: string,
): Promise<boolean> {
  const [known] =
    (await transaction.row(`SELECT ${column} FROM connectorcli.objects WHERE id = $1`, object)) ?? [];
  if (known === version) return false;
  if (await hasRecords(transaction, object)) return true;
  await setVersion(transaction, object, column, version);
  return false;
}

async function hasRecords(transaction: Transaction, object: number): Promise<boolean> {
  const any = "SELECT 1 FROM connectorcli.records WHERE object = $1 LIMIT 1";
  return (await transaction.row(any, object)) !== undefined;
}

async function setVersion(
  transaction: Transaction,
  object: number,
  column: VersionColumn,
  version: string,
): Promise<void> {
  await transaction.run(`UPDATE connectorcli.objects SET ${column} = $2 WHERE id = $1`, object, version);
}

async function insertRun(
  transaction: Transaction,
  workspace: number,
  object: number,
  kind: RunKind,
): Promise<Pick<RunStart, "id" | "startedAfter" | "resumePoint" | "written" | "counts">> {
  const abandon = "UPDATE connectorcli.runs SET state = 'abandoned' WHERE object = $1 AND state = 'running'";
  await transaction.run(abandon, object);
  const marks = `DELETE FROM connectorcli.marks WHERE workspace = $1 AND run IN
    (SELECT id FROM connectorcli.runs WHERE object = $2)`;
  await transaction.run(marks, workspace, object);
  const oldest = `SELECT id FROM connectorcli.runs WHERE object = $1 ORDER BY id DESC LIMIT 1 OFFSET ${RUNS_KEPT}`;
  await transaction.run(`DELETE FROM connectorcli.runs WHERE object = $1 AND id <= (${oldest})`, object);
  const startedAfter = await lastPosition(transaction, workspace);
  const next = "UPDATE connectorcli.workspaces SET last_run = last_run + 1 WHERE id = $1 RETURNING last_run";
  const id = Number((await transaction.row(next, workspace))?.[0]);
  const sql = `INSERT INTO connectorcli.runs (workspace, id, object, kind, state, started_at, paged_at, before)
    VALUES ($1, $2, $3, $4, 'running', now(), now(), $5)`;
  await transaction.run(sql, workspace, id, object, kind, startedAfter);
  return { id, startedAfter, resumePoint: null, written: 0, counts: NO_COUNTS };
}
