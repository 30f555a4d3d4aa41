/** Limits, patterns and formats, each keyword on its own. */
import type { Json, JsonObject } from "../json.js";
import { isMultiple, LOWER_COUNTS, UPPER_COUNTS } from "../subset/bounds.js";
import { CAN_NOT_TELL, CHANGES_BOTH, type Facet, facet, NARROWS, WIDENS } from "./facet.js";

/** Keywords of which a higher value is stricter, and of which a lower one is. */
const HIGHER_IS_STRICTER = ["minimum", "exclusiveMinimum", ...LOWER_COUNTS];
const LOWER_IS_STRICTER = ["maximum", "exclusiveMaximum", ...UPPER_COUNTS];

/** What changed in the constraints of two schemas. */
export function constraintFacets(old: JsonObject, next: JsonObject): readonly Facet[] {
  return [
    ...HIGHER_IS_STRICTER.flatMap((keyword) => limitFacet(keyword, old, next, 1)),
    ...LOWER_IS_STRICTER.flatMap((keyword) => limitFacet(keyword, old, next, -1)),
    ...multipleFacet(old["multipleOf"], next["multipleOf"]),
    ...uniqueFacet(old["uniqueItems"] === true, next["uniqueItems"] === true),
    ...["pattern", "format"].flatMap((keyword) => textFacet(keyword, old[keyword], next[keyword])),
  ];
}

function limitFacet(keyword: string, old: JsonObject, next: JsonObject, sign: 1 | -1): readonly Facet[] {
  const [before, after] = [old[keyword], next[keyword]];
  if (before === after) return [];
  const parameters = { keyword, before: shown(before), after: shown(after) };
  const rest = { keywords: [keyword] };
  if (
    before !== undefined &&
    after !== undefined &&
    !(typeof before === "number" && typeof after === "number")
  ) {
    return [facet("constraint-changed", parameters, { ...CAN_NOT_TELL, ...rest })];
  }
  const strictness = (value: Json | undefined) =>
    typeof value === "number" ? sign * value : Number.NEGATIVE_INFINITY;
  return strictness(after) > strictness(before) || before === undefined
    ? [facet("limit-tightened", parameters, { ...NARROWS, ...rest })]
    : [facet("limit-loosened", parameters, { ...WIDENS, ...rest })];
}

function multipleFacet(before: Json | undefined, after: Json | undefined): readonly Facet[] {
  if (before === after) return [];
  const parameters = { keyword: "multipleOf", before: shown(before), after: shown(after) };
  const rest = { keywords: ["multipleOf"] };
  const [had, has] = [before, after].map((value) => (typeof value === "number" ? value : undefined));
  if (had === undefined || (has !== undefined && isMultiple(has, had))) {
    return [facet("limit-tightened", parameters, { ...NARROWS, ...rest })];
  }
  if (has === undefined || isMultiple(had, has)) {
    return [facet("limit-loosened", parameters, { ...WIDENS, ...rest })];
  }
  return [facet("constraint-changed", parameters, { ...CHANGES_BOTH, ...rest })];
}

function uniqueFacet(before: boolean, after: boolean): readonly Facet[] {
  if (before === after) return [];
  const parameters = { keyword: "uniqueItems", before: String(before), after: String(after) };
  return after
    ? [facet("limit-tightened", parameters, { ...NARROWS, keywords: ["uniqueItems"] })]
    : [facet("limit-loosened", parameters, { ...WIDENS, keywords: ["uniqueItems"] })];
}

/** How two patterns, or two formats, relate is not decided; a value may show it all the same. */
function textFacet(keyword: string, before: Json | undefined, after: Json | undefined): readonly Facet[] {
  if (before === after) return [];
  const keywords = [keyword];
  if (before === undefined) {
    return [facet("constraint-added", { keyword, after: shown(after) }, { ...NARROWS, keywords })];
  }
  if (after === undefined) {
    return [facet("constraint-removed", { keyword, before: shown(before) }, { ...WIDENS, keywords })];
  }
  const parameters = { keyword, before: shown(before), after: shown(after) };
  return [facet("constraint-changed", parameters, { ...CAN_NOT_TELL, keywords })];
}

function shown(value: Json | undefined): string {
  return value === undefined ? "not set" : JSON.stringify(value);
}
