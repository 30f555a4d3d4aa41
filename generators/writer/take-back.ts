/** Undoes what a plan did, where its result is not what it should be: the tree is then what it was, byte for byte. */
import { readFileSync, rmdirSync, unlinkSync } from "node:fs";
import path from "node:path";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { EditedFile } from "../generated-file.js";
import { changedMeanwhile, ignoring, notWritable } from "./failure.js";
import { absentFolders, lookAt } from "./places.js";
import { type Plan, planFiles } from "./plan.js";
import type { WriteOptions } from "./recover.js";
import { writePlan } from "./write-files.js";

/** Gives the way back from `plan`, which is about to be written; findings say what could not be taken back. */
export function wayBack(root: string, plan: Plan, options: WriteOptions): () => readonly Diagnostic[] {
  const created = plan.files.filter(({ step }) => step === "create");
  const folders = new Set(created.flatMap(({ target }) => absentFolders(path.resolve(root), target)));
  for (let folder = path.resolve(root); lookAt(folder) === undefined; folder = path.dirname(folder))
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
      ...created.flatMap(({ target, file }) => removed(target, file.path, file.content)),
    ];
    for (const folder of [...folders].sort((a, b) => b.length - a.length))
      ignoring(["ENOENT", "ENOTEMPTY", "EEXIST", "EPERM"], () => rmdirSync(folder));
    return problems;
  };
}

/** A file that somebody wrote into meanwhile is theirs. */
function removed(target: string, name: string, content: string): readonly Diagnostic[] {
  try {
    if (readFileSync(target, "utf8") !== content) return [changedMeanwhile(target, name)];
    unlinkSync(target);
    return [];
  } catch (error) {
    return [notWritable(target, name, error)];
  }
}
