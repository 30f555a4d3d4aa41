/** Findings as people and programs read them. */
import path from "node:path";
import { styleText } from "node:util";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { Severity } from "../../schemas/diagnostics/rules/rule.js";
import { otherPlaces } from "./one-per-place.js";
import { findingsByPlace, type ReportedFinding } from "./reported.js";

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
  /** How many places to show, the most severe ones; 0 shows all. @default 0 */
  readonly most?: number | undefined;
}

const RANKS = { info: 0, warning: 1, error: 2 } as const;

/**
 * Each finding with its place, its sentence and its fix, one for each place of the author's. Errors stand last, where a
 * terminal ends.
 */
export function findingsText(
  findings: readonly ReportedFinding[],
  { cwd, isColoured = false, excerptOf = () => "", most = 0 }: FindingsStyle,
): string {
  const places = [...findingsByPlace(findings)].sort((a, b) => RANKS[a.severity] - RANKS[b.severity]);
  const hidden = most === 0 ? 0 : Math.max(0, places.length - most);
  const shown = places.slice(hidden).map((found) => {
    const severity = isColoured ? styleText(COLOURS[found.severity], found.severity) : found.severity;
    const head = headText(found, cwd, severity);
    const section = found.section === undefined ? "" : ` (${found.section})`;
    const sentences = [`${found.message}${section}`, otherPlaces(found.elsewhere?.length ?? 0), found.fix];
    const lines = sentences.filter((line, index) => index !== 1 || line !== "");
    return `${head}\n${excerptOf(found)}${lines.map((line) => `    ${line}\n`).join("")}`;
  });
  return hidden === 0 ? shown.join("") : `${hiddenText(hidden)}\n${shown.join("")}`;
}

/** `schemas/app/project.ts:7:3  error  key-missing`. */
export function headText(found: ReportedFinding, cwd: string, severity: string = found.severity): string {
  return [placeText(found, cwd), severity, found.code].filter((part) => part !== "").join("  ");
}

function hiddenText(count: number): string {
  return `${countText(count, "place")} before these ${count === 1 ? "is" : "are"} not shown.`;
}

/** How many places of `findings` are listed before it helps to count them by code. */
const MANY_PLACES = 20;

/** Lines that count many findings by their codes, the most severe last; none for a few findings. */
export function countsByCode(findings: readonly ReportedFinding[]): readonly string[] {
  const places = findingsByPlace(findings);
  if (places.length <= MANY_PLACES) return [];
  return (["info", "warning", "error"] as const).flatMap((severity) => {
    const found = places.filter((place) => place.severity === severity);
    const codes = [...new Set(found.map(({ code }) => code))].sort();
    const counts = codes.map((code) => {
      const ofCode = found.filter((place) => place.code === code);
      const all = ofCode.reduce((sum, { elsewhere = [] }) => sum + 1 + elsewhere.length, 0);
      return `${all} ${code}${all === ofCode.length ? "" : ` at ${countText(ofCode.length, "place")}`}`;
    });
    return counts.length === 0 ? [] : [`${PLURALS[severity]}: ${counts.join(", ")}`];
  });
}

const PLURALS = { info: "notes", warning: "warnings", error: "errors" } as const;

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
