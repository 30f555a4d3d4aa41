/**
 * The one writer of project files: all of a plan or nothing, also if the process is killed.
 *
 * 1. The new contents are staged in the work folder, with links to the old ones; then the journal is written.
 * 2. `commit` renames the staged files to their places and removes the journal.
 * 3. If that fails, `rollBack` restores the old tree from the links.
 * 4. If the process was killed, the next run finds the journal and does one or the other (`recover`).
 *
 * Where a file of the author's is replaced, each step is on the disk before the next, so that a loss of power leaves
 * one of the two trees as well. Files that can be made again are not worth the time: what is blank then is restored.
 *
 * Before each change a file is compared with the journal: an edit that somebody makes meanwhile is never overwritten.
 */
import { readdirSync, readFileSync, rmdirSync, unlinkSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { type Diagnostic, diagnostic, hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import type { EditedFile, GeneratedFile } from "../generated-file.js";
import {
  changedMeanwhile,
  errorReason,
  type FileSystem,
  ignoreErrors,
  notWritable,
  realFileSystem,
} from "./file-system.js";
import {
  isUnfinished,
  type Journal,
  type JournalEntry,
  readJournal,
  stagedFiles,
  WORK_FOLDER_NAME,
  type WorkFolder,
  workFolderOf,
  writeJournal,
} from "./journal.js";
import {
  acquireLock,
  isHeld,
  type Lock,
  lockHolder,
  type ProcessIdentity,
  releaseLock,
  UNKNOWN_PROCESS,
} from "./lock.js";
import {
  contentAt,
  hashAt,
  hashIn,
  hashOf,
  isBlank,
  isInside,
  isOutside,
  missingFolders,
  type RealFolder,
  realFolderCache,
  relativePath,
  statIfExists,
} from "./paths.js";
import { isChange, type Plan, type PlannedFile, type PlanOptions, planAgain, planFiles } from "./plan.js";

/** How a folder is written. */
export interface WriteOptions {
  /** The running process. Without it, what a killed run left is recovered only after ten minutes. */
  readonly identity?: ProcessIdentity;
  /** @default the disk */
  readonly fileSystem?: FileSystem;
  /** How long to wait for another run that writes in the same folder, in ms. @default 5000 */
  readonly lockTimeoutMs?: number;
}

const LOCK_TIMEOUT_MS = 5_000;

/** Files that an author fills in may hold secrets. */
const OWNER_ONLY = 0o600;

/** Errors that mean that a folder is not empty, is in use, or is gone. */
const FOLDER_NOT_REMOVABLE = ["ENOENT", "ENOTEMPTY", "EEXIST", "EPERM", "EBUSY"];

/** How `writeFiles` treats what is in the folder already. */
export interface WriteFilesOptions extends Partial<PlanOptions>, Omit<WriteOptions, "fileSystem"> {
  /** Whether to plan only, and write nothing. @default false */
  readonly dryRun?: boolean;
}

/** What {@link writeFiles} did. */
export interface WriteFilesResult {
  /** Every file of the list, and every generated file that goes, each with what happens to it. */
  readonly files: readonly PlannedFile[];
  /** With an error among them nothing was written. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Writes `files` into `folder`, which is created if needed: all of them, or none, also if the process is killed. The
 * next run, or any command that writes there, finishes or rolls back what a killed run left.
 *
 * It never throws for what it meets on the disk. Errors among the findings: `file-edited` (a generated file was edited
 * by hand), `file-exists` (a scaffold exists, with `existingScaffold: "conflict"`), `file-changed` (somebody wrote
 * meanwhile), `file-outside` (a path leads out of the folder), `file-not-writable`, `files-locked` (another run
 * writes), `files-unfinished` (what a killed run left can't be recovered). The warning `file-foreign` names a file in
 * `generatedFolder` that is not the tool's, which stays.
 *
 * @example
 * const files = [{ path: "docs/employee.md", content: "# Employee\n", ownership: "scaffold" }] as const;
 * const planned = writeFiles("./connector", files, { dryRun: true });
 * console.log(planned.files.map(({ step, file }) => `${step} ${file.path}`)); // [ 'create docs/employee.md' ]
 * const { diagnostics } = writeFiles("./connector", files);
 */
export function writeFiles(
  folder: string,
  files: readonly GeneratedFile[],
  options: WriteFilesOptions = {},
): WriteFilesResult {
  const { dryRun = false, existingScaffold = "keep", generatedFolder, ...writing } = options;
  const left = dryRun ? unfinishedWrites(folder) : recoverWrites(folder, writing);
  if (hasErrors(left)) return { files: [], diagnostics: left };
  const plan = planFiles(folder, files, {
    existingScaffold,
    ...(generatedFolder === undefined ? {} : { generatedFolder }),
  });
  if (dryRun || hasErrors(plan.diagnostics)) return plan;
  return { files: plan.files, diagnostics: [...plan.diagnostics, ...writePlan(folder, plan, writing)] };
}

/** Writes `plan` under `root`: all of it, or nothing and the findings that say why. */
export function writePlan(root: string, plan: Plan, options: WriteOptions = {}): readonly Diagnostic[] {
  if (hasErrors(plan.diagnostics)) return plan.diagnostics.filter(({ severity }) => severity === "error");
  const changes = plan.files.filter(isChange).map(changeOf);
  if (changes.length === 0) return [];
  const work = workFolderOf(root, options.fileSystem ?? realFileSystem);
  const created: string[] = [];
  let found: readonly Diagnostic[];
  try {
    createRoot(work, created);
    found = withLock(work, options, (guarded) => writeChanges(guarded, plan, changes));
  } catch (error) {
    found = [notWritable(work.root, path.basename(work.root), error)];
  }
  if (hasErrors(found)) removeEmptyFolders(created, work.fs);
  return found;
}

/** Finishes, or rolls back, what a killed run left in `root`. The findings say why that was not possible. */
export function recoverWrites(root: string, options: WriteOptions = {}): readonly Diagnostic[] {
  const work = workFolderOf(root, options.fileSystem ?? realFileSystem);
  return statIfExists(work.folder) === undefined ? [] : withLock(work, options, () => []);
}

/** The finding that a run in `root` has begun to write and has not ended; for commands that only read. */
export function unfinishedWrites(root: string): readonly Diagnostic[] {
  const work = workFolderOf(root, realFileSystem);
  return isUnfinished(work) ? [unfinishedFinding(work, "it still runs, or was stopped")] : [];
}

/**
 * Returns a function that undoes `plan`, which is about to be written: the tree is then what it was, byte for byte.
 * Its findings name what could not be undone.
 */
export function createRollback(root: string, plan: Plan, options: WriteOptions): () => readonly Diagnostic[] {
  const created = plan.files.filter(({ step }) => step === "create");
  const folders = new Set(created.flatMap(({ target }) => missingFolders(path.resolve(root), target)));
  for (let folder = path.resolve(root); statIfExists(folder) === undefined; folder = path.dirname(folder))
    folders.add(folder);
  const edited = plan.files.flatMap(({ step, file }): readonly EditedFile[] =>
    step === "update" && file.ownership === "edited"
      ? [{ ...file, content: file.read, read: file.content }]
      : [],
  );
  return () => {
    const back = planFiles(root, edited, { existingScaffold: "keep" });
    const problems = [
      ...writePlan(root, back, options),
      ...created.flatMap(({ target, file }) => removeCreated(target, file)),
    ];
    for (const folder of [...folders].sort((a, b) => b.length - a.length))
      ignoreErrors(["ENOENT", "ENOTEMPTY", "EEXIST", "EPERM"], () => rmdirSync(folder));
    return problems;
  };
}

/** Leaves a file that somebody wrote into meanwhile. */
function removeCreated(target: string, { path: name, content }: GeneratedFile): readonly Diagnostic[] {
  try {
    if (readFileSync(target, "utf8") !== content) return [changedMeanwhile(target, name)];
    unlinkSync(target);
    return [];
  } catch (error) {
    return [notWritable(target, name, error)];
  }
}

/** Does `work` while nobody else writes, on a tree that the run before left whole. */
function withLock(
  folder: WorkFolder,
  { identity = UNKNOWN_PROCESS, lockTimeoutMs = LOCK_TIMEOUT_MS }: WriteOptions,
  work: (folder: WorkFolder) => readonly Diagnostic[],
): readonly Diagnostic[] {
  let lock: Lock | undefined;
  try {
    // What is written through a link could end anywhere.
    if (statIfExists(folder.folder)?.isDirectory() === false)
      return [notWritable(folder.folder, WORK_FOLDER_NAME, "it is not a folder")];
    lock = acquireLock(folder.lock, { identity, fs: folder.fs, timeoutMs: lockTimeoutMs });
    if (lock === undefined) return [lockedFinding(folder)];
    const guarded = { ...folder, fs: whileHeld(folder.fs, lock) };
    recover(guarded);
    const found = work(guarded);
    return hasErrors(found) && !isHeld(lock) ? [lockedFinding(folder)] : found;
  } catch (error) {
    if (lock !== undefined && !isHeld(lock)) return [lockedFinding(folder)];
    return isUnfinished(folder)
      ? [unfinishedFinding(folder, errorReason(error))]
      : [notWritable(folder.folder, WORK_FOLDER_NAME, error)];
  } finally {
    releaseWorkFolder(folder, lock);
  }
}

/** `fs`, which changes files only while the lock is ours: a process that slept for long may have lost it. */
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

/** Releases the lock and removes the work folder. What fails here is cleaned up by the next run. */
function releaseWorkFolder({ folder, fs }: WorkFolder, lock: Lock | undefined): void {
  try {
    if (lock !== undefined) releaseLock(lock, fs);
    ignoreErrors(["ENOENT", "ENOTEMPTY", "EEXIST"], () => fs.removeFolder(folder));
  } catch {
    // The tree itself is whole, or there is a finding about it already.
  }
}

function unfinishedFinding({ folder }: WorkFolder, reason: string): Diagnostic {
  return diagnostic("files-unfinished", { file: folder }, { path: WORK_FOLDER_NAME, reason });
}

function lockedFinding({ lock }: WorkFolder): Diagnostic {
  const holder = lockHolder(lock);
  const name = holder === undefined || holder.pid === 0 ? "an unknown process" : `process ${holder.pid}`;
  const host = holder === undefined || holder.host === hostname() ? "" : ` on ${holder.host}`;
  const path = `${WORK_FOLDER_NAME}/lock`;
  return diagnostic("files-locked", { file: lock }, { path, holder: `${name}${host}` });
}

interface Change extends PlannedFile {
  /** Hashes, as in the journal. */
  readonly before: string | null;
  readonly after: string | null;
}

function changeOf(planned: PlannedFile): Change {
  const after = planned.step === "remove" ? null : hashOf(planned.file.content);
  return { ...planned, before: planned.present?.hash ?? null, after };
}

function writeChanges(work: WorkFolder, plan: Plan, changes: readonly Change[]): readonly Diagnostic[] {
  const open: Change[] = [];
  const realFolder = realFolderCache();
  for (const change of changes) {
    const hash = currentHash(work, change, realFolder);
    if (typeof hash === "object" && hash !== null) return [hash];
    // Another run may have written the same meanwhile.
    if (hash === change.after) continue;
    if (hash !== change.before) return [changedMeanwhile(change.target, change.file.path)];
    open.push(change);
  }
  const unexpected = unexpectedChanges(work, plan, open);
  if (unexpected.length > 0 || open.length === 0) return unexpected;
  const journal = journalOf(work, plan, open);
  const problem = stage(work, open, journal);
  return problem === undefined ? commit(work, journal) : [problem];
}

/** The plan may have been made while another run wrote: plans again, and finds changes that the plan did not have. */
function unexpectedChanges({ root }: WorkFolder, plan: Plan, open: readonly Change[]): readonly Diagnostic[] {
  const current = planAgain(root, plan);
  const errors = current.diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) return errors;
  const expected = new Set(open.map(({ target }) => target));
  const other = current.files.find((planned) => isChange(planned) && !expected.has(planned.target));
  return other === undefined ? [] : [changedMeanwhile(other.target, other.file.path)];
}

function currentHash(
  { root }: WorkFolder,
  { target, file }: Change,
  realFolder: RealFolder,
): string | null | Diagnostic {
  if (isOutside(root, target, realFolder))
    return diagnostic("file-outside", { file: target }, { path: file.path });
  try {
    return hashAt(target);
  } catch (error) {
    return notWritable(target, file.path, error);
  }
}

function journalOf({ root }: WorkFolder, { options }: Plan, changes: readonly Change[]): Journal {
  const name = (file: string) => relativePath(root, file);
  const newFolders = new Set<string>();
  const oldFolders = new Set<string>();
  for (const { target, after } of changes) {
    if (after !== null) {
      for (const folder of missingFolders(root, target)) newFolders.add(folder);
      continue;
    }
    const top = path.resolve(root, options.generatedFolder ?? WORK_FOLDER_NAME);
    for (let folder = path.dirname(target); isInside(top, folder); folder = path.dirname(folder))
      oldFolders.add(folder);
  }
  return {
    files: changes.map(({ target, before, after }) => ({ path: name(target), before, after })),
    newFolders: [...newFolders].map(name),
    oldFolders: [...oldFolders].sort((a, b) => b.length - a.length).map(name),
    isDurable: changes.some(({ present, file }) => present !== undefined && file.ownership !== "generated"),
  };
}

/** Puts everything on the disk beside the tree: what fails for want of space fails here, before anything is changed. */
function stage(work: WorkFolder, changes: readonly Change[], journal: Journal): Diagnostic | undefined {
  let current = { target: work.folder, name: WORK_FOLDER_NAME };
  try {
    for (const [index, { target, file, present, after }] of changes.entries()) {
      if (after === null) continue;
      current = { target, name: file.path };
      const { newFile, oldFile } = stagedFiles(work, index);
      work.fs.createFile(newFile, file.content, file.ownership === "filled" ? OWNER_ONLY : present?.mode);
      if (journal.isDurable === true) work.fs.sync(newFile);
      if (present !== undefined) work.fs.linkOrCopy(target, oldFile);
    }
    writeJournal(work, journal);
    return undefined;
  } catch (error) {
    cleanUp(work);
    return notWritable(current.target, current.name, error);
  }
}

function createRoot({ root, fs }: WorkFolder, created: string[]): void {
  const missing: string[] = [];
  for (let folder = root; statIfExists(folder) === undefined; folder = path.dirname(folder))
    missing.unshift(folder);
  for (const folder of missing) {
    ignoreErrors(["EEXIST"], () => fs.createFolder(folder));
    created.push(folder);
  }
}

function removeEmptyFolders(created: readonly string[], fs: FileSystem): void {
  try {
    for (const folder of created.toReversed()) fs.removeFolder(folder);
  } catch {
    // An empty folder that stays does no harm.
  }
}

/** Does what the journal says: all of it, or nothing and the reason. Throws if neither is possible. */
function commit(work: WorkFolder, journal: Journal): readonly Diagnostic[] {
  const problem = applyAll(work, journal);
  if (problem === undefined) cleanUp(work);
  else rollBack(work, journal);
  return problem === undefined ? [] : [problem];
}

/** Finishes or rolls back what an earlier run left in the work folder. Throws if neither is possible. */
function recover(work: WorkFolder): void {
  const rollbackJournal = readJournal(work, work.rollbackJournal);
  const journal = readJournal(work, work.journal);
  if (rollbackJournal !== undefined) rollBack(work, rollbackJournal);
  else if (journal !== undefined) recoverFrom(work, journal);
  removeStaged(work);
}

function recoverFrom(work: WorkFolder, journal: Journal): void {
  const entries = journal.files.map((entry, index) => ({
    entry,
    index,
    state: stateOf(work, entry, index),
    isApplied: isApplied(work, entry, index),
  }));
  const modified = entries.filter(({ state }) => state === "modifiedByOthers");
  const others = entries.filter(({ state }) => state !== "modifiedByOthers");
  const [first] = modified;
  if (first === undefined) {
    const isStaged = others.every(
      ({ entry, index, state }) => state === "after" || isNewFileStaged(work, entry, index),
    );
    if (isStaged) commit(work, journal);
    else rollBack(work, journal);
    return;
  }
  // If the run had changed nothing yet, or was done, an edit that was made since does not concern it.
  const isUntouched =
    others.every(({ state }) => state === "before") && modified.every((entry) => !entry.isApplied);
  const isDone = others.every(({ state }) => state === "after") && modified.every((entry) => entry.isApplied);
  if (!isUntouched && !isDone) throw editedSince(work, first.entry, first.index);
}

function applyAll(work: WorkFolder, journal: Journal): Diagnostic | undefined {
  const { root, fs } = work;
  let name = WORK_FOLDER_NAME;
  try {
    for (const folder of journal.newFolders) {
      name = folder;
      ignoreErrors(["EEXIST"], () => fs.createFolder(path.resolve(root, folder)));
    }
    for (const [index, entry] of journal.files.entries()) {
      name = entry.path;
      const state = stateOf(work, entry, index);
      if (state === "modifiedByOthers") return changedMeanwhile(path.resolve(root, name), name);
      if (state === "before") apply(work, entry, index);
    }
    syncFolders(work, journal);
    const edited = journal.files.find((entry, index) => isOldFileEdited(work, entry, index));
    if (edited !== undefined) return changedMeanwhile(path.resolve(root, edited.path), edited.path);
    for (const folder of journal.oldFolders) {
      name = folder;
      ignoreErrors(FOLDER_NOT_REMOVABLE, () => fs.removeFolder(path.resolve(root, folder)));
    }
    return undefined;
  } catch (error) {
    return notWritable(path.resolve(root, name), name, error);
  }
}

/** A file that is removed is moved into the work folder: it is its own copy for a rollback. */
function apply(work: WorkFolder, entry: JournalEntry, index: number): void {
  const target = path.resolve(work.root, entry.path);
  const { newFile, oldFile } = stagedFiles(work, index);
  if (entry.after === null) work.fs.rename(target, oldFile);
  else work.fs.rename(newFile, target);
}

/** Undoes what was done of the journal. Throws if it can't, or if that would lose an edit. */
function rollBack(work: WorkFolder, journal: Journal): void {
  const { root, fs } = work;
  for (const [index, entry] of journal.files.entries())
    if (stateOf(work, entry, index) === "modifiedByOthers" && isApplied(work, entry, index))
      throw editedSince(work, entry, index);
  // A rollback uses up the staged files: from here on the run can't be finished any more.
  if (statIfExists(work.rollbackJournal) === undefined) fs.rename(work.journal, work.rollbackJournal);
  for (const [index, entry] of journal.files.entries()) {
    const state = stateOf(work, entry, index);
    if (state !== "after" && state !== "blank") continue;
    const target = path.resolve(root, entry.path);
    if (entry.before === null) {
      fs.removeFile(target);
      continue;
    }
    for (const folder of missingFolders(root, target)) fs.createFolder(folder);
    fs.rename(stagedFiles(work, index).oldFile, target);
  }
  for (const folder of journal.newFolders.toReversed()) {
    const target = path.resolve(root, folder);
    if (statIfExists(target)?.isDirectory() === true)
      ignoreErrors(FOLDER_NOT_REMOVABLE, () => fs.removeFolder(target));
  }
  syncFolders(work, journal);
  cleanUp(work);
}

/** Has the names of all that was moved on the disk, before the copies go that could restore it. */
function syncFolders({ root, fs }: WorkFolder, { files, newFolders, isDurable }: Journal): void {
  if (isDurable !== true) return;
  const names = [...files.map((entry) => entry.path), ...newFolders];
  for (const folder of new Set(names.map((name) => path.dirname(path.resolve(root, name)))))
    if (statIfExists(folder) !== undefined) fs.sync(folder);
}

/** Removes what a run staged, the journal first: without it the rest means nothing. */
function removeStaged({ folder, journal, rollbackJournal, lock, fs }: WorkFolder): void {
  for (const file of [journal, rollbackJournal]) if (statIfExists(file) !== undefined) fs.removeFile(file);
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (file !== lock && statIfExists(file)?.isDirectory() === false)
      ignoreErrors(["ENOENT"], () => fs.removeFile(file));
  }
}

/** Removes what a run staged if that is possible; otherwise the next run does. */
function cleanUp(work: WorkFolder): void {
  try {
    removeStaged(work);
  } catch {
    // What is left says that everything is done.
  }
}

/**
 * What is at the place of a journal entry: the old content, the new content, what somebody else wrote meanwhile, or
 * the name of the new content only, of which a loss of power left nothing.
 */
type EntryState = "before" | "after" | "modifiedByOthers" | "blank";

function stateOf(work: WorkFolder, { path: name, before, after }: JournalEntry, index: number): EntryState {
  const content = contentAt(path.resolve(work.root, name));
  const hash = hashIn(content);
  if (hash === after) return "after";
  if (hash === before) return "before";
  const isMoved = statIfExists(stagedFiles(work, index).newFile) === undefined;
  if (hash !== null) return after !== null && isMoved && isBlank(content) ? "blank" : "modifiedByOthers";
  // Somebody removed the file: there is nothing to lose, whether the run is finished or rolled back.
  return isMoved ? "after" : "before";
}

/** Whether this program did its part of the entry, whatever happened to the file since. */
function isApplied(work: WorkFolder, entry: JournalEntry, index: number): boolean {
  const { newFile, oldFile } = stagedFiles(work, index);
  if (entry.before !== null && statIfExists(oldFile) === undefined) return false;
  return entry.after === null || statIfExists(newFile) === undefined;
}

/** Whether somebody wrote into the file between the last look at it and its replacement: the kept file has the edit. */
function isOldFileEdited(work: WorkFolder, { before }: JournalEntry, index: number): boolean {
  const { oldFile } = stagedFiles(work, index);
  return before !== null && statIfExists(oldFile) !== undefined && hashAt(oldFile) !== before;
}

function isNewFileStaged(work: WorkFolder, { after }: JournalEntry, index: number): boolean {
  return after === null || hashAt(stagedFiles(work, index).newFile) === after;
}

function editedSince(work: WorkFolder, { path: name, before }: JournalEntry, index: number): Error {
  const kept = `${WORK_FOLDER_NAME}/${path.basename(stagedFiles(work, index).oldFile)}`;
  return new Error(`"${name}" was changed since${before === null ? "" : `; what it was is in ${kept}`}`);
}
