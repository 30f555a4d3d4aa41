/** What a run is about to change, in a file of its own, so that a later run can finish it or take it back. */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { FileSystem } from "./file-system.js";
import { leadsOutside, lookAt } from "./places.js";

/** The folder in a project where a run prepares its files; it is there while a run lasts. */
export const WORK_FOLDER = ".connectorcli";

/** One file: the hash of what is there before and after; null where no file is. */
export interface JournalEntry {
  /** Relative to the root, with `/` on every system. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface Journal {
  readonly files: readonly JournalEntry[];
  /** Folders that the run makes, the outermost first. */
  readonly newFolders: readonly string[];
  /** Folders that go where the run leaves them empty, the innermost first. */
  readonly oldFolders: readonly string[];
}

/** The places in the work folder of `root`. */
export interface Workplace {
  readonly root: string;
  readonly folder: string;
  readonly lock: string;
  /** There from when all is prepared until all is done: such a run is finished. */
  readonly journal: string;
  /** There while a run is taken back. */
  readonly undo: string;
  readonly fs: FileSystem;
}

export function workplaceOf(root: string, fs: FileSystem): Workplace {
  const folder = path.resolve(root, WORK_FOLDER);
  return {
    root: path.resolve(root),
    folder,
    lock: path.join(folder, "lock"),
    journal: path.join(folder, "journal.json"),
    undo: path.join(folder, "undo.json"),
    fs,
  };
}

/** Where the new and the old content of the entry at `index` are kept. */
export function keptAt(
  { folder }: Workplace,
  index: number,
): { readonly fresh: string; readonly old: string } {
  return { fresh: path.join(folder, `${index}.new`), old: path.join(folder, `${index}.old`) };
}

/** Writes the journal: from here on the run is finished, even if this process ends now. */
export function writeJournal({ folder, journal, fs }: Workplace, content: Journal): void {
  const draft = path.join(folder, "journal.draft");
  fs.writeNew(draft, JSON.stringify(content));
  fs.rename(draft, journal);
}

/** Whether a run has begun to change files and has not come to its end. */
export function isUnfinished({ journal, undo }: Workplace): boolean {
  return lookAt(journal) !== undefined || lookAt(undo) !== undefined;
}

/** The journal in `file`; undefined where there is none. Throws where it is none that can be trusted. */
export function readJournal({ root }: Workplace, file: string): Journal | undefined {
  const stats = lookAt(file);
  if (stats === undefined) return undefined;
  const read = stats.isFile() ? parse(readFileSync(file, "utf8")) : undefined;
  if (!isJournal(read)) throw new Error("its journal can't be read");
  const names = [...read.files.map((entry) => entry.path), ...read.newFolders, ...read.oldFolders];
  // It may have come with a checkout.
  if (names.some((name) => leadsOutside(root, path.resolve(root, name))))
    throw new Error("its journal names files outside of this folder");
  return read;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isJournal(value: unknown): value is Journal {
  if (!isRecord(value)) return false;
  const { files, newFolders, oldFolders } = value;
  return (
    [newFolders, oldFolders].every((list) => Array.isArray(list) && list.every(isText)) &&
    Array.isArray(files) &&
    files.every(
      (entry) =>
        isRecord(entry) &&
        isText(entry["path"]) &&
        [entry["before"], entry["after"]].every((hash) => hash === null || isText(hash)),
    )
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
