/** Requests as people may see them. */
import { isSecretName } from "../../schemas/naming/secret-names.js";
import type { OutgoingRequest } from "../registration/http-messages.js";
import { HIDDEN } from "../validation/finding.js";

/** Headers that hold no secret whoever sends them. */
const HARMLESS_HEADERS = new Set([
  ...["accept", "accept-encoding", "accept-language", "content-encoding", "content-language", "user-agent"],
  ...["content-length", "content-type", "date", "retry-after", "server", "transfer-encoding", "vary"],
]);

type Addressed = Pick<OutgoingRequest, "url" | "secretParameters">;

/** `GET https://host/path?page=2&api_key=--hidden value--`. */
export function maskedRequest({ method, ...address }: Addressed & { readonly method: string }): string {
  return `${method} ${maskedUrl(address)}`;
}

/** A longer value tells a reader nothing, and once it is cut nobody knows whether it is a secret. Characters. */
const MAX_VALUE_LENGTH = 100;

/** The address without user and password, with the values of secret parameters hidden. */
export function maskedUrl({ url, secretParameters = [] }: Addressed): string {
  if (!URL.canParse(url)) return HIDDEN;
  const { origin, pathname, search } = new URL(url);
  if (search === "") return `${origin}${pathname}`;
  const parts = search
    .slice(1)
    .split("&")
    .flatMap((part) => {
      const [parameter] = new URLSearchParams(part);
      if (parameter === undefined) return [];
      const [name, value] = parameter;
      // A part of a query that is no `name=value` may be a secret itself.
      if (value === "") return [HIDDEN];
      const isShown = isShownParameter(name, value, secretParameters);
      return [isShown ? part : `${part.slice(0, part.indexOf("="))}=${HIDDEN}`];
    });
  return `${origin}${pathname}?${parts.join("&")}`;
}

/** Whether people may see the value of a parameter of an address. */
export function isShownParameter(name: string, value: string, secretParameters: readonly string[]): boolean {
  return value.length <= MAX_VALUE_LENGTH && !secretParameters.includes(name) && !isSecretName(name);
}

/** The headers, with the values of all but harmless ones hidden. */
export function maskedHeaders(headers: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, isHarmlessHeader(name) ? String(value) : HIDDEN]),
  );
}

/** Whether people may see the value of a header. */
export function isHarmlessHeader(name: string): boolean {
  return HARMLESS_HEADERS.has(name.toLowerCase());
}
