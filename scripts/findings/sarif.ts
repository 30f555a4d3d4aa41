/** Findings as SARIF 2.1.0: what code scanning services keep, compare and show beside the code. */
import { createHash } from "node:crypto";
import { CATALOGUE, type CatalogueEntry } from "../../schemas/diagnostics/catalogue.js";
import { type FindingsReport, fullMessage, type Reported } from "./reported.js";
import { pathUri, reportRoot } from "./shown-path.js";

const LEVELS = { error: "error", warning: "warning", info: "note" } as const;

/** One log with one run; rules are those that found something. */
export function sarifLog({ findings, folder, version }: FindingsReport): string {
  const root = reportRoot(folder);
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

function rule(code: string, findings: readonly Reported[]): object {
  const entries: Readonly<Record<string, CatalogueEntry>> = CATALOGUE;
  const entry = Object.hasOwn(entries, code) ? entries[code] : undefined;
  // A change has words of its own only where it was found.
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

function result(found: Reported, root: string): object {
  const { code, severity, file, line, column, pointer, silenced } = found;
  const region = line !== undefined && {
    region: { startLine: line, ...(column !== undefined && { startColumn: column }) },
  };
  const uri = file === undefined ? "connector.json" : pathUri(file, root);
  const logical = pointer !== undefined && {
    logicalLocations: [{ fullyQualifiedName: pointer, kind: "member" }],
  };
  return {
    ruleId: code,
    level: LEVELS[severity],
    message: { text: fullMessage(found) },
    locations: [
      { physicalLocation: { artifactLocation: { uri, uriBaseId: "%SRCROOT%" }, ...region }, ...logical },
    ],
    partialFingerprints: { "connectorcli/v1": fingerprint(found, uri) },
    ...(silenced !== undefined && { suppressions: [{ kind: "inSource", justification: silenced }] }),
  };
}

/** The same finding after lines were added above it. */
function fingerprint({ code, pointer = "", message }: Reported, uri: string): string {
  return createHash("sha256")
    .update(JSON.stringify([code, pointer, uri, message]))
    .digest("hex")
    .slice(0, 32);
}
