/** Findings as people and programs read them. */
import path from "node:path";
import { styleText } from "node:util";
import type { Severity } from "../schemas/diagnostics/catalogue.js";
import type { Diagnostic } from "../schemas/diagnostics/diagnostic.js";
import type { Reported } from "./findings/reported.js";

const COLOURS = { error: "red", warning: "yellow", info: "cyan" } as const;

export interface Summary {
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
  /** Findings that their author silenced with a reason. */
  readonly silenced?: number;
}

/**
 * Each finding with its place, its sentence and its fix, below the lines that `excerptOf` gives. Files are shown
 * relative to the current folder.
 */
export function findingsText(
  findings: readonly Reported[],
  coloured: boolean,
  excerptOf: (found: Reported) => string = () => "",
): string {
  return findings
    .map((found) => {
      const severity = coloured ? styleText(COLOURS[found.severity], found.severity) : found.severity;
      const head = [placeText(found), severity, found.code].filter((part) => part !== "").join("  ");
      const section = found.section === undefined ? "" : ` (${found.section})`;
      return `${head}\n${excerptOf(found)}    ${found.message}${section}\n    ${found.fix}\n`;
    })
    .join("");
}

/** `2 errors, 1 warning`. */
export function summaryText({ errors, warnings, infos, silenced = 0 }: Summary): string {
  const counts = [
    counted(errors, "error"),
    counted(warnings, "warning"),
    ...(infos > 0 ? [counted(infos, "note")] : []),
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
  diagnostics: readonly (Reported & Pick<Diagnostic, "path">)[],
  folder: string,
): readonly object[] {
  return diagnostics.map(({ path: _, ...found }) =>
    found.file === undefined
      ? found
      : { ...found, file: path.relative(folder, found.file).split(path.sep).join("/") || "." },
  );
}

function placeText({ file, line, column, pointer }: Reported): string {
  if (file === undefined) return pointer ?? "";
  const relative = path.relative(process.cwd(), file);
  const shown = relative === "" ? "." : relative.startsWith("..") ? file : relative;
  return [shown, line, column].filter((part) => part !== undefined).join(":");
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
