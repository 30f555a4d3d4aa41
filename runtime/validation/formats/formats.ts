/** The formats by their name: hand-made where records are full of them, ajv's own definitions for the others. */
// This file of ajv-formats stands alone: it loads neither ajv nor the plugin.
import definitions from "ajv-formats/dist/formats.js";
import { isDate, isDateTime, isIsoDateTime, isIsoTime, isTime } from "./dates.js";
import { isUuid } from "./uuid.js";

type TextCheck = (text: string) => boolean;
type NumberCheck = (value: number) => boolean;
type Compare = (a: string, b: string) => number | undefined;

interface Definition {
  readonly type?: string;
  readonly validate: RegExp | TextCheck;
  readonly compare?: Compare;
}

const HAND_MADE: ReadonlyMap<string, TextCheck> = new Map([
  ["date", isDate],
  ["time", isTime],
  ["date-time", isDateTime],
  ["iso-time", isIsoTime],
  ["iso-date-time", isIsoDateTime],
  ["uuid", isUuid],
]);

const NUMBERS: ReadonlyMap<string, NumberCheck> = new Map([
  ["int32", isInt32],
  ["int64", Number.isInteger],
]);

/** What a text must be to have the format `name`; any text has a format that nobody knows. */
export function formatCheck(name: string): TextCheck {
  const made = HAND_MADE.get(name);
  if (made !== undefined) return made;
  const definition = definitionOf(name);
  if (definition === undefined || definition.type === "number") return accepts;
  const { validate } = definition;
  return validate instanceof RegExp ? (text) => validate.test(text) : validate;
}

/** Whether `value` has the format `name`, whatever its kind. */
export function hasFormat(value: unknown, name: string): boolean {
  if (typeof value === "string") return formatCheck(name)(value);
  return typeof value !== "number" || !Number.isFinite(value) || (NUMBERS.get(name)?.(value) ?? true);
}

/** How two texts of the format `name` compare, undefined for formats without order. */
export function formatOrder(name: string): Compare | undefined {
  return definitionOf(name)?.compare;
}

export function isInt32(value: number): boolean {
  return (value | 0) === value;
}

function accepts(): boolean {
  return true;
}

function definitionOf(name: string): Definition | undefined {
  const formats: Readonly<Record<string, unknown>> = definitions.fullFormats;
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (format instanceof RegExp) return { validate: format };
  if (typeof format === "function") return { validate: format as TextCheck };
  return typeof format === "object" && format !== null ? (format as Definition) : undefined;
}
