/** Rules of validation options (§2.9): of the right form, on a type that they constrain, and possible to meet. */
import type { CheckRules } from "../../diagnostics/codes.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { findingsOf } from "../../diagnostics/locations.js";
import { propertyExample } from "../../diagnostics/rules/example-code.js";
import { isJsonArray, isJsonObject, type JsonTree } from "../../json.js";
import { FORMATS, KEYWORDS, type KeywordForm, LIMIT_PAIRS, type SchemaKeyword } from "../../keywords.js";
import { didYouMean } from "../../naming/nearest.js";
import { slowPart } from "../patterns/slow-patterns.js";
import { stringKeyword, type VisitedSchema } from "../visit/schema-visitor.js";

export const CONSTRAINT_RULES = {
  "constraint-impossible": {
    severity: "error",
    section: "§2.9",
    message: "No value of {what} can meet {lower} {low} and {upper} {high}.",
    fix: "Lower {lower}, or raise {upper}.",
    example: propertyExample(
      'code: Type.String({ description: "Code on the sign.", minLength: 9, maxLength: 3 }),',
      'code: Type.String({ description: "Code on the sign.", minLength: 3, maxLength: 9 }),',
    ),
  },
  "constraint-invalid": {
    severity: "error",
    section: "§2.9",
    message: 'The option "{keyword}" of {what} must be {expected}.',
    fix: "Correct the value of the option.",
    example: propertyExample(
      'code: Type.String({ description: "Code on the sign.", maxLength: -1 }),',
      'code: Type.String({ description: "Code on the sign.", maxLength: 9 }),',
    ),
  },
  "constraint-misplaced": {
    severity: "warning",
    isErrorIfStrict: true,
    section: "§2.9",
    message: 'The option "{keyword}" of {what} has no effect: it constrains {expected}.',
    fix: "Remove the option, or change the type.",
    example: propertyExample(
      'floors: Type.Integer({ description: "Number of floors.", maxLength: 3 }),',
      'floors: Type.Integer({ description: "Number of floors.", maximum: 999 }),',
    ),
  },
  "pattern-invalid": {
    severity: "error",
    section: "§2.9",
    message: "The pattern of {what} is not a regular expression: {reason}.",
    fix: "Correct the pattern; it is read as ECMAScript with the u flag.",
    example: propertyExample(
      'code: Type.String({ description: "Code on the sign.", pattern: "[A-Z" }),',
      'code: Type.String({ description: "Code on the sign.", pattern: "^[A-Z]+$" }),',
    ),
  },
  "pattern-slow": {
    severity: "warning",
    section: "§2.9",
    message: 'The pattern of {what} {problem}: "{part}" can match the same text in many ways.',
    fix: "Write it so that there is one way for each text, such as ^[a-z]+(-[a-z]+)*$ for ^([a-z]+-?)+$. Where only long texts are slow, a maxLength of up to 5000 is enough: it is looked at first.",
    example: propertyExample(
      'code: Type.String({ description: "Code on the sign.", pattern: "^([a-z]+-?)+$" }),',
      'code: Type.String({ description: "Code on the sign.", pattern: "^[a-z]+(-[a-z]+)*$" }),',
    ),
  },
  "format-unknown": {
    severity: "warning",
    section: "§2.9",
    message: 'The format "{format}" of {what} is not known, so values are not checked against it.{hint}',
    fix: "Use a known format, such as date-time, email, uri or uuid; or a pattern.",
    example: propertyExample(
      'openedOn: Type.String({ description: "First day.", format: "datetime" }),',
      'openedOn: Type.String({ description: "First day.", format: "date-time" }),',
    ),
  },
} as const satisfies CheckRules;

const findingAt = findingsOf(CONSTRAINT_RULES);

/** Checks the validation options of one schema. */
export function checkConstraints(visited: VisitedSchema): readonly Diagnostic[] {
  return [
    ...[...visited.view.keywords.keys()].flatMap((name) => {
      const keyword = KEYWORDS.get(name);
      return keyword?.form === undefined ? [] : checkKeyword(visited, keyword, FORMS[keyword.form]);
    }),
    ...checkLimits(visited),
    ...checkPattern(visited),
    ...checkFormat(visited),
  ];
}

function checkKeyword(
  { view, location }: VisitedSchema,
  { name: keyword, types }: SchemaKeyword,
  { expected, fits }: Form,
): readonly Diagnostic[] {
  const { what } = location;
  const value = view.keywords.get(keyword);
  if (value !== undefined && !fits(value)) {
    return [findingAt("constraint-invalid", location, { keyword, what, expected })];
  }
  const constrained: readonly string[] | undefined = types;
  if (constrained === undefined || view.types === undefined) return [];
  if (view.types.some((type) => constrained.includes(type))) return [];
  return [
    findingAt("constraint-misplaced", location, { keyword, what, expected: `${constrained[0]} values` }),
  ];
}

function checkLimits({ view, location }: VisitedSchema): readonly Diagnostic[] {
  if (view.keywords.size < 2) return [];
  return LIMIT_PAIRS.flatMap(({ lower, upper }) => {
    const low = view.keywords.get(lower);
    const high = view.keywords.get(upper);
    if (typeof low !== "number" || typeof high !== "number") return [];
    if (leavesValues({ lower, low, upper, high }, view.types)) return [];
    return [findingAt("constraint-impossible", location, { what: location.what, lower, low, upper, high })];
  });
}

interface Limits {
  readonly lower: string;
  readonly low: number;
  readonly upper: string;
  readonly high: number;
}

/** Whether a value of `types` lies between the two; numbers that must be whole may have none. */
function leavesValues({ lower, low, upper, high }: Limits, types: readonly string[] | undefined): boolean {
  const [excludesLow, excludesHigh] = [lower, upper].map((name) => name.startsWith("exclusive"));
  const isWhole = types?.includes("integer") === true && !types.includes("number");
  if (!isWhole || !Number.isSafeInteger(Math.ceil(low)) || !Number.isSafeInteger(Math.floor(high))) {
    return low < high || (low === high && !excludesLow && !excludesHigh);
  }
  const least = excludesLow ? Math.floor(low) + 1 : Math.ceil(low);
  const most = excludesHigh ? Math.ceil(high) - 1 : Math.floor(high);
  return least <= most;
}

function checkPattern({ view, location }: VisitedSchema): readonly Diagnostic[] {
  const pattern = stringKeyword(view, "pattern");
  if (pattern === undefined) return [];
  try {
    new RegExp(pattern, "u");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [findingAt("pattern-invalid", location, { what: location.what, reason: lastPart(reason) })];
  }
  const slow = slowPart(pattern);
  const isShort = Number(view.keywords.get("maxLength")) <= SHORT_TEXT;
  if (slow === undefined || (isShort && !slow.isExponential)) return [];
  const problem = slow.isExponential
    ? "can hold the process for ever on a text of a few dozen characters"
    : "can take seconds on a long text, and no maxLength keeps texts short";
  return [findingAt("pattern-slow", location, { what: location.what, problem, part: slow.part })];
}

/** In texts up to this length, the square of the length is no time. */
const SHORT_TEXT = 5_000;

/** The engine says `Invalid regular expression: /[/u: Unterminated character class`; the end is the reason. */
function lastPart(reason: string): string {
  return reason.slice(reason.lastIndexOf(": ") + 1).trim();
}

/** Formats longer than this are not compared with others. */
const MAX_COMPARED_LENGTH = 40;

function checkFormat({ view, location }: VisitedSchema): readonly Diagnostic[] {
  const format = stringKeyword(view, "format");
  if (format === undefined || FORMATS.has(format)) return [];
  const hint = format.length > MAX_COMPARED_LENGTH ? "" : didYouMean(format, [...FORMATS.keys()].sort());
  return [findingAt("format-unknown", location, { what: location.what, format, hint })];
}

/** What the value of a keyword must be. */
interface Form {
  /** In words. */
  readonly expected: string;
  readonly fits: (value: JsonTree) => boolean;
}

const FORMS: Readonly<Record<KeywordForm, Form>> = {
  array: { expected: "an array", fits: isJsonArray },
  boolean: { expected: "true or false", fits: (value) => typeof value === "boolean" },
  count: {
    expected: "a whole number that is not negative",
    fits: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  },
  number: { expected: "a number", fits: (value) => typeof value === "number" },
  "positive number": {
    expected: "a number greater than 0",
    fits: (value) => typeof value === "number" && value > 0,
  },
  "schemas by name": { expected: "an object of schemas", fits: isJsonObject },
  string: { expected: "a string", fits: (value) => typeof value === "string" },
  strings: {
    expected: "an array of strings",
    fits: (value) => isJsonArray(value) && value.every((item) => typeof item === "string"),
  },
};
