/** The engine of one process. What waits in it ends with the process: whoever begins looks into the store first. */
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type Engine,
  type EngineWorker,
  RETRY_MS,
  WAKE_KINDS,
  type WakeUp,
  type WorkOptions,
} from "./engine.js";

/** A kind and a workspace. */
interface Place {
  readonly wakeUp: WakeUp;
  isServed: boolean;
  /** Whether it was woken and not served since. */
  isWoken: boolean;
  timer?: NodeJS.Timeout | undefined;
}

interface Worker {
  readonly options: WorkOptions;
  readonly served: Set<Promise<void>>;
  readonly free: { act: number; sync: number };
}

/** An engine for the workers of this process. */
export function inProcessEngine(): Engine {
  const places = new Map<string, Place>();
  /** Places that were woken, in the order in which they are served. */
  const queues = { act: new Set<Place>(), sync: new Set<Place>() };
  const workers = new Set<Worker>();

  function wakeNow(place: Place): void {
    place.isWoken = true;
    if (!place.isServed) queues[place.wakeUp.kind].add(place);
    for (const worker of workers) serveWaiting(worker);
  }

  function wakeLater(place: Place, delayMs: number): void {
    clearTimeout(place.timer);
    place.timer = setTimeout(() => wakeNow(place), delayMs).unref();
  }

  function serveWaiting(worker: Worker): void {
    for (const kind of WAKE_KINDS) {
      for (const place of queues[kind]) {
        if (worker.free[kind] === 0) break;
        worker.free[kind]--;
        queues[kind].delete(place);
        const serving = serve(place, worker).then(() => {
          worker.free[kind]++;
          worker.served.delete(serving);
          if (workers.has(worker)) serveWaiting(worker);
        });
        worker.served.add(serving);
      }
    }
  }

  async function serve(place: Place, { options }: Worker): Promise<void> {
    Object.assign(place, { isServed: true, isWoken: false });
    try {
      await options.serve(place.wakeUp, new AbortController().signal);
    } catch (error) {
      options.log.error(`${place.wakeUp.workspace}: ${place.wakeUp.kind} was not done`, { error });
      wakeLater(place, RETRY_MS);
    }
    // One that wakes itself must not keep the process from all else.
    await nextTurn();
    place.isServed = false;
    if (place.isWoken) wakeNow(place);
  }

  return {
    wake: async (wakeUp, delayMs = 0) => {
      const key = `${wakeUp.kind}/${wakeUp.workspace}`;
      const place = places.get(key) ?? { wakeUp, isServed: false, isWoken: false };
      places.set(key, place);
      if (delayMs > 0) wakeLater(place, delayMs);
      else wakeNow(place);
    },
    work: async (options): Promise<EngineWorker> => {
      const worker: Worker = { options, served: new Set(), free: { ...options.slots } };
      workers.add(worker);
      serveWaiting(worker);
      return {
        isAlive: () => workers.has(worker),
        stop: async () => {
          workers.delete(worker);
          await Promise.all(worker.served);
        },
      };
    },
  };
}
