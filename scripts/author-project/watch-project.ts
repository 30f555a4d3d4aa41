/** Runs something again whenever a module of the project is saved: what `--watch` means. */
import path from "node:path";
import { watch } from "chokidar";

/**
 * Saves come in bursts: an editor writes, renames and touches. Longer than the 50 ms for which the
 * watcher drops further changes of a file: what it drops is then read by the run that follows.
 */
const QUIET_MS = 70;

/** Folders whose changes are not an author's save: what tools write. */
const IGNORED = /(?:^|[\\/])(?:node_modules|dist|coverage|\.git|\.connectorcli[^\\/]*)(?:[\\/]|$)/;
const GENERATED = /(?:^|[\\/])generated(?:[\\/]|$)/;

/** Hidden files are the editors': locks, and texts that are not saved yet. */
const MODULE = /(?:^|[\\/])[^.\\/][^\\/]*\.[cm]?[jt]s$/;

export interface WatchProjectOptions {
  /** Ends the watch, and what runs then. */
  readonly signal: AbortSignal;
  /** Whether a module under `generated/` counts like one of the author's. @default false */
  readonly withGenerated?: boolean;
  /** Files beside modules whose saves count, by their path from the folder. @default none */
  readonly besides?: readonly string[];
  /**
   * Its signal is aborted if the modules are not what it runs with any more, or if the watch is to end. `saved` has the
   * files that were saved since the run before began, by their path from the folder, with `/`.
   */
  readonly run: (signal: AbortSignal, saved: readonly string[]) => Promise<void>;
}

/** Runs `run` now and after every save below `folder`, until `signal` is aborted; runs never overlap. */
export async function watchProject(
  folder: string,
  { signal, withGenerated = false, besides = [], run }: WatchProjectOptions,
): Promise<void> {
  const root = path.resolve(folder);
  // Node's own recursive watch follows a file, not its name: it misses every save after one by rename.
  const watcher = watch(root, {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (file) => {
      const name = path.relative(root, file);
      return IGNORED.test(name) || (!withGenerated && GENERATED.test(name));
    },
  });
  try {
    await new Promise<void>((resolve, reject) => {
      let saved = new Set<string>();
      const { start, schedule, stop } = repeat((current) => {
        const files = [...saved].sort();
        saved = new Set();
        return run(current, files);
      }, reject);
      watcher.on("error", reject);
      watcher.on("all", (event, file) => {
        // A module can vanish or come back with its folder.
        const name = path.relative(root, file).split(path.sep).join("/");
        if (!MODULE.test(name) && !besides.includes(name) && event !== "unlinkDir") return;
        saved.add(name);
        schedule();
      });
      signal.addEventListener("abort", () => {
        void stop().then(resolve, reject);
      });
      if (signal.aborted) resolve();
      // What is saved while the watch is being set up would not be seen.
      else watcher.once("ready", start);
    });
  } finally {
    await watcher.close();
  }
}

/** `run` as often as it is scheduled; what is scheduled while it runs follows it once. */
function repeat(run: (signal: AbortSignal) => Promise<void>, onError: (error: unknown) => void) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isDue = false;
  let current = new AbortController();
  const runAll = async () => {
    do {
      isDue = false;
      current = new AbortController();
      await run(current.signal);
    } while (isDue);
    running = undefined;
  };
  const start = () => {
    if (running === undefined) {
      running = runAll();
      running.catch(onError);
    } else {
      isDue = true;
      current.abort();
    }
  };
  return {
    start,
    schedule: () => {
      clearTimeout(timer);
      timer = setTimeout(start, QUIET_MS);
    },
    stop: async () => {
      clearTimeout(timer);
      isDue = false;
      current.abort();
      await running;
    },
  };
}
