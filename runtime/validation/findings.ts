/** Everything in which a value does not fit its schema. Runs for values that failed, so it favours words over speed. */
import { findingOf, type KeywordPlace, type Place, type Run, report } from "./evaluation.js";
import type { Finding } from "./finding.js";
import { evaluateChoices } from "./keywords/choices.js";
import { evaluateCombinations } from "./keywords/combinations.js";
import { evaluateList } from "./keywords/lists.js";
import { evaluateNumber } from "./keywords/numbers.js";
import { evaluateObject } from "./keywords/objects.js";
import { evaluateReference } from "./keywords/references.js";
import { evaluateText } from "./keywords/texts.js";
import { evaluateType } from "./keywords/types.js";
import { isWithin } from "./pointers.js";
import { isObject } from "./values.js";

export interface FindingsOptions {
  /** JSON pointers of values that are sensitive although the schema does not say so, with all below them. */
  readonly hidden?: readonly string[];
}

/** A way to hold a value against a schema ahead of time, and the schema for the findings. */
export interface Validator {
  readonly check: (value: unknown) => boolean;
  readonly schema: unknown;
}

const NONE: readonly Finding[] = Object.freeze([]);

/** What `value` has wrong by the generated check and its schema; nothing is looked for in a value that passes. */
export function validate(
  validator: Validator,
  value: unknown,
  options?: FindingsOptions,
): readonly Finding[] {
  if (validator.check(value)) return NONE;
  const found = findings(validator.schema, value, options);
  return found.length > 0 ? found : [refusal()];
}

/**
 * All findings of `value` under the JSON Schema `schema` (draft-07), as ajv's `allErrors` has them. Values under a
 * schema with `writeOnly: true` are shown as `--hidden value--`.
 */
export function findings(schema: unknown, value: unknown, options: FindingsOptions = {}): readonly Finding[] {
  const run: Run = {
    root: schema,
    reports: [],
    hidden: new Set(options.hidden),
    patterns: new Map(),
    evaluate,
  };
  try {
    evaluate({ schema, value, path: "", followed: [schema], run });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [refusal()];
  }
  return run.reports.map((found) => findingOf(found, isWithin(found.path, run.hidden)));
}

/** For a value whose nesting could not be followed to its end. */
export function refusal(): Finding {
  return findingOf(
    {
      path: "",
      keyword: "depth",
      expected: "a value that nests less deeply",
      actual: "one too deep to check",
    },
    false,
  );
}

function evaluate(place: Place): boolean {
  const { schema, run } = place;
  if (schema === false) report(place, "false schema", "no value");
  if (!isObject(schema)) return schema !== false;
  if (schema["writeOnly"] === true) run.hidden.add(place.path);
  const before = run.reports.length;
  evaluateKeywords({ ...place, schema });
  return run.reports.length === before;
}

function evaluateKeywords(place: KeywordPlace): void {
  evaluateReference(place);
  evaluateType(place);
  evaluateChoices(place);
  evaluateCombinations(place);
  const { value } = place;
  if (typeof value === "string") evaluateText(place, value);
  else if (typeof value === "number" && Number.isFinite(value)) evaluateNumber(place, value);
  else if (Array.isArray(value)) evaluateList(place, value);
  else if (isObject(value)) evaluateObject(place, value);
}
