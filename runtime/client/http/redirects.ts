/** Redirects: credentials belong to the origin of the base address, and stay there. */
import { addressWithout } from "./addresses.js";
import {
  type IncomingResponse,
  isReplayable,
  type OutgoingRequest,
  type Send,
  withoutHeaders,
} from "./messages.js";

const MOST = 10;
const STATUSES = new Set([301, 302, 303, 307, 308]);
const HEADERS_FOR_ALL = new Set(["accept", "accept-language", "user-agent"]);
const HEADERS_OF_BODY = ["content-type", "content-length", "content-encoding"];

/**
 * Sends calls by `withCredentials` until they leave their origin, from there by `bare`, with neither credentials nor
 * the author's headers. What can't be followed safely is itself the answer: a body for another origin, a stream that
 * is used up, https that turns into http, more than ten in a row.
 */
export function followingRedirects(withCredentials: Send, bare: Send): Send {
  return async (request) => {
    let send = withCredentials;
    let current = request;
    for (let hop = 0; ; hop++) {
      const response = await send(current);
      const next = hop < MOST ? redirected(current, response) : undefined;
      if (next === undefined) return response;
      response.close();
      // Who has left does not come back with credentials: another origin chose that address.
      if (new URL(next.url).origin !== new URL(current.url).origin) send = bare;
      current = next;
    }
  };
}

function redirected(request: OutgoingRequest, response: IncomingResponse): OutgoingRequest | undefined {
  const from = new URL(request.url);
  const to = targetOf(from, response);
  if (to === undefined) return undefined;
  const next = { ...asked(request, response.statusCode), url: to.href };
  if (next.body !== undefined && !isReplayable(next)) return undefined;
  if (to.origin === from.origin) return next;
  if (next.method !== "GET" && next.method !== "HEAD") return undefined;
  if (from.protocol === "https:" && to.protocol !== "https:") return undefined;
  const headers = Object.entries(next.headers).filter(([name]) => HEADERS_FOR_ALL.has(name));
  return { ...next, url: withoutAdded(request, response, to), headers: Object.fromEntries(headers) };
}

function targetOf(from: URL, { statusCode, headers }: IncomingResponse): URL | undefined {
  const location = headers["location"];
  if (!STATUSES.has(statusCode) || typeof location !== "string") return undefined;
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
function asked(request: OutgoingRequest, status: number): OutgoingRequest {
  const turnsToGet = status === 303 || (status < 303 && request.method === "POST");
  if (!turnsToGet || request.method === "HEAD" || request.method === "GET") return request;
  const headers = withoutHeaders(request.headers, HEADERS_OF_BODY);
  return { ...request, method: "GET", headers, body: undefined, isIdempotent: undefined };
}

/** The address without parameters that handlers had added and the server sent back. */
function withoutAdded(request: OutgoingRequest, response: IncomingResponse, to: URL): string {
  const { searchParams: own } = new URL(request.url);
  const added = [...new URL(response.url).searchParams].filter(
    ([name, value]) => !own.getAll(name).includes(value),
  );
  return addressWithout(to.href, (name, value) =>
    added.some(([addedName, addedValue]) => name === addedName || (value !== "" && value === addedValue)),
  );
}
