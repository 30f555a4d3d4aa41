/** Decides what a page of writes changes in the store: by rule, without a store, the same for every driver. */
import type { Change, RecordWrite, RunCounts, UpsertWrite } from "./store.js";

/** A cached record as far as the decision needs it. */
export interface StoredVersion {
  /** The driver's number of the row. */
  readonly row: number;
  readonly hash: string;
  /** Sequence number of the last change of the record. */
  readonly sequence: number;
}

/** A row to write. `change` is the index of its last change in `changes`, from which its sequence number follows. */
export interface RowInsert {
  readonly write: UpsertWrite;
  readonly change: number;
}

export interface RowUpdate extends RowInsert {
  readonly stored: StoredVersion;
}

/** A row to delete; `change` as of a row to write. */
export interface RowDelete extends StoredVersion {
  readonly change: number;
}

/**
 * What is to be done for a page. Every key stands in at most one of `inserts`, `updates` and `deletes`, so that they can
 * be written in any order.
 */
export interface PageDiff {
  readonly counts: Omit<RunCounts, "rejected">;
  /** The entries of the change feed, in the order of the writes. They are numbered one after the other. */
  readonly changes: readonly Pick<Change, "key" | "operation">[];
  readonly inserts: readonly RowInsert[];
  readonly updates: readonly RowUpdate[];
  readonly deletes: readonly RowDelete[];
  /** Rows that the page has found as they are. */
  readonly unchanged: readonly StoredVersion[];
}

/** What the page makes of one key. */
interface Effect {
  /** What was stored before the page. */
  readonly stored: StoredVersion | undefined;
  /** The last upsert; undefined if the record was deleted after it. */
  readonly write: UpsertWrite | undefined;
  readonly change: number;
}

/**
 * Compares `writes` with what is stored. A key may come more than once: each of its writes is counted and is a change of
 * its own if it changes something, and the last one is what remains.
 * @param stored For each write, what was stored under its key before the page; undefined if there was nothing.
 */
export function diffPage(
  writes: readonly RecordWrite[],
  stored: readonly (StoredVersion | undefined)[],
): PageDiff {
  const counts = { unchanged: 0, inserted: 0, updated: 0, deleted: 0 };
  const changes: Pick<Change, "key" | "operation">[] = [];
  const unchanged: StoredVersion[] = [];
  const effects = new Map<string, Effect>();
  for (const [index, write] of writes.entries()) {
    const { key } = write;
    const effect = effects.get(key);
    const before = stored[index];
    const operation = operationOf(write, effect === undefined ? before?.hash : effect.write?.hash);
    if (operation === "none") continue;
    counts[COUNTED_AS[operation]]++;
    if (operation === "keep") {
      if (effect === undefined && before !== undefined) unchanged.push(before);
      continue;
    }
    const change = changes.push({ key, operation }) - 1;
    const next = write.operation === "upsert" ? write : undefined;
    effects.set(key, { stored: effect === undefined ? before : effect.stored, write: next, change });
  }
  return { counts, changes, unchanged, ...rowsOf(effects.values()) };
}

const COUNTED_AS = { keep: "unchanged", insert: "inserted", update: "updated", delete: "deleted" } as const;

/** What a write does to a record that has `hash` now; undefined if there is no record. */
function operationOf(write: RecordWrite, hash: string | undefined): keyof typeof COUNTED_AS | "none" {
  if (write.operation === "delete") return hash === undefined ? "none" : "delete";
  if (hash === undefined) return "insert";
  return hash === write.hash ? "keep" : "update";
}

function rowsOf(effects: Iterable<Effect>): Pick<PageDiff, "inserts" | "updates" | "deletes"> {
  const inserts: RowInsert[] = [];
  const updates: RowUpdate[] = [];
  const deletes: RowDelete[] = [];
  for (const { stored, write, change } of effects) {
    if (write === undefined) {
      if (stored !== undefined) deletes.push({ ...stored, change });
    } else if (stored === undefined) inserts.push({ write, change });
    else updates.push({ write, change, stored });
  }
  return { inserts, updates, deletes };
}
