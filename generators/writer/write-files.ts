/** The one writer of project files: all of a plan, or nothing. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { Plan, PlannedFile } from "./plan.js";

/** Writes what `plan` says under `root`. Findings say why nothing was written. */
export function writePlan(root: string, plan: Plan): readonly Diagnostic[] {
  if (plan.diagnostics.length > 0) return plan.diagnostics;
  const writes = plan.files.filter(({ step }) => step === "create" || step === "update");
  if (writes.length === 0) return [];
  const undo: (() => void)[] = [];
  let current = writes[0] as PlannedFile;
  let staging: string | undefined;
  try {
    makeFolder(path.resolve(root), undo);
    staging = mkdtempSync(path.join(root, ".connectorcli-"));
    // Everything that can fail for want of space or permission happens before the first file is replaced.
    for (const [index, write] of writes.entries()) {
      current = write;
      writeFileSync(path.join(staging, String(index)), write.file.content);
      makeFolder(path.dirname(write.target), undo);
    }
    for (const [index, write] of writes.entries()) {
      current = write;
      replace(path.join(staging, String(index)), write, path.join(staging, `${index}.old`), undo);
    }
    return [];
  } catch (error) {
    for (const step of undo.reverse()) step();
    const reason = error instanceof Error ? error.message : String(error);
    return [diagnostic("file-not-writable", { file: current.target }, { path: current.file.path, reason })];
  } finally {
    if (staging !== undefined) rmSync(staging, { recursive: true, force: true });
  }
}

function makeFolder(folder: string, undo: (() => void)[]): void {
  const created = mkdirSync(folder, { recursive: true });
  if (created !== undefined) undo.push(() => rmSync(created, { recursive: true, force: true }));
}

function replace(staged: string, { target }: PlannedFile, kept: string, undo: (() => void)[]): void {
  if (existsSync(target)) {
    copyFileSync(target, kept);
    undo.push(() => renameSync(kept, target));
  } else {
    undo.push(() => rmSync(target, { force: true }));
  }
  renameSync(staged, target);
}
