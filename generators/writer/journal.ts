/** The journal: what a run is about to change, in a file, so that a later run can finish it or roll it back. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { isJsonArray, isJsonObject } from "../../schemas/json.js";
import type { FileSystem } from "./file-system.js";
import { isOutside, statIfExists } from "./paths.js";

/** The folder in a project where a run keeps its own files. It exists while a run lasts. */
export const WORK_FOLDER_NAME = ".connectorcli";

/** A file that a run changes. Hashes are of its content; null means that no file is there. */
export interface JournalEntry {
  /** Relative to the root, with `/` on every system. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface Journal {
  readonly files: readonly JournalEntry[];
  /** Folders that the run creates, the outermost first. */
  readonly newFolders: readonly string[];
  /** Folders that the run removes if they are empty then, the innermost first. */
  readonly oldFolders: readonly string[];
  /** Whether each step is on the disk before the next: the run replaces a file that nothing can make again. */
  readonly isDurable?: boolean;
}

/** The work folder of the project in `root`, with what a run keeps in it. Paths are absolute. */
export interface WorkFolder {
  readonly root: string;
  readonly folder: string;
  readonly lock: string;
  /** Exists from when everything is staged until everything is done. A run that was stopped meanwhile is finished. */
  readonly journal: string;
  /** The journal of a run that is being rolled back. */
  readonly rollbackJournal: string;
  readonly fs: FileSystem;
}

export function workFolderOf(root: string, fs: FileSystem): WorkFolder {
  const folder = path.resolve(root, WORK_FOLDER_NAME);
  return {
    root: path.resolve(root),
    folder,
    lock: path.join(folder, "lock"),
    journal: path.join(folder, "journal.json"),
    rollbackJournal: path.join(folder, "undo.json"),
    fs,
  };
}

/** Where the new and the old content of the entry at `index` are staged. */
export function stagedFiles(
  { folder }: WorkFolder,
  index: number,
): { readonly newFile: string; readonly oldFile: string } {
  return { newFile: path.join(folder, `${index}.new`), oldFile: path.join(folder, `${index}.old`) };
}

/**
 * Writes the journal. From here on the run is finished, even if this process ends now. The journal itself is always
 * on the disk before what it tells of: after a loss of power nothing else knows the old files by their names.
 */
export function writeJournal({ folder, journal, fs }: WorkFolder, content: Journal): void {
  const draft = path.join(folder, "journal.draft");
  fs.createFile(draft, JSON.stringify(content));
  fs.sync(draft);
  fs.rename(draft, journal);
  if (content.isDurable === true) fs.sync(folder);
}

/** Whether a run has begun to change files and has not come to its end. */
export function isUnfinished({ journal, rollbackJournal }: WorkFolder): boolean {
  return statIfExists(journal) !== undefined || statIfExists(rollbackJournal) !== undefined;
}

/** The journal in `file`, or undefined if there is no file. Throws if the file is not a valid journal of this folder. */
export function readJournal({ root }: WorkFolder, file: string): Journal | undefined {
  const stats = statIfExists(file);
  if (stats === undefined) return undefined;
  const journal = stats.isFile() ? parseJson(readFileSync(file, "utf8")) : undefined;
  if (!isJournal(journal)) throw new Error("its journal can't be read");
  const names = [...journal.files.map((entry) => entry.path), ...journal.newFolders, ...journal.oldFolders];
  // The journal may have come with a checkout: it must not lead the writer anywhere else.
  if (names.some((name) => isOutside(root, path.resolve(root, name))))
    throw new Error("its journal names files outside of this folder");
  return journal;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isJournal(value: unknown): value is Journal {
  if (!isJsonObject(value)) return false;
  const { files, newFolders, oldFolders, isDurable } = value;
  return (
    (isDurable === undefined || typeof isDurable === "boolean") &&
    [newFolders, oldFolders].every((list) => isJsonArray(list) && list.every(isString)) &&
    isJsonArray(files) &&
    files.every(
      (entry) =>
        isJsonObject(entry) &&
        isString(entry["path"]) &&
        [entry["before"], entry["after"]].every((hash) => hash === null || isString(hash)),
    )
  );
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}
