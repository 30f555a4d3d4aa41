/** Reports for tests of the formats. */
import fc from "fast-check";
import type { FindingsReport, ReportedFinding } from "../../scripts/findings/reported.js";

export function finding(change: Partial<ReportedFinding> = {}): ReportedFinding {
  return {
    code: "key-missing",
    severity: "error",
    section: "§2.6",
    message: "There is no key.",
    fix: "Declare one.",
    ...change,
  };
}

export function reportOf(findings: readonly ReportedFinding[], folder = "/project"): FindingsReport {
  return { findings, folder, cwd: process.cwd(), version: "1.2.3" };
}

const texts = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom(
    "]]>",
    "<![CDATA[",
    "a\u0000\u0007b",
    "\ud800",
    "%0A::error::",
    "line\r\nline",
    "a:b,c%",
    "&amp;",
    "￾",
  ),
);

/** Any findings, with texts that formats must escape. */
export const anyFindings = fc.array(
  fc.record({
    code: fc.constantFrom("key-missing", "name-empty", "part-removed"),
    severity: fc.constantFrom("error", "warning", "info"),
    message: texts,
    fix: texts,
    file: texts.map((text) => `/project/${text}`),
    line: fc.integer({ min: 1, max: 99 }),
    column: fc.integer({ min: 1, max: 99 }),
    pointer: texts,
  }) as fc.Arbitrary<ReportedFinding>,
  { maxLength: 5 },
);
