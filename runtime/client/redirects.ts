/** Redirects: credentials belong to the origin of the base address, and stay there. */
import type { IncomingResponse, OutgoingRequest, Send } from "../registration/http-messages.js";
import { addressWithout } from "./addresses.js";
import { isReplayable, withoutHeaders } from "./middleware.js";

const MAX_REDIRECTS = 10;
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
const HEADERS_FOR_ANY_ORIGIN = new Set(["accept", "accept-language", "user-agent"]);
const BODY_HEADERS = ["content-type", "content-length", "content-encoding"];

/**
 * Sends calls by `withCredentials` until they leave their origin, and from there by `bare`, with neither credentials
 * nor the author's headers. A redirect that can't be followed safely is itself the answer: a body for another origin, a
 * stream that is used up, https that turns into http, more than ten in a row.
 */
export function followRedirects(withCredentials: Send, bare: Send): Send {
  return async (request) => {
    let send = withCredentials;
    let current = request;
    for (let hop = 0; ; hop++) {
      const response = await send(current);
      const next = hop < MAX_REDIRECTS ? redirectedRequest(current, response) : undefined;
      if (next === undefined) return response;
      response.close();
      // A call that has left its origin gets no credentials when it comes back: another origin chose that address.
      if (new URL(next.url).origin !== new URL(current.url).origin) send = bare;
      current = next;
    }
  };
}

function redirectedRequest(
  request: OutgoingRequest,
  response: IncomingResponse,
): OutgoingRequest | undefined {
  const from = new URL(request.url);
  const to = redirectTarget(from, response);
  if (to === undefined) return undefined;
  const next = { ...repeatedRequest(request, response.statusCode), url: to.href };
  if (next.body !== undefined && !isReplayable(next)) return undefined;
  if (to.origin === from.origin) return next;
  if (next.method !== "GET" && next.method !== "HEAD") return undefined;
  if (from.protocol === "https:" && to.protocol !== "https:") return undefined;
  const headers = Object.entries(next.headers).filter(([name]) => HEADERS_FOR_ANY_ORIGIN.has(name));
  const url = urlWithoutAdded(request, response, to);
  return { ...next, url, headers: Object.fromEntries(headers), isForeign: true };
}

function redirectTarget(from: URL, { statusCode, headers }: IncomingResponse): URL | undefined {
  const location = headers["location"];
  if (!REDIRECT_STATUSES.has(statusCode) || typeof location !== "string") return undefined;
  // Servers send UTF-8 there, and Node reads each byte as a character.
  const address = Buffer.from(location, "latin1").toString();
  if (!URL.canParse(address, from.href)) return undefined;
  const to = new URL(address, from);
  if (to.protocol !== "https:" && to.protocol !== "http:") return undefined;
  to.username = "";
  to.password = "";
  to.hash = "";
  return to;
}

/** The request as the status wants it repeated: as a GET, or as it is. */
function repeatedRequest(request: OutgoingRequest, status: number): OutgoingRequest {
  const turnsToGet = status === 303 || (status < 303 && request.method === "POST");
  if (!turnsToGet || request.method === "HEAD" || request.method === "GET") return request;
  const headers = withoutHeaders(request.headers, BODY_HEADERS);
  return { ...request, method: "GET", headers, body: undefined, isIdempotent: undefined };
}

/** The address without parameters that handlers had added and the server sent back. */
function urlWithoutAdded(request: OutgoingRequest, response: IncomingResponse, to: URL): string {
  const { searchParams: own } = new URL(request.url);
  const added = [...new URL(response.url).searchParams].filter(
    ([name, value]) => !own.getAll(name).includes(value),
  );
  return addressWithout(to.href, (name, value) =>
    added.some(([addedName, addedValue]) => name === addedName || (value !== "" && value === addedValue)),
  );
}
