/** Findings as SARIF 2.1.0: what code scanning services keep, compare and show beside the code. */

import { createHash } from "node:crypto";
import { CONNECTOR_JSON } from "../../generators/layout.js";
import type { RuleFamily } from "../../schemas/diagnostics/rules/rule.js";
import { CATALOGUE } from "../project-checks/catalogue.js";
import { type FindingsReport, fullMessage, pathUri, type ReportedFinding, reportRoot } from "./reported.js";

const LEVELS = { error: "error", warning: "warning", info: "note" } as const;

/** One log with one run; rules are those that found something. */
export function sarifLog({ findings, version, ...place }: FindingsReport): string {
  const root = reportRoot(place);
  const codes = [...new Set(findings.map(({ code }) => code))].sort();
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "connectorcli", version, rules: codes.map((code) => rule(code, findings)) } },
        columnKind: "utf16CodeUnits",
        results: findings.map((found) => ({
          ...result(found, root),
          ruleIndex: codes.indexOf(found.code),
        })),
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

function rule(code: string, findings: readonly ReportedFinding[]): object {
  const entries: RuleFamily = CATALOGUE;
  const entry = Object.hasOwn(entries, code) ? entries[code] : undefined;
  // A change has no words in the catalogue; those of the first one are taken.
  const first = findings.find((found) => found.code === code);
  const severity = entry?.severity ?? first?.severity ?? "warning";
  return {
    id: code,
    shortDescription: { text: words(entry?.message ?? code) },
    help: { text: words(entry?.fix ?? "Look at what changed.") },
    defaultConfiguration: { level: LEVELS[severity] },
    ...(entry && { properties: { section: entry.section } }),
  };
}

/** Parameters are shown as their names. */
function words(text: string): string {
  return text.replace(/\{(\w+)\}/g, "…");
}

function result(found: ReportedFinding, root: string): object {
  const { code, severity, file, line, column, pointer, silenced, elsewhere = [] } = found;
  const region = line !== undefined && {
    region: { startLine: line, ...(column !== undefined && { startColumn: column }) },
  };
  const uri = file === undefined ? CONNECTOR_JSON : pathUri(file, root);
  const logical = pointer !== undefined && {
    logicalLocations: [pointer, ...elsewhere].map((name) => ({ fullyQualifiedName: name, kind: "member" })),
  };
  return {
    ruleId: code,
    level: LEVELS[severity],
    message: { text: fullMessage(found) },
    locations: [
      { physicalLocation: { artifactLocation: { uri, uriBaseId: "%SRCROOT%" }, ...region }, ...logical },
    ],
    ...(elsewhere.length > 0 && { occurrenceCount: elsewhere.length + 1 }),
    partialFingerprints: { "connectorcli/v1": fingerprint(found, uri) },
    ...(silenced !== undefined && { suppressions: [{ kind: "inSource", justification: silenced }] }),
  };
}

/** Identifies the finding, also after lines were added above it. */
function fingerprint({ code, pointer = "", message }: ReportedFinding, uri: string): string {
  return createHash("sha256")
    .update(JSON.stringify([code, pointer, uri, message]))
    .digest("hex")
    .slice(0, 32);
}
