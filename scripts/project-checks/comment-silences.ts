/** Silences in code, where no property can hold one: a comment with the code of the finding and the reason. */
import { isDiagnosticCode, isSilenceable } from "../../schemas/checks/silences.js";
import { CATALOGUE } from "../../schemas/diagnostics/catalogue.js";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { didYouMean } from "../../schemas/naming/nearest.js";
import { foundAt, lineOf, type ProjectModule } from "./project-module.js";

/** `// connectorcli-silence reader-state-kept: why`, beside the finding or on the line before it. */
const COMMENT = /^[\s*]*connectorcli-silence\s+([\w-]+)\s*(?::\s*(.*?))?[\s*]*$/s;

/** The findings of `module`, of which its comments silence some; what is wrong with a comment is among them. */
export function withCommentSilences(
  module: ProjectModule,
  findings: readonly Diagnostic[],
): readonly Diagnostic[] {
  let result = findings;
  for (const comment of module.syntax.comments) {
    const [, code, reason = ""] = COMMENT.exec(String(comment["value"])) ?? [];
    if (code === undefined) continue;
    const line = lineOf(module.text, comment.end);
    const isHere = (found: Diagnostic) =>
      found.code === code && (found.line === line || found.line === line + 1);
    const wrong = problemOf(module, comment, { code, reason, isUsed: result.some(isHere) });
    result =
      wrong === undefined
        ? result.map((found) => (isHere(found) ? { ...found, silenced: reason } : found))
        : [...result, wrong];
  }
  return result;
}

interface Written {
  readonly code: string;
  readonly reason: string;
  readonly isUsed: boolean;
}

function problemOf(
  module: ProjectModule,
  comment: { readonly start: number },
  { code, reason, isUsed }: Written,
): Diagnostic | undefined {
  const what = "The comment";
  if (!isDiagnosticCode(code)) {
    const hint = didYouMean(code.slice(0, 60), Object.keys(CATALOGUE));
    return foundAt("silence-code-unknown", module, comment, { what, code, hint });
  }
  if (reason.trim() === "") {
    return foundAt("silence-invalid", module, comment, { what: "a comment", problem: "gives no reason" });
  }
  if (!isSilenceable(code)) return foundAt("silence-refused", module, comment, { what, code });
  return isUsed ? undefined : foundAt("silence-unused", module, comment, { what, code });
}
