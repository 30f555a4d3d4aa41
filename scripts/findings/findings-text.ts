/** Findings as people and programs read them. */
import path from "node:path";
import { styleText } from "node:util";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { Severity } from "../../schemas/diagnostics/rules/rule.js";
import type { ReportedFinding } from "./reported.js";

const COLOURS = { error: "red", warning: "yellow", info: "cyan" } as const;

export interface Summary {
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
  /** Findings that their author silenced with a reason. */
  readonly silenced?: number;
}

/** How findings are shown to people. */
export interface FindingsStyle {
  /** The folder that files are shown relative to, absolute. */
  readonly cwd: string;
  /** @default false */
  readonly isColoured?: boolean;
  /** Lines of code to show above the sentence of a finding. @default none */
  readonly excerptOf?: (found: ReportedFinding) => string;
}

/** Each finding with its place, its sentence and its fix. */
export function findingsText(
  findings: readonly ReportedFinding[],
  { cwd, isColoured = false, excerptOf = () => "" }: FindingsStyle,
): string {
  return findings
    .map((found) => {
      const severity = isColoured ? styleText(COLOURS[found.severity], found.severity) : found.severity;
      const head = [placeText(found, cwd), severity, found.code].filter((part) => part !== "").join("  ");
      const section = found.section === undefined ? "" : ` (${found.section})`;
      return `${head}\n${excerptOf(found)}    ${found.message}${section}\n    ${found.fix}\n`;
    })
    .join("");
}

/** `2 errors, 1 warning`. */
export function summaryText({ errors, warnings, infos, silenced = 0 }: Summary): string {
  const counts = [
    countText(errors, "error"),
    countText(warnings, "warning"),
    ...(infos > 0 ? [countText(infos, "note")] : []),
    ...(silenced > 0 ? [`${silenced} silenced`] : []),
  ];
  return counts.join(", ");
}

export function summaryOf(diagnostics: readonly Pick<Diagnostic, "severity">[]): Summary {
  const count = (severity: Severity) => diagnostics.filter((found) => found.severity === severity).length;
  return { errors: count("error"), warnings: count("warning"), infos: count("info") };
}

/** Findings for programs: files relative to `folder`, with `/` on every system. */
export function findingsJson(
  diagnostics: readonly (ReportedFinding & Pick<Diagnostic, "path">)[],
  folder: string,
): readonly object[] {
  return diagnostics.map(({ path: _, ...found }) =>
    found.file === undefined
      ? found
      : { ...found, file: path.relative(folder, found.file).split(path.sep).join("/") || "." },
  );
}

function placeText({ file, line, column, pointer }: ReportedFinding, cwd: string): string {
  if (file === undefined) return pointer ?? "";
  const relative = path.relative(cwd, file);
  const shown = relative === "" ? "." : relative.startsWith("..") ? file : relative;
  return [shown, line, column].filter((part) => part !== undefined).join(":");
}

function countText(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
