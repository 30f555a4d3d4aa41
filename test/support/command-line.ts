/** Runs the command line: in this process, or as a process as users do. */
import { runCommandLine } from "../../scripts/command-line/front.js";
import type { Shell } from "../../scripts/command-line/shell.js";
import { COMMANDS } from "../../scripts/commands/command-table.js";
import { COMMAND_FILE } from "./ordinary-user.js";
import { type CommandResult, run } from "./processes.js";
import { inRepository } from "./repository.js";

/** The bundled command line. */
export const COMMAND = inRepository(COMMAND_FILE);

/** `connectorcli …args` in `cwd`: the same arguments and texts as on a command line, in this process. */
export function connectorcli(cwd: string, ...args: readonly string[]): Promise<CommandResult> {
  return connectorcliWith({}, cwd, ...args);
}

/** The same with these variables in its environment. */
export function connectorcliWith(
  environment: Readonly<Record<string, string>>,
  cwd: string,
  ...args: readonly string[]
): Promise<CommandResult> {
  return connectorcliOn({ environment: { ...process.env, NO_COLOR: "1", ...environment } }, cwd, ...args);
}

/** The same in a shell that differs in these members. */
export async function connectorcliOn(
  differences: Partial<Shell>,
  cwd: string,
  ...args: readonly string[]
): Promise<CommandResult> {
  const texts = { stdout: "", stderr: "" };
  const shell: Shell = {
    cwd,
    environment: { ...process.env, NO_COLOR: "1" },
    isTerminal: false,
    hasBars: false,
    canAsk: false,
    result: (text) => {
      texts.stdout += text;
    },
    say: (text) => {
      texts.stderr += `${text}\n`;
    },
    write: (text) => {
      texts.stderr += text;
    },
    input: () => "",
    delayOptimization: () => {},
    interruptible: (use) => use(new AbortController().signal),
    ...differences,
  };
  const status = await runCommandLine(args, COMMANDS, shell);
  return { status, ...texts };
}

/** `connectorcli …args` in `cwd`, as a process of its own. */
export function connectorcliProcess(cwd: string, ...args: readonly string[]): Promise<CommandResult> {
  return run(cwd, process.execPath, [COMMAND, ...args]);
}
