/** What a finding means, why it matters, and how the code should be. */
import {
  DEAD_LETTER_REASONS,
  type DeadLetterReason,
} from "../../runtime/action-processor/dead-letter-codes.js";
import { CHANGES, type ChangeEntry } from "../../schemas/compatibility/change-catalogue.js";
import { type DiagnosticCode, isDiagnosticCode } from "../../schemas/diagnostics/codes.js";
import { isSilenceable, type RuleExample } from "../../schemas/diagnostics/rules/rule.js";
import { reasonOf, sectionLink } from "../../schemas/diagnostics/sections.js";
import { CATALOGUE } from "../project-checks/catalogue.js";

/** What a code stands for. */
export interface Explanation {
  /** The code that was asked for. */
  readonly code: string;
  /** `error`, `warning` or `info`; for a change, the version that it needs. */
  readonly severity: string;
  /** True if `check --strict` makes an error of it. */
  readonly isErrorIfStrict?: boolean;
  /** The sentence of the finding; its parameters are shown as `<name>`. */
  readonly what: string;
  /** What to do; absent for changes between two connectors. */
  readonly fix?: string;
  /** Section of the connector interface document, such as `§2.6`; absent for changes. */
  readonly section?: string;
  /** Where the section is, from the package's folder. */
  readonly sectionLink?: string;
  /** The section of the interface document that demands it, and the reason. */
  readonly why: string;
  /** How a project lets such a finding stand; absent for changes. */
  readonly silence?: string;
  /** Code with the finding, and the same code without it. */
  readonly example?: RuleExample;
}

/** Explains the code of a finding or of a change between two connectors; returns undefined if there is no such code. */
export function explain(code: string): Explanation | undefined {
  if (isDiagnosticCode(code)) return explainDiagnostic(code);
  const changes: Readonly<Record<string, ChangeEntry>> = CHANGES;
  const change = Object.hasOwn(changes, code) ? changes[code] : undefined;
  if (change !== undefined) return explainChange(code, change);
  const reasons: Readonly<Record<string, DeadLetterReason>> = DEAD_LETTER_REASONS;
  const reason = Object.hasOwn(reasons, code) ? reasons[code] : undefined;
  return (
    reason && {
      code,
      severity: "dead letter",
      ...reason,
      section: "§2.7",
      sectionLink: `docs/${sectionLink("§2.7")}`,
      why: DEAD_LETTER_WHY,
    }
  );
}

/** The codes that can be explained. */
export function explainableCodes(): readonly string[] {
  return [...Object.keys(CATALOGUE), ...Object.keys(CHANGES), ...Object.keys(DEAD_LETTER_REASONS)];
}

const DEAD_LETTER_WHY =
  "An action is performed once: what may have happened in the target system is never repeated unasked.";

function explainDiagnostic(code: DiagnosticCode): Explanation {
  const { severity, isErrorIfStrict, section, message, fix, example } = CATALOGUE[code];
  const reason = reasonOf(section);
  return {
    code,
    severity,
    ...(isErrorIfStrict === true && { isErrorIfStrict }),
    what: withNamedParameters(message),
    fix: withNamedParameters(fix),
    section,
    sectionLink: `docs/${sectionLink(section)}`,
    why: reason === undefined ? "" : `${reason.title}: ${reason.why}`,
    silence: silenceAdvice(code),
    ...(example && { example }),
  };
}

function silenceAdvice(code: DiagnosticCode): string {
  if (!isSilenceable(CATALOGUE[code])) return "Can't be silenced or turned off.";
  const isCode = /^(?:code|declared|reader|record|handler)-/.test(code);
  const beside = isCode
    ? `a comment "connectorcli-silence ${code}: reason" on the line before`
    : `silence: { "${code}": "reason" } beside the property`;
  return CATALOGUE[code].severity === "error"
    ? `${beside}.`
    : `${beside}; for the whole project, connectorcli.severities in package.json.`;
}

function explainChange(code: string, { severity, message }: ChangeEntry): Explanation {
  const values = "What it needs depends on the values that are at stake, and on who meets them.";
  return {
    code,
    severity: severity === "values" ? "a change" : `${severity} change`,
    what: withNamedParameters(message),
    why: severity === "values" ? values : `Such a change always needs a ${severity} version.`,
  };
}

function withNamedParameters(text: string): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => (name === "hint" ? "" : `<${name}>`));
}
