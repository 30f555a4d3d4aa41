/** Keywords of texts: length in characters, pattern, format and the limits that formats with an order have. */
import { type KeywordPlace, patternOf, report } from "../evaluation.js";
import { counted } from "../finding.js";
import { formatOrder, hasFormat } from "../formats/formats.js";
import { isAtLeast, isAtMost } from "../limits.js";

export function evaluateText(place: KeywordPlace, text: string): void {
  const { minLength, maxLength, pattern, format } = place.schema;
  if (typeof maxLength === "number" && !isAtMost(text, maxLength)) {
    report(place, "maxLength", `at most ${counted(maxLength, "character")}`);
  }
  if (typeof minLength === "number" && !isAtLeast(text, minLength)) {
    report(place, "minLength", `at least ${counted(minLength, "character")}`);
  }
  if (typeof pattern === "string" && patternOf(place, pattern)?.test(text) !== true) {
    report(place, "pattern", `a text that matches ${pattern}`);
  }
  if (typeof format !== "string") return;
  if (!hasFormat(text, format)) report(place, "format", `the format ${format}`);
  evaluateOrder(place, text, format);
}

const ORDERS: readonly (readonly [keyword: string, words: string, fits: (order: number) => boolean])[] = [
  ["formatMaximum", "at most", (order) => order <= 0],
  ["formatMinimum", "at least", (order) => order >= 0],
  ["formatExclusiveMaximum", "less than", (order) => order < 0],
  ["formatExclusiveMinimum", "more than", (order) => order > 0],
];

function evaluateOrder(place: KeywordPlace, text: string, format: string): void {
  for (const [keyword, words, fits] of ORDERS) {
    const limit = place.schema[keyword];
    if (typeof limit !== "string") continue;
    const order = formatOrder(format)?.(text, limit);
    if (order !== undefined && !fits(order)) report(place, keyword, `${words} ${limit}`);
  }
}

/** Whether `text` keeps the limit of `keyword`; texts that can't be compared do. */
export function isInOrder(text: string, format: string, keyword: string, limit: string): boolean {
  const order = formatOrder(format)?.(text, limit);
  return order === undefined || (ORDERS.find(([name]) => name === keyword)?.[2](order) ?? true);
}
