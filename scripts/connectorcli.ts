#!/usr/bin/env node
/** The command line's front: help and plain calls are answered without loading more than they need. */
import { parseArgs } from "node:util";
import { type Arguments, type CommandSpec, usageOf } from "./command-spec.js";
import { COMMANDS } from "./command-table/index.js";
import { processOutput } from "./output.js";
import { packageVersion } from "./package-files.js";

process.exitCode = await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<number> {
  const output = processOutput();
  if (argv.length === 0 || (argv.length === 1 && ["--help", "-h", "help"].includes(argv[0] ?? ""))) {
    output.result(helpText());
    return argv.length === 0 ? 2 : 0;
  }
  if (argv.length === 1 && ["--version", "-v"].includes(argv[0] ?? "")) {
    output.result(`${packageVersion()}\n`);
    return 0;
  }
  const command = COMMANDS.find(({ words }) => words.every((word, index) => argv[index] === word));
  const args = command && plainArguments(command, argv.slice(command.words.length));
  if (command !== undefined && args !== undefined) return command.run(args, output);
  // Whatever is not a plain, right call is yargs's: help of a command, and words for a wrong one.
  return (await import("./yargs-front.js")).runWithYargs(argv, output);
}

/** The arguments of a call that is right as it stands; undefined for every other. */
function plainArguments(command: CommandSpec, argv: string[]): Arguments | undefined {
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

function helpText(): string {
  const calls = COMMANDS.map((command) => [`connectorcli ${usageOf(command)}`, command.describe] as const);
  const width = Math.max(...calls.map(([call]) => call.length)) + 2;
  return [
    "connectorcli: a connector from TypeBox schema modules.",
    "",
    "Commands:",
    ...calls.map(([call, describe]) => `  ${call.padEnd(width)}${describe}`),
    "",
    "connectorcli <command> --help tells the options of a command; connectorcli --version the version.",
    "Exit status: 0 done, 1 findings or a failed run, 2 wrong usage.",
    "",
  ].join("\n");
}
