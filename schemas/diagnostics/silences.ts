/** Single findings that an author has looked at and lets stand, with the reason beside the property or definition. */
import type { DiagnosticCode } from "./codes.js";

/**
 * The code of a finding, and why it does not matter here. A reason must be given. Warnings and notes can be silenced,
 * and errors that only the words of a name tell.
 *
 * @example
 * Type.String({ description: "E-mail of the office.", silence: { "sensitive-not-write-only": "It is public." } })
 */
export type Silence = { readonly [Code in DiagnosticCode]?: string };

/** A silence at its place. */
export interface PlacedSilence {
  /** Any string: whether it is a code is checked when silences are applied. */
  readonly code: string;
  readonly reason: string;
  /** What messages call the place. */
  readonly what: string;
  /** A silence of a schema covers findings at its place; one of a definition also those of its options, such as keys. */
  readonly of: "schema" | "definition";
  readonly pointer: string;
  /** Names in code from the call that defined it. */
  readonly path: readonly (string | number)[];
}
