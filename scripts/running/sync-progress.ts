/** How far the cache writer is: a bar for each object on a terminal, a line now and then elsewhere. */
import type { MultiBar, SingleBar } from "cli-progress";
import type { SyncProgress } from "../../runtime/host/index.js";
import type { SyncedObjectResult } from "../author-project/run-protocol.js";
import type { Output } from "../output.js";

export interface SyncProgressView {
  /** @param before Records of the object in the cache before this run: what is to be expected. */
  progress(progress: SyncProgress, before: number): void;
  ended(synced: SyncedObjectResult): void;
  close(): void;
}

const LINE_EVERY_MS = 5_000;
const FORMAT = "{object} [{bar}] {read} records, {pages} pages, {rate}/s";

/** A view that shows nothing. */
export const NO_PROGRESS: SyncProgressView = { progress() {}, ended() {}, close() {} };

/** Lines for people who read a log. */
export function progressLines(output: Output): SyncProgressView {
  const rates = new Rates();
  const saidAt = new Map<string, number>();
  return {
    progress: ({ object, read, pages }) => {
      const rate = rates.of(object, read);
      const now = performance.now();
      const last = saidAt.get(object);
      if (last === undefined) saidAt.set(object, now);
      if (last === undefined || now - last < LINE_EVERY_MS) return;
      saidAt.set(object, now);
      output.say(`${object}: ${read} records, ${pages} pages, ${rate}/s`);
    },
    ended: ({ object }) => {
      rates.forget(object);
      saidAt.delete(object);
    },
    close() {},
  };
}

/** Bars on standard error. Only who has a terminal loads what draws them. */
export async function progressBars(): Promise<SyncProgressView> {
  const { default: cliProgress } = await import("cli-progress");
  const options = { format: FORMAT, hideCursor: true, clearOnComplete: false, stream: process.stderr };
  const rates = new Rates();
  const bars = new Map<string, SingleBar>();
  let all: MultiBar | undefined;
  const stop = () => {
    all?.stop();
    all = undefined;
    bars.clear();
  };
  return {
    progress: ({ object, read, pages }, before) => {
      all ??= new cliProgress.MultiBar(options, cliProgress.Presets.shades_classic);
      const facts = { object, read, pages, rate: rates.of(object, read) };
      const total = Math.max(before, read, 1);
      const bar = bars.get(object) ?? all.create(total, 0, facts);
      bars.set(object, bar);
      bar.setTotal(total);
      bar.update(read, facts);
    },
    ended: ({ object }) => {
      rates.forget(object);
      const bar = bars.get(object);
      if (bar !== undefined) bar.update(bar.getTotal());
      // The words about its end come below.
      stop();
    },
    close: stop,
  };
}

/** Records a second of each object, from when it was first heard of. */
class Rates {
  readonly #since = new Map<string, readonly [time: number, read: number]>();

  of(object: string, read: number): number {
    const now = performance.now();
    const [since, first] = this.#since.get(object) ?? [now, read];
    this.#since.set(object, [since, first]);
    return now === since ? read : Math.round(((read - first) * 1_000) / (now - since));
  }

  forget(object: string): void {
    this.#since.delete(object);
  }
}
