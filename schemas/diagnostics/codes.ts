/**
 * Every code that a finding can have. Codes are stable for ever: authors write them into silences, severities and
 * comments, and so their type stands below all that reports them.
 *
 * What a code says stands with what reports it. Rules that a connector is checked by are in `schemas/checks/rules` and
 * `scripts/project-checks/rules`; this floor knows their codes only. All others have no check of their own, and are in
 * `rules/`. `scripts/project-checks/catalogue.ts` puts all of them together, and does not compile if a code has no words.
 */
import { ACCEPTANCE_RULES } from "./rules/acceptance.js";
import { COMPARISON_RULES } from "./rules/comparison.js";
import { DEFINITION_RULES } from "./rules/definitions.js";
import { FILE_RULES } from "./rules/files.js";
import { MIGRATION_RULES } from "./rules/migration.js";
import { OPENAPI_RULES } from "./rules/openapi.js";
import type { Rule, RuleFamily, RuleParameters } from "./rules/rule.js";
import { RUN_RULES } from "./rules/runs.js";
import { SCAFFOLD_RULES } from "./rules/scaffolds.js";
import { SILENCE_RULES } from "./rules/silences.js";

/** What the tool reports while it reads, builds, writes and runs. */
export const GENERAL_RULES = {
  ...DEFINITION_RULES,
  ...SILENCE_RULES,
  ...FILE_RULES,
  ...COMPARISON_RULES,
  ...SCAFFOLD_RULES,
  ...OPENAPI_RULES,
  ...MIGRATION_RULES,
  ...RUN_RULES,
  ...ACCEPTANCE_RULES,
} as const satisfies RuleFamily;

export type GeneralCode = keyof typeof GENERAL_RULES;

/** The codes of the checks. */
const CHECK_CODES = [
  // keys
  "key-missing",
  "key-several-primary",
  "key-empty",
  "key-property-unknown",
  "key-property-nested",
  "key-property-optional",
  "key-property-nullable",
  "key-property-not-scalar",
  "key-property-repeated",
  "key-name-empty",
  "key-name-unsafe",
  "key-duplicate-name",
  "key-duplicate-properties",
  "key-property-inexact",
  // names
  "name-empty",
  "name-duplicate-property",
  "name-duplicate",
  "name-url-collision",
  "name-key-collision",
  "name-url-unsafe",
  "name-style-mixed",
  "name-converted",
  "name-reserved",
  "name-not-identifier",
  "version-invalid",
  // connections
  "connection-none",
  "connection-member-missing",
  "connection-member-invalid",
  "connection-secret-not-sensitive",
  "connection-base-url-missing",
  "connection-environment-without-address",
  "connection-environment-invalid",
  "connection-environment-sensitive",
  "connection-address-invalid",
  "connection-address-credentials",
  "connection-address-placeholder",
  "connection-address-property-unknown",
  "connection-address-unused",
  "connection-address-asked",
  // configurations
  "registration-credential",
  "registration-address",
  "service-credential",
  "switch-invalid",
  "switch-missing",
  "switch-shared",
  "title-missing",
  // values
  "type-unknown",
  "nullable-not-json-schema",
  "schema-untyped",
  "schema-combined",
  "schema-root-not-object",
  "schema-bytes",
  "enum-invalid",
  "enum-null-missing",
  "default-invalid",
  "required-unknown",
  "sensitive-not-write-only",
  // constraints of values
  "constraint-impossible",
  "constraint-invalid",
  "constraint-misplaced",
  "pattern-invalid",
  "pattern-slow",
  "format-unknown",
  // descriptions
  "description-missing",
  "description-placeholder",
  // credentials in code
  "code-credential",
  "code-secret-literal",
  // what code takes and gives
  "code-environment",
  "code-files",
  "code-standard-output",
  // readers and handlers
  "reader-stops-silently",
  "reader-state-kept",
  "reader-undecided",
  "record-key-by-hand",
  "handler-cache-untouched",
  // declared readers and handlers
  "declared-setting-unknown",
  "declared-property-unknown",
  "declared-unread",
  "reader-type-mismatch",
  "reader-deletes-missing",
  "reader-list-shared",
  "reader-size-missing",
  "reader-each",
  "handler-idempotency-missing",
  // files of the project beside its schemas
  "registration-incomplete",
  "extract-stale",
  "object-vanished",
] as const;

/** The code of a check of connectors. */
export type CheckCode = (typeof CHECK_CODES)[number];

/** The code of a finding, such as `key-optional`; `docs/diagnostics.md` lists all. */
export type DiagnosticCode = GeneralCode | CheckCode;

export const DIAGNOSTIC_CODES: readonly DiagnosticCode[] = [
  ...(Object.keys(GENERAL_RULES) as GeneralCode[]),
  ...CHECK_CODES,
];

const KNOWN_CODES: ReadonlySet<string> = new Set(DIAGNOSTIC_CODES);

export function isDiagnosticCode(code: string): code is DiagnosticCode {
  return KNOWN_CODES.has(code);
}

/** Rules by code; a code that does not exist is refused. */
export type RulesByCode = { readonly [Code in DiagnosticCode]?: Rule };

/** Rules of checks by code. */
export type CheckRules = { readonly [Code in CheckCode]?: Rule };

/** What a report of `Code` must be given. */
export type DiagnosticParameters<Code extends GeneralCode> = RuleParameters<(typeof GENERAL_RULES)[Code]>;
