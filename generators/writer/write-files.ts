/** The one writer of project files: all of a plan, or nothing, also when it is killed. */
import path from "node:path";
import { type Diagnostic, diagnostic, hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import { carryOut, tidy } from "./carry-out.js";
import { changedMeanwhile, ignoring, notWritable } from "./failure.js";
import { type FileSystem, realFileSystem } from "./file-system.js";
import { type Journal, keptAt, WORK_FOLDER, type Workplace, workplaceOf, writeJournal } from "./journal.js";
import {
  absentFolders,
  type FolderFinder,
  folderFinder,
  hashAt,
  hashOf,
  isInside,
  leadsOutside,
  lookAt,
  nameIn,
} from "./places.js";
import { isChange, type Plan, type PlannedFile, planAgain } from "./plan.js";
import { type WriteOptions, withLock } from "./recover.js";

interface Change extends PlannedFile {
  readonly before: string | null;
  readonly after: string | null;
}

/** What an author fills in may be secret. */
const OWNER_ONLY = 0o600;

/** Writes what `plan` says under `root`. Findings say why nothing was written. */
export function writePlan(root: string, plan: Plan, options: WriteOptions = {}): readonly Diagnostic[] {
  if (hasErrors(plan.diagnostics)) return plan.diagnostics.filter(({ severity }) => severity === "error");
  const changes = plan.files.filter(isChange).map(changeOf);
  if (changes.length === 0) return [];
  const place = workplaceOf(root, options.fileSystem ?? realFileSystem);
  const made: string[] = [];
  let found: readonly Diagnostic[];
  try {
    makeRoot(place, made);
    found = withLock(place, options, (guarded) => write(guarded, plan, changes));
  } catch (error) {
    found = [notWritable(place.root, path.basename(place.root), error)];
  }
  if (hasErrors(found)) removeFolders(made, place.fs);
  return found;
}

function changeOf(planned: PlannedFile): Change {
  const after = planned.step === "remove" ? null : hashOf(planned.file.content);
  return { ...planned, before: planned.present?.hash ?? null, after };
}

function write(place: Workplace, plan: Plan, changes: readonly Change[]): readonly Diagnostic[] {
  const open: Change[] = [];
  const realFolder = folderFinder();
  for (const change of changes) {
    const hash = hashNow(place, change, realFolder);
    if (typeof hash === "object" && hash !== null) return [hash];
    // Another run may have written the same meanwhile.
    if (hash === change.after) continue;
    if (hash !== change.before) return [changedMeanwhile(change.target, change.file.path)];
    open.push(change);
  }
  const other = changedSince(place, plan, open);
  if (other.length > 0 || open.length === 0) return other;
  const journal = journalOf(place, plan, open);
  const problem = prepare(place, open, journal);
  return problem === undefined ? carryOut(place, journal) : [problem];
}

/** The plan may have been made while another run wrote: what it left alone, or did not see, is looked at again. */
function changedSince({ root }: Workplace, plan: Plan, open: readonly Change[]): readonly Diagnostic[] {
  const now = planAgain(root, plan);
  const problems = now.diagnostics.filter(({ severity }) => severity === "error");
  if (problems.length > 0) return problems;
  const expected = new Set(open.map(({ target }) => target));
  const other = now.files.find((planned) => isChange(planned) && !expected.has(planned.target));
  return other === undefined ? [] : [changedMeanwhile(other.target, other.file.path)];
}

/** What stands in the way of looking is a finding. */
function hashNow(
  { root }: Workplace,
  { target, file }: Change,
  realFolder: FolderFinder,
): string | null | Diagnostic {
  if (leadsOutside(root, target, realFolder))
    return diagnostic("file-outside", { file: target }, { path: file.path });
  try {
    return hashAt(target);
  } catch (error) {
    return notWritable(target, file.path, error);
  }
}

function journalOf({ root }: Workplace, { options }: Plan, changes: readonly Change[]): Journal {
  const name = (file: string) => nameIn(root, file);
  const newFolders = new Set<string>();
  const oldFolders = new Set<string>();
  for (const { target, after } of changes) {
    if (after !== null) {
      for (const folder of absentFolders(root, target)) newFolders.add(folder);
      continue;
    }
    const top = path.resolve(root, options.generatedFolder ?? WORK_FOLDER);
    for (let folder = path.dirname(target); isInside(top, folder); folder = path.dirname(folder))
      oldFolders.add(folder);
  }
  return {
    files: changes.map(({ target, before, after }) => ({ path: name(target), before, after })),
    newFolders: [...newFolders].map(name),
    oldFolders: [...oldFolders].sort((a, b) => b.length - a.length).map(name),
  };
}

/** Puts all that is needed on the disk beside the tree: what fails for want of space fails here. */
function prepare(place: Workplace, changes: readonly Change[], journal: Journal): Diagnostic | undefined {
  let current = { target: place.folder, name: WORK_FOLDER };
  try {
    for (const [index, { target, file, present, after }] of changes.entries()) {
      if (after === null) continue;
      current = { target, name: file.path };
      const { fresh, old } = keptAt(place, index);
      place.fs.writeNew(fresh, file.content, file.ownership === "filled" ? OWNER_ONLY : present?.mode);
      if (present !== undefined) place.fs.keepAs(target, old);
    }
    writeJournal(place, journal);
    return undefined;
  } catch (error) {
    tidy(place);
    return notWritable(current.target, current.name, error);
  }
}

function makeRoot({ root, fs }: Workplace, made: string[]): void {
  const absent: string[] = [];
  for (let folder = root; lookAt(folder) === undefined; folder = path.dirname(folder)) absent.unshift(folder);
  for (const folder of absent) {
    ignoring(["EEXIST"], () => fs.makeFolder(folder));
    made.push(folder);
  }
}

function removeFolders(made: readonly string[], fs: FileSystem): void {
  try {
    for (const folder of made.toReversed()) fs.removeFolder(folder);
  } catch {
    // An empty folder that stays is no harm.
  }
}
