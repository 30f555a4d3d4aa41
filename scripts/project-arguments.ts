/** The options that all commands on a project share. */
import type { Arguments } from "./command-spec.js";

export function projectOf(args: Arguments): {
  readonly folder: string;
  readonly timeoutSeconds: number | undefined;
} {
  const folder = args["connector-path"];
  const timeout = args["load-timeout"];
  return {
    folder: typeof folder === "string" ? folder : ".",
    timeoutSeconds: typeof timeout === "number" && timeout > 0 ? timeout : undefined,
  };
}
