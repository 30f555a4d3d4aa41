/** Keywords that combine schemas of one value. As in ajv, the findings of all branches stand before the keyword's own. */
import { type KeywordPlace, quietly, report, same } from "../evaluation.js";

export function evaluateCombinations(place: KeywordPlace): void {
  const { allOf, anyOf, oneOf, not } = place.schema;
  if (not !== undefined && quietly(place, () => same(place, not))) {
    report(place, "not", "a value that does not fit the schema");
  }
  if (Array.isArray(anyOf)) evaluateAnyOf(place, anyOf);
  if (Array.isArray(oneOf)) evaluateOneOf(place, oneOf);
  if (Array.isArray(allOf)) for (const schema of allOf) same(place, schema);
  evaluateCondition(place);
}

/** All branches are looked at although one is enough, because any may say that a value is sensitive. */
function evaluateAnyOf(place: KeywordPlace, schemas: readonly unknown[]): void {
  const before = place.run.reports.length;
  if (schemas.map((schema) => same(place, schema)).includes(true)) place.run.reports.length = before;
  else report(place, "anyOf", "a value that fits one of the schemas");
}

/** As ajv, keeps the findings of the branches up to the second that fits. */
function evaluateOneOf(place: KeywordPlace, schemas: readonly unknown[]): void {
  const { reports } = place.run;
  const before = reports.length;
  let fitting = 0;
  for (const schema of schemas) {
    if (fitting > 1) quietly(place, () => same(place, schema));
    else if (same(place, schema)) fitting++;
  }
  if (fitting === 1) reports.length = before;
  else {
    const found = fitting === 0 ? "one that fits none" : "one that fits several";
    report(place, "oneOf", "a value that fits exactly one of the schemas", found);
  }
}

function evaluateCondition(place: KeywordPlace): void {
  const { if: condition, then: yes, else: no } = place.schema;
  if (condition === undefined || (yes === undefined && no === undefined)) return;
  const applies = quietly(place, () => same(place, condition));
  const branch = applies ? yes : no;
  if (branch !== undefined && !same(place, branch)) {
    report(place, "if", `a value that fits the schema "${applies ? "then" : "else"}"`);
  }
}
