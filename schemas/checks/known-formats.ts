/** The formats that validators know: those of ajv-formats, which a test holds this list to. */
import { TEXT_FORMATS } from "../keywords.js";

/** Formats that say how a value is used, or that hold numbers. */
const OTHER_FORMATS = ["binary", "double", "float", "int32", "int64", "password"];

export const KNOWN_FORMATS: readonly string[] = [...TEXT_FORMATS, ...OTHER_FORMATS].sort();

/** Whether validators know `format`. */
export function isKnownFormat(format: string): boolean {
  return KNOWN_FORMATS.includes(format);
}
