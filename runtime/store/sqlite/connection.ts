/** The only module that knows the binding: statements by their text, transactions, locks, and errors in words. */
import { chmodSync, closeSync, lstatSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import { StoreError } from "../store.js";
import { isBusy, toStoreError } from "./errors.js";

/** A value of a column. Numbers are integers up to 2^53. */
export type Cell = string | number | null | Uint8Array;
export type Row = readonly Cell[];

type Statement = ReturnType<InstanceType<typeof Database>["prepare"]>;

/** In place of a file: the store is in the memory of this process alone, and is gone when it is closed. */
export const IN_MEMORY = ":memory:";

/** Pages of the write-ahead log before it is moved into the file: a larger log writes hot pages less often. */
const PAGES_BEFORE_CHECKPOINT = 8_000;
const CACHE_KIB = 32_000;

export class Connection {
  readonly #database: InstanceType<typeof Database>;
  /** Of how many of the latest changes the record before is kept. */
  keptBefores = 0;
  #isClosed = false;
  readonly #statements = new Map<string, Statement>();

  /** @param busyTimeoutMs How long to wait for another program, in milliseconds. */
  constructor(
    readonly file: string,
    busyTimeoutMs: number,
  ) {
    this.#database = this.#translateErrors(() => {
      if (file !== IN_MEMORY) createPrivate(file);
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
    return this.#translateErrors(() => this.#statement(sql).all(values) as Row[]);
  }

  /** The first row of a query. */
  row(sql: string, ...values: readonly Cell[]): Row | undefined {
    return this.rows(sql, ...values)[0];
  }

  /** Executes a statement that writes, and returns how many rows it has changed. */
  run(sql: string, ...values: readonly Cell[]): number {
    return this.#translateErrors(() => this.#statement(sql, "write").run(values).changes);
  }

  /** Executes statements that have no parameters and no result. */
  execute(sql: string): void {
    this.#translateErrors(() => this.#database.exec(sql));
  }

  /** Does `work` in a transaction: it is kept as a whole, or not at all if it throws. No other writer comes between. */
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
    this.#moveLogIntoFile();
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
        if (!isBusy(error) || Date.now() > until) throw toStoreError(error, this.file);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
      }
    }
    // A commit that has returned survives a loss of power: an action that was queued, and a number that the change feed
    // has shown. A sync of the log costs little beside a page of records; macOS needs to be told to empty the disk's cache.
    this.execute(
      `PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;
       PRAGMA wal_autocheckpoint = ${PAGES_BEFORE_CHECKPOINT};
       PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -${CACHE_KIB}`,
    );
  }

  /**
   * Moves the log into the file: a copy of the file alone has everything then. The binding leaves the log as it is, for its
   * statements live on.
   */
  #moveLogIntoFile(): void {
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

  #translateErrors<Result>(call: () => Result): Result {
    if (this.#isClosed) throw new StoreError("unavailable", `${this.file} was closed.`);
    try {
      return call();
    } catch (error) {
      throw toStoreError(error, this.file);
    }
  }
}

export interface Lock {
  release(): void;
}

/**
 * Takes a lock that ends with its process, however that ends: the operating system holds it on `file`, which is made if
 * it is not there, and stays. Returns undefined if this process or another one holds the lock.
 */
export function lockFile(file: string): Lock | undefined {
  let database: InstanceType<typeof Database> | undefined;
  try {
    createPrivate(file);
    database = new Database(file, { timeout: 0 });
    database.exec("PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE");
  } catch (error) {
    database?.close();
    if (isBusy(error)) return undefined;
    throw toStoreError(error, file);
  }
  const held = database;
  return {
    release: () => {
      if (held.open) held.close();
    },
  };
}

/**
 * Makes the file readable for its owner only; SQLite gives its side files the same mode. A file that is there is never
 * opened here: closing it would drop the locks that SQLite holds on it for this process.
 */
function createPrivate(file: string): void {
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
    // The file that a link leads to may be anybody's: its permissions are not for this store to change.
    if (!lstatSync(file).isSymbolicLink()) chmodSync(file, 0o600);
  } catch {
    // A file of somebody else; opening it tells whether it can be used.
  }
}
