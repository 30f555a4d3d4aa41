/** What an author says of one finding, beside the property or definition that it is about. */

export interface SilencePlace {
  /** Any text: whether it is a code is checked where silences are applied. */
  readonly code: string;
  readonly reason: string;
  /** What messages call the place. */
  readonly what: string;
  /** A schema silences what is found at it; a definition also what is found in its options, such as keys. */
  readonly of: "schema" | "definition";
  readonly pointer: string;
  /** Names in code, from the call that defined it. */
  readonly path: readonly (string | number)[];
}
