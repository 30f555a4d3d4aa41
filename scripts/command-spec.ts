/** What a command is: its words, what it takes, and how it runs. */
import type { Output } from "./output.js";

/** An option's value, as its type says. */
export type ArgumentValue = string | boolean | number | readonly string[] | undefined;
export type Arguments = Readonly<Record<string, ArgumentValue>>;

export interface OptionSpec {
  readonly type: "string" | "boolean" | "number";
  readonly describe: string;
  /** What a number says, and so which numbers it may be. */
  readonly counts?: "seconds" | "items" | "port";
  readonly choices?: readonly string[];
  readonly required?: boolean;
}

export interface PositionalSpec {
  readonly name: string;
  readonly describe: string;
  /** Whether the command itself asks for it, or says that it is missing. */
  readonly isAsked?: boolean;
  /** Whether it may be left out. */
  readonly isOptional?: boolean;
  /** Whether it takes all the words that come. */
  readonly isList?: boolean;
}

export interface CommandSpec {
  /** Words of the command: `import connector-json`. */
  readonly words: readonly string[];
  readonly describe: string;
  readonly positionals: readonly PositionalSpec[];
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** Loads the command and runs it; the exit status is 0 when done, 1 with findings. */
  readonly run: (args: Arguments, output: Output) => Promise<number>;
}

/** `import connector-json <file>`: how a command is called. */
export function usageOf({ words, positionals }: CommandSpec): string {
  return [...words, ...positionals.map(shownPositional)].join(" ");
}

/** How help writes a positional. */
export function shownPositional({ name, isOptional, isList }: PositionalSpec): string {
  const word = isList === true ? `${name}…` : name;
  return isOptional === true ? `[${word}]` : `<${word}>`;
}
