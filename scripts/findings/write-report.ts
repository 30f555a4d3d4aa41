/** Writes what `check` found, in the format that was asked for; a format is loaded where it is used. */
import path from "node:path";
import type { Output } from "../command-line/shell.js";
import { countsByCode, findingsJson, findingsText, summaryOf, summaryText } from "./findings-text.js";
import { type FindingsReport, findingsByPlace, type ReportedFinding } from "./reported.js";

/** What a command adds to the findings. */
export interface Additions {
  /** Findings that text and JSON have in a form of their own. */
  readonly more?: readonly ReportedFinding[];
  readonly text?: string;
  readonly json?: object;
  /** Lines for people behind the summary. */
  readonly words?: readonly string[];
  /** How many places the text shows, the most severe ones; 0 shows all. @default 0 */
  readonly most?: number | undefined;
}

/**
 * Findings to standard output, the summary to standard error; JSON holds its own. JSON has every finding, all other
 * formats one for each place of the author's.
 */
export async function writeReport(
  format: string | undefined,
  report: FindingsReport,
  output: Output,
  { more = [], text = "", json = {}, words = [], most }: Additions = {},
): Promise<void> {
  const active = report.findings.filter(isActive);
  const silenced = report.findings.filter((found) => found.silenced !== undefined);
  const summary = { ...summaryOf(active), silenced: silenced.length };
  if (format === "json") {
    const lists = { diagnostics: toJson(active, report), silenced: toJson(silenced, report) };
    output.result(`${JSON.stringify({ ...lists, summary, ...json }, undefined, 2)}\n`);
    return;
  }
  const whole = { ...report, findings: findingsByPlace([...report.findings, ...more]) };
  output.result(await formatReport(format, { report, whole, text, output, most }));
  for (const line of countsByCode(active)) output.say(line);
  output.say(summaryText(summary));
  for (const line of words) output.say(line);
}

function isActive({ silenced }: ReportedFinding): boolean {
  return silenced === undefined;
}

interface Writing {
  readonly report: FindingsReport;
  readonly whole: FindingsReport;
  readonly text: string;
  readonly output: Output;
  readonly most: number | undefined;
}

async function formatReport(
  format: string | undefined,
  { report, whole, text, output, most }: Writing,
): Promise<string> {
  switch (format) {
    case "sarif":
      return (await import("./sarif.js")).sarifLog(whole);
    case "github":
      return (await import("./github.js")).githubAnnotations(whole);
    case "junit":
      return (await import("./junit.js")).junitReport(whole);
    default: {
      const { sourceExcerpts } = await import("./source-excerpt.js");
      const style = { cwd: report.cwd, isColoured: output.isTerminal, excerptOf: sourceExcerpts(), most };
      // Silenced findings are left out; the summary counts them.
      return findingsText(report.findings.filter(isActive), style) + text;
    }
  }
}

function toJson(findings: readonly ReportedFinding[], { folder }: FindingsReport): readonly object[] {
  return findingsJson(findings, path.resolve(folder));
}
