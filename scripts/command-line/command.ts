/** What a command is: its words, what it takes, and how it runs. */
import type { Shell } from "./shell.js";

/** The value of an option or of a positional argument. */
export type ArgumentValue = string | boolean | number | readonly string[] | undefined;
export type Arguments = Readonly<Record<string, ArgumentValue>>;

export interface OptionSpec {
  readonly type: "string" | "boolean" | "number";
  readonly describe: string;
  /** What a number counts, which decides its range. @default "items" */
  readonly counts?: "seconds" | "items" | "pages" | "port" | "workers";
  readonly choices?: readonly string[];
  readonly required?: boolean;
  /** Whether it takes all the words that come. @default false */
  readonly isList?: boolean;
}

export interface PositionalSpec {
  readonly name: string;
  readonly describe: string;
  /** Whether the command itself asks for it, or reports that it is missing. */
  readonly isAsked?: boolean;
  /** Whether it may be left out. */
  readonly isOptional?: boolean;
  /** Whether it takes all the words that come. */
  readonly isList?: boolean;
}

export interface Command {
  /** Words of the command: `import connector-json`. */
  readonly words: readonly string[];
  readonly describe: string;
  readonly positionals: readonly PositionalSpec[];
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** Loads the command and runs it; returns the exit status: 0 if it is done, 1 with findings, 2 for wrong usage. */
  readonly run: (args: Arguments, shell: Shell) => Promise<number>;
}

/** The command of `commands` that `argv` begins with. */
export function commandOf(argv: readonly string[], commands: readonly Command[]): Command | undefined {
  return commands.find(({ words }) => words.every((word, index) => argv[index] === word));
}

/** `import connector-json <file>`: how a command is called. */
export function usageOf({ words, positionals }: Command): string {
  return [...words, ...positionals.map(shownPositional)].join(" ");
}

/** How help writes a positional. */
export function shownPositional({ name, isOptional, isList }: PositionalSpec): string {
  const word = isList === true ? `${name}…` : name;
  return isOptional === true ? `[${word}]` : `<${word}>`;
}
