/** Runs every rule on a model: the same on the command line, in the editor and in CI. */
import {
  DIAGNOSTIC_CODES,
  type DiagnosticCode,
  GENERAL_RULES,
  isDiagnosticCode,
} from "../diagnostics/codes.js";
import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.js";
import { isSilenceable, type Rule } from "../diagnostics/rules/rule.js";
import type { PlacedSilence } from "../diagnostics/silences.js";
import type { ConnectorModel } from "../model/connector-model.js";
import { didYouMean } from "../naming/nearest.js";
import {
  CONFIGURATION_RULES,
  checkRegistration,
  checkServiceSecret,
  checkSwitches,
  checkTitle,
} from "./rules/configurations.js";
import { CONNECTION_RULES, checkConnections } from "./rules/connections.js";
import { CONSTRAINT_RULES, checkConstraints } from "./rules/constraints.js";
import { checkDescriptions, checkSchemaDescription, DESCRIPTION_RULES } from "./rules/descriptions.js";
import { checkKeys, KEY_RULES } from "./rules/keys.js";
import {
  checkConvertedNames,
  checkNameStyles,
  checkNames,
  checkPropertyNames,
  checkUrls,
  NAME_RULES,
} from "./rules/names.js";
import {
  checkBytes,
  checkDefault,
  checkEnum,
  checkRequired,
  checkSensitive,
  checkShape,
  referenceCheck,
  VALUE_RULES,
} from "./rules/values.js";
import { documentsOf, type LocatedDocument } from "./visit/model-parts.js";
import { type VisitedSchema, visitSchemas } from "./visit/schema-visitor.js";

/** The rules that a model is checked by. */
export const MODEL_RULES = {
  ...KEY_RULES,
  ...NAME_RULES,
  ...CONNECTION_RULES,
  ...CONFIGURATION_RULES,
  ...VALUE_RULES,
  ...CONSTRAINT_RULES,
  ...DESCRIPTION_RULES,
} as const;

const MODEL_CHECKS: readonly ((model: ConnectorModel) => readonly Diagnostic[])[] = [
  checkNames,
  checkUrls,
  checkDescriptions,
  checkConnections,
  checkKeys,
  checkSwitches,
];

const SCHEMA_CHECKS: readonly ((visited: VisitedSchema) => readonly Diagnostic[])[] = [
  checkPropertyNames,
  checkNameStyles,
  checkConvertedNames,
  checkShape,
  checkBytes,
  checkEnum,
  checkDefault,
  checkRequired,
  checkConstraints,
  checkSchemaDescription,
  checkTitle,
  checkSensitive,
  checkRegistration,
  checkServiceSecret,
];

/** Every finding in `model`, family by family; within a family in the order of the model. */
export function checkModel(model: ConnectorModel): readonly Diagnostic[] {
  return [...MODEL_CHECKS.flatMap((check) => check(model)), ...documentsOf(model).flatMap(checkDocument)];
}

/** One schema is looked at after the other, so that a large document is never held as a list of its parts. */
function checkDocument(document: LocatedDocument): readonly Diagnostic[] {
  const findings: Diagnostic[] = [];
  const checks = [...SCHEMA_CHECKS, referenceCheck(document)];
  for (const visited of visitSchemas(document)) {
    for (const check of checks) {
      for (const finding of check(visited)) findings.push(finding);
    }
  }
  return findings;
}

/** What a check says of the stand-in that the builder puts where it could read nothing. */
const FOLLOW_UPS: ReadonlySet<DiagnosticCode> = new Set([
  "schema-untyped",
  "schema-root-not-object",
  "name-empty",
]);

/**
 * The findings of `checked` without those that only follow from an error of the builder at the same place: one mistake,
 * one message.
 */
export function withoutFollowUps(
  built: readonly Diagnostic[],
  checked: readonly Diagnostic[],
): readonly Diagnostic[] {
  const wrong = new Set(built.filter(({ severity }) => severity === "error").map(({ pointer }) => pointer));
  return checked.filter(({ code, pointer }) => !FOLLOW_UPS.has(code) || !wrong.has(pointer));
}

export interface AppliedSilences {
  /** What is left, with what is wrong with the silences. */
  readonly findings: readonly Diagnostic[];
  readonly silenced: readonly Diagnostic[];
}

/** Separates the findings that `silences` name; a silence of nothing is a finding itself. */
export function applySilences(
  findings: readonly Diagnostic[],
  silences: readonly PlacedSilence[],
): AppliedSilences {
  if (silences.length === 0) return { findings, silenced: [] };
  const used = new Set<string>();
  const silenced: Diagnostic[] = [];
  const left = findings.filter((finding) => {
    const match = silences.find((silence) => matches(silence, finding));
    if (match === undefined) return true;
    used.add(idOf(match));
    silenced.push({ ...finding, silenced: match.reason });
    return false;
  });
  // A property that several schemas share is silenced where it is written, and found where it matters.
  const wrong = silences.flatMap((silence) => problemsOf(silence, used.has(idOf(silence))));
  return { findings: [...left, ...distinct(wrong)], silenced };
}

const RULES: { readonly [Code in DiagnosticCode]?: Rule } = { ...GENERAL_RULES, ...MODEL_RULES };

/** Rules of code are silenced in comments: beside a property they find nothing, silenced or not. */
function canBeSilenced(code: DiagnosticCode): boolean {
  const rule = RULES[code];
  return rule === undefined || isSilenceable(rule);
}

function matches({ code, pointer, of }: PlacedSilence, finding: Diagnostic): boolean {
  if (finding.code !== code || !canBeSilenced(finding.code)) return false;
  const place = finding.pointer ?? "";
  if (place === pointer) return true;
  return place.startsWith(`${pointer}/`) && !OTHER_PLACES[of].test(place.slice(pointer.length));
}

/** What stands in a definition, or in a schema, but has options of its own: an item or a value of a property has none. */
const OTHER_PLACES: Readonly<Record<PlacedSilence["of"], RegExp>> = {
  definition:
    /^\/(?:(?:\w*[sS]chema|attributes|modules|dataObjects|actions|services|connectionDefinitions))(?:\/|$)/,
  schema: /\/(?:properties|\$defs|definitions)(?:\/|$)/,
};

function problemsOf(silence: PlacedSilence, isUsed: boolean): readonly Diagnostic[] {
  const { code, what, pointer, path } = silence;
  const place = { pointer, path };
  if (!isDiagnosticCode(code)) {
    const hint = didYouMean(code.slice(0, 60), DIAGNOSTIC_CODES);
    return [diagnostic("silence-code-unknown", place, { what, code, hint })];
  }
  if (!canBeSilenced(code)) return [diagnostic("silence-refused", place, { what, code })];
  return isUsed ? [] : [diagnostic("silence-unused", place, { what, code })];
}

function idOf({ code, reason, of, pointer, path }: PlacedSilence): string {
  return JSON.stringify([code, reason, of === "schema" ? path.at(-1) : pointer]);
}

/** One finding for a property that several schemas share. */
function distinct(findings: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>();
  return findings.filter(({ code, message, path = [] }) => {
    const id = JSON.stringify([code, path.at(-1), path.length === 0 ? message : ""]);
    return seen.size !== seen.add(id).size;
  });
}
