/** The chain that a request goes along, and the helpers of those who change it. */
import type { IncomingResponse, OutgoingRequest, Send } from "../registration/http-messages.js";

/**
 * A link of the chain between a call and the network. It may change the request, call `next` once, again or not at
 * all, and change the response.
 * @example
 * const versioned: Middleware = (request, next) =>
 *   next({ ...request, headers: { ...request.headers, "x-api-version": "2" } });
 */
export type Middleware = (request: OutgoingRequest, next: Send) => Promise<IncomingResponse>;

/** `last` with all of `middleware` around it, the first one outermost. */
export function composeChain(middleware: readonly Middleware[], last: Send): Send {
  return middleware.reduceRight<Send>((next, link) => (request) => link(request, next), last);
}

/** Whether the request can be sent again. */
export function isReplayable({ body }: OutgoingRequest): boolean {
  return body === undefined || typeof body === "string" || body instanceof Uint8Array;
}

/** The request with this header in place of any that it has under the name. */
export function withHeader(request: OutgoingRequest, name: string, value: string): OutgoingRequest {
  return { ...request, headers: { ...withoutHeaders(request.headers, [name]), [name.toLowerCase()]: value } };
}

/** The headers without those of these names, whatever their case. */
export function withoutHeaders(
  headers: Readonly<Record<string, string>>,
  names: readonly string[],
): Readonly<Record<string, string>> {
  const removed = new Set(names.map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !removed.has(name.toLowerCase())));
}
