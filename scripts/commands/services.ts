/** What the commands that run a service have in common: options, and words for what both say. */
import path from "node:path";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { projectOf, stringOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import { findingsText, summaryOf, summaryText } from "../findings/findings-text.js";
import { AmbiguousActionError, UnknownNameError } from "../workbench/choices.js";
import type { WorkspaceChoice } from "../workbench/open-settings.js";
import type { ServiceEvent, ServiceOptions } from "../workbench/services.js";
import { storeKeyOf } from "./store-key.js";

/** Thrown for a call whose options do not go together; the message is printed, and the exit status is 2. */
export class UsageError extends Error {}

/** Runs a command, and prints what is wrong with its call, if something is: the exit status is 2 then. */
export async function withUsageErrors(shell: Shell, run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof UnknownNameError || error instanceof UsageError)) throw error;
    shell.say(error.message);
    return 2;
  }
}

/** For `catch`: throws a UsageError with these words in place of an error that says that names lead to several actions. */
export function ambiguous(words: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof AmbiguousActionError ? new UsageError(words) : error;
  };
}

/** Prints what every service says while it runs. */
export function sayEvent(event: ServiceEvent, shell: Shell): void {
  if (event.kind === "generated-stale") shell.say(STALE_WORDS);
  if (event.kind === "line") shell.say(event.text);
  if (event.kind === "saved") shell.say("Saved: starting again with the new code.");
  if (event.kind === "not-run") sayNotRun(undefined, event.diagnostics, shell);
}

/** Prints the findings, and that nothing was run if there is no `result`. */
export function sayNotRun(result: unknown, diagnostics: readonly Diagnostic[], shell: Shell): void {
  if (diagnostics.length > 0) shell.say(findingsText(diagnostics, { cwd: shell.cwd }).trimEnd());
  if (result === undefined) shell.say(`not run (${summaryText(summaryOf(diagnostics))})`);
}

export const STALE_WORDS = "generated/ is stale: run npx connectorcli gen before you trust the result.";

/** The options that both services take. */
export function serviceOptionsOf(args: Arguments, shell: Shell): ServiceOptions {
  return {
    ...projectOf(args, shell),
    storeFile: storeFileOf(args, shell),
    storeKey: storeKeyOf(args, shell),
    adoptStore: args["adopt-store"] === true,
    connection: stringOf(args["connection"]),
    fake: stringOf(args["fake"]),
    moduleId: stringOf(args["module-id"]),
    object: stringOf(args["data-object-url"]),
    isTraced: args["trace"] === true,
    environment: shell.environment,
  };
}

/**
 * The workspace whose connection is used; nothing for that of this machine.
 * @throws UsageError if the options do not go together
 */
export function workspaceChoiceOf(args: Arguments, shell: Shell): WorkspaceChoice {
  const database = stringOf(args["database"]);
  const others = database === undefined ? ["workspace", "key-file"] : ["connection", "fake"];
  const other = others.find((name) => args[name] !== undefined);
  if (other !== undefined)
    throw new UsageError(
      database === undefined
        ? `--${other} goes with --database.`
        : `The workspace says which connection is used: leave out --${other}, or --database.`,
    );
  if (database === undefined) return {};
  return { database, workspace: stringOf(args["workspace"]), storeKey: storeKeyOf(args, shell) };
}

/** The file that `--store` names, absolute. */
export function storeFileOf(args: Arguments, shell: Shell): string | undefined {
  const file = stringOf(args["store"]);
  return file === undefined ? undefined : path.resolve(shell.cwd, file);
}
