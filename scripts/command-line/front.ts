/** Finds the command that was called and runs it: help and plain calls are answered without loading more than they need. */
import { parseArgs } from "node:util";
import { packageVersion } from "../system/package-files.js";
import { SystemError } from "../system/system-error.js";
import { type Arguments, type Command, commandOf, usageOf } from "./command.js";
import type { Shell } from "./shell.js";

/** Runs the command of `commands` that `argv` names; returns the exit status: 0 done, 1 findings, 2 wrong usage. */
export async function runCommandLine(
  argv: readonly string[],
  commands: readonly Command[],
  shell: Shell,
): Promise<number> {
  try {
    return await runNamed(argv, commands, shell);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    shell.say(error.message);
    return 1;
  }
}

async function runNamed(
  argv: readonly string[],
  commands: readonly Command[],
  shell: Shell,
): Promise<number> {
  if (argv.length === 0 || (argv.length === 1 && ["--help", "-h", "help"].includes(argv[0] ?? ""))) {
    shell.result(helpText(commands));
    return argv.length === 0 ? 2 : 0;
  }
  if (argv.length === 1 && ["--version", "-v"].includes(argv[0] ?? "")) {
    shell.result(`${packageVersion()}\n`);
    return 0;
  }
  const command = commandOf(argv, commands);
  const args = command && plainArguments(command, argv.slice(command.words.length));
  if (command !== undefined && args !== undefined) return command.run(args, shell);
  // yargs does the rest: help of a command, and messages for wrong usage.
  return (await import("./yargs-front.js")).runWithYargs(argv, commands, shell);
}

/** The arguments of a call that needs no more checks; undefined for every other call. */
function plainArguments(command: Command, argv: string[]): Arguments | undefined {
  const options = Object.entries(command.options);
  const types = options.map(
    ([name, { type }]) => [name, { type: type === "boolean" ? type : "string" }] as const,
  );
  try {
    const { values } = parseArgs({ args: argv, options: Object.fromEntries(types) });
    const isChecked = options.some(([name, { type, choices, required }]) =>
      values[name] === undefined ? required : type === "number" || choices,
    );
    return isChecked || command.positionals.length > 0 ? undefined : (values as Arguments);
  } catch {
    return undefined;
  }
}

function helpText(commands: readonly Command[]): string {
  const calls = commands.map((command) => [`connectorcli ${usageOf(command)}`, command.describe] as const);
  const width = Math.max(...calls.map(([call]) => call.length)) + 2;
  return [
    "connectorcli: makes, checks and runs connectors that are written as TypeBox schema modules.",
    "",
    "Commands:",
    ...calls.map(([call, describe]) => `  ${call.padEnd(width)}${describe}`),
    "",
    "connectorcli <command> --help shows the options of a command; connectorcli --version shows the version.",
    "Exit status: 0 done, 1 findings or a failed run, 2 wrong usage.",
    "",
  ].join("\n");
}
