/** Findings for people: place, excerpt with a caret, sentence and fix. */
import { findingsText } from "../findings-text.js";
import type { FindingsReport } from "./reported.js";
import { sourceExcerpts } from "./source-excerpt.js";

/** Silenced findings are left out; the summary counts them. */
export function textReport({ findings }: FindingsReport, coloured: boolean): string {
  const active = findings.filter(({ silenced }) => silenced === undefined);
  return active.length === 0 ? "" : findingsText(active, coloured, sourceExcerpts());
}
