/** The one writer of project files: all of a plan, or nothing, also when it is killed. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { applyStep, type JournalStep, STAGING_PREFIX, writeJournal } from "./journal.js";
import type { Plan, PlannedFile } from "./plan.js";

export interface WriteOptions {
  /** Called before every change to the file system, for tests that fail or die there. */
  readonly onStep?: () => void;
}

/**
 * Writes what `plan` says under `root`. Findings say why nothing was written. A run that is killed before its
 * journal stands has changed nothing; one that is killed later is finished by `recoverWrites`.
 */
export function writePlan(
  root: string,
  plan: Plan,
  { onStep = () => {} }: WriteOptions = {},
): readonly Diagnostic[] {
  if (plan.diagnostics.length > 0) return plan.diagnostics;
  const changes = plan.files.filter(
    ({ step }) => step === "create" || step === "update" || step === "remove",
  );
  const [first] = changes;
  if (first === undefined) return [];
  let current: PlannedFile = first;
  const undo: (() => void)[] = [];
  let staging: string | undefined;
  try {
    onStep();
    makeFolder(path.resolve(root), undo);
    staging = mkdtempSync(path.join(root, STAGING_PREFIX));
    const steps: JournalStep[] = [];
    for (const [index, change] of changes.entries()) {
      current = change;
      onStep();
      steps.push(stage(root, staging, index, change));
    }
    onStep();
    writeJournal(staging, steps);
    for (const [index, step] of steps.entries()) {
      current = changes[index] ?? first;
      onStep();
      makeFolder(path.dirname(current.target), undo);
      keep(current.target, path.join(staging, `${index}.old`), undo);
      applyStep(root, staging, step);
    }
    onStep();
    return [];
  } catch (error) {
    for (const step of undo.reverse()) step();
    const reason = error instanceof Error ? error.message : String(error);
    return [diagnostic("file-not-writable", { file: current.target }, { path: current.file.path, reason })];
  } finally {
    if (staging !== undefined) rmSync(staging, { recursive: true, force: true });
  }
}

/** Puts the new content beside the project's files: what fails for want of space fails here. */
function stage(
  root: string,
  staging: string,
  index: number,
  { step, file, target }: PlannedFile,
): JournalStep {
  const relative = path.relative(root, target);
  if (step === "remove") return { target: relative };
  writeFileSync(path.join(staging, String(index)), file.content);
  return { target: relative, staged: String(index) };
}

function makeFolder(folder: string, undo: (() => void)[]): void {
  const created = mkdirSync(folder, { recursive: true });
  if (created !== undefined) undo.push(() => rmSync(created, { recursive: true, force: true }));
}

/** Notes how `target` becomes again what it was. */
function keep(target: string, kept: string, undo: (() => void)[]): void {
  if (existsSync(target)) {
    copyFileSync(target, kept);
    undo.push(() => copyFileSync(kept, target));
  } else undo.push(() => rmSync(target, { force: true }));
}
