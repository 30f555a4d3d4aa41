/** Findings as a JUnit report: every error is a failed test, so that a server that knows only tests shows them. */
import { CONNECTOR_JSON } from "../../generators/layout.js";
import {
  displayPath,
  type FindingsReport,
  fullMessage,
  type ReportedFinding,
  reportRoot,
} from "./reported.js";

/** A suite a file, a case a finding: errors fail, warnings pass with their words, silenced ones are skipped. */
export function junitReport({ findings, ...place }: FindingsReport): string {
  const root = reportRoot(place);
  const suites = new Map<string, ReportedFinding[]>();
  for (const found of findings) {
    const file = found.file === undefined ? CONNECTOR_JSON : displayPath(found.file, root);
    suites.set(file, [...(suites.get(file) ?? []), found]);
  }
  const body =
    suites.size === 0
      ? `  <testsuite name="connector" tests="1" failures="0" skipped="0">
    <testcase classname="connector" name="no findings"/>
  </testsuite>
`
      : [...suites].map(([file, found]) => suite(file, found)).join("");
  const counts = countsOf(findings, Math.max(1, findings.length));
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="connectorcli check" ${counts}>
${body}</testsuites>
`;
}

function suite(file: string, findings: readonly ReportedFinding[]): string {
  const name = xml(file);
  const cases = findings.map((found) => {
    const place = found.line === undefined ? (found.pointer ?? "") : `${found.line}:${found.column ?? 1}`;
    const title = xml(`${found.code} ${place}`.trim());
    const line = found.line === undefined ? "" : ` line="${found.line}"`;
    return `    <testcase classname="${name}" name="${title}" file="${name}"${line}>${outcome(found)}</testcase>\n`;
  });
  return `  <testsuite name="${name}" ${countsOf(findings, findings.length)}>\n${cases.join("")}  </testsuite>\n`;
}

function countsOf(findings: readonly ReportedFinding[], tests: number): string {
  const skipped = findings.filter(({ silenced }) => silenced !== undefined).length;
  const failures = findings.filter(isFailure).length;
  return `tests="${tests}" failures="${failures}" skipped="${skipped}"`;
}

function isFailure({ severity, silenced }: ReportedFinding): boolean {
  return severity === "error" && silenced === undefined;
}

function outcome(found: ReportedFinding): string {
  if (found.silenced !== undefined) return `<skipped message="${xml(`silenced: ${found.silenced}`)}"/>`;
  const text = xml(fullMessage(found));
  if (!isFailure(found)) return `<system-out>${found.severity}: ${text}</system-out>`;
  return `<failure type="${xml(found.code)}" message="${xml(found.message)}">${text}</failure>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  "\n": "&#10;",
  "\r": "&#13;",
  "\t": "&#9;",
};

/** `text` inside an element or an attribute; what XML can't hold is shown by its number. */
function xml(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, (character) => {
      const code = character.codePointAt(0) ?? 0;
      return `\\u${code.toString(16).padStart(4, "0")}`;
    })
    .replace(/[&<>"'\n\r\t]/g, (character) => ENTITIES[character] ?? character);
}
