/** The one place that knows the binding: statements by their text, transactions, and errors in words. */
import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import { StoreError } from "../store-error.js";
import { isBusy, storeError } from "./errors.js";

/** What SQLite keeps in a column. Numbers are integers up to 2^53. */
export type Cell = string | number | null | Uint8Array;
export type Row = readonly Cell[];

type Statement = ReturnType<InstanceType<typeof Database>["prepare"]>;

/** Commits between two moves of the write-ahead log into the file: a larger log writes hot pages less often. */
const PAGES_BEFORE_CHECKPOINT = 8_000;
const CACHE_KIB = 32_000;

export class Connection {
  readonly #database: InstanceType<typeof Database>;
  #isClosed = false;
  readonly #statements = new Map<string, Statement>();

  /** @param busyTimeoutMs How long to wait for another program. */
  constructor(
    readonly file: string,
    busyTimeoutMs: number,
  ) {
    this.#database = this.#translated(() => {
      createPrivate(file);
      return new Database(file, { timeout: busyTimeoutMs });
    });
    try {
      this.#configure(busyTimeoutMs);
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** All rows of a query. */
  rows(sql: string, ...values: readonly Cell[]): readonly Row[] {
    return this.#translated(() => this.#statement(sql).all(values) as Row[]);
  }

  /** The first row of a query. */
  row(sql: string, ...values: readonly Cell[]): Row | undefined {
    return this.rows(sql, ...values)[0];
  }

  /** Writes; gives how many rows it changed. */
  run(sql: string, ...values: readonly Cell[]): number {
    return this.#translated(() => this.#statement(sql, "write").run(values).changes);
  }

  /** Runs statements that take and give nothing. */
  execute(sql: string): void {
    this.#translated(() => this.#database.exec(sql));
  }

  /** What `work` does is kept as a whole, or not at all when it throws. No other writer comes between. */
  transaction<Result>(work: () => Result): Result {
    this.execute("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.execute("COMMIT");
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#statements.clear();
    this.#emptyLog();
    this.#database.close();
  }

  #statement(sql: string, use?: "write"): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, use === "write" ? statement : statement.raw());
    return statement;
  }

  #configure(busyTimeoutMs: number): void {
    const until = Date.now() + busyTimeoutMs;
    const [mode] = this.row("PRAGMA journal_mode") ?? [];
    while (mode !== "wal") {
      try {
        this.#database.exec("PRAGMA journal_mode = WAL");
        break;
      } catch (error) {
        // The change of mode does not wait for others by itself.
        if (!isBusy(error) || Date.now() > until) throw storeError(error, this.file);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
      }
    }
    this.execute(
      `PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${PAGES_BEFORE_CHECKPOINT};
       PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -${CACHE_KIB}`,
    );
  }

  /** Who copies the file alone has everything then. The binding would leave the log, for its statements live on. */
  #emptyLog(): void {
    try {
      this.#database.exec("PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // Somebody else uses the store and will do it, or the disk is full; nothing is lost.
    }
  }

  #rollBack(): void {
    try {
      // A full disk has rolled back already.
      if (this.#database.inTransaction) this.#database.exec("ROLLBACK");
    } catch {
      // The error that led here says more.
    }
  }

  #translated<Result>(call: () => Result): Result {
    if (this.#isClosed) throw new StoreError("unavailable", `${this.file} was closed.`);
    try {
      return call();
    } catch (error) {
      throw storeError(error, this.file);
    }
  }
}

/**
 * Makes the file readable for its owner only; SQLite gives its side files the same mode. A file that is there is never
 * opened here: closing it would drop the locks that SQLite holds on it for this process.
 */
export function createPrivate(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    chmodIfOwner(file);
  }
}

function chmodIfOwner(file: string): void {
  try {
    chmodSync(file, 0o600);
  } catch {
    // A file of somebody else; opening it tells whether it can be used.
  }
}
