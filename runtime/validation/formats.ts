/**
 * The formats of JSON Schema. Those that records are full of (dates, times, UUIDs) are tested by hand-written code,
 * which is several times faster than a regular expression; the others by the definitions of ajv-formats.
 */
// This file of ajv-formats stands alone: it loads neither ajv nor the plugin.
import definitions from "ajv-formats/dist/formats.js";

type StringTest = (text: string) => boolean;
type NumberTest = (value: number) => boolean;
type Compare = (a: string, b: string) => number | undefined;

interface Definition {
  readonly type?: string;
  readonly validate: RegExp | StringTest;
  readonly compare?: Compare;
}

const STRING_FORMATS: ReadonlyMap<string, StringTest> = new Map([
  ["date", isDate],
  ["time", isTime],
  ["date-time", isDateTime],
  ["iso-time", isIsoTime],
  ["iso-date-time", isIsoDateTime],
  ["uuid", isUuid],
  ["url", isUrl],
]);

const NUMBER_FORMATS: ReadonlyMap<string, NumberTest> = new Map([
  ["int32", isInt32],
  ["int64", Number.isInteger],
]);

/** The test of strings for the format `name`. A format that is unknown, or of numbers only, accepts every string. */
export function formatCheck(name: string): StringTest {
  const handWritten = STRING_FORMATS.get(name);
  if (handWritten !== undefined) return handWritten;
  const definition = definitionOf(name);
  if (definition === undefined || definition.type === "number") return acceptAny;
  const { validate } = definition;
  return validate instanceof RegExp ? (text) => validate.test(text) : validate;
}

/** Whether the value has the format `name`. Formats say nothing of values that are neither strings nor numbers. */
export function hasFormat(value: unknown, name: string): boolean {
  if (typeof value === "string") return formatCheck(name)(value);
  return typeof value !== "number" || !Number.isFinite(value) || (NUMBER_FORMATS.get(name)?.(value) ?? true);
}

/** How two strings of the format `name` compare; undefined if the format has no order. */
export function formatOrder(name: string): Compare | undefined {
  return definitionOf(name)?.compare;
}

/** A keyword that limits strings by the order of their format. */
export interface FormatLimit {
  readonly keyword: string;
  /** What a finding says before the limit. */
  readonly words: string;
  /** Whether the comparison of the value with the limit (negative, 0 or positive) keeps the limit. */
  readonly accepts: (order: number) => boolean;
}

/** The keywords `formatMaximum`, `formatMinimum` and their exclusive forms. */
export const FORMAT_LIMITS: readonly FormatLimit[] = [
  { keyword: "formatMaximum", words: "at most", accepts: (order) => order <= 0 },
  { keyword: "formatMinimum", words: "at least", accepts: (order) => order >= 0 },
  { keyword: "formatExclusiveMaximum", words: "less than", accepts: (order) => order < 0 },
  { keyword: "formatExclusiveMinimum", words: "more than", accepts: (order) => order > 0 },
];

/**
 * Whether the string keeps the limit of the keyword (one of `FORMAT_LIMITS`). True if the two can't be compared:
 * `format` itself then refuses the string.
 */
export function isWithinFormatLimit(text: string, format: string, keyword: string, limit: string): boolean {
  const order = formatOrder(format)?.(text, limit);
  const accepts = FORMAT_LIMITS.find((known) => known.keyword === keyword)?.accepts;
  return order === undefined || accepts === undefined || accepts(order);
}

/** Whether the number is an integer of 32 bits with a sign (`int32`). */
export function isInt32(value: number): boolean {
  return (value | 0) === value;
}

// Both cases spelled out: the flag `i` makes the test slower.
const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;

/** Whether the string is a UUID (`uuid`), with or without `urn:uuid:` before it. */
export function isUuid(text: string): boolean {
  if (text.length === 36) return UUID.test(text);
  return text.length === 45 && text.slice(0, 9).toLowerCase() === "urn:uuid:" && UUID.test(text.slice(9));
}

const URL_SCHEME = /^(?:https?|ftp):\/\//iu;

/** Host and port up to a path or the end: what the pattern of ajv-formats has there. */
const URL_HOST =
  /(?:(?!(?:10|127)(?:\.\d{1,3}){3})(?!(?:169\.254|192\.168)(?:\.\d{1,3}){2})(?!172\.(?:1[6-9]|2\d|3[0-1])(?:\.\d{1,3}){2})(?:[1-9]\d?|1\d\d|2[01]\d|22[0-3])(?:\.(?:1?\d{1,2}|2[0-4]\d|25[0-5])){2}(?:\.(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-4]))|(?:(?:[a-z0-9\u{00a1}-\u{ffff}]+-)*[a-z0-9\u{00a1}-\u{ffff}]+)(?:\.(?:[a-z0-9\u{00a1}-\u{ffff}]+-)*[a-z0-9\u{00a1}-\u{ffff}]+)*(?:\.(?:[a-z\u{00a1}-\u{ffff}]{2,})))(?::\d{2,5})?(?=\/|$)/iuy;

/**
 * Whether the string is an address of http, https or ftp (`url`). The pattern of ajv-formats tries each `:` and `@` as the end
 * of what stands before the host, with each other: seconds for a long text. Here each `@` is tried once, and no host is
 * read past the next.
 */
export function isUrl(text: string): boolean {
  const scheme = URL_SCHEME.exec(text)?.[0];
  if (scheme === undefined) return false;
  // White space stands in no path and before no host, but a host may hold some of it.
  const firstSpace = text.search(/\s/);
  const lastSpace = text.search(/\s\S*$/);
  const endsFrom = (host: number) => {
    URL_HOST.lastIndex = host;
    return URL_HOST.test(text) && lastSpace < URL_HOST.lastIndex;
  };
  const start = scheme.length;
  if (endsFrom(start)) return true;
  const end = firstSpace === -1 ? text.length : firstSpace;
  for (let at = text.indexOf("@", start + 1); at !== -1 && at < end; at = text.indexOf("@", at + 1)) {
    if (endsFrom(at + 1)) return true;
  }
  return false;
}

/** Whether the string is a date of RFC 3339 (`date`), with real days and leap years: `2024-02-29`. */
export function isDate(text: string): boolean {
  return text.length === 10 && isDateAtStart(text);
}

/** Whether the string is a time of RFC 3339 with its offset (`time`): `23:59:60Z`, `08:30:00.5+02:00`. */
export function isTime(text: string): boolean {
  return isTimeFrom(text, 0, true);
}

/** Whether the string is a date and a time with its offset (`date-time`), with `T`, `t` or white space between them. */
export function isDateTime(text: string): boolean {
  return isDateBeforeTime(text) && isTimeFrom(text, 11, true);
}

/** As `isTime`, but the offset may be left out (`iso-time`). */
function isIsoTime(text: string): boolean {
  return isTimeFrom(text, 0, false);
}

/** As `isDateTime`, but the offset may be left out (`iso-date-time`). */
function isIsoDateTime(text: string): boolean {
  return isDateBeforeTime(text) && isTimeFrom(text, 11, false);
}

function isDateBeforeTime(text: string): boolean {
  return text.length > 18 && isSeparator(text.charCodeAt(10)) && isDateAtStart(text);
}

const DAYS = [0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDateAtStart(text: string): boolean {
  const century = twoDigits(text, 0);
  const yearOfCentury = twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  if (century < 0 || yearOfCentury < 0 || text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45)
    return false;
  if (month < 1 || month > 12 || day < 1 || day > (DAYS[month] ?? 0)) return false;
  return month !== 2 || day < 29 || isLeapYear(century, yearOfCentury);
}

function isLeapYear(century: number, yearOfCentury: number): boolean {
  return yearOfCentury === 0 ? century % 4 === 0 : yearOfCentury % 4 === 0;
}

function isTimeFrom(text: string, start: number, offsetRequired: boolean): boolean {
  const hour = twoDigits(text, start);
  const minute = twoDigits(text, start + 3);
  const second = twoDigits(text, start + 6);
  if (hour < 0 || minute < 0 || second < 0) return false;
  if (text.charCodeAt(start + 2) !== 58 || text.charCodeAt(start + 5) !== 58) return false;
  const end = fractionEnd(text, start + 8);
  if (end < 0) return false;
  const offset = offsetAt(text, end);
  if (offset === undefined || (offsetRequired && end === text.length)) return false;
  if (hour <= 23 && minute <= 59 && second <= 59) return true;
  return second <= 60 && isLeapSecond(hour, minute, offset);
}

/** The index after a fraction that starts at `index`; `index` if there is no fraction, -1 if it has no digit. */
function fractionEnd(text: string, index: number): number {
  if (text.charCodeAt(index) !== 46) return index;
  let end = index + 1;
  while (isDigit(text.charCodeAt(end))) end++;
  return end === index + 1 ? -1 : end;
}

interface Offset {
  readonly hours: number;
  readonly minutes: number;
}

const UTC: Offset = { hours: 0, minutes: 0 };

/** The offset from `index` to the end: nothing, `Z`, `+02`, `+0200` or `+02:00`; undefined for anything else. */
function offsetAt(text: string, index: number): Offset | undefined {
  const left = text.length - index;
  if (left === 0) return UTC;
  const sign = text.charCodeAt(index);
  if (left === 1) return sign === 90 || sign === 122 ? UTC : undefined;
  if (sign !== 43 && sign !== 45) return undefined;
  const direction = sign === 45 ? -1 : 1;
  const hours = twoDigits(text, index + 1);
  if (hours < 0 || hours > 23) return undefined;
  if (left === 3) return { hours: hours * direction, minutes: 0 };
  const colon = text.charCodeAt(index + 3) === 58 ? 1 : 0;
  const minutes = left === 5 + colon ? twoDigits(text, index + 3 + colon) : -1;
  return minutes < 0 || minutes > 59 ? undefined : { hours: hours * direction, minutes: minutes * direction };
}

/** Whether the clock in UTC shows 23:59, the only minute with a second 60. */
function isLeapSecond(hour: number, minute: number, offset: Offset): boolean {
  const utcMinute = minute - offset.minutes;
  const utcHour = hour - offset.hours - (utcMinute < 0 ? 1 : 0);
  return (utcHour === 23 || utcHour === -1) && (utcMinute === 59 || utcMinute === -1);
}

/** The number that the two digits at `index` make; negative infinity if one of them is no digit. */
function twoDigits(text: string, index: number): number {
  const tens = text.charCodeAt(index) - 48;
  const ones = text.charCodeAt(index + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NEGATIVE_INFINITY;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

function isSeparator(unit: number): boolean {
  return unit === 84 || unit === 116 || unit === 32 || /\s/.test(String.fromCharCode(unit));
}

function acceptAny(): boolean {
  return true;
}

function definitionOf(name: string): Definition | undefined {
  const formats: Readonly<Record<string, unknown>> = definitions.fullFormats;
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (format instanceof RegExp) return { validate: format };
  if (typeof format === "function") return { validate: format as StringTest };
  return typeof format === "object" && format !== null ? (format as Definition) : undefined;
}
