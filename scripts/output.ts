/** Where commands write: results to standard output, words for people to standard error. */

export interface Output {
  /** Writes a result. */
  result(text: string): void;
  /** Writes a line for people. */
  say(text: string): void;
  /** Whether results go to a terminal, and may be coloured. */
  readonly isTerminal: boolean;
}

/** The process's own streams. A reader that stops reading, as `head` does, ends the program quietly. */
export function processOutput(): Output {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(0);
  });
  return {
    result: (text) => void process.stdout.write(text),
    say: (text) => void process.stderr.write(`${text}\n`),
    isTerminal: process.stdout.isTTY === true && process.env["NO_COLOR"] === undefined,
  };
}
