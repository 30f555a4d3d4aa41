/** Runs something again whenever a module of the project is saved, until the process is told to stop. */
import { type FSWatcher, watch } from "node:fs";
import path from "node:path";

/** Saves come in bursts: an editor writes, renames and touches. */
const QUIET_MS = 40;

/** Folders whose changes are not an author's save. */
const IGNORED = /(?:^|[\\/])(?:node_modules|generated|\.git|\.connectorcli[^\\/]*)(?:[\\/]|$)/;

/** Runs `run` now and after every save below `folder`; runs never overlap. Resolves with 0 when interrupted. */
export function watchProject(folder: string, run: () => Promise<void>): Promise<number> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let running = false;
    let again = false;
    const start = async () => {
      if (running) {
        again = true;
        return;
      }
      running = true;
      do {
        again = false;
        await run();
      } while (again);
      running = false;
    };
    const schedule = () => {
      clearTimeout(timer);
      timer = setTimeout(() => void start().catch(reject), QUIET_MS);
    };
    const watcher: FSWatcher = watch(path.resolve(folder), { recursive: true }, (_event, name) => {
      if (name !== null && isModule(name)) schedule();
    });
    watcher.on("error", reject);
    process.once("SIGINT", () => {
      watcher.close();
      clearTimeout(timer);
      resolve(0);
    });
    void start().catch(reject);
  });
}

function isModule(name: string): boolean {
  return /\.[cm]?[jt]s$/.test(name) && !IGNORED.test(name);
}
