/** Dates and times as RFC 3339 writes them, checked unit by unit: real days, leap years, leap seconds, offsets. */

const DAYS = [0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** A full date: `2024-02-29`. */
export function isDate(text: string): boolean {
  return text.length === 10 && dateAt(text);
}

/** A time with its offset: `23:59:60Z`, `08:30:00.5+02:00`. */
export function isTime(text: string): boolean {
  return timeFrom(text, 0, true);
}

/** A date and a time with its offset, with `T`, `t` or white space between them. */
export function isDateTime(text: string): boolean {
  return text.length > 18 && isSeparator(text.charCodeAt(10)) && dateAt(text) && timeFrom(text, 11, true);
}

/** A time whose offset may be left out. */
export function isIsoTime(text: string): boolean {
  return timeFrom(text, 0, false);
}

/** A date and a time whose offset may be left out. */
export function isIsoDateTime(text: string): boolean {
  return text.length > 18 && isSeparator(text.charCodeAt(10)) && dateAt(text) && timeFrom(text, 11, false);
}

function dateAt(text: string): boolean {
  const century = twoDigits(text, 0);
  const yearOfCentury = twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  if (century < 0 || yearOfCentury < 0 || text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45)
    return false;
  if (month < 1 || month > 12 || day < 1 || day > (DAYS[month] ?? 0)) return false;
  return month !== 2 || day < 29 || isLeap(century, yearOfCentury);
}

function isLeap(century: number, yearOfCentury: number): boolean {
  return yearOfCentury === 0 ? century % 4 === 0 : yearOfCentury % 4 === 0;
}

function timeFrom(text: string, start: number, offsetRequired: boolean): boolean {
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

/** Where a fraction that starts at `index` ends; `index` where there is none, -1 where it has no digit. */
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

/** What follows the seconds: nothing, `Z`, `+02`, `+0200` or `+02:00`; undefined for anything else. */
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

/** A second 60 stands only where the clock in UTC shows 23:59. */
function isLeapSecond(hour: number, minute: number, offset: Offset): boolean {
  const utcMinute = minute - offset.minutes;
  const utcHour = hour - offset.hours - (utcMinute < 0 ? 1 : 0);
  return (utcHour === 23 || utcHour === -1) && (utcMinute === 59 || utcMinute === -1);
}

/** The number of two digits, negative where one of them is none. */
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
