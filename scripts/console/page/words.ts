/** Numbers, times and values as people read them. */

export { HIDDEN } from "../../../runtime/validation/finding.js";

const NUMBER = new Intl.NumberFormat("en");

export function numberWords(count: number): string {
  return NUMBER.format(count);
}

export function countWords(count: number, one: string, many = `${one}s`): string {
  return `${numberWords(count)} ${count === 1 ? one : many}`;
}

/** `3 minutes ago`; the exact time belongs beside it, in a title. */
export function agoWords(iso: string, now = Date.now()): string {
  const seconds = Math.round((now - Date.parse(iso)) / 1_000);
  if (Number.isNaN(seconds)) return iso;
  if (seconds < 5) return "just now";
  const [unit, size] = UNITS.find(([, size]) => seconds >= size) ?? ["second", 1];
  return `${countWords(Math.floor(seconds / size), unit)} ago`;
}

/** `in 3 minutes`, for what is to come. */
export function inWords(iso: string, now = Date.now()): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1_000);
  if (Number.isNaN(seconds)) return iso;
  if (seconds < 5) return "now";
  const [unit, size] = UNITS.find(([, size]) => seconds >= size) ?? ["second", 1];
  return `in ${countWords(Math.floor(seconds / size), unit)}`;
}

const UNITS: readonly (readonly [string, number])[] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];

export function durationWords(startedAt: string, endedAt: string | null): string {
  return millisecondWords((endedAt === null ? Date.now() : Date.parse(endedAt)) - Date.parse(startedAt));
}

export function millisecondWords(milliseconds: number): string {
  if (milliseconds < 1_000) return `${milliseconds} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1_000).toFixed(1)} s`;
  return `${Math.floor(milliseconds / 60_000)} min ${Math.round((milliseconds % 60_000) / 1_000)} s`;
}

/** A text as a shell takes it. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

const MAX_SHOWN = 200;

/** A value in one line. */
export function valueWords(value: unknown): string {
  if (value === undefined) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
