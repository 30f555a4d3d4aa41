/** What generators give and the writer takes: text, its place, and who owns it from then on. */

/**
 * `generated`: the tool's, written again whenever its source changes.
 * `scaffold`: written once, the author's from then on.
 */
export type Ownership = "generated" | "scaffold";

export interface GeneratedFile {
  /** Relative to the project's folder, with `/` on every system. */
  readonly path: string;
  readonly content: string;
  readonly ownership: Ownership;
}
