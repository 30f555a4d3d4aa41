/** The options that a command can't do without: on a terminal it asks for them, elsewhere it lists what is missing. */
import type { Arguments, ArgumentValue } from "./command.js";
import type { Shell } from "./shell.js";

/** Answers by the names of their options. */
export type Answers = Readonly<Record<string, string>>;

export interface Question {
  /** The option, or the positional argument, as the command line calls it. */
  readonly name: string;
  readonly isPositional?: boolean;
  readonly message: string;
  /** The answers to choose from. @default anything can be typed */
  readonly choices?: (answers: Answers) => readonly string[];
  /** The answer that Enter gives. */
  readonly suggestion?: (answers: Answers) => string;
}

/** Wrong usage, and the status of a run that Ctrl-C ended. */
const WRONG_USAGE = 2;
const INTERRUPTED = 130;

/** If nobody can be asked and something is missing, says what and returns the exit status; undefined otherwise. */
export function reportMissing(
  args: Arguments,
  questions: readonly Question[],
  shell: Shell,
): number | undefined {
  const missing = questions.filter(({ name }) => answerOf(args[name]) === undefined);
  if (missing.length === 0 || shell.canAsk) return undefined;
  const names = missing.map(({ name, isPositional }) => (isPositional === true ? `<${name}>` : `--${name}`));
  shell.say(`Missing: ${names.join(", ")}.`);
  for (const { message } of missing) shell.say(`  ${names.shift()}: ${message}`);
  return WRONG_USAGE;
}

/** The answers to all questions, those that no option gives asked for; the exit status if the user interrupts. */
export async function askQuestions(
  args: Arguments,
  questions: readonly Question[],
  shell: Shell,
): Promise<Answers | number> {
  const answers: Record<string, string> = {};
  for (const question of questions) {
    const answer = answerOf(args[question.name]);
    if (answer !== undefined) answers[question.name] = answer;
  }
  try {
    for (const question of questions) answers[question.name] ??= await ask(question, answers);
    return answers;
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "ExitPromptError") throw error;
    shell.say("Interrupted; nothing was written.");
    return INTERRUPTED;
  }
}

function answerOf(value: ArgumentValue): string | undefined {
  return value === undefined || value === "" ? undefined : String(value);
}

/** Questions are read from standard input and written to standard error; results keep standard output. */
async function ask({ message, choices, suggestion }: Question, answers: Answers): Promise<string> {
  const context = { output: process.stderr };
  const offered = choices?.(answers) ?? [];
  // The prompts are only loaded where something is asked.
  if (offered.length > 0) {
    const { default: select } = await import("@inquirer/select");
    return select({ message, choices: offered.map((value) => ({ value })) }, context);
  }
  const { default: input } = await import("@inquirer/input");
  const suggested = suggestion?.(answers);
  return input({ message, required: true, ...(suggested !== undefined && { default: suggested }) }, context);
}
