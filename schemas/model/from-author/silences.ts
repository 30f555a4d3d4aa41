/** What authors say of single findings, beside the property or definition that they are about. */
import { Kind } from "@sinclair/typebox";
import type { SilencePlace } from "../../diagnostics/silence-place.js";
import { jsonPointer } from "../../naming/json-pointer.js";
import { isRecord, nameOf, report, type Scope } from "./scope.js";

/** Notes the silences of the schema at `scope`, those of a list of members inside `Nullable` too. */
export function noteSilences(schema: Readonly<Record<PropertyKey, unknown>>, scope: Scope): void {
  note(schema["silence"], scope, "schema");
  const variants = schema[Kind] === "Union" && Array.isArray(schema["anyOf"]) ? schema["anyOf"] : [];
  // Other variants are built, and noted, by themselves.
  for (const variant of variants)
    if (isRecord(variant) && variant[Kind] === "Union") note(variant["silence"], scope, "schema");
}

/** Notes the silences among the options of a definition. */
export function noteDefinitionSilences(value: unknown, scope: Scope): void {
  note(value, scope, "definition");
}

function note(value: unknown, scope: Scope, of: SilencePlace["of"]): void {
  if (value === undefined) return;
  const { what } = scope;
  if (!isRecord(value)) {
    report(scope, "silence-invalid", { what, problem: `is ${nameOf(value)}` });
    return;
  }
  for (const [code, reason] of Object.entries(value)) {
    if (typeof reason === "string" && reason.trim() !== "") {
      scope.silences.push({ code, reason, what, of, pointer: jsonPointer(scope.pointer), path: scope.path });
    } else report(scope, "silence-invalid", { what, problem: `gives no reason for "${code}"` });
  }
}
