/** What every driver holds of retention: how long changes are kept, and what is said where they are gone. */
import { type PruneOptions, StoreError } from "./store.js";

const DAY_MS = 24 * 60 * 60 * 1_000;

/** The options of a removal with their defaults. */
export function retentionOf({ keepMs = 14 * DAY_MS, consumerMs = 30 * DAY_MS }: PruneOptions) {
  return { keepMs, consumerMs };
}

/** How long a run may stand still and be resumed; what was changed while it reads is kept for it. */
export const RESUMABLE_MS = DAY_MS;

/** How far a feed goes. */
export interface FeedEnds {
  /** Number of the last change that was removed. */
  readonly removedTo: number;
  /** Number of the last change. */
  readonly last: number;
}

/** @throws StoreError `expired` if a change above `sequence` was removed from the feed of `store`. */
export function refuseExpired(store: string, sequence: number, removedTo: number): void {
  if (sequence >= removedTo) return;
  throw new StoreError(
    "expired",
    `${store}: the changes up to number ${removedTo} were removed, so those behind ${sequence} are not all there. Note the number of the last change, read all records, and go on from that number.`,
  );
}

/** @throws RangeError or StoreError if a consumer can't stand at `sequence`. */
export function checkPosition(store: string, sequence: number, { removedTo, last }: FeedEnds): void {
  if (!Number.isSafeInteger(sequence) || sequence < 0 || sequence > last)
    throw new RangeError(`sequence: ${sequence} is no number of a change; the last one is ${last}`);
  refuseExpired(store, sequence, removedTo);
}
