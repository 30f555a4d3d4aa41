/** Findings as people and programs read them. */
import path from "node:path";
import { styleText } from "node:util";
import type { Severity } from "../schemas/diagnostics/catalogue.js";
import type { Diagnostic } from "../schemas/diagnostics/diagnostic.js";

const COLOURS = { error: "red", warning: "yellow", info: "cyan" } as const;

export interface Summary {
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
}

/** Each finding with its place, its sentence and its fix. Files are shown relative to the current folder. */
export function findingsText(diagnostics: readonly Diagnostic[], coloured: boolean): string {
  return diagnostics
    .map((found) => {
      const severity = coloured ? styleText(COLOURS[found.severity], found.severity) : found.severity;
      const head = [placeText(found), severity, found.code].filter((part) => part !== "").join("  ");
      return `${head}\n    ${found.message} (${found.section})\n    ${found.fix}\n`;
    })
    .join("");
}

/** `2 errors, 1 warning`. */
export function summaryText({ errors, warnings, infos }: Summary): string {
  const counts = [
    counted(errors, "error"),
    counted(warnings, "warning"),
    ...(infos > 0 ? [counted(infos, "note")] : []),
  ];
  return counts.join(", ");
}

export function summaryOf(diagnostics: readonly Diagnostic[]): Summary {
  const count = (severity: Severity) => diagnostics.filter((found) => found.severity === severity).length;
  return { errors: count("error"), warnings: count("warning"), infos: count("info") };
}

/** Findings for programs: files relative to `folder`, with `/` on every system. */
export function findingsJson(diagnostics: readonly Diagnostic[], folder: string): readonly object[] {
  return diagnostics.map(({ path: _, ...found }) =>
    found.file === undefined
      ? found
      : { ...found, file: path.relative(folder, found.file).split(path.sep).join("/") || "." },
  );
}

function placeText({ file, line, column, pointer }: Diagnostic): string {
  if (file === undefined) return pointer ?? "";
  const relative = path.relative(process.cwd(), file);
  const shown = relative === "" ? "." : relative.startsWith("..") ? file : relative;
  return [shown, line, column].filter((part) => part !== undefined).join(":");
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
