/** Severities as a project wants them: the key `connectorcli.severities` of its package.json. */
import { findNodeAtLocation, type Node, parseTree } from "jsonc-parser";
import { isDiagnosticCode } from "../../schemas/checks/silences.js";
import { CATALOGUE, type DiagnosticCode, type Severity } from "../../schemas/diagnostics/catalogue.js";
import { type Diagnostic, diagnostic, type Place } from "../../schemas/diagnostics/diagnostic.js";
import { placeInText } from "../../schemas/diagnostics/place-in-text.js";
import { didYouMean } from "../../schemas/naming/nearest.js";

export type Severities = ReadonlyMap<string, Severity | "off">;

export interface ReadSeverities {
  readonly severities: Severities;
  readonly diagnostics: readonly Diagnostic[];
}

/** What the package.json `text` says; what is wrong in it is told, and counts for nothing. */
export function readSeverities(text: string, file: string): ReadSeverities {
  const tree = parseTree(text);
  const node = tree && findNodeAtLocation(tree, ["connectorcli", "severities"]);
  const severities = new Map<string, Severity | "off">();
  const diagnostics: Diagnostic[] = [];
  if (node === undefined) return { severities, diagnostics };
  for (const member of node.type === "object" ? (node.children ?? []) : []) {
    const [key, value] = member.children ?? [];
    const code = String(key?.value);
    const wrong = problemOf(code, value, placeInText({ file, text }, member.offset));
    if (wrong !== undefined) diagnostics.push(wrong);
    else severities.set(code, value?.value);
  }
  if (node.type !== "object") {
    const parameters = { code: "severities", actual: `a ${node.type}, not an object of codes` };
    diagnostics.push(diagnostic("severity-invalid", placeInText({ file, text }, node.offset), parameters));
  }
  return { severities, diagnostics };
}

/** The findings with the severities of the project, without those that are turned off. */
export function withSeverities(
  findings: readonly Diagnostic[],
  severities: Severities,
): readonly Diagnostic[] {
  if (severities.size === 0) return findings;
  return findings.flatMap((found) => {
    const severity = severities.get(found.code) ?? found.severity;
    return severity === "off" ? [] : [{ ...found, severity }];
  });
}

/** What a platform rejects stays an error: only warnings and notes are a project's to weigh. */
function problemOf(code: string, value: Node | undefined, place: Place): Diagnostic | undefined {
  if (!isDiagnosticCode(code)) {
    const hint = didYouMean(code.slice(0, 60), Object.keys(CATALOGUE));
    return diagnostic("severity-code-unknown", place, { code, hint });
  }
  const severity: unknown = value?.value;
  if (severity !== "error" && severity !== "warning" && severity !== "off") {
    const actual = typeof severity === "string" ? `"${severity}"` : `a ${value?.type ?? "hole"}`;
    return diagnostic("severity-invalid", place, { code, actual });
  }
  return isFixed(code) && severity !== "error" ? diagnostic("severity-fixed", place, { code }) : undefined;
}

function isFixed(code: DiagnosticCode): boolean {
  return CATALOGUE[code].severity === "error";
}
