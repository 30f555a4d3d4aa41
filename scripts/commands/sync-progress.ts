/** Shows the progress of the cache writer: a bar for each object on a terminal, a line every few seconds elsewhere. */
import type { MultiBar, SingleBar } from "cli-progress";
import type { SyncProgress } from "../../runtime/host/index.js";
import type { Output } from "../command-line/shell.js";
import type { SyncedObjectResult } from "../connector-run/run-protocol.js";

export interface SyncProgressView {
  /** @param before Records of the object in the cache before this run: as many are expected. */
  progress(progress: SyncProgress, before: number): void;
  ended(synced: SyncedObjectResult): void;
  close(): void;
}

const LINE_EVERY_MS = 5_000;
const FORMAT = "{object} [{bar}] {words}";

/** A view that shows nothing. */
export const NO_PROGRESS: SyncProgressView = { progress() {}, ended() {}, close() {} };

/** Lines for people who read a log. */
export function progressLines(output: Output): SyncProgressView {
  const rates = new Rates();
  const saidAt = new Map<string, number>();
  return {
    progress: (progress) => {
      const { object } = progress;
      const words = rates.words(progress);
      const now = performance.now();
      const last = saidAt.get(object);
      if (last === undefined) saidAt.set(object, now);
      if (last === undefined || now - last < LINE_EVERY_MS) return;
      saidAt.set(object, now);
      output.say(`${object}: ${words}`);
    },
    ended: ({ object }) => {
      rates.forget(object);
      saidAt.delete(object);
    },
    close() {},
  };
}

/** Bars on standard error. What draws them is loaded only if there is a terminal. */
export async function progressBars(): Promise<SyncProgressView> {
  const { default: cliProgress } = await import("cli-progress");
  // A wider bar leaves no room for words on a terminal of 80 columns.
  const options = {
    format: FORMAT,
    barsize: 20,
    hideCursor: true,
    clearOnComplete: false,
    stream: process.stderr,
  };
  const rates = new Rates();
  const bars = new Map<string, SingleBar>();
  let all: MultiBar | undefined;
  const stop = () => {
    all?.stop();
    all = undefined;
    bars.clear();
  };
  return {
    progress: (progress, before) => {
      const { object, read } = progress;
      all ??= new cliProgress.MultiBar(options, cliProgress.Presets.shades_classic);
      const facts = { object, words: rates.words(progress) };
      const total = Math.max(before, read, 1);
      const bar = bars.get(object) ?? all.create(total, 0, facts);
      bars.set(object, bar);
      bar.setTotal(total);
      bar.update(read, facts);
    },
    ended: (synced) => {
      const { object, read } = synced;
      const bar = bars.get(object);
      // Some pages had no message of their own.
      bar?.setTotal(Math.max(read, 1));
      bar?.update(Math.max(read, 1), { object, words: rates.words(synced) });
      rates.forget(object);
      // The result is printed below the bars.
      stop();
    },
    close: stop,
  };
}

/** Records a second of each object, from its first page on. */
class Rates {
  readonly #first = new Map<string, { readonly time: number; readonly read: number }>();

  words({ object, read, pages }: SyncProgress): string {
    const time = performance.now();
    const first = this.#first.get(object);
    if (first === undefined) this.#first.set(object, { time, read });
    const seconds = (time - (first?.time ?? time)) / 1_000;
    const rate =
      first === undefined || seconds === 0 || read === first.read
        ? ""
        : `, ${Math.round((read - first.read) / seconds)}/s`;
    return `${read} record${read === 1 ? "" : "s"}, ${pages} page${pages === 1 ? "" : "s"}${rate}`;
  }

  forget(object: string): void {
    this.#first.delete(object);
  }
}
