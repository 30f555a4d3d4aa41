/** The only module that knows the driver: queries by their text, transactions, copying in, and errors in words. */
import { once } from "node:events";
import type { Client, ClientConfig, Pool, PoolClient, QueryArrayConfig, QueryArrayResult } from "pg";
import { StoreError } from "../store.js";
import { createStoreError, toStoreError } from "./errors.js";
import { Hints } from "./hints.js";

/** The channel on which is said what is new. */
export const HINTS = "connectorcli";

/** A value of a parameter. */
export type Value = string | number | boolean | null | Uint8Array | readonly (string | number | null)[];
/** A value of a column: a bigint is a text, a time a Date. */
export type Cell = string | number | boolean | null | Uint8Array | Date;
export type Row = readonly Cell[];
/** The cells of a row that is added, as the server reads texts of their types. */
export type CopiedRow = readonly (string | number | null)[];
/** The cells of a row that is added: of columns of texts, of `int` (a number) and of `bigint`. */
export type TypedRow = readonly (string | number | bigint)[];

/** Where statements are executed: a connection of its own in a transaction, any connection else. */
export interface Queries {
  /** All rows of a query. */
  rows(sql: string, ...values: readonly Value[]): Promise<readonly Row[]>;
  /** The first row of a query. */
  row(sql: string, ...values: readonly Value[]): Promise<Row | undefined>;
  /** Executes a statement that writes, and returns how many rows it has changed. */
  run(sql: string, ...values: readonly Value[]): Promise<number>;
}

/**
 * The connection of a transaction. Statements are sent at once and executed one after the other: those that are begun
 * together cost the way to the server once.
 */
export interface Transaction extends Queries {
  /** Executes a statement whose result nobody needs. If it fails, so does the transaction. */
  later(sql: string, ...values: readonly Value[]): void;
  /** Adds rows to a table. Much faster than `INSERT` from a few dozen rows on. */
  copy(tableAndColumns: string, rows: Iterable<CopiedRow>): Promise<void>;
  /** As {@link copy}, for rows in which the server has nothing to parse. */
  copyTyped(tableAndColumns: string, rows: Iterable<TypedRow>): Promise<void>;
  /** Executes statements that have no parameters and no result. */
  script(sql: string): Promise<void>;
}

/** A connection that nobody shares. */
export interface LoneConnection {
  /** Number of the server's process behind it. */
  readonly backend: number;
  end(): Promise<void>;
}

/** How a server is reached. */
export interface DatabaseOptions {
  /** Such as `postgres://user@host:5432/database`. */
  readonly url: string;
  /** The most connections at a time. */
  readonly maxConnections: number;
}

/**
 * What every connection is told. A worker that stands still keeps its locks no longer than these times, and each statement
 * goes by an index: the planner's counts of a table that was just filled are wrong, and its guess is then the whole table.
 * What an index holds is read without its table, which a bitmap never does.
 */
const SESSION = {
  statement_timeout: 60_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 15_000,
  options:
    "-c enable_hashjoin=off -c enable_mergejoin=off -c enable_seqscan=off -c enable_bitmapscan=off -c jit=off -c timezone=UTC",
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  pipeline: true,
  application_name: "connectorcli",
} as const satisfies ClientConfig;

/** A database and its connections. */
export class Database implements Queries {
  /** What messages call it. No password is in it. */
  readonly name: string;
  readonly #driver: Driver;
  readonly #pool: Pool;
  readonly #url: string;
  /** Who waits for something new is told by them. */
  readonly hints = new Hints((onHint, onLost) => this.connectAlone(onLost, onHint));
  #isClosed = false;

  private constructor(driver: Driver, { url, maxConnections }: DatabaseOptions) {
    this.name = nameOf(url);
    this.#url = url;
    this.#driver = driver;
    this.#pool = new driver.Pool({ ...SESSION, connectionString: url, max: maxConnections });
    // A connection that ends while nobody uses it is replaced.
    this.#pool.on("error", () => {});
  }

  /** @throws StoreError `unavailable` if the packages of the driver are not installed. */
  static async open(options: DatabaseOptions): Promise<Database> {
    return new Database(await loadDriver(), options);
  }

  /**
   * A connection beside those that are shared. Its end says that this process is gone.
   * @param onLost Called if it ends by itself, or could not be made.
   * @param onHint Called with what is said on the channel of hints. Nobody listens if it is left out.
   */
  connectAlone(onLost: () => void, onHint?: (what: string) => void): Promise<LoneConnection> {
    return this.#translateErrors(async () => {
      const client = new this.#driver.Client({ ...SESSION, connectionString: this.#url });
      client.on("error", onLost);
      client.once("end", onLost);
      try {
        await client.connect();
        const { rows } = await client.query<{ backend: number }>("SELECT pg_backend_pid() AS backend");
        if (onHint !== undefined) {
          client.on("notification", ({ payload = "" }) => onHint(payload));
          await client.query(`LISTEN ${HINTS}`);
        }
        return { backend: rows[0]?.backend ?? 0, end: () => client.end().catch(() => {}) };
      } catch (error) {
        onLost();
        throw error;
      }
    });
  }

  rows(sql: string, ...values: readonly Value[]): Promise<readonly Row[]> {
    return this.#translateErrors(async () => (await this.#pool.query(statement(sql, values))).rows);
  }

  async row(sql: string, ...values: readonly Value[]): Promise<Row | undefined> {
    return (await this.rows(sql, ...values))[0];
  }

  run(sql: string, ...values: readonly Value[]): Promise<number> {
    return this.#translateErrors(async () => (await this.#pool.query(statement(sql, values))).rowCount ?? 0);
  }

  /** Does `work` in a transaction: it is kept as a whole, or not at all if it throws. */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.#translateErrors(async () => {
      const client = await this.#pool.connect();
      let isBroken = false;
      // A connection that is lost between two statements says so to nobody else; the next statement fails.
      const lost = () => {
        isBroken = true;
      };
      client.on("error", lost);
      const statements = new Statements(client, this.#driver);
      try {
        statements.send(script("BEGIN"));
        const result = await work(statements.transaction);
        statements.send(script("COMMIT"));
        await statements.ended();
        return result;
      } catch (error) {
        // What failed first is why all after it failed.
        const first = await statements.ended().then(
          () => error,
          (failure) => failure,
        );
        // Of a connection that is lost, the server rolls back by itself.
        await client.query("ROLLBACK").catch(() => {
          isBroken = true;
        });
        throw first;
      } finally {
        client.off("error", lost);
        client.release(isBroken);
      }
    });
  }

  /** What messages call the store of a tenant. */
  nameOf(tenant: string): string {
    return `${this.name} (${tenant})`;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.hints.close();
    await this.#pool.end();
  }

  async #translateErrors<Result>(call: () => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw new StoreError("unavailable", `${this.name} was closed.`);
    try {
      return await call();
    } catch (error) {
      throw toStoreError(error, this.name);
    }
  }
}

/** The statements of a transaction, which do not wait for each other on their way. */
class Statements {
  readonly #client: PoolClient;
  readonly #driver: Driver;
  #underWay: Promise<unknown> = Promise.resolve();

  constructor(client: PoolClient, driver: Driver) {
    this.#client = client;
    this.#driver = driver;
  }

  readonly transaction: Transaction = {
    rows: async (sql, ...values) => (await this.send(statement(sql, values))).rows,
    row: async (sql, ...values) => (await this.send(statement(sql, values))).rows[0],
    run: async (sql, ...values) => (await this.send(statement(sql, values))).rowCount ?? 0,
    later: (sql, ...values) => void this.send(statement(sql, values)),
    copy: (tableAndColumns, rows) => this.#copy(tableAndColumns, rows, TEXTS),
    copyTyped: (tableAndColumns, rows) => this.#copy(tableAndColumns, rows, TYPED),
    script: async (sql) => {
      await this.send(script(sql));
    },
  };

  send(query: QueryArrayConfig): Promise<QueryArrayResult> {
    const result = this.#client.query(query);
    const before = this.#underWay;
    this.#underWay = before.then(() => result);
    // Whoever asks for the end is told.
    for (const promise of [result, this.#underWay]) promise.catch(() => {});
    return result;
  }

  /** All that was sent is executed. Rejects with the first error. */
  async ended(): Promise<void> {
    await this.#underWay;
  }

  /** While rows are copied, the connection takes nothing else: nothing may be sent behind it. */
  async #copy<Row>(tableAndColumns: string, rows: Iterable<Row>, form: RowForm<Row>): Promise<void> {
    // The first rows are made while the server does what was sent before.
    const copied = new CopiedRows(rows, form);
    await this.ended();
    const client: { pipeline: boolean } = this.#client;
    client.pipeline = false;
    try {
      const sql = `COPY ${tableAndColumns} FROM STDIN (FORMAT ${form.name})`;
      const stream = this.#client.query(this.#driver.copyFrom(sql));
      // Whoever waits for the stream is told.
      stream.on("error", () => {});
      // The server works on one chunk while the next is made.
      for (let chunk = copied.chunk; chunk.length > 0; chunk = copied.nextChunk())
        if (!stream.write(chunk)) await once(stream, "drain");
      stream.end();
      await once(stream, "finish");
      copied.throwFailure();
    } finally {
      client.pipeline = true;
    }
  }
}

interface Driver {
  readonly Pool: typeof Pool;
  readonly Client: typeof Client;
  readonly copyFrom: typeof import("pg-copy-streams").from;
}

async function loadDriver(): Promise<Driver> {
  try {
    const [{ default: pg }, { default: copyStreams }] = await Promise.all([
      import("pg"),
      import("pg-copy-streams"),
    ]);
    return { Pool: pg.Pool, Client: pg.Client, copyFrom: copyStreams.from };
  } catch (error) {
    const advice = "A store on PostgreSQL needs two packages. Run: npm install pg pg-copy-streams";
    throw new StoreError("unavailable", advice, { cause: error });
  }
}

/** Statements are prepared once for a connection, by a name that follows from their text. */
const names = new Map<string, string>();

function statement(text: string, values: readonly Value[]) {
  const name = names.get(text) ?? `s${names.size}`;
  names.set(text, name);
  return { name, text, values: [...values] as unknown[], rowMode: "array" as const };
}

/** A list of texts as a value of a parameter. A list that is given as it is becomes the same when it is sent. */
export function arrayText(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replace(/["\\]/g, "\\$&")}"`).join(",")}}`;
}

/** Without a name, for which it would be prepared. */
function script(text: string): QueryArrayConfig {
  return { text, rowMode: "array" };
}

/** How rows are written for the server to copy. */
interface RowForm<Row> {
  /** What the server calls it. */
  readonly name: "text" | "binary";
  readonly begin: string;
  readonly end: string;
  /** The most bytes that the row takes. */
  maxSize(row: Row): number;
  /** Writes the row, and returns where it ends. */
  write(row: Row, chunk: Buffer, start: number): number;
}

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const ALL_ESCAPED = /[\\\n\r\t]/g;
const MAX_NUMBER_SIZE = 25;
const MAX_BYTES_PER_UNIT = 3;

const TEXTS: RowForm<CopiedRow> = {
  name: "text",
  begin: "",
  end: "",
  maxSize: (row) => {
    let size = 0;
    for (const cell of row)
      size += 1 + (typeof cell === "string" ? cell.length * 2 * MAX_BYTES_PER_UNIT : MAX_NUMBER_SIZE);
    return size;
  },
  write: (row, chunk, start) => start + chunk.write(`${row.map(copyCell).join("\t")}\n`, start),
};

function copyCell(cell: string | number | null): string {
  return cell === null ? "\\N" : `${cell}`.replace(ALL_ESCAPED, (sign) => ESCAPES[sign] ?? sign);
}

const INT_SIZE = 4;
const BIGINT_SIZE = 8;

/** Each cell is its size and its bytes. */
const TYPED: RowForm<TypedRow> = {
  name: "binary",
  begin: "PGCOPY\n\u00FF\r\n\0\0\0\0\0\0\0\0\0",
  end: "\u00FF\u00FF",
  maxSize: (row) => {
    let size = 2;
    for (const cell of row)
      size += INT_SIZE + (typeof cell === "string" ? cell.length * MAX_BYTES_PER_UNIT : BIGINT_SIZE);
    return size;
  },
  write: (row, chunk, start) => {
    let end = chunk.writeInt16BE(row.length, start);
    for (const cell of row) {
      const from = end + INT_SIZE;
      const past =
        typeof cell === "string"
          ? from + chunk.write(cell, from)
          : typeof cell === "number"
            ? chunk.writeInt32BE(cell, from)
            : chunk.writeBigInt64BE(cell, from);
      chunk.writeInt32BE(past - from, end);
      end = past;
    }
    return end;
  },
};

const BYTES_PER_CHUNK = 65_536;

/** Rows as they are copied, in chunks: nothing of a row lasts longer than it takes to write it. */
class CopiedRows<Row> {
  readonly #rows: Iterator<Row>;
  readonly #form: RowForm<Row>;
  #failure: { readonly error: unknown } | undefined;
  /** A row that has found no room. */
  #left: Row | undefined;
  #isEnded = false;
  /** The first chunk; empty if there is nothing to copy. */
  readonly chunk: Uint8Array;

  constructor(rows: Iterable<Row>, form: RowForm<Row>) {
    this.#rows = rows[Symbol.iterator]();
    this.#form = form;
    this.chunk = this.#nextChunk(form.begin);
  }

  /** Makes the next chunk; it is empty after the last one. */
  nextChunk(): Uint8Array {
    return this.#nextChunk("");
  }

  /** Throws what a row has thrown. */
  throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  #nextChunk(begin: string): Uint8Array {
    if (this.#isEnded) return Buffer.alloc(0);
    const { maxSize, write, end: last } = this.#form;
    let chunk = Buffer.allocUnsafe(BYTES_PER_CHUNK);
    let end = chunk.write(begin, "latin1");
    for (let row = this.#left ?? this.#nextRow(); row !== undefined; row = this.#nextRow()) {
      this.#left = undefined;
      const size = maxSize(row) + last.length;
      if (end + size > chunk.length) {
        if (end > 0) {
          this.#left = row;
          return chunk.subarray(0, end);
        }
        chunk = Buffer.allocUnsafe(size);
      }
      end = write(row, chunk, end);
    }
    this.#isEnded = true;
    return chunk.subarray(0, end + chunk.write(last, end, "latin1"));
  }

  #nextRow(): Row | undefined {
    try {
      const { done, value } = this.#rows.next();
      return done === true ? undefined : value;
    } catch (error) {
      // It is kept until the copying has ended in order: the connection is needed to roll back.
      this.#failure = { error };
      return undefined;
    }
  }
}

/** `postgres://host:5432/database`; credentials and parameters are left out. */
function nameOf(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return `postgres://${host}${pathname}`;
  } catch {
    throw createStoreError("unavailable", "The store on PostgreSQL");
  }
}
