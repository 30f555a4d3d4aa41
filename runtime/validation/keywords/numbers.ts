/** Keywords of numbers. */
import { type KeywordPlace, report } from "../evaluation.js";
import { hasFormat } from "../formats/formats.js";
import { isMultiple } from "../limits.js";

const LIMITS: readonly (readonly [
  keyword: string,
  words: string,
  fits: (value: number, limit: number) => boolean,
])[] = [
  ["maximum", "at most", (value, limit) => value <= limit],
  ["minimum", "at least", (value, limit) => value >= limit],
  ["exclusiveMaximum", "less than", (value, limit) => value < limit],
  ["exclusiveMinimum", "more than", (value, limit) => value > limit],
  ["multipleOf", "a multiple of", isMultiple],
];

export function evaluateNumber(place: KeywordPlace, value: number): void {
  for (const [keyword, words, fits] of LIMITS) {
    const limit = place.schema[keyword];
    if (typeof limit === "number" && !fits(value, limit)) report(place, keyword, `${words} ${limit}`);
  }
  const { format } = place.schema;
  if (typeof format === "string" && !hasFormat(value, format))
    report(place, "format", `the format ${format}`);
}
