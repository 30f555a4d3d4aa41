/** The severities that a project sets under `connectorcli.severities` in its package.json. */
import { findNodeAtLocation, type Node, parseTree } from "jsonc-parser";
import { DIAGNOSTIC_CODES, type DiagnosticCode, isDiagnosticCode } from "../../schemas/diagnostics/codes.js";
import {
  type Diagnostic,
  diagnostic,
  type Place,
  placeInText,
} from "../../schemas/diagnostics/diagnostic.js";
import type { Severity } from "../../schemas/diagnostics/rules/rule.js";
import { didYouMean } from "../../schemas/naming/nearest.js";
import { CATALOGUE } from "./catalogue.js";

export type Severities = ReadonlyMap<string, Severity | "off">;

export interface ReadSeverities {
  readonly severities: Severities;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the severities from the text of a package.json. A wrong entry is a finding, and is ignored. */
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

/**
 * `findings` with the severities of the project, without those that it turns off. Where it says nothing, the usual
 * reasons of rejection are errors if `isStrict`.
 */
export function withSeverities(
  findings: readonly Diagnostic[],
  severities: Severities,
  isStrict = false,
): readonly Diagnostic[] {
  if (severities.size === 0 && !isStrict) return findings;
  return findings.flatMap((found) => {
    const usual = isStrict && CATALOGUE[found.code].isErrorIfStrict === true ? "error" : found.severity;
    const severity = severities.get(found.code) ?? usual;
    return severity === "off" ? [] : [{ ...found, severity }];
  });
}

/** What is wrong with an entry; undefined if nothing is. What the platform rejects stays an error. */
function problemOf(code: string, value: Node | undefined, place: Place): Diagnostic | undefined {
  if (!isDiagnosticCode(code)) {
    const hint = didYouMean(code.slice(0, 60), DIAGNOSTIC_CODES);
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
