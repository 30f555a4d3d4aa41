/** What the commands that keep stores in order have in common: which stores, and how the results are printed. */
import { escapeControls } from "../../schemas/diagnostics/diagnostic.js";
import { projectOf, stringOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import { findingsText } from "../findings/findings-text.js";
import type { KeptStores, KeptStoresOptions } from "../workbench/keep-stores.js";
import { storeFileOf } from "./services.js";

/** The stores that the arguments name. */
export function keptStoresOf(args: Arguments, shell: Shell): KeptStoresOptions {
  return {
    folder: projectOf(args, shell).folder,
    storeFile: storeFileOf(args, shell),
    database: stringOf(args["database"]),
    workspace: stringOf(args["workspace"]),
  };
}

/** Prints a line for each store, and why there are none; returns the exit status. */
export function printKept<Result>(
  { results, diagnostics }: KeptStores<Result>,
  {
    args,
    shell,
    words,
  }: { readonly args: Arguments; readonly shell: Shell; readonly words: (result: Result) => string },
): number {
  for (const { workspace, ...result } of results ?? []) {
    const kept = result as unknown as Result;
    const name = workspace === null ? "" : `${workspace}: `;
    const line = args["json"] === true ? JSON.stringify({ workspace, ...result }) : `${name}${words(kept)}`;
    shell.result(`${escapeControls(line)}\n`);
  }
  if (results?.length === 0) shell.say("The database has no workspaces.");
  if (diagnostics.length > 0) shell.say(findingsText(diagnostics, { cwd: shell.cwd }).trimEnd());
  return diagnostics.length > 0 ? 1 : 0;
}
