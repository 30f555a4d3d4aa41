/** The changes that the writer makes on a disk, one function each, so that a test can let any of them fail; and their errors. */
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";

/** Paths are absolute. Each function throws what `node:fs` throws. */
export interface FileSystem {
  /** Creates one folder. */
  createFolder(folder: string): void;
  /** Creates a file; throws if it exists. */
  createFile(file: string, content: string, mode?: number): void;
  /** Gives `file` a second name, or copies it if the file system has no links. */
  linkOrCopy(file: string, copy: string): void;
  /** Moves `from` to `to`, and replaces what is there. */
  rename(from: string, to: string): void;
  /** Returns when what `place` has is on the disk: the bytes of a file, the names of a folder. */
  sync(place: string): void;
  removeFile(file: string): void;
  /** Removes an empty folder. */
  removeFolder(folder: string): void;
}

export const realFileSystem: FileSystem = {
  createFolder: (folder) => {
    mkdirSync(folder);
  },
  createFile: (file, content, mode) => {
    writeFileSync(file, content, { flag: "wx", ...(mode === undefined ? {} : { mode }) });
    // The mask of the process may have taken bits away.
    if (mode !== undefined) chmodSync(file, mode);
  },
  linkOrCopy: (file, copy) => {
    try {
      linkSync(file, copy);
    } catch {
      copyFileSync(file, copy, constants.COPYFILE_EXCL);
      sync(copy);
    }
  },
  rename: (from, to) => {
    try {
      retryWhileBusy(() => renameSync(from, to));
    } catch (error) {
      if (errorCode(error) !== "EXDEV") throw error;
      moveAcrossFileSystems(from, to);
    }
  },
  sync,
  removeFile: (file) => retryWhileBusy(() => unlinkSync(file)),
  removeFolder: (folder) => retryWhileBusy(() => rmdirSync(folder)),
};

/** Errors of systems and disks that can't sync what is asked for, such as a folder on Windows. */
const NOT_SYNCED = ["EINVAL", "ENOTSUP", "EISDIR", "EPERM", "EACCES"];

function sync(place: string): void {
  ignoreErrors(NOT_SYNCED, () => {
    const handle = openToSync(place);
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  });
}

/** Windows syncs only what is open for writing, and nobody may write into a folder. */
function openToSync(place: string): number {
  try {
    return openSync(place, "r+");
  } catch {
    return openSync(place, "r");
  }
}

const TRANSIENT_CODES = ["EPERM", "EACCES", "EBUSY"];
const RETRY_PAUSES_MS = [10, 30, 90];

/** Does `work`, and tries again if a virus scanner or an editor holds the file for a moment, as on Windows. */
export function retryWhileBusy(work: () => void): void {
  for (const pauseMs of RETRY_PAUSES_MS) {
    try {
      work();
      return;
    } catch (error) {
      if (!TRANSIENT_CODES.includes(errorCode(error) ?? "")) throw error;
      sleep(pauseMs);
    }
  }
  work();
}

/** The writer is synchronous, so it waits synchronously. */
export function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** A rename can't cross file systems, such as a volume inside the project: copies beside the target, then renames. */
function moveAcrossFileSystems(from: string, to: string): void {
  const copy = `${to}.${path.basename(from)}`;
  try {
    copyFileSync(from, copy);
    sync(copy);
    renameSync(copy, to);
  } catch (error) {
    ignoreErrors(["ENOENT"], () => unlinkSync(copy));
    throw error;
  }
  unlinkSync(from);
}

/** The system's own texts hold machine paths; findings use these words. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EISDIR: "a folder has this name",
  ENOTDIR: "what should be its folder is a file",
  ENOENT: "it, or its folder, is gone",
  EEXIST: "something has this name already",
  ELOOP: "its links lead in a circle",
  ENAMETOOLONG: "the name is too long",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  EBUSY: "another program uses it",
  EIO: "the disk reports an error",
};

/** The finding that `file` can't be written. @param name Its path in the project. @param reason An error, or words. */
export function notWritable(file: string, name: string, reason: unknown): Diagnostic {
  return diagnostic("file-not-writable", { file }, { path: name, reason: errorReason(reason) });
}

/** The finding that `file` is no longer what it was when the plan was made. @param name Its path in the project. */
export function changedMeanwhile(file: string, name: string): Diagnostic {
  return diagnostic("file-changed", { file }, { path: name });
}

/** Why something failed, in words without machine paths. */
export function errorReason(reason: unknown): string {
  const code = errorCode(reason);
  if (code !== undefined) return `${REASONS[code] ?? "the system refuses"} (${code})`;
  return reason instanceof Error ? reason.message : String(reason);
}

/** The system's code of an error, such as `ENOENT`; undefined if it has none. */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}

/** Does `work`, and ignores errors with one of `codes`. */
export function ignoreErrors(codes: readonly string[], work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!codes.includes(errorCode(error) ?? "")) throw error;
  }
}
