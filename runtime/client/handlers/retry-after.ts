/** When a server wants to be asked again (RFC 9110, 10.2.3): after seconds, or at a date. */
import type { ResponseHeaders } from "../http/messages.js";

/** Milliseconds to wait from `now`, never below 0; undefined where the header is not there or can't be read. */
export function retryAfterMs(headers: ResponseHeaders, now: number): number | undefined {
  const value = headers["retry-after"];
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1_000;
  // Date.parse takes nearly anything for a date; all three forms of HTTP begin with a weekday.
  const date = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
