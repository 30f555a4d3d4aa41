/** A finding as formats write it: one of the catalogue, or a change that a comparison found. */
import type { Severity } from "../../schemas/diagnostics/catalogue.js";
import type { Place } from "../../schemas/diagnostics/diagnostic.js";

export interface Reported extends Omit<Place, "path"> {
  readonly code: string;
  readonly severity: Severity;
  /** Section of the connector interface document, such as `§2.6`; absent for changes. */
  readonly section?: string;
  readonly message: string;
  /** What to do, or more that is known. */
  readonly fix: string;
  /** Why the author has silenced it; such a finding counts, but stops nothing. */
  readonly silenced?: string;
}

/** What one run of `check` found. */
export interface FindingsReport {
  /** Sorted; silenced ones among them. */
  readonly findings: readonly Reported[];
  /** The project's folder, absolute. */
  readonly folder: string;
  /** The version of this tool. */
  readonly version: string;
}

/** The sentence, its section and what to do. */
export function fullMessage({ message, section, fix }: Reported): string {
  const sentence = section === undefined ? message : `${message} (${section})`;
  return fix === "" ? sentence : `${sentence} ${fix}`;
}
