/** Keys that several records of a page have: the same for every driver. */
import type { RecordWrite } from "./store.js";

/** How many keys of a run are named. */
export const MAX_REPEATED_KEYS = 20;

/** The keys under which `writes` have more than one content. */
export function keysOfSeveral(writes: readonly RecordWrite[]): readonly string[] {
  const hashes = new Map<string, string>();
  const keys: string[] = [];
  for (const write of writes) {
    if (write.operation === "delete") continue;
    const known = hashes.get(write.key);
    if (known !== undefined && known !== write.hash) keys.push(write.key);
    hashes.set(write.key, write.hash);
  }
  return keys;
}
