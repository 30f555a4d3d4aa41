/** All checks of what lies in a project's folder beside its model; pure: texts in, findings out. */
import { credentialIn } from "../../schemas/checks/credential-texts.js";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { checkHandlerChanges, checkRecordKeys } from "./cache-changes.js";
import { withCommentSilences } from "./comment-silences.js";
import { type Committed, checkCommitted } from "./committed-connector.js";
import { checkCredentials } from "./credentials.js";
import { checkInputs, checkOutput } from "./inputs-and-output.js";
import { isModuleCode, moduleOf, type ProjectFile } from "./project-module.js";
import { checkReaderErrors, checkReaderState } from "./readers.js";

export interface ProjectParts {
  readonly files: readonly ProjectFile[];
  /** The connector.json that is there. */
  readonly committed?: Committed | undefined;
  /** What the modules make, where they can be loaded. */
  readonly extracted?: string | undefined;
  readonly model?: ConnectorModel | undefined;
}

/** Every finding, file by file. */
export function checkProject({ files, committed, extracted, model }: ProjectParts): readonly Diagnostic[] {
  const keyNames = new Set(
    (model?.modules ?? []).flatMap(({ dataObjects }) =>
      dataObjects.flatMap(({ keys }) => keys.map(({ name }) => name)),
    ),
  );
  const code = files.flatMap((file) => {
    const module = isWorthReading(file) ? moduleOf(file) : undefined;
    if (module === undefined) return [];
    const found = [...CODE_CHECKS.flatMap((check) => check(module)), ...checkRecordKeys(module, keyNames)];
    return withCommentSilences(module, found);
  });
  const isComparable = committed !== undefined && extracted !== undefined && model !== undefined;
  return [...code, ...(isComparable ? checkCommitted(committed, extracted, model) : [])];
}

/** Syntax takes most of the time, and most schema modules hold nothing that the checks of code look for. */
function isWorthReading({ path, text }: ProjectFile): boolean {
  return isModuleCode(path) || TELLING.test(text) || credentialIn(text) !== undefined;
}

const TELLING =
  /connectorcli-silence|\b(?:process|console|require|Deno|Bun|meta)\b|["'](?:node:|fs|child_process|worker|cluster)|(?:pass|pwd|secret|token|key|credential|auth|jwt|otp|pin|code|string|answer)\w*["']?\s*[:=]\s*["'`]/i;

const CODE_CHECKS = [
  checkCredentials,
  checkInputs,
  checkOutput,
  checkReaderErrors,
  checkReaderState,
  checkHandlerChanges,
];
