/** What generators give and the writer takes: text, its place, and who owns it from then on. */

/**
 * `generated`: the tool's, written again whenever its source changes; an edit by hand stops the run.
 * `scaffold`: written once, the author's from then on.
 * `filled`: the author's values with what the caller merged into them; readable by its owner only (mode 0600).
 * `edited`: the author's, changed in place.
 */
export type Ownership = GeneratedFile["ownership"];

export type GeneratedFile = WholeFile | FilledFile | EditedFile;

interface FileText {
  /** Relative to the project's folder, with `/` on every system. */
  readonly path: string;
  readonly content: string;
}

export interface WholeFile extends FileText {
  readonly ownership: "generated" | "scaffold";
}

export interface FilledFile extends FileText {
  readonly ownership: "filled";
  /** The text that `content` was merged into, where there was one: nothing else is replaced. */
  readonly read?: string;
}

export interface EditedFile extends FileText {
  readonly ownership: "edited";
  /** The text that `content` was made from: nothing else is replaced. */
  readonly read: string;
}
