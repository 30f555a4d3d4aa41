/** Addresses of calls: below the base address, or at least of its origin. */
import { RequestRefused } from "../errors.js";

export type QueryValue = string | number | boolean | null | undefined;

/** Names and values; a list gives its name several times, null and undefined are left out. */
export type Query = Readonly<Record<string, QueryValue | readonly QueryValue[]>>;

/** The base address without a trailing `/`. @throws RequestRefused where it is none that calls can go below. */
export function baseAddress(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new RequestRefused("The base address is no http or https address.");
  if (url.username !== "" || url.password !== "")
    throw new RequestRefused("The base address holds credentials. Put them into connection properties.");
  if (url.search !== "" || url.hash !== "")
    throw new RequestRefused("The base address has a query or a fragment. Pass a query with the call.");
  return url.href.replace(/\/+$/, "");
}

/**
 * `projects` below `https://host/v2` is `https://host/v2/projects`; an absolute address of the same origin is taken
 * as it is. @throws RequestRefused for one of another origin, and for `..` in a path.
 */
export function addressOf(base: string, path: string, query: Query = {}): string {
  const url = isAbsolute(path) ? ofSameOrigin(base, path) : below(base, path);
  const added = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (one === null || one === undefined ? [] : [pair(name, String(one))])),
  );
  if (added.length === 0) return url;
  return `${url}${url.includes("?") ? "&" : "?"}${added.join("&")}`;
}

/** The address with this parameter instead of any that it has under the name. */
export function withParameter(url: string, name: string, value: string): string {
  return addressWithout(url, (existing) => existing === name, [pair(name, value)]);
}

/** The address without the parameters that are to go, and with the added ones. */
export function addressWithout(
  url: string,
  goes: (name: string, value: string) => boolean,
  added: readonly string[] = [],
): string {
  const [address = "", query = ""] = url.split(/\?(.*)/s);
  const kept = query.split("&").filter((part) => {
    const [parsed] = new URLSearchParams(part);
    return parsed !== undefined && !goes(...parsed);
  });
  const parts = [...kept, ...added];
  return parts.length === 0 ? address : `${address}?${parts.join("&")}`;
}

function pair(name: string, value: string): string {
  return `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
}

function isAbsolute(path: string): boolean {
  return /^(?:[a-z][a-z\d+.-]*:)?[/\\]{2}/i.test(path);
}

function below(base: string, path: string): string {
  // An address reads `%2e%2e` and `\` as `..` and `/` too, and overlooks tabs and line breaks.
  if (/(?:^|[/\\])(?:\.|%2e){2}(?:[/\\?#]|$)/i.test(path.replace(/[\t\n\r]/g, "")))
    throw new RequestRefused('The path of a call has ".." in it. Encode what comes from data.');
  const start = /^[?#]?$/.test(path.slice(0, 1)) ? base : `${base}/`;
  const url = new URL(`${start}${path.replace(/^\//, "")}`);
  url.hash = "";
  return url.href;
}

function ofSameOrigin(base: string, address: string): string {
  const { origin } = new URL(base);
  const url = URL.canParse(address, base) ? new URL(address, base) : undefined;
  if (url === undefined || url.origin !== origin || url.username !== "" || url.password !== "")
    throw new RequestRefused(
      `A call to ${url?.origin ?? "an unreadable address"} was refused: the connection is for ${origin} only.`,
    );
  url.hash = "";
  return url.href;
}
