/** Arguments as what they should be, whatever was typed. */
import type { ArgumentValue } from "../command-spec.js";

export function textOf(value: ArgumentValue): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A number from 0 up. */
export function numberOf(value: ArgumentValue): number | undefined {
  return typeof value === "number" && value >= 0 ? value : undefined;
}
