/** What is noted of runs and actions, in a table: all stores of a process note together, in one statement a second. */
import type { HistoryStore, HistorySubject } from "../history.js";
import type { Database } from "./database.js";

const WRITTEN_EVERY_MS = 1_000;
/** Characters that wait to be written; what comes while the database does not take them is lost. */
const MAX_WAITING = 4_000_000;
/** Characters after which a subject has another row. */
const MAX_ROW = 50_000;
/** Bytes that are kept of a workspace, and by how much more it grows before the oldest are looked for. */
const MAX_BYTES = 4_000_000;
const MAX_GROWTH = 400_000;

/** Of a workspace that was removed meanwhile nothing is kept. */
const INSERT = `INSERT INTO connectorcli.history (workspace, subject, texts)
  SELECT u.* FROM unnest($1::int[], $2::text[], $3::text[]) u (workspace, subject, texts)
    JOIN connectorcli.workspaces w ON w.id = u.workspace`;
const LIST = "SELECT texts FROM connectorcli.history WHERE workspace = $1 AND subject = $2 ORDER BY id";
const DROP_OLDEST = `DELETE FROM connectorcli.history h USING (SELECT grown.workspace, (SELECT id FROM
      (SELECT id, sum(size) OVER (ORDER BY id DESC) AS bytes FROM connectorcli.history WHERE workspace = grown.workspace) s
      WHERE bytes > ${MAX_BYTES} ORDER BY id DESC LIMIT 1) AS last
    FROM unnest($1::int[]) AS grown (workspace)) oldest
  WHERE h.workspace = oldest.workspace AND h.id <= oldest.last`;

/** A row that is to be written. */
interface WaitingRow {
  readonly workspace: number;
  readonly subject: HistorySubject;
  texts: string;
}

/** The history of all workspaces, as this process writes and reads it. */
export class PostgresHistory {
  readonly #database: Database;
  #waiting: WaitingRow[] = [];
  #waitingSize = 0;
  /** The rows that still take texts, by workspace and subject. */
  readonly #open = new Map<string, WaitingRow>();
  /** By how much each workspace has grown since the oldest of it was looked for; one that is not known may have too much. */
  readonly #growth = new Map<number, number>();
  #timer: NodeJS.Timeout | undefined;
  #writing = Promise.resolve();

  constructor(database: Database) {
    this.#database = database;
  }

  /** That of a workspace. */
  of(workspace: number): HistoryStore {
    return {
      note: (subject, text) => this.#note(workspace, subject, text),
      list: async (subject) => {
        const rows = await this.#database.rows(LIST, workspace, subject);
        return rows.flatMap(([texts]) => String(texts).split("\n"));
      },
    };
  }

  /** Writes what waits. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#write();
  }

  #note(workspace: number, subject: HistorySubject, text: string): void {
    if (this.#waitingSize + text.length > MAX_WAITING) return;
    this.#waitingSize += text.length;
    const place = `${workspace}/${subject}`;
    const row = this.#open.get(place);
    if (row !== undefined && row.texts.length + text.length <= MAX_ROW) row.texts += `\n${text}`;
    else {
      const next = { workspace, subject, texts: text };
      this.#open.set(place, next);
      this.#waiting.push(next);
    }
    this.#timer ??= setTimeout(() => void this.#write(), WRITTEN_EVERY_MS).unref();
  }

  #write(): Promise<void> {
    // One after the other: a server that does not answer would have all connections.
    this.#writing = this.#writing.then(() => this.#writeNow());
    return this.#writing;
  }

  async #writeNow(): Promise<void> {
    const rows = this.#waiting;
    this.#waiting = [];
    this.#waitingSize = 0;
    this.#open.clear();
    this.#timer = undefined;
    if (rows.length === 0) return;
    try {
      await this.#database.run(
        INSERT,
        rows.map(({ workspace }) => workspace),
        rows.map(({ subject }) => subject),
        rows.map(({ texts }) => texts),
      );
      const grown = this.#grown(rows);
      if (grown.size > 0) await this.#database.run(DROP_OLDEST, [...grown]);
    } catch {
      // Nothing fails because nobody can look back at it.
    }
  }

  /** The workspaces that may have too much now. */
  #grown(rows: readonly WaitingRow[]): ReadonlySet<number> {
    const grown = new Set<number>();
    for (const { workspace, texts } of rows) {
      const growth = (this.#growth.get(workspace) ?? MAX_GROWTH) + texts.length;
      if (growth > MAX_GROWTH) grown.add(workspace);
      this.#growth.set(workspace, growth);
    }
    for (const workspace of grown) this.#growth.set(workspace, 0);
    return grown;
  }
}
