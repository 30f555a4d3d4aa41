/** A reader that nobody has decided yet: it type-checks, and its data object is not read. */

/** What is asked before the data object can be read. */
export class UndecidedError extends Error {
  override readonly name = "UndecidedError";
  /** The question stays until somebody answers it in the code. */
  readonly retry = "never";
}

/** A reader that is not decided. It stands where a reader stands. */
export type UndecidedReader = (context: unknown) => AsyncIterable<never>;

/**
 * Stands in the place of a reader until its question is answered. A run ends with an `UndecidedError` for its data object,
 * before anything is deleted, and goes on with the others.
 * @param question What has to be known: a sentence.
 * @example
 * export const taskReader = undecided('"limit" is a parameter, but nothing says how the next page is asked for.');
 */
export function undecided(question: string): UndecidedReader {
  return () => ({
    [Symbol.asyncIterator]: () => ({
      next: () => Promise.reject(new UndecidedError(`Nobody has decided how this is read: ${question}`)),
    }),
  });
}
