/** Findings that only follow from another one are left out: one mistake, one message. */
import type { DiagnosticCode } from "../diagnostics/catalogue.js";
import type { Diagnostic } from "../diagnostics/diagnostic.js";

/** What a check says of the stand-in that the builder puts where it could read nothing. */
const FOLLOWING: ReadonlySet<DiagnosticCode> = new Set([
  "schema-untyped",
  "schema-root-not-object",
  "name-empty",
]);

/** `checked` without what follows from an error of the builder at the same place. */
export function withoutFollowUps(
  built: readonly Diagnostic[],
  checked: readonly Diagnostic[],
): readonly Diagnostic[] {
  const wrong = new Set(built.filter(({ severity }) => severity === "error").map(({ pointer }) => pointer));
  return checked.filter(({ code, pointer }) => !FOLLOWING.has(code) || !wrong.has(pointer));
}
