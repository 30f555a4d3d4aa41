/** Findings and paths as reports write them. */
import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Place } from "../../schemas/diagnostics/diagnostic.js";
import type { Severity } from "../../schemas/diagnostics/rules/rule.js";
import { onePerPlace, otherPlaces } from "./one-per-place.js";

/** A finding as formats write it: one of the catalogue, or a change that a comparison found. */
export interface ReportedFinding extends Omit<Place, "path"> {
  readonly code: string;
  readonly severity: Severity;
  /** Section of the connector interface document, such as `§2.6`; absent for changes. */
  readonly section?: string;
  readonly message: string;
  /** What to do; for a change, a value that shows it. */
  readonly fix: string;
  /** The reason if the author has silenced it; such a finding counts, but stops nothing. */
  readonly silenced?: string;
  /** Pointers of the other places that the same line of the author makes, and that this finding stands for. */
  readonly elsewhere?: readonly string[];
}

/** `findings` in their order, one for each place of the author's. */
export function findingsByPlace(findings: readonly ReportedFinding[]): readonly ReportedFinding[] {
  const groups = onePerPlace(findings, (found) => ({
    ...found,
    severity: `${found.severity} ${found.silenced ?? ""}`,
  }));
  return groups.map(({ first, others }) =>
    others.length === 0 ? first : { ...first, elsewhere: others.map(({ pointer = "" }) => pointer) },
  );
}

/** What one run of `check` found. */
export interface FindingsReport {
  /** Sorted; silenced ones among them. */
  readonly findings: readonly ReportedFinding[];
  /** The project's folder, absolute. */
  readonly folder: string;
  /** The folder that the command was called in, absolute. */
  readonly cwd: string;
  /** The version of this tool. */
  readonly version: string;
}

/** The sentence, its section and what to do. */
export function fullMessage({ message, section, fix, elsewhere = [] }: ReportedFinding): string {
  const sentence = section === undefined ? message : `${message} (${section})`;
  const others = otherPlaces(elsewhere.length);
  return [sentence, ...[others, fix].filter((part) => part !== "")].join(" ");
}

/** The folder that reviewers see paths from: that of the git repository around `folder`, or `cwd`. */
export function reportRoot({ folder, cwd }: Pick<FindingsReport, "folder" | "cwd">): string {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    // In a worktree or submodule it is a file.
    if (existsSync(path.join(at, ".git"))) return at;
    if (path.dirname(at) === at) return cwd;
  }
}

/** `file` from `root`; absolute if it is elsewhere. */
export function displayPath(file: string, root: string): string {
  const relative = path.relative(root, path.resolve(file));
  if (relative === "") return ".";
  const isOutside = relative === ".." || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative);
  return (isOutside ? path.resolve(file) : relative).split(path.sep).join("/");
}

/** The same as a reference that SARIF takes. */
export function pathUri(file: string, root: string): string {
  const shown = displayPath(file, root);
  if (path.isAbsolute(shown)) return pathToFileURL(shown).href;
  return shown.split("/").map(encodeURIComponent).join("/");
}
