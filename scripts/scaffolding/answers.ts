/** The options that a command can't do without: asked for on a terminal, an error with the whole list elsewhere. */
import type { Arguments, ArgumentValue } from "../command-spec.js";
import type { Output } from "../output.js";

/** Answers by the names of their options. */
export type Answers = Readonly<Record<string, string>>;

export interface Question {
  /** The option, or the positional argument, as the command line calls it. */
  readonly name: string;
  readonly isPositional?: boolean;
  readonly message: string;
  /** What is offered for an answer; nothing where anything may be typed. */
  readonly choices?: (answers: Answers) => readonly string[];
  readonly suggested?: (answers: Answers) => string;
}

/** Wrong usage, and the status of a run that Ctrl-C ended. */
const WRONG_USAGE = 2;
const INTERRUPTED = 130;

/** Says what is missing where nobody can be asked; the status to end with, or undefined where all is well. */
export function missingStatus(
  args: Arguments,
  questions: readonly Question[],
  output: Output,
): number | undefined {
  const missing = questions.filter(({ name }) => given(args[name]) === undefined);
  if (missing.length === 0 || canAsk()) return undefined;
  const names = missing.map(({ name, isPositional }) => (isPositional === true ? `<${name}>` : `--${name}`));
  output.say(`Missing: ${names.join(", ")}.`);
  for (const { message } of missing) output.say(`  ${names.shift()}: ${message}`);
  return WRONG_USAGE;
}

/** The answers to all questions: those given as options, the others asked for; or the status to end with. */
export async function answersTo(
  args: Arguments,
  questions: readonly Question[],
  output: Output,
): Promise<Answers | number> {
  const answers: Record<string, string> = {};
  for (const question of questions) {
    const answer = given(args[question.name]);
    if (answer !== undefined) answers[question.name] = answer;
  }
  try {
    for (const question of questions) answers[question.name] ??= await ask(question, answers);
    return answers;
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "ExitPromptError") throw error;
    output.say("Interrupted; nothing was written.");
    return INTERRUPTED;
  }
}

/** Questions are read from standard input and written to standard error; results keep standard output. */
function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

function given(value: ArgumentValue): string | undefined {
  return value === undefined || value === "" ? undefined : String(value);
}

async function ask({ message, choices, suggested }: Question, answers: Answers): Promise<string> {
  const context = { output: process.stderr };
  const offered = choices?.(answers) ?? [];
  // The prompts are only loaded where something is asked.
  if (offered.length > 0) {
    const { default: select } = await import("@inquirer/select");
    return select({ message, choices: offered.map((value) => ({ value })) }, context);
  }
  const { default: input } = await import("@inquirer/input");
  const suggestion = suggested?.(answers);
  return input(
    { message, required: true, ...(suggestion !== undefined && { default: suggestion }) },
    context,
  );
}
