/** Takes a member out of the registration configuration, with the objects that held nothing else (spec §5.2 rule 5). */
import { removeConstant, removeProperty, type SourceFiles } from "../source-edits/index.js";
import { nodesIn } from "../source-edits/syntax.js";
import { type AuthorModules, findMember } from "./find-member.js";

export function removeMember(files: SourceFiles, names: readonly string[], modules: AuthorModules): void {
  const { steps } = findMember(files, names, modules);
  if (steps === undefined) return;
  let index = steps.length - 1;
  while (index > 0 && nodesIn(steps[index]?.holder.node ?? NOTHING, "properties").length === 1) index -= 1;
  const step = steps[index];
  if (step === undefined) return;
  removeProperty(files, step.holder, step.property);
  for (const { constant, holder } of steps.slice(index + 1)) {
    if (constant !== undefined) removeConstant(files, holder.file, constant);
  }
}

const NOTHING = { type: "", start: 0, end: 0 };
