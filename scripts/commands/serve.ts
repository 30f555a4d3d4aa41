/** `connectorcli serve`: a worker for the workspaces of a database. */
import path from "node:path";
import { numberOf, projectOf, stringOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import { findingsText } from "../findings/findings-text.js";
import { type ServeEvent, serve as serveWorkspaces } from "../workbench/serve.js";
import { storeKeyOf } from "./store-key.js";

export async function serve(args: Arguments, shell: Shell): Promise<number> {
  const connector = stringOf(args["connector"]);
  const { diagnostics } = await shell.interruptible((signal) =>
    serveWorkspaces({
      ...projectOf(args, shell),
      ...(connector !== undefined && { connectorFile: path.resolve(shell.cwd, connector) }),
      database: stringOf(args["database"]) ?? "",
      storeKey: storeKeyOf(args, shell),
      host: stringOf(args["host"]),
      port: numberOf(args["port"]),
      actionSlots: numberOf(args["action-slots"]),
      readSlots: numberOf(args["read-slots"]),
      sliceMs: milliseconds(args["slice"]),
      drainMs: milliseconds(args["drain"]),
      keepBefore: numberOf(args["keep-before"]),
      environment: shell.environment,
      log: { write: (line) => shell.write(line) },
      signal,
      onEvent: (event) => shell.say(wordsOf(event)),
    }),
  );
  if (diagnostics.length === 0) return 0;
  shell.say(findingsText(diagnostics, { cwd: shell.cwd }).trimEnd());
  return 1;
}

function milliseconds(seconds: unknown): number | undefined {
  const count = numberOf(seconds as Arguments[string]);
  return count === undefined ? undefined : count * 1_000;
}

function wordsOf(event: ServeEvent): string {
  if (event.kind === "draining")
    return "Stopping: handlers that are under way may end. Interrupt again to end at once.";
  return `Serving. Health and metrics: ${event.address}/readyz, ${event.address}/metrics`;
}
