/** The rows that a full read did not come across, page by page over the index of keys. */
import type { Connection } from "./connection.js";
import type { Marks } from "./marks.js";

const ROWS_A_PAGE = 10_000;

const IDS = `SELECT group_concat(id), max(key) FROM
  (SELECT id, key FROM records WHERE object = ?1 AND key > ?2 ORDER BY key LIMIT ${ROWS_A_PAGE})`;
const OLD = `SELECT id, key FROM records
  WHERE id IN (SELECT value FROM json_each(?)) AND sequence <= ? ORDER BY id`;

export interface UnseenOptions {
  /** Row of the object. */
  readonly object: number;
  /** Rows with a later change were written during the run, by it or by an action. */
  readonly before: number;
  readonly marks: Marks;
}

/** Rows with their keys; a page may be deleted before the next one is asked for. */
export function* unseenRows(
  connection: Connection,
  { object, before, marks }: UnseenOptions,
): Iterable<readonly (readonly [row: number, key: string])[]> {
  for (let last = ""; ; ) {
    const [ids, key] = connection.row(IDS, object, last) ?? [];
    if (typeof ids !== "string" || typeof key !== "string") return;
    const unmarked = ids.split(",").filter((id) => !marks.has(Number(id)));
    const rows = unmarked.length === 0 ? [] : connection.rows(OLD, `[${unmarked.join()}]`, before);
    if (rows.length > 0) yield rows.map(([row, name]) => [Number(row), String(name)] as const);
    last = key;
  }
}
