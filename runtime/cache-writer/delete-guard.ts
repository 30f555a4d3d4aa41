/** The guard over deletes: what vanishes in bulk is more often a fault of the target system or the reader than the truth. */
import type { DeleteGuard } from "./sync-options.js";

/** How `count` deletes of `cached` records go beyond the guard, in words; undefined if they do not. */
export function excessOfDeletes(
  count: number,
  cached: number,
  { maxShare = 0.2, maxCount = Infinity, alwaysAllowed = 10 }: DeleteGuard = {},
): string | undefined {
  if (count > maxCount) return `more than ${maxCount} deletes`;
  if (count <= alwaysAllowed || count <= cached * maxShare) return undefined;
  return `more than ${Math.round(maxShare * 1_000) / 10} % of them`;
}
