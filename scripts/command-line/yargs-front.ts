/** The command line by yargs: help of each command, and messages for wrong usage. */
import yargs, { type Argv } from "yargs";
import { MAX_CONCURRENCY } from "../../runtime/action-processor/processor-options.js";
import { didYouMean } from "../../schemas/naming/nearest.js";
import { packageVersion } from "../system/package-files.js";
import { type Arguments, type Command, commandOf, shownPositional, usageOf } from "./command.js";
import type { Shell } from "./shell.js";

/** The longest that a timer of Node waits, 24 days. */
const MOST_SECONDS = 2_147_483;

/** Wrong usage: the message is printed, and the exit status is 2. */
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
  pages: {
    words: "a whole number from 1 up",
    isRight: (value: number) => Number.isSafeInteger(value) && value >= 1,
  },
  workers: {
    words: `a whole number from 1 to ${MAX_CONCURRENCY}`,
    isRight: (value: number) => Number.isInteger(value) && value >= 1 && value <= MAX_CONCURRENCY,
  },
  port: {
    words: "a port from 1 to 65535",
    isRight: (value: number) => Number.isInteger(value) && value >= 1 && value <= 65_535,
  },
} as const;

/** Runs the command of `commands` that `argv` names; returns its exit status, or 2 for wrong usage. */
export async function runWithYargs(
  argv: readonly string[],
  commands: readonly Command[],
  shell: Shell,
): Promise<number> {
  let status = 0;
  const groups = new Map<string, Command[]>();
  for (const command of commands) {
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
      "duplicate-arguments-array": hasLists(commandOf(argv, commands)),
      "boolean-negation": false,
    })
    .fail((message, error) => {
      // yargs throws some of its own words, under this name.
      throw error === undefined || error.name === "YError" ? new UsageError(message) : error;
    });
  for (const [word, members] of groups) {
    const run = async (command: Command, args: Arguments) => {
      checkNumbers(command, args);
      status = await command.run(restorePositionals(args), shell);
    };
    const [single] = members;
    if (single !== undefined && single.words.length === 1) register(parser, single, usageOf(single), run);
    else {
      const describe = members.map((command) => command.describe).join("; ");
      const words = `Name one of: ${members.map((command) => command.words[1]).join(", ")}.`;
      parser.command(word, describe, (group) => {
        for (const command of members) register(group, command, usageOf(command).slice(word.length + 1), run);
        return group.demandCommand(1, words).strict();
      });
    }
  }
  try {
    await parser.parseAsync(protectPositionals(argv), {}, (_error, _args, text) => {
      if (text !== "") shell.result(`${text}\n`);
    });
    return status;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const message = restoreText(error.message);
    shell.say(`${explainUsageError(message, argv, commands)}${suggestion(message, argv, commands)}`);
    shell.say("npx connectorcli --help lists the commands, npx connectorcli <command> --help its options.");
    return 2;
  }
}

function hasLists(command: Command | undefined): boolean {
  if (command === undefined) return false;
  return [...command.positionals, ...Object.values(command.options)].some(({ isList }) => isList === true);
}

/** No argument of a process can hold this character. */
const PROTECTED = "\0";

/** What stands behind `--` is never an option; yargs would take `-5` and `--name` for one in the place of a positional. */
function protectPositionals(argv: readonly string[]): string[] {
  const end = argv.indexOf("--");
  if (end === -1) return joinDashes(argv);
  return [...joinDashes(argv.slice(0, end)), ...argv.slice(end + 1).map((word) => `${PROTECTED}${word}`)];
}

/** `--input -` as one word: yargs takes the dash, which is standard input, for no value if another option follows. */
function joinDashes(words: readonly string[]): string[] {
  return words.flatMap((word, index) => {
    if (word === "-" && isBareOption(words[index - 1])) return [];
    return words[index + 1] === "-" && isBareOption(word) ? [`${word}=-`] : [word];
  });
}

function isBareOption(word: string | undefined): boolean {
  return word !== undefined && /^--[^=]+$/.test(word);
}

function restorePositionals(args: Arguments): Arguments {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      typeof value === "string"
        ? restoreText(value)
        : Array.isArray(value)
          ? value.map((item) => (typeof item === "string" ? restoreText(item) : item))
          : value,
    ]),
  );
}

function restoreText(text: string): string {
  return text.replaceAll(PROTECTED, "");
}

/** The usage in the syntax of yargs; what the command itself asks for is optional there. */
function pattern(usage: string, { positionals }: Command): string {
  return positionals.reduce((text, positional) => {
    const { name, isAsked, isOptional, isList } = positional;
    const word = isList === true ? `${name}..` : name;
    const isFree = isAsked === true || isOptional === true;
    return text.replace(shownPositional(positional), isFree ? `[${word}]` : `<${word}>`);
  }, usage);
}

function register(
  parser: Argv,
  command: Command,
  usage: string,
  run: (command: Command, args: Arguments) => Promise<void>,
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
      for (const [name, { type, describe, choices, required, isList }] of Object.entries(command.options)) {
        builder.option(name, {
          type,
          describe,
          demandOption: required === true,
          requiresArg: type === "number" || isList === true,
          array: isList === true,
          ...(choices && { choices }),
        });
      }
      return builder.strict();
    },
    (args) => run(command, args as Arguments),
  );
}

/** yargs takes any text for a number, and no text for no option. */
function checkNumbers({ options }: Command, args: Arguments): void {
  const wrong = Object.entries(options).flatMap(([name, { type, counts = "items" }]) => {
    const value = args[name];
    if (type !== "number" || value === undefined) return [];
    const { words, isRight } = NUMBERS[counts];
    return typeof value === "number" && isRight(value) ? [] : [`--${name}: expected ${words}.`];
  });
  if (wrong.length > 0) throw new UsageError(wrong.join("\n"));
}

/** yargs counts what is missing; people want its name. */
function explainUsageError(message: string, argv: readonly string[], commands: readonly Command[]): string {
  const command = commandOf(argv, commands);
  const [, given] = /^Not enough non-option arguments: got (\d+)/.exec(message) ?? [];
  if (command === undefined || given === undefined) return message;
  const missing = command.positionals.slice(Number(given)).map(({ name }) => name);
  return `Missing argument: ${missing.join(", ")}. Usage: npx connectorcli ${usageOf(command)}`;
}

/** The nearest right name for each one that yargs calls unknown. */
function suggestion(message: string, argv: readonly string[], commands: readonly Command[]): string {
  const unknown = /^Unknown (?:argument|command)s?: (.*)$/.exec(message)?.[1]?.split(", ") ?? [];
  const known = commands.filter(({ words }) => words[0] === argv[0]);
  const options = known.flatMap((command) => Object.keys(command.options));
  const words = commands.flatMap((command) => command.words);
  const nearest = unknown.map((name) => didYouMean(name, [...options, ...words])).join("");
  return nearest === "" ? "" : `.${nearest}`;
}
