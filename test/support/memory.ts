/** How much memory is really in use. */
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Collects the garbage; what nobody holds is gone when this has ended. */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}

/**
 * Bytes of the heap and of buffers, after the garbage is collected. Buffers are given back by other threads, which may
 * come late on a busy machine: the least of several looks counts.
 */
export async function bytesInUse(): Promise<number> {
  let least = Infinity;
  for (let look = 0; look < 5; look++) {
    collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    const inUse = heapUsed + arrayBuffers;
    if (inUse > least * 0.99) break;
    least = Math.min(least, inUse);
    await sleep(5);
  }
  return least;
}
