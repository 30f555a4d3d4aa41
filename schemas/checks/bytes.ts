/** Files that would travel as bytes inside a value: they never do, only their addresses (spec §2.9). */
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { found } from "./place.js";
import { textIn } from "./schema-view.js";
import type { VisitedSchema } from "./visit-schemas.js";

const BYTE_FORMATS: readonly string[] = ["binary", "byte", "base64"];
const ENCODINGS: readonly string[] = ["base64", "base64url", "base32", "base16", "binary"];

/** A text that is bytes, by its format or its encoding; connection properties may be keys in base64. */
export function checkBytes({ role, view, place, condition }: VisitedSchema): readonly Diagnostic[] {
  if (role === "attribute" || condition) return [];
  const keyword = bytesIn("format", textIn(view, "format"), BYTE_FORMATS);
  const encoding = bytesIn("contentEncoding", textIn(view, "contentEncoding"), ENCODINGS);
  const says = keyword ?? encoding;
  return says === undefined ? [] : [found("schema-bytes", place, { what: place.what, keyword: says })];
}

function bytesIn(keyword: string, value: string | undefined, known: readonly string[]): string | undefined {
  return value !== undefined && known.includes(value.toLowerCase()) ? `${keyword} "${value}"` : undefined;
}
