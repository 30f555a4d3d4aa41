/** From a prepared run to the new tree, or back to the old one; both can be broken off and begun again. */
import { readdirSync } from "node:fs";
import path from "node:path";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { changedMeanwhile, ignoring, notWritable } from "./failure.js";
import {
  type Journal,
  type JournalEntry,
  keptAt,
  readJournal,
  WORK_FOLDER,
  type Workplace,
} from "./journal.js";
import { absentFolders, hashAt, lookAt } from "./places.js";

/** `foreign`: neither what was there nor what comes; somebody changed it meanwhile. */
type State = "before" | "after" | "foreign";

/** How a folder answers that still holds something, is used, or is gone. */
const IN_USE = ["ENOENT", "ENOTEMPTY", "EEXIST", "EPERM", "EBUSY"];

/** Does what the journal says: all of it, or nothing and the reason. Throws where neither can be done. */
export function carryOut(place: Workplace, journal: Journal): readonly Diagnostic[] {
  const problem = goForward(place, journal);
  if (problem === undefined) tidy(place);
  else takeBack(place, journal);
  return problem === undefined ? [] : [problem];
}

/** Finishes or takes back what an earlier run left in the work folder. Throws where neither can be done. */
export function settle(place: Workplace): void {
  const undo = readJournal(place, place.undo);
  const journal = readJournal(place, place.journal);
  if (undo !== undefined) takeBack(place, undo);
  else if (journal !== undefined) settleJournal(place, journal);
  clear(place);
}

/** Removes what a run prepared, the journal first: without it the rest means nothing. */
export function clear({ folder, journal, undo, lock, fs }: Workplace): void {
  for (const file of [journal, undo]) if (lookAt(file) !== undefined) fs.removeFile(file);
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (file !== lock && lookAt(file)?.isDirectory() === false)
      ignoring(["ENOENT"], () => fs.removeFile(file));
  }
}

/** Clears where that can be done; where not, the next run does. */
export function tidy(place: Workplace): void {
  try {
    clear(place);
  } catch {
    // What is left says that all is done.
  }
}

function settleJournal(place: Workplace, journal: Journal): void {
  const entries = journal.files.map((entry, index) => ({
    entry,
    index,
    state: stateOf(place, entry, index),
    isApplied: isApplied(place, entry, index),
  }));
  const foreign = entries.filter(({ state }) => state === "foreign");
  const others = entries.filter(({ state }) => state !== "foreign");
  const [edited] = foreign;
  if (edited === undefined) {
    const isReady = others.every(
      ({ entry, index, state }) => state === "after" || isPrepared(place, entry, index),
    );
    if (isReady) carryOut(place, journal);
    else takeBack(place, journal);
    return;
  }
  // The run had not begun, or was done: what was edited since is nobody's business here.
  const isUntouched =
    others.every(({ state }) => state === "before") && foreign.every((one) => !one.isApplied);
  const isDone = others.every(({ state }) => state === "after") && foreign.every((one) => one.isApplied);
  if (!isUntouched && !isDone) throw editedSince(place, edited.entry, edited.index);
}

function goForward(place: Workplace, journal: Journal): Diagnostic | undefined {
  const { root, fs } = place;
  let name = WORK_FOLDER;
  try {
    for (const folder of journal.newFolders) {
      name = folder;
      ignoring(["EEXIST"], () => fs.makeFolder(path.resolve(root, folder)));
    }
    for (const [index, entry] of journal.files.entries()) {
      name = entry.path;
      const state = stateOf(place, entry, index);
      const target = path.resolve(root, name);
      if (state === "foreign") return changedMeanwhile(target, name);
      if (state === "before") apply(place, entry, index);
    }
    const edited = journal.files.find((entry, index) => isKeptEdited(place, entry, index));
    if (edited !== undefined) return changedMeanwhile(path.resolve(root, edited.path), edited.path);
    for (const folder of journal.oldFolders) {
      name = folder;
      ignoring(IN_USE, () => fs.removeFolder(path.resolve(root, folder)));
    }
    return undefined;
  } catch (error) {
    return notWritable(path.resolve(root, name), name, error);
  }
}

/** A file that goes becomes its own copy: what is taken away is what is kept. */
function apply(place: Workplace, entry: JournalEntry, index: number): void {
  const target = path.resolve(place.root, entry.path);
  const { fresh, old } = keptAt(place, index);
  if (entry.after === null) place.fs.rename(target, old);
  else place.fs.rename(fresh, target);
}

/** Undoes what was done of the journal. Throws where it can't, or where that would lose an edit. */
function takeBack(place: Workplace, journal: Journal): void {
  const { root, fs } = place;
  for (const [index, entry] of journal.files.entries())
    if (stateOf(place, entry, index) === "foreign" && isApplied(place, entry, index))
      throw editedSince(place, entry, index);
  // The prepared files are spent on the way: from here on there is no way but back.
  if (lookAt(place.undo) === undefined) fs.rename(place.journal, place.undo);
  for (const [index, entry] of journal.files.entries()) {
    if (stateOf(place, entry, index) !== "after") continue;
    const target = path.resolve(root, entry.path);
    if (entry.before === null) {
      fs.removeFile(target);
      continue;
    }
    for (const folder of absentFolders(root, target)) fs.makeFolder(folder);
    fs.rename(keptAt(place, index).old, target);
  }
  for (const folder of journal.newFolders.toReversed()) {
    const target = path.resolve(root, folder);
    if (lookAt(target)?.isDirectory() === true) ignoring(IN_USE, () => fs.removeFolder(target));
  }
  tidy(place);
}

function stateOf(place: Workplace, { path: name, before, after }: JournalEntry, index: number): State {
  const hash = hashAt(path.resolve(place.root, name));
  if (hash === after) return "after";
  if (hash === before) return "before";
  if (hash !== null) return "foreign";
  // Somebody took it away: there is nothing to lose on either way.
  return lookAt(keptAt(place, index).fresh) === undefined ? "after" : "before";
}

/** Whether this program did its part of the entry, whatever happened to the file since. */
function isApplied(place: Workplace, entry: JournalEntry, index: number): boolean {
  const { fresh, old } = keptAt(place, index);
  if (entry.before !== null && lookAt(old) === undefined) return false;
  return entry.after === null || lookAt(fresh) === undefined;
}

/** Whether somebody wrote into the file between the last look at it and its replacement: it is the kept one now. */
function isKeptEdited(place: Workplace, { before }: JournalEntry, index: number): boolean {
  const { old } = keptAt(place, index);
  return before !== null && lookAt(old) !== undefined && hashAt(old) !== before;
}

function isPrepared(place: Workplace, entry: JournalEntry, index: number): boolean {
  return entry.after === null || hashAt(keptAt(place, index).fresh) === entry.after;
}

function editedSince(place: Workplace, { path: name, before }: JournalEntry, index: number): Error {
  const kept = `${WORK_FOLDER}/${path.basename(keptAt(place, index).old)}`;
  return new Error(`"${name}" was changed since${before === null ? "" : `; what it was is in ${kept}`}`);
}
