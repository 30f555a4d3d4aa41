/** Validation options (spec §2.9): of the right kind, on a type they constrain, and possible to meet. */
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { didYouMean } from "../naming/nearest.js";
import { BOUNDS, CONSTRAINT_KEYWORDS, type ConstraintKeyword } from "./constraint-keywords.js";
import { isKnownFormat, KNOWN_FORMATS } from "./known-formats.js";
import { found } from "./place.js";
import { textIn } from "./schema-view.js";
import type { VisitedSchema } from "./visit-schemas.js";

/** What is wrong with the options of one schema. */
export function checkConstraints(visited: VisitedSchema): readonly Diagnostic[] {
  return [
    ...[...visited.view.keywords.keys()].flatMap((name) => {
      const keyword = CONSTRAINT_KEYWORDS.get(name);
      return keyword === undefined ? [] : checkKeyword(visited, name, keyword);
    }),
    ...checkBounds(visited),
    ...checkPattern(visited),
    ...checkFormat(visited),
  ];
}

function checkKeyword(
  { view, place }: VisitedSchema,
  keyword: string,
  { expected, fits, types }: ConstraintKeyword,
): readonly Diagnostic[] {
  const { what } = place;
  const value = view.keywords.get(keyword);
  if (value !== undefined && !fits(value)) {
    return [found("constraint-invalid", place, { keyword, what, expected })];
  }
  if (types === undefined || view.types === undefined) return [];
  if (view.types.some((type) => types.includes(type))) return [];
  return [found("constraint-misplaced", place, { keyword, what, expected: `${types[0]} values` })];
}

function checkBounds({ view, place }: VisitedSchema): readonly Diagnostic[] {
  if (view.keywords.size < 2) return [];
  return BOUNDS.flatMap(({ lower, upper }) => {
    const low = view.keywords.get(lower);
    const high = view.keywords.get(upper);
    if (typeof low !== "number" || typeof high !== "number") return [];
    const excludes = lower.startsWith("exclusive") || upper.startsWith("exclusive");
    if (low < high || (low === high && !excludes)) return [];
    return [found("constraint-impossible", place, { what: place.what, lower, low, upper, high })];
  });
}

function checkPattern({ view, place }: VisitedSchema): readonly Diagnostic[] {
  const pattern = textIn(view, "pattern");
  if (pattern === undefined) return [];
  try {
    new RegExp(pattern, "u");
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [found("pattern-invalid", place, { what: place.what, reason: lastPart(reason) })];
  }
}

/** The engine says `Invalid regular expression: /[/u: Unterminated character class`; the end is the reason. */
function lastPart(reason: string): string {
  return reason.slice(reason.lastIndexOf(": ") + 1).trim();
}

/** Formats longer than this are not compared with others. */
const LONGEST_COMPARED = 40;

function checkFormat({ view, place }: VisitedSchema): readonly Diagnostic[] {
  const format = textIn(view, "format");
  if (format === undefined || isKnownFormat(format)) return [];
  const hint = format.length > LONGEST_COMPARED ? "" : didYouMean(format, KNOWN_FORMATS);
  return [found("format-unknown", place, { what: place.what, format, hint })];
}
