/** Requests as people may see them: in messages and in what hooks are told. */
import { HIDDEN } from "../../validation/finding.js";

/** Headers that hold no secret whoever sends them. */
const OPEN_HEADERS = new Set([
  ...["accept", "accept-encoding", "accept-language", "content-encoding", "content-language", "user-agent"],
  ...["content-length", "content-type", "date", "retry-after", "server", "transfer-encoding", "vary"],
]);

/** `GET https://host/path?page=--hidden value--`. */
export function shownRequest({ method, url }: { readonly method: string; readonly url: string }): string {
  return `${method} ${maskedUrl(url)}`;
}

/** The address without user and password, with the query's values hidden. */
export function maskedUrl(url: string): string {
  if (!URL.canParse(url)) return HIDDEN;
  const { origin, pathname, searchParams } = new URL(url);
  // A part of a query that is no `name=value` may be a secret itself.
  const shown = [...searchParams].map(([name, value]) => (value === "" ? HIDDEN : `${name}=${HIDDEN}`));
  return `${origin}${pathname}${shown.length === 0 ? "" : `?${shown.join("&")}`}`;
}

/** The headers, with the values of all but harmless ones hidden. */
export function maskedHeaders(headers: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, OPEN_HEADERS.has(name.toLowerCase()) ? String(value) : HIDDEN]),
  );
}
