/** Where a command was called: its folder, its environment, its streams. Commands know the process by this alone. */

/** Results go to standard output, words for people to standard error. */
export interface Output {
  /** Writes a result. */
  result(text: string): void;
  /** Writes a line for people. */
  say(text: string): void;
  /** Whether results go to a terminal, and may be coloured. */
  readonly isTerminal: boolean;
  /** Columns of the terminal that results go to; undefined if they go elsewhere. */
  readonly columns?: number | undefined;
}

export interface Shell extends Output {
  /** The folder that relative paths start from, absolute. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether progress bars can be drawn on standard error. */
  readonly hasBars: boolean;
  /** Whether the user can be asked: a terminal on standard input and on standard error. */
  readonly canAsk: boolean;
  /** Writes text to standard error as it is. */
  write(text: string): void;
  /** The text of standard input. */
  input(): string;
  /** Called before much code runs for a short time. */
  delayOptimization(): void;
  /** Runs `use`, with a signal that is aborted if the user interrupts it. */
  interruptible<Result>(
    use: (signal: AbortSignal) => Promise<Result>,
    signals?: readonly ("SIGINT" | "SIGTERM")[],
  ): Promise<Result>;
}
