/** Times of a target system: from the text or number of a record to the one that it is asked with. */

/** How a target system writes a time. */
export type TimeFormat = "iso" | "isoSeconds" | "date" | "epochSeconds" | "epochMs" | "httpDate";

const SECOND_MS = 1_000;

const WRITERS: Readonly<Record<TimeFormat, (ms: number) => string>> = {
  iso: (ms) => new Date(ms).toISOString(),
  isoSeconds: (ms) => new Date(ms).toISOString().replace(/\.\d{3}Z$/, "Z"),
  date: (ms) => new Date(ms).toISOString().slice(0, 10),
  epochSeconds: (ms) => String(Math.floor(ms / SECOND_MS)),
  epochMs: (ms) => String(ms),
  httpDate: (ms) => new Date(ms).toUTCString(),
};

/** The names of all formats. */
export const TIME_FORMATS = Object.keys(WRITERS) as readonly TimeFormat[];

/** `ms`, in milliseconds since 1970, in a format. What the format can't say is cut off, so that it is never later. */
export function timeText(ms: number, format: TimeFormat): string {
  return WRITERS[format](ms);
}

/**
 * Milliseconds since 1970; undefined for what is no time. A text without a zone is taken as UTC, which nothing on this
 * machine changes; a number is read by the format, and by its size if that is no epoch.
 */
export function timeMs(value: unknown, format: TimeFormat): number | undefined {
  if (typeof value === "number") {
    if (!Number.isFinite(value)) return undefined;
    if (format === "epochMs") return value;
    return format === "epochSeconds" || Math.abs(value) < 1e11 ? value * SECOND_MS : value;
  }
  if (typeof value !== "string" || value === "") return undefined;
  if (/^\d+(?:\.\d+)?$/.test(value)) return timeMs(Number(value), format);
  const hasZone = /(?:z|gmt|utc|[+-]\d{2}:?\d{2})$/i.test(value);
  const isIsoTime = /^\d{4}-\d{2}-\d{2}[t ]/i.test(value);
  const ms = Date.parse(isIsoTime && !hasZone ? `${value}Z` : value);
  return Number.isNaN(ms) ? undefined : ms;
}
