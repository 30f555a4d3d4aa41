/** What a write still has to do, so that one that was killed can be finished. Every step may be done twice. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { leadsOutside } from "./plan.js";

/** Folders inside the project that hold what is about to be written. */
export const STAGING_PREFIX = ".connectorcli-";

/** A folder without a journal that is older than this was left by a run that died before it changed anything. */
const ABANDONED_AFTER_MS = 60_000;

const JOURNAL = "journal.json";

/** A file that takes its place, or, without `staged`, one that goes. Paths are relative to the project. */
export interface JournalStep {
  readonly target: string;
  readonly staged?: string;
}

/** From here on the write is finished, whatever happens: the journal appears whole or not at all. */
export function writeJournal(staging: string, steps: readonly JournalStep[]): void {
  const file = path.join(staging, JOURNAL);
  writeFileSync(`${file}.new`, JSON.stringify(steps));
  renameSync(`${file}.new`, file);
}

/** Does one step; one that was done already does nothing. */
export function applyStep(root: string, staging: string, { target, staged }: JournalStep): void {
  const file = path.join(root, target);
  if (staged === undefined) {
    rmSync(file, { force: true });
    removeEmptyFolders(root, path.dirname(file));
    return;
  }
  const source = path.join(staging, staged);
  if (!existsSync(source)) return;
  mkdirSync(path.dirname(file), { recursive: true });
  renameSync(source, file);
}

/** Finishes writes under `root` that were killed, and clears away those that had not begun. */
export function recoverWrites(root: string): void {
  for (const staging of stagingFolders(root)) {
    const steps = journalIn(root, staging);
    if (steps === undefined && Date.now() - statSync(staging).mtimeMs < ABANDONED_AFTER_MS) continue;
    for (const step of steps ?? []) applyStep(root, staging, step);
    rmSync(staging, { recursive: true, force: true });
  }
}

function stagingFolders(root: string): readonly string[] {
  if (!existsSync(root)) return [];
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.startsWith(STAGING_PREFIX))
    .map((entry) => path.join(root, entry.name));
}

/** The steps that stand in `staging`; none where they were not written by this program for this folder. */
function journalIn(root: string, staging: string): readonly JournalStep[] | undefined {
  try {
    const steps: unknown = JSON.parse(readFileSync(path.join(staging, JOURNAL), "utf8"));
    return Array.isArray(steps) && steps.every((step) => isOwnStep(root, step)) ? steps : undefined;
  } catch {
    return undefined;
  }
}

/** A journal may have come with a checkout: it may not reach out of the project, nor out of its own folder. */
function isOwnStep(root: string, step: unknown): step is JournalStep {
  if (typeof step !== "object" || step === null) return false;
  const { target, staged } = step as { target?: unknown; staged?: unknown };
  if (typeof target !== "string" || leadsOutside(root, path.resolve(root, target))) return false;
  return staged === undefined || (typeof staged === "string" && /^\d+$/.test(staged));
}

/** Removes `folder` and those above it, as far as nothing is in them; never `root` itself. */
function removeEmptyFolders(root: string, folder: string): void {
  const relative = path.relative(root, folder);
  if (relative === "" || relative.startsWith("..")) return;
  if (existsSync(folder)) {
    if (readdirSync(folder).length > 0) return;
    rmdirSync(folder);
  }
  removeEmptyFolders(root, path.dirname(folder));
}
