/** Writes a scaffold, and takes it back where the project is then not what was asked for. */
import type { GeneratedFile } from "../../generators/generated-file.js";
import { type PlannedFile, planFiles } from "../../generators/writer/plan.js";
import { wayBack } from "../../generators/writer/take-back.js";
import { writePlan } from "../../generators/writer/write-files.js";
import { type Diagnostic, diagnostic, hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import { WRITING } from "../this-process.js";

export interface Written {
  /** What was done to each file; nothing where all was taken back. */
  readonly written: readonly PlannedFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Writes `files` under `root`; what `confirm` finds wrong with the result undoes all of it. */
export async function writeConfirmed(
  root: string,
  files: readonly GeneratedFile[],
  confirm: () => Promise<readonly Diagnostic[]>,
): Promise<Written> {
  const plan = planFiles(root, files, { existingScaffold: "keep" });
  const takeBack = wayBack(root, plan, WRITING);
  const problems = writePlan(root, plan, WRITING);
  if (hasErrors(problems)) return { written: [], diagnostics: problems };
  let isInterrupted = false;
  const interrupt = () => {
    isInterrupted = true;
  };
  process.once("SIGINT", interrupt);
  try {
    const wrong = await confirm();
    if (wrong.length === 0 && !isInterrupted) return { written: plan.files, diagnostics: [] };
    const stopped = isInterrupted ? [unconfirmed(root, "the command was interrupted")] : [];
    return { written: [], diagnostics: [...stopped, ...wrong, ...takeBack()] };
  } catch (error) {
    takeBack();
    throw error;
  } finally {
    process.removeListener("SIGINT", interrupt);
  }
}

export function unconfirmed(root: string, reason: string): Diagnostic {
  return diagnostic("scaffold-unconfirmed", { file: root }, { reason: reason.replace(/\.$/, "") });
}

/** The errors of `after` that were not among those `before`. */
export function newErrors(
  before: readonly Diagnostic[],
  after: readonly Diagnostic[],
): readonly Diagnostic[] {
  const idOf = ({ code, pointer, message }: Diagnostic) => JSON.stringify([code, pointer, message]);
  const known = new Set(before.map(idOf));
  return after.filter((found) => found.severity === "error" && !known.has(idOf(found)));
}
