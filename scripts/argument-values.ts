/** Arguments by their type; which numbers may be typed is held to the table of commands before. */
import type { ArgumentValue } from "./command-spec.js";

export function textOf(value: ArgumentValue): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function numberOf(value: ArgumentValue): number | undefined {
  return typeof value === "number" ? value : undefined;
}
