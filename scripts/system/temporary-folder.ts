/** Temporary folders of this process; those that a killed one left behind are removed by the next. */
import { lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { SystemError } from "./system-error.js";

/** Number of the process, then what `mkdtemp` adds. */
const NAME = /^connectorcli-(\d+)-\w{6}$/;

/** Makes a folder for this process, whose maker removes it. @throws SystemError if the system has no place for it. */
export function makeTemporaryFolder(): string {
  removeLeftFolders();
  try {
    return mkdtempSync(path.join(tmpdir(), `connectorcli-${process.pid}-`));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SystemError(
      `No temporary folder can be made in ${tmpdir()} (${reason}). Let TMPDIR name a folder that can be written.`,
      { cause: error },
    );
  }
}

let isCleared = false;

/** Removes folders of processes that have ended, once a process. */
function removeLeftFolders(): void {
  if (isCleared) return;
  isCleared = true;
  for (const name of namesIn(tmpdir())) {
    const id = Number(NAME.exec(name)?.[1] ?? process.pid);
    if (id === process.pid || isRunning(id)) continue;
    const folder = path.join(tmpdir(), name);
    try {
      const { uid } = lstatSync(folder);
      if (process.getuid === undefined || uid === process.getuid())
        rmSync(folder, { recursive: true, force: true });
    } catch {
      // It is somebody else's, or another process was quicker.
    }
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    // A process of another user is running.
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}
