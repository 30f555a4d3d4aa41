/** One run at a time in a project, each on the tree that the run before it left whole. */
import { hostname } from "node:os";
import { type Diagnostic, diagnostic, hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import { settle } from "./carry-out.js";
import { ignoring, notWritable, wordsFor } from "./failure.js";
import { type FileSystem, realFileSystem } from "./file-system.js";
import { isUnfinished, WORK_FOLDER, type Workplace, workplaceOf } from "./journal.js";
import { holderOf, isHeld, type Lock, type Runner, releaseLock, takeLock, UNKNOWN_RUNNER } from "./lock.js";
import { lookAt } from "./places.js";

export interface WriteOptions {
  /** The running program; without it, what a killed run left is finished only after some minutes. */
  readonly runner?: Runner;
  readonly fileSystem?: FileSystem;
  /** The milliseconds to wait for another run. */
  readonly patience?: number;
}

const PATIENCE_MS = 5_000;

/** Finishes, or takes back, what a run that was killed left in `root`. Findings say why it could not. */
export function recoverWrites(root: string, options: WriteOptions = {}): readonly Diagnostic[] {
  const place = workplaceOf(root, options.fileSystem ?? realFileSystem);
  return lookAt(place.folder) === undefined ? [] : withLock(place, options, () => []);
}

/** The finding that a run in `root` has begun to write and has not come to its end, for those that only look. */
export function unfinishedWrites(root: string): readonly Diagnostic[] {
  const place = workplaceOf(root, realFileSystem);
  return isUnfinished(place) ? [unfinished(place, "it still runs, or was stopped")] : [];
}

/** Does `work` while nobody else writes, after the tree is whole. */
export function withLock(
  place: Workplace,
  { runner = UNKNOWN_RUNNER, patience = PATIENCE_MS }: WriteOptions,
  work: (place: Workplace) => readonly Diagnostic[],
): readonly Diagnostic[] {
  let lock: Lock | undefined;
  try {
    // What would be written through a link could end anywhere.
    if (lookAt(place.folder)?.isDirectory() === false)
      return [notWritable(place.folder, WORK_FOLDER, "it is not a folder")];
    lock = takeLock(place.lock, { runner, fs: place.fs, patience });
    if (lock === undefined) return [locked(place)];
    const guarded = { ...place, fs: whileHeld(place.fs, lock) };
    settle(guarded);
    const found = work(guarded);
    return hasErrors(found) && !isHeld(lock) ? [locked(place)] : found;
  } catch (error) {
    if (lock !== undefined && !isHeld(lock)) return [locked(place)];
    return isUnfinished(place)
      ? [unfinished(place, wordsFor(error))]
      : [notWritable(place.folder, WORK_FOLDER, error)];
  } finally {
    leave(place, lock);
  }
}

/** `fs` that changes files only as long as the lock is ours: one that slept for long may have lost it to another. */
function whileHeld(fs: FileSystem, lock: Lock): FileSystem {
  const check = () => {
    if (!isHeld(lock)) throw new Error("the lock was taken away");
  };
  return {
    ...fs,
    rename: (from, to) => {
      check();
      fs.rename(from, to);
    },
    removeFile: (file) => {
      check();
      fs.removeFile(file);
    },
  };
}

function unfinished({ folder }: Workplace, reason: string): Diagnostic {
  return diagnostic("files-unfinished", { file: folder }, { path: WORK_FOLDER, reason });
}

function locked({ lock }: Workplace): Diagnostic {
  const holder = holderOf(lock);
  const name = holder === undefined || holder.pid === 0 ? "an unknown process" : `process ${holder.pid}`;
  const host = holder === undefined || holder.host === hostname() ? "" : ` on ${holder.host}`;
  const path = `${WORK_FOLDER}/lock`;
  return diagnostic("files-locked", { file: lock }, { path, holder: `${name}${host}` });
}

/** What can't be tidied up now is tidied up by the next run. */
function leave({ folder, fs }: Workplace, lock: Lock | undefined): void {
  try {
    if (lock !== undefined) releaseLock(lock, fs);
    ignoring(["ENOENT", "ENOTEMPTY", "EEXIST"], () => fs.removeFolder(folder));
  } catch {
    // The tree itself is whole, or its finding is told.
  }
}
