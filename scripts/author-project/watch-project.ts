/** Runs something again whenever a module of the project is saved. */
import path from "node:path";
import { watch } from "chokidar";

/**
 * Saves come in bursts: an editor writes, renames and touches. Longer than the 50 ms for which the
 * watcher drops further changes of a file: what it drops is then read by the run that follows.
 */
const QUIET_MS = 70;

/** Folders whose changes are not an author's save. */
const IGNORED = /(?:^|[\\/])(?:node_modules|generated|\.git|\.connectorcli[^\\/]*)(?:[\\/]|$)/;

const MODULE = /\.[cm]?[jt]s$/;

/** Runs `run` now and after every save below `folder`, until `signal` is aborted; runs never overlap. */
export async function watchProject(
  folder: string,
  signal: AbortSignal,
  run: () => Promise<void>,
): Promise<void> {
  const root = path.resolve(folder);
  // Node's own recursive watch follows a file, not its name: it misses every save after one by rename.
  const watcher = watch(root, {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (file) => IGNORED.test(path.relative(root, file)),
  });
  try {
    await new Promise<void>((resolve, reject) => {
      const { start, schedule, stop } = repeat(run, reject);
      watcher.on("error", reject);
      watcher.on("all", (event, file) => {
        // A module can vanish or come back with its folder.
        if (MODULE.test(file) || event === "unlinkDir") schedule();
      });
      signal.addEventListener("abort", () => {
        stop();
        resolve();
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
function repeat(run: () => Promise<void>, onError: (error: unknown) => void) {
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;
  let isDue = false;
  const runAll = async () => {
    if (isRunning) {
      isDue = true;
      return;
    }
    isRunning = true;
    do {
      isDue = false;
      await run();
    } while (isDue);
    isRunning = false;
  };
  const start = () => void runAll().catch(onError);
  return {
    start,
    schedule: () => {
      clearTimeout(timer);
      timer = setTimeout(start, QUIET_MS);
    },
    stop: () => clearTimeout(timer),
  };
}
