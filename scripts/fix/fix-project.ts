/** `check --fix`: mends what has one right answer, looks whether the project is better for it, and takes it back if not. */

import path from "node:path";
import { changedFiles } from "../../generators/scaffolds/index.js";
import { recoverWrites } from "../../generators/writer/recover.js";
import { type Diagnostic, hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import { loadProject } from "../author-project/load-project.js";
import type { LoadedProject } from "../author-project/loaded-project.js";
import { projectSources } from "../scaffolding/project-sources.js";
import { newErrors, unconfirmed, writeConfirmed } from "../scaffolding/write-confirmed.js";
import { WRITING } from "../this-process.js";
import { planFixes } from "./plan-fixes.js";

export interface Fixed {
  /** The project as it is now. */
  readonly project: LoadedProject;
  readonly fixed: readonly Diagnostic[];
  /** What stopped a fix from being written. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Fixes that touch one place come one after the other. */
const MOST_ROUNDS = 10;

export async function fixProject(folder: string, timeoutSeconds: number | undefined): Promise<Fixed> {
  const root = path.resolve(folder);
  let project = await loadProject(folder, { timeoutSeconds });
  const unsettled = recoverWrites(root, WRITING);
  if (hasErrors(unsettled)) return { project, fixed: [], diagnostics: unsettled };
  const fixed: Diagnostic[] = [];
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const { model, diagnostics } = project;
    const files = projectSources(root);
    const planned = model === undefined ? [] : planFixes(diagnostics, model, files, root);
    if (planned.length === 0) break;
    let after: LoadedProject | undefined;
    const confirm = async () => {
      after = await loadProject(folder, { timeoutSeconds });
      return worseThan(diagnostics, after, planned, root);
    };
    const result = await writeConfirmed(root, changedFiles(files.changes()), confirm);
    if (hasErrors(result.diagnostics) || after === undefined) {
      return { project, fixed, diagnostics: result.diagnostics };
    }
    fixed.push(...planned);
    project = after;
  }
  return { project, fixed, diagnostics: [] };
}

/** Errors that were not there, or findings that are still there. */
function worseThan(
  before: readonly Diagnostic[],
  after: LoadedProject,
  fixed: readonly Diagnostic[],
  root: string,
): readonly Diagnostic[] {
  const errors = newErrors(before, after.diagnostics);
  if (errors.length > 0) return [unconfirmed(root, errors[0]?.message ?? ""), ...errors];
  const left = fixed.find((found) => after.diagnostics.some((other) => isSame(found, other)));
  if (left === undefined && after.diagnostics.length < before.length) return [];
  return [unconfirmed(root, `${left?.code ?? "another finding"} is still found`)];
}

function isSame(one: Diagnostic, other: Diagnostic): boolean {
  return one.code === other.code && one.pointer === other.pointer && one.message === other.message;
}
