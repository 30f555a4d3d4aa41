/** `connectorcli gen`: typed classes, validators, configuration and wiring under `generated/`. */
import { hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import { projectOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import { findingsJson, findingsText, summaryOf, summaryText } from "../findings/findings-text.js";
import { type GenerateResult, generate, watchAndGenerate } from "../workbench/generate.js";

export async function gen(args: Arguments, shell: Shell): Promise<number> {
  const project = projectOf(args, shell);
  const options = { ...project, mode: args["check"] === true ? "check" : "write" } as const;
  const print = (result: GenerateResult) => {
    if (args["json"] === true) printJson(result, project.folder, shell);
    else printText(result, shell);
    return hasErrors(result.diagnostics) ? 1 : 0;
  };
  if (args["watch"] !== true) return print(await generate(options));
  await shell.interruptible(
    (signal) => watchAndGenerate({ ...options, signal, onGenerated: print }),
    ["SIGINT"],
  );
  return 0;
}

function printJson({ isWritten, changes, diagnostics }: GenerateResult, folder: string, shell: Shell): void {
  const result = {
    written: isWritten,
    files: changes,
    diagnostics: findingsJson(diagnostics, folder),
    summary: summaryOf(diagnostics),
  };
  shell.result(`${JSON.stringify(result, undefined, 2)}\n`);
}

function printText(result: GenerateResult, shell: Shell): void {
  const { isWritten, changes, diagnostics } = result;
  if (diagnostics.length > 0) shell.say(findingsText(diagnostics, { cwd: shell.cwd }).trimEnd());
  if (isWritten) for (const { step, path } of changes) shell.say(`${step} ${path}`);
  shell.say(`${outcomeText(result)} (${summaryText(summaryOf(diagnostics))})`);
}

function outcomeText({ isWritten, fileCount, changes, diagnostics }: GenerateResult): string {
  // Stale files are errors of a check, which writes nothing.
  if (hasErrors(diagnostics)) return "nothing written";
  return changes.length === 0
    ? `${fileCount} files up to date`
    : `${changes.length} of ${fileCount} files ${isWritten ? "written" : "stale"}`;
}
