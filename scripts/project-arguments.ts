/** The options that all commands on a project share. */
import { numberOf, textOf } from "./argument-values.js";
import type { Arguments } from "./command-spec.js";

export function projectOf(args: Arguments): {
  readonly folder: string;
  readonly timeoutSeconds: number | undefined;
} {
  return {
    folder: textOf(args["connector-path"]) ?? ".",
    timeoutSeconds: numberOf(args["load-timeout"]),
  };
}
