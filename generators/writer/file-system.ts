/** The changes that the writer makes on a disk, one function each, so that a test can let any of them fail. */
import {
  chmodSync,
  constants,
  copyFileSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { codeOf, ignoring } from "./failure.js";

/** Paths are absolute. Each function throws as `node:fs` does. */
export interface FileSystem {
  /** Makes one folder. */
  makeFolder(folder: string): void;
  /** Makes a file that must not be there yet. */
  writeNew(file: string, content: string, mode?: number): void;
  /** Gives `file` a second name, or makes a copy where the file system knows no links. */
  keepAs(file: string, copy: string): void;
  /** Takes the place of what is at `to`. */
  rename(from: string, to: string): void;
  removeFile(file: string): void;
  /** Removes a folder that is empty. */
  removeFolder(folder: string): void;
}

export const realFileSystem: FileSystem = {
  makeFolder: (folder) => {
    mkdirSync(folder);
  },
  writeNew: (file, content, mode) => {
    writeFileSync(file, content, { flag: "wx", ...(mode === undefined ? {} : { mode }) });
    // The mask of the process may have taken bits away.
    if (mode !== undefined) chmodSync(file, mode);
  },
  keepAs: (file, copy) => {
    try {
      linkSync(file, copy);
    } catch {
      copyFileSync(file, copy, constants.COPYFILE_EXCL);
    }
  },
  rename: (from, to) => {
    try {
      patiently(() => renameSync(from, to));
    } catch (error) {
      if (codeOf(error) !== "EXDEV") throw error;
      moveAcross(from, to);
    }
  },
  removeFile: (file) => patiently(() => unlinkSync(file)),
  removeFolder: (folder) => patiently(() => rmdirSync(folder)),
};

const PASSING = ["EPERM", "EACCES", "EBUSY"];
const PAUSES_MS = [10, 30, 90];

/** Does `work` again while it fails as where a scanner or an editor has a file open for a moment, on Windows. */
export function patiently(work: () => void): void {
  for (const pause of PAUSES_MS) {
    try {
      work();
      return;
    } catch (error) {
      if (!PASSING.includes(codeOf(error) ?? "")) throw error;
      sleep(pause);
    }
  }
  work();
}

/** The writer is synchronous, so waiting is too. */
export function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** Into another file system, as a volume inside the project is: a copy beside the place, then a rename again. */
function moveAcross(from: string, to: string): void {
  const near = `${to}.${path.basename(from)}`;
  try {
    copyFileSync(from, near);
    renameSync(near, to);
  } catch (error) {
    ignoring(["ENOENT"], () => unlinkSync(near));
    throw error;
  }
  unlinkSync(from);
}
