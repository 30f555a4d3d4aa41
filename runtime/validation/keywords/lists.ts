/** Keywords of lists. `minContains` and `maxContains` are no keywords of draft-07 and count for nothing. */
import { duplicateOf } from "../equal.js";
import { inner, type KeywordPlace, report } from "../evaluation.js";
import { counted, shown } from "../finding.js";
import { below } from "../pointers.js";
import { isObject, isOfType } from "../values.js";

export function evaluateList(place: KeywordPlace, list: readonly unknown[]): void {
  const { minItems, maxItems, uniqueItems } = place.schema;
  if (typeof maxItems === "number" && list.length > maxItems) {
    report(place, "maxItems", `at most ${counted(maxItems, "item")}`);
  }
  if (typeof minItems === "number" && list.length < minItems) {
    report(place, "minItems", `at least ${counted(minItems, "item")}`);
  }
  evaluateItems(place, list);
  evaluateContains(place, list);
  if (uniqueItems === true) evaluateUnique(place, list);
}

function evaluateItems(place: KeywordPlace, list: readonly unknown[]): void {
  const { items, additionalItems } = place.schema;
  if (!Array.isArray(items)) {
    if (items !== undefined) evaluateEach(place, list, items, 0);
    return;
  }
  for (const [index, schema] of items.slice(0, list.length).entries()) {
    inner(place, schema, list[index], below(place.path, index));
  }
  if (additionalItems !== false) evaluateEach(place, list, additionalItems, items.length);
  else if (list.length > items.length) {
    report(place, "additionalItems", `at most ${counted(items.length, "item")}`);
  }
}

function evaluateEach(place: KeywordPlace, list: readonly unknown[], schema: unknown, start: number): void {
  for (let index = start; index < list.length; index++) {
    inner(place, schema, list[index], below(place.path, index));
  }
}

function evaluateContains(place: KeywordPlace, list: readonly unknown[]): void {
  const { contains } = place.schema;
  if (contains === undefined) return;
  const before = place.run.reports.length;
  const fits = (item: unknown, index: number) => inner(place, contains, item, below(place.path, index));
  // All are looked at, because a schema may say of any of them that it is sensitive.
  if (list.map(fits).includes(true)) place.run.reports.length = before;
  else report(place, "contains", "an item that fits the schema");
}

/** Where items are scalars by their schema, ajv leaves those of another type out, and the text `__proto__`. */
function evaluateUnique(place: KeywordPlace, list: readonly unknown[]): void {
  const types = scalarTypes(place.schema["items"]);
  const compared =
    types === undefined
      ? list
      : list.filter(
          (item) => types.some((type) => isOfType(item, type)) && (types.length > 1 || item !== "__proto__"),
        );
  const found = duplicateOf(compared);
  if (found === undefined) return;
  const [first, second] = found;
  report(
    place,
    "uniqueItems",
    "items that all differ",
    `${shown(list)}, two of them the same (${first}, ${second})`,
  );
}

function scalarTypes(items: unknown): readonly string[] | undefined {
  if (!isObject(items)) return undefined;
  const { type, nullable } = items;
  if (type === undefined) return undefined;
  const types = (Array.isArray(type) ? type : [type]).map(String);
  if (types.length === 0 || types.includes("object") || types.includes("array")) return undefined;
  return nullable === true && !types.includes("null") ? [...types, "null"] : types;
}
