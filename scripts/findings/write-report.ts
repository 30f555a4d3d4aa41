/** Writes what `check` found, in the format that was asked for; a format is loaded where it is used. */
import path from "node:path";
import type { ArgumentValue } from "../command-spec.js";
import { findingsJson, summaryOf, summaryText } from "../findings-text.js";
import type { Output } from "../output.js";
import type { FindingsReport, Reported } from "./reported.js";

/** What a command adds to the findings. */
export interface Additions {
  /** Findings that text and JSON tell in their own way. */
  readonly more?: readonly Reported[];
  readonly text?: string;
  readonly json?: object;
  /** Lines for people behind the summary. */
  readonly words?: readonly string[];
}

/** Findings to standard output, the summary to standard error; JSON holds its own. */
export async function writeReport(
  format: ArgumentValue,
  report: FindingsReport,
  output: Output,
  { more = [], text = "", json = {}, words = [] }: Additions = {},
): Promise<void> {
  const active = report.findings.filter(({ silenced }) => silenced === undefined);
  const silenced = report.findings.filter((found) => found.silenced !== undefined);
  const summary = { ...summaryOf(active), silenced: silenced.length };
  if (format === "json") {
    const lists = { diagnostics: asJson(active, report), silenced: asJson(silenced, report) };
    output.result(`${JSON.stringify({ ...lists, summary, ...json }, undefined, 2)}\n`);
    return;
  }
  const whole = { ...report, findings: [...report.findings, ...more] };
  output.result(await written(format, { report, whole, text, output }));
  output.say(summaryText(summary));
  for (const line of words) output.say(line);
}

interface Writing {
  readonly report: FindingsReport;
  readonly whole: FindingsReport;
  readonly text: string;
  readonly output: Output;
}

async function written(format: ArgumentValue, { report, whole, text, output }: Writing): Promise<string> {
  switch (format) {
    case "sarif":
      return (await import("./sarif.js")).sarifLog(whole);
    case "github":
      return (await import("./github.js")).githubAnnotations(whole);
    case "junit":
      return (await import("./junit.js")).junitReport(whole);
    default: {
      const { textReport } = await import("./text.js");
      return textReport(report, output.isTerminal) + text;
    }
  }
}

function asJson(findings: readonly Reported[], { folder }: FindingsReport): readonly object[] {
  return findingsJson(findings, path.resolve(folder));
}
