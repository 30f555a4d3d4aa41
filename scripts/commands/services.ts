/** What the commands that run a service have in common: options, and words for what both say. */
import path from "node:path";
import { projectOf, stringOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import type { ServiceOptions } from "../workbench/services.js";

export const STALE_WORDS = "generated/ is stale: run npx connectorcli gen before you trust the result.";

/** The options that both services take. */
export function serviceOptionsOf(args: Arguments, shell: Shell): ServiceOptions {
  return {
    ...projectOf(args, shell),
    storeFile: storeFileOf(args, shell),
    adoptStore: args["adopt-store"] === true,
    connection: stringOf(args["connection"]),
    moduleId: stringOf(args["module-id"]),
    object: stringOf(args["data-object-url"]),
    isTraced: args["trace"] === true,
    environment: shell.environment,
  };
}

/** The file that `--store` names, absolute. */
export function storeFileOf(args: Arguments, shell: Shell): string | undefined {
  const file = stringOf(args["store"]);
  return file === undefined ? undefined : path.resolve(shell.cwd, file);
}
