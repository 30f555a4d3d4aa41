/** Addresses of calls: below the base address, or at least of its origin. */
import { RequestRefusedError } from "./errors.js";

/** A value of a query or form; null and undefined are left out. */
export type QueryValue = string | number | boolean | null | undefined;

/** A value in a path. */
export type PathValue = string | number | bigint | boolean;

/** Names and values of a query. A list gives its name several times; null and undefined are left out. */
export type Query = Readonly<Record<string, QueryValue | readonly QueryValue[]>>;

/**
 * The base address without a trailing `/`.
 * @throws RequestRefusedError if it is no http or https address, or has credentials, a query or a fragment.
 */
export function baseAddress(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new RequestRefusedError("The base address is no http or https address.");
  if (url.username !== "" || url.password !== "")
    throw new RequestRefusedError("The base address holds credentials. Put them into connection properties.");
  if (url.search !== "" || url.hash !== "")
    throw new RequestRefusedError("The base address has a query or a fragment. Pass a query with the call.");
  return url.href.replace(/\/+$/, "");
}

/**
 * `projects` below `https://host/v2` is `https://host/v2/projects`; an absolute address of the same origin is taken
 * as it is.
 * @throws RequestRefusedError for an address of another origin, and for a segment `.` or `..` in a path.
 */
export function addressOf(base: string, path: string, query: Query = {}): string {
  const url = isAbsolute(path) ? sameOriginUrl(base, path) : urlBelow(base, path);
  const added = Object.entries(query).flatMap(([name, value]) =>
    [value]
      .flat()
      .flatMap((item) => (item === null || item === undefined ? [] : [queryPair(name, String(item))])),
  );
  if (added.length === 0) return url;
  return `${url}${url.includes("?") ? "&" : "?"}${added.join("&")}`;
}

/** The address with this parameter in place of any that it has under the name. */
export function withParameter(url: string, name: string, value: string): string {
  return addressWithout(url, (existing) => existing === name, [queryPair(name, value)]);
}

/** The address without the parameters that `isRemoved` names, and with the added ones. */
export function addressWithout(
  url: string,
  isRemoved: (name: string, value: string) => boolean,
  added: readonly string[] = [],
): string {
  const [address = "", query = ""] = url.split(/\?(.*)/s);
  const kept = query.split("&").filter((part) => {
    const [parsed] = new URLSearchParams(part);
    return parsed !== undefined && !isRemoved(...parsed);
  });
  const parts = [...kept, ...added];
  return parts.length === 0 ? address : `${address}?${parts.join("&")}`;
}

function queryPair(name: string, value: string): string {
  return `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
}

function isAbsolute(path: string): boolean {
  return /^(?:[a-z][a-z\d+.-]*:)?[/\\]{2}/i.test(path);
}

function urlBelow(base: string, path: string): string {
  const dots = dotSegment(path);
  if (dots !== undefined)
    throw new RequestRefusedError(
      `The path of a call has "${dots}" in it, which leads to another resource. Write values with the tag path.`,
    );
  const start = /^[?#]?$/.test(path.slice(0, 1)) ? base : `${base}/`;
  const url = new URL(`${start}${path.replace(/^\//, "")}`);
  url.hash = "";
  return url.href;
}

/**
 * `.` or `..` if the path has it as a segment. An address reads `%2e` and `\` as `.` and `/` too, overlooks tabs and
 * line breaks, and loses spaces and control characters at its end.
 */
function dotSegment(path: string): string | undefined {
  const read = path.replace(/[\t\n\r]/g, "").replace(/[\0-\x20]+$/, "");
  const [, dots] = /(?:^|[/\\])((?:\.|%2e){1,2})(?:[/\\?#]|$)/i.exec(read.replace(/[?#].*$/s, "")) ?? [];
  return dots?.replace(/%2e/gi, ".");
}

/**
 * A path whose values come from data: a template tag that encodes each of them, so that none leads to another resource.
 * @throws RequestRefusedError if a segment with a value in it is empty, `.` or `..`.
 * @example
 * const response = await http.get(path`projects/${name}`, { signal });
 */
export function path(texts: TemplateStringsArray, ...values: readonly PathValue[]): string {
  const marked = texts.reduce(
    (left, text, index) => `${left}${VALUE}${encodeValue(values[index - 1])}${text}`,
  );
  const [segments = ""] = marked.split(/[?#]/);
  for (const segment of segments.split("/")) {
    const written = segment.replaceAll(VALUE, "");
    if (written !== segment && /^\.{0,2}$/.test(written))
      throw new RequestRefusedError(
        `A value in the path of a call makes its segment ${JSON.stringify(written)}, which leads to another resource.`,
      );
  }
  return marked.replaceAll(VALUE, "");
}

/** Marks where a value stands; no encoded value has it. */
const VALUE = "\0";

/** @throws RequestRefusedError for half a character, which no address can hold. */
function encodeValue(value: PathValue | undefined): string {
  try {
    return encodeURIComponent(String(value));
  } catch {
    throw new RequestRefusedError("A value in the path of a call has half a character in it.");
  }
}

function sameOriginUrl(base: string, address: string): string {
  const { origin } = new URL(base);
  const url = URL.canParse(address, base) ? new URL(address, base) : undefined;
  if (url === undefined || url.origin !== origin || url.username !== "" || url.password !== "")
    throw new RequestRefusedError(
      `A call to ${url?.origin ?? "an unreadable address"} was refused: the connection is for ${origin} only.`,
    );
  url.hash = "";
  return url.href;
}
