/** The whole command line by yargs: help of each command, strictness, and words for what is wrong. */
import yargs, { type Argv } from "yargs";
import { didYouMean } from "../schemas/naming/nearest.js";
import { type Arguments, type CommandSpec, shownPositional, usageOf } from "./command-spec.js";
import { COMMANDS } from "./command-table/index.js";
import type { Output } from "./output.js";
import { packageVersion } from "./package-files.js";

/** The longest that a timer of Node waits, 24 days. */
const MOST_SECONDS = 2_147_483;

/** Wrong usage: told to the user, with exit status 2. */
class UsageError extends Error {}

const NUMBERS = {
  seconds: {
    words: `a number of seconds above 0, at most ${MOST_SECONDS}`,
    isRight: (value: number) => value > 0 && value <= MOST_SECONDS,
  },
  items: {
    words: "a whole number from 0 up",
    isRight: (value: number) => Number.isSafeInteger(value) && value >= 0,
  },
  port: {
    words: "a port from 1 to 65535",
    isRight: (value: number) => Number.isInteger(value) && value >= 1 && value <= 65_535,
  },
} as const;

/** Runs `argv`; the exit status is the command's, or 2. */
export async function runWithYargs(argv: readonly string[], output: Output): Promise<number> {
  let status = 0;
  const groups = new Map<string, CommandSpec[]>();
  for (const command of COMMANDS) {
    const first = command.words[0] ?? "";
    groups.set(first, [...(groups.get(first) ?? []), command]);
  }
  const parser = yargs()
    .scriptName("connectorcli")
    .version(packageVersion())
    .help()
    .strict()
    .demandCommand(1, "Name a command.")
    .exitProcess(false)
    .parserConfiguration({
      "camel-case-expansion": false,
      // Without it, yargs keeps only the last word of a list.
      "duplicate-arguments-array": commandIn(argv)?.positionals.some(({ isList }) => isList) === true,
      "boolean-negation": false,
    })
    .fail((message, error) => {
      // yargs throws some of its own words, under this name.
      throw error === undefined || error.name === "YError" ? new UsageError(message) : error;
    });
  for (const [word, commands] of groups) {
    const run = async (command: CommandSpec, args: Arguments) => {
      checkNumbers(command, args);
      status = await command.run(args, output);
    };
    const [single] = commands;
    if (single !== undefined && single.words.length === 1) register(parser, single, usageOf(single), run);
    else {
      const describe = commands.map((command) => command.describe).join("; ");
      const words = `Name one of: ${commands.map((command) => command.words[1]).join(", ")}.`;
      parser.command(word, describe, (group) => {
        for (const command of commands)
          register(group, command, usageOf(command).slice(word.length + 1), run);
        return group.demandCommand(1, words).strict();
      });
    }
  }
  try {
    await parser.parseAsync([...argv], {}, (_error, _args, text) => {
      if (text !== "") output.result(`${text}\n`);
    });
    return status;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    output.say(`${wordsOf(error.message, argv)}${suggestion(error.message, argv)}`);
    output.say("connectorcli --help lists the commands, connectorcli <command> --help its options.");
    return 2;
  }
}

/** The usage as yargs reads it: what the command asks for may be left out. */
function pattern(usage: string, { positionals }: CommandSpec): string {
  return positionals.reduce((text, positional) => {
    const { name, isAsked, isOptional, isList } = positional;
    const word = isList === true ? `${name}..` : name;
    const isFree = isAsked === true || isOptional === true;
    return text.replace(shownPositional(positional), isFree ? `[${word}]` : `<${word}>`);
  }, usage);
}

function register(
  parser: Argv,
  command: CommandSpec,
  usage: string,
  run: (command: CommandSpec, args: Arguments) => Promise<void>,
): void {
  parser.command(
    pattern(usage, command),
    command.describe,
    (builder) => {
      for (const { name, describe, isAsked, isOptional, isList } of command.positionals)
        builder.positional(name, {
          type: "string",
          describe,
          demandOption: isAsked !== true && isOptional !== true,
          array: isList === true,
        });
      // A module has a version of its own.
      if (command.options["version"] !== undefined) builder.version(false);
      for (const [name, { type, describe, choices, required }] of Object.entries(command.options)) {
        builder.option(name, {
          type,
          describe,
          demandOption: required === true,
          requiresArg: type === "number",
          ...(choices && { choices }),
        });
      }
      return builder.strict();
    },
    (args) => run(command, args as Arguments),
  );
}

/** yargs takes any text for a number, and no text for no option. */
function checkNumbers({ options }: CommandSpec, args: Arguments): void {
  const wrong = Object.entries(options).flatMap(([name, { type, counts = "items" }]) => {
    const value = args[name];
    if (type !== "number" || value === undefined) return [];
    const { words, isRight } = NUMBERS[counts];
    return typeof value === "number" && isRight(value) ? [] : [`--${name}: expected ${words}.`];
  });
  if (wrong.length > 0) throw new UsageError(wrong.join("\n"));
}

function commandIn(argv: readonly string[]): CommandSpec | undefined {
  return COMMANDS.find(({ words }) => words.every((word, index) => argv[index] === word));
}

/** yargs counts what is missing; people want its name. */
function wordsOf(message: string, argv: readonly string[]): string {
  const command = commandIn(argv);
  if (command === undefined || !message.startsWith("Not enough non-option arguments")) return message;
  const names = command.positionals.map(({ name }) => name).join(", ");
  return `Missing argument: ${names}. Usage: connectorcli ${usageOf(command)}`;
}

/** The nearest right name for each one that yargs calls unknown. */
function suggestion(message: string, argv: readonly string[]): string {
  const unknown = /^Unknown (?:argument|command)s?: (.*)$/.exec(message)?.[1]?.split(", ") ?? [];
  const known = COMMANDS.filter(({ words }) => words[0] === argv[0]);
  const options = known.flatMap((command) => Object.keys(command.options));
  const words = COMMANDS.flatMap((command) => command.words);
  const nearest = unknown.map((name) => didYouMean(name, [...options, ...words])).join("");
  return nearest === "" ? "" : `.${nearest}`;
}
