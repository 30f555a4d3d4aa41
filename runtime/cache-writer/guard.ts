/** Stops a full read from emptying the cache: what vanishes in bulk is more often a fault than the truth. */
import type { Unseen } from "../store/runs.js";

/** How many records of an object one run may delete without being asked. */
export interface DeleteGuard {
  /** Of all its records, 0 to 1. By default 0.2. */
  readonly maxShare?: number | undefined;
  /** By default without limit. */
  readonly maxCount?: number | undefined;
  /** So few are deleted whatever their share, unless nothing at all was read. By default 10. */
  readonly alwaysAllowed?: number | undefined;
}

/** Why these deletes need approval, in a sentence; undefined where they don't. `isNothing`: the reader yielded no record. */
export function needsApproval(
  { unseen, rows }: Unseen,
  isNothing: boolean,
  { maxShare = 0.2, maxCount = Infinity, alwaysAllowed = 10 }: DeleteGuard = {},
): string | undefined {
  if (unseen === 0) return undefined;
  const what = `${unseen} of ${rows} records were not read again`;
  if (isNothing) return `${what}: the reader yielded nothing.`;
  if (unseen > maxCount) return `${what}: more than ${maxCount} deletes.`;
  if (unseen <= alwaysAllowed || unseen <= rows * maxShare) return undefined;
  return `${what}: more than ${Math.round(maxShare * 1_000) / 10} % of them.`;
}
