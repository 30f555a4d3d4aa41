/** How far a run of the cache writer has come: its counts, the rows it has met, and whether it can be resumed. */
import type { PageDiff, StoredVersion } from "./diff-page.js";
import type { RunCounts, RunKind, RunState, StartRunOptions } from "./store.js";

/** After this many resumptions that came no further a run starts over: its resume point may be what fails. */
const MAX_STALLS = 3;

/** What a store keeps of a run so that it can be resumed. */
export interface SavedRun {
  readonly kind: RunKind;
  readonly state: RunState;
  readonly resumePoint: string | null;
  /** Where the run was resumed last; null if it never was. */
  readonly resumedFrom: string | null;
  /** How often it was resumed there and came no further. */
  readonly stalls: number;
  /** When its last page was committed, or when it began: ISO 8601, UTC. */
  readonly lastPageAt: string;
}

/**
 * How often an interrupted run has stalled if it is resumed now; undefined if it is not to be resumed: it has ended, has
 * no resume point, is of another kind or too old, or has stalled too often.
 */
export function stallsIfResumed(
  { kind, state, resumePoint, resumedFrom, stalls, lastPageAt }: SavedRun,
  options: Pick<StartRunOptions, "kind" | "resume" | "resumeWithinMs">,
): number | undefined {
  const isInterrupted = state === "running" || state === "failed";
  if (!(options.resume && isInterrupted && kind === options.kind) || resumePoint === null) return undefined;
  if (Date.now() - Date.parse(lastPageAt) > options.resumeWithinMs) return undefined;
  const next = resumePoint === resumedFrom ? stalls + 1 : 0;
  return next < MAX_STALLS ? next : undefined;
}

/**
 * Whether an object is to be read in full, so long after the last time (ISO 8601; null if there was none). A time that is
 * as far ahead was written by a clock that went wrong.
 */
export function isFullReadDue(fullyReadAt: string | null, everyMs: number): boolean {
  return fullyReadAt === null || Math.abs(Date.now() - Date.parse(fullyReadAt)) >= everyMs;
}

export const NO_COUNTS: RunCounts = Object.freeze({
  unchanged: 0,
  inserted: 0,
  updated: 0,
  deleted: 0,
  rejected: 0,
});

export function addCounts(counts: RunCounts, more: Partial<RunCounts>): RunCounts {
  return {
    unchanged: counts.unchanged + (more.unchanged ?? 0),
    inserted: counts.inserted + (more.inserted ?? 0),
    updated: counts.updated + (more.updated ?? 0),
    deleted: counts.deleted + (more.deleted ?? 0),
    rejected: counts.rejected + (more.rejected ?? 0),
  };
}

const ROWS_PER_CHUNK = 32_768;
const BYTES_PER_CHUNK = ROWS_PER_CHUNK / 8;

/**
 * The rows that a run has met: a bit for each row that it has found as it was, and the number of those that it has
 * written. Memory is one bit a row; what the run has written is known by its sequence number.
 */
export class MetRows {
  readonly #startedAfter: number;
  readonly #chunks = new Map<number, Uint8Array>();
  readonly #unsaved = new Set<number>();
  #found = 0;
  #written: number;

  /**
   * @param startedAfter Number of the last change before the run.
   * @param written Rows that the run has written before it was resumed.
   */
  constructor(startedAfter: number, written = 0) {
    this.#startedAfter = startedAfter;
    this.#written = written;
  }

  /** Rows that the run has written and that are still there. */
  get written(): number {
    return this.#written;
  }

  /** Rows that the run has met. */
  get count(): number {
    return this.#found + this.#written;
  }

  /** Takes in a page that was written. */
  add({ inserts, updates, deletes, unchanged }: PageDiff): void {
    for (const version of unchanged) this.addFound(version);
    this.#written += inserts.length;
    for (const { stored } of updates) {
      // A row with a later change is counted already, or was written by somebody else.
      if (stored.sequence > this.#startedAfter) continue;
      this.#unmark(stored.row);
      this.#written++;
    }
    this.remove(deletes);
  }

  /** Takes in that rows were deleted. */
  remove(deletes: readonly Pick<StoredVersion, "row" | "sequence">[]): void {
    for (const { row, sequence } of deletes) {
      if (sequence > this.#startedAfter) this.#written--;
      else this.#unmark(row);
    }
  }

  /** Takes in a row that the run has found as it was, or that it has rejected: the record is there, though not valid. */
  addFound({ row, sequence }: Pick<StoredVersion, "row" | "sequence">): void {
    if (sequence > this.#startedAfter) return;
    const [bits, index, mask] = this.#place(row);
    if (((bits[index] ?? 0) & mask) !== 0) return;
    bits[index] = (bits[index] ?? 0) | mask;
    this.#found++;
  }

  /** Whether the run has found a row as it was. A row that it has written is known by its sequence number. */
  hasFound(row: number): boolean {
    const bits = this.#chunks.get(Math.floor(row / ROWS_PER_CHUNK));
    const place = row % ROWS_PER_CHUNK;
    return bits !== undefined && ((bits[place >> 3] ?? 0) & (1 << (place & 7))) !== 0;
  }

  /** Loads a chunk of bits that was saved before the run was resumed. */
  load(chunk: number, bits: Uint8Array): void {
    this.#chunks.set(chunk, Uint8Array.from(bits));
    for (const byte of bits) this.#found += countOnes(byte);
  }

  /** The chunks that have changed since the last call, by their numbers. */
  takeUnsaved(): readonly (readonly [chunk: number, bits: Uint8Array])[] {
    const chunks = [...this.#unsaved].flatMap((chunk) => {
      const bits = this.#chunks.get(chunk);
      return bits === undefined ? [] : [[chunk, bits] as const];
    });
    this.#unsaved.clear();
    return chunks;
  }

  #unmark(row: number): void {
    if (!this.hasFound(row)) return;
    const [bits, index, mask] = this.#place(row);
    bits[index] = (bits[index] ?? 0) & ~mask;
    this.#found--;
  }

  #place(row: number): [bits: Uint8Array, index: number, mask: number] {
    const chunk = Math.floor(row / ROWS_PER_CHUNK);
    let bits = this.#chunks.get(chunk);
    if (bits === undefined) {
      bits = new Uint8Array(BYTES_PER_CHUNK);
      this.#chunks.set(chunk, bits);
    }
    this.#unsaved.add(chunk);
    const place = row % ROWS_PER_CHUNK;
    return [bits, place >> 3, 1 << (place & 7)];
  }
}

function countOnes(byte: number): number {
  let count = 0;
  for (let rest = byte; rest !== 0; rest &= rest - 1) count++;
  return count;
}
