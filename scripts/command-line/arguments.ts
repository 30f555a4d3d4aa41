/** Reads arguments by their type; the front has checked numbers before. */
import path from "node:path";
import type { ProjectOptions } from "../author-project/load-project.js";
import type { Arguments, ArgumentValue } from "./command.js";
import type { Shell } from "./shell.js";

export function stringOf(value: ArgumentValue): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function numberOf(value: ArgumentValue): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** The project that the shared options name, for every function that loads one. */
export function projectOf(args: Arguments, shell: Shell): ProjectOptions {
  return {
    folder: path.resolve(shell.cwd, stringOf(args["connector-path"]) ?? "."),
    timeoutSeconds: numberOf(args["load-timeout"]),
    onLoad: shell.delayOptimization,
    onOutput: shell.write,
  };
}
