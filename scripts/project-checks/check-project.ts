/** Checks what lies in a project's folder beside its model, and applies the silences in its comments. Pure: it reads no file. */

import { DIAGNOSTIC_CODES, isDiagnosticCode } from "../../schemas/diagnostics/codes.js";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { isSilenceable } from "../../schemas/diagnostics/rules/rule.js";
import { SILENCE_RULES } from "../../schemas/diagnostics/rules/silences.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { credentialKind } from "../../schemas/naming/credential-texts.js";
import { didYouMean } from "../../schemas/naming/nearest.js";
import { mayAssignSecret } from "../../schemas/naming/secret-names.js";
import { SourceIndex } from "../author-project/source-index.js";
import type { DeclaredService } from "../connector-run/declared-services.js";
import { CATALOGUE } from "./catalogue.js";
import { type Committed, checkCommitted } from "./rules/committed.js";
import { checkCredentials } from "./rules/credentials.js";
import { checkDeclarations, isOfDeclarations } from "./rules/declarations.js";
import { checkInputs, checkOutput } from "./rules/environment.js";
import {
  codeFindingsOf,
  isModuleCode,
  lineOf,
  type ProjectFile,
  type ProjectModule,
  parseProjectModule,
} from "./rules/project-module.js";
import {
  checkHandlerChanges,
  checkReaderErrors,
  checkReaderState,
  checkRecordKeys,
  checkUndecided,
} from "./rules/readers.js";

export interface ProjectParts {
  readonly files: readonly ProjectFile[];
  /** The connector.json in the folder. Absent: it is not checked. */
  readonly committed?: Committed | undefined;
  /** The connector.json that the modules give. Absent if they can't be loaded. */
  readonly extracted?: string | undefined;
  readonly model?: ConnectorModel | undefined;
  /** The declared readers and handlers. Absent if they can't be loaded. */
  readonly declared?: readonly DeclaredService[] | undefined;
}

/** Every finding, file by file. */
export function checkProject({
  files,
  committed,
  extracted,
  model,
  declared,
}: ProjectParts): readonly Diagnostic[] {
  const keyNames = new Set(
    (model?.modules ?? []).flatMap(({ dataObjects }) =>
      dataObjects.flatMap(({ keys }) => keys.map(({ name }) => name)),
    ),
  );
  const ofDeclarations =
    declared === undefined || model === undefined ? [] : checkDeclarations(declared, model);
  const declaring = new Set(ofDeclarations.map(({ file }) => file));
  const code = files.flatMap((file) => {
    const module = declaring.has(file.file) || isWorthParsing(file) ? parseProjectModule(file) : undefined;
    if (module === undefined) return [];
    declaring.delete(file.file);
    const findings = [
      ...CODE_CHECKS.flatMap((check) => check(module)),
      ...checkRecordKeys(module, keyNames),
      ...located(module, ofDeclarations),
    ];
    return withCommentSilences(module, findings, { isDeclaredKnown: declared !== undefined });
  });
  const elsewhere = ofDeclarations.filter(({ file }) => declaring.has(file));
  const isComparable = committed !== undefined && extracted !== undefined && model !== undefined;
  return [...code, ...elsewhere, ...(isComparable ? checkCommitted(committed, extracted, model) : [])];
}

/** The findings of the declarations in `module`, at the members that they are about. */
function located(module: ProjectModule, findings: readonly Diagnostic[]): readonly Diagnostic[] {
  const own = findings.filter(({ file }) => file === module.file);
  if (own.length === 0) return [];
  const index = new SourceIndex(module.text);
  return own.map(({ path = [], ...finding }) => {
    const { line = 1, column = 1 } = finding;
    // A declaration may be made by code, such as a query's: its members then begin further inside.
    const found = path
      .map((_, first) => index.find({ line, column }, path.slice(first)))
      .find((place) => place !== undefined);
    return { ...finding, ...found };
  });
}

/** Parsing takes most of the time, and most schema modules contain nothing that the checks of code look for. */
function isWorthParsing({ path, text }: ProjectFile): boolean {
  return (
    isModuleCode(path) ||
    CODE_OF_INTEREST.test(text) ||
    mayAssignSecret(text) ||
    credentialKind(text) !== undefined
  );
}

/** What the checks of code look for, apart from secrets. */
const CODE_OF_INTEREST =
  /connectorcli-silence|\b(?:process|console|require|Deno|Bun|meta)\b|["'](?:node:|fs|child_process|worker|cluster)/;

const CODE_CHECKS = [
  checkCredentials,
  checkInputs,
  checkOutput,
  checkReaderErrors,
  checkReaderState,
  checkUndecided,
  checkHandlerChanges,
];

const findingAt = codeFindingsOf(SILENCE_RULES);

/** `// connectorcli-silence reader-state-kept: why`, beside the finding or on the line before it. */
const COMMENT = /^[\s*]*connectorcli-silence\s+([\w-]+)\s*(?::\s*(.*?))?[\s*]*$/s;

/** Applies the silences in the comments of `module` to its findings; adds what is wrong with the comments. */
function withCommentSilences(
  module: ProjectModule,
  findings: readonly Diagnostic[],
  { isDeclaredKnown }: { readonly isDeclaredKnown: boolean },
): readonly Diagnostic[] {
  let result = findings;
  for (const comment of module.syntax.comments) {
    const [, code, reason = ""] = COMMENT.exec(String(comment["value"])) ?? [];
    if (code === undefined) continue;
    const line = lineOf(module.text, comment.end);
    const isHere = (finding: Diagnostic) =>
      finding.code === code && (finding.line === line || finding.line === line + 1);
    const isUsed = result.some(isHere) || (!isDeclaredKnown && isOfDeclarations(code));
    const problem = problemOf(module, comment, { code, reason, isUsed });
    result =
      problem === undefined
        ? result.map((finding) => (isHere(finding) ? { ...finding, silenced: reason } : finding))
        : [...result, problem];
  }
  return result;
}

interface SilenceComment {
  readonly code: string;
  readonly reason: string;
  readonly isUsed: boolean;
}

function problemOf(
  module: ProjectModule,
  comment: { readonly start: number },
  { code, reason, isUsed }: SilenceComment,
): Diagnostic | undefined {
  const what = "The comment";
  if (!isDiagnosticCode(code)) {
    const hint = didYouMean(code.slice(0, 60), DIAGNOSTIC_CODES);
    return findingAt("silence-code-unknown", module, comment, { what, code, hint });
  }
  if (reason.trim() === "") {
    return findingAt("silence-invalid", module, comment, { what: "a comment", problem: "gives no reason" });
  }
  if (!isSilenceable(CATALOGUE[code])) return findingAt("silence-refused", module, comment, { what, code });
  return isUsed ? undefined : findingAt("silence-unused", module, comment, { what, code });
}
