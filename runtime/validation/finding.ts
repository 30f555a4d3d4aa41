/** One finding of a value, and how values are displayed in it: short, and never if they are sensitive. */
import { isJsonObject } from "../../schemas/json.js";

/** One thing in which a value does not fit its schema. */
export interface Finding {
  /** JSON pointer of the value at fault, in serialized names; the empty string is the value itself. */
  readonly instancePath: string;
  /** The JSON Schema keyword that the value does not fit; `false schema` if no value fits. */
  readonly keyword: string;
  /** What the keyword asks for, in words. */
  readonly expected: string;
  /** The value in short, or `--hidden value--`. */
  readonly actual: string;
  /** Path, expectation and value in one sentence. */
  readonly message: string;
}

/** Shown in place of a sensitive value. */
export const HIDDEN = "--hidden value--";

/** The place of a finding by which findings are counted: all items of a list have one, such as `/lines/*`. */
export function withoutIndexes(instancePath: string): string {
  return instancePath.replaceAll(/\/\d+(?=\/|$)/g, "/*");
}

/** The finding with its sentence. */
export function createFinding(finding: Omit<Finding, "message">): Finding {
  const { instancePath, keyword, expected, actual } = finding;
  const subject = instancePath === "" ? "the value" : instancePath;
  const message = `${subject}: expected ${expected}, found ${actual}`;
  return { instancePath, keyword, expected, actual, message };
}

/** The finding of a value that nests too deeply to be checked to its end. */
export function depthFinding(): Finding {
  return createFinding({
    instancePath: "",
    keyword: "depth",
    expected: "a value that nests less deeply",
    actual: "one too deep to check",
  });
}

const MAX_CHARACTERS = 100;

/**
 * The value in one short line. Objects and arrays display their size only: what is in them may be sensitive.
 * @param redact Called with a text or a number as a text before it is cut; what it returns is displayed.
 */
export function displayValue(value: unknown, redact = (text: string) => text): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return shorten(JSON.stringify(redact(value).slice(0, MAX_CHARACTERS + 1)));
  if (Array.isArray(value)) return `an array of ${countOf(value.length, "item")}`;
  if (isJsonObject(value)) return `an object of ${countOf(Object.keys(value).length, "member")}`;
  return Object.is(value, -0) ? "-0" : shorten(redact(String(value)));
}

/** A value that stands in a schema, such as the members of an enum, in one short line of JSON. */
export function displaySchemaValue(value: unknown): string {
  return shorten(JSON.stringify(value) ?? String(value));
}

/** The count with its noun: `1 item`, `2 items`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function shorten(text: string): string {
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS).toWellFormed()}…`;
}
