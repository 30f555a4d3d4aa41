/** `type`, with OpenAPI's `nullable` as ajv reads it. */
import { type KeywordPlace, report } from "../evaluation.js";
import { isOfType } from "../values.js";

export function evaluateType(place: KeywordPlace): void {
  const { type, nullable } = place.schema;
  if (typeof type !== "string" && !Array.isArray(type)) return;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  if (types.some((name) => isOfType(place.value, String(name)))) return;
  if (nullable === true && place.value === null) return;
  report(place, "type", types.join(" or "));
}
