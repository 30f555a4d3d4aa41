/** Who may ask the console: its own page on this machine, and nobody else. Other pages in the same browser are the enemy. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** What of a request says where it comes from. */
export interface Asked {
  readonly method?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** Names and values by turns, as they came: Node keeps only one of several headers. */
  readonly rawHeaders: readonly string[];
}

/** Why a request is not answered. */
export interface Refusal {
  readonly status: number;
  /** What its sender may know: nothing of the connector. */
  readonly reason: string;
}

/** The header that brings the token. A page of another origin can't send it unasked, as it could a cookie. */
export const TOKEN_HEADER = "x-connectorcli-token";

/**
 * Why a request can't be from the console's own page. Everything is looked at before the address is: files, too, are kept
 * from a page that reaches this port by a name of its own (DNS rebinding).
 * @param port The port of the console.
 */
export function strangerRefusal({ method, headers, rawHeaders }: Asked, port: number): Refusal | undefined {
  const hosts = valuesOf(rawHeaders, "host");
  const [host] = hosts;
  // Equal, and not merely like it: 127.0.0.1.example.org begins like it.
  if (hosts.length !== 1 || (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`))
    return { status: 421, reason: "This is not the address of this console." };
  const { origin } = headers;
  if (origin !== undefined && origin !== `http://${host}`)
    return { status: 403, reason: "Only the console's own page may ask." };
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none")
    return { status: 403, reason: "Only the console's own page may ask." };
  if (method !== "GET" && method !== "POST")
    return { status: 405, reason: "Only GET and POST are answered." };
  return undefined;
}

/** Whether the request brings the token; in constant time, so that nobody finds it piece by piece. */
export function hasToken({ rawHeaders }: Asked, token: string): boolean {
  const given = valuesOf(rawHeaders, TOKEN_HEADER);
  return given.length === 1 && timingSafeEqual(digestOf(given[0] ?? ""), digestOf(token));
}

/** What every answer says to the browser: nothing but the console's own files and answers may be loaded or run. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), display-capture=()",
  "cache-control": "no-store",
};

function valuesOf(rawHeaders: readonly string[], name: string): readonly string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
